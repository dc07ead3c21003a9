// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse %s -o %t.none.cu --no-runtime-checks -Rkfuse-missed 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %kfuse %s -o - --assume=pitch-covers-row,no-overlap --quiet | FileCheck %s --check-prefix=PROMISED
// RUN: %kfuse verify %s
//
// Rows with a pitch of their own: only the host knows that they are as long as
// what the threads reach in them. The second call has shorter ones, in which
// two threads share an element.

// CHECK: remark: fused 'put', 'smooth', 'scale'
// OUT: {{^}}  if (pitch >= width) {
// OUT-NOT: {{^}}  if (
// OUT: } else {
// OUT: put<<<
// NONE: 'put' and 'smooth' not fused: NotInjective
// PROMISED-NOT: {{^}}  if (pitch
#include <cstdio>
#include <vector>

__global__ void put(const float *A, float *B, int width, int height,
                    int pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    B[y * pitch + x] = A[y * pitch + x] + 1;
}

__global__ void smooth(const float *B, float *C, int width, int height,
                       int pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < width && y < height)
    C[y * pitch + x] = B[y * pitch + x - 1] + B[(y - 1) * pitch + x];
}

__global__ void scale(const float *C, float *D, int width, int height,
                      int pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < width && y < height)
    D[y * pitch + x] = 2 * C[y * pitch + x];
}

void run(int width, int height, int pitch) {
  const int n = (height + 2) * (pitch + 8);
  std::vector<float> h(n);
  for (int i = 0; i < n; ++i)
    h[i] = (float)(i % 37);
  float *A, *B, *C, *D;
  cudaMalloc(&A, n * sizeof(float));
  cudaMalloc(&B, n * sizeof(float));
  cudaMalloc(&C, n * sizeof(float));
  cudaMalloc(&D, n * sizeof(float));
  cudaMemcpy(A, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(D, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  const dim3 block(16, 4), grid((width + 15) / 16, (height + 3) / 4);
  put<<<grid, block>>>(A, B, width, height, pitch);
  smooth<<<grid, block>>>(B, C, width, height, pitch);
  scale<<<grid, block>>>(C, D, width, height, pitch);
  cudaMemcpy(h.data(), D, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += h[i] * (i % 7);
  printf("%.3f\n", sum);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  cudaFree(D);
}

int main() {
  run(40, 21, 48);
  run(40, 21, 37);
}
