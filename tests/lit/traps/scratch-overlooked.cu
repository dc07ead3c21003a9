// RUN: %kfuse verify %s --assume=no-overlap \
// RUN:     --cost-without=memory,L2,issue,flops,starts,L1 2>&1 | FileCheck %s
//
// Ways past the statement that overwrites a scratch array, or around it, on
// which somebody reads what the first pair of kernels left there: it is stored.

// CHECK-NOT: {{(never|not always) stored:}}
// CHECK:     'make', 'take'
// CHECK-NOT: {{(never|not always) stored:}}
// CHECK:     verified: original and fused leave equal traces and output

#include <csetjmp>
#include <cstdio>

constexpr int N = 256;
static float zeros[N], seen[N];

__global__ void make(const float *a, float *t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    t[i] = a[i] + 0.5f;
}
__global__ void take(const float *t, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = t[i] * 2.0f;
}

#define SCRATCH(T)                                                             \
  float *T;                                                                    \
  cudaMalloc(&T, N * sizeof(float));                                           \
  cudaMemcpy(T, zeros, N * sizeof(float), cudaMemcpyHostToDevice)
#define SHOW(T)                                                                \
  cudaMemcpy(seen, T, N * sizeof(float), cudaMemcpyDeviceToHost);              \
  printf("%g %g\n", seen[3], seen[N - 1])

static void continues(float *a, float *b, int n) {
  SCRATCH(T);
  for (int k = 0; k < 2; ++k) {
    make<<<1, 256>>>(a, T, n);
    take<<<1, 256>>>(T, b, n);
    switch (k) {
    case 1:
      continue;
    }
    cudaMemcpy(T, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  }
  SHOW(T);
  cudaFree(T);
}

static void handler(float *a, float *b, int n) {
  SCRATCH(T);
  try {
    make<<<1, 256>>>(a, T, n);
    take<<<1, 256>>>(T, b, n);
    if (n > 1)
      throw 1;
    cudaMemcpy(T, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  } catch (int) {
    SHOW(T);
  }
  cudaFree(T);
}

static void outOfTheLoop(float *a, float *b, int n) {
  SCRATCH(T);
  try {
    for (int k = 0; k < 2; ++k) {
      make<<<1, 256>>>(a, T, n);
      take<<<1, 256>>>(T, b, n);
      if (n > 1)
        throw 1;
    }
    cudaMemcpy(T, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  } catch (int) {
  }
  SHOW(T);
  cudaFree(T);
}

static int check(int n) {
  if (n > 1)
    throw 1;
  return n;
}

static void header(float *a, float *b, int n) {
  SCRATCH(T);
  try {
    for (int k = 0; k < 2; ++k, check(n)) {
      make<<<1, 256>>>(a, T, n);
      take<<<1, 256>>>(T, b, n);
    }
    cudaMemcpy(T, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  } catch (int) {
    SHOW(T);
  }
  cudaFree(T);
}

static void argument(float *a, float *b, int n) {
  SCRATCH(T);
  try {
    make<<<1, 256>>>(a, T, n);
    take<<<1, 256>>>(T, b, n);
    cudaMemcpy(T, zeros + 0 * check(n), N * sizeof(float),
               cudaMemcpyHostToDevice);
  } catch (int) {
  }
  SHOW(T);
  cudaFree(T);
}

static void freedPerhaps(float *a, float *b, int n) {
  SCRATCH(T);
  make<<<1, 256>>>(a, T, n);
  take<<<1, 256>>>(T, b, n);
  (void)(n > 5000 && cudaFree(T));
  SHOW(T);
}

static int left = 300;
static int next() { return left -= 100; }

static void otherCounts(float *a, float *b, int) {
  SCRATCH(T);
  for (int k = 0; k < 2; ++k) {
    const int m = next();
    make<<<1, 256>>>(a, T, m);
    if (k == 1) {
      SHOW(T);
    }
    make<<<1, 256>>>(b, T, m);
    take<<<1, 256>>>(T, b, m);
  }
  cudaFree(T);
}

static std::jmp_buf place;

static void comesBack(float *a, float *b, int n) {
  SCRATCH(T);
  if (setjmp(place)) {
    SHOW(T);
    return;
  }
  make<<<1, 256>>>(a, T, n);
  take<<<1, 256>>>(T, b, n);
  if (n > 1)
    longjmp(place, 1);
  cudaMemcpy(T, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
}

struct Base {
  virtual ~Base() {}
};
struct More : Base {};

static void badCast(float *a, float *b, int n, Base *p) {
  SCRATCH(T);
  try {
    make<<<1, 256>>>(a, T, n);
    take<<<1, 256>>>(T, b, n);
    (void)dynamic_cast<More &>(*p);
    cudaMemcpy(T, zeros, N * sizeof(float), cudaMemcpyHostToDevice);
  } catch (...) {
    take<<<1, 256>>>(T, a, n);
  }
  SHOW(a);
  cudaFree(T);
}

int main(int argc, char **) {
  float *a, *b;
  cudaMalloc(&a, N * sizeof(float));
  cudaMalloc(&b, N * sizeof(float));
  float h[N];
  for (int i = 0; i < N; ++i)
    h[i] = i;
  cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h, sizeof(h), cudaMemcpyHostToDevice);
  const int n = N + argc - 1;
  continues(a, b, n);
  handler(a, b, n);
  outOfTheLoop(a, b, n);
  header(a, b, n);
  argument(a, b, n);
  freedPerhaps(a, b, n);
  otherCounts(a, b, n);
  comesBack(a, b, n);
  Base base;
  badCast(a, b, n, &base);
  SHOW(b);
  cudaFree(a);
  cudaFree(b);
}
