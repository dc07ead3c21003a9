// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %code %t.cu | FileCheck %s
// RUN: %kfuse verify %s
// RUN: not %kfuse verify %s -- more 2>&1 | FileCheck %s --check-prefix=MORE
//
// Each thread has a row of an array, from whose other elements the second and
// the third kernel go on. No thread leaves its row if the host's number of
// columns isn't more than the row has, which is tested.
#include <cstdio>

const int rows = 300, pitch = 64;

__global__ void forward(float *x, const float *a, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows)
    for (int i = 1; i < columns; ++i)
      x[row * pitch + i] = x[row * pitch + i] - x[row * pitch + i - 1];
}

__global__ void last(float *x, const float *a) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows)
    x[row * pitch + (pitch - 1)] =
        x[row * pitch + (pitch - 1)] / a[row * pitch + (pitch - 1)];
}

__global__ void back(float *x, const float *a, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows)
    for (int i = 0; i < columns - 3; ++i)
      x[row * pitch + (pitch - i - 2)] =
          x[row * pitch + (pitch - i - 2)] - x[row * pitch + (pitch - i - 3)];
}

// The rows overlap, since a row has more elements than lie between two.
__global__ void shift(float *x, const float *a, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows - 1)
    x[row * pitch + pitch] = x[row * pitch + pitch] + a[row * pitch];
}

// REMARK: into 'kfuse_forward_last_back': x through memory; under a run-time test
// REMARK: 'back' and 'shift' not fused: CrossThreadAntiDependence
// CHECK: if (129 >= 2 * (long long)columns) {
// CHECK: kfuse_forward_last_back<<<
// MORE: never ran
int main(int argc, char **argv) {
  const int columns = argc > 1 ? 65 : 64;
  static float host[(rows + 1) * pitch];
  float *x, *a;
  cudaMalloc(&x, sizeof(host));
  cudaMalloc(&a, sizeof(host));
  for (int i = 0; i < (rows + 1) * pitch; ++i)
    host[i] = 1 + i % 7;
  cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  forward<<<(rows + 63) / 64, 64>>>(x, a, columns);
  last<<<(rows + 63) / 64, 64>>>(x, a);
  back<<<(rows + 63) / 64, 64>>>(x, a, columns);
  shift<<<(rows + 63) / 64, 64>>>(x, a, columns);
  cudaMemcpy(host, x, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f %f %f\n", host[0], host[63], host[64 * 7 + 20]);
  cudaFree(x);
  cudaFree(a);
}
