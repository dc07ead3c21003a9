// RUN: not %kfuse verify %s 2>&1 | grep "not verified: what ran leaves equal traces and output"
//
// A name may be a macro of several words: where kfuse writes it into an
// expression of its own, it must stay one operand.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

static const int n = 1000;
static float start[n], host[n];

__global__ void twice(const float *A, float *B, int COUNT) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < COUNT)
    B[i] = 2 * A[i];
}

__global__ void next(const float *B, float *C, int COUNT) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < COUNT)
    C[i] = B[i] + 1;
}

__global__ void sum(const float *B, const float *P, float *C, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    C[i] = B[i] + P[i];
}

__global__ void add(const float *B, float *C, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    C[i] += B[i] + 1;
}

// Also a parameter of the kernels above.
#define COUNT 1000

struct Size {
  int count;
};

__global__ void sized(const float *A, float *B, Size size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size.count)
    B[i] = 2 * A[i];
}

__global__ void neighbours(const float *U, float *R, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < count - 1)
    R[i] = U[i - 1] + U[i + 1];
  else if (i < count)
    R[i] = 0;
}

#define STEP dt + 0.25f
__global__ void update(float *U, const float *R, float dt, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    U[i] *= STEP;
}

static void show(const char *name, const float *array) {
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%s %g %g\n", name, host[7], host[700]);
}

struct Arrays {
  float *a, *b, *c;
  Arrays() {
    for (float **each : {&a, &b, &c}) {
      cudaMalloc(each, sizeof(start));
      cudaMemcpy(*each, start, sizeof(start), cudaMemcpyHostToDevice);
    }
  }
};

#define MASKED x & 1023
static void equalCounts(int x, int m) {
  Arrays of;
  twice<<<3, 256>>>(of.a, of.b, MASKED);
  next<<<3, 256>>>(of.b, of.c, m);
  show("equal counts", of.c);
}

#define LONGER count + 50
static void spans(float *a, float *b, float *p, float *c, int count) {
  twice<<<4, 256>>>(a, b, LONGER);
  sum<<<4, 256>>>(b, p, c, LONGER);
}
static void overlap() {
  Arrays of;
  spans(of.a, of.b, of.b + 120, of.c, 80);
  show("overlap", of.c);
}

#define CONFIGURED *size
static void members(Size *size, int count) {
  Arrays of;
  sized<<<4, 256>>>(of.a, of.b, CONFIGURED);
  next<<<4, 256>>>(of.b, of.c, count);
  show("members", of.c);
}

#define BYTES (count * sizeof(float))
#define HALF count / 2 * sizeof(float)
static void memory(int count) {
  Arrays of;
  cudaMemset(of.b, 0, BYTES);
  add<<<4, 256>>>(of.b, of.c, count);
  show("memory", of.c);
  cudaMemset(of.b, 1, HALF);
  add<<<4, 256>>>(of.b, of.c, count);
  show("half of it", of.c);
}

static void updates() {
  Arrays of;
  for (int t = 0; t < 3; ++t) {
    neighbours<<<4, 256>>>(of.a, of.b, n);
    update<<<4, 256>>>(of.a, of.b, 0.5f, n);
  }
  show("updates", of.a);
}

int main() {
  for (int i = 0; i < n; ++i)
    start[i] = i % 17 + 1;
  equalCounts(atoi("1"), atoi("1023"));
  overlap();
  Size size = {atoi("1000")};
  members(&size, atoi("1000"));
  memory(atoi("1000"));
  updates();
}
