// RUN: %kfuse %s -o %t.cu --elements-per-thread=1 --quiet
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse verify %s --elements-per-thread=1 2>&1 | FileCheck %s
//
// Elements that helpers find pass in registers like those with an index in
// place: by a function, by a structure that knows its extents, by an accessor
// that returns a reference. Structures that hold the same are one parameter,
// and equal extents are one guard, whichever structure they are taken from.
//
// CHECK: verified: original and fused
//
// OUT:      void kfuse_density_pressure_clampAll(
// OUT-NEXT:   Field rho, Field u, float rate, Field out, float c, float most) {
// OUT-NEXT: int x = blockIdx.x * 16 + threadIdx.x;
// OUT-NEXT: int y = blockIdx.y * 16 + threadIdx.y;
// OUT-NEXT: if (x < rho.e.w && y < rho.e.h) {
// OUT-NEXT:   // density
// OUT-NEXT:   float rho_value = u.p[at(u, x, y)] * rate;
// OUT-NEXT:   rho.p[at(rho, x, y)] = rho_value;
// OUT-EMPTY:
// OUT-NEXT:   // pressure
// OUT-NEXT:   float out_value = c / rho_value;
// OUT-EMPTY:
// OUT-NEXT:   // clampAll
// OUT-NEXT:   out.p[at(out, x, y)] = fminf(out_value, most);
//
// OUT:      void kfuse_warm_cool(
// OUT:        if (to.holds(x, y)) {
// OUT:          to(x, y) = rho = __fmul_rn(from(x, y), rate);
// OUT:        if (back.holds(x, y)) {
// OUT:          back(x, y) = rho + 1;
//
// A helper that does more than find the element is called as often as before.
// OUT:      void count_at(
// OUT:        counted[next(calls, i)] = i;
// OUT:      void halve_at(
// OUT:        halved[i] = counted[next(calls, i)] / 2
#include <cstdio>
#include <cstdlib>

struct Extent {
  int w, h;
};
struct Field {
  float *p;
  Extent e;
};
static __device__ __forceinline__ int at(const Field &f, int x, int y) {
  return y * f.e.w + x;
}
__global__ void density(Field rho, Field u, float rate) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < rho.e.w && y < rho.e.h)
    rho.p[at(rho, x, y)] = u.p[at(u, x, y)] * rate;
}
__global__ void pressure(Field rho, Field out, float c) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < out.e.w && y < out.e.h)
    out.p[at(out, x, y)] = c / rho.p[at(rho, x, y)];
}
__global__ void clampAll(Field out, float most) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < out.e.w && y < out.e.h)
    out.p[at(out, x, y)] = fminf(out.p[at(out, x, y)], most);
}

struct View {
  float *data;
  int nx, ny;
  __device__ float &operator()(int x, int y) const { return data[y * nx + x]; }
  __device__ bool holds(int x, int y) const { return x < nx && y < ny; }
};
__global__ void warm(View to, View from, float rate) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (to.holds(x, y))
    to(x, y) = from(x, y) * rate;
}
__global__ void cool(View to, View back) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (back.holds(x, y))
    back(x, y) = to(x, y) + 1;
}

static __device__ __forceinline__ int next(int *calls, int i) {
  calls[i] += 1;
  return i;
}
__global__ void count(int *calls, float *counted, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    counted[next(calls, i)] = i;
}
__global__ void halve(int *calls, const float *counted, float *halved, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    halved[i] = counted[next(calls, i)] / 2;
}

int main(int argc, char **argv) {
  const int w = argc > 1 ? atoi(argv[1]) : 100, h = 30, n = w * h;
  Extent e{w, h};
  Field rho{nullptr, e}, u{nullptr, e}, out{nullptr, e};
  cudaMalloc(&rho.p, n * sizeof(float));
  cudaMalloc(&u.p, n * sizeof(float));
  cudaMalloc(&out.p, n * sizeof(float));
  float *host = (float *)malloc(n * sizeof(float));
  for (int i = 0; i < n; ++i)
    host[i] = 1 + i % 17;
  cudaMemcpy(u.p, host, n * sizeof(float), cudaMemcpyHostToDevice);
  dim3 grid((w + 15) / 16, (h + 15) / 16), block(16, 16);
  for (int step = 0; step < 3; ++step) {
    density<<<grid, block>>>(rho, u, 1.5f);
    pressure<<<grid, block>>>(rho, out, 9.f);
    clampAll<<<grid, block>>>(out, 2.f);
  }
  cudaMemcpy(host, out.p, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[3], host[w * 3 + 7]);
  cudaMemcpy(host, rho.p, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[3], host[w * 3 + 7]);

  View from{u.p, w, h}, to{rho.p, w, h}, back{out.p, w, h};
  warm<<<grid, block>>>(to, from, 0.3f);
  cool<<<grid, block>>>(to, back);
  cudaMemcpy(host, out.p, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[3], host[w * 3 + 7]);
  cudaMemcpy(host, rho.p, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[3], host[w * 3 + 7]);

  int *calls;
  cudaMalloc(&calls, n * sizeof(int));
  cudaMemset(calls, 0, n * sizeof(int));
  count<<<(n + 127) / 128, 128>>>(calls, rho.p, n);
  halve<<<(n + 127) / 128, 128>>>(calls, rho.p, out.p, n);
  cudaMemcpy(host, calls, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", ((int *)host)[5]);
  cudaMemcpy(host, out.p, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", host[5]);
  cudaFree(calls);
  cudaFree(u.p);
  cudaFree(rho.p);
  cudaFree(out.p);
  free(host);
}
