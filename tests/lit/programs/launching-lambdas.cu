// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=VERIFY
//
// Lambdas of the host that launch: with a kernel that they are given, with
// variables that they capture. What a lambda copied may have changed since.
//
// CHECK: = 'twice', 'add'
// CHECK-NEXT: = 'add', 'twice'
// CHECK-NOT: = 'add', 'add'
// OUT-NOT: auto run
// OUT: kfuse_twice_add<<<
// OUT-NOT: auto go
// OUT: kfuse_add_twice<<<
// OUT: auto old
// VERIFY: verified: original and fused
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(int *d, int v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] += v;
}
__global__ void twice(int *d, int v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] = d[i] * 2 + v;
}

void chain(int *d, int n) {
  int shift = 4;
  const auto run = [=](void (*kernel)(int *, int, int), auto... more) {
    kernel<<<(n + 127) / 128, 128>>>(d, more..., n);
  };
  run(twice, 1);
  run(add, shift);
}

int main() {
  const int n = 1000;
  int h[n], *d;
  for (int i = 0; i < n; ++i)
    h[i] = i % 9;
  cudaMalloc(&d, sizeof(h));
  cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
  const auto show = [&h, d] {
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%d\n", h[7]);
  };

  auto go = [&](auto kernel, int v) {
    int blocks = (n + 127) / 128;
    kernel<<<blocks, 128>>>(d, v, n);
  };
  go(add, 3);
  go(twice, 5);
  show();

  chain(d, n);
  show();

  int shift = 4;
  // It has another `shift`.
  const auto old = [=](int blocks) { add<<<blocks, 128>>>(d, shift, n); };
  shift = 7;
  old(8);
  old(8);
  show();

  // The name means another variable there.
  const auto other = [&](int blocks) { add<<<blocks, 128>>>(d, shift, n); };
  {
    int shift = 9;
    other(8);
    other(shift);
  }
  show();

  // One call more than statements.
  const auto again = [&](int v) { twice<<<8, 128>>>(d, v, n); };
  again(1);
  again(2);
  (again(3), show());
  cudaFree(d);
}
