#!/usr/bin/env python3
"""Names and phrases that have better ones (tests/words.txt) stay away."""

import pathlib
import re
import sys

# They have the old spellings in order to say the new ones.
EXCEPT = {
    "driver/OldSpellings.cpp",
    "tests/lit/errors/old-spellings.cu",
    "tests/words.txt",
}
PRODUCT = ("codegen/", "driver/", "frontend/", "fusion/", "ga/", "graphs/")
PRODUCT += ("runtime/", "system/", "text/")
SUFFIXES = (".h", ".cpp", ".md", ".py", ".cu", ".test", ".txt")
FOLDERS = {folder: "**/*" for folder in (*PRODUCT, "docs", "scripts", "tests")}
FOLDERS["."] = "*.md"
BROUGHT = ("frontend/headers/", "runtime/include/")


def banned(text):
    """Old words, old phrases, and openings of comments."""
    words, phrases, openings = {}, {}, []
    for line in text.splitlines():
        if line.startswith("opening "):
            openings.append(line.split()[1])
        elif " -> " in line and not line.startswith("#"):
            old, new = line.split(" -> ")
            (phrases if " " in old else words)[old] = new
    return words, phrases, openings


def comment_of(line, path):
    """What of a line is prose."""
    if path.suffix == ".md":
        return line
    found = re.search(r"(?<![:\"])//+<?(.*)", line)
    return found[1] if found and path.suffix in (".h", ".cpp") else ""


def problems(root, name, words, phrases, openings):
    path = root / name
    lines = path.read_text(errors="replace").splitlines()
    word = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, words))})(?!\w)")
    phrase = re.compile(rf"\b({'|'.join(phrases)})\b", re.IGNORECASE)
    opening = re.compile(rf"\s*///? ({'|'.join(openings)})\b")
    is_product = name.startswith(PRODUCT) and not name.startswith(BROUGHT)
    before = ""
    for number, line in enumerate(lines, 1):
        for old in word.findall(line):
            yield f"{name}:{number}: '{old}' is called '{words[old]}'"
        for old in phrase.findall(comment_of(line, path)):
            yield f"{name}:{number}: say '{phrases[old.lower()]}', not '{old}'"
        first = opening.match(line)
        if is_product and first and not re.match(r"\s*//", before):
            yield f"{name}:{number}: a comment begins with '{first[1]}'"
        before = line


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    words, phrases, openings = banned((root / "tests/words.txt").read_text())
    phrases = {old.lower(): new for old, new in phrases.items()}
    found = []
    for folder in FOLDERS:
        for path in sorted((root / folder).glob(FOLDERS[folder])):
            name = str(path.relative_to(root))
            if path.suffix in SUFFIXES and name not in EXCEPT:
                found += problems(root, name, words, phrases, openings)
    print("\n".join(found) or "words: as agreed")
    sys.exit(bool(found))


main()
