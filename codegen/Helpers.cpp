//===- codegen/Helpers.cpp - Functions that the output defines for itself -===//
#include "codegen/Helpers.h"

namespace kfuse {

std::string Helpers::text() const {
  std::string text;
  if (!Rounded.empty())
    text +=
        R"(// kfuse: returns `value`, rounded to its type as if it had been stored and loaded
// again. `zero` is 0, which the compiler can't know: so it can't contract the
// operation before with the one after, say into an FMA.
template <typename T>
static __device__ __forceinline__ T )" +
        Rounded + R"((T value, unsigned zero) {
  unsigned words[(sizeof(T) + 3) / 4] = {};
  memcpy(words, &value, sizeof(T));
  for (unsigned &word : words)
    word ^= zero;
  memcpy(&value, words, sizeof(T));
  return value;
}

)";
  if (!Same.empty())
    text += R"(// kfuse: whether two grids or blocks have the same shape.
static inline bool )" +
            Same + R"((dim3 a, dim3 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

)";
  if (!Disjoint.empty())
    text +=
        R"(// kfuse: whether bytes [aBegin, aEnd) from `a` and [bBegin, bEnd) from `b` have
// none in common.
static inline bool )" +
        Disjoint + R"((const void *a, long long aBegin, long long aEnd,
)" + std::string(Disjoint.size() + 20, ' ') +
        R"(const void *b, long long bBegin, long long bEnd) {
  const long long aBase = reinterpret_cast<long long>(a);
  const long long bBase = reinterpret_cast<long long>(b);
  return aEnd <= aBegin || bEnd <= bBegin || aBase + aEnd <= bBase + bBegin ||
         bBase + bEnd <= aBase + aBegin;
}

)";
  return text;
}

} // namespace kfuse
