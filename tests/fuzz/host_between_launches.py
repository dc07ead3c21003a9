"""Chooses what the host does between two launches."""

from host_programs import STARTS
from host_statements import TOUCHES, Copy, Plain, Set, SetVariable, ShowVariable, Touch
from kernel_expressions import FLOATING, INDEX, PAIR
from kernels import AXES

SIZE_OF = {"float": 4, "double": 8, "unsigned": 4, "int": 4, "short": 2}
SIZE_OF |= {"unsigned char": 1, PAIR: 8, INDEX: 4}


class HostBetweenLaunches:
    """self.rng, self.arrays, self.features and so on are the program maker's."""

    def is_main(self, pointers):
        return "a0" in pointers

    def plain(self, pointers):
        """Pointers to what the host allocates and may write."""
        return [
            name
            for name, kind in pointers.items()
            if kind != INDEX
            and (name in self.arrays or not self.is_main(pointers))
        ]

    def some_array(self, pointers):
        return self.rng.choice(self.plain(pointers))

    def between(self, pointers):
        rng = self.rng
        name = self.some_array(pointers)
        kind = pointers[name]
        # What a function allocates it frees by that name: no parameter's.
        same = [
            p
            for p in self.plain(pointers)
            if pointers[p] == kind
            and p != name
            and (p[0] == name[0] or self.is_main(pointers))
        ]
        if "transfers" in self.features and rng.random() < 0.2:
            # Names of a function may be one array, which no copy may overlap.
            if same and self.is_main(pointers) and rng.random() < 0.6:
                return [self.whole_copy(kind, name, rng.choice(same))]
            return [self.clear(name, kind)]
        if "managed" in self.features and self.is_main(pointers):
            if rng.random() < 0.15:
                return [self.touch(name, kind)]
        if self.variables and self.is_main(pointers) and rng.random() < 0.1:
            return [self.variable()]
        wants_swaps = "exchange" in self.features and not self.alone
        if wants_swaps and same and rng.random() < 0.1:
            return [self.swap(kind, name, rng.choice(same))]
        return self.rarely(pointers, name, same)

    def rarely(self, pointers, name, same):
        """What a program has little of."""
        rng = self.rng
        kind = pointers[name]
        roll = rng.random() / self.oddity
        in_main = self.is_main(pointers)
        if roll < 0.04 and same and not self.alone:
            return [self.swap(kind, name, rng.choice(same))]
        if roll < 0.06 and same and in_main:
            count = rng.choice(["n", "n", "(n - 5)", "7"])
            return [Copy(kind, name, rng.choice(same), count, self.stream())]
        if roll < 0.08:
            count = rng.randint(1, self.total // 2)
            return [Set(name, rng.choice([0, 1, 63]), count, self.stream())]
        if roll < 0.10 and in_main:
            return [self.show(name, kind)]
        if roll < 0.13:
            return [self.change(rng.choice(["m -= 3", "m = n - 9", "m = n"]))]
        if roll < 0.15:
            axis = rng.choice(AXES[: self.dims])
            return [self.change(f"grid0.{axis} {rng.choice(['+= 1', '-= 1'])}")]
        if roll < 0.18:
            checks = ["DeviceSynchronize", "GetLastError", "PeekAtLastError"]
            return [Plain(f"cuda{rng.choice(checks)}()")]
        return []

    def whole_copy(self, kind, target, source):
        """Of all elements that kernels see, or nearly."""
        count = self.rng.choice(["n"] * 8 + ["(n - 1)"])
        self.recent.append(target)
        return Copy(kind, target, source, count, self.stream())

    def clear(self, name, kind):
        count = self.rng.choice(["n"] * 6 + ["n / 2", "(n - 1)"])
        self.recent.append(name)
        size = f"{count} * sizeof({kind})"
        return Set(name, self.rng.choice([0, 0, 1]), size, self.stream())

    def variable(self):
        """The host reads or writes a device variable."""
        rng = self.rng
        name = rng.choice(list(self.variables))
        kind, length = self.variables[name]
        if rng.random() < 0.4:
            return ShowVariable(name, SIZE_OF[kind] * length)
        if length > 1 and rng.random() < 0.5:
            length //= 2
        return SetVariable(name, kind, rng.randrange(STARTS), length)

    def touch(self, name, kind):
        """The host reads or writes managed memory."""
        rng = self.rng
        value = ""
        if rng.random() < 0.4:
            value = "0.75f" if kind in (*FLOATING, PAIR) else "7"
        member = ".x" if kind == PAIR else ""
        forms = list(TOUCHES) if "acts" in self.features else [""]
        place = rng.randrange(self.total)
        return Touch(name, place, member, value, rng.choice(forms))
