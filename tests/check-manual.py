#!/usr/bin/env python3
"""Holds the manual's tables to the code, and its links to its headings.

A row "| `name` | what it means | ... |" of a table has a name, or several, that
a source declares. Each name has one row. Where an option's default is a literal
in the source, the last column has it.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["README.md", "CONTRIBUTING.md", "docs/manual.md", "docs/output.md"]
PAGES += ["docs/reference.md", "docs/measurements.md"]
OPTIONS = "driver/CommandLine.cpp"
OPTION = r'cl::(?:opt|list)<[^;]*?>\s+\w+\{\s*"([\w-]+)"'
BENCH_OPTION = r"""\{"([a-z]+)", (?:0|'\w'), """
VALUES = r'"{}",\s*cl::desc.*?\}};'
VALUE = r'clEnumValN\([^,]*,\s*"([\w-]+)"'

# A page, the heading over its table, a source or several, which part of it declares the
# names, and what a name looks like there.
TABLES = [
    ("reference", "Options", OPTIONS, ".*", OPTION),
    ("reference", "Values of --emit", OPTIONS, VALUES.format("emit"), VALUE),
    ("reference", "Values of --search", OPTIONS, VALUES.format("search"), VALUE),
    ("reference", "Values of --assume", OPTIONS, VALUES.format("assume"), VALUE),
    ("reference", "Values of --cost-without", OPTIONS,
     VALUES.format("cost-without"), VALUE),
    ("reference", "Exit codes", "driver/CommandLine.h",
     r"enum class ExitCode.*?\};", r"= (\d+),"),
    ("reference", "Obstacles", "fusion/plan/Obstacle.h",
     r"enum class ObstacleKind.*?\};", r"(?m)^  (\w+),"),
    ("reference", "Graphs", "driver/Files.h", ".*", r'"([\w-]+\.dot)"'),
    ("reference", "Device files", "fusion/device/Device.cpp",
     r"NumberFields = .*?\};", r'\{"(\w+)"'),
    ("reference", "The problem file", "ga/problem/AbstractJson.cpp", ".*",
     r'json\["(\w+)"\]'),
    ("reference", "kfuse-cpu", "runtime/kfuse-cpu.cpp", r'Usage =.*?";',
     r'"  -*(o|\w{4,})[ =]'),
    ("reference", "kfuse-bench devices",
     "bench/DevicesCommand.cpp bench/DeviceOptions.cpp", ".*", BENCH_OPTION),
    ("reference", "kfuse-bench roofline",
     "bench/roofline/RooflineCommand.cpp bench/DeviceOptions.cpp "
     "bench/draw/PictureOptions.cpp", ".*", BENCH_OPTION),
    ("reference", "kfuse-bench compare",
     "bench/compare/CompareCommand.cpp bench/DeviceOptions.cpp", ".*", BENCH_OPTION),
    ("reference", "kfuse-bench draw",
     "bench/draw/DrawCommand.cpp bench/draw/PictureOptions.cpp", ".*", BENCH_OPTION),
    ("reference", "kfuse-bench profile",
     "bench/profile/ProfileCommand.cpp bench/DeviceOptions.cpp", ".*",
     BENCH_OPTION),
    ("output", "Fused kernels", "fusion/plan/Schedule.cpp",
     r"\*scheduleName\(.*?\n\}", r'return "(\w+)"'),
    ("output", "Helpers", "codegen/text/Helpers.h", ".*", r'"([kK]fuse\w+)"'),
]


def source(paths):
    text = "".join((ROOT / path).read_text() for path in paths.split())
    return re.sub(r"//[^\n]*", "", text)


def rows(page, heading):
    """The names in a section's first column, each with the last column."""
    text = (ROOT / f"docs/{page}.md").read_text()
    section = re.search(rf"^#+ {heading}\n(.*?)(?=^#|\Z)", text, re.M | re.S)
    for row in re.findall(r"^\| (`.*) \|$", section[1] if section else "", re.M):
        first, *_, last = row.split(" | ")
        for name in re.findall(r"`-*([\w.-]+)", first):
            yield name, last


def problems_of_table(page, heading, path, part, name):
    declared = re.search(part, source(path), re.DOTALL)
    names = re.findall(name, declared[0]) if declared else []
    if not names:
        yield f"{path}: no names for '{heading}'; check-manual.py looks amiss"
    listed = [each for each, _ in rows(page, heading)]
    place = f"docs/{page}.md, {heading}"
    yield from (f"{place}: '{each}' of {path} is missing"
                for each in sorted(set(names) - set(listed)))
    yield from (f"{place}: {path} has no '{each}'"
                for each in sorted(set(listed) - set(names)))
    yield from (f"{place}: '{each}' has more than one row"
                for each in sorted(set(listed)) if listed.count(each) > 1)


def problems_of_defaults():
    listed = dict(rows("reference", "Options"))
    for option in re.findall(r"cl::opt<.*?\};", source(OPTIONS), re.DOTALL):
        name = re.search(OPTION, option)
        default = re.search(r'cl::init\("?(\w+)"?\)', option)
        if name and default and name[1] in listed:
            if listed[name[1]].strip("`") != default[1]:
                yield f"docs/reference.md: by default '{name[1]}' is {default[1]}"


def anchors(path):
    for heading in re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE):
        yield re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def problems_of_links(page):
    path = ROOT / page
    prose = re.sub(r"(?m)^    .*$", "", path.read_text())  # code left out
    links = re.findall(r"\]\(([^):#]*)(?:#([^)]*))?\)", prose)
    for target, anchor in links:
        other = path.parent / target if target else path
        if not other.exists():
            yield f"{page}: there is no {target}"
        elif anchor and anchor not in anchors(other):
            yield f"{page}: {target or 'the page'} has no heading '{anchor}'"


def main():
    problems = [each for table in TABLES for each in problems_of_table(*table)]
    problems += problems_of_defaults()
    problems += [each for page in PAGES for each in problems_of_links(page)]
    print("\n".join(problems) or f"manual: {len(TABLES)} tables are as the code is")
    sys.exit(bool(problems))


main()
