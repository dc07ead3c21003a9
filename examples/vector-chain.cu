// A chain of BLAS-1 steps as kernel templates with explicit arguments, in
// single and in double precision: z = (a*x + y) * w, then clamped.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

template <typename T>
__global__ void axpy(T a, const T *x, const T *y, T *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = a * x[i] + y[i];
}

template <typename T>
__global__ void hadamard(const T *x, const T *w, T *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = x[i] * w[i];
}

template <typename T, int Limit>
__global__ void clamp(const T *x, T *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T value = x[i];
  if (value > T(Limit))
    value = T(Limit);
  out[i] = value;
}

template <typename T> T reference(T a, T x, T y, T w) {
  T value = (a * x + y) * w;
  return value > T(2) ? T(2) : value;
}

int main(int argc, char **argv) {
  const unsigned n = argc > 1 ? atoi(argv[1]) : 40000;
  const unsigned threads = 128, blocks = (n + threads - 1) / threads;
  std::vector<float> x(n), y(n), w(n), z(n);
  std::vector<double> xd(n), yd(n), wd(n), zd(n);
  for (unsigned i = 0; i < n; ++i) {
    xd[i] = x[i] = (i % 97) / 64.0f;
    yd[i] = y[i] = (i % 89) / 128.0f;
    wd[i] = w[i] = (i % 83) / 32.0f - 1;
  }

  float *dx, *dy, *dw, *dsum, *dproduct, *dz;
  cudaMalloc((void **)&dx, n * sizeof(float));
  cudaMalloc((void **)&dy, n * sizeof(float));
  cudaMalloc((void **)&dw, n * sizeof(float));
  cudaMalloc((void **)&dsum, n * sizeof(float));
  cudaMalloc((void **)&dproduct, n * sizeof(float));
  cudaMalloc((void **)&dz, n * sizeof(float));
  cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dw, w.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  axpy<float><<<blocks, threads>>>(1.5f, dx, dy, dsum, n);
  hadamard<float><<<blocks, threads>>>(dsum, dw, dproduct, n);
  clamp<float, 2><<<blocks, threads>>>(dproduct, dz, n);
  cudaMemcpy(z.data(), dz, n * sizeof(float), cudaMemcpyDeviceToHost);

  double *ex, *ey, *ew, *esum, *eproduct, *ez;
  cudaMalloc((void **)&ex, n * sizeof(double));
  cudaMalloc((void **)&ey, n * sizeof(double));
  cudaMalloc((void **)&ew, n * sizeof(double));
  cudaMalloc((void **)&esum, n * sizeof(double));
  cudaMalloc((void **)&eproduct, n * sizeof(double));
  cudaMalloc((void **)&ez, n * sizeof(double));
  cudaMemcpy(ex, xd.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(ey, yd.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(ew, wd.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  axpy<double><<<blocks, threads>>>(-0.5, ex, ey, esum, n);
  hadamard<double><<<blocks, threads>>>(esum, ew, eproduct, n);
  clamp<double, 2><<<blocks, threads>>>(eproduct, ez, n);
  cudaMemcpy(zd.data(), ez, n * sizeof(double), cudaMemcpyDeviceToHost);

  int wrong = 0;
  double checksum = 0;
  for (unsigned i = 0; i < n; ++i) {
    wrong += !(fabsf(z[i] - reference(1.5f, x[i], y[i], w[i])) < 1e-4f);
    wrong += !(fabs(zd[i] - reference(-0.5, xd[i], yd[i], wd[i])) < 1e-12);
    checksum += z[i] + zd[i];
  }
  printf("vector-chain: %u elements, checksum %.6f, %d wrong\n", n, checksum,
         wrong);
  cudaFree(dx), cudaFree(dy), cudaFree(dw);
  cudaFree(dsum);
  cudaFree(dproduct);
  cudaFree(dz);
  cudaFree(ex), cudaFree(ey), cudaFree(ew);
  cudaFree(esum);
  cudaFree(eproduct);
  cudaFree(ez);
  return wrong != 0;
}
