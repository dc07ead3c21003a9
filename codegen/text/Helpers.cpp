//===- Helpers.cpp - Functions that the output defines for itself ---------===//
#include "codegen/text/Helpers.h"

#include "codegen/text/ParameterText.h"
#include "text/Edits.h"
#include "text/Tokens.h"

#include <set>
#include <string_view>

namespace kfuse {
namespace {

/// Returns the names in the texts below that a macro of the user's could
/// replace.
const std::set<std::string_view> &innerNames() {
  static const std::set<std::string_view> names = {
      "N",      "M",       "T",       "Pack",      "count",     "from",
      "pack",   "to",      "v",       "Attribute", "attribute", "start",
      "bytes",  "address", "size",    "touches",   "found",     "one",
      "others", "other",   "own",     "result",    "a",         "aBase",
      "aBegin", "aEnd",    "at",      "b",         "begin",     "end",
      "bBase",  "bBegin",  "bEnd",    "block",     "cell",      "column",
      "first",  "high",    "i",       "kept",      "low",       "memory",
      "moved",  "place",   "plane",   "pointer",   "row",       "rows",
      "second", "thread",  "threads", "tile",      "value",     "width",
      "word",   "words",   "work",    "written",   "zero"};
  return names;
}

/// Returns a test of lists as tests of their pairs `a` and `b`: of all pairs
/// within one list, and with each of another one. `hasRange` says whether all
/// have one, from `begin` to `end`.
std::string listTests(const std::string &name, const std::string &type,
                      bool hasRange, const std::string &pair) {
  std::vector<std::string> one = {type + " (&one)[N]"};
  std::vector<std::string> both = {one[0], type + " (&others)[M]"};
  if (hasRange)
    for (auto *list : {&one, &both})
      list->insert(list->end(), {"long long begin", "long long end"});
  const std::string arguments = hasRange ? ", begin, end" : "";
  return "template <unsigned N>\n" +
         listed("static inline bool " + name + "(", one, ") {", "") + R"(
  for (const auto &a : one)
    for (const auto &b : one)
      if (&a < &b && !)" +
         name + "(" + pair + R"())
        return false;
  return true;
}
template <unsigned N, unsigned M>
)" + listed("static inline bool " + name + "(", both, ") {", "") +
         R"(
  for (const auto &a : one)
    for (const auto &b : others)
      if (!)" +
         name + "(" + pair + R"())
        return false;
  return )" +
         name + "(one" + arguments + R"();
}

)";
}

} // namespace

std::string Helpers::spared(const std::string &wanted) const {
  std::set<std::string> taken;
  return Unique.inner(wanted, taken);
}

std::string Helpers::text() const {
  const std::string text = plainText();
  Edits edits;
  for (const TextToken &token : tokensOf(text)) {
    const std::string_view word = spelling(text, token);
    if (token.kind == TokenKind::Identifier && innerNames().count(word) != 0)
      edits.replace(token.begin, token.end, spared(std::string(word)));
  }
  return edits.apply(text, 0, static_cast<std::uint32_t>(text.size()))
      .value_or(text);
}

std::string Helpers::plainText() const {
  std::string text;
  if (!Move.empty())
    text +=
        R"(// kfuse: on one axis, the original block and thread at `place`, counted from the
// first thread of `block`, and at most one block before it.
static __device__ __forceinline__ void )" +
        Move + R"((int place, int threads, unsigned &block, unsigned &thread) {
  const unsigned moved = place + threads;
  block += moved / threads - 1;
  thread = moved % threads;
}

)";
  if (!Load.empty())
    text +=
        R"(// kfuse: loads N neighbouring elements, of which `count` exist, at once if they
// are aligned; in place of others the first one.
template <unsigned N, typename T>
static __device__ __forceinline__ void )" +
        Load + R"((T (&to)[N], const T *from, long long count) {
  struct alignas(N * sizeof(T)) Pack {
    T at[N];
  };
  if (count >= N && reinterpret_cast<unsigned long long>(from) % sizeof(Pack) == 0) {
    const Pack pack = *reinterpret_cast<const Pack *>(from);
#pragma unroll
    for (unsigned v = 0; v < N; ++v)
      to[v] = pack.at[v];
  } else {
#pragma unroll
    for (unsigned v = 0; v < N; ++v)
      to[v] = from[v < count ? v : 0];
  }
}

)";
  if (!Store.empty())
    text +=
        R"(// kfuse: stores the first `count` of N neighbouring elements, at once if they are
// aligned.
template <unsigned N, typename T>
static __device__ __forceinline__ void )" +
        Store + R"((T *to, const T (&from)[N], long long count) {
  struct alignas(N * sizeof(T)) Pack {
    T at[N];
  };
  if (count >= N && reinterpret_cast<unsigned long long>(to) % sizeof(Pack) == 0) {
    Pack pack;
#pragma unroll
    for (unsigned v = 0; v < N; ++v)
      pack.at[v] = from[v];
    *reinterpret_cast<Pack *>(to) = pack;
  } else {
#pragma unroll
    for (unsigned v = 0; v < N; ++v)
      if (v < count)
        to[v] = from[v];
  }
}

)";
  if (!Around.empty())
    text +=
        R"(// kfuse: the place of a cell around `work` threads that start at 0, `low` before
// and `high` behind them on each axis. The cells of the threads themselves come
// first, then whole planes, then whole rows of the other planes, then the rest
// of the other rows.
static __device__ __forceinline__ int3
)" + Around +
        R"((unsigned cell, uint3 work, uint3 low, uint3 high) {
  const unsigned width = low.x + work.x + high.x;
  const unsigned rows = low.y + work.y + high.y;
  cell -= work.x * work.y * work.z;
  if (cell < (low.z + high.z) * rows * width) {
    const unsigned plane = cell / width / rows;
    return make_int3(cell % width - low.x, cell / width % rows - low.y,
                     plane - low.z + (plane < low.z ? 0 : work.z));
  }
  cell -= (low.z + high.z) * rows * width;
  if (cell < work.z * (low.y + high.y) * width) {
    const unsigned row = cell / width % (low.y + high.y);
    return make_int3(cell % width - low.x,
                     row - low.y + (row < low.y ? 0 : work.y),
                     cell / width / (low.y + high.y));
  }
  cell -= work.z * (low.y + high.y) * width;
  const unsigned column = cell % (low.x + high.x);
  return make_int3(column - low.x + (column < low.x ? 0 : work.x),
                   cell / (low.x + high.x) % work.y,
                   cell / (low.x + high.x) / work.y);
}

)";
  if (!Either.empty())
    text +=
        R"(// kfuse: the element in the tile where it was written, else the one in memory;
// without a branch, which could part a product from a sum that it would be
// contracted with.
template <typename T>
static __device__ __forceinline__ const T &
)" + Either +
        R"((bool written, const T &tile, const T &memory) {
  return written ? tile : memory;
}

)";
  if (!Zeros.empty())
    text +=
        R"(// kfuse: zeros that the compiler doesn't know to be zero, one for each stage and
// element of a thread.
template <unsigned N> struct )" +
        Zeros + R"( {
  unsigned at[N];
};

)";
  if (!Isolate.empty())
    text +=
        R"(// kfuse: returns `value` as if it had just been stored and loaded again. Stages
// get their values apart, so that the compiler neither contracts across them,
// say into an FMA, nor computes together what two kernels computed separately.
template <typename T>
static __device__ __forceinline__ T )" +
        Isolate + R"((T value, unsigned zero) {
  unsigned words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned &word : words)
    word ^= zero;
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}
template <typename T>
static __device__ __forceinline__ T *)" +
        Isolate + R"((T *pointer, unsigned zero) {
  return pointer + zero;
}

)";
  if (!Computed.empty())
    text +=
        R"(// kfuse: an array that is nowhere stored: element i is `at(i)`, computed wherever
// it is read.
template <typename T> struct )" +
        ComputedArray + R"( {
  T at;
  __device__ __forceinline__ auto operator[](unsigned i) const
      -> decltype(at(i)) {
    return at(i);
  }
};
template <typename T>
static __device__ __forceinline__ )" +
        ComputedArray + "<T> " + Computed + R"((T at) {
  return {at};
}

)";
  if (!Same.empty())
    text += R"(// kfuse: whether two grids or blocks have the same shape.
static inline bool )" +
            Same + R"((dim3 a, dim3 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

)";
  if (!Swap.empty())
    text += R"(// kfuse: each pointer gets the other's array.
template <typename T> static inline void )" +
            Swap + R"((T *&first, T *&second) {
  T *const kept = first;
  first = second;
  second = kept;
}

)";
  if (!Disjoint.empty())
    text +=
        R"(// kfuse: whether bytes [aBegin, aEnd) from `a` and [bBegin, bEnd) from `b` have
// none in common.
static inline bool
)" + Disjoint +
        R"((const void *a, long long aBegin, long long aEnd,
)" + std::string(Disjoint.size() + 1, ' ') +
        R"(const void *b, long long bBegin, long long bEnd) {
  const long long aBase = reinterpret_cast<long long>(a);
  const long long bBase = reinterpret_cast<long long>(b);
  return aEnd <= aBegin || bEnd <= bBegin || aBase + aEnd <= bBase + bBegin ||
         bBase + bEnd <= aBase + aBegin;
}

)";
  if (HasDisjointPointers)
    text +=
        R"(// kfuse: the same for bytes [begin, end) from each pointer of `one` and the rest
// of these, and from each of these and of `others`.
)" + listTests(Disjoint, "const void *const", true,
               "a, begin, end, b, begin, end");
  if (!Bytes.empty())
    text +=
        R"(// kfuse: the same for each range of `one` and the rest of these, and for each of
// these and of `others`.
struct )" +
        Bytes + R"( {
  const void *from;
  long long begin, end;
};
)" +
        listTests(Disjoint, "const " + Bytes, false,
                  "a.from, a.begin, a.end, b.from, b.begin, b.end");
  if (!Separate.empty())
    text +=
        R"(// kfuse: the first byte of the allocation that `pointer` leads into; 0 if the
// driver doesn't know one. A pointer into its middle could be meant for another
// one only if that touches it.
static inline unsigned long long )" +
        Allocation + R"((const void *pointer) {
  using Attribute = int (*)(void *, int, unsigned long long);
  static const auto attribute = [] {
    void *found = nullptr;
#if CUDART_VERSION >= 12050
    cudaDriverEntryPointQueryResult result;
    cudaGetDriverEntryPointByVersion("cuPointerGetAttribute", &found, 12000,
                                     cudaEnableDefault, &result);
#else
    cudaGetDriverEntryPoint("cuPointerGetAttribute", &found, cudaEnableDefault);
#endif
    return reinterpret_cast<Attribute>(found);
  }();
  constexpr int start = 11, size = 12; // CU_POINTER_ATTRIBUTE_RANGE_...
  const auto address = reinterpret_cast<unsigned long long>(pointer);
  unsigned long long first = 0, bytes = 0, other = 0;
  if (!pointer || !attribute || attribute(&first, start, address) ||
      attribute(&bytes, size, address))
    return 0;
  if (address == first)
    return first;
  const bool touches = !attribute(&other, start, first - 1) ||
                       !attribute(&other, start, first + bytes);
  return touches ? 0 : first;
}

// kfuse: whether the allocations that `a` and `b` lead into are known as different
// ones. A null pointer leads into none.
static inline bool )" +
        Separate + R"((const void *a, const void *b) {
  const unsigned long long first = )" +
        Allocation + R"((a);
  const unsigned long long second = )" +
        Allocation + R"((b);
  return !a || !b || (first != 0 && second != 0 && first != second);
}

)";
  if (HasSeparateLists)
    text +=
        R"(// kfuse: the same for each pointer of `one` and the rest of these, and for each of
// these and of `others`.
)" + listTests(Separate, "const void *const", false, "a, b");
  return text;
}

} // namespace kfuse
