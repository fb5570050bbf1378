"""The whole of run.py on a valgrind that writes what a test tells it to."""
import contextlib
import io
import json
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import support  # noqa: F401
import run
from valgrind import Trouble

# Costs: 5,000 instructions and 14 blocks to start, then so many a message.
VALGRIND = """\
#!/usr/bin/env -S python3 -S -E
import json, sys
if "--version" in sys.argv:
    print("valgrind-3.19.0")
    sys.exit()
options = dict(a[2:].split("=", 1) for a in sys.argv[1:] if a.startswith("--") and "=" in a)
program, n, capacity = [a for a in sys.argv[1:] if not a.startswith("--")]
n = int(n)
instructions, blocks = 5000 + {instructions} * n, 14 + {blocks} * n
if options["tool"] == "callgrind":
    assert options["collect-atstart"] == "no" and options["toggle-collect"] == "weir_bench_region"
    with open(options["callgrind-out-file"], "w") as out:
        out.write("events: Ir\\nfn=(1) {region}\\n0 1\\n\\ntotals: %d\\n" % instructions)
else:
    assert options["tool"] == "dhat" and options["num-callers"] == "128"
    with open(options["dhat-out-file"], "w") as out:
        json.dump({{"ftbl": ["[root]", "0x1: weir_bench_region (in a)"], "pps": [{{"tbk": int(blocks), "fs": [1]}}]}}, out)
print(json.dumps({{"handled": {handled} * n, "pool_bytes": 1024 * n}}))
{more}
"""
TARGETS = {
    "crate": "weir",
    "broker": "in process",
    "least_instructions": 50,
    "rows": [
        {"program": "json", "name": "consume, JSON", "target": {"instructions": 300, "allocations": 0},
         "limit": {"steady": 0, "cold": 20}},
        {"program": "bytes", "name": "byte lane", "note": "a note", "limit": {"steady": 0, "cold": 20}},
    ],
}


class running(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for path, text in (("core/include/weir/version.hpp", "#define WEIR_VERSION_MAJOR 1\n#define WEIR_VERSION_MINOR 2\n"
                                                             "#define WEIR_VERSION_PATCH 3\n"),
                           ("core/bench/targets.json", json.dumps(TARGETS)),
                           ("core/bench/json.cpp", ""), ("core/bench/bytes.cpp", ""),
                           ("build/CMakeCache.txt", "CMAKE_BUILD_TYPE:STRING=Release\n"
                                                    "CMAKE_CXX_FLAGS_RELEASE:STRING=-O2 -DNDEBUG\n"),
                           ("build/bin/bench_core_json", "#!/bin/sh\n"), ("build/bin/bench_core_bytes", "#!/bin/sh\n")):
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)
            (self.root / path).chmod(0o755)
        self.out = self.root / "results.json"
        self.valgrind()
        for patch in (mock.patch.object(run, "ROOT", self.root),
                      mock.patch.dict(os.environ, {"PATH": f"{self.root / 'tools'}:{os.environ['PATH']}",
                                                   "WEIR_BUILD": str(self.root / "build")})):
            patch.start()
            self.addCleanup(patch.stop)

    def valgrind(self, instructions=250, blocks=0, region="weir_bench_region", handled=1, more=""):
        file = self.root / "tools" / "valgrind"
        file.parent.mkdir(exist_ok=True)
        file.write_text(VALGRIND.format(instructions=instructions, blocks=blocks, region=region, handled=handled, more=more))
        file.chmod(0o755)

    def run_it(self, *arguments):
        """Exit code and what was printed."""
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            code = run.main(list(arguments))
        return code, said.getvalue()

    def refused(self, *arguments):
        """What is said to whoever asked; nothing may have been written."""
        with self.assertRaises(Trouble) as raised:
            self.run_it("--out", str(self.out), *arguments)
        self.assertFalse(self.out.exists())
        self.assertNotIn("\n", str(raised.exception))
        return str(raised.exception)


class a_run(running):
    def test_prints_a_row_for_each_program(self):
        code, said = self.run_it("core", "--code")
        self.assertEqual(code, 0)
        lines = said.splitlines()
        self.assertEqual(lines[1].split(), ["consume,", "JSON", "250", "300", "0", "0", "5,250", "14", "2,000", "KiB"])
        self.assertTrue(lines[2].startswith("byte lane"))
        self.assertIn("1000 and 2000 messages", said)
        self.assertNotIn("over its limit", said)

    def test_counts_the_number_of_messages_that_was_asked_for(self):
        self.run_it("--code", "70", "--out", str(self.out))
        self.assertEqual([r["messages"] for r in json.loads(self.out.read_text())["code"]], [70, 70])

    def test_writes_the_code_section(self):
        self.assertEqual(self.run_it("--out", str(self.out))[0], 0)
        document = json.loads(self.out.read_text())
        self.assertEqual((document["schema"], document["crate"], document["crate_version"]), (3, "weir", "1.2.3"))
        self.assertEqual(document["code"][0], {
            "name": "consume, JSON", "messages": 1000, "framework": {"instructions": 250, "allocations": 0},
            "cold": {"instructions": 5250, "allocations": 14}, "gated": True, "pool_bytes": 2048000})
        self.assertEqual(document["code"][1]["note"], "a note")
        self.assertEqual(document["environment"]["compiler_flags"], "-std=c++20 -O2 -DNDEBUG")
        self.assertEqual(document["environment"]["compiler"], "unknown")
        self.assertEqual(document["environment"]["broker"], "in process")

    def test_can_be_of_some_rows_only(self):
        said = self.run_it("--only", "LANE")[1]
        self.assertIn("byte lane", said)
        self.assertNotIn("consume", said)

    def test_says_which_rows_are_over_their_limit(self):
        self.valgrind(blocks=1)
        code, said = self.run_it()
        self.assertEqual(code, 0)
        self.assertEqual(said.count("over its limit: "), 2)


class a_measurement_that_cannot_be_right(running):
    def test_without_the_region(self):
        self.valgrind(region="weir_bench_region.constprop.0")
        self.assertIn("never entered weir_bench_region", self.refused())

    def test_too_cheap(self):
        self.valgrind(instructions=20)
        self.assertIn("a run of 1000 messages took 25000 instructions", self.refused())

    def test_that_handled_too_little(self):
        self.valgrind(handled=0)
        self.assertIn("handled 0 of 2000 messages", self.refused())

    def test_of_a_program_that_crashes(self):
        self.valgrind(more="import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)")
        self.assertRegex(self.refused(), r"^bench_core_\w+ \d+ 16384 ended with signal 11 under \w+: it said nothing$")

    def test_of_a_program_that_fails(self):
        self.valgrind(more="sys.exit('messages were left unsettled')")
        self.assertRegex(self.refused(), r"ended with status 1 under \w+: messages were left unsettled$")

    def test_leaves_an_older_document_as_it_was(self):
        self.run_it("--out", str(self.out))
        before = self.out.read_text()
        self.valgrind(region="gone")
        with self.assertRaises(Trouble):
            self.run_it("--out", str(self.out))
        self.assertEqual(self.out.read_text(), before)


class a_run_that_cannot_begin(running):
    def test_without_the_tool(self):
        with mock.patch.dict(os.environ, {"PATH": str(self.root)}):
            self.assertEqual(self.refused(), "valgrind is not installed: `./dev setup` installs it")

    def test_without_a_program(self):
        (self.root / "build/bin/bench_core_bytes").unlink()
        self.assertEqual(self.refused(), "bench_core_bytes has not been built")

    def test_with_a_program_that_has_no_row_or_a_row_that_has_no_program(self):
        (self.root / "core/bench/new.cpp").write_text("")
        self.assertEqual(self.refused(), "core/bench/new.cpp has no row in targets.json")
        (self.root / "core/bench/new.cpp").unlink()
        (self.root / "core/bench/json.cpp").unlink()
        self.assertEqual(self.refused(), "the row 'json' of core/bench/targets.json has no program")

    def test_of_what_does_not_exist(self):
        self.assertIn("no component 'nats'", self.refused("nats"))
        with self.assertRaisesRegex(Trouble, "no row of core contains 'pool'"):
            self.run_it("--only", "pool")

    def test_that_would_write_a_document_without_the_other_rows(self):
        self.assertIn("--out with --only", self.refused("--only", "lane"))

    def test_with_a_baseline_that_is_none(self):
        self.assertIn("cannot be read", self.refused("--gate", str(self.root / "absent.json")))


class the_gate(running):
    def setUp(self):
        super().setUp()
        self.run_it("--out", str(self.out))

    def test_is_open_for_the_same_cost(self):
        self.assertEqual(self.run_it("--gate", str(self.out))[0], 0)

    def test_closes_for_more_instructions_and_lists_all_breaches(self):
        self.valgrind(instructions=260)
        code, said = self.run_it("--gate", str(self.out))
        self.assertEqual(code, 1)
        self.assertIn("gate: 'consume, JSON': 260 instructions a message, 250 in the baseline (+4.0 %", said)
        self.assertIn("gate: 'byte lane': 260 instructions", said)
        self.assertIn("gate: 2 breaches, 2 rows", said)

    def test_closes_for_heap_blocks(self):
        self.valgrind(blocks=0.01)
        code, said = self.run_it("--gate", str(self.out))
        self.assertEqual(code, 1)
        self.assertIn("24 for 1000, 34 for 2000 messages are more heap blocks than the limit of 20", said)

    def test_does_not_compare_the_instructions_of_another_build(self):
        document = json.loads(self.out.read_text())
        document["environment"]["compiler_flags"] = "-std=c++20 -O3"
        self.out.write_text(json.dumps(document))
        self.valgrind(instructions=900)
        code, said = self.run_it("--gate", str(self.out))
        self.assertEqual(code, 0)
        self.assertIn("instructions are not compared, the baseline is of another build: compiler_flags is", said)
        self.valgrind(blocks=1)
        self.assertEqual(self.run_it("--gate", str(self.out))[0], 1)


class the_rows_of_this_project(unittest.TestCase):
    def test_have_programs_names_of_their_own_and_limits(self):
        for path in sorted(run.ROOT.glob("*/bench/targets.json")):
            component = path.parent.parent.name
            with self.subTest(component):
                rows = run.declared_rows(component, None)["rows"]
                self.assertEqual(len({r["name"] for r in rows}), len(rows))
                for r in rows:
                    self.assertEqual(set(r.get("limit", {"steady": 0, "cold": 0})), {"steady", "cold"})


if __name__ == "__main__":
    unittest.main()
