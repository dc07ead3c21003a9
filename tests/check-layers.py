#!/usr/bin/env python3
"""Holds the include rule: which folder may include which.

The libraries that think (graphs, text, fusion, ga, codegen) and what runs them (system) are free of Clang, so
that they build in seconds and can be tested on values alone; nothing in the
compiler includes OpenCL, because Clang's shared library and an OpenCL driver
in one process crash. The headers that kfuse brings are text to it.
"""

import pathlib
import re
import sys

ALLOWED = {
    "graphs": {"graphs"},
    "text": {"text", "graphs"},
    "fusion": {"fusion", "graphs"},
    "ga": {"ga", "fusion", "graphs"},
    "frontend": {"frontend", "graphs", "text"},
    "codegen": {"codegen", "fusion", "graphs", "text"},
    "system": {"system"},
    "runtime": {"runtime", "system"},
    "driver": {
        "driver",
        "codegen",
        "frontend",
        "fusion",
        "ga",
        "graphs",
        "runtime",
        "system",
        "text",
    },
}
MAY_USE_CLANG = {"frontend", "runtime", "driver"}
TEXTS = "frontend/headers"
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def complaints(root, folder):
    for path in sorted((root / folder).rglob("*")):
        if path.suffix not in {".cpp", ".h", ".inc"} or not path.is_file():
            continue
        if path.is_relative_to(root / TEXTS):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            target = match[2]
            top = target.split("/")[0]
            place = f"{path.relative_to(root)}:{number}"
            if top in ALLOWED and top not in ALLOWED[folder]:
                yield f"{place}: {folder} must not include {target}"
            if top in {"clang", "clang-c", "llvm", "llvm-c"}:
                if folder not in MAY_USE_CLANG:
                    yield f"{place}: {folder} must stay free of Clang"
            if top in {"CL", "OpenCL"}:
                yield f"{place}: OpenCL must stay out of the compiler"


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    found = [text for folder in ALLOWED for text in complaints(root, folder)]
    print("\n".join(found) if found else "layers: every include is allowed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
