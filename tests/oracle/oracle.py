#!/usr/bin/env python3
"""Compares what kfuse fuses with what a run of the program allows.

usage: oracle.py [options] KFUSE KFUSE_CPU PROGRAM...

A PROGRAM is a file, with arguments after colons: `nine-kernels.cu:300`. It runs
once on the executor, which records what each thread touches. Then kfuse is
asked for every pair of launches of a function, and for some larger groups, to
fuse exactly these. Each answer is compared with brute force over the record
(judge.py):

  kfuse fuses, the record forbids   a violation: a bug in kfuse; exit code 1
  kfuse refuses, the record allows  counted by obstacle: what could be gained.
                                    Other data, barriers, what the host decides
                                    by a copy, and texts may forbid it still
"""

import argparse
import collections
import concurrent.futures
import itertools
import pathlib
import random
import sys
import tempfile

from fuser import Answer, Fuser, Unusable
from judge import (
    BLOCK,
    NEVER,
    REGISTER,
    TILE,
    judge,
    judge_computed,
    judge_shared,
)

MOST_RUNS = 3  # of a group, that are judged
RANKS = [REGISTER, TILE, BLOCK, NEVER]


def positions(fuser, steps):
    """For each launch of the text, the numbers of the steps that ran it."""
    found = [[] for _ in fuser.launches]
    turns = collections.Counter()
    for number, step in enumerate(steps):
        if step.name is None:
            continue
        key = step.name.split("<")[0].split("::")[-1], step.line
        known = [
            launch
            for launch, one in enumerate(fuser.launches)
            if (one["kernel"], one["line"]) == key
        ]
        # A function's launches run in the copies of its statements at its calls.
        function = known and fuser.launches[known[0]]["function"]
        copies = [k for k in known if fuser.launches[k]["function"] != function]
        known = copies or known
        if known:
            found[known[turns[key] % len(known)]].append(number)
            turns[key] += 1
    return found


def runs_of(group, where, isWhole):
    """The runs of the group, each a list of steps; none when its launches don't
    run in turn."""
    counts = {len(where[launch]) for launch in group}
    if 0 in counts or (isWhole and len(counts) > 1):
        return []
    runs = list(zip(*(where[launch] for launch in group)))
    flat = [number for one in runs for number in one]
    return [list(one) for one in runs] if flat == sorted(flat) else []


def groups_of(launches, most, rng):
    """Pairs of launches of a function, and a few larger groups in a row."""
    functions = collections.defaultdict(list)
    for number, launch in enumerate(launches):
        functions[launch["function"]].append(number)
    pairs = [p for f in functions.values() for p in itertools.combinations(f, 2)]
    rows = [
        tuple(function[start : start + size])
        for function in functions.values()
        for size in (3, 4, 5)
        for start in range(len(function) - size + 1)
    ]
    for groups in (pairs, rows):
        rng.shuffle(groups)
    return sorted(pairs[:most]) + sorted(rows[: most // 3])


class Tally:
    def __init__(self):
        self.fused, self.skipped = collections.Counter(), collections.Counter()
        self.refused = collections.defaultdict(collections.Counter)
        self.violations, self.gains = [], []

    def add(self, other):
        self.fused += other.fused
        self.skipped += other.skipped
        for obstacle, counts in other.refused.items():
            self.refused[obstacle] += counts
        self.violations += other.violations
        self.gains += other.gains


def is_allowed(schedule, verdict):
    allowed = {"tile": [REGISTER, TILE], "block": [BLOCK]}
    return verdict.schedule in allowed.get(schedule, [REGISTER])


def check_group(fuser, record, where, group, claim, tally):
    names = ", ".join(
        f"{fuser.launches[launch]['kernel']}:{fuser.launches[launch]['line']}"
        for launch in group
    )
    place = f"{fuser.source}: {names}"
    runs = runs_of(group, where, record.isWhole)[:MOST_RUNS]
    answer = Answer(claim) if claim else fuser.ask(group)
    if not runs:
        tally.skipped["groups whose launches don't run in turn"] += 1
        return
    unstored = {
        array for array, label in record.labels.items() if label in answer.unstored
    }

    def judged(run):
        special = {
            number
            for launch, number in zip(group, run)
            if launch in answer.shared + answer.computed
        }
        if answer.computed:
            return judge_computed(record.steps, run, special, unstored)
        if answer.shared:
            return judge_shared(record.steps, run, special, unstored)
        return judge(record.steps, run, unstored)

    verdicts = [judged(run) for run in runs]
    worst = max(verdicts, key=lambda verdict: RANKS.index(verdict.schedule))
    if not answer.schedule:
        reason = worst.kind if worst.kind == "order" else worst.schedule
        tally.refused[answer.obstacle][reason] += 1
        if worst.schedule != NEVER:
            tally.gains.append(
                f"{place}: {worst.schedule}, but {answer.obstacle}: {answer.text}"
            )
        return
    if answer.renumbered > len(answer.shared):
        # The record has the threads of each launch, by the launch's own index.
        tally.skipped["groups with threads of another index"] += 1
        return
    tally.fused[answer.schedule] += 1
    wrong = [v for v in verdicts if not is_allowed(answer.schedule, v)]
    if not wrong:
        return
    if answer.conditions:
        # Only a run in which the fused kernel was taken counts.
        total = len(runs_of(group, where, record.isWhole))
        if fuser.runs_of(group, answer.name) <= total - len(wrong):
            tally.skipped["runs for which the fused kernel isn't taken"] += 1
            return
    array = record.labels.get(wrong[0].array, "")
    tally.violations.append(
        f"{place}: kfuse fuses by {answer.schedule}, but {wrong[0].kind} "
        f"{array}: {wrong[0].text}"
    )


def check_program(given, text):
    name, *arguments = text.split(":")
    source, tally = pathlib.Path(name).absolute(), Tally()
    rng = random.Random(source.name)
    with tempfile.TemporaryDirectory() as folder:
        try:
            tools = given.kfuse.absolute(), given.kfuse_cpu.absolute()
            fuser = Fuser(*tools, source, arguments, pathlib.Path(folder))
            groups = groups_of(fuser.launches, given.pairs, rng)
            if groups:
                record = fuser.record()
                where = positions(fuser, record.steps)
                for group in groups:
                    check_group(fuser, record, where, group, given.claim, tally)
        except Unusable as reason:
            tally.skipped[f"{source.name}: {reason}"] += 1
    return tally


def show(found, showsGains):
    for text in found.violations:
        print(f"violation: {text}", flush=True)
    for text in found.gains if showsGains else []:
        print(f"refused: {text}", flush=True)


def report(tally):
    for what, count in sorted(tally.skipped.items()):
        print(f"left out: {count} {what}")
    print("fused: " + ", ".join(f"{n} by {s}" for s, n in sorted(tally.fused.items())))
    columns = [REGISTER, TILE, NEVER, "order"]
    print("| refused | groups | " + " | ".join(columns) + " |")
    print("|---|" + "---|" * (len(columns) + 1))
    for obstacle, counts in sorted(tally.refused.items()):
        cells = [str(counts[column]) for column in columns]
        print(f"| {obstacle} | {sum(counts.values())} | " + " | ".join(cells) + " |")
    print(f"{len(tally.violations)} violations")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kfuse", type=pathlib.Path)
    parser.add_argument("kfuse_cpu", type=pathlib.Path)
    parser.add_argument("program", nargs="+")
    parser.add_argument("--pairs", type=int, default=30, help="of a program, at most")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--gains", action="store_true", help="list what is refused")
    parser.add_argument(
        "--claim",
        choices=[REGISTER, TILE],
        help="don't ask kfuse, take it that it fuses all groups like this",
    )
    given = parser.parse_args()
    tally = Tally()
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for one in pool.map(lambda text: check_program(given, text), given.program):
            show(one, given.gains)
            tally.add(one)
    report(tally)
    return 1 if tally.violations else 0


if __name__ == "__main__":
    sys.exit(main())
