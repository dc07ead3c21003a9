// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu --quiet && %code %t.cu | FileCheck %s --check-prefix=TEXT
// CHECK: 5 launches -> 2
// CHECK: verified: original and fused
//
// A wrapper of a namespace is called from outside of it: what it names there
// is named from the caller, also in its parameters and their default arguments.
//
// TEXT:      void run(
// TEXT:        const lib::Field &scaled_in = a;
// TEXT:        lib::real scaled_by = lib::Usual;
// TEXT:        lib::Mode scaled_mode = lib::Scaled;
// TEXT:        lib::detail::scale<<<lib::blocks(scaled_in.count), ::Threads>>>(
// TEXT:        lib::shift<lib::real><<<lib::blocks(shifted_n), ::Threads>>>(
// TEXT:      int main() {
#include <cstdio>
#include <cuda_runtime.h>

constexpr int Threads = 128;

namespace lib {
using real = float;
enum Mode { Plain, Scaled };
struct Field {
  real *data;
  int count;
};
constexpr int Usual = 2;
int blocks(int n) { return (n + Threads - 1) / Threads; }
namespace detail {
__global__ void scale(const real *in, real *out, real by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * by;
}
} // namespace detail
namespace {
template <typename T> __global__ void shift(const T *in, T *out, T by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + by;
}
} // namespace
void scaled(const Field &in, Field &out, real by = Usual, Mode mode = Scaled) {
  static_assert(Scaled == 1, "");
  (void)mode;
  detail::scale<<<blocks(in.count), Threads>>>(in.data, out.data, by, in.count);
}
void shifted(const Field &in, Field &out, real by) {
  const int n = in.count;
  shift<real><<<blocks(n), Threads>>>(in.data, out.data, by, n);
}
} // namespace lib

namespace app {
__global__ void clip(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = fminf(in[i], 8.0f);
}
void run(lib::Field &a, lib::Field &b, lib::Field &c, float *d, int Threads) {
  if (Threads < 0)
    printf("no threads\n");
  lib::scaled(a, b);
  lib::shifted(b, c, 1.0f);
  clip<<<(a.count + 127) / 128, 128>>>(c.data, d, a.count);
}
} // namespace app

int main() {
  const int n = 1000;
  lib::Field a{nullptr, n}, b = a, c = a, d = a;
  for (lib::Field *f : {&a, &b, &c, &d})
    cudaMalloc(&f->data, n * sizeof(float));
  cudaMemset(a.data, 1, n * 4);
  app::run(a, b, c, d.data, n);
  lib::scaled(d, b, 3.0f);
  lib::shifted(b, c, 2.0f);
  static float h[n];
  cudaMemcpy(h, c.data, n * 4, cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[0], h[n - 1]);
}
