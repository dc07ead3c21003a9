#!/usr/bin/env python3
"""Switches off kfuse's own checks, one at a time, and asks the tests to notice.

    mutate-checks.py BUILD [--only=TEXT] [--then=COMMAND]

BUILD is a configured build folder of a copy of the sources that nobody else
works on: they are changed in place and put back. A mutant of legality falls
through a refusal, lets a prover say what it can't prove, or takes one of
several conditions to hold. Each is built and tried on the unit tests of
`fusion`; those that these don't notice are built into kfuse and tried on
COMMAND, run in BUILD. What nothing notices is listed: a test is missing, or
the check is.
"""

import argparse
import pathlib
import re
import subprocess
import sys

# Where legality is decided, and what of it is a refusal.
REFUSALS = {
    "Aliasing.cpp": ["describe"],
    "Forwarding.cpp": ["refuse", "refused"],
    "Legality.cpp": [],
    "Meetings.cpp": ["conflict"],
    "Members.cpp": ["refuse", "unsupported", "circular"],
    "PlanGroup.cpp": [],
    "Shares.cpp": ["conflict"],
    "Tiles.cpp": ["refuse"],
}
# Where something is proved, or refuted: (file, the answer that may be wrong).
PROVERS = [
    ("Facts.cpp", "false"),
    ("Guards.cpp", "false"),
    ("Injective.cpp", "false"),
    ("Intervals.cpp", "false"),
    ("Forwarding.cpp", "false"),
    ("Liveness.cpp", "false"),
    ("Liveness.cpp", "true"),
    ("Neighbours.cpp", "false"),
    ("Shares.cpp", "false"),
]
OPPOSITE = {"false": "true", "true": "false"}
# Where what is asked for stands in one expression.
CONDITIONS = ["Afterlife.cpp", "Computed.cpp", "Liveness.cpp"]
TEST_SECONDS = 120
BUILD_SECONDS = 1200


class Mutant:
    def __init__(self, path, begin, end, text):
        self.path, self.begin, self.end, self.text = path, begin, end, text
        self.original = path.read_text()

    def __str__(self):
        line = self.original.count("\n", 0, self.begin) + 1
        was = " ".join(self.original[self.begin : self.end].split())
        return f"{self.path.name}:{line}: {was[:70]} -> {self.text}"

    def apply(self):
        self.path.write_text(
            self.original[: self.begin] + self.text + self.original[self.end :]
        )

    def undo(self):
        self.path.write_text(self.original)


def end_of_statement(text, begin):
    """After the `;` that ends the statement at begin, past strings."""
    depth, at = 0, begin
    while depth or text[at] != ";":
        if text[at] == '"':
            at += 1
            while text[at] != '"':
                at += 2 if text[at] == "\\" else 1
        depth += (text[at] in "({[") - (text[at] in ")}]")
        at += 1
    return at + 1


def refusals(path, names):
    """`return refuse(...)` falls through, wherever something follows it."""
    text = path.read_text()
    calls = "|".join(names + [r"\*?obstacle\b", r"std::move\(\*obstacle\)"])
    for match in re.finditer(rf"\breturn (?:{calls})", text):
        end = end_of_statement(text, match.start())
        isLast = re.match(r"\s*\n}\n", text[end:])
        if not isLast:
            yield Mutant(path, match.start(), end, "{}")


def reasons(path):
    """`return "why not";` becomes no reason."""
    for match in re.finditer(r'\breturn "[^"]*";', path.read_text()):
        yield Mutant(path, *match.span(), "{}")


def provers(path, answer):
    text = path.read_text()
    for match in re.finditer(rf"\breturn {answer};", text):
        yield Mutant(path, *match.span(), f"return {OPPOSITE[answer]};")


def operands(text, begin, end, operator):
    """Spans of what the operator joins in an expression, outside of brackets;
    none where it isn't there."""
    spans, depth, start = [], 0, begin
    for at in range(begin, end):
        depth += (text[at] in "({[") - (text[at] in ")}]")
        if depth == 0 and text.startswith(operator, at):
            spans.append((start, at))
            start = at + len(operator)
    return [*spans, (start, end)] if spans else []


def conditions(path):
    """`return a && b;` without one of them, and `if (a || b) return ...`."""
    text = path.read_text()
    for match in re.finditer(r"\breturn\b", text):
        end = end_of_statement(text, match.start()) - 1
        for span in operands(text, match.end(), end, "&&"):
            yield Mutant(path, *span, " true ")
    for match in re.finditer(r"\bif \(", text):
        end = match.end()
        depth = 1
        while depth:
            depth += (text[end] == "(") - (text[end] == ")")
            end += 1
        if not re.match(r"\s*(\{\s*)?(return|continue)\b", text[end:]):
            continue
        for span in operands(text, match.end(), end - 1, "||"):
            yield Mutant(path, *span, " false ")


def mutants(folder):
    for name, calls in REFUSALS.items():
        yield from refusals(folder / name, calls)
    for name in ("Forwarding.cpp", "Tiles.cpp"):
        yield from reasons(folder / name)
    for name, answer in PROVERS:
        yield from provers(folder / name, answer)
    for name in CONDITIONS:
        yield from conditions(folder / name)


def succeeds(command, folder, seconds):
    try:
        done = subprocess.run(
            command,
            shell=isinstance(command, str),
            cwd=folder,
            timeout=seconds,
            capture_output=True,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def verdict(build, then):
    if not succeeds(["ninja", "fusion-tests"], build, BUILD_SECONDS):
        return "does not build"
    if not succeeds(["bin/fusion-tests"], build, TEST_SECONDS):
        return "noticed by the unit tests"
    if not then:
        return "SURVIVED"
    if not succeeds(["ninja", "bin/kfuse"], build, BUILD_SECONDS):
        return "does not build"
    return "SURVIVED" if succeeds(then, build, BUILD_SECONDS) else "noticed"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", default="", help="mutants with this text")
    parser.add_argument("--then", help="what tries those that survive")
    options = parser.parse_args()
    cache = (options.build / "CMakeCache.txt").read_text()
    home = re.search(r"CMAKE_HOME_DIRECTORY:INTERNAL=(.*)", cache).group(1)
    counts = {}
    for mutant in mutants(pathlib.Path(home) / "fusion"):
        if options.only not in str(mutant):
            continue
        mutant.apply()
        try:
            result = verdict(options.build, options.then)
        finally:
            mutant.undo()
        counts[result] = counts.get(result, 0) + 1
        print(f"{mutant}: {result}", flush=True)
    for result, count in sorted(counts.items()):
        print(f"{count} {result}")
    sys.exit("SURVIVED" in counts)


if __name__ == "__main__":
    main()
