#!/usr/bin/env python3
"""Checks the guide: both languages have the same pages, and what the pages show is compiled.

    check_pages.py ROOT        ROOT holds site/guide, site/zh/guide, site/snippets and examples

One line for each fault, and exit status 1 if there is any:
  - every page exists in English and in Chinese, with a front matter that has a title
  - a Chinese page begins with the banner that says the English page is authoritative
  - both have the same headings' levels in the same order, the same code blocks, and the same numbers in their tables
  - every C++ block stands, up to indentation, in a file of site/snippets or examples
  - every relative link, and every #fragment of one, leads somewhere
"""
import pathlib
import re
import sys

BANNER = re.compile(r"英文版本为准|以英文原文为准")
FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})(.*)$")
HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*$")
# Digits with what belongs to them: 16'384, 16,384, 0.5, -1. A number inside a word (UTF-8, x86) is one like any other.
NUMBER = re.compile(r"\d+(?:[.,'’]\d+)*")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)")


class Page:
    """One Markdown file, taken apart. Line numbers are those of the file."""

    def __init__(self, path):
        self.path = path
        self.title = None
        self.headings = []  # (line, level, text)
        self.blocks = []  # (line, language, lines)
        self.rows = []  # (line, text) of tables
        self.links = []  # (line, target)
        self.first_line = ""
        self.faults = []  # (line, sentence)
        self._read(path.read_text(encoding="utf-8").splitlines())

    def _read(self, lines):
        at = self._read_front_matter(lines)
        fence, begun, language, block = None, 0, "", []
        for number, line in enumerate(lines[at:], at + 1):
            mark = FENCE.match(line)
            if fence is not None:
                closes = mark and mark[2][0] == fence[0] and len(mark[2]) >= len(fence) and not mark[3].strip()
                if closes:
                    self.blocks.append((begun, language, block))
                    fence = None
                else:
                    block.append(line)
                continue
            if mark:
                fence, begun, language, block = mark[2], number, mark[3].strip(), []
                continue
            if not self.first_line and line.strip():
                self.first_line = line
            if heading := HEADING.match(line):
                self.headings.append((number, len(heading[1]), heading[2]))
            if line.lstrip().startswith("|"):
                self.rows.append((number, line))
            prose = re.sub(r"`[^`]*`", "", line)
            self.links += [(number, target) for target in LINK.findall(prose)]
        if fence is not None:
            self.faults.append((begun, "a code block that does not end"))

    def _read_front_matter(self, lines):
        if not lines or lines[0] != "---" or "---" not in lines[1:]:
            self.faults.append((1, "no front matter"))
            return 0
        end = lines.index("---", 1)
        for line in lines[1:end]:
            if line.startswith("title:"):
                self.title = line.removeprefix("title:").strip()
        if not self.title:
            self.faults.append((1, "no title in the front matter"))
        return end + 1

    def anchors(self):
        """What a #fragment may say: the headings' texts as VitePress makes them into ids, or an explicit {#id}."""
        found = set()
        for _, _, text in self.headings:
            explicit = re.search(r"\{#([^}]+)\}\s*$", text)
            found.add(explicit[1] if explicit else slug(text))
        return found


def slug(text):
    """A heading's id. The rule of VitePress: special characters become one dash, at the ends none, lower case."""
    text = re.sub(r"[\s~`!@#$%^&*()\-_+=\[\]{}|\\;:\"'“”‘’<>,.?/]+", "-", text)
    text = re.sub(r"-{2,}", "-", text).strip("-").lower()
    return "_" + text if text[:1].isdigit() else text


def dedented(lines):
    """Without the indentation that all have in common, and without blanks at the ends."""
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    common = min(indents, default=0)
    return [line[common:].rstrip() for line in lines]


def stands_in(block, source):
    """Whether the block's lines follow one another in the source, all shifted by the same indentation."""
    first = next((i for i, line in enumerate(block) if line), None)
    if first is None:
        return True
    block = block[first:]
    for start, line in enumerate(source):
        if line.lstrip() != block[0].lstrip() or start + len(block) > len(source):
            continue
        if dedented(source[start:start + len(block)]) == dedented(block):
            return True
    return False


class Check:
    def __init__(self, root):
        self.root = root
        self.faults = []
        self.pages = {}
        self.sources = [[line.rstrip() for line in f.read_text(encoding="utf-8").splitlines()]
                        for folder in ("site/snippets", "examples") for f in sorted((root / folder).glob("*.[ch]pp"))]

    def say(self, path, line, sentence):
        self.faults.append(f"{path.relative_to(self.root)}:{line}: {sentence}")

    def page(self, path):
        if path not in self.pages:
            self.pages[path] = Page(path)
        return self.pages[path]

    def run(self):
        english, chinese = self.root / "site/guide", self.root / "site/zh/guide"
        names = sorted({str(f.relative_to(folder)) for folder in (english, chinese) for f in folder.rglob("*.md")})
        if not names:
            self.faults.append("site/guide: there are no pages")
        for name in names:
            both = [folder / name for folder in (english, chinese)]
            missing = [f for f in both if not f.exists()]
            for f in missing:
                self.say(f, 1, "this page exists in the other language only")
            for f in both:
                if f.exists():
                    self.alone(self.page(f))
            if not missing:
                self.pair(*(self.page(f) for f in both))
            if both[1].exists() and not BANNER.search(self.page(both[1]).first_line):
                self.say(both[1], 1, "does not begin with the banner that the English page is authoritative")
        return self.faults

    def alone(self, page):
        for line, sentence in page.faults:
            self.say(page.path, line, sentence)
        for line, language, block in page.blocks:
            if not language:
                self.say(page.path, line, "a code block without a language")
            if language == "cpp" and not any(stands_in(block, source) for source in self.sources):
                self.say(page.path, line, f"this C++ block is in no file of site/snippets or examples: {' '.join(block)[:60]}")
        for line, target in page.links:
            if fault := self.dead(page, target):
                self.say(page.path, line, f"the link '{target}' {fault}")

    def dead(self, page, target):
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            return None
        name, _, fragment = target.partition("#")
        if name.startswith("/"):
            return "is not relative"
        to = page.path if not name else (page.path.parent / name)
        if name and not to.exists() and not to.suffix:
            to = to.with_name(to.name + ".md")  # VitePress lets pages be linked without their extension
        if not to.exists():
            return "leads nowhere"
        if fragment and to.suffix == ".md" and fragment not in self.page(to.resolve()).anchors():
            return "names a heading that the page does not have"
        return None

    def pair(self, english, chinese):
        self.compare(english, chinese, "heading",
                     [(line, level) for line, level, _ in english.headings],
                     [(line, level) for line, level, _ in chinese.headings],
                     lambda level: "#" * level)
        self.compare(english, chinese, "code block",
                     [(line, (language, block)) for line, language, block in english.blocks],
                     [(line, (language, block)) for line, language, block in chinese.blocks],
                     lambda b: f"{b[0]} '{' '.join(b[1])[:40]}'")
        self.compare(english, chinese, "row of a table",
                     [(line, NUMBER.findall(row)) for line, row in english.rows],
                     [(line, NUMBER.findall(row)) for line, row in chinese.rows],
                     lambda numbers: "the numbers " + (", ".join(numbers) or "(none)"))

    def compare(self, english, chinese, what, left, right, text):
        """The first difference is enough: what follows it is shifted."""
        for n, ((_, a), (line, b)) in enumerate(zip(left, right), 1):
            if a != b:
                return self.say(chinese.path, line, f"{what} {n} is {text(b)}, in English {text(a)}")
        if len(left) != len(right):
            line = right[-1][0] if right else 1
            self.say(chinese.path, line, f"there are {len(right)} of: {what}; in English {len(left)}")
        return None


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    faults = Check(pathlib.Path(sys.argv[1]).resolve()).run()
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
