#!/usr/bin/env python3
"""Names and phrases that have better ones (tests/words.txt) stay away, and
sentences of documents and comments stay short."""

import pathlib
import re
import sys

# They have the old spellings in order to say the new ones.
EXCEPT = {
    "driver/OldSpellings.cpp",
    "tests/lit/errors/old-spellings.cu",
    "tests/words.txt",
}
PRODUCT = ("bench/", "codegen/", "driver/", "frontend/", "fusion/", "ga/", "graphs/")
PRODUCT += ("profile/", "runtime/", "system/", "text/")
SUFFIXES = (".h", ".cpp", ".md", ".py", ".cu", ".test", ".txt")
FOLDERS = {folder: "**/*" for folder in (*PRODUCT, "docs", "scripts", "tests")}
FOLDERS["."] = "*.md"
BROUGHT = ("frontend/headers/", "runtime/include/")

LONGEST = 30  # words of a sentence
GENERATED = {"docs/files.md"}
NOT_PROSE = re.compile(r"^```.*?^```$|^(?:    |\||#)[^\n]*$", re.M | re.S)
END = re.compile(r"(?<=[.!?])[)\"*]*\s+|\n\s*\n|\n\s*(?:-|\d+\.)\s")


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


def is_product(name):
    is_source = name.endswith((".h", ".cpp")) and name.startswith(PRODUCT)
    return is_source and not name.startswith(BROUGHT)


def problems(root, name, words, phrases, openings):
    path = root / name
    lines = path.read_text(errors="replace").splitlines()
    word = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, words))})(?!\w)")
    phrase = re.compile(rf"\b({'|'.join(phrases)})\b", re.IGNORECASE)
    opening = re.compile(rf"\s*///? ({'|'.join(openings)})\b")
    before = ""
    for number, line in enumerate(lines, 1):
        for old in word.findall(line):
            yield f"{name}:{number}: '{old}' is called '{words[old]}'"
        for old in phrase.findall(comment_of(line, path)):
            yield f"{name}:{number}: say '{phrases[old.lower()]}', not '{old}'"
        first = opening.match(line)
        if is_product(name) and first and not re.match(r"\s*//", before):
            yield f"{name}:{number}: a comment begins with '{first[1]}'"
        before = line


def sentences(text):
    """The prose of a document, with the line that each sentence begins on."""

    def blank(found):
        return "\n" * found[0].count("\n")

    text = NOT_PROSE.sub(blank, text)
    text = re.sub(r"`[^`]+`", lambda code: "code" + blank(code), text)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    begin = 0
    for end in [*(found.end() for found in END.finditer(text)), len(text)]:
        blanks = len(text[begin:end]) - len(text[begin:end].lstrip())
        yield text.count("\n", 0, begin + blanks) + 1, text[begin:end]
        begin = end


def prose_of(path):
    """A document, or a source's comments on lines of their own, less diagrams."""
    text = path.read_text()
    if path.suffix == ".md":
        return text
    line_of = re.compile(r"\s*//+(?![=<-])([^─-◿]*)$")
    lines = (line_of.match(line) for line in text.splitlines())
    return "\n".join(line[1].replace("|", " ").strip() if line else "" for line in lines)


def long_sentences(root, name):
    for line, sentence in sentences(prose_of(root / name)):
        count = len(re.findall(r"\S*\w\S*", sentence))
        if count > LONGEST:
            first = " ".join(sentence.split()[:5])
            yield f"{name}:{line}: a sentence of {count} words: {first} ..."


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
                has_prose = path.suffix == ".md" or is_product(name)
                if has_prose and name not in GENERATED:
                    found += long_sentences(root, name)
    print("\n".join(found) or "words: as agreed")
    sys.exit(bool(found))


main()
