#!/usr/bin/env python3
"""Holds the manual to the code: every obstacle's name has its own entry.

An entry is a row of a table: "| `Name` | what it means | what enables it |".
"""

import pathlib
import re
import sys


def kinds_of(root):
    text = (root / "fusion/plan/Obstacle.h").read_text()
    body = re.search(r"enum class ObstacleKind[^{]*\{(.*?)\};", text, re.DOTALL)[1]
    return re.findall(r"^\s*(\w+)", re.sub(r"//.*", "", body), re.MULTILINE)


def entries_of(root):
    text = (root / "docs/manual.md").read_text()
    return re.findall(r"^\| `(\w+)` \| \S.* \| \S.* \|$", text, re.MULTILINE)


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    kinds, entries = kinds_of(root), entries_of(root)
    problems = [f"not in the manual: {k}" for k in kinds if k not in entries]
    problems += [f"not in the code: {e}" for e in entries if e not in kinds]
    problems += [f"twice: {e}" for e in set(entries) if entries.count(e) > 1]
    print("\n".join(problems) if problems else "manual: every obstacle has a line")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
