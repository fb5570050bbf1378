#!/usr/bin/env python3
"""Proves that run.py can fail: each case here is wrong in one way, and run.py must say which."""
import pathlib
import subprocess
import sys
import tempfile

CASES = {
    "compiles": ("// expect: anything\nint x;\n", "it compiles"),
    "other_sentence": ("// expect: one thing\nstatic_assert(false, \"another\");\n", "the first error is"),
    "two_errors": ("// expect: first\nstatic_assert(false, \"first\");\nstatic_assert(false, \"second\");\n",
                   "2 errors where one is enough"),
    "no_sentence": ("static_assert(false, \"first\");\n", "its first line is not"),
}
GOOD = {
    "refused": "// expect: first\nstatic_assert(false, \"first\");\n",
    "any": "// expect: first\n// errors: any\nstatic_assert(false, \"first\");\nstatic_assert(false, \"second\");\n",
}


def run(folder, compiler):
    tool = pathlib.Path(__file__).with_name("run.py")
    return subprocess.run([sys.executable, str(tool), str(folder), "--compiler", compiler], capture_output=True, text=True)


def main():
    compiler = sys.argv[1]
    problems = []
    with tempfile.TemporaryDirectory(prefix="weir-compile-fail-") as scratch:
        folder = pathlib.Path(scratch)
        (folder / "cases").mkdir()
        (folder / "control").mkdir()
        (folder / "control" / "good.cpp").write_text("int x;\n")
        for name, text in GOOD.items():
            (folder / "cases" / f"{name}.cpp").write_text(text)
        if run(folder, compiler).returncode != 0:
            problems.append("a good folder fails")
        (folder / "control" / "good.cpp").write_text("int x\n")
        if "it must compile" not in run(folder, compiler).stdout:
            problems.append("a control that does not compile goes unseen")
        (folder / "control" / "good.cpp").write_text("int x;\n")
        for name, (text, complaint) in CASES.items():
            case = folder / "cases" / f"{name}.cpp"
            case.write_text(text)
            result = run(folder, compiler)
            if result.returncode == 0 or complaint not in result.stdout:
                problems.append(f"{name}: expected '{complaint}', got: {result.stdout}")
            case.unlink()
    print("\n".join(problems) or f"{len(CASES) + 2} passed, 0 failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
