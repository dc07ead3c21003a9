#!/usr/bin/env python3
"""Switches off kfuse's own checks, one at a time, and asks the tests to notice.

    mutate-checks.py BUILD FOLDER [--only=TEXT] [--units] [--jobs=N]

Each check of legality is a mutant (`sites.py`): a refusal that falls through, a
prover that says what it can't prove, or one of several conditions taken to hold.
The library `fusion` is compiled once with all of them, switched by the variable
KFUSE_MUTANT, and linked in FOLDER with what BUILD, which must be up to date, has
of the rest. Each mutant that the unit tests of `fusion` reach is tried on them,
and those that these don't notice on the program tests that reach it, with
--units on none: those tests are run of which kfuse's output changes. What
nothing notices is listed: a test is missing, or the check is. `equivalent.json`
says of some mutants why nothing can notice them; these aren't tried. The verdicts
are kept in FOLDER: a second run asks only for what survived.
"""

import argparse
import concurrent.futures
import dataclasses
import functools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

import sites

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RUN_SECONDS = 20
LIT_SECONDS = 600
MOST_RUNS = 40  # of kfuse that are looked at for a mutant

HEADER = """
#pragma once
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
inline const char *kfuseReachFolder = std::getenv("KFUSE_REACHED");
inline const int kfuseSwitched =
    std::getenv("KFUSE_MUTANT") ? std::atoi(std::getenv("KFUSE_MUTANT")) : -1;
inline FILE *kfuseReachFile() {
  char name[4096];
  std::snprintf(name, sizeof name, "%s/%d", kfuseReachFolder, getpid());
  FILE *file = std::fopen(name, "w");
  FILE *words = std::fopen("/proc/self/cmdline", "r");
  for (int c; (c = std::fgetc(words)) != EOF;)
    std::fputc(c, file);
  std::fprintf(file, "\\n%s\\n", getcwd(name, sizeof name));
  std::fclose(words);
  return file;
}
inline void kfuseReach(int mutant) {
  static bool reached[COUNT];
  if (reached[mutant])
    return;
  reached[mutant] = true;
  static FILE *const file = kfuseReachFile();
  std::fprintf(file, "%d\\n", mutant);
}
inline bool kfuseMutant(int mutant) {
  if (kfuseReachFolder)
    kfuseReach(mutant);
  return mutant == kfuseSwitched;
}
"""

# A program test's kfuse: notes what it reaches beside the test's output.
LIT_SITE = """
import os
config.kfuse_source = {source!r}
config.kfuse_bin = {binaries!r}
config.kfuse_exec_root = {folder!r}
config.llvm_tools = {tools!r}
config.kfuse_sanitize = False
lit_config.load_config(config, {source!r} + "/tests/lit/lit.cfg.py")
config.environment["KFUSE_MUTANT"] = os.environ.get("KFUSE_MUTANT", "-1")
if "KFUSE_REACHED" in os.environ:
    config.substitutions = [
        (name, "env KFUSE_REACHED=%t.reached " + value if name == "%kfuse" else value)
        for name, value in config.substitutions
    ]
    config.test_format.preamble_commands = ["mkdir -p %t.reached"]
"""


class Mutant:
    def __init__(self, number, path, site, text, key):
        self.number, self.path, self.site, self.key = number, path, site, key
        self.name = site.describe(path.name, text)


def find_mutants():
    found = []
    for name in sites.DECIDING:
        (path,) = (ROOT / "fusion").rglob(f"{name}.cpp")
        text = path.read_text()
        for site, key in zip(sites.sites(text), sites.keys(path.name, text)):
            found.append(Mutant(len(found), path, site, text, key))
    return found


def equivalent(mutants):
    """By key, why nothing can notice the mutant."""
    reasons = json.loads((HERE / "equivalent.json").read_text())
    if unknown := reasons.keys() - {mutant.key for mutant in mutants}:
        sys.exit("equivalent.json names no mutants:\n" + "\n".join(sorted(unknown)))
    return reasons


def run(command, folder, **options):
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, **options
    )


def must(command, folder):
    done = run(command, folder)
    if done.returncode:
        sys.exit(f"{shlex.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


class Build:
    """The tools with all mutants in them."""

    def __init__(self, build, folder, mutants):
        self.build, self.folder = build.resolve(), folder.resolve()
        self.mutants = mutants
        self.binaries = self.folder / "bin"
        self.binaries.mkdir(parents=True, exist_ok=True)

    def compile(self, jobs):
        header = self.folder / "Mutant.h"
        header.write_text(HEADER.replace("COUNT", str(len(self.mutants) or 1)))
        entries = json.loads((self.build / "compile_commands.json").read_text())
        commands = {entry["file"]: entry["command"] for entry in entries}
        work = []
        for path in sorted((ROOT / "fusion").rglob("*.cpp")):
            numbered = [(m.number, m.site) for m in self.mutants if m.path == path]
            text = self.folder / path.name
            text.write_text(sites.woven(path.read_text(), numbered))
            command = shlex.split(commands[str(path)])
            command[command.index(str(path))] = str(text)
            command[command.index("-o") + 1] = str(text.with_suffix(".o"))
            command += ["-include", str(header), "-w"]
            work.append(command)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(lambda command: must(command, self.build), work))
        objects = [command[command.index("-o") + 1] for command in work]
        library = self.folder / "libkfuse_fusion.a"
        library.unlink(missing_ok=True)
        must(["ar", "crs", str(library), *objects], "/")
        for name in ("fusion-tests", "kfuse"):
            self.link(name)
        tool = self.binaries / "kfuse-cpu"
        tool.unlink(missing_ok=True)
        tool.symlink_to(self.build / "bin" / "kfuse-cpu")

    def link(self, name):
        lines = must(["ninja", "-t", "commands", f"bin/{name}"], self.build)
        link = shlex.split(lines.splitlines()[-1])
        link = [word for word in link if word not in (":", "&&")]
        link[link.index("-o") + 1] = str(self.binaries / name)
        library = str(self.folder / "libkfuse_fusion.a")
        must(
            [library if w == "fusion/libkfuse_fusion.a" else w for w in link],
            self.build,
        )

    def reached_by_units(self):
        folder = self.folder / "reached"
        folder.mkdir(exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        units = [str(self.binaries / "fusion-tests")]
        begin = time.monotonic()
        done = run(units, self.folder, env=os.environ | {"KFUSE_REACHED": str(folder)})
        self.unit_seconds = 30 + 20 * (time.monotonic() - begin)
        if done.returncode:
            sys.exit(f"the unit tests fail without a mutant:\n{done.stdout}")
        return set().union(*map(numbers_in, folder.iterdir()))

    def units_notice(self, mutant):
        units = [str(self.binaries / "fusion-tests"), "--gtest_fail_fast"]
        return fails(units, self.folder, mutant, self.unit_seconds)

    def lit(self, *words):
        cache = (self.build / "CMakeCache.txt").read_text()
        llvm = re.search(r"^LLVM_DIR:\w+=(.*)/lib/cmake/llvm$", cache, re.MULTILINE)[1]
        site = self.folder / "lit"
        site.mkdir(exist_ok=True)
        (site / "lit.site.cfg.py").write_text(
            LIT_SITE.format(
                source=str(ROOT),
                binaries=str(self.binaries),
                folder=str(site),
                tools=f"{llvm}/bin",
            )
        )
        return [sys.executable, f"{llvm}/build/utils/lit/lit.py", *words]

    def runs_of_programs(self, jobs):
        """What the program tests ran, and which mutants that reached."""
        site = self.folder / "lit"
        known = self.folder / "programs.ran"
        checks = [re.sub(r":\d+:", ":", one.name) for one in self.mutants]
        tests = sorted((ROOT / "tests/lit").rglob("*.*"))
        checks += [f"{path} {path.stat().st_mtime}" for path in tests]
        if not known.exists() or known.read_text() != "\n".join(checks):
            for old in site.glob("**/*.tmp.reached/*"):
                old.unlink()
            env = os.environ | {"KFUSE_REACHED": "1"}
            done = run(self.lit(f"-j{jobs}", "-q", str(site)), self.folder, env=env)
            if done.returncode:
                sys.exit(f"program tests fail without a mutant:\n{done.stdout}")
            known.write_text("\n".join(checks))
        runs = []
        for path in sorted(site.glob("**/*.tmp.reached/*")):
            # lit/traps/Output/NAME.tmp.reached/PID
            name = path.parent.name.removesuffix(".tmp.reached")
            test = site / path.parent.parent.parent.relative_to(site) / name
            words, folder, *numbers = path.read_text().splitlines()
            command = fusing(words.split("\0")[:-1])
            if command and pathlib.Path(folder).exists():
                runs.append(Run(test, command, folder, {int(n) for n in numbers}))
        return runs

    def programs_notice(self, mutant, runs):
        """None if no run comes out otherwise."""
        changed = []
        runs = [one for one in runs if mutant.number in one.reached]
        for one in runs[:: -(-len(runs) // MOST_RUNS)] if runs else []:
            if one.usual is None:
                one.usual = one.output(-1)
            if one.test not in changed and one.output(mutant.number) != one.usual:
                changed.append(one.test)
                command = self.lit("-q", "-j1", str(one.test))
                if fails(command, self.folder, mutant, LIT_SECONDS):
                    return True
        return False if changed else None


@dataclasses.dataclass
class Run:
    """Of kfuse, in a program test."""

    test: pathlib.Path
    command: list
    folder: str
    reached: set
    usual: tuple = None

    def output(self, mutant):
        env = os.environ | {"KFUSE_MUTANT": str(mutant)}
        try:
            done = run(self.command, self.folder, env=env, timeout=RUN_SECONDS)
        except subprocess.TimeoutExpired:
            return ()
        return done.returncode, done.stdout, done.stderr


def fusing(words):
    """The command without what it writes to files, and fusing alone where it
    verifies; none where it does neither."""
    if len(words) > 1 and words[1] == "verify":
        words = [words[0], *words[2:]]
        if "--" in words:
            words = words[: words.index("--")]
        words = [word for word in words if not word.startswith("--orders")]
    if len(words) < 2 or words[1] == "search":
        return None
    if not any(word.startswith("--emit") for word in words):
        words = [words[0], "-Rkfuse-missed", *words[1:]]
    return words


def numbers_in(path):
    return {int(line) for line in path.read_text().splitlines()[2:]}


def fails(command, folder, mutant, seconds):
    env = os.environ | {"KFUSE_MUTANT": str(mutant.number)}
    try:
        return run(command, folder, env=env, timeout=seconds).returncode != 0
    except subprocess.TimeoutExpired:
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", default="", help="mutants with this text")
    parser.add_argument("--units", action="store_true", help="unit tests alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    mutants = find_mutants()
    reasons = equivalent(mutants)
    build = Build(options.build, options.folder, mutants)
    build.compile(options.jobs)
    mutants = [mutant for mutant in mutants if options.only in mutant.name]
    kept = build.folder / "verdicts.json"
    known = json.loads(kept.read_text()) if kept.exists() else {}
    verdicts = {}

    def say(mutant, verdict):
        verdicts[mutant.name] = verdict
        kept.write_text(json.dumps(known | verdicts, indent=1))
        print(f"{mutant.name}: {verdict}", flush=True)

    reached = build.reached_by_units()
    verdicts |= {m.name: "equivalent" for m in mutants if m.key in reasons}
    mutants = [m for m in mutants if m.key not in reasons]
    asked = [m for m in mutants if not known.get(m.name, "").startswith("noticed")]
    verdicts |= {m.name: known[m.name] for m in mutants if m not in asked}
    survivors = [mutant for mutant in asked if mutant.number not in reached]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tried = [mutant for mutant in asked if mutant.number in reached]
        for mutant, noticed in zip(tried, pool.map(build.units_notice, tried)):
            if noticed:
                say(mutant, "noticed by the unit tests")
            else:
                survivors.append(mutant)
    runs = [] if options.units else build.runs_of_programs(options.jobs)
    survivors.sort(key=lambda mutant: mutant.number)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        ask = functools.partial(build.programs_notice, runs=runs)
        for mutant, noticed in zip(survivors, pool.map(ask, survivors)):
            if noticed:
                say(mutant, "noticed by the program tests")
            elif noticed is None:
                say(mutant, "SURVIVED")
            else:
                say(mutant, "SURVIVED, and changes what is fused")
    for verdict in sorted(set(verdicts.values())):
        print(sum(v == verdict for v in verdicts.values()), verdict)
    sys.exit(any(v.startswith("SURVIVED") for v in verdicts.values()))


if __name__ == "__main__":
    main()
