#!/usr/bin/env python3
"""Holds the tour of the code to the tree.

    check-tour.py [--write]

CONTRIBUTING.md has a line for each folder, "- `folder`: what it is".
docs/files.md has one for each source, made of what the files say of themselves;
with --write it is written anew. No source has over 500 lines.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["graphs", "text", "profile", "fusion", "ga", "frontend", "codegen"]
FOLDERS += ["system", "runtime", "driver", "bench"]
MOST_LINES = 500
SUFFIXES = {".cpp", ".h", ".cuh", ".inc", ".cmake", ".json"}
LIST = ROOT / "docs/files.md"
HEAD = """# The source files

Written by `tests/check-tour.py --write` from the first line of each file. What the
folders are for is in [CONTRIBUTING.md](../CONTRIBUTING.md#a-tour-of-the-code).
"""


def files():
    """By folder, relative paths; what is deeper than two folders counts to the
    second."""
    found = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix in SUFFIXES:
                name = path.relative_to(ROOT)
                found.setdefault("/".join(name.parts[:-1][:2]), []).append(name)
    return found


def title_of(path):
    """What a file says of itself in its first words; empty if nothing."""
    text = (ROOT / path).read_text()
    if path.suffix == ".json":
        return json.loads(text).get("description", "")
    if found := re.match(r"//===- \S+ - (.*?) -*===//\n", text):
        return found[1]
    comment = re.match(r"(?:(?://|#) ?(?!!)[^\n]*\n)+", text)
    words = re.sub(r"(?m)^(//|#) ?", "", comment[0] if comment else "")
    return re.split(r"\.(?:\s|$)", " ".join(words.split()), maxsplit=1)[0]


def listing():
    """The list, and what has no title."""
    text, untitled = HEAD, []
    for folder, paths in files().items():
        text += f"\n## {folder}\n\n"
        titles = {path: title_of(path) for path in paths}
        untitled += [path for path in paths if not titles[path]]
        for path in paths:
            name = str(path.relative_to(folder))
            twin = path.with_suffix(".cpp" if path.suffix == ".h" else ".h")
            if titles.get(twin) == titles[path]:
                if path.suffix == ".h":
                    continue
                name = f"{path.relative_to(folder).with_suffix('')}.{{h,cpp}}"
            text += f"- `{name}`: {titles[path]}\n"
    return text, untitled


def main():
    text, untitled = listing()
    problems = [f"{path}: its first line doesn't say what it is" for path in untitled]
    if "--write" in sys.argv:
        LIST.write_text(text)
    elif not LIST.exists() or LIST.read_text() != text:
        problems.append("docs/files.md is old: run tests/check-tour.py --write")
    for path in sum(files().values(), []):
        lines = (ROOT / path).read_text().count("\n")
        if path.suffix in {".cpp", ".h"} and lines > MOST_LINES:
            problems.append(f"{path}: {lines} lines, more than {MOST_LINES}")
    tour = (ROOT / "CONTRIBUTING.md").read_text().split("## A tour of the code")[1]
    listed = re.findall(r"^- `([^`]+)`: \S", tour, re.MULTILINE)
    problems += [f"not in the tour: {each}" for each in files() if each not in listed]
    problems += [f"not in the tree: {each}" for each in listed if each not in files()]
    print("\n".join(problems) or "tour: complete")
    sys.exit(bool(problems))


main()
