"""Fuses a program, by the search of kfuse or by plans that ask for groups."""

import collections
import itertools
import json
import os
import re
import subprocess
from dataclasses import dataclass, field

# The executor contracts no sums, as a compiler that is asked may.
os.environ.setdefault("KFUSE_NVCC", "none")

SECONDS = 120
# kfuse copies statements of functions to their calls, launches with them: the
# copies of launch 7 have the numbers 7 + COPY, 7 + 2 * COPY, ...
COPY = 10000
# The parts of launch 7 have the numbers 7 + PART, 7 + 2 * PART, ...; which
# arrays the nth of these writes, the program remembers.
PART = 10**8
# A memset that kfuse takes for a launch has the number of its line from here.
MEMSET = 5000
# Of a pair, these may be wrong in a group that has more members.
PARTS = "Parts"  # the refusal of a launch in parts
NOT_FINAL = {"Fused", "NoGain", "NotConvex", "NoSharedArrays"}
# nvcc takes this on parameters of kernels alone; Clang takes it anywhere.
MISPLACED = re.compile(r"__device__[^;{}]*__grid_constant__")
OPTIONS = [
    [],
    [],
    [],
    ["--elements-per-thread=1"],
    ["--elements-per-thread=8"],
    ["--assume-threads=100000"],
    ["--relaxed-rounding"],
    ["--relaxed-rounding", "--elements-per-thread=1"],
    ["--no-runtime-checks"],
]
SEARCHES = [[], ["--seed=7"], ["--search=greedy"], ["--relaxed-rounding"]]
SEARCHES += [["--assume-threads=100000"], ["--elements-per-thread=1"]]


@dataclass
class Fusion:
    """What kfuse did. groups hold launches' numbers; failure says what must
    not happen; refusal is the name of an obstacle."""

    options: list
    text: str = ""
    launches: list = field(default_factory=list)  # their numbers, in order
    groups: list = field(default_factory=list)
    schedules: list = field(default_factory=list)
    dead: list = field(default_factory=list)
    swapped: list = field(default_factory=list)  # lists of labels
    lost: list = field(default_factory=list)
    pairs: dict = field(default_factory=dict)  # of launches: an obstacle
    refusal: str = ""
    refused: list = field(default_factory=list)  # whom the refusal names
    failure: str = ""

    def parts(self):
        """How many parts of launches are fused."""
        return sum(u >= PART for group in self.fused() for u in group)

    def fused(self):
        """The groups of more than one launch, as something to compare."""
        groups = [tuple(sorted(g)) for g in self.groups if len(g) > 1]
        return tuple(sorted(groups))


def numbered(program):
    """The program's text, and the line of each launch by its number."""
    lines, places = [], {}
    for number, line in enumerate(program.text().split("\n"), 1):
        text, mark, uid = line.partition(" //@")
        if mark:
            places[int(uid)] = number
        lines.append(text)
    return "\n".join(lines), places


def plan_of(program, places, groups):
    """The plan file that asks for these groups."""
    kernels = {launch.uid: launch.kernel.name for launch in program.launches()}
    kernels |= program.memsets
    entries = []
    for group in groups:
        launches = [
            {
                "kernel": kernels[u % COPY],
                "line": places.get(u % COPY, u % COPY - MEMSET),
                "index": u % PART // COPY,
            }
            for u in group
        ]
        for u, launch in zip(group, launches):
            if u >= PART:
                launch["outputs"] = list(program.outputs[u // PART - 1])
        entries.append({"launches": launches})
    return json.dumps({"version": 1, "groups": entries}, indent=1)


def part_of(program, uid, outputs):
    """The number of what of a launch writes these."""
    outputs = tuple(sorted(outputs))
    if outputs not in program.outputs:
        program.outputs.append(outputs)
    return uid + PART * (program.outputs.index(outputs) + 1)


def copies_before(seen, outputs):
    """How often a launch was seen before, whole or in parts with these."""
    one = min(outputs, default=min((o for s in seen for o in s), default=""))
    return sum(not other or one in other for other in seen)


def fuse(kfuse, program, folder, options, groups=None, flags=()):
    """Runs kfuse on the program, with a plan if groups are given, and flags for
    its compiler."""
    text, places = numbered(program)
    source, output = folder / "program.cu", folder / "fused.cu"
    source.write_text(text)
    command = [kfuse, "--quiet", "--emit=json", *options, source, "-o", output]
    fusion = Fusion(options)
    if groups is not None:
        plan = folder / "plan.json"
        plan.write_text(plan_of(program, places, groups))
        command.append(f"--plan={plan}")
        fusion.groups = groups
    if flags:
        command += ["--", *flags]
    try:
        result = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        fusion.failure = f"kfuse takes more than {SECONDS} seconds"
        return fusion
    if result.returncode == 1 and groups is not None:
        fusion.refusal = obstacle_of(result.stderr)
        fusion.refused = named_in(result.stderr, program, places)
        return fusion
    if result.returncode != 0:
        fusion.failure = f"kfuse ends with {result.returncode}\n{result.stderr}"
        return fusion
    fusion.groups = []
    uids = {line: uid for uid, line in places.items()}
    found = json.loads(result.stdout)
    order, seen = [], collections.defaultdict(list)
    for launch in found.get("launches", []):
        uid = uids.get(launch["line"])
        if uid is None:
            uid = MEMSET + launch["line"]
            program.memsets[uid] = launch["kernel"]
        outputs = launch.get("outputs", [])
        copy = uid + COPY * copies_before(seen[uid], outputs)
        seen[uid].append(outputs)
        order.append(part_of(program, copy, outputs) if outputs else copy)
    fusion.launches = order
    fusion.text = output.read_text()
    if MISPLACED.search(fusion.text):
        fusion.failure = "__grid_constant__ where there is no kernel"
        return fusion
    for group in found.get("groups", []):
        fusion.groups.append([order[number] for number in group["launches"]])
        if len(group["launches"]) > 1:
            fusion.schedules.append(group["schedule"])
        for pair in itertools.combinations(fusion.groups[-1], 2):
            fusion.pairs[frozenset(pair)] = "Fused"
    fusion.dead = found.get("deadLabels", [])
    fusion.swapped = found.get("swappedLabels", [])
    fusion.lost = found.get("lostLabels", [])
    for remark in found.get("remarks", []):
        pair = [order[number] for number in remark.get("launches", [])]
        if len(pair) == 2 and not remark["fused"]:
            fusion.pairs[frozenset(pair)] = remark["name"]
    return fusion


def obstacle_of(errors):
    found = re.search(r"error: ([A-Z][A-Za-z]+): ", errors)
    if found:
        return found[1]
    if re.search(r"has no parts|no part of|writes '|can't be several", errors):
        return PARTS
    return errors.strip().split("\n")[0].split("error: ")[-1][:60] or "silence"


def named_in(errors, program, places):
    """The numbers of the launches that a refusal names first, up to two. A
    kernel is named with the line where it is launched more than once."""
    found = []
    for name, line in re.findall(r"'(\w+)'(?: \(line (\d+)\))?", errors):
        fitting = [
            launch.uid
            for launch in program.launches()
            if launch.kernel.name == name
            and (not line or places[launch.uid] == int(line))
        ]
        if len(fitting) == 1 and fitting[0] not in found:
            found += fitting
    return found[:2]


def order_of(kfuse, program, folder):
    """Which step waits for which, as pairs; launches by their numbers, copies
    by those of what they are copies of."""
    text, places = numbered(program)
    source = folder / "program.cu"
    source.write_text(text)
    result = subprocess.run(
        [kfuse, "--quiet", "--emit=graphs", source],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    uids = {str(line): uid for uid, line in places.items()}
    uids |= {str(uid - MEMSET): uid for uid in program.memsets}
    edge = re.compile(r"^  (.*:(\d+)) -> (.*:(\d+)) (?:RAW|WAR|WAW|fixed)")
    found = set()
    for line in result.stdout.split("order of execution graph")[-1].split("\n"):
        match = edge.match(line)
        if match:
            one, other = uids.get(match[2], match[1]), uids.get(
                match[4], match[3]
            )
            # Of one copy for another, this says nothing of the original.
            if not (isinstance(one, int) and isinstance(other, int)) or (
                one < other
            ):
                found.add((one, other))
    return found


def can_be_ordered(groups, order):
    """Whether the groups can run one after the other."""
    home = {uid: number for number, group in enumerate(groups) for uid in group}
    after = {}
    for one, other in order:
        one, other = home.get(one, one), home.get(other, other)
        if one != other:
            after.setdefault(one, set()).add(other)
    left = set(after)
    while left:
        ready = {n for n in left if not after[n] & left}
        if not ready:
            return False
        left -= ready
    return True


def random_groups(rng, regions, pairs):
    """A random partition that mostly avoids what pairs already forbid.

    regions are the launches in their order, those of one branch together.
    """
    if rng.random() < 0.05:
        groups = [[uid] for region in regions for uid in region]
        for _ in range(min(2, len(groups) - 1)):
            one, other = rng.sample(groups, 2)
            groups.remove(other)
            one += other
        return groups

    def may_join(one, other):
        return all(
            pairs.get(frozenset((a, b)), "NoSharedArrays") in NOT_FINAL
            for a in one
            for b in other
        )

    found = []
    wish = rng.choice([0.3, 0.6, 0.9])
    for region in regions:
        groups = [[uid] for uid in region]
        for _ in range(len(region)):
            at = rng.randrange(len(groups))
            # Neighbours mostly, so that no launch must run between.
            to = at + 1 if rng.random() < 0.7 else rng.randrange(len(groups))
            if to >= len(groups) or to == at or rng.random() > wish:
                continue
            if may_join(groups[at], groups[to]):
                groups[at] += groups[to]
                del groups[to]
        found += groups
    return found


def smaller(rng, groups):
    """The groups with one member of one of them left alone."""
    groups = [list(group) for group in groups]
    large = [group for group in groups if len(group) > 1]
    if large:
        group = rng.choice(large)
        groups.append([group.pop(rng.randrange(len(group)))])
    return groups


def learn(fusion, program, pairs):
    """Remembers the pair that a plan was refused for, where it is one."""
    if any(option.startswith("--no-") for option in fusion.options):
        return
    refused = fusion.refused
    if fusion.refusal == "BarrierMismatch" and len(refused) == 1:
        # The other one is whoever has the barrier.
        refused = refused + [
            launch.uid for launch in program.launches() if launch.kernel.threads
        ]
    for other in refused[1:]:
        pairs[frozenset((refused[0], other))] = f"refused: {fusion.refusal}"


class Explorer:
    """Looks for different fusions of one program."""

    def __init__(
        self, kfuse, program, folder, rng, tell, flags=(), is_exact=False
    ):
        self.kfuse, self.program, self.folder = kfuse, program, folder
        self.rng, self.tell = rng, tell  # tell takes what wasn't accepted
        self.flags = flags  # of the compiler
        self.is_exact = is_exact  # to the last bit, whoever compiles it
        self.found, self.texts, self.tried = [], set(), set()
        self.whole = set()  # launches that can't be in parts

    def run(self, count):
        """Up to count fusions that differ in their text."""
        first = self.fuse(self.allowed(SEARCHES), None)
        self.pairs = dict(first.pairs)
        # kfuse leaves out what is never run.
        listed = {uid for group in first.groups for uid in group}
        copies = range(max((u % PART for u in listed), default=0) // COPY + 1)
        regions = [
            [
                uid
                for uid in first.launches
                if uid in listed
                and uid % COPY in region
                and uid % PART // COPY == copy
            ]
            for region in self.program.regions()
            for copy in copies
        ]
        regions = [region for region in regions if region]
        self.add_memsets(first.launches, listed, regions)
        if len(listed) < 2:
            return self.found
        self.order = order_of(self.kfuse, self.program, self.folder)
        for _ in range(count * 4):
            if len(self.found) < count:
                some = [self.split(region) for region in regions]
                self.explore(random_groups(self.rng, some, self.pairs))
        return self.found

    def add_memsets(self, launches, listed, regions):
        """Each in the region of the launch that follows it."""
        following = None
        for uid in reversed(launches):
            if uid % COPY not in self.program.memsets:
                following = uid
            elif uid in listed:
                home = [r for r in regions if following in r]
                if home:
                    home[0].insert(home[0].index(following), uid)
                    following = uid
                else:
                    regions.append([uid])

    def split(self, region):
        """The launches with some in parts, and some not that were so."""
        rng, found = self.rng, []
        kernels = {l.uid: l.kernel for l in self.program.launches()}
        kept = {uid % PART for uid in region if rng.random() < 0.8}
        for uid in region:
            whole = uid % PART
            if uid != whole and whole in kept:
                found.append(uid)
            elif uid == whole and rng.random() < 0.5:
                found += self.parts(uid, kernels.get(uid % COPY))
            elif whole not in found:
                found.append(whole)
        return found

    def parts(self, uid, kernel):
        """Two parts of a launch, where it may have any."""
        outputs = kernel.outputs() if kernel else []
        if uid % COPY in self.whole or len(outputs) < 2:
            return [uid]
        self.rng.shuffle(outputs)
        at = self.rng.randrange(1, len(outputs))
        parts = sorted([outputs[:at], outputs[at:]], key=min)
        return [part_of(self.program, uid, part) for part in parts]

    def explore(self, groups):
        """Asks for these groups, or for a part of them."""
        for _ in range(6):
            if all(len(group) == 1 for group in groups):
                return
            # Rarely, to hear how kfuse refuses it.
            if can_be_ordered(groups, self.order) or self.rng.random() < 0.02:
                options = self.allowed(OPTIONS)
                key = (str(sorted(sorted(g) for g in groups)), str(options))
                if key in self.tried:
                    return
                self.tried.add(key)
                fusion = self.fuse(options, groups)
                if not fusion.refusal:
                    return
                learn(fusion, self.program, self.pairs)
                if fusion.refusal == PARTS:
                    self.whole.update(u % COPY for u in fusion.refused)
                    return
            groups = smaller(self.rng, groups)

    def allowed(self, choices):
        options = self.rng.choice(choices)
        if self.is_exact:
            options = [one for one in options if one != "--relaxed-rounding"]
        return options

    def fuse(self, options, groups):
        fusion = fuse(
            self.kfuse, self.program, self.folder, options, groups, self.flags
        )
        if fusion.failure or fusion.refusal:
            self.tell(fusion)
        elif fusion.fused() and fusion.text not in self.texts:
            self.texts.add(fusion.text)
            self.found.append(fusion)
        return fusion
