"""Makes arguments of launches that move pointers, or reach arrays from others."""

from dataclasses import dataclass

from host_aliases import meant


@dataclass
class Cursor:
    """A pointer of the host that moves from array to array."""

    kind: str
    name: str
    array: str

    def lines(self):
        return [f"{self.kind} *{self.name} = {self.array};"]

    def simulate(self, _simulation, scope):
        scope[self.name] = scope[meant(scope, self.array)]


# Ways for an argument {e} to give a variable {v} the value {w}.
MOVES = {
    "comma": "({v} = {w}, {e})",
    "choice": "(({v} = {w}) ? {e} : {e})",
    "lambda": "[&] {{\n    {v} = {w};\n    return {e};\n  }}()",
    "stepped": "({v} = {w}, {v} += 1, {v} -= 1, {e})",
    "after": "std::exchange({v}, {w}) == nullptr ? {e} : {e}",
}


@dataclass
class Move:
    """One argument of a launch gives a cursor another array."""

    form: str
    cursor: str
    array: str

    def around(self, text):
        return MOVES[self.form].format(v=self.cursor, w=self.array, e=text)

    def simulate(self, scope):
        scope[self.cursor] = scope[meant(scope, self.array)]


class LaunchArguments:
    """self.rng, self.features and so on are the program maker's."""

    def add_cursors(self, program):
        self.cursors = []
        if "cursors" not in self.features:
            return
        for number in range(self.rng.randint(1, 2)):
            kind = self.rng.choice(self.kinds)
            same = [a for a, (k, _) in program.arrays.items() if k == kind]
            cursor = Cursor(kind, f"at{number}", self.rng.choice(same))
            self.cursors.append(cursor)
            program.views.append(cursor)

    def by_cursors(self, kernel, bound):
        """Pointers of main as cursors, some of them."""
        found = []
        for kind, (name, offset) in zip(kernel.types, bound):
            same = [c.name for c in self.cursors if c.kind == kind]
            if same and name in self.arrays and self.rng.random() < 0.7:
                name = self.rng.choice(same)
            found.append((name, offset))
        return found

    def move(self, bound):
        """What an argument of a launch of these arrays changes. Another one may
        name it: then either value is right, and compilers keep to one."""
        free = [c for c in self.cursors if c.name not in dict(bound)]
        if self.rng.random() < 0.4:
            free = self.cursors
        if not free or self.rng.random() > 0.8:
            return None
        cursor = self.rng.choice(free)
        same = [a for a, (k, _) in self.arrays.items() if k == cursor.kind]
        form = self.rng.choice(["comma"] * 4 + list(MOVES))
        return Move(form, cursor.name, self.rng.choice(same))

    def differences(self, kernel, bound):
        """Other arrays from which some are reached, by their parameters."""
        if not self.has("differences", 0.3) or kernel.packed:
            return {}
        names = [name for name, _ in bound if name in self.arrays]
        found = {}
        for p, (name, _) in enumerate(bound):
            others = [n for n in names if n != name]
            others = [n for n in others if self.arrays[n][0] == kernel.types[p]]
            if name in self.arrays and others and self.rng.random() < 0.5:
                found[p] = self.rng.choice(others)
        return found
