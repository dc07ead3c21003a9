#!/usr/bin/env python3
"""Holds CONTRIBUTING's tour to the tree: one line for every source file.

A line of the tour is "- `path`: what it is"; the tour is all such lines of
the section "## A tour of the code".
"""

import pathlib
import re
import sys

FOLDERS = ["graphs", "text", "fusion", "ga", "frontend", "codegen"]
FOLDERS += ["system", "runtime", "driver"]
SUFFIXES = {".cpp", ".h", ".cuh", ".inc", ".cmake", ".json"}


def files_of(root):
    for folder in FOLDERS:
        for path in (root / folder).rglob("*"):
            if path.is_file() and path.suffix in SUFFIXES:
                yield str(path.relative_to(root))


def tour_of(root):
    text = (root / "CONTRIBUTING.md").read_text()
    section = text.split("## A tour of the code", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^- `([^`]+)`: \S", section, re.MULTILINE)


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    present, listed = set(files_of(root)), tour_of(root)
    problems = [f"not in the tour: {path}" for path in present - set(listed)]
    problems += [f"not in the tree: {path}" for path in set(listed) - present]
    problems += [
        f"listed twice: {path}" for path in set(listed) if listed.count(path) > 1
    ]
    print("\n".join(sorted(problems)) if problems else "tour: complete")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
