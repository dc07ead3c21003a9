"""Lists the device functions that kernels call, and finds those that a text needs."""

import re

# These are mentioned without arguments.
CONSTANTS = {
    "margin": "const int margin = 5;\n",
    "place_t": "typedef unsigned place_t;\n",
}
HELPERS = CONSTANTS | {
    "PLACE": """#define PLACE(a) (blockIdx.a * blockDim.a + threadIdx.a)
""",
    "QUOTIENT": """#define QUOTIENT(one, by) ((one) / (by))
""",
    "INSIDE": """#define INSIDE(all) ((all) && margin == 5)
""",
    "fetch": """template <typename T> __device__ T fetch(const T *p, int at) {
  return p[at];
}
""",
    "blend": """template <typename T> __device__ T blend(T a, T b) {
  return a - b / 2;
}
""",
    "product": """template <typename T> __device__ inline T product(T a, T b) {
  const T c = a * b;
  return c > T(100) ? T(100) : c;
}
""",
    "least": """template <typename T>
__device__ __forceinline__ T least(const T &a, const T &b) {
  if (b < a)
    return b;
  return a;
}
""",
    # Loads.
    "element": """template <typename T>
__device__ const T &element(const T *p, int at) {
  return p[at];
}
""",
    "kept": """template <typename T> __device__ T kept(const T &a) {
  const T &b = a;
  return b;
}
""",
    "copied": """template <typename T> __device__ void copyTo(T *to, const T &from) {
  *to = from;
}
template <typename T> __device__ T copied(const T *p) {
  T found = T();
  copyTo(&found, *p);
  return found;
}
""",
    "searched": """template <typename T> __device__ T searched(const T *p, int at) {
  for (int k = at - 2;; k++) {
    if (k < at)
      continue;
    return p[k];
  }
}
""",
    "aside": """template <int Offset, typename T>
__device__ T aside(const T *p, int at) {
  return p[at + Offset];
}
""",
    "isThere": """template <typename T>
__device__ bool isThere(const T *p, int at, T &found) {
  if (at < 0)
    return false;
  found = p[at];
  return true;
}
""",
    "tried": """template <typename T> __device__ T tried(const T *p, int at) {
  T found = T();
  return at > -2 && isThere(p, at, found) ? found : T();
}
""",
    # Stores.
    "put": """template <typename T, typename V>
__device__ void put(T *p, int at, V value) {
  p[at] = value;
}
""",
    "cell": """template <typename T> __device__ T &cell(T *p, int at) {
  return p[at];
}
""",
    "assign": """template <typename T, typename V>
__device__ void assign(T &to, const V &value) {
  to = value;
}
""",
    "give": """template <typename T, typename V>
__device__ bool give(T *to, V value) {
  *to = value;
  return true;
}
""",
    # Indices.
    "same": """__device__ int same(const int &at) {
  return at;
}
""",
    "walked": """__device__ void walk(int &at, int steps) {
  for (int t = 0; t < steps; t++)
    at++;
}
__device__ int walked(int at, int steps) {
  walk(at, steps);
  return at;
}
""",
    "picked": """__device__ void pick(int *at, int which) {
  switch (which) {
  case 0:
    *at += 1;
  case 1:
    *at += 2;
    break;
  default:
    *at = 0;
  }
}
__device__ int picked(int at, int which) {
  pick(&at, which);
  return at;
}
""",
    "reached": """__device__ int reached(int from, int to) {
  int at = from;
  do {
    if (at == to)
      break;
    ++at;
  } while (true);
  return at;
}
""",
    "narrow": """__device__ int narrow(unsigned char byte, int more) {
  byte += more;
  return byte;
}
""",
    "plus": """template <int More> __device__ int plus(int at) {
  return at + More;
}
""",
    "spot": """__device__ int spot(const int2 place, int2 *more = nullptr) {
  int2 sum = place;
  if (more)
    sum.x += more->x;
  return sum.x + sum.y;
}
""",
    "STEPS": """__constant__ int STEPS[3] = {-1, 0, 1};
""",
    "Step": """struct Step {
  int at;
  __device__ explicit Step(int at) : at(at) {}
  __device__ Step operator+(int more) const { return Step(at + more); }
  __device__ Step &operator-=(int less) {
    at -= less;
    return *this;
  }
  __device__ Step &operator++() { return *this -= -1; }
  __device__ operator int() const { return at; }
};
""",
    # Coordinates.
    "whole": """__device__ uint3 whole(uint3 block, dim3 extent, const uint3 &own) {
  return make_uint3(block.x * extent.x + own.x, block.y * extent.y + own.y,
                    block.z * extent.z + own.z);
}
""",
    "along": """__device__ int along(int axis) {
  const uint3 &own = threadIdx;
  switch (axis) {
  case 0:
    return blockIdx.x * blockDim.x + own.x;
  case 1:
    return blockIdx.y * blockDim.y + own.y;
  }
  return blockIdx.z * blockDim.z + own.z;
}
""",
    "holds": """__device__ bool holds(bool condition, bool *all) {
  if (!condition)
    *all = false;
  return *all;
}
""",
    "within": """__device__ inline bool within(const bool &condition) {
  return condition;
}
""",
}


def helpers_in(text):
    """The names of the helpers that a text mentions, and of those that these
    do."""

    def mentioned(texts):
        return [
            name
            for name in HELPERS
            if re.search(
                rf"\b{name}" + (r"\b" if name in CONSTANTS else "[(<[]"),
                "\n".join(texts),
            )
        ]

    first = mentioned([text])
    return mentioned([text, *(HELPERS[name] for name in first)])
