// RUN: %kfuse verify %s --std=c++20
// RUN: %kfuse %s --std=c++20 --no-runtime-checks --quiet -o %t.cu
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
//
// Ways to declare a kernel, each of which a stage can have too or do without.

#include <compare>
#include <cstdio>
#include <cuda_runtime.h>
#include <new>

static const int n = 1000;
static float host[n];

__global__ void twice(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = 2 * x[i];
}

__global__ auto trailing(const float *x, float *y, int n) -> void {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

__global__ void noThrow(const float *x, float *y, int n) noexcept {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

__global__ void noThrowIf(const float *x, float *y, int n) noexcept(sizeof(int) == 4) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

__global__ void arrays(const float x[], float y[1000], int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

__global__ void defaults(const float *x, float *y, int n = 5) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

__global__ void unused(const float *x, float *y, [[maybe_unused]] int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

__global__ void unnamed(const float *x, float *y, int, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

__global__ void attribute(const float *x, float *y, int m [[maybe_unused]], int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

__global__ void gnuUnused(const float *x, float *y, int m __attribute__((unused)), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

[[deprecated]] __global__ void attributed(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

void __global__ behind(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

static void __global__ staticBehind(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

inline __global__ void inlined(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

extern "C" __global__ void external(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

__global__ void __launch_bounds__(128, 2) bounded(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

__global__ void declaredBefore(const float *a, float *b, int count = 3);
__global__ void declaredBefore(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

template <typename T> requires(sizeof(T) == 4) __global__ void constrained(const T *x, T *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

template <typename T> __global__ void constrainedBehind(const T *x, T *y, int n) requires(sizeof(T) == 4) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

template <typename T> concept Small = sizeof(T) <= 4;
template <Small T> __global__ void ofConcept(const T *x, T *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

template <typename... T> __global__ void typePack(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + (sizeof(T) + ... + 0);
}

template <int... I> __global__ void numberPack(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + (I + ...);
}

template <auto V> __global__ void valueOfAuto(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + V;
}

template <typename T> struct Box { T value; };
template <template <typename> class B> __global__ void ofTemplate(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + B<int>{2}.value;
}

template <typename T = float, int N = 3> __global__ void defaulted(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + T(N);
}

__global__ void restricts(const float *__restrict__ x, float *__restrict const y, const int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

namespace outer::inner {
__global__ void inNamespace(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}
} // namespace outer::inner

inline namespace v1 {
__global__ void inInline(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}
} // namespace v1

using Numbers = const float *;
__global__ void aliasType(Numbers x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

typedef void Simple(const float *, float *, int);
__global__ Simple functionType;
__global__ void functionType(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

__global__ void twoArrays(const float (*x)[10], float (*y)[10], int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i / 10][i % 10] = x[i / 10][i % 10] + 1;
}

static void show(const char *name, const float *array) {
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%s %g %g\n", name, host[1], host[700]);
}

int main() {
  float *x, *y, *z;
  cudaMalloc(&x, sizeof(host));
  cudaMalloc(&y, sizeof(host));
  cudaMalloc(&z, sizeof(host));
  for (int i = 0; i < n; ++i)
    host[i] = i % 37;
  cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(y, 0, sizeof(host));
  // OUT: {{^ *}}kfuse_{{.*}}trailing_twice<<<
  trailing<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("trailing", z);
  // OUT: {{^ *}}kfuse_noThrow_twice<<<
  noThrow<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("noThrow", z);
  // OUT: {{^ *}}kfuse_noThrowIf_twice<<<
  noThrowIf<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("noThrowIf", z);
  // OUT: {{^ *}}kfuse_arrays_twice<<<
  arrays<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("arrays", z);
  // OUT: {{^ *}}kfuse_defaults_twice<<<
  defaults<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("defaults", z);
  // OUT: {{^ *}}kfuse_unused_twice<<<
  unused<<<8, 128>>>(x, y, 3, n);
  twice<<<8, 128>>>(y, z, n);
  show("unused", z);
  // OUT: {{^ *}}kfuse_unnamed_twice<<<
  unnamed<<<8, 128>>>(x, y, 3, n);
  twice<<<8, 128>>>(y, z, n);
  show("unnamed", z);
  // OUT: {{^ *}}kfuse_attribute_twice<<<
  attribute<<<8, 128>>>(x, y, 3, n);
  twice<<<8, 128>>>(y, z, n);
  show("attribute", z);
  // OUT: {{^ *}}kfuse_gnuUnused_twice<<<
  gnuUnused<<<8, 128>>>(x, y, 3, n);
  twice<<<8, 128>>>(y, z, n);
  show("gnuUnused", z);
  // OUT: {{^ *}}kfuse_attributed_twice<<<
  attributed<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("attributed", z);
  // OUT: {{^ *}}kfuse_behind_twice<<<
  behind<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("behind", z);
  // OUT: {{^ *}}kfuse_staticBehind_twice<<<
  staticBehind<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("staticBehind", z);
  // OUT: {{^ *}}kfuse_inlined_twice<<<
  inlined<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("inlined", z);
  // OUT: {{^ *}}kfuse_external_twice<<<
  external<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("external", z);
  // OUT: {{^ *}}kfuse_bounded_twice<<<
  bounded<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("bounded", z);
  // OUT: {{^ *}}kfuse_declaredBefore_twice<<<
  declaredBefore<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("declaredBefore", z);
  // OUT: {{^ *}}kfuse_constrained_twice<<<
  constrained<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("constrained", z);
  // OUT: {{^ *}}kfuse_constrainedBehind_twice<<<
  constrainedBehind<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("constrainedBehind", z);
  // OUT: {{^ *}}kfuse_ofConcept_twice<<<
  ofConcept<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("ofConcept", z);
  // OUT: {{^ *}}kfuse_typePack_twice<<<
  typePack<int, float><<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("typePack", z);
  // OUT: {{^ *}}kfuse_numberPack_twice<<<
  numberPack<1, 2, 3><<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("numberPack", z);
  // OUT: {{^ *}}kfuse_valueOfAuto_twice<<<
  valueOfAuto<4><<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("valueOfAuto", z);
  // OUT: {{^ *}}kfuse_ofTemplate_twice<<<
  ofTemplate<Box><<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("ofTemplate", z);
  // OUT: {{^ *}}kfuse_defaulted_twice<<<
  defaulted<><<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("defaulted", z);
  // OUT: {{^ *}}kfuse_restricts_twice<<<
  restricts<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("restricts", z);
  // OUT: {{^ *}}kfuse_inNamespace_twice<<<
  outer::inner::inNamespace<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("inNamespace", z);
  // OUT: {{^ *}}kfuse_inInline_twice<<<
  inInline<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("inInline", z);
  // OUT: {{^ *}}kfuse_aliasType_twice<<<
  aliasType<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("aliasType", z);
  // OUT: {{^ *}}kfuse_functionType_twice<<<
  functionType<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("functionType", z);
  // OUT: {{^ *}}kfuse_twoArrays_twice<<<
  twoArrays<<<8, 128>>>(reinterpret_cast<const float(*)[10]>(x), reinterpret_cast<float(*)[10]>(y), n);
  twice<<<8, 128>>>(y, z, n);
  show("twoArrays", z);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
