"""Builds many programs as one, runs them, and compares what they leave behind.

Most of the time of a build goes to the headers, so that originals and fused
versions of several programs share one file, each in a namespace of its own.
"""

import collections
import os
import re
import subprocess

ORDERS = ["forward", "reverse", "shuffle:1"]
BUILD_SECONDS = 900
RUN_SECONDS = 60


def joined(texts):
    """One program of several, by name: the first argument says which runs."""
    includes, bodies, calls = set(), [], []
    for name, text in texts.items():
        includes.update(re.findall(r"^#include .*$", text, re.MULTILINE))
        body = re.sub(r"^#include .*$", "", text, flags=re.MULTILINE)
        bodies.append(f"namespace {name} {{\n{body}\n}} // namespace {name}\n")
        calls.append(
            f'  if (!strcmp(argv[1], "{name}"))\n    return {name}::main(1, argv);\n'
        )
    includes.add("#include <cstring>")
    return (
        "\n".join(sorted(includes))
        + "\n"
        + "".join(bodies)
        + "int main(int, char **argv) {\n"
        + "".join(calls)
        + "  return 99;\n}\n"
    )


def build(compiler, texts, folder):
    """What the compiler says when it fails; empty when all is well."""
    source = folder / "joined.cu"
    source.write_text(joined(texts))
    command = [compiler, "--sanitize", "-O0", source, "-o", folder / "joined"]
    try:
        result = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=BUILD_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"the compiler takes more than {BUILD_SECONDS} seconds"
    return result.stderr or "silence" if result.returncode else ""


def in_order(order):
    """How the executor is to run threads."""
    return {
        "KFUSE_CPU_ORDER": order,
        "ASAN_OPTIONS": "detect_leaks=0",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
    }


class Outcome:
    """What one run left behind, on the CPU's executor or on a GPU."""

    def __init__(self, folder, name, variables):
        trace = folder / f"{name}.trace"
        trace.unlink(missing_ok=True)
        environment = dict(
            os.environ,
            KFUSE_CPU_TRACE=str(trace),
            KFUSE_TRACE=str(trace),
            **variables,
        )
        try:
            result = subprocess.run(
                [folder / "joined", name],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=RUN_SECONDS,
                env=environment,
                check=False,
            )
        except subprocess.TimeoutExpired:
            self.output, self.events, self.status = "", [], "timeout"
            self.errors = f"more than {RUN_SECONDS} seconds"
            return
        self.status, self.output = result.returncode, result.stdout
        self.errors = result.stderr
        self.events = trace.read_text().split("\n") if trace.exists() else []

    def is_clean(self):
        return self.status == 0 and not re.search(
            "Sanitizer|runtime error:", self.errors
        )

    def seen(self, ignored, swapped):
        """The trace's events in order, and those of arrays that the host may
        have swapped when they go, as a multiset; without the last content of
        arrays in `ignored`."""
        ordered, last = [], collections.Counter()
        for event in self.events:
            words = event.split(" ")
            label = words[1].rpartition("#")[0] if len(words) > 1 else ""
            family = next((labels for labels in swapped if label in labels), None)
            goes = words[0] in ("free", "exit")
            if goes and label in ignored:
                continue
            if family:
                words[1] = family[0]
            if family and goes:
                last[" ".join(words)] += 1
            else:
                ordered.append(" ".join(words))
        return ordered, last


def difference(original, fused, hidden):
    """How a fused program's run differs from the original's; empty if not."""
    if not fused.is_clean():
        return f"exit {fused.status}\n{fused.errors[:3000]}"
    if original.output != fused.output:
        return "the output differs"
    families = sum(hidden.swapped, [])
    before, kept = original.seen(hidden.dead + hidden.lost, hidden.swapped)
    after, there = fused.seen(
        [label for label in hidden.dead if label not in families], hidden.swapped
    )
    if kept - there:
        return f"nobody holds {sorted(kept - there)[0]}"
    for one, other in zip(before, after):
        if one != other:
            return f"the traces differ:\n  {one}\n  {other}"
    return "" if len(before) == len(after) else "the traces have other lengths"


def originals(folder, name):
    """Runs of an original in all orders, and what is wrong with them."""
    runs = [Outcome(folder, name, in_order(order)) for order in ORDERS]
    for run in runs:
        if not run.is_clean():
            return runs, f"exit {run.status}\n{run.errors[:3000]}"
        if run.events != runs[0].events or run.output != runs[0].output:
            return runs, "the original depends on the order of threads"
    return runs, ""


def compare(folder, runs, name, hidden):
    """What a fused program does otherwise than the original. `hidden` has the
    labels of arrays that are never stored (`dead`), may be swapped (`swapped`,
    lists), and of those with a content that a swap doesn't keep (`lost`)."""
    for order, original in zip(ORDERS, runs):
        run = Outcome(folder, name, in_order(order))
        found = difference(original, run, hidden)
        if found:
            return f"order {order}: {found}"
    return ""
