#!/usr/bin/env python3
"""Makes a profile for `kfuse --profile=` of what a profiler counted.

Usage: make-profile.py TABLE... > profile.json

Each table is what one of these prints of the program, original or fused:

    nsys stats --report cuda_gpu_trace --format csv report.nsys-rep
    ncu --csv --page raw --metrics gpu__time_duration.sum program

Of kernels that were launched in several sizes each size is listed, with the
median of its times.
"""

import csv
import io
import json
import math
import re
import statistics
import sys

UNITS = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
UNITS |= {"second": 1, "msecond": 1e-3, "usecond": 1e-6, "nsecond": 1e-9}


def base_name(name):
    """`void space::scale<float>(float *)` as kfuse names it: `scale`."""
    name = re.sub(r"\(anonymous namespace\)::|<unnamed>::", "", name)
    return re.split(r"[<(]", name)[0].split()[-1].split("::")[-1]


def number(text):
    return float(text.replace(",", ""))


def product(text):
    return math.prod(int(n) for n in re.findall(r"\d+", text))


def from_nsys(row):
    if not row.get("GrdX"):
        return None  # a copy
    threads = math.prod(
        int(row[kind + axis]) for kind in ("Grd", "Blk") for axis in "XYZ"
    )
    return row["Name"], threads, number(row["Duration (ns)"]) * 1e-9


def from_ncu(row, unit):
    threads = product(row["Grid Size"]) * product(row["Block Size"])
    seconds = number(row["gpu__time_duration.sum"]) * UNITS[unit]
    return row["Kernel Name"], threads, seconds


def launches(text):
    """Name, threads and seconds of each launch of a table."""
    # Programs print before their table.
    start = min(
        (at for at in map(text.find, ('"ID"', "Start (ns)")) if at >= 0),
        default=-1,
    )
    if start < 0:
        return
    rows = csv.DictReader(io.StringIO(text[text.rfind("\n", 0, start) + 1 :]))
    unit = None
    for row in rows:
        if "Duration (ns)" in row:
            found = from_nsys(row)
            if found:
                yield found
        elif unit is None:
            unit = row["gpu__time_duration.sum"]  # the first row has units
        else:
            yield from_ncu(row, unit)


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    taken = {}
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            found = list(launches(file.read()))
        if not found:
            sys.exit(f"make-profile.py: no launches in {path}")
        for name, threads, seconds in found:
            taken.setdefault((base_name(name), threads), []).append(seconds)
    kernels = sorted(taken.items(), key=lambda entry: -sum(entry[1]))
    profile = {
        "version": 1,
        "kernels": [
            {
                "name": name,
                "threads": threads,
                "seconds": statistics.median(seconds),
            }
            for (name, threads), seconds in kernels
        ],
    }
    print(json.dumps(profile, indent=1))


if __name__ == "__main__":
    main()
