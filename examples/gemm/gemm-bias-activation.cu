// A layer of a neural network: E = relu(A B + bias), as three kernels. The
// product has the shape of most first tiled ones: a block computes 16 x 16
// elements from tiles in shared memory. kfuse puts bias and activation where
// the product is stored; neither C nor D reaches memory.
//
//   kfuse examples/gemm/gemm-bias-activation.cu -o fused.cu   three become one
//   kfuse verify examples/gemm/gemm-bias-activation.cu -- 70 50 33
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define TILE 16

static void check(cudaError_t error) {
  if (error != cudaSuccess) {
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(EXIT_FAILURE);
  }
}

__global__ void gemm(const float *A, const float *B, float *C, int M, int N,
                     int K) {
  __shared__ float tileA[TILE][TILE], tileB[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.0f;
  for (int first = 0; first < K; first += TILE) {
    int k = first + threadIdx.x;
    tileA[threadIdx.y][threadIdx.x] = row < M && k < K ? A[row * K + k] : 0.0f;
    k = first + threadIdx.y;
    tileB[threadIdx.y][threadIdx.x] = k < K && col < N ? B[k * N + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE; ++i)
      sum = fmaf(tileA[threadIdx.y][i], tileB[i][threadIdx.x], sum);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = sum;
}

__global__ void addBias(const float *C, const float *bias, float *D, int M,
                        int N) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N)
    D[row * N + col] = C[row * N + col] + bias[col];
}

__global__ void relu(const float *D, float *E, int M, int N) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N)
    E[row * N + col] = fmaxf(D[row * N + col], 0.0f);
}

static std::vector<float> numbers(int count, int period) {
  std::vector<float> result(count);
  for (int i = 0; i < count; ++i)
    result[i] = i * 7 % period / (period * 0.5f) - 1;
  return result;
}

static float *onDevice(const std::vector<float> &values) {
  float *pointer;
  check(cudaMalloc(&pointer, values.size() * sizeof(float)));
  check(cudaMemcpy(pointer, values.data(), values.size() * sizeof(float),
                   cudaMemcpyHostToDevice));
  return pointer;
}

int main(int argc, char **argv) {
  const int M = argc > 1 ? atoi(argv[1]) : 200;
  const int N = argc > 2 ? atoi(argv[2]) : 150;
  const int K = argc > 3 ? atoi(argv[3]) : 100;
  const std::vector<float> a = numbers(M * K, 41), b = numbers(K * N, 29);
  const std::vector<float> bias = numbers(N, 13);
  std::vector<float> e(M * N);

  float *d_A = onDevice(a), *d_B = onDevice(b), *d_bias = onDevice(bias);
  float *d_C, *d_D, *d_E;
  check(cudaMalloc(&d_C, M * N * sizeof(float)));
  check(cudaMalloc(&d_D, M * N * sizeof(float)));
  check(cudaMalloc(&d_E, M * N * sizeof(float)));

  const dim3 block(TILE, TILE);
  const dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
  gemm<<<grid, block>>>(d_A, d_B, d_C, M, N, K);
  addBias<<<grid, block>>>(d_C, d_bias, d_D, M, N);
  relu<<<grid, block>>>(d_D, d_E, M, N);
  check(cudaGetLastError());

  check(
      cudaMemcpy(e.data(), d_E, M * N * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int row = 0; row < M; ++row)
    for (int col = 0; col < N; ++col) {
      double sum = bias[col], magnitude = fabs(bias[col]);
      for (int k = 0; k < K; ++k) {
        sum += double(a[row * K + k]) * b[k * N + col];
        magnitude += fabs(double(a[row * K + k]) * b[k * N + col]);
      }
      const double expected = sum > 0 ? sum : 0;
      wrong +=
          !(fabs(e[row * N + col] - expected) <= (K + 1) * 1.2e-7 * magnitude);
    }
  printf("gemm-bias-activation: %d x %d x %d, %d wrong\n", M, N, K, wrong);
  check(cudaFree(d_A));
  check(cudaFree(d_B));
  check(cudaFree(d_bias));
  check(cudaFree(d_C));
  check(cudaFree(d_D));
  check(cudaFree(d_E));
  return wrong != 0;
}
