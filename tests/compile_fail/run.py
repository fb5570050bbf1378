#!/usr/bin/env python3
"""Compiles code that must not compile and checks the one sentence the compiler says about it.

A case is a .cpp file in cases/ whose first line names the sentence:

    // expect: weir: a handler returns void, outcome, settled, or a task<> of one of them

It passes when the compiler refuses it, the first error contains the sentence, and no second error follows. A second
line `// errors: any` allows more errors, for the rare case where the compiler cannot stop. Files in control/ have no
sentence and must compile, so that a broken header is not mistaken for a good refusal.

    run.py --compiler g++ --include core/include [--jobs 2] [--filter TEXT] [--list] [FOLDER]
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
ERROR = re.compile(r"^(?:.*?:\d+:\d+: |\S+: )(?:fatal )?error: (.*)$")
EVERY_HEADER = "weir/weir.hpp"


class Compiler:
    """A compiler with the umbrella header precompiled, which is most of the work of every case."""

    def __init__(self, command, includes, scratch):
        self.command = [*command.split(), *FLAGS]
        self.includes = [f"-I{path}" for path in includes]
        self.precompiled = []
        header = next((pathlib.Path(i) / EVERY_HEADER for i in includes if (pathlib.Path(i) / EVERY_HEADER).exists()), None)
        if header:
            self.precompile(header, scratch)

    def is_clang(self):
        version = subprocess.run([self.command[0], "--version"], capture_output=True, text=True, check=True)
        return "clang" in version.stdout

    def precompile(self, header, scratch):
        if self.is_clang():
            output = scratch / "weir.pch"
            use = ["-include-pch", str(output)]
        else:
            output = scratch / (EVERY_HEADER + ".gch")  # found before the header because its folder is searched first
            output.parent.mkdir(parents=True)
            use = [f"-I{scratch}"]
        main_file = scratch / "everything.hpp"  # g++ warns of `#pragma once` in the file it is given
        main_file.write_text(f'#include "{header.absolute()}"\n')
        made = subprocess.run([*self.command, *self.includes, "-x", "c++-header", str(main_file), "-o", str(output)],
                              capture_output=True, text=True)
        if made.returncode == 0:
            self.precompiled = use
        else:
            print(f"{header} does not compile by itself:\n{made.stderr}", flush=True)

    def check(self, source):
        """Exit status and everything the compiler said."""
        run = subprocess.run([*self.command, *self.precompiled, *self.includes, "-fsyntax-only", str(source)],
                             capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
        return run.returncode, run.stderr


def expectation(source):
    """The sentence of a case and whether further errors are allowed."""
    lines = source.read_text(encoding="utf-8").splitlines()
    if not lines or not lines[0].startswith("// expect: "):
        return None, False
    return lines[0].removeprefix("// expect: ").strip(), len(lines) > 1 and lines[1].strip() == "// errors: any"


def judge_case(compiler, source):
    sentence, any_errors = expectation(source)
    if not sentence:
        return "its first line is not `// expect: <sentence>`"
    status, text = compiler.check(source)
    errors = [m.group(1) for m in map(ERROR.match, text.splitlines()) if m]
    if status == 0:
        return "it compiles"
    if not errors:
        return f"no error line:\n{text}"
    if sentence not in errors[0]:
        return f"the first error is\n    {errors[0]}\n  and not\n    {sentence}"
    if len(errors) != 1 and not any_errors:
        return f"{len(errors)} errors where one is enough:\n    " + "\n    ".join(errors)
    return None


def judge_control(compiler, source):
    status, text = compiler.check(source)
    return None if status == 0 else f"it must compile:\n{text}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).parent)
    options.add_argument("--compiler", default=os.environ.get("CXX", "c++"))
    options.add_argument("--include", action="append", default=[])
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--filter", default="")
    options.add_argument("--list", action="store_true", help="print the sentences and compile nothing")
    options = options.parse_args()

    cases = [f for f in sorted(options.folder.glob("cases/**/*.cpp")) if options.filter in f.name]
    controls = [f for f in sorted(options.folder.glob("control/**/*.cpp")) if options.filter in f.name]
    if options.list:
        for case in cases:
            print(f"{case.stem}: {expectation(case)[0]}")
        return 0
    if not cases or not (controls or options.filter):
        print("there is no case, or no control that must compile: this check would prove nothing")
        return 1

    with tempfile.TemporaryDirectory(prefix="weir-compile-fail-") as scratch:
        compiler = Compiler(options.compiler, options.include, pathlib.Path(scratch))
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            work = [(f, pool.submit(judge_case, compiler, f)) for f in cases]
            work += [(f, pool.submit(judge_control, compiler, f)) for f in controls]
            failures = 0
            for source, outcome in work:
                problem = outcome.result()
                if problem:
                    failures += 1
                    print(f"FAILED {source.relative_to(options.folder)}: {problem}", flush=True)
    print(f"weir-cases: {len(work) - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
