#!/usr/bin/env python3
"""Writes random CUDA programs, and what kfuse makes of them, for a GPU.

    make_pairs.py KFUSE FOLDER [--programs=N] [--seed=S] [--partitions=K]
    run_pairs.py FOLDER

As `fuzz.py`, but nothing is built or run here: FOLDER gets a folder for a few
programs, with one text of all their versions. Every other one is for a compiler
that contracts no sums, where more may be fused.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import sys
import tempfile

import execute
from make_programs import make_program
from plans import Explorer, numbered

BATCH = 4  # programs that are built together


def make(options, number):
    """One folder; how many pairs are in it, and what must not happen."""
    first = options.seed + number * BATCH
    flags = ["-fmad=false"] if number % 2 else []
    with tempfile.TemporaryDirectory(prefix="kfuse-pairs-") as scratch:
        return make_in(pathlib.Path(scratch), options, first, flags)


def make_in(scratch, options, first, flags):
    texts, pairs, failures = {}, [], []
    for seed in range(first, min(first + BATCH, options.seed + options.programs)):
        rng = random.Random(seed)
        program = make_program(rng)

        def tell(fusion, seed=seed):
            if fusion.failure:
                failures.append(f"seed {seed}: {fusion.failure}")

        explorer = Explorer(
            options.kfuse, program, scratch, rng, tell, flags, is_exact=True
        )
        found = explorer.run(options.partitions)
        if not found:
            continue
        texts[f"s{seed}"] = numbered(program)[0]
        for i, fusion in enumerate(found):
            texts[f"s{seed}_{i}"] = fusion.text
            pairs.append(
                {
                    "original": f"s{seed}",
                    "fused": f"s{seed}_{i}",
                    "dead": fusion.dead,
                    "swapped": fusion.swapped,
                    "lost": fusion.lost,
                }
            )
    if pairs:
        folder = pathlib.Path(options.folder) / f"{first}"
        folder.mkdir(parents=True)
        (folder / "joined.cu").write_text(execute.joined(texts))
        (folder / "pairs.json").write_text(json.dumps(pairs, indent=1))
        (folder / "flags").write_text(" ".join(flags))
    return len(pairs), failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kfuse")
    parser.add_argument("folder")
    parser.add_argument("--programs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--partitions", type=int, default=6, help="of each program")
    options = parser.parse_args()
    if pathlib.Path(options.folder).exists():
        parser.error(f"there is a {options.folder}")
    total = failed = 0
    count = -(-options.programs // BATCH)
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for pairs, failures in pool.map(make, [options] * count, range(count)):
            total += pairs
            failed += len(failures)
            for failure in failures:
                print(failure, flush=True)
    print(f"programs {options.programs}, pairs {total}, failures {failed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
