#!/usr/bin/env python3
"""Fuses random CUDA programs in random ways, and compares them with the originals.

    fuzz.py KFUSE [--programs=N] [--seed=S] [--partitions=K] [--keep=DIR]
            [--jobs=J] [--integers | --features=F,G]

Each program is fused by the search and by random plans with random options.
What kfuse accepts is built with sanitizers beside the original and run in
several thread orders. A failing program is kept, and made smaller. The same
numbers make the same programs and plans. With --integers, the programs are of
kernels whose integers wrap; with --features, they have these (features.py lists
them) and no others.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import random
import shutil
import sys
import tempfile

import execute
from features import FEATURES
from make_programs import make_program
from make_wrapping_programs import make_wrapping
from plans import Explorer, numbered
from shrink import keep

BATCH = 8  # programs that are built together


class Report:
    """What became of some programs."""

    def __init__(self):
        self.programs = self.pairs = self.variants = self.parts = 0
        self.schedules = collections.Counter()
        self.refusals = collections.Counter()
        self.failures = []

    def add(self, other):
        self.programs += other.programs
        self.pairs += other.pairs
        self.variants += other.variants
        self.parts += other.parts
        self.schedules += other.schedules
        self.refusals += other.refusals
        self.failures += other.failures

    def lines(self):
        def listed(counter):
            return ", ".join(
                f"{name} {count}" for name, count in counter.most_common()
            )

        yield f"programs {self.programs}, pairs {self.pairs}, texts {self.variants}"
        yield f"fused parts of launches: {self.parts}"
        yield f"fused kernels: {listed(self.schedules) or 'none'}"
        yield f"refused plans: {listed(self.refusals) or 'none'}"
        yield f"failures: {len(self.failures)}"


class Batch:
    """Some programs from generation to comparison."""

    def __init__(self, options, seeds, folder):
        self.options, self.seeds, self.folder = options, seeds, folder
        self.compiler = pathlib.Path(options.kfuse).with_name("kfuse-cpu")
        self.report = Report()
        self.programs, self.fusions = {}, {}

    def run(self):
        for seed in self.seeds:
            self.fuse(seed)
        self.fusions = {s: found for s, found in self.fusions.items() if found}
        texts = {}
        for seed in self.fusions:
            texts |= self.texts(seed)
        is_good = not execute.build(self.compiler, texts, self.folder)
        for seed in self.fusions:
            if is_good:
                self.check(seed)
            else:
                self.check_alone(seed)
        return self.report

    def fuse(self, seed):
        rng = random.Random(seed)
        if self.options.integers:
            program = make_wrapping(rng)
        else:
            program = make_program(rng, self.options.features)
        self.programs[seed] = program

        def tell(fusion):
            if fusion.refusal:
                self.report.refusals[fusion.refusal] += 1
            else:
                self.fail(seed, fusion, None)

        explorer = Explorer(self.options.kfuse, program, self.folder, rng, tell)
        found = self.fusions[seed] = explorer.run(self.options.partitions)
        self.report.programs += 1
        self.report.pairs += len({f.fused() for f in found})
        self.report.variants += len(found)
        for fusion in found:
            self.report.schedules.update(fusion.schedules)
            self.report.parts += fusion.parts()

    def texts(self, seed):
        texts = {f"s{seed}": numbered(self.programs[seed])[0]}
        for number, fusion in enumerate(self.fusions[seed]):
            texts[f"s{seed}_{number}"] = fusion.text
        return texts

    def check(self, seed):
        runs, wrong = execute.originals(self.folder, f"s{seed}")
        if wrong:
            self.report.failures.append(
                f"seed {seed}: the program itself: {wrong}"
            )
            return
        for number, fusion in enumerate(self.fusions[seed]):
            name = f"s{seed}_{number}"
            wrong = execute.compare(self.folder, runs, name, fusion)
            if wrong:
                fusion.failure = wrong
                self.fail(seed, fusion, number)

    def check_alone(self, seed):
        """When something in the batch doesn't build."""
        texts = self.texts(seed)
        original = f"s{seed}"
        wrong = execute.build(
            self.compiler, {original: texts[original]}, self.folder
        )
        if wrong:
            self.report.failures.append(
                f"seed {seed}: the program itself: {wrong}"
            )
            return
        good = []
        for number, fusion in enumerate(self.fusions[seed]):
            text = texts[f"s{seed}_{number}"]
            wrong = execute.build(self.compiler, {"fused": text}, self.folder)
            if wrong:
                fusion.failure = wrong
                self.fail(seed, fusion, number)
            else:
                good.append(fusion)
        self.fusions[seed] = good
        wrong = execute.build(self.compiler, self.texts(seed), self.folder)
        if wrong:
            self.report.failures.append(f"seed {seed}: joined: {wrong}")
        else:
            self.check(seed)

    def fail(self, seed, fusion, number):
        where = f"seed {seed}, fusion {number}, {' '.join(fusion.options)}"
        self.report.failures.append(
            f"{where}, {fusion.fused()}: {fusion.failure}"
        )
        if self.options.keep:
            groups = [list(g) for g in fusion.groups] if fusion.groups else None
            name = f"seed{seed}" + ("" if number is None else f"-{number}")
            keep(
                self.options.kfuse,
                self.compiler,
                self.programs[seed],
                fusion,
                groups,
                pathlib.Path(self.options.keep),
                name,
            )


def run_batch(options, seeds):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="kfuse-fuzz-"))
    try:
        return Batch(options, seeds, folder).run()
    finally:
        shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kfuse")
    parser.add_argument("--programs", type=int, default=60)
    parser.add_argument(
        "--seed", type=int, default=1, help="of the first program"
    )
    parser.add_argument(
        "--partitions", type=int, default=6, help="of each program"
    )
    parser.add_argument("--keep", help="folder for failing programs")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--integers", action="store_true", help="programs of wrapping integers"
    )
    parser.add_argument(
        "--features",
        type=lambda text: text.split(","),
        default=[],
        help="of the programs, instead of random ones",
    )
    options = parser.parse_args()
    unknown = {*options.features} - {*FEATURES}
    if unknown:
        parser.error(f"no such features: {', '.join(sorted(unknown))}")
    seeds = range(options.seed, options.seed + options.programs)
    batches = [seeds[at : at + BATCH] for at in range(0, len(seeds), BATCH)]
    total = Report()
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for report in pool.map(run_batch, [options] * len(batches), batches):
            for failure in report.failures:
                print(failure, flush=True)
            total.add(report)
            print(
                f"programs {total.programs}, pairs {total.pairs}",
                file=sys.stderr,
            )
    print("\n".join(total.lines()))
    return 1 if total.failures else 0


if __name__ == "__main__":
    sys.exit(main())
