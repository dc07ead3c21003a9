// RUN: %kfuse verify %s
//
// Unsigned arithmetic wraps, and so do shifts and narrower types: what looks
// like a bound, a place of its own or a size need not be one. Each pair runs in
// one shape and would be fused if the numbers had no bounds.

#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int Count = 4096;

// Half of the elements get a value; a generator's number picks who reads them.
__global__ void fillHalf(float *b, const float *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2048u)
    b[i] = a[i] + 0.5f;
}
__global__ void readPicked(const float *b, float *c, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i * 22695477u + 12345u < 0x70000000u)
    c[i] = b[i];
}

// 64 bits wrap as well.
__global__ void readPickedWide(const float *b, float *c, unsigned long long n) {
  unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i * 2862933555777941757ull + 3037000493ull < (1ull << 62))
    c[i] += b[i];
}

// Element 0 is stored by threads whose index is 0 in 32 bits.
__global__ void storeWrapped(float *b, const float *a, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned k = i << 21;
  if (k < n && i >= 2048u && i < 4096u)
    b[k] = a[i];
}
__global__ void readWrapped(const float *b, float *c, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned k = i << 21;
  if (k < n && i < 2048u)
    c[i] = b[k] + 1;
}

// A size that wraps to nothing.
__global__ void storeNone(float *b, const float *a, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * 0x100000u)
    b[i] = a[i];
}
__global__ void readAll(const float *b, float *c, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] += b[i];
}

// A pitch beyond the array, of which two rows are one.
__global__ void storeRows(float *b, const float *a, unsigned pitch) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 32u && y == 32u)
    b[y * pitch + x] = a[y * 32u + x];
}
__global__ void readRows(const float *b, float *c, unsigned pitch) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 32u && y == 0u)
    c[y * 32u + x] += b[y * pitch + x];
}

// What a shift loses that becomes a signed number.
__global__ void readShifted(const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && int(unsigned(i) << 22) < 64)
    c[i] = b[i] * 2;
}

// A difference below zero is a large number.
__global__ void fillSome(float *b, const float *a, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i];
}
__global__ void readFew(const float *b, float *c, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 4096u && i < n - 8u)
    c[i] += b[i] * 3;
}

// Of a number of 16 bits there are 65536.
__global__ void storeShort(float *b, const float *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned short k = i * 32u;
  if (i >= 2048u)
    b[k] = a[i];
}
__global__ void readShort(const float *b, float *c) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned short k = i * 32u;
  if (i < 2048u)
    c[i] += b[k];
}

int main() {
  std::vector<float> host(Count);
  for (int i = 0; i < Count; ++i)
    host[i] = i * 0.25f - 7;
  float *a, *b, *c;
  cudaMalloc(&a, Count * sizeof(float));
  cudaMalloc(&b, 65536 * sizeof(float));
  cudaMalloc(&c, Count * sizeof(float));
  cudaMemcpy(a, host.data(), Count * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(b, 0, 65536 * sizeof(float));
  cudaMemset(c, 0, Count * sizeof(float));
  const auto show = [&] {
    cudaMemcpy(host.data(), c, Count * sizeof(float), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < Count; ++i)
      sum += host[i] * (i % 97);
    printf("%.9g\n", sum);
  };
  fillHalf<<<16, 256>>>(b, a);
  readPicked<<<16, 256>>>(b, c, Count);
  show();
  fillHalf<<<16, 256>>>(b, a);
  readPickedWide<<<16, 256>>>(b, c, Count);
  show();
  storeWrapped<<<16, 256>>>(b, a, Count);
  readWrapped<<<16, 256>>>(b, c, Count);
  show();
  storeNone<<<16, 256>>>(b, a, Count);
  readAll<<<16, 256>>>(b, c, Count);
  show();
  const dim3 blocks(1, 8), threads(32, 8);
  const unsigned pitch = 0x8000000u;
  storeRows<<<blocks, threads>>>(b, a, pitch);
  readRows<<<blocks, threads>>>(b, c, pitch);
  show();
  fillHalf<<<16, 256>>>(b, a);
  readShifted<<<16, 256>>>(b, c, Count);
  show();
  const unsigned few = 4;
  fillSome<<<16, 256>>>(b, a, few);
  readFew<<<16, 256>>>(b, c, few);
  show();
  storeShort<<<16, 256>>>(b, a);
  readShort<<<16, 256>>>(b, c);
  show();
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
