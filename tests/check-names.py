#!/usr/bin/env python3
"""Checks that no two headers define a type of one name.

All of kfuse is one namespace: of two such types the linker takes the functions
of one for both.
"""
import collections
import pathlib
import re
import sys

TYPE = re.compile(r"^(?:struct|class|enum class) (\w+)(?: final)?(?: : [^;]*)? \{",
                  re.M)

# What kfuse brings to the programs that it reads and runs.
TEXTS = ("frontend/headers/", "runtime/gpu/", "runtime/include/", "runtime/opencl/")


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    folders = ["graphs", "text", "frontend", "fusion", "ga", "codegen", "driver",
               "runtime", "system", "bench", "profile"]
    headers = collections.defaultdict(list)
    for folder in folders:
        for header in sorted((root / folder).rglob("*.h")):
            place = header.relative_to(root).as_posix()
            if place.startswith(TEXTS):
                continue
            for name in TYPE.findall(header.read_text()):
                headers[name].append(place)
    twice = {name: where for name, where in headers.items() if len(where) > 1}
    for name, where in twice.items():
        print(f"{name} is defined in {' and in '.join(where)}")
    if twice:
        sys.exit(1)
    print(f"names: each of {len(headers)} types is defined once")


main()
