#!/usr/bin/env python3
"""What tools/test_summary.py must count, and what it must not let pass."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "test_summary.py"
GTEST = """<testsuites><testsuite name="queue">
<testcase name="keeps_order" status="run" classname="queue"/>
<testcase name="wakes" status="run" classname="queue">{wakes}</testcase>
<testcase name="asserts" status="run" classname="queue"><skipped message="queue_test.cpp:9&#10;assertions are off"/></testcase>
</testsuite></testsuites>"""


class Summary(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="weir-summary-")
        self.reports = pathlib.Path(self.folder.name)
        self.log = self.reports / "log"
        self.log.write_text("what ctest said\n")

    def tearDown(self):
        self.folder.cleanup()

    def summarise(self, entries, *arguments, **environment):
        (self.reports / "ctest.xml").write_text("<testsuite>" + entries + "</testsuite>")
        run = subprocess.run([sys.executable, "-B", str(TOOL), str(self.reports), str(self.log), *arguments],
                             capture_output=True, text=True, env={**os.environ, "WEIR_REQUIRE_LIVE": "0", **environment})
        return run.returncode, run.stdout.splitlines()

    def test_counts_cases_and_names_what_could_not_run(self):
        (self.reports / "core_tests.xml").write_text(GTEST.format(wakes=""))
        status, lines = self.summarise('<testcase name="core_tests" status="run"/>')
        self.assertEqual(lines, ["could not run core_tests: queue.asserts: assertions are off", "2 passed, 0 failed"])
        self.assertEqual(status, 0)

    def test_names_the_failed_case(self):
        (self.reports / "core_tests.xml").write_text(GTEST.format(wakes="<failure/>"))
        status, lines = self.summarise('<testcase name="core_tests" status="fail"/>')
        self.assertIn("FAILED core_tests: queue.wakes", lines)
        self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed"))

    def test_a_program_that_fails_after_its_cases_has_failed(self):
        (self.reports / "core_tests.xml").write_text(GTEST.format(wakes=""))
        status, lines = self.summarise('<testcase name="core_tests" status="fail"/>')
        self.assertEqual((status, lines[-1]), (1, "2 passed, 1 failed"))

    def test_a_program_without_a_report_has_failed_once(self):
        status, lines = self.summarise('<testcase name="core_tests" status="fail"/>')
        self.assertEqual((status, lines[-1]), (1, "0 passed, 1 failed"))

    def test_takes_the_count_of_a_script_from_its_last_line(self):
        entry = '<testcase name="install" status="run"><system-out>installed\n6 passed, 0 failed\n</system-out></testcase>'
        self.assertEqual(self.summarise(entry)[1][-1], "6 passed, 0 failed")

    def test_a_run_without_tests_has_failed(self):
        self.assertEqual(self.summarise("")[1][-1], "0 passed, 1 failed")

    def test_a_failure_that_only_ctest_saw_is_a_failure(self):
        status, lines = self.summarise('<testcase name="example" status="run"/>', "--ctest=8")
        self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed"))

    def test_a_server_that_is_missing_is_a_failure_only_where_it_is_required(self):
        entry = '<testcase name="example" status="run"/>'
        missing = "--skipped=pulsar: nobody listens on port 6650"
        self.assertEqual(self.summarise(entry, missing)[1],
                         ["could not run pulsar: nobody listens on port 6650", "1 passed, 0 failed"])
        status, lines = self.summarise(entry, missing, WEIR_REQUIRE_LIVE="1")
        self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed"))


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    bad = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - bad} passed, {bad} failed")
    sys.exit(1 if bad else 0)
