"""Writes host code that decides which launches run."""

from dataclasses import dataclass

from host_statements import Nested, inside

# Conditions that a check of errors has a part in, as C++ and as Python.
# Only loops have a round.
CONDITIONS = [
    ("cudaGetLastError() != cudaSuccess", "False"),
    ("cudaGetLastError()", "False"),
    ("cudaPeekAtLastError() == cudaSuccess && m > 100000", "m > 100000"),
    ("cudaPeekAtLastError() == cudaSuccess && n > 10", "n > 10"),
    ("!fine(cudaGetLastError()) || m < n", "m < n"),
    ("fine(cudaDeviceSynchronize()) && m == n", "m == n"),
    ("fine(cudaGetLastError()) ? n < 0 : n > 0", "n < 0"),
    ("noted(2) > 9 || cudaGetLastError()", "False"),
    ("const cudaError_t error = cudaGetLastError(); error || n < 9", "n < 9"),
]
ROUNDS = [
    ("cudaGetLastError() != cudaSuccess || round == 1", "round == 1"),
    ("cudaGetLastError() == cudaSuccess && round == 1", "round == 1"),
    ("fine(cudaPeekAtLastError()) && round > 0", "round > 0"),
    ("cudaError_t error = cudaGetLastError(); error || round == 2", "round == 2"),
    ("(cudaDeviceSynchronize() != cudaSuccess) | (round == 1)", "round == 1"),
]
# How a list of statements ends early: before, the jump, after.
LEAVES = {
    "do": ("do {", "break;", "} while (false);"),
    "called": ("[&] {", "return;", "}();"),
    "thrown": ("try {", "throw 1;", "} catch (int) {\n}"),
    "switch": ("switch (1) {\ndefault: {", "break;", "}\n}"),
    "return": ("{", "return;", "}"),  # of a function, at its end
    "jump": ("for (bool first = true; first; first = false) {", "continue;", "}"),
}
CHECKS = [
    "check(cudaGetLastError());",
    'check(cudaPeekAtLastError(), "kernel");',
    "check(cudaDeviceSynchronize());",
    "CHECK(cudaGetLastError());",
    "CHECK(cudaDeviceSynchronize());",
    "assert(cudaGetLastError() == cudaSuccess);",
    "if (cudaGetLastError() != cudaSuccess)\n  exit(1);",
    "if (cudaError_t error = cudaGetLastError())\n  exit(int(error));",
    "if (auto error = cudaGetLastError(); error != cudaSuccess) {\n"
    '  fprintf(stderr, "%s\\n", cudaGetErrorString(error));\n  exit(1);\n}',
    "cudaGetLastError() == cudaSuccess || (exit(1), true);",
    "while (cudaPeekAtLastError() != cudaSuccess)\n  exit(1);",
    "switch (cudaGetLastError()) {\ncase cudaSuccess:\n  break;\n"
    "default:\n  exit(1);\n}",
    "if (!fine(cudaGetLastError()) || noted(1) > 9)\n  exit(1);",
    "if (cudaGetLastError() != cudaSuccess || peek({a}, 5) > 300)\n  exit(1);",
    "if (cudaGetLastError() == cudaSuccess)\n  noted(peek({a}, 2) % 7);",
    'printf("%d\\n", int(cudaGetLastError()) + peek({a}, 9));',
    "check(cudaMemset({a}, 0, 5));",
    "noted(1) > 9 && cudaMemset({a}, 0, 40) == cudaSuccess;",
    "check(noted(1) > 9 ? cudaMemset({a}, 0, 40) : cudaSuccess);",
    "CHECK(cudaMemcpy(host, {a}, 40, cudaMemcpyDeviceToHost));",
]


@dataclass
class Check:
    """A text that changes nothing of the simulation's."""

    text: str

    def lines(self):
        return self.text.split("\n")


@dataclass
class Leaving(Nested):
    """Two lists of statements, the second of which may be left out."""

    form: str
    condition: tuple
    first: list
    second: list
    count: int = 0  # of rounds, where it is a loop

    def lines(self):
        before, jump, after = LEAVES[self.form] if not self.count else (
            f"for (int round = 0; round < {self.count}; ++round) {{",
            f"{self.form};",
            "}",
        )
        return [
            *before.split("\n"),
            *inside(self.first),
            f"  if ({self.condition[0]})",
            f"    {jump}",
            *inside(self.second),
            *after.split("\n"),
        ]

    def lists(self):
        return [self.first, self.second]

    def simulate(self, simulation, scope):
        for scope["round"] in range(self.count or 1):
            simulation.run(self.first, scope)
            if simulation.holds(self.condition[1], scope):
                if self.form != "continue":
                    return
            else:
                simulation.run(self.second, scope)


@dataclass
class Throwing(Nested):
    """Rounds of which the last is left by a library's exception."""

    count: int
    first: list
    second: list

    def lines(self):
        return [
            "try {",
            f"  std::vector<int> places({self.count - 1});",
            f"  for (int round = 0; round < {self.count}; ++round) {{",
            *["  " + line for line in inside(self.first)],
            "    places.at(round) = 1;",
            *["  " + line for line in inside(self.second)],
            "  }",
            "} catch (const std::out_of_range &) {",
            '  printf("caught\\n");',
            "}",
        ]

    def lists(self):
        return [self.first, self.second]

    def simulate(self, simulation, scope):
        for scope["round"] in range(self.count):
            simulation.run(self.first, scope)
            if scope["round"] < self.count - 1:
                simulation.run(self.second, scope)


# Loops and branches that read in their heads; {r} always holds, and {d} may.
READING = {
    "while": ("{\n  int pass = 0;\n  while ({r} && pass++ < 2) {", "  }\n}"),
    "do": ("{\n  int pass = 0;\n  do {", "  } while (++pass < 2 && {r});\n}"),
    "for": ("for (int pass = 0; pass < 2 && {r}; ++pass) {", "}"),
    "step": ("for (int pass = 0; pass < 2; pass += 1 + {r} - 1) {", "}"),
    "sum": ("for (int sum = 0, pass = 0; pass++ < 2; sum += {r}) {", "}"),
}
DECIDING = {
    "while": ("{\n  int pass = 0;\n  while ({d} && pass++ < 3) {", "  }\n}"),
    "do": ("{\n  int pass = 0;\n  do {", "  } while (++pass < 3 && {d});\n}"),
    "if": ("if ({d}) {", "}"),
    "either": ("if (n < 0 || {d}) {", "}"),
    "switch": ("switch (int({d})) {\ncase 1: {", "}\n}"),
    "for": ("for (bool again = true; again && {d}; again = false) {", "}"),
    "flag": ("if (const bool again = {d}; again) {", "}"),
}


@dataclass
class Reading(Nested):
    """Statements whose rounds depend on what an array holds, or seem to."""

    form: str
    array: str
    place: int
    body: list
    decides: bool = False

    def lines(self):
        texts = (DECIDING if self.decides else READING)[self.form]
        words = {
            "{d}": f"peek({self.array}, {self.place}) % 3 != 0",
            "{r}": f"(peek({self.array}, {self.place}) < 300)",
        }
        for word, text in words.items():
            texts = [part.replace(word, text) for part in texts]
        before, after = texts
        return [*before.split("\n"), *inside(self.body), *after.split("\n")]

    def lists(self):
        return [self.body]

    def simulate(self, simulation, scope):
        simulation.flights = []
        for _ in range(1 if self.decides else 2):
            simulation.run(self.body, scope)


# Conditions of chains, in C++ as in Python.
CHAINED = ["n > 10", "m < 100000", "n % 2 == 0", "m == n", "m < n", "n < 0"]


@dataclass
class Chain(Nested):
    """Lists of statements, of which the first runs whose condition holds; one
    that is left over is the else's."""

    conditions: list
    arms: list

    def lines(self):
        found = []
        for number, arm in enumerate(self.arms):
            head = "} else {" if number else "{"
            if number < len(self.conditions):
                head = head[:-1] + f"if ({self.conditions[number]}) {{"
            found += [head, *inside(arm)]
        return [*found, "}"]

    def lists(self):
        return self.arms

    def simulate(self, simulation, scope):
        conditions = [*self.conditions, "True"]
        for condition, arm in zip(conditions, self.arms):
            if simulation.holds(condition, scope):
                simulation.run(arm, scope)
                return


@dataclass
class Switch(Nested):
    """Lists of statements, of which the one runs whose number `value` is; one
    that is left over runs for all other numbers."""

    value: str
    labels: list
    arms: list

    def lines(self):
        found = [f"switch ({self.value}) {{"]
        for number, arm in enumerate(self.arms):
            label = "default"
            if number < len(self.labels):
                label = f"case {self.labels[number]}"
            found += [label + ": {", *inside(arm), "  break;", "}"]
        return [*found, "}"]

    def lists(self):
        return self.arms

    def simulate(self, simulation, scope):
        conditions = [f"{self.value} == {label}" for label in self.labels]
        Chain([*conditions], self.arms).simulate(simulation, scope)


# Directives that keep what is between them.
DIRECTIVES = {
    "defined": ("#ifdef __CUDACC__", "#endif"),
    "either": ("#if defined(NEVER)\nnever();\n#else", "#endif"),
    "other": ("#ifndef NEVER", "#else\nnever(;\n#endif"),
    "chain": ("#if 1 > 2\nnever(\n#elif 1", "#endif  // 1 > 2"),
    "nested": ("#if 1\n#ifdef NEVER\n#else", "#endif\n#endif"),
}


@dataclass
class Directive(Nested):
    """Statements between directives."""

    form: str
    body: list

    def lines(self):
        before, after = DIRECTIVES[self.form]
        return [*before.split("\n"), *inside(self.body), *after.split("\n")]

    def lists(self):
        return [self.body]

    def simulate(self, simulation, scope):
        simulation.run(self.body, scope)
