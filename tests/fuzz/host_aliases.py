"""Gives pointers of the host other names, and lets names hide others."""

from dataclasses import dataclass

from host_statements import Nested, inside

# Ways to know two arrays by other names: a declaration, with {a}, {b} and {k}
# their type, and {u} to tell views apart; the names; whether they go on meaning
# what the arrays' own names mean; and whether they can be assigned to.
VIEWS = {
    "list": (
        "{k} *list{u}[] = {{{a}, {b}}};",
        ["list{u}[0]", "list{u}[1]"],
        0,
        1,
    ),
    "fields": (
        "struct {{\n  {k} *one;\n  int count;\n  {k} *other;\n}} both{u} = "
        "{{{a}, 2, {b}}};",
        ["both{u}.one", "both{u}.other"],
        0,
        1,
    ),
    "box": (
        "struct {{\n  {k} *arrays[2];\n}} box{u} = {{{{{a}, {b}}}}};",
        ["box{u}.arrays[0]", "box{u}.arrays[1]"],
        0,
        1,
    ),
    "vector": (
        "std::vector<{k} *> row{u} = {{{a}, {b}}};",
        ["row{u}[0]", "row{u}.back()"],
        0,
        1,
    ),
    "reference": (
        "{k} *&same{u} = {a}, *&also{u} = {b};",
        ["same{u}", "also{u}"],
        1,
        1,
    ),
    "where": (
        "{k} **where{u}[] = {{&{a}, &{b}}};",
        ["*where{u}[0]", "where{u}[1][0]"],
        1,
        1,
    ),
    "bound": (
        "auto [first{u}, second{u}] = std::make_pair({a}, {b});",
        ["first{u}", "second{u}"],
        0,
        0,
    ),
    "tied": (
        "auto both{u} = std::make_pair({a}, {b});\n"
        "auto &[first{u}, second{u}] = both{u};",
        ["first{u}", "both{u}.second"],
        0,
        0,
    ),
    "chosen": (
        "{k} *chosen{u} = n > 0 ? {a} : {b}, *const left{u} = n > 0 ? {b} : {a};",
        ["chosen{u}", "left{u}"],
        0,
        0,
    ),
    "switch": (
        "{k} *chosen{u} = {b}, *left{u} = {a};\nswitch (n % 1) {{\ncase 0:\n"
        "  chosen{u} = {a};\n  left{u} = {b};\n  break;\n}}",
        ["chosen{u}", "left{u}"],
        0,
        1,
    ),
    "owner": (
        "struct {{\n  {k} *array;\n  {k} *get() const {{ return array; }}\n"
        "  operator {k} *() const {{ return array; }}\n}} owner{u}{{{a}}}, "
        "other{u}{{{b}}};",
        ["static_cast<{k} *>(owner{u})", "other{u}.get()"],
        0,
        0,
    ),
    "smart": (
        "const auto keep{u} = [](void *) {{}};\n"
        "std::unique_ptr<{k}[], decltype(keep{u})> smart{u}({a}, keep{u});\n"
        "std::shared_ptr<{k}> shared{u}({b}, keep{u});",
        ["smart{u}.get()", "shared{u}.get()"],
        0,
        0,
    ),
    "array": (
        "std::array<{k} *, 2> pair{u} = {{{a}, {b}}};",
        ["pair{u}[0]", "pair{u}[1]"],
        0,
        1,
    ),
    "holder": (
        "struct Inner{u} {{\n  {k} *array;\n"
        "  {k} *data() {{ return array; }}\n}};\n"
        "struct {{\n  Inner{u} one, other;\n"
        "  Inner{u} first() const {{ return one; }}\n"
        "  {k} *second() {{ return other.data(); }}\n}} "
        "holder{u}{{{{{a}}}, {{{b}}}}};",
        ["holder{u}.one.data()", "holder{u}.second()"],
        0,
        0,
    ),
    "lambda": (
        "const auto one{u} = [&] {{ return {a}; }};\n"
        "const auto other{u} = [kept = {b}] {{ return kept; }};",
        ["one{u}()", "other{u}()"],
        None,  # the first does
        0,
    ),
    "text": ("", ["(n > 0 ? {a} : {b})", "&{b}[0]"], 1, 0),
    "macro": (
        "#define ONE{u} {a}\n#define OTHER{u} {b}",
        ["ONE{u}", "OTHER{u}"],
        1,
        1,
    ),
}


class Same:
    """A name that means what another one means at the time."""

    def __init__(self, name):
        self.name = name


def meant(scope, name):
    """The name that a name stands for."""
    while isinstance(scope[name], Same):
        name = scope[name].name
    return name


@dataclass
class View:
    """Declares other names for two arrays."""

    form: str
    kind: str
    one: str
    other: str
    number: int

    def filled(self, text):
        return text.format(k=self.kind, a=self.one, b=self.other, u=self.number)

    def lines(self):
        text = VIEWS[self.form][0]
        return self.filled(text).split("\n") if text else []

    def names(self):
        """Names by the arrays that they are first of."""
        names = map(self.filled, VIEWS[self.form][1])
        return dict(zip([self.one, self.other], names))

    def can_assign(self):
        return bool(VIEWS[self.form][3])

    def simulate(self, _simulation, scope):
        for number, (array, name) in enumerate(self.names().items()):
            follows = VIEWS[self.form][2]
            if follows is None:
                follows = number == 0
            scope[name] = Same(array) if follows else scope[meant(scope, array)]


# Ways to let a name mean something else for a while.
HIDING = {
    "variable": ("{k} {s}{name} = {value};", "}}"),
    "auto": ("auto {name} = {value};", "}}"),
    "macro": ("#define {name} {value}", "#undef {name}\n}}"),
}


@dataclass
class Hidden(Nested):
    """Statements of which the later ones know a name as something else."""

    form: str
    kind: str  # of what pointers point to, if any
    name: str
    value: str
    before: list
    after: list

    def lines(self):
        words = {
            "k": self.kind or "int",
            "s": "*" if self.kind else "",
            "name": self.name,
            "value": self.value,
        }
        hide, end = (text.format(**words) for text in HIDING[self.form])
        return [
            "{",
            *inside(self.before),
            "  " + hide,
            *inside(self.after),
            *end.split("\n"),
        ]

    def lists(self):
        return [self.before, self.after]

    def simulate(self, simulation, scope):
        simulation.run(self.before, scope)
        kept = scope[self.name]
        if not self.kind:
            scope[self.name] = simulation.holds(self.value, scope)
        elif self.form == "macro":
            scope[self.name] = Same(self.value)
        else:
            scope[self.name] = scope[meant(scope, self.value)]
        simulation.run(self.after, scope)
        scope[self.name] = kept


@dataclass
class Given(Nested):
    """A lambda whose parameters hide two pointers, the other way round."""

    kind: str
    one: str
    other: str
    body: list

    def lines(self):
        one, other = self.one, self.other
        return [
            f"[&]({self.kind} *{one}, {self.kind} *{other}) {{",
            *inside(self.body),
            f"}}({other}, {one});",
        ]

    def lists(self):
        return [self.body]

    def simulate(self, simulation, scope):
        kept = {name: scope[name] for name in (self.one, self.other)}
        scope[self.one], scope[self.other] = (
            scope[meant(scope, name)] for name in (self.other, self.one)
        )
        simulation.run(self.body, scope)
        scope.update(kept)
