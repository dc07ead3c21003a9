// REQUIRES: nvcc
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=TEXT --input-file=%t.cu
//
// The storage of Thrust's vectors is where they say, until something changes
// them.
//
// CHECK-NOT: error
// CHECK: 6 launches -> 4
// CHECK: kfuse_scale_shift = 'scale', 'shift'
// CHECK: kfuse_scale_shift_2 = 'scale', 'shift'
// TEXT: thrust::sort(b.begin(), b.end());
// TEXT-NEXT: scale<<<

#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/sort.h>

__global__ void scale(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 2 * a[i];
}

__global__ void shift(const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i] + 1;
}

int main() {
  const int n = 1 << 20, blocks = n / 256;
  thrust::device_vector<float> a(n), b(n), c(n);
  scale<<<blocks, 256>>>(thrust::raw_pointer_cast(a.data()),
                         thrust::raw_pointer_cast(b.data()), n);
  shift<<<blocks, 256>>>(thrust::raw_pointer_cast(b.data()),
                         thrust::raw_pointer_cast(c.data()), n);
  float x = c[5];
  scale<<<blocks / 2, 256>>>(thrust::raw_pointer_cast(&a[n / 2]),
                             b.data().get(), n / 2);
  shift<<<blocks / 2, 256>>>(thrust::raw_pointer_cast(b.data()),
                             thrust::raw_pointer_cast(c.data() + n / 2), n / 2);
  x += c[n - 5];
  thrust::sort(b.begin(), b.end());
  scale<<<blocks, 256>>>(thrust::raw_pointer_cast(a.data()),
                         thrust::raw_pointer_cast(b.data()), n);
  b.resize(2 * n);
  shift<<<blocks, 256>>>(thrust::raw_pointer_cast(b.data()),
                         thrust::raw_pointer_cast(c.data()), n);
  x += c[7];
  printf("%f\n", x);
}
