// Pitched memory, 3D copies and shapes, symbols, streams, events.
// RUN: %kfuse-cpu --sanitize %s -o %t
// RUN: %t 2>&1 | FileCheck %s
#include <cstdio>
#include <cstring>

__constant__ float weights[3];
__managed__ int managed = 4;
extern __shared__ float shared[];

__global__ void weigh(float *p, size_t pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float *tile = &shared[threadIdx.y * blockDim.x];
  if (x < width && y < height)
    tile[threadIdx.x] = weights[y % 3];
  __syncthreads();
  if (x < width && y < height)
    *((float *)((char *)p + y * pitch) + x) = shared[threadIdx.y * blockDim.x + threadIdx.x] + x;
}
__global__ void volume(cudaPitchedPtr to, cudaExtent size) {
  unsigned x = threadIdx.x, y = threadIdx.y + blockIdx.y * blockDim.y;
  unsigned z = threadIdx.z + blockDim.z * blockIdx.z;
  if (x < size.width / sizeof(int) && y < size.height && z < size.depth) {
    char *row = (char *)to.ptr + (z * size.height + y) * to.pitch;
    ((int *)row)[x] = x + 10 * y + 100 * z;
  }
}

int main() {
  const float host[] = {1, 10, 100};
  cudaMemcpyToSymbol(weights, host, sizeof(host));
  float *p, back[7][5];
  size_t pitch;
  cudaMallocPitch((void **)&p, &pitch, 5 * sizeof(float), 7);
  cudaStream_t stream;
  cudaEvent_t start, stop;
  cudaStreamCreate(&stream);
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start, stream);
  weigh<<<dim3(2, 2), dim3(4, 4), 16 * sizeof(float), stream>>>(p, pitch, 5, 7);
  cudaEventRecord(stop, stream);
  cudaEventSynchronize(stop);
  float time = -1;
  cudaEventElapsedTime(&time, start, stop);
  cudaMemcpy2DAsync(back, sizeof(back[0]), p, pitch, sizeof(back[0]), 7, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  // CHECK: 2d 1 14 102 5 1
  printf("2d %g %g %g %g %d\n", back[0][0], back[1][4], back[5][2], back[6][4], time >= 0);

  cudaExtent extent = make_cudaExtent(3 * sizeof(int), 5, 3);
  cudaPitchedPtr cube;
  cudaMalloc3D(&cube, extent);
  volume<<<dim3(1, 2, 3), dim3(4, 4, 1)>>>(cube, extent);
  int out[3][5][3];
  cudaMemcpy3DParms copy = {0};
  copy.srcPtr = cube;
  copy.dstPtr = make_cudaPitchedPtr(out, 3 * sizeof(int), 3, 5);
  copy.extent = extent;
  copy.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&copy);
  // CHECK: 3d 0 242
  printf("3d %d %d\n", out[0][0][0], out[2][4][2]);
  cudaMemset2D(p, pitch, 0, 2 * sizeof(float), 7);
  cudaMemcpy(back, p, sizeof(float) * 3, cudaMemcpyDeviceToHost);
  // CHECK: set 0 0 3
  printf("set %g %g %g\n", back[0][0], back[0][1], back[0][2]);

  float *address;
  cudaGetSymbolAddress((void **)&address, weights);
  float second;
  cudaMemcpy(&second, address + 1, sizeof(float), cudaMemcpyDeviceToHost);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  // CHECK: symbol 10 4 32
  printf("symbol %g %d %d\n", second, managed, properties.warpSize);
  // Memory of the device has the same content in every run.
  unsigned *fresh, value;
  cudaMalloc(&fresh, 4);
  cudaMemcpy(&value, fresh, 4, cudaMemcpyDeviceToHost);
  // CHECK: fresh a5a5a5a5
  printf("fresh %x\n", value);
  // The driver's function that tells which allocation a pointer leads into.
  using Attribute = int (*)(void *, int, unsigned long long);
  void *entry;
  cudaGetDriverEntryPoint("cuPointerGetAttribute", &entry, cudaEnableDefault);
  const auto attribute = (Attribute)entry;
  const auto within = (unsigned long long)fresh + 3;
  unsigned long long begin = 0, size = 0;
  const int known = attribute(&begin, 11, within) + attribute(&size, 12, within);
  const int unknown = attribute(&size, 11, (unsigned long long)&size);
  // CHECK: range 0 1 4 1
  printf("range %d %d %d %d\n", known, begin == (unsigned long long)fresh,
         (int)size, unknown != 0);
  cudaGetDriverEntryPoint("cuMemAlloc", &entry, cudaEnableDefault);
  // CHECK: no entry
  printf(entry ? "entry\n" : "no entry\n");
  cudaFree(fresh);
  cudaFree(p);
  cudaFree(cube.ptr);
  cudaStreamDestroy(stream);
}
