#!/usr/bin/env python3
"""Runs a checker over every translation unit of the project, several at a time, and remembers what passed.

    per_unit.py --build DIRECTORY --name NAME [--containing TEXT] [--depends FILE]... -- COMMAND...

COMMAND gets the file as its last argument. A unit that passed is skipped as long as its preprocessed text, the command
and the files it depends on stay the same; a failure is never remembered. With --containing, units whose own project
code does not contain TEXT are left out.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINE_MARKER = re.compile(r'^# \d+ "([^"]*)"')


def units(build):
    """Files of the project in compile_commands.json (generated ones are not), each with its preprocessor command."""
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    for entry in commands:
        file = pathlib.Path(entry["file"])
        if not file.is_relative_to(ROOT) or file.is_relative_to(ROOT / "build") or file.is_relative_to(build):
            continue
        arguments = shlex.split(entry["command"])
        if "ccache" in pathlib.Path(arguments[0]).name:
            arguments = arguments[1:]
        output = arguments.index("-o")
        del arguments[output:output + 2]
        arguments.remove("-c")
        yield file, [*arguments, "-E"], entry["directory"]


def own_code(text):
    """The lines of preprocessed text that come from the project."""
    ours, kept = False, []
    for line in text.splitlines():
        marker = LINE_MARKER.match(line)
        if marker:
            ours = marker[1].startswith(str(ROOT))
        elif ours:
            kept.append(line)
    return "\n".join(kept)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", type=pathlib.Path, required=True)
    options.add_argument("--name", required=True)
    options.add_argument("--containing", default="")
    options.add_argument("--depends", type=pathlib.Path, action="append", default=[])
    options.add_argument("--jobs", type=int, default=int(os.environ.get("WEIR_JOBS", os.cpu_count() or 1)))
    options.add_argument("command", nargs="+")
    options = options.parse_args()
    build = options.build.resolve()
    memory = build / "passed" / options.name
    memory.mkdir(parents=True, exist_ok=True)
    tool = subprocess.run([options.command[0], "--version"], capture_output=True, text=True).stdout
    basis = json.dumps([options.command, tool, [f.read_text(encoding="utf-8") for f in options.depends]])

    def check(unit):
        file, preprocess, directory = unit
        made = subprocess.run(preprocess, cwd=directory, capture_output=True, text=True, errors="replace")
        if made.returncode != 0:
            return file, "failed", made.stderr
        if options.containing and options.containing not in own_code(made.stdout):
            return file, "left out", ""
        key = memory / hashlib.sha256((basis + made.stdout).encode()).hexdigest()
        if key.exists():
            return file, "known", ""
        run = subprocess.run([*options.command, str(file)], capture_output=True, text=True, errors="replace")
        if run.returncode != 0:
            return file, "failed", run.stdout + run.stderr
        key.touch()
        return file, "passed", ""

    counts = {"passed": 0, "known": 0, "left out": 0, "failed": 0}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for file, verdict, text in pool.map(check, sorted(units(build))):
            counts[verdict] += 1
            if verdict == "failed":
                print(f"{file.relative_to(ROOT)}:\n{text}", flush=True)
    print(f"{counts['passed']} checked, {counts['known']} unchanged, {counts['failed']} failed")
    return 1 if counts["failed"] or not counts["passed"] + counts["known"] else 0


if __name__ == "__main__":
    sys.exit(main())
