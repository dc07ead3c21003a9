// The nine-kernel problem of kernel fusion's literature: three clusters of
// three kernels over one grid. A, F and I are given; D, G, H and L are read
// afterwards; B, C, E, J and K only carry values from kernel to kernel.
//
//   1: A -> B   2: A -> C   3: B,C -> D
//   4: F -> E   5: F -> G   6: F -> H
//   7: H,I -> J 8: I -> K   9: J,K -> L
//
// usage: nine-kernels [elements]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess) {                                                \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                       \
              cudaGetErrorString(error));                                      \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

__global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 1.5f * A[i];
}

__global__ void shift(const float *A, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = A[i] + 0.25f;
}

__global__ void multiply(const float *B, const float *C, float *D, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    D[i] = B[i] * C[i];
}

__global__ void halve(const float *F, float *E, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    E[i] = 0.5f * F[i];
}

__global__ void square(const float *F, float *G, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    G[i] = F[i] * F[i];
}

__global__ void negate(const float *F, float *H, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    H[i] = -F[i];
}

__global__ void blend(const float *H, const float *I, float *J, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    J[i] = 0.75f * H[i] + I[i];
}

__global__ void root(const float *I, float *K, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    K[i] = sqrtf(I[i]);
}

__global__ void combine(const float *J, const float *K, float *L, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    L[i] = J[i] * K[i] - J[i];
}

static bool near(float value, float expected) {
  return fabsf(value - expected) <= 1e-5f * (1.0f + fabsf(expected));
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1 << 16;
  const size_t bytes = n * sizeof(float);

  std::vector<float> A(n), F(n), I(n), D(n), G(n), H(n), L(n);
  for (int i = 0; i < n; ++i) {
    A[i] = 0.001f * (i % 1013);
    F[i] = 0.002f * (i % 911) - 0.5f;
    I[i] = 0.003f * (i % 733);
  }

  float *d_A, *d_B, *d_C, *d_D, *d_E, *d_F, *d_G, *d_H, *d_I, *d_J, *d_K, *d_L;
  CHECK(cudaMalloc(&d_A, bytes));
  CHECK(cudaMalloc(&d_B, bytes));
  CHECK(cudaMalloc(&d_C, bytes));
  CHECK(cudaMalloc(&d_D, bytes));
  CHECK(cudaMalloc(&d_E, bytes));
  CHECK(cudaMalloc(&d_F, bytes));
  CHECK(cudaMalloc(&d_G, bytes));
  CHECK(cudaMalloc(&d_H, bytes));
  CHECK(cudaMalloc(&d_I, bytes));
  CHECK(cudaMalloc(&d_J, bytes));
  CHECK(cudaMalloc(&d_K, bytes));
  CHECK(cudaMalloc(&d_L, bytes));
  CHECK(cudaMemcpy(d_A, A.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_F, F.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_I, I.data(), bytes, cudaMemcpyHostToDevice));

  const dim3 block(256);
  const dim3 grid((n + block.x - 1) / block.x);
  scale<<<grid, block>>>(d_A, d_B, n);
  shift<<<grid, block>>>(d_A, d_C, n);
  multiply<<<grid, block>>>(d_B, d_C, d_D, n);
  halve<<<grid, block>>>(d_F, d_E, n);
  square<<<grid, block>>>(d_F, d_G, n);
  negate<<<grid, block>>>(d_F, d_H, n);
  blend<<<grid, block>>>(d_H, d_I, d_J, n);
  root<<<grid, block>>>(d_I, d_K, n);
  combine<<<grid, block>>>(d_J, d_K, d_L, n);
  CHECK(cudaGetLastError());

  CHECK(cudaMemcpy(D.data(), d_D, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(G.data(), d_G, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(H.data(), d_H, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(L.data(), d_L, bytes, cudaMemcpyDeviceToHost));

  double checksum = 0;
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const float J = 0.75f * -F[i] + I[i];
    wrong += !near(D[i], 1.5f * A[i] * (A[i] + 0.25f));
    wrong += !near(G[i], F[i] * F[i]);
    wrong += !near(H[i], -F[i]);
    wrong += !near(L[i], J * sqrtf(I[i]) - J);
    checksum += D[i] + G[i] + H[i] + L[i];
  }
  printf("nine-kernels: %d elements, checksum %.6f, %d wrong\n", n, checksum,
         wrong);

  CHECK(cudaFree(d_A));
  CHECK(cudaFree(d_B));
  CHECK(cudaFree(d_C));
  CHECK(cudaFree(d_D));
  CHECK(cudaFree(d_E));
  CHECK(cudaFree(d_F));
  CHECK(cudaFree(d_G));
  CHECK(cudaFree(d_H));
  CHECK(cudaFree(d_I));
  CHECK(cudaFree(d_J));
  CHECK(cudaFree(d_K));
  CHECK(cudaFree(d_L));
  return wrong != 0;
}
