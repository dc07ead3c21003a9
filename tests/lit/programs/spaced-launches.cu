// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
//
// nvcc takes a launch whose brackets have blanks or comments in them. A stream's
// operator and nested templates stay what they are.

// CHECK: 3 launches -> 1
// OUT: out.operator<< <int>(1) << sizeof(Pair<Pair<int>> );
// OUT: kfuse_raise_lower_halve<<<
#include <cuda_runtime.h>

template <typename T> struct Pair {
  T first, second;
};
struct Stream {
  template <typename T> int operator<<(T) { return 0; }
};

__global__ void raise(const float *in, float *up, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    up[i] = in[i] + 1;
}
__global__ void lower(const float *up, float *down, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    down[i] = up[i] - 2;
}
template <typename T> __global__ void halve(const T *down, T *half, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    half[i] = down[i] / 2;
}

int print(Stream out) { return out.operator<< <int>(1) << sizeof(Pair<Pair<int>> ); }

void run(const float *in, float *up, float *down, float *half, int n) {
  const int blocks = (n + 127) / 128;
  raise << <blocks, 128 >> > (in, up, n);
  lower<< /* a comment */ <blocks, 128, (n >> 31)>>>(up, down, n);
  halve<float> <<< dim3(blocks), 128>> >(down, half, n);
}
