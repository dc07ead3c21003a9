#!/usr/bin/env python3
"""Holds the include rule: which folder may include which.

Folders are layers: each says which ones are below it, and a folder that isn't
named here is an error. No two units, each a header with the source of its name,
need each other, directly or through others.

The libraries that think (graphs, text, fusion, ga, codegen) and what runs them
(system) are free of Clang, so that they build in seconds and can be tested on
values alone; nothing in the compiler includes OpenCL, because Clang's shared
library and an OpenCL driver in one process crash. The headers that kfuse brings
are text to it.
"""

import pathlib
import re
import sys

# The folders that the sources of a folder may include, beside their own; "/*"
# stands for a folder and those in it.
ALLOWED = {
    "graphs/units": "",
    "graphs/program": "graphs/units",
    "graphs": "graphs/program",
    "text": "graphs/program",
    "profile": "",
    # Legality, cost and plans.
    "fusion/device": "graphs/units",
    "fusion/plan": "fusion/device graphs/* profile",
    "fusion/dependence": "fusion/plan graphs/*",
    "fusion/cost": "fusion/plan graphs/*",
    "fusion/group": "fusion/cost fusion/dependence fusion/plan graphs/*",
    "fusion/shapes": "fusion/group fusion/cost fusion/dependence fusion/plan graphs/*",
    "fusion/legality": "fusion/shapes fusion/group fusion/cost fusion/dependence"
    " fusion/plan graphs/*",
    "fusion/forwarding": "fusion/legality fusion/shapes fusion/group fusion/cost"
    " fusion/dependence fusion/plan graphs/*",
    "fusion": "fusion/forwarding fusion/legality fusion/shapes fusion/group"
    " fusion/cost fusion/dependence fusion/plan graphs/*",
    "fusion/rewrites": "fusion fusion/group fusion/cost fusion/dependence fusion/plan"
    " graphs/*",
    "fusion/report": "fusion fusion/rewrites fusion/group fusion/cost"
    " fusion/dependence fusion/plan graphs/*",
    # The search.
    "ga/problem": "fusion/* graphs/*",
    "ga/groups": "ga/problem",
    "ga/exact": "ga/groups ga/problem",
    "ga/genetic": "ga/exact ga/groups ga/problem",
    "ga/baselines": "ga/groups ga/problem",
    "ga": "ga/*",
    # From source to values.
    "frontend/syntax": "graphs/program text",
    "frontend/api": "frontend/syntax graphs/program",
    "frontend/parse": "frontend/api frontend/syntax graphs/program",
    "frontend/contraction": "frontend/syntax graphs/program",
    "frontend/kernel/resources": "frontend/syntax graphs/units",
    "frontend/kernel": "frontend/kernel/resources frontend/contraction"
    " frontend/syntax graphs/program graphs/units",
    "frontend/host": "frontend/kernel frontend/api frontend/syntax graphs/program text",
    "frontend/host/variables": "frontend/host frontend/api frontend/syntax"
    " graphs/program text",
    "frontend/rewrite": "frontend/host frontend/kernel frontend/contraction"
    " frontend/parse frontend/api frontend/syntax graphs/* text",
    "frontend/rewrite/branches": "frontend/rewrite frontend/host frontend/parse"
    " frontend/api frontend/syntax graphs/program text",
    "frontend/rewrite/wrappers": "frontend/rewrite frontend/host frontend/parse"
    " frontend/api frontend/syntax graphs/program text",
    "frontend/rewrite/methods": "frontend/rewrite frontend/host frontend/syntax text",
    "frontend": "frontend/* graphs/* text",
    # From a plan to text.
    "codegen/text": "fusion/dependence fusion/plan graphs/program text",
    "codegen/stage": "codegen/text fusion/plan graphs/program text",
    "codegen/builder": "codegen/stage codegen/text fusion/plan graphs/program text",
    "codegen/body": "codegen/builder codegen/stage codegen/text fusion/plan"
    " graphs/program text",
    "codegen/tile": "codegen/builder codegen/stage codegen/text fusion/plan"
    " graphs/program text",
    "codegen/kernel": "codegen/body codegen/tile codegen/builder codegen/stage"
    " codegen/text fusion/group fusion/plan graphs/program text",
    "codegen/host": "codegen/kernel codegen/builder codegen/stage codegen/text"
    " fusion/plan graphs/* text",
    "codegen": "codegen/* fusion/plan graphs/* text",
    # What runs all of it.
    "system": "",
    "runtime/trace": "",
    "runtime": "runtime/trace system",
    "bench": "system",
    "bench/collect": "bench system",
    "bench/collect/layer": "bench bench/collect",
    "bench/profile": "bench bench/collect profile system",
    "bench/compare": "bench bench/collect bench/profile profile runtime/trace system",
    "bench/roofline/probes": "",
    "bench/roofline": "bench bench/draw bench/roofline/probes fusion/device system",
    "bench/model": "profile",
    "bench/draw": "bench bench/model fusion/device system",
    "driver/nvcc": "frontend/parse frontend/syntax fusion/plan graphs/program system",
    "driver/pipeline": "driver/nvcc codegen/* frontend/* fusion/* ga/* graphs/* profile"
    " system text",
    "driver/tune": "driver driver/pipeline fusion/* graphs/* system",
    "driver": "driver/* codegen/* frontend/* fusion/* ga/* graphs/* profile runtime"
    " runtime/trace system text",
}
MAY_USE_CLANG = {"frontend", "runtime", "driver"}
TEXTS = {
    "bench/collect/cuda",
    "bench/roofline/kernels",
    "frontend/headers",
    "runtime/gpu",
    "runtime/include",
    "runtime/opencl",
}
SUFFIXES = {".cpp", ".h", ".inc"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def sources(root):
    for top in sorted({folder.split("/")[0] for folder in ALLOWED}):
        for path in sorted((root / top).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix in SUFFIXES and not any(
                name.startswith(f"{folder}/") for folder in TEXTS
            ):
                yield path, name


def folder_of(name):
    return name.rpartition("/")[0]


def is_allowed(folder, target):
    if target.partition("/")[0] not in {name.split("/")[0] for name in ALLOWED}:
        return True
    other = folder_of(target)
    return other == folder or any(
        f"{other}/".startswith(below[:-1]) if below.endswith("/*") else other == below
        for below in ALLOWED[folder].split()
    )


def complaints(path, name):
    folder = folder_of(name)
    if folder not in ALLOWED:
        yield f"{name}: {folder} is no layer"
        return
    top = folder.partition("/")[0]
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        target = match[2]
        place = f"{name}:{number}"
        if not is_allowed(folder, target):
            yield f"{place}: {folder} must not include {target}"
        if re.match("(clang|clang-c|llvm|llvm-c)/", target):
            if top not in MAY_USE_CLANG:
                yield f"{place}: {folder} must stay free of Clang"
        if re.match("(CL|OpenCL)/", target) and top != "bench":
            yield f"{place}: OpenCL must stay out of the compiler"


def unit_of(name):
    return name.rpartition(".")[0]


def cycles(root):
    """The shortest way from each unit back to itself, each cycle once."""
    needs = {}
    for path, name in sources(root):
        own = needs.setdefault(unit_of(name), set())
        for line in path.read_text().splitlines():
            match = INCLUDE.match(line)
            if match and match[1] == '"':
                own.add(unit_of(match[2]))
    seen = set()
    for unit in sorted(needs):
        ways, work = {}, [unit]
        for one in work:
            for other in sorted(needs.get(one, set()) - {one}):
                if other not in ways:
                    ways[other] = one
                    work.append(other)
        if unit not in ways or unit in seen:
            continue
        cycle = [unit]
        while ways[cycle[-1]] != unit:
            cycle.append(ways[cycle[-1]])
        if not seen & set(cycle):
            yield "these need each other: " + " <- ".join([*cycle, unit])
        seen |= set(cycle)


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    found = [text for one in sources(root) for text in complaints(*one)]
    found += cycles(root)
    print("\n".join(found) if found else "layers: every include is allowed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
