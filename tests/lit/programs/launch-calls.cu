// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Launches by cudaLaunchKernel with a list of addresses. What fuses is a launch
// as any other, and its list is gone; what doesn't stays as it was written.

// CHECK: fused 'scale' (line {{[0-9]+}}) and 'shift' {{.*}}b in registers, never stored
// CHECK: fused 'scale' (line {{[0-9]+}}) and 'shift' {{.*}}b in registers and stored
// CHECK: fused 'plus' and 'scale'
// CHECK-COUNT-5: remark: launch left alone: launched by 'cudaLaunchKernel' instead of <<<...>>>
// CHECK: 7 launches -> 4

// OUT:      void inOrder(
// OUT-NEXT: {{^}}  float *b;
// OUT-NEXT: cudaMalloc(&b, n * sizeof(float));
// OUT-NEXT: if (kfuseDisjoint(
// OUT-NEXT: kfuse_scale_shift<<<dim3(blocks), dim3(128), 0, stream>>>(a, n, c);
// OUT-NEXT: } else {
// OUT-NEXT: scale<<<dim3(blocks), dim3(128), 0, stream>>>(a, b, n);
// OUT-NEXT: shift<<<dim3(blocks), dim3(128), 0, stream>>>(b, c, n);
// OUT:      void checked(
// OUT:      kfuse_scale_shift_2<<<blocks, 128>>>(
// OUT:      check(cudaGetLastError());
// OUT-NEXT: cudaError_t error = cudaGetLastError();
// OUT:      void alone(
// OUT-NEXT: void *arguments[] = {&a, &c, &count};
// OUT-NEXT: cudaLaunchKernel((void *)scale, dim3(blocks), dim3(128), arguments, 0, 0);
// SAME: verified: original and fused
#include <cstdio>
#include <cstdlib>

constexpr int n = 1000, blocks = (n + 127) / 128;

__global__ void scale(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 2 * a[i];
}
__global__ void shift(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] + 1;
}
namespace lib {
template <typename T> __global__ void plus(T *a, T by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += by;
}
} // namespace lib

void check(cudaError_t error) {
  if (error != cudaSuccess)
    exit(1);
}
#define CHECK(call) check(call)

void inOrder(float *a, float *c, int n, cudaStream_t stream) {
  float *b;
  cudaMalloc(&b, n * sizeof(float));
  void *first[] = {&a, &b, &n};
  cudaLaunchKernel((void *)scale, dim3(blocks), dim3(128), first, 0, stream);
  void *second[] = {(void *)&b, (void *)&c, (void *)&n};
  cudaLaunchKernel((const void *)shift, dim3(blocks), dim3(128), second, 0, stream);
  cudaFree(b);
}

void checked(float *a, float *b, float *c, int n) {
  void *first[] = {&a, &b, &n};
  void *second[] = {&b, &c, &n};
  check(cudaLaunchKernel(scale, blocks, 128, first));
  cudaError_t error = cudaLaunchKernel(shift, blocks, 128, second);
  check(error);
}

struct Solver {
  float *a, *b;
  float by = 0.5f;
  int count = n;
  void step() {
    void *first[] = {&a, &by, &count};
    CHECK(cudaLaunchKernel((void *)lib::plus<float>, blocks, 128, first));
    void *second[] = {&this->a, &this->b, &this->count};
    CHECK(cudaLaunchKernel(&scale, blocks, 128, second));
  }
};

void alone(float *a, float *c, int count) {
  void *arguments[] = {&a, &c, &count};
  cudaLaunchKernel((void *)scale, dim3(blocks), dim3(128), arguments, 0, 0);
}

// What the list holds may be another variable, or another number.
void leftAlone(float *a, float *b, float *c, int n) {
  void *filled[3];
  filled[0] = &a, filled[1] = &b, filled[2] = &n;
  cudaLaunchKernel((void *)scale, blocks, 128, filled);
  void *changed[] = {&b, &c, &n};
  changed[0] = &a;
  cudaLaunchKernel((void *)shift, blocks, 128, changed);
  unsigned wide = n;
  void *other[] = {&b, &c, &wide};
  cudaLaunchKernel((void *)shift, blocks, 128, other);
  void *outer[] = {&b, &c, &n};
  {
    float *c = a;
    cudaLaunchKernel((void *)shift, blocks, 128, outer);
    cudaMemset(c, 0, sizeof(float));
  }
  float *pair[] = {a, b};
  void *element[] = {&pair[n > 0], &c, &n};
  cudaLaunchKernel((void *)shift, blocks, 128, element);
}

float *filled() {
  float *array;
  cudaMalloc(&array, n * sizeof(float));
  cudaMemset(array, 0, n * sizeof(float));
  return array;
}
void show(const float *array) {
  static float host[n];
  cudaMemcpy(host, array, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[0], host[7]);
}

int main() {
  float *a = filled(), *b = filled(), *c = filled();
  inOrder(a, c, n, 0);
  show(c);
  checked(c, b, a, n);
  show(a);
  show(b);
  Solver solver{a, b};
  solver.step();
  show(b);
  alone(b, c, n);
  show(c);
  leftAlone(a, b, c, n);
  show(a);
  show(b);
  show(c);
}
