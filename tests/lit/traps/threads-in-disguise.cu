// RUN: %kfuse verify --relaxed-rounding %s
//
// Kernels that depend on the shape of their blocks, or on what their thread did
// before, in ways that aren't spelled `threadIdx.x` and `s += x`. And two loops
// over k, one below 2 and one below 3, where another loop comes first.

#include <cstdio>
#include <cuda_runtime.h>

__device__ int lane(uint3 place) { return place.x; }
__device__ int ownLane() {
  const auto &place = threadIdx;
  return place.x;
}
__device__ void add(float *sum, float x) { *sum += x; }

__global__ void copied(float *B, const float *A, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint3 place = threadIdx;
  if (i < n)
    B[i] = A[i] + place.x;
}

__global__ void passed(float *B, const float *A, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + lane(threadIdx);
}

__global__ void pointed(float *B, const float *A, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto &shape = blockDim;
  if (i < n)
    B[i] = A[i] + shape.x;
}

__global__ void called(float *B, const float *A, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + ownLane();
}

__global__ void stepped(float *B, const float *A, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    uint3 place = threadIdx;
    B[i] = A[i] + place.x;
  }
}

__global__ void summed(float *B, const float *A, int n) {
  float sum = 0;
  float *place = &sum;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    add(place + 0, A[i]);
    B[i] = sum;
  }
}

__global__ void counted(float *B, const float *A, int n) {
  float sum[1] = {0};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    sum[0] += A[i];
    B[i] = sum[0];
  }
}

__global__ void simple(float *C, const float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] * 2;
}

__global__ void pairs(float *B, const float *A, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < 2; ++k)
      B[i * 2 + k] = A[i] + k;
}

__global__ void triples(float *C, const float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) {
    float sum = 0;
    for (int t = 0; t < 2; ++t)
      for (int k = 0; k < 3; ++k)
        sum += B[i * 2 + k] * t;
    C[i] = sum;
  }
}

const int n = 1000;

float *make(int count) {
  static float host[2 * n];
  for (int i = 0; i < 2 * n; ++i)
    host[i] = (float)(i % 37);
  float *device;
  cudaMalloc(&device, count * sizeof(float));
  cudaMemcpy(device, host, count * sizeof(float), cudaMemcpyHostToDevice);
  return device;
}

int main() {
  static float host[n];
  float *A = make(n), *B = make(2 * n), *C = make(n);
  auto show = [&] {
    double sum = 0;
    for (const float *device : {A, B, C}) {
      cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost);
      for (int i = 0; i < n; ++i)
        sum += host[i] * (i % 7);
    }
    printf("%.3f\n", sum);
  };
  copied<<<16, 64>>>(B, A, n);
  simple<<<8, 128>>>(C, B, n);
  show();
  passed<<<16, 64>>>(B, A, n);
  simple<<<8, 128>>>(C, B, n);
  show();
  pointed<<<16, 64>>>(B, A, n);
  simple<<<8, 128>>>(C, B, n);
  show();
  called<<<16, 64>>>(B, A, n);
  simple<<<8, 128>>>(C, B, n);
  show();
  stepped<<<4, 64>>>(B, A, n);
  simple<<<8, 128>>>(C, B, n);
  show();
  summed<<<4, 64>>>(B, A, n);
  simple<<<8, 128>>>(C, B, n);
  show();
  counted<<<4, 64>>>(B, A, n);
  simple<<<8, 128>>>(C, B, n);
  show();
  pairs<<<8, 128>>>(B, A, n);
  triples<<<8, 128>>>(C, B, n);
  show();
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
