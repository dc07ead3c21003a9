// The two products of a biconjugate gradient step, s = A'r and q = Ap, share
// the matrix but not the way through it; the two vector updates after them
// share nothing at all and can stand side by side in one kernel.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__global__ void rows(const float *A, const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int j = 0; j < n; ++j)
      sum += A[i * n + j] * p[j];
    q[i] = sum;
  }
}

__global__ void columns(const float *A, const float *r, float *s, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n) {
    float sum = 0;
    for (int i = 0; i < n; ++i)
      sum += A[i * n + j] * r[i];
    s[j] = sum;
  }
}

__global__ void damp(float *u, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    u[i] *= factor;
}

__global__ void grow(double *w, double amount, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    w[i] += amount;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 160;
  std::vector<float> A(n * n), p(n), r(n), q(n), s(n), u(n);
  std::vector<double> w(n);
  for (int i = 0; i < n * n; ++i)
    A[i] = (i % 13) / 13.0f;
  for (int i = 0; i < n; ++i) {
    p[i] = (i % 7) / 7.0f;
    r[i] = (i % 5) / 5.0f;
    u[i] = i;
    w[i] = 2 * i;
  }

  float *dA, *dp, *dr, *dq, *ds, *du;
  double *dw;
  cudaMalloc(&dA, n * n * sizeof(float));
  cudaMalloc(&dp, n * sizeof(float));
  cudaMalloc(&dr, n * sizeof(float));
  cudaMalloc(&dq, n * sizeof(float));
  cudaMalloc(&ds, n * sizeof(float));
  cudaMalloc(&du, n * sizeof(float));
  cudaMalloc(&dw, n * sizeof(double));
  cudaMemcpy(dA, A.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dp, p.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dr, r.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(du, u.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dw, w.data(), n * sizeof(double), cudaMemcpyHostToDevice);

  const int block = 64, grid = (n + block - 1) / block;
  rows<<<grid, block>>>(dA, dp, dq, n);
  columns<<<grid, block>>>(dA, dr, ds, n);
  damp<<<grid, block>>>(du, 0.5f, n);
  grow<<<grid, block>>>(dw, 0.125, n);

  std::vector<float> newU(n);
  std::vector<double> newW(n);
  cudaMemcpy(q.data(), dq, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(s.data(), ds, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(newU.data(), du, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(newW.data(), dw, n * sizeof(double), cudaMemcpyDeviceToHost);

  int wrong = 0;
  double checksum = 0;
  for (int i = 0; i < n; ++i) {
    float row = 0, column = 0;
    for (int j = 0; j < n; ++j) {
      row += A[i * n + j] * p[j];
      column += A[j * n + i] * r[j];
    }
    wrong += !(fabsf(q[i] - row) < 1e-3f) || !(fabsf(s[i] - column) < 1e-3f);
    wrong += newU[i] != 0.5f * u[i] || newW[i] != w[i] + 0.125;
    checksum += q[i] + s[i] + newU[i] + newW[i];
  }
  printf("side-by-side: %d rows, checksum %.4f, %d wrong\n", n, checksum,
         wrong);
  cudaFree(dA);
  cudaFree(dp);
  cudaFree(dr);
  cudaFree(dq);
  cudaFree(ds);
  cudaFree(du);
  cudaFree(dw);
  return wrong != 0;
}
