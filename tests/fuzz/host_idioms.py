"""Writes host code inside other host code, which runs it once, in its turn."""

import re
from dataclasses import dataclass

from host_statements import Nested, inside

# What comes before and after, where `n` is above zero.
IDIOMS = {
    "called": ("[&] {", "}();"),
    "named": ("{\n  const auto act = [&] {", "  };\n  act();\n}"),
    "function": (
        "{\n  std::function<void()> act = [&] {",
        "  };\n  act();\n}",
    ),
    "ended": ("{\n  AtEnd end{[&] {", "  }};\n}"),
    "temporary": ("AtEnd{[&] {", "}};"),
    "deleted": ("delete new AtEnd([&] {", "});"),
    "held": (
        "{\n  int held = 0;\n  auto act = [&](int *) {",
        "  };\n  std::unique_ptr<int, decltype(act)> owner(&held, act);\n}",
    ),
    "begun": ("AtStart{[&] {", "}};"),
    "derived": ("{\n  Derived derived([&] {", "  });\n}"),
    "virtual": (
        "{\n  Acting acting([&] {",
        "  });\n  Actor &actor = acting;\n  actor.act();\n}",
    ),
    "assigned": ("Target() = [&] {", "};"),
    "shifted": ("Target() << [&] {", "};"),
    "truth": ("if (Truth([&] {", "}))\n  ;"),
    "each": (
        "{\n  int once[] = {0};\n  std::for_each(once, once + 1, [&](int) {",
        "  });\n}",
    ),
    "sorted": (
        "{\n  int both[] = {2, 1};\n  bool seen = false;\n"
        "  std::sort(both, both + 2, [&](int one, int other) {\n"
        "    if (!seen) {\n      seen = true;",
        "    }\n    return one < other;\n  });\n}",
    ),
    "invoked": ("std::invoke([&] {", "});"),
    "applied": ("std::apply([&](int) {", "}, std::make_tuple(1));"),
    "shared": (
        "{\n  std::shared_ptr<void> owner(nullptr, [&](void *) {",
        "  });\n}",
    ),
    "filled": (
        "{\n  int once[1];\n  std::generate(once, once + 1, [&] {",
        "    return 1;\n  });\n}",
    ),
    "summed": (
        "{\n  int once[] = {1};\n"
        "  (void)std::accumulate(once, once + 1, 0, [&](int, int) {",
        "    return 1;\n  });\n}",
    ),
    "found": (
        "{\n  std::vector<int> once(1);\n"
        "  (void)std::any_of(once.begin(), once.end(), [&](int) {",
        "    return true;\n  });\n}",
    ),
    "and": ("n > 0 && [&] {", "  return true;\n}();"),
    "either": ("n > 0 ? [&] {", "}() : void();"),
    "comma": ("(void)n, [&] {", "}();"),
    "argument": ("ignore([&] {", "  return 1;\n}());"),
    "if": ("if ([&] {", "  return true;\n}())\n  ;"),
    "first": ("if (const int seen = [&] {", "  return 1;\n}(); seen > 1)\n  ;"),
    "while": ("while ([&] {", "  return false;\n}())\n  ;"),
    "step": ("for (int once = 0; once < 1; ++once, [&] {", "}())\n  ;"),
    "start": ("for (int once = [&] {", "  return 1;\n}(); once < 1;)\n  ;"),
    "switch": ("switch ([&] {", "  return 1;\n}()) {\ndefault:\n  break;\n}"),
    "once": ("for (int once = 0; once < 1; ++once) {", "}"),
    "range": ("for (int once : {1}) {\n  (void)once;", "}"),
    "do": ("do {", "} while (false);"),
    "block": ("{", "}"),
    "label": ("switch (n > 0) {\ncase true: {", "}\n}"),
    "tried": ("try {", "} catch (...) {\n}"),
    "caught": ("try {\n  throw n;\n} catch (int) {", "}"),
}
# These can hold launches that kfuse may still understand.
SIMPLE = ["called", "named", "once", "do", "block", "label", "tried", "if"]

HOST_HELPERS = {
    "AtEnd": """template <typename F> struct AtEnd {
  F act;
  explicit AtEnd(F act) : act(act) {}
  ~AtEnd() { act(); }
};
""",
    "AtStart": """template <typename F> struct AtStart {
  explicit AtStart(F act) { act(); }
};
""",
    "Derived": """template <typename F> struct First {
  explicit First(F act) { act(); }
};
template <typename F> struct Derived : First<F> {
  int unused = 0;
  explicit Derived(F act) : First<F>(act) {}
};
""",
    "LAUNCHED": """#define LAUNCHED(kernel, grid, block, ...) \\
  do { \\
    kernel<<<grid, block>>>(__VA_ARGS__); \\
  } while (0)
""",
    "Actor": """struct Actor {
  virtual ~Actor() = default;
  virtual void act() = 0;
};
template <typename F> struct Acting : Actor {
  F own;
  explicit Acting(F own) : own(own) {}
  void act() override { own(); }
};
""",
    "Target": """struct Target {
  template <typename F> Target &operator=(F act) {
    act();
    return *this;
  }
  template <typename F> Target &operator<<(F act) { return *this = act; }
};
""",
    "Truth": """template <typename F> struct Truth {
  F act;
  explicit Truth(F act) : act(act) {}
  explicit operator bool() const {
    act();
    return true;
  }
};
""",
    "ignore": """template <typename T> static void ignore(const T &) {}
""",
    "exchange": """template <typename T> static void exchange(T *&one, T *&other) {
  T *kept = one;
  one = other;
  other = kept;
}
""",
    "exchangeAt": """template <typename T> static void exchangeAt(T **one, T **other) {
  T *kept = *one;
  *one = *other;
  *other = kept;
}
""",
    "cellOf": """template <typename T> static T &cellOf(T *array, int place) {
  return array[place];
}
""",
    "CellsOf": """template <typename P> struct CellsOf {
  P array;
  auto &operator[](int place) const { return array[place]; }
};
""",
    "Count": """struct Count {
  int value;
  operator int() const { return value; }
};
""",
    "stored": """static int &stored() {
  static int count;
  return count;
}
""",
    "fine": """static bool fine(cudaError_t error) { return error == cudaSuccess; }
""",
    "check": """static void check(cudaError_t error, const char *what = "launch") {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "%s: %s\\n", what, cudaGetErrorString(error));
  exit(1);
}
""",
    "look": """static const void *watched;
static int look() {
  unsigned char found = 0;
  if (watched)
    cudaMemcpy(&found, watched, 1, cudaMemcpyDeviceToHost);
  printf("%d\\n", found);
  return found;
}
""",
    "CHECK": """#define CHECK(call)                                          \\
  do {                                                                         \\
    cudaError_t error = call;                                                  \\
    if (error != cudaSuccess) {                                                \\
      printf("%s\\n", cudaGetErrorString(error));                               \\
      exit(int(error));                                                        \\
    }                                                                          \\
  } while (0)
""",
}
HEADERS = {
    "std::function": "functional",
    "std::unique_ptr": "memory",
    "std::array": "array",
    "std::shared_ptr": "memory",
    "std::invoke": "functional",
    "std::apply": "tuple",
    "std::generate": "algorithm",
    "std::accumulate": "numeric",
    "std::any_of": "algorithm",
    "std::for_each": "algorithm",
    "std::sort": "algorithm",
    "std::iter_swap": "algorithm",
    "std::ref": "functional",
    "std::swap": "utility",
    "std::exchange": "utility",
    "std::tie": "tuple",
    "std::vector": "vector",
    "std::out_of_range": "stdexcept",
    "std::fill": "algorithm",
    "std::replace": "algorithm",
    "std::atomic": "atomic",
    "memcpy(": "cstring",
    "exit(": "cstdlib",
    "assert(": "cassert",
}


def host_helpers_in(text):
    return [
        name for name in HOST_HELPERS if re.search(rf"\b{name}\b", text)
    ]


def headers_in(text):
    return sorted({file for word, file in HEADERS.items() if word in text})


@dataclass
class Idiom(Nested):
    """Statements that run once, in the way that the form has."""

    form: str
    body: list

    def lines(self):
        before, after = IDIOMS[self.form]
        return [*before.split("\n"), *inside(self.body), *after.split("\n")]

    def lists(self):
        return [self.body]

    def simulate(self, simulation, scope):
        simulation.run(self.body, scope)


@dataclass
class Owned(Nested):
    """Statements, and what an object does at the end of its life."""

    body: list
    last: list

    def lines(self):
        last = ["  " + line for line in inside(self.last)]
        end = ["  AtEnd end{[&] {", *last, "  }};"]
        return ["{", *end, *inside(self.body), "}"]

    def lists(self):
        return [self.body, self.last]

    def simulate(self, simulation, scope):
        simulation.run(self.body + self.last, scope)
