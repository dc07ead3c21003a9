// RUN: %kfuse verify %s
//
// Between the launches the host writes into managed memory that the first one
// reads, but not under the name that the launch has for it.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

static const int n = 1000;
static const size_t bytes = n * sizeof(float);
static float host[n];

__global__ void inc(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void dbl(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
}

static void show(const char *name, const float *array) {
  cudaMemcpy(host, array, bytes, cudaMemcpyDeviceToHost);
  printf("%s %g %g\n", name, host[1], host[700]);
}

static float *shared;
static void set(float value) { shared[1] = value; }

struct Setter {
  float *array;
  void set(int i, float value) { array[i] = value; }
};

struct View {
  float *array;
  float &operator[](int i) const { return array[i]; }
};

static void globalPointer() {
  float *B, *C;
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMallocManaged(&shared, bytes);
  for (int i = 0; i < n; ++i)
    shared[i] = (float)i;
  inc<<<8, 128>>>(shared, B, n);
  cudaDeviceSynchronize();
  set(99);
  dbl<<<8, 128>>>(B, C, n);
  show("C", C);
}

static void capturedPointer() {
  float *M, *B, *C;
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMallocManaged(&M, bytes);
  for (int i = 0; i < n; ++i)
    M[i] = (float)i;
  auto change = [=](float value) { M[1] = value; };
  inc<<<8, 128>>>(M, B, n);
  cudaDeviceSynchronize();
  change(99);
  dbl<<<8, 128>>>(B, C, n);
  show("C", C);
}

static void memberPointer() {
  float *B, *C;
  Setter setter;
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMallocManaged(&setter.array, bytes);
  for (int i = 0; i < n; ++i)
    setter.array[i] = (float)i;
  inc<<<8, 128>>>(setter.array, B, n);
  cudaDeviceSynchronize();
  setter.set(1, 99);
  dbl<<<8, 128>>>(B, C, n);
  show("C", C);
}

static void viewOfPointer() {
  float *M, *B, *C;
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMallocManaged(&M, bytes);
  for (int i = 0; i < n; ++i)
    M[i] = (float)i;
  View view{M};
  inc<<<8, 128>>>(M, B, n);
  cudaDeviceSynchronize();
  view[1] = 99;
  dbl<<<8, 128>>>(B, C, n);
  show("C", C);
}

int main(int argc, char **argv) {
  const int only = argc > 1 ? atoi(argv[1]) : 0;
  void (*traps[])() = {globalPointer, capturedPointer, memberPointer,
                       viewOfPointer};
  int number = 0;
  for (auto *trap : traps)
    if (++number == only || only == 0)
      trap();
}
