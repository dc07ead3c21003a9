// RUN: %kfuse verify %s
//
// The array between the launches belongs to an object, which frees it before
// the third launch: no launch may use the array below that.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <memory>
#include <utility>
#include <vector>

static const int n = 1000;
static const size_t bytes = n * sizeof(float);
static float start[n], host[n];

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

struct Owner {
  float *array = nullptr;
  Owner() {}
  explicit Owner(size_t bytes) { cudaMalloc(&array, bytes); }
  Owner(Owner &&other) : array(other.array) { other.array = nullptr; }
  Owner &operator=(Owner &&other) {
    std::swap(array, other.array);
    return *this;
  }
  ~Owner() { cudaFree(array); }
};
struct Holder {
  Owner owner;
};

static void clearedVector() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  std::vector<Owner> owners;
  owners.emplace_back(bytes);
  inc<<<8, 128>>>(A, owners[0].array, n);
  dbl<<<8, 128>>>(owners[0].array, B, n);
  owners.clear();
  inc<<<8, 128>>>(B, B, n);
  show("B", B);
}

static void resetPointer() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  auto owner = std::make_unique<Owner>(bytes);
  inc<<<8, 128>>>(A, owner->array, n);
  dbl<<<8, 128>>>(owner->array, B, n);
  owner.reset();
  inc<<<8, 128>>>(B, B, n);
  show("B", B);
}

static void assigned() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  Owner owner(bytes);
  inc<<<8, 128>>>(A, owner.array, n);
  dbl<<<8, 128>>>(owner.array, B, n);
  owner = Owner();
  inc<<<8, 128>>>(B, B, n);
  show("B", B);
}

static void assignedMember() {
  float *A, *B;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemcpy(A, start, bytes, cudaMemcpyHostToDevice);
  Holder holder{Owner(bytes)};
  inc<<<8, 128>>>(A, holder.owner.array, n);
  dbl<<<8, 128>>>(holder.owner.array, B, n);
  holder = Holder();
  inc<<<8, 128>>>(B, B, n);
  show("B", B);
}

int main(int argc, char **argv) {
  for (int i = 0; i < n; ++i)
    start[i] = (float)(i % 37);
  const int only = argc > 1 ? atoi(argv[1]) : 0;
  void (*traps[])() = {clearedVector, resetPointer, assigned, assignedMember};
  int number = 0;
  for (auto *trap : traps)
    if (++number == only || only == 0)
      trap();
}
