import json
import os
import pathlib
import tempfile
import unittest

import support  # noqa: F401
import document
from valgrind import Trouble

FACTS = {"cpu": "c", "os": "o", "rustc": "none: C++", "valgrind": "3.19.0"}
ROWS = [{"name": "consume, JSON"}]


class a_document(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = str(self.folder / "benchmarks" / "results.json")

    def made(self, old=None):
        return document.with_code(old, "weir", "0.1.0", "0.1.0", "2026-11-30", FACTS, ROWS)

    def test_is_written_and_read_again(self):
        document.write(self.path, self.made())
        got = document.read(self.path)
        self.assertEqual(got["schema"], 3)
        self.assertEqual((got["crate"], got["crate_version"], got["core_version"], got["measured_at"]),
                         ("weir", "0.1.0", "0.1.0", "2026-11-30"))
        self.assertEqual((got["code"], got["environment"]), (ROWS, FACTS))
        self.assertEqual(got["code_measured"],
                         {"crate_version": "0.1.0", "core_version": "0.1.0", "measured_at": "2026-11-30"})
        self.assertNotIn("scenarios", got)  # an empty list would promise a comparison

    def test_leaves_no_other_file_behind(self):
        document.write(self.path, self.made())
        document.write(self.path, self.made())
        self.assertEqual(os.listdir(self.folder / "benchmarks"), ["results.json"])

    def test_stays_what_it_was_when_writing_fails(self):
        document.write(self.path, self.made())
        with self.assertRaises(TypeError):
            document.write(self.path, {"schema": 3, "code": object()})
        self.assertEqual(document.read(self.path)["code"], ROWS)
        self.assertEqual(os.listdir(self.folder / "benchmarks"), ["results.json"])

    def test_keeps_what_was_measured_otherwise(self):
        compared = {"schema": 3, "crate": "weir", "crate_version": "0.0.9", "core_version": "0.0.9",
                    "measured_at": "2026-01-01", "environment": {"cpu": "c", "os": "older", "round_trip": "61 us"},
                    "scenarios": [{"name": "replay"}], "code": [{"name": "gone"}]}
        got = self.made(compared)
        self.assertEqual(got["scenarios"], [{"name": "replay"}])
        self.assertEqual((got["measured_at"], got["crate_version"]), ("2026-01-01", "0.0.9"))
        self.assertEqual(got["code"], ROWS)
        self.assertEqual(got["code_measured"]["measured_at"], "2026-11-30")
        self.assertEqual((got["environment"]["os"], got["environment"]["round_trip"], got["environment"]["valgrind"]),
                         ("older", "61 us", "3.19.0"))

    def test_of_another_kind_is_refused(self):
        for text, why in (("{", "is not JSON"), ("[]", "schema 3"), ('{"schema": 2}', "schema 3")):
            file = self.folder / "x.json"
            file.write_text(text)
            with self.assertRaisesRegex(Trouble, why):
                document.read(str(file))
        with self.assertRaisesRegex(Trouble, "cannot be read"):
            document.read(str(self.folder / "absent.json"))


class the_version(unittest.TestCase):
    def test_is_that_of_the_header(self):
        header = "#define WEIR_VERSION_MAJOR 1\n#define WEIR_VERSION_MINOR 2\n#define WEIR_VERSION_PATCH 30\n"
        self.assertEqual(document.version_of(header), "1.2.30")
        with self.assertRaises(Trouble):
            document.version_of("#define WEIR_VERSION_MAJOR 1\n")


if __name__ == "__main__":
    unittest.main()
