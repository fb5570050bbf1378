#!/usr/bin/env python3
"""The first C++ block of README.md is examples/01_quickstart.cpp, letter for letter; so what a newcomer copies is what
the tests compile and run.

    first_example.py [--write]      --write puts the example into the README
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
EXAMPLE = ROOT / "examples" / "01_quickstart.cpp"
BLOCK = re.compile(r"(^```cpp\n)(.*?)(^```$)", re.MULTILINE | re.DOTALL)


def main():
    if not README.exists() or not EXAMPLE.exists():
        print("skipped: there is no README.md or no examples/01_quickstart.cpp yet")
        return 77
    text = README.read_text(encoding="utf-8")
    example = EXAMPLE.read_text(encoding="utf-8")
    block = BLOCK.search(text)
    if not block:
        print("README.md has no ```cpp block")
        return 1
    if "--write" in sys.argv[1:]:
        README.write_text(text[: block.start(2)] + example + text[block.end(2):], encoding="utf-8")
        return 0
    if block.group(2) == example:
        return 0
    for number, (shown, real) in enumerate(zip(block.group(2).splitlines(), example.splitlines()), start=1):
        if shown != real:
            print(f"line {number} of the README's first example is\n  {shown}\nand the compiled one says\n  {real}")
            return 1
    print("the README's first example and examples/01_quickstart.cpp differ in length")
    return 1


if __name__ == "__main__":
    sys.exit(main())
