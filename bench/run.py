#!/usr/bin/env python3
"""Counts what Weir costs: instructions and heap blocks per message, and the start of a service.

    run.py [COMPONENT] [--code [M]] [--only TEXT] [--out FILE] [--gate BASELINE] [--jobs N]

Every row is a program of its own, run under callgrind and under DHAT with 1, M and 2M messages, each in a fresh
process; only what happens inside one function counts. Per message = (2M - M) / M, cold = the run of one message.
The programs are those of the build folder in WEIR_BUILD (`./dev bench` sets it); COMPONENT is core unless said otherwise.
"""
import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import sys

import code_cost
import document
import environment
import valgrind
from valgrind import Trouble

ROOT = pathlib.Path(__file__).resolve().parent.parent


def positive(text):
    number = int(text)
    if number <= 0:
        raise argparse.ArgumentTypeError("it must be above 0")
    return number


def arguments(argv):
    parser = argparse.ArgumentParser(prog="./dev bench", description="Counts instructions and heap blocks per message.")
    parser.add_argument("component", nargs="?", default="core", help="whose programs (default: core)")
    parser.add_argument("--code", nargs="?", type=positive, const=1000, default=1000, metavar="M",
                        help="count the cost of the code with M and 2M messages (default: 1000)")
    parser.add_argument("--only", metavar="TEXT", help="only rows whose name or program contains TEXT")
    parser.add_argument("--out", metavar="FILE", help="write the results document; its other sections are kept")
    parser.add_argument("--gate", metavar="BASELINE",
                        help="fail if a row costs over 2 %% more instructions than there, or more heap blocks than it declares")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, metavar="N",
                        help="programs at a time (counts do not depend on it)")
    return parser.parse_args(argv)


def declared_rows(component, only):
    path = ROOT / component / "bench" / "targets.json"
    if not path.is_file():
        raise Trouble(f"there is no component '{component}' that can be counted ({component}/bench/targets.json)")
    try:
        declared = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as fault:
        raise Trouble(f"{component}/bench/targets.json is not JSON: {fault}") from None
    sources = {p.stem for p in path.parent.glob("*.cpp")}
    listed = {r["program"] for r in declared["rows"]}
    for stem in sorted(sources ^ listed):
        raise Trouble(f"{component}/bench/{stem}.cpp has no row in targets.json" if stem in sources
                      else f"the row '{stem}' of {component}/bench/targets.json has no program")
    if only is not None:
        chosen = [r for r in declared["rows"] if only.lower() in r["name"].lower() or only.lower() in r["program"]]
        if not chosen:
            raise Trouble(f"no row of {component} contains '{only}'")
        declared = {**declared, "rows": chosen}
    return declared


class Progress:
    """One line that is rewritten, on a terminal; nothing elsewhere."""

    def __init__(self, total):
        self.total, self.done, self.shows = total, 0, sys.stderr.isatty()

    def step(self, name):
        self.done += 1
        if self.shows:
            sys.stderr.write(f"\r\033[K[{self.done}/{self.total}] {name}"[:110])
            sys.stderr.flush()

    def end(self):
        if self.shows:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def count(declared, component, build, messages, jobs):
    """The rows, and what breached its limit of heap blocks."""
    rows, breaches = [], []
    runs = (1, messages, 2 * messages)
    capacity = str(max(16384, 2 * messages))
    tools = (valgrind.count_instructions, valgrind.count_blocks)
    progress = Progress(len(declared["rows"]) * len(runs) * len(tools))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        started = {}
        for r in declared["rows"]:
            program = os.path.abspath(os.path.join(build, "bin", f"bench_{component}_{r['program']}"))
            for tool in tools:
                for n in runs:
                    started[pool.submit(tool, program, [str(n), capacity])] = (r, tool, n)
        results = {}
        try:
            for done in concurrent.futures.as_completed(started):
                r, tool, n = started[done]
                results[r["program"], tool, n] = done.result()
                progress.step(r["name"])
        finally:
            for other in started:
                other.cancel()
            progress.end()
    for r in declared["rows"]:
        instructions, blocks = ([results[r["program"], tool, n][0] for n in runs] for tool in tools)
        reports = [results[r["program"], tool, runs[-1]][1] for tool in tools]
        code_cost.check_runs(r["name"], messages, *instructions, declared["least_instructions"])
        if reports[0]["handled"] < runs[-1]:
            raise Trouble(f"'{r['name']}' handled {reports[0]['handled']} of {runs[-1]} messages")
        rows.append(code_cost.row(r, messages, instructions, blocks, max(x["pool_bytes"] for x in reports)))
        breaches += code_cost.block_breaches(r, messages, blocks)
    return rows, breaches


def gate(rows, breaches, facts, baseline):
    """Says what the gate found; the exit code."""
    differences = code_cost.incomparable(facts, baseline)
    if differences:
        print("gate: instructions are not compared, the baseline is of another build: " + "; ".join(differences))
    else:
        breaches = breaches + code_cost.instruction_breaches(rows, baseline)
    for breach in breaches:
        print(f"gate: {breach}")
    print(f"gate: {len(breaches)} breach{'es' if len(breaches) != 1 else ''}, {len(rows)} rows")
    return 1 if breaches else 0


def main(argv):
    given = arguments(argv)
    build = os.environ.get("WEIR_BUILD", "build/bench")
    # What can be known to be wrong is said before the minutes of counting.
    declared = declared_rows(given.component, given.only)
    tool = valgrind.version()
    if given.out is not None and given.only is not None:
        raise Trouble("--out with --only would write a document without the other rows")
    old = document.read(given.out) if given.out is not None and os.path.exists(given.out) else None
    baseline = document.read(given.gate) if given.gate is not None else None
    core_version = document.version_of((ROOT / "core/include/weir/version.hpp").read_text(encoding="utf-8"))

    rows, breaches = count(declared, given.component, build, given.code, given.jobs)
    facts = environment.gather(build, tool, old.get("environment") if old else None)
    facts["broker"] = declared["broker"]
    print(code_cost.table(rows, declared["rows"]))
    print(f"{given.code} and {2 * given.code} messages; ! = misses its target; pools = held from the heap, beside the blocks\n"
          f"{facts['compiler']}, {facts['compiler_flags']}, linker {facts['linker_flags']}, valgrind {facts['valgrind']}")
    if given.out is not None:
        date = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
        document.write(given.out, document.with_code(old, declared["crate"], core_version, core_version, date, facts, rows))
        print(f"written: {given.out}")
    if baseline is not None:
        return gate(rows, breaches, facts, baseline)
    for breach in breaches:
        print(f"over its limit: {breach}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Trouble as trouble:
        sys.exit(f"bench: {trouble}")
    except KeyboardInterrupt:
        sys.exit(130)
