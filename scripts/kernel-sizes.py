#!/usr/bin/env python3
"""How long fused kernels are, as text and as machine code.

Usage: kernel-sizes.py KFUSE [--nvcc=COMMAND] [KFUSE OPTION...] FILE...

Fuses each program and prints, for each fused kernel, the lines of its members'
functions beside its own with its stages, and, if there is an nvcc, the machine
instructions of its members beside its own. A kernel that several launches run
counts once as text and as often as it is launched as instructions.
"""
import argparse
import json
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import tempfile

INSTRUCTION = 16  # bytes, from compute capability 7.0 on
NOP = 0x918  # the low bits of what fills up a function


def functions(text):
    """The lines of the device functions by name, of the longest if several."""
    found = {}
    pattern = r"__(?:global|device)__[^;{}()]*(?:__launch_bounds__\([^)]*\)\s*)?"
    for match in re.finditer(pattern + r"?\b(\w+)\s*\([^;{]*\)\s*\{", text):
        begin, depth = match.end(), 1
        at = begin
        while depth and at < len(text):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        lines = text[match.start() : at].count("\n") + 1
        found[match.group(1)] = max(lines, found.get(match.group(1), 0))
    return found


def sections(data):
    """Name and contents of the sections of a 64-bit ELF file."""
    (table,) = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    heads = [
        struct.unpack_from("<IIQQQQ", data, table + i * size)
        for i in range(count)
    ]
    for name, _, _, _, offset, length in heads:
        at = heads[names][4] + name
        end = data.index(b"\0", at)
        yield data[at:end].decode(), data[offset : offset + length]


def instructions(cubin):
    """By mangled name, without what only fills up."""
    found = {}
    for name, code in sections(cubin.read_bytes()):
        if name.startswith(".text."):
            words = range(0, len(code), INSTRUCTION)
            found[name[6:]] = sum(
                int.from_bytes(code[at : at + 2], "little") & 0xFFF != NOP
                for at in words
            )
    return found


def of_kernel(found, name):
    sizes = [
        size
        for mangled, size in found.items()
        if mangled == name or f"{len(name)}{name}" in mangled
    ]
    return max(sizes, default=None)


def compile_kernels(nvcc, source, folder):
    cubin = folder / "out.cubin"
    command = shlex.split(nvcc) + ["-cubin", "-o", cubin, "-x", "cu", source]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stderr)
        return None
    return instructions(cubin)


def measure(options, rest, file, folder):
    output, plan = folder / file.name, folder / "plan.json"
    command = [options.kfuse, file, "-o", output, f"--save-plan={plan}", *rest]
    if subprocess.run(command + ["--quiet"]).returncode != 0:
        return
    # What the fused kernels are made of, whether it stays or not.
    before, after = functions(file.read_text()), functions(output.read_text())
    codes = (None, None)
    if options.nvcc:
        codes = [
            compile_kernels(options.nvcc, source, folder)
            for source in (file, output)
        ]
    text = output.read_text()
    for group in json.loads(plan.read_text())["groups"]:
        members = [launch["kernel"] for launch in group["launches"]]
        name = group["name"]
        if len(members) < 2 or name not in after:
            continue
        lines = sum(before.get(member, 0) for member in set(members))
        body = text[text.index(name + "(") :]
        body = body[: body.index("\n}\n")]
        stages = set(re.findall(r"\b(\w+)\(", body)) & set(after) - {name}
        own = after[name] + sum(after[s] for s in stages if s not in before)
        row = [file.name, name, len(members), lines, own]
        if all(codes):
            sizes = [of_kernel(codes[0], member) for member in members]
            row += [
                "?" if None in sizes else sum(sizes),
                of_kernel(codes[1], name),
            ]
        yield row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kfuse")
    parser.add_argument("--nvcc", default="nvcc -arch=sm_90 -std=c++17")
    options, rest = parser.parse_known_args()
    if options.nvcc and not shutil.which(shlex.split(options.nvcc)[0]):
        options.nvcc = ""
    files = [pathlib.Path(each) for each in rest if not each.startswith("-")]
    rest = [each for each in rest if each.startswith("-")]
    print("| program | kernel | members | lines | fused | instructions | fused |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    total = [0, 0]
    with tempfile.TemporaryDirectory(prefix="kfuse-sizes-") as folder:
        for file in files:
            for row in measure(options, rest, file, pathlib.Path(folder)):
                total = [total[0] + row[3], total[1] + row[4]]
                print("| " + " | ".join(str(each) for each in row) + " |")
    print(f"{total[0]} lines of members, {total[1]} of fused kernels")


if __name__ == "__main__":
    main()
