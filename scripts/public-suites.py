#!/usr/bin/env python3
"""How much of public programs kfuse reads and fuses.

Each argument is the folder of a suite (a checkout; nothing of it is kept
here). kfuse reads every .cu file that has a launch by itself, with the headers
that the suite has, and the toolkit's if nvcc is on the PATH. If that fails, it
gets the macros that the compiler's flags in the Makefile beside the file
define. The table has a row a suite:

- files, and those that kfuse can't read (an error, or no answer in time);
- pairs: neighbouring launches of two kernels, by the text, with nothing between
  that does anything else: declarations, arithmetic, checks of errors,
  synchronisation; fused: both are in one kernel afterwards;
- groups, and those that save traffic.

With --details the obstacle of each pair that stays apart is counted, and
--list writes what became of each file.

  scripts/public-suites.py [--kfuse=build/bin/kfuse] [--jobs=2] FOLDER...
      [-- options of kfuse]
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys

TRANSPARENT_CALL = re.compile(
    r"\b(cuda(GetLastError|PeekAtLastError|DeviceSynchronize|"
    r"ThreadSynchronize|GetErrorString)|dim3|sizeof|exit|f?printf|min|max|"
    r"ceil|return|if|\w*(check|err|Check|Err|CHECK|ERR|safe|Safe)\w*)\s*\(")
ANY_CALL = re.compile(r"\b[A-Za-z_]\w*\s*\(")
LAUNCH = re.compile(r"([A-Za-z_]\w*)\s*(<[^;{}<>]*>\s*)?<<<")


def without_comments(text):
    """The text with comments and strings blanked, line by line as it was."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(\\.|[^"\\\n])*"', blank, text,
                  flags=re.S)


def launches(text):
    """(kernel, line, begin, end) of the launches that the text shows."""
    found = []
    for match in LAUNCH.finditer(text):
        close = text.find(">>>", match.end())
        end = text.find(";", close)
        if close < 0 or end < 0:
            continue
        line = text.count("\n", 0, match.start()) + 1
        found.append((match.group(1), line, match.start(), end + 1))
    return found


def is_transparent(between):
    if "{" in between or "}" in between or re.search(r"\b(for|while|else|goto|"
                                                     r"case|return)\b",
                                                     between):
        return False
    calls = ANY_CALL.findall(between)
    return len(calls) == len(TRANSPARENT_CALL.findall(between))


def transparent_pairs(text):
    found = launches(text)
    return [(a[1], b[1]) for a, b in zip(found, found[1:])
            if a[0] != b[0] and is_transparent(text[a[3]:b[2]])]


def headers_of(suite):
    """The suite's headers, and sources that are included, by their names."""
    found = collections.defaultdict(list)
    for folder, _, names in os.walk(suite):
        for name in names:
            found[name].append(os.path.join(folder, name))
    return found


def folder_of(header, headers, path):
    """The folder that lets `path` include the header, the nearest one."""
    name = os.path.normpath(header)
    while name.startswith("../"):
        name = name[3:]
    fitting = [found[:-len(name) - 1]
               for found in headers[os.path.basename(name)]
               if found.endswith("/" + name)]
    own = os.path.dirname(path)
    return max(fitting, default=None,
               key=lambda f: (len(os.path.commonpath([own, f])), -len(f)))


def macros_of(path):
    """The -D that a Makefile beside the file gives the compiler."""
    makefile = os.path.join(os.path.dirname(path), "Makefile")
    if not os.path.exists(makefile):
        return []
    return [macro for line in open(makefile, errors="replace")
            if re.match(r"\s*\w*FLAGS\s*[:+?]?=", line)
            for macro in re.findall(r"(?<!\S)-D\w+(?:=[\w.]+)?", line)]


def one_file(kfuse, path, headers, options, seconds):
    """What kfuse tells of the file, with the folders of headers that it
    misses."""
    text = without_comments(open(path, errors="replace").read())
    told = {"path": path, "error": None, "pairs": transparent_pairs(text),
            "launches": [], "groups": [], "remarks": [], "folders": []}
    macros = []
    while True:
        command = [kfuse, path, "--emit=json"] + options + macros + [
            "-I" + folder for folder in told["folders"]]
        try:
            ran = subprocess.run(command, capture_output=True, text=True,
                                 errors="replace", timeout=seconds)
        except subprocess.TimeoutExpired:
            told["error"] = "no answer in time"
            return told
        folders = [folder_of(header, headers, path) for header in
                   re.findall(r"'([^']+)' file not found", ran.stderr)]
        new = {f for f in folders if f} - {*told["folders"]}
        told["folders"] += sorted(new)
        if new:
            continue
        if ran.returncode == 0 or macros or not macros_of(path):
            break
        macros = macros_of(path)
    if ran.returncode != 0:
        errors = [line for line in ran.stderr.splitlines() if "error:" in line]
        told["error"] = (errors or ["exit code %d" % ran.returncode])[0]
        return told
    # A file without a launch that is followed tells less.
    told.update(json.loads(ran.stdout))
    told["groups"] = [group for group in told["groups"]
                      if len(group["launches"]) > 1]
    return told


def saves_traffic(group):
    fused = group["projection"]
    return fused["bytesRead"] + fused["bytesWritten"] < 0.999 * sum(
        member["bytesRead"] + member["bytesWritten"]
        for member in group["members"])


def fused_pairs(result):
    """The pairs of lines that became one kernel, and those that didn't."""
    if result["error"]:
        return [], result["pairs"]
    group_of = collections.defaultdict(set)
    for number, group in enumerate(result["groups"]):
        for launch in group["launches"]:
            group_of[result["launches"][launch]["line"]].add(number)
    together = [pair for pair in result["pairs"]
                if group_of[pair[0]] & group_of[pair[1]]]
    return together, [p for p in result["pairs"] if p not in together]


def obstacle(result, pair):
    if result["error"]:
        return "not read"
    by_line = collections.defaultdict(set)
    for number, launch in enumerate(result["launches"]):
        by_line[launch["line"]].add(number)
    if not by_line[pair[0]] or not by_line[pair[1]]:
        return "launch not followed"
    for remark in result["remarks"]:
        ends = set(remark.get("launches", []))
        if not remark["fused"] and ends & by_line[pair[0]] \
                and ends & by_line[pair[1]]:
            return remark["name"]
    return "no relation told"


def main():
    arguments = sys.argv[1:]
    options = []
    if "--" in arguments:
        options = arguments[arguments.index("--") + 1:]
        arguments = arguments[:arguments.index("--")]
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--kfuse", default="build/bin/kfuse")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--list")
    given = parser.parse_args(arguments)

    rows = []
    obstacles = collections.Counter()
    listing = []
    for suite in given.folders:
        headers = headers_of(suite)
        paths = sorted(
            os.path.join(folder, name)
            for folder, _, names in os.walk(suite) for name in names
            if name.endswith(".cu"))
        paths = [p for p in paths
                 if "<<<" in open(p, errors="replace").read()]
        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            results = list(pool.map(
                lambda p: one_file(given.kfuse, p, headers, options,
                                   given.seconds), paths))
        fused = groups = saving = 0
        for result in results:
            together, apart = fused_pairs(result)
            fused += len(together)
            reasons = [obstacle(result, pair) for pair in apart]
            obstacles.update(reasons)
            own = [] if result["error"] else result["groups"]
            groups += len(own)
            saving += sum(saves_traffic(group) for group in own)
            listing.append({
                "path": result["path"], "error": result["error"],
                "folders": result["folders"],
                "fused": together,
                "apart": [[*pair, why] for pair, why in zip(apart, reasons)],
                "groups": [[group["name"], saves_traffic(group)]
                           for group in own]})
        rows.append((os.path.basename(suite.rstrip("/")), len(paths),
                     sum(r["error"] is not None for r in results),
                     sum(len(r["pairs"]) for r in results), fused, groups,
                     saving))
    rows.append(("all",) + tuple(sum(column) for column in
                                 list(zip(*rows))[1:]))
    print("| suite | files | not read | pairs | fused | groups | saving "
          "traffic |\n|---|---|---|---|---|---|---|")
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    if given.details:
        print("\n| obstacle | pairs |\n|---|---|")
        for name, count in obstacles.most_common():
            print("| %s | %d |" % (name, count))
    if given.list:
        with open(given.list, "w") as out:
            json.dump(listing, out, indent=1)


if __name__ == "__main__":
    main()
