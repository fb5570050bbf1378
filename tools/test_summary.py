#!/usr/bin/env python3
"""Counts what a test run did, case by case, and says what failed and what could not run.

    test_summary.py REPORTS LOG [--ctest=STATUS] [--passed=NAME | --failed=NAME | --skipped=NAME: REASON]...

REPORTS holds ctest.xml and one XML report a gtest program. A program without a complete report counts as one case; so
does an entry that is no gtest program, unless its last line is `N passed, N failed`. The last line printed is the sum.
"""
import os
import pathlib
import re
import sys
import xml.etree.ElementTree

CLOSING = re.compile(r"^(?:\S+: )?(\d+) passed, (\d+) failed$")
UNINTERESTING = re.compile(
    r"^ *\d+/\d+ Test +#.*Passed.*\n"            # ctest, of an entry
    r"|^ *Start +\d+:.*\n"
    r"|^\[ RUN      \].*\n\[       OK \].*\n"  # gtest, of a case
    r"|^\[-{10}\].*\n", re.MULTILINE)


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
        return xml.etree.ElementTree.parse(path).getroot()
    except (OSError, xml.etree.ElementTree.ParseError):
        return None


def add_gtest(totals, name, report, entry_failed):
    counted = 0
    for case in report.iter("testcase"):
        title = f"{name}: {case.get('classname')}.{case.get('name')}"
        skipped = case.find("skipped")
        if skipped is not None:
            lines = (skipped.get("message") or "").strip().splitlines()
            totals.skips.append(f"{title}: {lines[-1] if lines else 'no reason given'}")
        elif case.find("failure") is not None:
            totals.fail(title)
            counted += 1
        elif case.get("status") == "run":
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
        report = gtest_report(pathlib.Path(reports) / f"{name}.xml")
        if report is not None:
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
        print(UNINTERESTING.sub("", pathlib.Path(log).read_text(encoding="utf-8", errors="replace")))
    for skip in totals.skips:
        print(f"could not run {skip}")
    for failure in totals.failures:
        print(f"FAILED {failure}")
    print(f"{totals.passed} passed, {totals.failed} failed")
    return 1 if totals.failed else 0


if __name__ == "__main__":
    sys.exit(main())
