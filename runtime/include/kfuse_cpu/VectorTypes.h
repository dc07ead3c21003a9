//===- kfuse_cpu/VectorTypes.h - float4, dim3 and their relatives ---------===//
//
// The types are aggregates with the sizes and alignments of CUDA's.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_VECTORTYPES_H
#define KFUSE_CPU_VECTORTYPES_H

#define KFUSE_CPU_VECTOR(Name, Type, Align2, Align4)                           \
  struct Name##1 { Type x; };                                                  \
  struct alignas(Align2) Name##2 { Type x, y; };                               \
  struct Name##3 { Type x, y, z; };                                            \
  struct alignas(Align4) Name##4 { Type x, y, z, w; };                         \
  inline constexpr Name##1 make_##Name##1(Type x) { return {x}; }              \
  inline constexpr Name##2 make_##Name##2(Type x, Type y) { return {x, y}; }   \
  inline constexpr Name##3 make_##Name##3(Type x, Type y, Type z) {            \
    return {x, y, z};                                                          \
  }                                                                            \
  inline constexpr Name##4 make_##Name##4(Type x, Type y, Type z, Type w) {    \
    return {x, y, z, w};                                                       \
  }

KFUSE_CPU_VECTOR(char, signed char, 2, 4)
KFUSE_CPU_VECTOR(uchar, unsigned char, 2, 4)
KFUSE_CPU_VECTOR(short, short, 4, 8)
KFUSE_CPU_VECTOR(ushort, unsigned short, 4, 8)
KFUSE_CPU_VECTOR(int, int, 8, 16)
KFUSE_CPU_VECTOR(uint, unsigned int, 8, 16)
KFUSE_CPU_VECTOR(long, long, 16, 16)
KFUSE_CPU_VECTOR(ulong, unsigned long, 16, 16)
KFUSE_CPU_VECTOR(longlong, long long, 16, 16)
KFUSE_CPU_VECTOR(ulonglong, unsigned long long, 16, 16)
KFUSE_CPU_VECTOR(float, float, 8, 16)
KFUSE_CPU_VECTOR(double, double, 16, 16)
#undef KFUSE_CPU_VECTOR

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
      : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

#endif
