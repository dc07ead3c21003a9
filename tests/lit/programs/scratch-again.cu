// RUN: %kfuse verify %s --assume=no-overlap --cost-without=memory,L2,issue,flops,starts,L1 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SAME
// RUN: %kfuse %s --quiet --emit=plan --assume=no-overlap --cost-without=memory,L2,issue,flops,starts,L1 \
// RUN:   | FileCheck %s
//
// One scratch array serves two pairs of kernels. What the first pair passes in
// it is seen by nobody once the second pair stored it again: all of it, or the
// same elements, in straight code and in the next iteration. It is stored where
// fewer elements are stored later, or others, or not for sure, or where somebody
// reads it before.

// CHECK:      All in a register from 'make' {{.*}}, never stored
// CHECK:      Loop in a register from 'make' {{.*}}, never stored
// CHECK:      Fewer in a register from 'make' {{.*}}, stored too
// CHECK:      Less in a register from 'make' {{.*}}, stored too
// CHECK:      Maybe in a register from 'make' {{.*}}, stored too
// CHECK:      Before in a register from 'make' {{.*}}, stored too
// CHECK:      Left in a register from 'make' {{.*}}, stored too
// CHECK:      Within in a register from 'make' {{.*}}, never stored
// CHECK:      Elsewhere in a register from 'make' {{.*}}, stored too
// CHECK:      ByFewer in a register from 'make' {{.*}}, stored too
// CHECK:      BySmaller in a register from 'make' {{.*}}, stored too
// CHECK:      Part in a register from 'make' {{.*}}, stored too
// CHECK:      Often in a register from 'make' {{.*}}, stored too
// CHECK:      Over in a register from 'makeAll' {{.*}}, stored too
// CHECK:      Places in a register from 'makeAt' {{.*}}, stored too
// CHECK:      Grids in a register from 'make' {{.*}}, stored too
// CHECK:      Blocks in a register from 'make' {{.*}}, stored too
// CHECK:      Two in a register from 'makeTwo' {{.*}}, stored too
// CHECK:      Other in a register from 'makeTwo' {{.*}}, stored too
// CHECK:      Wide in a register from 'make' {{.*}}, stored too
// CHECK:      {{^}}never stored: Within
// CHECK-NEXT: not always stored: All and Loop

// SAME:      {{[0-9]+}} launches ->
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

__global__ void makeAt(const float *a, float *t, int first, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    t[i + first] = 0.25f * a[i];
}
__global__ void takeAt(const float *t, float *b, int first, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = t[i + first] + 2.0f;
}
__global__ void makeTwo(const float *a, float2 *t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4)
    t[i] = make_float2(a[i], -a[i]);
}
__global__ void takeTwo(const float2 *t, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) {
    const float2 v = t[i];
    b[i] = v.x + v.y * 0.5f;
  }
}
__global__ void makeOne(const float *a, float2 *t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4)
    t[i].x = a[i] + 1.0f;
}
__global__ void makeOther(const float *a, float2 *t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4)
    t[i].y = a[i] + 1.0f;
}
__global__ void makeWide(const float *a, double *t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    t[i] = a[i];
}
__global__ void jumpTwo(const float2 *t, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2)
    c[i] = t[(i * 3) % (n / 2)].y + t[(i * 5) % (n / 2)].x;
}
// In a loop that may not run, and over the grid.
__global__ void makeOften(const float *a, float *t, int n, int times) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < times; ++k)
    if (i > 0 && i < n - 1)
      t[i] = 0.5f * a[i];
}
__global__ void makeAll(const float *a, float *t, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    t[i] = 0.5f * a[i];
}
__global__ void takeAll(const float *t, float *b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    b[i] = t[i] - 1.0f;
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

static void elsewhere(float *__restrict__ a, float *__restrict__ b,
    float *__restrict__ c, int n) {
  float *Elsewhere;
  cudaMalloc(&Elsewhere, N * sizeof(float));
  cudaMemcpy(Elsewhere, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  make<<<4, 256>>>(a, Elsewhere, N);
  take<<<4, 256>>>(Elsewhere, b, N);
  jump<<<4, 256>>>(b, c, N, 3);
  make<<<4, 256>>>(c, Elsewhere + 1, N);
  jump<<<4, 256>>>(Elsewhere, a, N, 7);
  cudaFree(Elsewhere);
}

static void byFewer(float *__restrict__ a, float *__restrict__ b,
    float *__restrict__ c, int n) {
  float *ByFewer;
  cudaMalloc(&ByFewer, N * sizeof(float));
  cudaMemcpy(ByFewer, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  make<<<4, 256>>>(a, ByFewer, N);
  take<<<4, 256>>>(ByFewer, b, N);
  jump<<<4, 256>>>(b, c, N, 3);
  make<<<3, 256>>>(c, ByFewer, N);
  jump<<<4, 256>>>(ByFewer, a, N, 7);
  cudaFree(ByFewer);
}

static void bySmaller(float *__restrict__ a, float *__restrict__ b,
    float *__restrict__ c, int n) {
  float *BySmaller;
  cudaMalloc(&BySmaller, N * sizeof(float));
  cudaMemcpy(BySmaller, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  make<<<4, 256>>>(a, BySmaller, N);
  take<<<4, 256>>>(BySmaller, b, N);
  jump<<<4, 256>>>(b, c, N, 3);
  make<<<4, 128>>>(c, BySmaller, N);
  jump<<<4, 256>>>(BySmaller, a, N, 7);
  cudaFree(BySmaller);
}

static void partAgain(float *__restrict__ a, float *__restrict__ b,
    float *__restrict__ c, int n) {
  float *Part;
  cudaMalloc(&Part, N * sizeof(float));
  cudaMemcpy(Part, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  make<<<4, 256>>>(a, Part, N);
  take<<<4, 256>>>(Part, b, N);
  jump<<<4, 256>>>(b, c, N, 3);
  cudaMemcpy(Part, zeros, N / 2 * sizeof(float), cudaMemcpyHostToDevice);
  jump<<<4, 256>>>(Part, a, N, 7);
  cudaFree(Part);
}

static void notOften(float *__restrict__ a, float *__restrict__ b,
    float *__restrict__ c, int n) {
  float *Often;
  cudaMalloc(&Often, N * sizeof(float));
  cudaMemcpy(Often, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  make<<<4, 256>>>(a, Often, N);
  take<<<4, 256>>>(Often, b, N);
  jump<<<4, 256>>>(b, c, N, 3);
  makeOften<<<4, 256>>>(c, Often, N, n - N);
  jump<<<4, 256>>>(Often, a, N, 7);
  cudaFree(Often);
}

static void overGrid(float *__restrict__ a, float *__restrict__ b,
    float *__restrict__ c, int n) {
  float *Over;
  cudaMalloc(&Over, N * sizeof(float));
  cudaMemcpy(Over, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  makeAll<<<2, 256>>>(a, Over, N - 2);
  takeAll<<<2, 256>>>(Over, b, N - 2);
  jump<<<4, 256>>>(b, c, N, 3);
  makeAll<<<2, 256>>>(c, Over, N - 100);
  jump<<<4, 256>>>(Over, a, N, 7);
  cudaFree(Over);
}

static void places(float *__restrict__ a, float *__restrict__ b,
    float *__restrict__ c, int n) {
  float *Places;
  cudaMalloc(&Places, N * sizeof(float));
  cudaMemcpy(Places, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  for (int k = 0; k < 3; ++k) {
    makeAt<<<2, 256>>>(c, Places, n - N + 300, 500);
    jump<<<4, 256>>>(Places, a, N, 7);
    makeAt<<<2, 256>>>(a, Places, n - N + 300, 500);
    takeAt<<<2, 256>>>(Places, b, n - N + 300, 500);
    jump<<<4, 256>>>(b, c, N, 3);
    n -= 90;
  }
  cudaFree(Places);
}

static void grids(float *__restrict__ a, float *__restrict__ b,
    float *__restrict__ c, int n) {
  float *Grids;
  cudaMalloc(&Grids, N * sizeof(float));
  cudaMemcpy(Grids, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  for (int k = 0; k < 3; ++k) {
    make<<<(n + 127) / 128, 128>>>(c, Grids, N);
    jump<<<4, 256>>>(Grids, a, N, 7);
    make<<<(n + 127) / 128, 128>>>(a, Grids, N);
    take<<<(n + 127) / 128, 128>>>(Grids, b, N);
    jump<<<4, 256>>>(b, c, N, 3);
    n -= 90;
  }
  cudaFree(Grids);
}

static void blocks(float *__restrict__ a, float *__restrict__ b,
    float *__restrict__ c, int n) {
  float *Blocks;
  cudaMalloc(&Blocks, N * sizeof(float));
  cudaMemcpy(Blocks, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  for (int k = 0; k < 3; ++k) {
    make<<<4, n / 4>>>(c, Blocks, N);
    jump<<<4, 256>>>(Blocks, a, N, 7);
    make<<<4, n / 4>>>(a, Blocks, N);
    take<<<4, n / 4>>>(Blocks, b, N);
    jump<<<4, 256>>>(b, c, N, 3);
    n -= 90;
  }
  cudaFree(Blocks);
}

static void oneOfTwo(float *__restrict__ a, float *__restrict__ b,
    float *__restrict__ c, int n) {
  float2 *Two;
  cudaMalloc(&Two, N * sizeof(float));
  cudaMemcpy(Two, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  makeTwo<<<1, 256>>>(a, Two, N);
  takeTwo<<<1, 256>>>(Two, b, N);
  jump<<<4, 256>>>(b, c, N, 3);
  makeOne<<<1, 256>>>(c, Two, N);
  jumpTwo<<<2, 256>>>(Two, a, N);
  cudaFree(Two);
}

static void otherOfTwo(float *__restrict__ a, float *__restrict__ b,
    float *__restrict__ c, int n) {
  float2 *Other;
  cudaMalloc(&Other, N * sizeof(float));
  cudaMemcpy(Other, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  makeTwo<<<1, 256>>>(a, Other, N);
  takeTwo<<<1, 256>>>(Other, b, N);
  jump<<<4, 256>>>(b, c, N, 3);
  makeOther<<<1, 256>>>(c, Other, N);
  jumpTwo<<<2, 256>>>(Other, a, N);
  cudaFree(Other);
}

static void wider(float *__restrict__ a, float *__restrict__ b,
                  float *__restrict__ c, int n) {
  float *Wide;
  cudaMalloc(&Wide, 2 * N * sizeof(float));
  cudaMemcpy(Wide, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  make<<<4, 256>>>(a, Wide, N);
  take<<<4, 256>>>(Wide, b, N);
  jump<<<4, 256>>>(b, c, N, 3);
  makeWide<<<4, 256>>>(c, (double *)Wide, n);
  jump<<<4, 256>>>(Wide, a, N, 7);
  cudaFree(Wide);
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
  elsewhere(a, b, c, N);
  show(a);
  byFewer(a, b, c, N);
  show(a);
  bySmaller(a, b, c, N);
  show(a);
  partAgain(a, b, c, N);
  show(a);
  notOften(a, b, c, N);
  show(a);
  overGrid(a, b, c, N);
  show(a);
  places(a, b, c, N);
  show(a);
  grids(a, b, c, N);
  show(a);
  blocks(a, b, c, N);
  show(a);
  oneOfTwo(a, b, c, N);
  show(a);
  otherOfTwo(a, b, c, N);
  show(a);
  wider(a, b, c, N);
  show(a);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
