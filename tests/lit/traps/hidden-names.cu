// RUN: %kfuse verify %s
//
// Names of variables that stand for something else where a fused program writes
// them: parameters that are called what a type is, and a loop whose variable
// has the name of a parameter, or was declared before it.

#include <cstdio>
#include <cuda_runtime.h>

struct Cell {
  float a, b;
};
struct Cells {
  Cell *p;
};

__global__ void fill(Cell *X, const float *A, int Cell) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < Cell)
    X[i] = {A[i], 2.f};
}

__global__ void take(float *B, const Cell *X, int n, float Cell) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = X[i].a - X[i].b + Cell;
}

__global__ void fillMembers(Cells cells, const float *B, int Cell) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < Cell)
    cells.p[i] = {B[i], 3.f};
}

__global__ void takeMembers(float *C, Cells cells, int n, Cell by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = cells.p[i].a * cells.p[i].b + by.a;
}

__global__ void shadowed(float *D, const float *C, int n, int i) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    D[i] = C[i] + 1;
}

__global__ void simple(float *E, const float *D, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    E[i] = D[i] * 2;
}

__global__ void declared(float *F, const float *E, int n) {
  int i;
  for (i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    F[i] = E[i] + 1;
}

const int n = 1000;

template <class T> T *make() {
  static float host[2 * n];
  for (int i = 0; i < 2 * n; ++i)
    host[i] = (float)(i % 37);
  T *device;
  cudaMalloc(&device, n * sizeof(T));
  cudaMemcpy(device, host, n * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

template <class T> void show(const T *device) {
  static float host[2 * n];
  cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < 2 * n; ++i)
    sum += host[i] * (i % 7);
  printf("%.3f\n", sum);
}

int main() {
  float *A = make<float>(), *B = make<float>(), *C = make<float>();
  float *D = make<float>(), *E = make<float>(), *F = make<float>();
  Cell *X = make<Cell>();
  Cells cells{make<Cell>()};
  fill<<<8, 128>>>(X, A, n);
  take<<<8, 128>>>(B, X, n, 2.f);
  show(B);
  fillMembers<<<8, 128>>>(cells, B, n);
  takeMembers<<<8, 128>>>(C, cells, n, Cell{4, 5});
  show(C);
  shadowed<<<4, 64>>>(D, C, n, 3);
  simple<<<8, 128>>>(E, D, n);
  show(E);
  declared<<<4, 64>>>(F, E, n);
  simple<<<8, 128>>>(D, F, n);
  show(D);
  show(F);
}
