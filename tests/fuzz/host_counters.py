"""Declares sizes that the host changes by another name between launches."""

from dataclasses import dataclass

# A declaration of a number that begins as {e}, with {u} to tell numbers apart;
# the name that launches have for it; and ways to make it {e} later.
COUNTERS = {
    "object": (
        "Count count{u}{{{e}}};",
        "count{u}",
        ["count{u}.value = {e};", "Count &same = count{u};\nsame.value = {e};"],
    ),
    "atomic": ("std::atomic<int> count{u}({e});", "count{u}", ["count{u} = {e};"]),
    "vector": (
        "std::vector<int> counts{u} = {{{e}, 3}};",
        "counts{u}[0]",
        [
            "counts{u}.front() = {e};",
            "for (int &each : counts{u})\n  each = {e};",
            "*counts{u}.begin() = {e};",
            "std::fill(counts{u}.begin(), counts{u}.end(), {e});",
        ],
    ),
    "size": (
        "std::vector<char> row{u}({e});\nauto *rows{u} = &row{u};",
        "row{u}.size()",
        ["rows{u}->resize({e});", "row{u} = std::vector<char>({e});"],
    ),
    "pointed": (
        "int own{u} = {e}, *total{u} = &own{u};",
        "*total{u}",
        ["own{u} = {e};", "total{u} = new int({e});"],
    ),
    "pointing": (
        "int own{u} = {e}, *total{u} = &own{u}, left{u} = 0;",
        "own{u}",
        [
            "*total{u} = {e};",
            'sscanf("{e}", "%d", total{u});',
            "const int next = {e};\nmemcpy(total{u}, &next, sizeof(int));",
            "const int next = {e};\n"
            "cudaMemcpy(total{u}, &next, sizeof(int), cudaMemcpyHostToHost);",
            "std::exchange(*total{u}, {e});",
            "std::tie(own{u}, left{u}) = std::make_pair({e}, 2);",
            "for (own{u} = {e}; left{u} < 0;)\n  ;",
            "int next = {e};\nstd::swap(next, n > 0 ? own{u} : left{u});",
            "std::replace(total{u}, total{u} + 1, own{u}, {e});",
        ],
    ),
    "member": (
        "struct {{\n  int count, other;\n}} both{u} = {{{e}, 2}};\n"
        "auto &[first{u}, second{u}] = both{u};",
        "both{u}.count",
        [
            "first{u} = {e};",
            "both{u} = {{{e}, 4}};",
            "auto &same = both{u};\nsame.count = {e};",
            "auto member = &decltype(both{u})::count;\nboth{u}.*member = {e};",
        ],
    ),
    "captured": (
        "int own{u} = {e};\n"
        "const auto change{u} = [&same = own{u}](int to) {{ same = to; }};",
        "own{u}",
        ["change{u}({e});", "[&] {{ change{u}({e}); }}();"],
    ),
    "mutable": (
        "auto count{u} = [kept = {e}](int to = 0) mutable {{\n"
        "  return to ? kept = to : kept;\n}};",
        "count{u}()",
        ["count{u}({e});"],
    ),
    "static": (
        "stored() = {e};",
        "stored()",
        ["stored() = {e};", "int &same = stored();\nsame = {e};"],
    ),
}


@dataclass
class Counter:
    """Declares a size."""

    form: str
    number: int
    value: int

    def lines(self):
        text = COUNTERS[self.form][0].format(u=self.number, e=self.value)
        return text.split("\n")

    def name(self):
        return COUNTERS[self.form][1].format(u=self.number)

    def simulate(self, _simulation, scope):
        scope[self.name()] = self.value


@dataclass
class CounterChange:
    """Changes a size in one of the ways that it has."""

    count: Counter
    way: int
    value: int

    def lines(self):
        ways = COUNTERS[self.count.form][2]
        text = ways[self.way].format(u=self.count.number, e=self.value)
        return ["{", *("  " + line for line in text.split("\n")), "}"]

    def simulate(self, _simulation, scope):
        scope[self.count.name()] = self.value
