// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 3 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: {{^}}verified: original and fused leave equal traces and output
//
// What a launch under a condition evaluates may be nothing if the condition
// doesn't hold, even where other launches name it. Nor do its kernel's bounds
// hold then.

// CHECK: 19 launches -> 11
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void twice(int *b, const int *a, int by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] + by;
}

__global__ void lift(int *b, int by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = b[i] > by ? b[i] : by;
}

// A macro that names what stands around it.
static __device__ int runs = 3;
#define MORE runs
__global__ void more(int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] += MORE;
}

// The row of an element, in rows of `width`.
// OUT:      void rows_at(
// OUT:      if (runs2) {
// OUT-NEXT: int row = i / width;
__global__ void rows(int *b, int width, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = i / width;
  if (i < n)
    b[i] += row;
}
__global__ void odd(int *b, int width, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % width == 1)
    b[i] -= 1;
}

__global__ void shared(int *b, int n) {
  extern __shared__ int tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i;
  __syncthreads();
  if (i < n)
    b[i] += tile[blockDim.x - 1 - threadIdx.x];
}

template <typename T> __global__ void fill(int *b, T to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] += T(to + 250) / 2;
}

struct Level {
  int by, other;
  unsigned char small;
};
static int calls = 0;
static int next() { return ++calls; }

int main(int argc, char **argv) {
  const int n = 1000, k = argc > 1 ? std::atoi(argv[1]) : 0;
  const Level one = {k, 7, 9};
  const Level *level = k ? &one : nullptr;
  int Level::*member = &Level::other;
  int *a, *b, host[n];
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  for (int i = 0; i < n; ++i)
    host[i] = i % 71 - 3;
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  const auto show = [&] {
    cudaMemcpy(host, b, sizeof(host), cudaMemcpyDeviceToHost);
    int sum = 0;
    for (int i = 0; i < n; ++i)
      sum += host[i] * (i % 13);
    printf("%d %d, %s\n", calls, sum, cudaGetErrorString(cudaGetLastError()));
  };

  // OUT: int main(
  // A call that counts.
  // OUT:      next()
  // OUT-NEXT: if (k > 1)
  // OUT-NEXT: lift<<<{{.*}}>>>(b, next(), n);
  twice<<<8, 128>>>(b, a, next(), n);
  if (k > 1)
    lift<<<8, 128>>>(b, next(), n);
  show();
  // Operands that aren't evaluated.
  // OUT:      k ? n / k : 0
  // OUT:      level ? level->by : 0
  twice<<<8, 128>>>(b, a, (k ? n / k : 0) + (level && level->by > 2), n);
  if (k)
    lift<<<8, 128>>>(b, n / k, n);
  if (level)
    lift<<<8, 128>>>(b, level->by, n);
  show();
  // OUT:      level ? level->*member : 0
  twice<<<8, 128>>>(b, a, sizeof(level->*member), n);
  if (level)
    lift<<<8, 128>>>(b, level->*member, n);
  show();
  // Numbers that weren't given, or are too large.
  // OUT:      k ? given : 0, k, k ? some.by : 0, k ? (int)large : 0
  int given;
  Level some;
  const float large = k ? k : 1e20f;
  if (k)
    given = some.by = k;
  twice<<<8, 128>>>(b, a, 8, n);
  if (k)
    lift<<<8, 128>>>(b, given, n);
  if (k)
    lift<<<8, 128>>>(b, some.by, n);
  if (k)
    lift<<<8, 128>>>(b, (int)large, n);
  show();
  // A parameter of the argument's type.
  // OUT:      if (level)
  // OUT-NEXT: fill<<<
  twice<<<8, 128>>>(b, a, 5, n);
  if (level)
    fill<<<8, 128>>>(b, level->small, n);
  show();
  // Shared memory that a device may not have.
  // OUT:      if (k)
  // OUT-NEXT: shared<<<
  twice<<<8, 128>>>(b, a, 6, n);
  if (k)
    shared<<<8, 128, (k ? 128 : 1000000) * sizeof(int)>>>(b, n);
  show();
  // A divisor that is 0 if nothing is launched.
  twice<<<8, 128>>>(b, a, 7, n);
  if (k)
    rows<<<8, 128>>>(b, k, n);
  if (k > 0)
    odd<<<8, 128>>>(b, k, n);
  if (argc > 1)
    more<<<8, 128>>>(b, n);
  show();
}
