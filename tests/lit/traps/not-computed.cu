// RUN: %kfuse verify %s --relaxed-rounding --cost-without=memory,L2,issue,flops,starts,L1 -Rkfuse 2>&1 | FileCheck %s
// CHECK-NOT: remark: fused
// CHECK: 56 launches ->
// CHECK-SAME: {{^ 56$}}
// CHECK: verified
//
// Arrays that can't be computed where they are read: somebody needs them in
// memory, the producer isn't a function of the element, the functions' inputs
// change, or the text does more with them than to read elements.

#include <cstdio>
#include <cuda_runtime.h>

static const int n = 96, w = 12, h = 8;
float *in, *other, *out; // other files may know them
int *list;

__global__ void scale(const float *a, float *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    s[i] = a[i] * 3;
}

__global__ void reversed(const float *s, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = s[n - 1 - i] + 1;
}

__global__ void listed(const float *s, const int *list, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = s[list[i]] + 1;
}

// Not every element.
__global__ void inner(const float *a, float *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    s[i] = a[i] * 3;
}
__global__ void someOf(const float *a, float *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] > 5)
    s[i] = a[i] * 3;
}

// A sum, a partial store, more than the element, twice.
__global__ void inPlace(const float *a, float *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    s[i] += a[i];
}
__global__ void atomic(const float *a, float *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&s[i], a[i]);
}
__global__ void inTurn(const float *a, float *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < 3; ++k)
      s[i] = a[i] * k;
}
__global__ void both(const float *a, float *s, float *t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    s[i] = a[i] * 3;
    t[i] = a[i] * 2;
  }
}
__global__ void spread(const float *a, float *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    s[2 * i] = a[i] * 3;
    s[2 * i + 1] = a[i] * 2;
  }
}

// Threads that know their blocks.
__global__ void ofBlock(const float *a, float *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    s[i] = a[i] + blockIdx.x;
}
__global__ void ofThread(const float *a, float *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    s[i] = threadIdx.x % 3 == 0 ? a[i] : 5;
}
__global__ void ofGrid(const float *a, float *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    s[i] = a[i] + gridDim.x * blockDim.x;
}
__global__ void byBlock(const float *a, float *s, int n) {
  __shared__ float t[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  t[threadIdx.x] = i < n ? a[i] : 0;
  __syncthreads();
  if (i < n)
    s[i] = t[31 - threadIdx.x];
}
__device__ float ownIndex(const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  return i < n ? a[i] : 0;
}
__global__ void byHelper(const float *a, float *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    s[i] = ownIndex(a, n);
}

// Behind the end of its row a thread writes the next row's first elements too.
__global__ void overEnds(const float *a, float *s, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < h && x + w * y < w * h)
    s[y * w + x] = x < w ? a[x] : -1;
}

// Changes what the producer reads.
__global__ void reversedInto(const float *s, float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = s[n - 1 - i] + 1;
}

// Does more with the array.
__device__ float at(const float *s, int i) { return s[i]; }
__global__ void called(const float *s, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = at(s, n - 1 - i);
}
__global__ void pointed(const float *s, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = *(s + n - 1 - i);
}
__global__ void readOnly(const float *s, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = __ldg(&s[n - 1 - i]);
}
__global__ void renamed(const float *s, float *c, int n) {
  const float *t = s;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = t[n - 1 - i] + s[i];
}
__global__ void bound(const float *s, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float &f = s[n - 1 - i];
    c[i] = f;
  }
}
#define AT(p, i) p[i]
__global__ void byMacro(const float *s, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = AT(s, n - 1 - i);
}
__global__ void shadowed(const float *s, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = s[n - 1 - i];
    const float s[2] = {1, 2};
    c[i] += s[i % 2];
  }
}
__global__ void asBits(const float *s, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = ((const int *)s)[n - 1 - i];
}
__global__ void twice(const float *s, const float *t, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = s[n - 1 - i] * 2;
}

int main() {
  static float host[n];
  static int order[n];
  for (int i = 0; i < n; ++i) {
    host[i] = i * 0.25f;
    order[i] = i * 7 % n;
  }
  const size_t bytes = n * sizeof(float);
  cudaMalloc(&in, bytes);
  cudaMalloc(&other, bytes);
  cudaMalloc(&out, bytes);
  cudaMalloc(&list, n * sizeof(int));
  cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(list, order, n * sizeof(int), cudaMemcpyHostToDevice);
  {
    // The host reads it.
    float *s;
    cudaMalloc(&s, bytes);
    scale<<<3, 32>>>(in, s, n);
    reversed<<<3, 32>>>(s, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, s, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    // A later kernel reads it.
    float *s;
    cudaMalloc(&s, bytes);
    scale<<<3, 32>>>(in, s, n);
    reversed<<<3, 32>>>(s, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    scale<<<3, 32>>>(s, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    cudaMemset(s, 0, bytes);
    cudaMemcpy(host, s, bytes, cudaMemcpyDeviceToHost);
    inner<<<3, 32>>>(in, s, n);
    reversed<<<3, 32>>>(s, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    cudaMemset(s, 0, bytes);
    cudaMemcpy(host, s, bytes, cudaMemcpyDeviceToHost);
    someOf<<<3, 32>>>(in, s, n);
    listed<<<3, 32>>>(s, list, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    cudaMemcpy(s, host, bytes, cudaMemcpyHostToDevice);
    inPlace<<<3, 32>>>(in, s, n);
    listed<<<3, 32>>>(s, list, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    cudaMemcpy(s, host, bytes, cudaMemcpyHostToDevice);
    atomic<<<3, 32>>>(in, s, n);
    listed<<<3, 32>>>(s, list, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    inTurn<<<3, 32>>>(in, s, n);
    listed<<<3, 32>>>(s, list, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    both<<<3, 32>>>(in, s, other, n);
    listed<<<3, 32>>>(s, list, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    spread<<<3, 32>>>(in, s, n);
    listed<<<3, 32>>>(s, list, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    ofBlock<<<3, 32>>>(in, s, n);
    listed<<<3, 32>>>(s, list, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    ofThread<<<3, 32>>>(in, s, n);
    listed<<<3, 32>>>(s, list, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    ofGrid<<<3, 32>>>(in, s, n);
    listed<<<3, 32>>>(s, list, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    byBlock<<<3, 32>>>(in, s, n);
    listed<<<3, 32>>>(s, list, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    byHelper<<<3, 32>>>(in, s, n);
    listed<<<3, 32>>>(s, list, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    // Fewer threads than elements.
    float *s;
    cudaMalloc(&s, bytes);
    cudaMemcpy(s, host, bytes, cudaMemcpyHostToDevice);
    scale<<<2, 32>>>(in, s, n);
    listed<<<3, 32>>>(s, list, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    // Rows of threads are longer than those of elements.
    float *s;
    cudaMalloc(&s, bytes);
    overEnds<<<dim3(2, 2), dim3(8, 4)>>>(in, s, w, h);
    listed<<<3, 32>>>(s, list, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    scale<<<3, 32>>>(in, s, n);
    reversedInto<<<3, 32>>>(s, in, n);
    cudaMemcpy(host, in, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    scale<<<3, 32>>>(in, s, n);
    called<<<3, 32>>>(s, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    scale<<<3, 32>>>(in, s, n);
    pointed<<<3, 32>>>(s, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    scale<<<3, 32>>>(in, s, n);
    readOnly<<<3, 32>>>(s, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    scale<<<3, 32>>>(in, s, n);
    renamed<<<3, 32>>>(s, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    scale<<<3, 32>>>(in, s, n);
    bound<<<3, 32>>>(s, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    scale<<<3, 32>>>(in, s, n);
    byMacro<<<3, 32>>>(s, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    scale<<<3, 32>>>(in, s, n);
    shadowed<<<3, 32>>>(s, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    float *s;
    cudaMalloc(&s, bytes);
    scale<<<3, 32>>>(in, s, n);
    asBits<<<3, 32>>>(s, out, n);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  {
    // Another element is its first.
    float *s;
    cudaMalloc(&s, bytes);
    scale<<<3, 32>>>(in, s, n);
    reversed<<<3, 32>>>(s + 1, out, n - 1);
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[5]);
    cudaFree(s);
  }
  // Read before it is written, in the next pass.
  float *s;
  cudaMalloc(&s, bytes);
  cudaMemcpy(s, host, bytes, cudaMemcpyHostToDevice);
  for (int pass = 0; pass < 3; ++pass) {
    twice<<<3, 32>>>(s, in, other, n);
    scale<<<3, 32>>>(in, s, n);
    reversed<<<3, 32>>>(s, out, n);
    cudaMemcpy(host, other, bytes, cudaMemcpyDeviceToHost);
  }
  cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
  std::printf("%g\n", host[5]);
  cudaFree(s);
}
