#!/usr/bin/env python3
"""Checks sources with clang-tidy: those that changed, or all of them.

    static-checks.py [--all]

Without --all, it checks each source that differs from the commit in
scripts/checked-commit, and for each header that differs one source that
includes it. With --all, or if the commit isn't known or much differs, it checks
everything, several files of a folder at a time: that takes five minutes on two
cores. With --all, it writes the commit to that file if nothing was found.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHECKED = ROOT / "scripts/checked-commit"
# So many sources by themselves take as long as all of them together.
MOST_SINGLE = 25
PRODUCT = "graphs text profile fusion ga frontend codegen".split()
PRODUCT += "system runtime driver bench".split()


def git(*words):
    done = subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.split() if done.returncode == 0 else None


def configure(preset, folder):
    """Returns the commands of a build, whose precompiled headers are built."""
    subprocess.run(
        ["cmake", "--preset", preset], cwd=ROOT, check=True, stdout=subprocess.DEVNULL
    )
    targets = subprocess.run(
        ["ninja", "-t", "targets", "all"],
        cwd=ROOT / folder,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    made = re.findall(r"^(\S+\.pch):", targets, re.MULTILINE)
    made = [target for target in made if target.split("/")[0] in PRODUCT]
    subprocess.run(["ninja", "--quiet", *made], cwd=ROOT / folder, check=True)
    return json.loads((ROOT / folder / "compile_commands.json").read_text())


def including(header):
    """Returns a source that includes the header, rather the one of its name."""
    own = header.with_suffix(".cpp")
    if (ROOT / own).exists():
        return own
    found = git("grep", "-lF", f'#include "{header}"', "--", "*.cpp")
    product = [f for f in found or [] if f.split("/")[0] in PRODUCT]
    return pathlib.Path(product[0]) if product else None


def changed_sources():
    """Returns what to check of the changes; None if they aren't known."""
    commit = CHECKED.read_text().strip() if CHECKED.exists() else ""
    names = git("diff", "--name-only", "--diff-filter=d", commit, "--") if commit else None
    if names is None:
        return None
    sources = set()
    for file in map(pathlib.Path, names + git("ls-files", "-o", "--exclude-standard")):
        if file.parts[0] not in PRODUCT:
            continue
        source = including(file) if file.suffix == ".h" else file
        if source and source.suffix == ".cpp":
            sources.add(str(source))
    return sorted(sources)


def tidy(folder, files, *options):
    """Checks the files; returns whether nothing was found."""
    pattern = "|".join(re.escape(str(f)) + "$" for f in files)
    command = ["run-clang-tidy-19", "-quiet", "-p", folder, "-j", str(os.cpu_count())]
    command += options
    done = subprocess.run(
        [*command, pattern], cwd=ROOT, capture_output=True, text=True, check=False
    )
    (ROOT / folder / "clang-tidy.log").write_text(done.stdout + done.stderr)
    if done.returncode == 0:
        return True
    found = re.findall(r"^.*error:.*(?:\n.*){0,4}", done.stdout, re.MULTILINE)
    print("\n".join(found) or done.stdout + done.stderr)
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="check every source")
    everything = parser.parse_args().all
    sources = None if everything else changed_sources()
    if sources is None or len(sources) > MOST_SINGLE:
        if not all_is_clean():
            return 1
    elif sources:
        print("static checks:", *sources, flush=True)
        configure("develop", "build-develop")
        if not tidy("build-develop", [ROOT / source for source in sources]):
            return 1
    if everything:
        CHECKED.write_text(git("rev-parse", "HEAD")[0] + "\n")
    print("static checks: nothing found")
    return 0


def all_is_clean():
    """Checks each unit of the release build, which has several sources."""
    units = [c["file"] for c in configure("release", "build")]
    units = [unit for unit in units if is_product(unit, "build")]
    print(f"static checks: all sources, in {len(units)} units", flush=True)
    return tidy("build", units, "-checks=-bugprone-suspicious-include")


def is_product(file, folder):
    """Whether a unit of the build is made of product sources."""
    path = pathlib.Path(file)
    for root in (ROOT / folder, ROOT):
        if path.is_relative_to(root):
            return path.relative_to(root).parts[0] in PRODUCT
    return False


if __name__ == "__main__":
    sys.exit(main())
