#!/usr/bin/env python3
"""Feeds kfuse broken programs: it must end with 0 or 1, never by a signal.

    mutate.py KFUSE FOLDER [COUNT]

Each mutation takes one .cu of the folder and cuts, doubles, swaps or joins
lines, or cuts or changes single characters. The same arguments make the same
mutations, so a failure can be repeated; the failing input is kept.
"""

import concurrent.futures
import os
import pathlib
import random
import subprocess
import sys
import tempfile

SECONDS = 60


def cut(lines, rng):
    first = rng.randrange(len(lines))
    return lines[:first] + lines[first + rng.randint(1, 4) :]


def double(lines, rng):
    first = rng.randrange(len(lines))
    last = first + rng.randint(1, 4)
    return lines[:last] + lines[first:last] + lines[last:]


def swap(lines, rng):
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines = list(lines)
    lines[first], lines[second] = lines[second], lines[first]
    return lines


def end_early(lines, rng):
    return lines[: rng.randrange(1, len(lines))]


def cut_characters(lines, rng):
    text = "\n".join(lines)
    first = rng.randrange(len(text))
    return (text[:first] + text[first + rng.randint(1, 3) :]).split("\n")


def change_character(lines, rng):
    text = "\n".join(lines)
    place = rng.randrange(len(text))
    return (text[:place] + rng.choice("(){}<>;,*&[]\"'#\\x0\x01é") +
            text[place + 1 :]).split("\n")


MUTATIONS = [cut, double, swap, end_early, cut_characters, change_character]


def mutant(files, number):
    rng = random.Random(number)
    lines = files[number % len(files)].read_text().split("\n")
    for _ in range(rng.randint(1, 3)):
        lines = rng.choice(MUTATIONS)(lines, rng) or [""]
    return "\n".join(lines)


def complaint(kfuse, folder, files, number):
    path = folder / f"mutant-{number}.cu"
    path.write_text(mutant(files, number))
    command = [kfuse, "--quiet", str(path), "-o", os.devnull]
    try:
        result = subprocess.run(command, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f"{path}: more than {SECONDS} s"
    if result.returncode not in (0, 1):
        tail = result.stderr.decode(errors="replace")[-2000:]
        return f"{path}: exit {result.returncode}\n{tail}"
    if result.returncode == 1 and not result.stderr:
        return f"{path}: failed without a message"
    path.unlink()
    return None


def main():
    kfuse, source = sys.argv[1], pathlib.Path(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    files = sorted(source.glob("*.cu"))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="kfuse-mutants-"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [
            text
            for text in pool.map(
                lambda number: complaint(kfuse, folder, files, number),
                range(count),
            )
            if text
        ]
    if not found:
        folder.rmdir()
    print("\n".join(found))
    print(f"{count} mutations of {len(files)} programs, {len(found)} failures")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
