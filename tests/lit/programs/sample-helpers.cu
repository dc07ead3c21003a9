// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
//
// The helpers of the CUDA samples are known where no folder has them.

// CHECK-NOT: error
// CHECK: 2 launches -> 1
#include <helper_cuda.h>
#include <helper_functions.h>

__global__ void raise(const float *in, float *up, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    up[i] = in[i] + 1;
}
__global__ void lower(const float *up, float *down, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    down[i] = up[i] - 2;
}

int main(int argc, char **argv) {
  findCudaDevice(argc, (const char **)argv);
  int n = 4096;
  if (checkCmdLineFlag(argc, (const char **)argv, "n"))
    n = getCmdLineArgumentInt(argc, (const char **)argv, "n");
  if (n <= 0)
    exit(EXIT_WAIVED);
  float *in, *up, *down;
  checkCudaErrors(cudaMalloc(&in, n * sizeof(float)));
  checkCudaErrors(cudaMalloc(&up, n * sizeof(float)));
  checkCudaErrors(cudaMalloc(&down, n * sizeof(float)));
  StopWatchInterface *timer = nullptr;
  sdkCreateTimer(&timer);
  raise<<<(n + 127) / 128, 128>>>(in, up, n);
  getLastCudaError("raise");
  lower<<<(n + 127) / 128, 128>>>(up, down, n);
  getLastCudaError("lower");
  checkCudaErrors(cudaDeviceSynchronize());
  printf("%f ms\n", sdkGetTimerValue(&timer));
}
