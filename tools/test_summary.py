#!/usr/bin/env python3
"""Counts what a test run did, case by case, and says what failed and what could not run.

    test_summary.py REPORTS LOG [--ctest=STATUS] [--passed=NAME | --failed=NAME | --skipped=NAME: REASON]...

REPORTS holds ctest.xml and one JSON report a gtest program. A program without a complete report counts as one case; so
does an entry that is no gtest program, unless its last line is `N passed, N failed`. The last line printed is the sum.
"""
import json
import os
import pathlib
import re
import sys
import xml.etree.ElementTree

CLOSING = re.compile(r"^(?:\S+: )?(\d+) passed, (\d+) failed$")


class Totals:
    def __init__(self):
        self.passed = self.failed = 0
        self.failures = []  # names
        self.skips = []     # "name: reason"

    def fail(self, name, count=1):
        self.failed += count
        self.failures.append(name)


def gtest_report(path):
    """The document a gtest program wrote at its end; None when it never came to its end."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def add_gtest(totals, name, report, entry_failed):
    counted = 0
    for suite in report.get("testsuites", []):
        for case in suite.get("testsuite", []):
            title = f"{name}: {suite['name']}.{case['name']}"
            if case.get("result") == "SKIPPED":
                reasons = [s.get("message", "").strip().splitlines() for s in case.get("skipped", [])]
                totals.skips.append(f"{title}: {reasons[0][-1] if reasons and reasons[0] else 'no reason given'}")
            elif case.get("failures"):
                totals.fail(title)
                counted += 1
            elif case.get("status") == "RUN":
                totals.passed += 1
    if entry_failed and not counted:
        totals.fail(f"{name}: the program failed outside its cases")


def add_other(totals, name, entry_failed, output):
    lines = [line.strip() for line in output.strip().splitlines()]
    closing = CLOSING.match(lines[-1]) if lines else None
    passed, failed = (int(closing[1]), int(closing[2])) if closing else (0, 0)
    if entry_failed:
        totals.passed += passed
        totals.fail(name, max(failed, 1))
    else:
        totals.passed += max(passed, 1)


def main():
    reports, log, *others = sys.argv[1:]
    require_live = os.environ.get("WEIR_REQUIRE_LIVE") == "1"
    ctest_failed = False
    totals = Totals()
    entries = []
    try:
        entries = list(xml.etree.ElementTree.parse(pathlib.Path(reports) / "ctest.xml").getroot().iter("testcase"))
    except (OSError, xml.etree.ElementTree.ParseError):
        totals.fail("ctest itself: it wrote no report")
    for entry in entries:
        name, status = entry.get("name"), entry.get("status")
        output = entry.findtext("system-out") or ""
        if status == "disabled" or (status == "notrun" and entry.find("skipped") is not None):
            lines = output.strip().splitlines()
            reason = lines[-1] if lines else (entry.find("skipped").get("message") or "no reason given")
            totals.skips.append(f"{name}: {reason.removeprefix('skipped: ')}")
            continue
        report = gtest_report(pathlib.Path(reports) / f"{name}.json")
        if report:
            add_gtest(totals, name, report, status != "run")
        else:
            add_other(totals, name, status != "run", output)
    for other in others:
        kind, _, name = other.partition("=")
        if kind == "--ctest":
            ctest_failed = name != "0"
        elif kind == "--passed":
            totals.passed += 1
        elif kind == "--failed" or require_live:
            totals.fail(name)
        else:
            totals.skips.append(name)

    if ctest_failed and not totals.failures:
        totals.fail("ctest: it failed, and no entry did")
    if totals.passed + totals.failed == 0:
        totals.fail("no test ran")
    if totals.failures:
        text = pathlib.Path(log).read_text(encoding="utf-8", errors="replace")
        print(re.sub(r"^ *\d+/\d+ Test +#.*Passed.*\n| *Start +\d+:.*\n", "", text, flags=re.MULTILINE))
    for skip in totals.skips:
        print(f"could not run {skip}")
    for failure in totals.failures:
        print(f"FAILED {failure}")
    print(f"{totals.passed} passed, {totals.failed} failed")
    return 1 if totals.failed else 0


if __name__ == "__main__":
    sys.exit(main())
