"""Makes random programs."""

import math

from features import FEATURES, HOST_FEATURES, MERGED, VARIED
from find_races import without_races
from host_between_launches import SIZE_OF, HostBetweenLaunches
from host_control_flow import CHAINED, Chain, Switch
from host_features import HostFeatures
from host_functions import HostFunctions
from host_programs import ALL_SIZES, STARTS, Launch, Program
from host_statements import Branch, Look, Loop, Plain, Show, ShowVariable
from kernel_building_blocks import NARROWER
from kernel_expressions import INDEX, PAIR
from kernels import AXES
from launch_arguments import LaunchArguments
from launches import BLOCKS, Launches
from make_kernels import TYPES, KernelMaker

WHOLE = ["int", "int", "unsigned", "unsigned char", "unsigned char", "short"]
PAD = 64  # elements that an array is longer than the domain


class ProgramMaker(
    HostBetweenLaunches, HostFunctions, Launches, LaunchArguments, HostFeatures
):
    def __init__(self, rng, features=()):
        """With these features alone, if any; else with random ones."""
        self.rng = rng
        self.features = {
            name for name, (rate, _) in FEATURES.items() if rng.random() < rate
        }
        if rng.random() < 0.4:  # kfuse goes further where there is little odd
            self.features -= {*HOST_FEATURES, *VARIED}
        if "twists" in self.features:
            self.features &= MERGED
        for name in ("cursors", "differences"):
            if name in self.features and rng.random() < 0.6:
                self.features = {name}
        self.features = {*features} or self.features
        self.is_small = "small" in self.features
        if self.is_small:
            self.features -= {"streams", "variables", "folds", "tables", "rows"}
            self.features |= set(rng.sample(HOST_FEATURES, 2))
        folds = "folds" in self.features
        self.dims = rng.choice([2, 3, 3] if folds else [1, 1, 2, 2, 2, 3])
        if self.is_small:
            self.dims = 1
        if "twists" in self.features:
            self.dims = rng.choice([1, 1, 1, 2])
        self.block = rng.choice(BLOCKS[self.dims - 1])
        self.extents = self.domain()
        self.kernels = KernelMaker(rng, self.dims, self.block)
        self.made = []  # kernels, to be launched again
        self.launched = 0
        kind = rng.choice(TYPES)
        self.kinds = [kind]
        if rng.random() < 0.35 and not self.is_small:
            self.kinds.append(
                rng.choice(NARROWER.get(kind, TYPES) + TYPES[-4:])
            )
        if "twists" in self.features:
            self.kinds = [rng.choice(WHOLE if rng.random() < 0.7 else TYPES)]
        self.shift = 0  # of all arrays, mostly
        if "images" in self.features:
            self.kinds = [rng.choice(["unsigned char"] * 2 + ["short"])]
            self.shift = rng.choice([0, 1, 1, 2, 3])
        self.recent = []  # written lately
        # How often there is something odd: kfuse has less reason to refuse an
        # even program, and goes further with it.
        self.oddity = self.kernels.oddity = rng.choice([1, 1, 0.3, 0.1, 0.1])
        simple = {"twists", "cursors", "differences"}
        if self.is_small or self.features & simple:
            self.oddity = self.kernels.oddity = 0.1
        # kfuse swaps pointers that only one variable knows.
        self.alone = "exchange" in self.features and rng.random() < 0.75
        if self.alone:
            self.features -= {"streams", "wrappers", "managed", "views"}
            self.features -= {"cursors", "differences"}
        if {"views", "cursors"} & self.features:
            self.features -= {"scopes"}
        self.kernels.features = sorted(self.features)
        self.variables = {}  # of the device: type and length
        self.wrappers = []  # functions around a launch or two

    def domain(self):
        """The extents, sometimes whole blocks."""
        rng = self.rng
        ranges = [(150, 600)], [(20, 45), (9, 24)], [(8, 17), (5, 9), (3, 8)]
        extents = [rng.randint(*span) for span in ranges[self.dims - 1]]
        if rng.random() < 0.3:
            extents = [-(-e // b) * b for e, b in zip(extents, self.block)]
        return extents

    def program(self):
        rng = self.rng
        names = ["n"] if self.dims == 1 else ALL_SIZES[1 : self.dims + 1]
        constant = rng.random() < (0.3 if "twists" in self.features else 0.6)
        self.kernels.rows = constant and "rows" in self.features
        sizes, total = {}, 1
        for name, extent in zip(names, self.extents):
            sizes[name] = str(extent) if constant else f"argc + {extent - 1}"
            total *= extent
        if self.dims > 1:
            sizes["n"] = " * ".join(names)
        self.sizes, self.total = sizes, total
        arrays = {}
        for kind in self.kinds:
            many = rng.randint(3, 5) if self.oddity == 1 else rng.randint(5, 8)
            if self.is_small or self.features in ({"cursors"}, {"differences"}):
                many = 3
            for _ in range(many):
                arrays[f"a{len(arrays)}"] = (kind, rng.randrange(STARTS))
        self.inlined = self.alone or rng.random() < 0.7
        if "tables" in self.features:
            arrays["index"] = (INDEX, 0)
        pointers = {name: kind for name, (kind, _) in arrays.items()}
        if "exchange" in self.features:  # known to nobody else
            arrays["spare"] = (self.kinds[0], rng.randrange(STARTS))
        self.scratches = []
        if "scratches" in self.features:
            self.scratches = [f"scratch{k}" for k in range(rng.randint(2, 6))]
        self.unused = list(self.scratches)
        for name in self.scratches:
            arrays[name] = (self.kinds[0], rng.randrange(STARTS))
        # As long as the domain, so that a kernel may store to all of it.
        self.exact = rng.random() < (
            0.95 if {"exchange", "scratches"} & self.features else 0.3
        )
        self.exact &= not self.shift
        program = Program(
            sizes,
            total if self.exact else total + PAD,
            arrays,
            [],
            constant=constant,
            extents=tuple(self.extents),
            managed="managed" in self.features,
        )
        if "statics" in self.features:
            program.statics = {a for a in arrays if rng.random() < 0.6}
            program.statics -= {"index", *self.scratches}
        if self.exact and rng.random() < 0.8:
            program.length_text = "n"
        self.arrays = arrays
        self.add_variables(program, pointers)
        self.add_views(program, pointers)
        self.add_counters(program)
        self.add_cursors(program)
        if "acts" in self.features:
            program.watched = self.some_array(pointers)
        self.add_table(program)
        self.add_streams(program)
        count = rng.choice([2, 3, 4, 4, 5, 5, 6, 6, 7, 8, 8, 10, 14, 24])
        if self.is_small:
            count = rng.randint(2, 4)
        if "twists" in self.features:
            count = rng.randint(2, 7)
        program.body = self.top(pointers, count)
        shown = [name for name in pointers if rng.random() < 0.45]
        shown = [name for name in shown if name in arrays] or ["a0"]
        program.shown = []
        for name in shown:
            known = rng.choice([name, *self.views.get(name, [])])
            program.shown += self.acted([self.show(known, arrays[name][0])])
        for name, (kind, _) in program.variables.items():
            size = SIZE_OF[kind] * program.length_of(name)
            program.shown.append(ShowVariable(name, size))
        program.frees = rng.random() < 0.7
        return without_races(program, rng)

    def add_variables(self, program, pointers):
        """Device variables, of which a pointer may know too."""
        rng = self.rng
        if "variables" not in self.features:
            return
        for number in range(rng.randint(1, 3)):
            kind = rng.choice(self.kinds)
            is_array = kind == PAIR or rng.random() < 0.55
            name = f"{'global' if is_array else 'scalar'}{number}"
            place = rng.randrange(STARTS) if rng.random() < 0.7 else None
            program.variables[name] = (kind, place)
            if is_array and rng.random() < 0.3:
                program.aliases[f"p{number}"] = name
                pointers[f"p{number}"] = kind
            self.variables[name] = (kind, program.length_of(name))
        self.kernels.variables = {
            name: kind for name, (kind, _) in self.variables.items()
        }

    def add_table(self, program):
        """What arrays of indices hold: a permutation mostly."""
        rng, total = self.rng, self.total
        steps = [s for s in range(2, 50) if math.gcd(s, total) == 1]
        choices = [f"k * {rng.choice(steps)} % {total}", f"{total} - 1 - k"]
        choices += ["k / 2", f"k * k % {total}", "k"]
        inside = rng.choices(choices, [6, 2, 2, 2, 1])[0]
        program.indices = f"k < {total} ? {inside} : k"
        python = inside.replace("/", "//")
        self.kernels.table = Table(
            [eval(python, {"k": k}) for k in range(total)]  # our own text
        )

    def add_streams(self, program):
        """One stream for all, or two."""
        self.streams = []
        if "streams" in self.features:
            self.streams = ["stream0", "stream1"][: self.rng.randint(1, 2)]
        program.streams = self.streams
        # How often a step is left on the default stream.
        self.default = self.rng.choice([0, 0, 0.15]) if self.streams else 1
        self.last = ""  # stream

    def stream(self):
        """For the next step; mostly that of the last one."""
        rng = self.rng
        if rng.random() < self.default:
            return ""
        if not self.last or rng.random() < 0.3:
            self.last = rng.choice(self.streams)
        return self.last

    def show(self, name, kind):
        size = SIZE_OF[kind] * self.total
        return Show(name, size, not self.inlined)

    def top(self, pointers, count):
        """main's body: launches, and calls of functions."""
        rng = self.rng
        body = self.shapes()
        while count > 0:
            if rng.random() < 0.12 * self.oddity and not self.alone:
                inner = rng.randint(2, min(6, max(2, count)))
                body += self.calls(pointers, inner)
                count -= inner
                continue
            here = rng.randint(2, 6) if self.oddity == 1 else rng.randint(3, 9)
            if self.is_small:
                here = count
            count -= here
            body += self.nested(pointers, here)
        return body

    def nested(self, pointers, count):
        """Launches, perhaps in a loop or a branch."""
        rng = self.rng
        if "exchange" in self.features and rng.random() < 0.4:
            return self.rhythm(pointers)
        if self.has("scopes", 0.3):
            return self.scoped(pointers, count)
        inner = self.straight(pointers, count)
        if self.has("control", 0.4):
            return self.around(pointers, inner)
        if self.has("chains", 0.5):
            return self.chained(pointers, inner)
        roll = rng.random() / self.oddity
        if roll < 0.12:
            return [Loop(rng.randint(2, 3), inner)]
        if roll < 0.18:
            choices = ["n > 10", "m < 100000", "n % 2 == 0", "m == n"]
            if self.is_main(pointers):
                choices += ["argc > 0", "argc < 9", "argc > 5"]
            condition = rng.choice(choices)
            other = self.straight(pointers, 2) if rng.random() < 0.4 else []
            return [Branch(condition, inner, other)]
        if roll < 0.22:
            name = self.some_array(pointers)
            size = SIZE_OF[pointers[name]] * self.total
            only = [s for s in inner if isinstance(s, Launch)]
            return [Look(name, size, rng.randrange(min(size, 400)), only)]
        return inner

    def straight(self, pointers, count):
        """Launches with host code between."""
        body = []
        for number in range(count):
            if number or self.rng.random() < 0.3:
                body += self.acted(self.between(pointers))
            if self.has("acts", 0.12):
                body += self.hidden(pointers)
            if self.has("counts", 0.3) and self.is_main(pointers):
                body += self.acted(self.recount())
            if self.has("views", 0.15) and self.is_main(pointers):
                body += self.acted(self.reseated())
            if self.has("checks", 0.4):
                body += self.check(pointers)
            launches = self.some_launch(pointers)
            if self.has("flags", 0.5):
                launches = self.chosen_launches(pointers, launches)
            body += launches
            if "flags" in self.features:
                body += self.error_check(0.2)
        return body

    def chosen_launches(self, pointers, launches):
        """The launches under a condition, perhaps beside others in its other
        arms."""
        rng = self.rng
        arms = [launches]
        if rng.random() < 0.4:
            arms += [self.some_launch(pointers) for _ in range(rng.randint(1, 2))]
        arms = [arm + self.error_check(0.4) for arm in arms]
        rng.shuffle(arms)
        labels = len(arms) - (rng.randint(0, 1) if len(arms) > 1 else 0)
        if len(arms) > 1 and rng.random() < 0.4:
            return [Switch("n % 4", rng.sample(range(4), labels), arms)]
        return [Chain(rng.sample(CHAINED, labels), arms)]

    def error_check(self, chance):
        if self.rng.random() >= chance:
            return []
        return [Plain(f"cuda{self.rng.choice(['Get', 'PeekAt'])}LastError()")]

    def some_launch(self, pointers):
        """A launch, or a small function or loop around one or two."""
        rng = self.rng
        if "wrappers" in self.features and self.is_main(pointers):
            if self.wrappers and rng.random() < 0.3:
                return [self.invoke(rng.choice(self.wrappers), pointers)]
            if rng.random() < 0.12:
                return self.calls(pointers, rng.randint(1, 2), small=True)
        if self.has("methods", 0.3) and self.is_main(pointers):
            count = rng.randint(2, 3)
            each = [self.calls(pointers, 1, small=True) for _ in range(count)]
            return [invoke for calls in each for invoke in calls[:1]]
        if self.has("escapes", 0.25) and self.is_main(pointers):
            return self.calls(pointers, rng.randint(2, 3))
        if self.unused and self.has("scratches", 0.6):
            if self.is_main(pointers):
                return self.through(pointers)
        if "rounds" in self.features and rng.random() < 0.15:
            inner = [self.launch(pointers)]
            if rng.random() < 0.6:
                inner += self.between(pointers) + [self.launch(pointers)]
            return [Loop(rng.randint(2, 4), inner)]
        return [self.launch(pointers)]

    def through(self, pointers):
        """Launches that pass an array on which nobody else knows, of which the
        later ones may read any element; perhaps through another one."""
        rng = self.rng
        body, known = [], []
        self.inputs = set()
        for _ in range(rng.choice([1, 1, 2])):
            shapes = ["point", "point", "point", "copy", "branch", "cover"]
            # Few are used again: then they are needed in memory.
            name = rng.choice(self.scratches)
            if self.unused and rng.random() < 0.95:
                name = self.unused.pop()
            body.append(self.passing(pointers, shapes, known, name))
            known.append(name)
        for _ in range(rng.choice([1, 1, 2])):
            if rng.random() < 0.2:
                body += self.acted(self.between(pointers))
            shapes = ["far", "far", "far", "stencil", "window", "point"]
            if "tables" in self.features:
                shapes += ["gather", "gather"]
            body.append(self.passing(pointers, shapes, known, ""))
        return body

    def passing(self, pointers, shapes, sources, target):
        """A launch that reads one of these arrays, if any, and writes this one,
        if any."""
        rng, kind = self.rng, self.kinds[0]
        kernel = None
        while kernel is None or not set(kernel.types) <= {kind, INDEX}:
            kernel = self.kernels.kernel(kind, rng.choice(shapes))
        bound = self.bound(kernel, pointers)
        written = kernel.written()
        read = [
            p
            for p, found in enumerate(kernel.types)
            if p not in written and found == kind and p not in kernel.named
        ]
        if sources and read:
            bound[rng.choice(read)] = (rng.choice(sources), 0)
        outputs = sorted(written - set(kernel.named))
        if target and outputs:
            bound[outputs[0]] = (target, 0)
            self.inputs |= {name for name, _ in bound}
        elif rng.random() < 0.85:  # else what was read may change
            free = [
                p
                for p in self.plain(pointers)
                if pointers[p] == kind and p not in self.inputs
            ]
            for p in outputs[: len(free)]:
                bound[p] = (free.pop(rng.randrange(len(free))), 0)
        return self.launched_with(kernel, bound, rng.random() < 0.85)

    def rhythm(self, pointers):
        """A loop of steps that each end in a copy back, an exchange, or an
        update of what the step has read."""
        rng = self.rng
        kind = self.kinds[0]
        same = [p for p in self.plain(pointers) if pointers[p] == kind]
        one, other = rng.sample(same, 2)
        if rng.random() < 0.7:
            other = "spare"
        renews = self.exact and rng.random() < 0.5
        shapes = ["cover"] if renews else ["cover", "cover", "copy"]
        step = self.kernels.kernel(kind, rng.choice(shapes))
        is_whole = rng.random() < 0.8
        body = [self.launched_with(step, [(one, 0), (other, 0)], is_whole)]
        if rng.random() < (0.15 if renews else 0.4):
            body.append(self.launch(pointers))
        roll = rng.random()
        if renews:
            body.append(self.renewal(kind, one, other, same))
        elif roll < 0.55:
            back = self.kernels.kernel(kind, rng.choice(["copy", "whole"]))
            if len(back.types) == 2 and not back.named:
                pair = [(other, 0), (one, 0)]
                if back.name.startswith("whole"):
                    pair = pair[::-1]
                is_whole = rng.random() < 0.8
                body.append(self.launched_with(back, pair, is_whole))
        elif roll < 0.85:
            body.append(self.whole_copy(kind, one, other))
        else:
            body += self.between(pointers)
        if rng.random() < 0.3:
            body.append(self.launch(pointers))
        self.recent.append(one)
        return [Loop(rng.randint(2, 4), body)] if rng.random() < 0.8 else body

    def renewal(self, kind, array, change, others):
        """A launch that updates the array, mostly by the change."""
        rng = self.rng
        while True:
            shape = rng.choice(["update", "update", "point", "branch"])
            kernel = self.kernels.kernel(kind, shape)
            is_like = set(kernel.types) == {kind} and not kernel.named
            if is_like and kernel.dims == self.dims:
                break
        kernel.template &= rng.random() < 0.2
        if rng.random() < 0.7:  # else it may leave something out
            names = ["i"] if kernel.dims == 1 else AXES
            kernel.guard = [f"{c} < {s}" for c, s in zip(names, kernel.sizes())]
        written = kernel.written()
        read = [p for p in range(len(kernel.types)) if p not in written]
        bound = [(array, 0) for _ in kernel.types]
        for p in read:
            roll = rng.random()
            choice = change if roll < 0.6 else rng.choice(others)
            bound[p] = (array if roll > 0.85 else choice, 0)
        for p in sorted(written)[1:]:
            bound[p] = (rng.choice(others), 0)
        return self.launched_with(kernel, bound, rng.random() < 0.85)


class Table:
    """Numbers that anything may be looked up in."""

    def __init__(self, values):
        self.values = values

    def __getitem__(self, place):
        return self.values[place] if 0 <= place < len(self.values) else 0


def make_program(rng, features=()):
    """A program with at least two launches and no race; of these features, if
    any are given."""
    while True:
        program = ProgramMaker(rng, features).program()
        if len(program.launches()) > 1:
            return program
