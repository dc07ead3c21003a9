// RUN: %kfuse %s --no-horizontal -o %t.cu --quiet
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s --no-horizontal 2>&1 | FileCheck %s
//
// Where all that a kernel stores depends on one byte of memory, a block computes
// the results of all bytes and looks them up, if that takes less time and they
// are defined for bytes that the memory doesn't have.
//
// CHECK: verified: original and fused
//
// OUT:      static __global__ void kfuse_gain_invert_cut(
// OUT:        __shared__ unsigned char out_of[256];
// OUT-NEXT:   for (unsigned entry = threadIdx.x; entry < 256; entry += blockDim.x) {
// OUT-NEXT:     unsigned char byte = entry;
// OUT-NEXT:     // gain
// OUT-NEXT:     int v = byte * percent / 100;
// OUT:          // cut
// OUT-NEXT:     out_of[entry] = inverted < low ? 0 : inverted;
// OUT-NEXT:   }
// OUT-NEXT:   __syncthreads();
// OUT:        kfuseLoad(in_in, in + first, count);
// OUT:          out_out[v2] = out_of[in_in[v2]];
// OUT-NEXT:   kfuseStore(out + first, out_out, count);
//
// Bytes with a sign.
// OUT:      static __global__ void kfuse_curve_bend(
// OUT:        __shared__ signed char bent_of[256];
// OUT:          signed char byte = entry;
// OUT:          bent_out[v] = bent_of[(unsigned char)in_in[v]];
//
// Too little to be looked up; a quotient by what is a byte; a loop; the index.
// OUT:      static __global__ void kfuse_flip_lift(
// OUT-NOT:  _of[256]
// OUT:      static __global__ void kfuse_gain_share(
// OUT-NOT:  _of[256]
// OUT:      static __global__ void kfuse_gain_raise(
// OUT-NOT:  _of[256]
// OUT:      static __global__ void kfuse_gain_slope(
// OUT-NOT:  _of[256]
// OUT:      int main(
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__global__ void gain(const unsigned char *in, unsigned char *out, int percent,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int v = in[i] * percent / 100;
  out[i] = v > 255 ? 255 : v;
}
__global__ void invert(const unsigned char *in, unsigned char *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 255 - in[i];
}
__global__ void cut(const unsigned char *in, unsigned char *out, int low,
                    int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] < low ? 0 : in[i];
}
__global__ void curve(const signed char *in, signed char *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * in[i] / 128 - in[i] / 3;
}
__global__ void bend(const signed char *in, signed char *bent, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    bent[i] = in[i] < -5 ? -5 : in[i] ^ 3;
}
__global__ void flip(const unsigned char *in, unsigned char *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = ~in[i];
}
__global__ void lift(const unsigned char *in, unsigned char *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + 1;
}
// The input has no zeros.
__global__ void share(const unsigned char *in, unsigned char *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 1000 / in[i] + in[i] / 7;
}
__global__ void raise(const unsigned char *in, unsigned char *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int v = in[i];
    for (int k = 1; k < 200; k += in[i] + 1)
      v += k;
    out[i] = v;
  }
}
__global__ void slope(const unsigned char *in, unsigned char *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] / 3 + i % 5;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 2003;
  std::vector<unsigned char> host(n), sums(7);
  for (int i = 0; i < n; ++i)
    host[i] = 1 + (i * 7 + i / 255) % 255;
  unsigned char *in, *passed, *inverted, *out[5];
  signed char *small, *curved, *bent;
  cudaMalloc(&in, n);
  cudaMalloc(&passed, n);
  cudaMalloc(&inverted, n);
  cudaMalloc(&small, n);
  cudaMalloc(&curved, n);
  cudaMalloc(&bent, n);
  for (unsigned char *&each : out)
    cudaMalloc(&each, n);
  cudaMemcpy(in, host.data(), n, cudaMemcpyHostToDevice);
  cudaMemcpy(small, host.data(), n, cudaMemcpyHostToDevice);
  const int blocks = (n + 255) / 256;
  gain<<<blocks, 256>>>(in, passed, 120, n);
  invert<<<blocks, 256>>>(passed, inverted, n);
  cut<<<blocks, 256>>>(inverted, out[0], 30, n);
  cudaDeviceSynchronize();
  printf("gained\n");
  curve<<<blocks, 256>>>(small, curved, n);
  bend<<<blocks, 256>>>(curved, bent, n);
  cudaDeviceSynchronize();
  printf("bent\n");
  flip<<<blocks, 256>>>(in, passed, n);
  lift<<<blocks, 256>>>(passed, out[1], n);
  cudaDeviceSynchronize();
  printf("lifted\n");
  gain<<<blocks, 256>>>(in, passed, 90, n);
  share<<<blocks, 256>>>(in, out[2], n);
  cudaDeviceSynchronize();
  printf("shared\n");
  gain<<<blocks, 256>>>(in, passed, 80, n);
  raise<<<blocks, 256>>>(passed, out[3], n);
  cudaDeviceSynchronize();
  printf("raised\n");
  gain<<<blocks, 256>>>(in, passed, 70, n);
  slope<<<blocks, 256>>>(passed, out[4], n);
  for (unsigned char *each : out) {
    cudaMemcpy(host.data(), each, n, cudaMemcpyDeviceToHost);
    unsigned sum = 0;
    for (int i = 0; i < n; ++i)
      sum = sum * 31 + host[i];
    printf("%u\n", sum);
  }
  cudaMemcpy(host.data(), bent, n, cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 31 + host[i];
  printf("%u\n", sum);
}
