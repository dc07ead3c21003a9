#!/usr/bin/env python3
"""Asks isl what kfuse's legality asks of accesses, and compares the answers.

    compare.py BUILD/bin/access-questions [--details] PROGRAM.cu...

Needs islpy (`pip install islpy`), which is why no other test runs it. Each
question is asked of isl twice: with the program's sizes as parameters, and
with numbers for them: `argc` is 1, so that the programs' defaults hold, and
what is still not known is one number for all. The first is what isl could
decide for kfuse, the second a limit of what could be known. isl is affine: a
product of a coordinate and a parameter, `y * nx`, has no form there; products
of parameters alone become new ones.

What kfuse affirms and isl refutes with numbers is a bug, and ends in failure.
"""

import argparse
import collections
import json
import subprocess
import sys
import time

import islpy as isl

from model import Model, NotAffine, Numbers

OPERATIONS = 3_000_000  # of isl, before a question counts as too hard
SIZES = [1000, 64, 7, 1]  # each where those before leave no thread
QUESTIONS = {
    "injective": "one thread for each element written",
    "same": "two accesses meet in one thread alone",
    "distance": "a read at a constant distance from the write",
    "apart": "two accesses never meet",
    "span": "lowest and highest element",
}


def fixed(deltas):
    """Whether the set holds one point at most, the same for all parameters."""
    if deltas.is_empty():
        return True
    count = deltas.dim(isl.dim_type.set)
    for axis in range(count):
        low, high = deltas.dim_min_val(axis), deltas.dim_max_val(axis)
        if not low.is_int() or not low.eq(high):
            return False
    return True


def both_ends(model, access):
    touched = model.elements(access).range()
    if touched.is_empty():
        return "empty"
    return "yes" if touched.is_bounded() else "no"


def pairs(model, first, second):
    """Which threads of the first touch what which of the second touch."""
    return model.elements(first).apply_range(model.elements(second).reverse())


def is_empty(model, question):
    return any(
        model.elements(question[which]).is_empty()
        for which in ("first", "second")
        if which in question
    )


def ask(name, question, model):
    """`yes`, `no`, or `empty` when an access never runs."""
    first = question["first"]
    if name == "span":
        return both_ends(model, first)
    second = question.get("second", first)
    met = pairs(model, first, second)
    if name == "apart":
        said = met.is_empty()
    elif name == "distance":
        said = fixed(met.deltas())
    else:
        said = met.subtract(isl.Map.identity(met.get_space())).is_empty()
    if said and is_empty(model, question):
        return "empty"
    return "yes" if said else "no"


def timed(name, question, make):
    """isl's answer, whether all guards took part, and the seconds it took."""
    begin = time.perf_counter()
    exact = False
    try:
        model = make()
        model.context.set_max_operations(OPERATIONS)
        answer = ask(name, question, model)
        exact = not model.weakened
    except NotAffine as reason:
        answer = f"not affine: {reason}"
    except isl.Error:
        answer = "too hard"
    return answer, exact, time.perf_counter() - begin


def own_answer(name, question):
    answer = question["answer"]
    if name == "same":
        return answer["kind"] in (0, 1)
    if name == "distance":
        return answer["kind"] in (0, 1, 2)
    return bool(answer)


def names_of(question):
    if question["ask"] != "meet":
        return [question["ask"]]
    isFlow = question["first"]["writes"] and not question["second"]["writes"]
    return ["same", "distance"] if isFlow else ["same"]


def tightness(question, numbers):
    """Whether kfuse's bounds are isl's, with numbers for the sizes."""
    model = Model(question, numbers)
    touched = model.elements(question["first"]).range()
    low = max(numbers.value(bound) for bound in question["answer"]["low"])
    high = min(numbers.value(bound) for bound in question["answer"]["high"])
    first = touched.dim_min_val(0).to_python()
    last = touched.dim_max_val(0).to_python()
    if first < low or last > high:
        return "wrong"
    return "tight" if (first, last) == (low, high) else "wider"


class Tally:
    def __init__(self):
        self.counts = {name: collections.Counter() for name in QUESTIONS}
        self.seconds = collections.Counter()
        self.programs = self.launches = 0
        self.cases = collections.Counter()

    def add(self, place, name, question, program):
        count = self.counts[name]
        if "index" not in question["first"] or (
            "second" in question and "index" not in question["second"]
        ):
            count["no polynomial"] += 1
            return
        mine = own_answer(name, question)
        count["asked"] += 1
        count["kfuse"] += mine
        symbolic, _, seconds = timed(
            name, question, lambda: Model(question, None, program)
        )
        self.seconds["symbols"] += seconds
        for size in SIZES:
            numbers = Numbers(program, size)
            concrete, exact, seconds = timed(
                name, question, lambda: Model(question, numbers)
            )
            self.seconds["numbers"] += seconds
            if concrete != "empty":
                break
        if name != "distance":  # one question to kfuse with "same"
            self.seconds["kfuse"] += question["ns"] / 1e9
        yes = {"yes", "empty"}
        count["symbols"] += symbolic in yes
        count["symbols: " + symbolic.split(":")[0]] += 1
        count["numbers"] += concrete == "yes"
        count["numbers: " + concrete.split(":")[0]] += 1
        if symbolic in yes and not mine:
            count["isl alone"] += 1
            self.case("only isl", place, name, question)
        if concrete == "yes" and not mine and symbolic not in yes:
            count["numbers alone"] += 1
            self.case("only with numbers", place, name, question)
        if mine and symbolic not in yes:
            count["kfuse alone"] += 1
            self.case(f"only kfuse ({symbolic})", place, name, question)
        if mine and concrete == "no" and exact:
            self.case("REFUTED", place, name, question)
        if name == "span" and mine and concrete == "yes" and exact:
            kind = tightness(question, numbers)
            count[kind] += 1
            if kind != "tight":
                label = "REFUTED" if kind == "wrong" else "wider"
                self.case(label, place, name, question)

    def case(self, label, place, name, question):
        lines = f"{question['line']}"
        if "line2" in question:
            lines += f", {question['line2']}"
        case = f"{label}: {name}: {place}:{lines} {question['kernel']}"
        self.cases[case] += 1


def questions_of(tool, path, flags):
    try:
        done = subprocess.run(
            [tool, path, *flags], capture_output=True, timeout=60, check=False
        )
    except subprocess.TimeoutExpired:
        return []
    if done.returncode:
        return []
    return [json.loads(line) for line in done.stdout.splitlines()]


def report(tally):
    print(f"{tally.programs} programs, {tally.launches} launches")
    for name, text in QUESTIONS.items():
        print(f"{name}: {text}")
        for key, value in sorted(tally.counts[name].items()):
            print(f"  {value:6} {key}")
    for key, value in tally.seconds.items():
        print(f"{value:9.3f} s {key}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tool", help="bin/access-questions")
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--details", action="store_true", help="list the cases")
    options = parser.parse_args()
    tally = Tally()
    for number, path in enumerate(options.programs, 1):
        print(f"{number}/{len(options.programs)} {path}", file=sys.stderr)
        answers = questions_of(options.tool, path, options.flag)
        if not answers:
            continue
        program = answers.pop()
        tally.programs += 1
        tally.launches += program["values"]["launches"]
        for question in answers:
            for name in names_of(question):
                tally.add(path, name, question, program)
    report(tally)
    refuted = [case for case in tally.cases if case.startswith("REFUTED")]
    for case in tally.cases if options.details else refuted:
        print(f"{case} ({tally.cases[case]})")
    sys.exit(bool(refuted))


if __name__ == "__main__":
    main()
