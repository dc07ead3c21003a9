// RUN: not %kfuse verify %s 2>&1 | FileCheck %s
//
// A member of what `,` or `?:` chooses, or of what an assignment returns, is
// changed: the sizes of the second launch are others. So the last two pairs
// never run as one kernel, which the exit code says.
//
// CHECK: what ran leaves equal traces and output
#include <cstdio>
#include <cuda_runtime.h>

struct Size {
  int n;
};
__global__ void fill(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] + 1;
}
__global__ void twice(const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i] * 2;
}

int main(int argc, char **argv) {
  const int n = 1000;
  float host[n], *a, *b, *c;
  for (int i = 0; i < n; ++i)
    host[i] = i % 13;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMalloc(&c, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(b, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(c, 0, sizeof host);
  const auto show = [&] {
    for (float *each : {b, c}) {
      cudaMemcpy(host, each, sizeof host, cudaMemcpyDeviceToHost);
      printf("%g %g %g\n", host[3], host[n - 6], host[n - 1]);
      cudaMemset(each, 0, sizeof host);
    }
  };
  Size one{n}, other{n};
  (0, other).n -= 5;
  fill<<<8, 128>>>(a, b, one.n);
  twice<<<8, 128>>>(b, c, other.n);
  show();
  Size two{n}, next{n};
  (argc > 5 ? two : next).n -= 6;
  fill<<<8, 128>>>(a, b, two.n);
  twice<<<8, 128>>>(b, c, next.n);
  show();
  Size three{n}, last{n};
  (last = three).n -= 7;
  fill<<<8, 128>>>(a, b, three.n);
  twice<<<8, 128>>>(b, c, last.n);
  show();
}
