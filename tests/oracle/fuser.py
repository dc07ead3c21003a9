"""What kfuse and the executor say of one program."""

import collections
import dataclasses
import json
import re
import subprocess

import record

SECONDS = 120  # the longest that a program may run
# Reasons that aren't about who touches what, so not for the oracle to judge.
OPTIONS = ["--quiet", "--relaxed-rounding", "--ignore-timing"]
OBSTACLE = re.compile(r": error: (\w+): (.*)")


class Unusable(Exception):
    """The program can't be judged, and why."""


@dataclasses.dataclass(frozen=True)
class Answer:
    """What kfuse says to a plan with one group."""

    schedule: str  # empty when the group is refused
    obstacle: str = ""
    text: str = ""
    name: str = ""  # of the fused kernel
    conditions: int = 0
    renumbered: int = 0  # members whose threads have another index
    shared: tuple = ()  # members whose threads are shared out among the blocks
    computed: tuple = ()  # members that no thread runs: others call them
    unstored: frozenset = frozenset()  # labels of arrays


def run(command, variables=None):
    try:
        return subprocess.run(
            [str(word) for word in command],
            capture_output=True,
            text=True,
            errors="replace",
            env=variables,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise Unusable(f"{command[0]} takes too long") from None


class Fuser:
    def __init__(self, kfuse, kfuse_cpu, source, arguments, folder):
        self.kfuse, self.kfuse_cpu = kfuse, kfuse_cpu
        self.source, self.arguments, self.folder = source, arguments, folder
        done = run([kfuse, source, *OPTIONS, "--emit=json"])
        if done.returncode:
            raise Unusable("kfuse doesn't read it")
        self.launches = json.loads(done.stdout).get("launches", [])
        turns = collections.Counter()
        self.keys = []
        for launch in self.launches:
            key = launch["kernel"], launch["line"]
            self.keys.append({"kernel": key[0], "line": key[1], "index": turns[key]})
            turns[key] += 1

    def build(self, source, *options):
        program = self.folder / "program"
        include = f"-I{self.source.parent}"
        if run([self.kfuse_cpu, *options, include, source, "-o", program]).returncode:
            raise Unusable("it doesn't build for the executor")
        return program

    def record(self):
        path = self.folder / "accesses"
        program = self.build(self.source, "--record")
        run([program, *self.arguments], {"KFUSE_CPU_ACCESSES": str(path)})
        with path.open(errors="replace") as lines:
            return record.read(lines)

    def save(self, group):
        groups = [{"launches": [self.keys[number] for number in group]}]
        groups += [
            {"launches": [key]}
            for number, key in enumerate(self.keys)
            if number not in group
        ]
        plan = self.folder / ("plan-" + "-".join(map(str, group)) + ".json")
        plan.write_text(json.dumps({"version": 1, "groups": groups}))
        return plan

    def ask(self, group):
        plan = self.save(group)
        done = run([self.kfuse, self.source, *OPTIONS, f"--plan={plan}", "--emit=json"])
        plan.unlink()
        if done.returncode:
            match = OBSTACLE.search(done.stderr)
            if not match:
                raise Unusable(f"kfuse fails for {group}: {done.stderr[-300:]}")
            return Answer("", match[1], match[2])
        answer = json.loads(done.stdout)
        for found in answer["groups"]:
            if found["launches"] == list(group):
                return Answer(
                    found["schedule"],
                    name=found["name"],
                    conditions=found["conditions"],
                    renumbered=found["renumbered"],
                    shared=tuple(found.get("sharedOut", ())),
                    computed=tuple(found.get("computed", ())),
                    unstored=frozenset(answer.get("deadLabels", [])),
                )
        return Answer("", "LaunchNotEditable", "the writer took it apart")

    def runs_of(self, group, name):
        """How often the fused kernel runs in the program fused by this plan."""
        fused, plan = self.folder / "fused.cu", self.save(group)
        done = run([self.kfuse, self.source, *OPTIONS, f"--plan={plan}", "-o", fused])
        if done.returncode:
            raise Unusable(f"kfuse can't write {group}")
        trace = self.folder / "trace"
        variables = {"KFUSE_CPU_TRACE": str(trace), "KFUSE_CPU_TRACE_LAUNCHES": "1"}
        run([self.build(fused), *self.arguments], variables)
        return trace.read_text(errors="replace").count(f"launch {name}\n")
