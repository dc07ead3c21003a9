// RUN: %kfuse verify %s --assume=no-overlap --cost-without=memory,L2,issue,flops,start 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SAME
// RUN: %kfuse %s --quiet --emit=plan --assume=no-overlap --cost-without=memory,L2,issue,flops,start \
// RUN:   | FileCheck %s
//
// One scratch array serves two pairs of kernels. What the first pair passes in
// it is seen by nobody once the second pair stored it again: all of it, or the
// same elements, in straight code and in the next iteration. It is stored where
// fewer elements are stored later, or not for sure, or where somebody reads it
// before.

// CHECK:      All in a register from 'make' (line {{[0-9]+}}) to 'take' (line {{[0-9]+}}), never stored
// CHECK:      Loop in a register from 'make' (line {{[0-9]+}}) to 'take' (line {{[0-9]+}}), never stored
// CHECK:      Fewer in a register from 'make' (line {{[0-9]+}}) to 'take' (line {{[0-9]+}}), stored too
// CHECK:      Less in a register from 'make' (line {{[0-9]+}}) to 'take' (line {{[0-9]+}}), stored too
// CHECK:      Maybe in a register from 'make' (line {{[0-9]+}}) to 'take' (line {{[0-9]+}}), stored too
// CHECK:      Before in a register from 'make' (line {{[0-9]+}}) to 'take' (line {{[0-9]+}}), stored too
// CHECK:      Left in a register from 'make' (line {{[0-9]+}}) to 'take' (line {{[0-9]+}}), stored too
// CHECK:      Within in a register from 'make' (line {{[0-9]+}}) to 'take' (line {{[0-9]+}}), never stored
// CHECK:      {{^}}never stored: Within
// CHECK-NEXT: not always stored: All and Loop

// SAME:      39 launches -> 29
// SAME:      verified: original and fused leave equal traces
// SAME-SAME: (never stored: Within) (not always stored: All, Loop)

#include <cstdio>

__global__ void make(const float *a, float *t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    t[i] = 0.5f * a[i];
}
__global__ void take(const float *t, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    b[i] = t[i] + 1.0f;
}
// Whatever it reads, it reads in no order of the threads.
__global__ void jump(const float *t, float *c, int n, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = t[(int)((i * (long)step) % n)];
}

constexpr int N = 1000;
static float zeros[N];

static float *device(void) {
  float *p;
  cudaMalloc(&p, N * sizeof(float));
  cudaMemcpy(p, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  return p;
}
static void show(float *p) {
  static float h[N];
  cudaMemcpy(h, p, N * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < N; ++i)
    sum += h[i] * (i % 7);
  printf("%g\n", sum);
}

static void allAgain(float *__restrict__ a, float *__restrict__ b,
    float *__restrict__ c) {
  float *All;
  cudaMalloc(&All, N * sizeof(float));
  cudaMemcpy(All, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  make<<<4, 256>>>(a, All, N);
  take<<<4, 256>>>(All, b, N);
  jump<<<4, 256>>>(b, c, N, 3);
  make<<<4, 256>>>(c, All, N);
  jump<<<4, 256>>>(All, a, N, 7);
  cudaFree(All);
}

static void nextIteration(float *__restrict__ a, float *__restrict__ b,
    float *__restrict__ c, int n) {
  float *Loop;
  cudaMalloc(&Loop, n * sizeof(float));
  cudaMemcpy(Loop, zeros, n * sizeof(float), cudaMemcpyHostToDevice);
  for (int k = 0; k < 3; ++k) {
    make<<<(n + 255) / 256, 256>>>(c, Loop, n);
    jump<<<(n + 255) / 256, 256>>>(Loop, a, n, 7);
    make<<<(n + 255) / 256, 256>>>(a, Loop, n);
    take<<<(n + 255) / 256, 256>>>(Loop, b, n);
    jump<<<(n + 255) / 256, 256>>>(b, c, n, 3);
  }
  cudaFree(Loop);
}

static void fewerAgain(float *__restrict__ a, float *__restrict__ b,
    float *__restrict__ c) {
  float *Fewer;
  cudaMalloc(&Fewer, N * sizeof(float));
  cudaMemcpy(Fewer, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  make<<<4, 256>>>(a, Fewer, N);
  take<<<4, 256>>>(Fewer, b, N);
  jump<<<4, 256>>>(b, c, N, 3);
  make<<<4, 256>>>(c, Fewer, N - 1);
  jump<<<4, 256>>>(Fewer, a, N, 7);
  cudaFree(Fewer);
}

// Each iteration stores fewer elements than the one before.
static void fewerEachTime(float *__restrict__ a, float *__restrict__ b,
    float *__restrict__ c, int n) {
  float *Less;
  cudaMalloc(&Less, N * sizeof(float));
  cudaMemcpy(Less, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  for (int k = 0; k < 3; ++k) {
    make<<<4, 256>>>(c, Less, n);
    jump<<<4, 256>>>(Less, a, N, 7);
    make<<<4, 256>>>(a, Less, n);
    take<<<4, 256>>>(Less, b, n);
    jump<<<4, 256>>>(b, c, N, 3);
    n -= 100;
  }
  cudaFree(Less);
}

static void maybeAgain(float *__restrict__ a, float *__restrict__ b,
    float *__restrict__ c, int n) {
  float *Maybe;
  cudaMalloc(&Maybe, N * sizeof(float));
  cudaMemcpy(Maybe, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  make<<<4, 256>>>(a, Maybe, N);
  take<<<4, 256>>>(Maybe, b, N);
  jump<<<4, 256>>>(b, c, N, 3);
  if (n > 5000)
    make<<<4, 256>>>(c, Maybe, N);
  jump<<<4, 256>>>(Maybe, a, N, 7);
  cudaFree(Maybe);
}

static void readBefore(float *__restrict__ a, float *__restrict__ b,
    float *__restrict__ c) {
  float *Before;
  cudaMalloc(&Before, N * sizeof(float));
  cudaMemcpy(Before, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  make<<<4, 256>>>(a, Before, N);
  take<<<4, 256>>>(Before, b, N);
  jump<<<4, 256>>>(Before, c, N, 3);
  make<<<4, 256>>>(c, Before, N);
  jump<<<4, 256>>>(Before, a, N, 7);
  cudaFree(Before);
}

// The loop may end before it is stored again.
static void leftBefore(float *__restrict__ a, float *__restrict__ b,
    float *__restrict__ c, int n) {
  float *Left;
  cudaMalloc(&Left, N * sizeof(float));
  cudaMemcpy(Left, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  for (int k = 0; k < 3; ++k) {
    make<<<4, 256>>>(a, Left, N);
    take<<<4, 256>>>(Left, b, N);
    jump<<<4, 256>>>(b, c, N, 3);
    if (k == 1 && n < 5000)
      break;
    make<<<4, 256>>>(c, Left, N);
    jump<<<4, 256>>>(Left, a, N, 7);
  }
  show(Left);
  cudaFree(Left);
}

// A loop of its own stores it again before it reads it.
static void loopsAgain(float *__restrict__ a, float *__restrict__ b,
    float *__restrict__ c) {
  float *Within;
  cudaMalloc(&Within, N * sizeof(float));
  cudaMemcpy(Within, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  make<<<4, 256>>>(a, Within, N);
  take<<<4, 256>>>(Within, b, N);
  for (int k = 0; k < 2; ++k) {
    jump<<<4, 256>>>(b, c, N, 3);
    cudaMemcpy(Within, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
    jump<<<4, 256>>>(Within, a, N, 7);
  }
  cudaFree(Within);
}

int main() {
  float *a = device(), *b = device(), *c = device();
  static float h[N];
  for (int i = 0; i < N; ++i)
    h[i] = (float)(i * 37 % 101);
  cudaMemcpy(a, h, N * sizeof(float), cudaMemcpyHostToDevice);
  allAgain(a, b, c);
  show(a);
  nextIteration(a, b, c, N);
  show(a);
  fewerAgain(a, b, c);
  show(a);
  fewerEachTime(a, b, c, N);
  show(a);
  maybeAgain(a, b, c, N);
  show(a);
  readBefore(a, b, c);
  show(a);
  leftBefore(a, b, c, N);
  show(a);
  loopsAgain(a, b, c);
  show(a);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
