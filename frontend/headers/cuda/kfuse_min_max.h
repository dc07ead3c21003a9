// This declares CUDA's global `min` and `max` for KFUSE_SIDES. It has no guard:
// a toolkit lacks the host's only.
#pragma GCC system_header
#define KFUSE_MINMAX(type)                                                     \
  KFUSE_SIDES inline type min(type a, type b) { return b < a ? b : a; }        \
  KFUSE_SIDES inline type max(type a, type b) { return a < b ? b : a; }
KFUSE_MINMAX(int)
KFUSE_MINMAX(unsigned int)
KFUSE_MINMAX(long)
KFUSE_MINMAX(unsigned long)
KFUSE_MINMAX(long long)
KFUSE_MINMAX(unsigned long long)
KFUSE_MINMAX(float)
KFUSE_MINMAX(double)
#undef KFUSE_MINMAX
#define KFUSE_MIXED(result, left, right)                                       \
  KFUSE_SIDES inline result min(left a, right b) {                             \
    return min(static_cast<result>(a), static_cast<result>(b));                \
  }                                                                            \
  KFUSE_SIDES inline result max(left a, right b) {                             \
    return max(static_cast<result>(a), static_cast<result>(b));                \
  }
KFUSE_MIXED(unsigned int, int, unsigned int)
KFUSE_MIXED(unsigned int, unsigned int, int)
KFUSE_MIXED(unsigned long, long, unsigned long)
KFUSE_MIXED(unsigned long, unsigned long, long)
KFUSE_MIXED(unsigned long long, long long, unsigned long long)
KFUSE_MIXED(unsigned long long, unsigned long long, long long)
KFUSE_MIXED(double, float, double)
KFUSE_MIXED(double, double, float)
#undef KFUSE_MIXED
// The same under names of their own.
#define KFUSE_NAMED(type, prefix)                                              \
  KFUSE_SIDES inline type prefix##min(type a, type b) { return min(a, b); }    \
  KFUSE_SIDES inline type prefix##max(type a, type b) { return max(a, b); }
KFUSE_NAMED(unsigned int, u)
KFUSE_NAMED(long long, ll)
KFUSE_NAMED(unsigned long long, ull)
#undef KFUSE_NAMED
