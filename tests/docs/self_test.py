#!/usr/bin/env python3
"""Proves that check_pages.py can fail: a good pair of pages passes, and each way to spoil it is found and named."""
import pathlib
import subprocess
import sys
import tempfile

ENGLISH = """---
title: Orders
---

# Orders

See [the other page](other.md#second-part) and [its source](../snippets/orders.cpp).

| option | default |
|---|---|
| room | 16,384 |

## How

```cpp
void take(int order) {
    keep(order);
}
```

```sh
./dev demo
```
"""
OTHER = "---\ntitle: Other\n---\n\n# Other\n\n## Second part\n"
BANNER = "> 本页译自英文；若有差异，以英文原文为准。\n\n"
SNIPPET = "namespace n {\n    void take(int order) {\n        keep(order);\n    }\n}\n"


def chinese(text):
    return text.replace("---\n\n# ", "---\n\n" + BANNER + "# ", 1).replace("../snippets", "../../snippets").replace("## How", "## 做法")


GOOD = {
    "site/guide/orders.md": ENGLISH,
    "site/guide/other.md": OTHER,
    "site/zh/guide/orders.md": chinese(ENGLISH),
    "site/zh/guide/other.md": chinese(OTHER),
    "site/snippets/orders.cpp": SNIPPET,
}

# What is spoiled: file, from, to; and the line that must be said.
FAULTS = [
    ("site/zh/guide/orders.md", None, None, "site/zh/guide/orders.md:1: this page exists in the other language only"),
    ("site/guide/orders.md", None, None, "site/guide/orders.md:1: this page exists in the other language only"),
    ("site/zh/guide/orders.md", BANNER, "", "does not begin with the banner"),
    ("site/guide/orders.md", "title: Orders", "layout: doc", "no title in the front matter"),
    ("site/guide/orders.md", "---\ntitle: Orders\n---\n", "", "no front matter"),
    ("site/zh/guide/orders.md", "## 做法", "### 做法", "heading 2 is ###, in English ##"),
    ("site/zh/guide/orders.md", "## 做法\n", "", "there are 1 of: heading; in English 2"),
    ("site/zh/guide/orders.md", "./dev demo", "./dev test", "code block 2 is sh"),
    ("site/zh/guide/orders.md", "```sh\n./dev demo\n```\n", "", "there are 1 of: code block; in English 2"),
    ("site/zh/guide/orders.md", "16,384", "16,385", "row of a table 3 is the numbers 16,385, in English the numbers 16,384"),
    ("site/zh/guide/orders.md", "| room | 16,384 |\n", "", "there are 2 of: row of a table; in English 3"),
    ("site/snippets/orders.cpp", "keep(order)", "drop(order)", "site/guide/orders.md:15: this C++ block is in no file"),
    ("site/snippets/orders.cpp", "        keep", "      keep", "this C++ block is in no file"),
    ("site/guide/orders.md", "(other.md#", "(others.md#", "the link 'others.md#second-part' leads nowhere"),
    ("site/guide/orders.md", "#second-part", "#third-part", "names a heading that the page does not have"),
    ("site/guide/orders.md", "../snippets", "/snippets", "is not relative"),
    ("site/guide/orders.md", "```sh", "```", "a code block without a language"),
    ("site/guide/orders.md", "./dev demo\n```\n", "./dev demo\n", "a code block that does not end"),
]


def check(files):
    tool = pathlib.Path(__file__).with_name("check_pages.py")
    with tempfile.TemporaryDirectory(prefix="weir-docs-") as scratch:
        for name, text in files.items():
            path = pathlib.Path(scratch, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return subprocess.run([sys.executable, "-B", str(tool), scratch], capture_output=True, text=True, check=False)


def main():
    problems = []
    good = check(GOOD)
    if good.returncode != 0 or good.stdout:
        problems.append(f"a good pair of pages fails: {good.stdout}{good.stderr}")
    if check({}).returncode != 1:
        problems.append("a site without any page passes")
    for name, old, new, expected in FAULTS:
        files = dict(GOOD)
        if old is None:
            del files[name]
        else:
            files[name] = GOOD[name].replace(old, new, 1)
            if files[name] == GOOD[name]:
                problems.append(f"the case '{expected}' spoils nothing")
        found = check(files)
        if found.returncode != 1 or expected not in found.stdout:
            problems.append(f"not found: {expected}\n  status {found.returncode}, output: {found.stdout}{found.stderr}")
    for problem in problems:
        print(problem)
    print(f"{len(FAULTS)} faults, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
