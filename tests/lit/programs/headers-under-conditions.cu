// RUN: %kfuse %s -o %t.cu -I%S 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=CODE
// RUN: %kfuse verify %s -I%S 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -I%S -- 1 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: sed 's/$/\r/' %s > %t.crlf.cu
// RUN: %kfuse %t.crlf.cu -o %t.crlf.out.cu -I%S 2>&1 | FileCheck %s
// RUN: %python -c "text = open('%t.crlf.out.cu', newline='').read(); assert '\r\r' not in text and text.count('\n') == text.count('\r\n')"
//
// A kernel of a header is told whether to run, too, in a copy of it behind the
// line that includes it. One in a namespace keeps its branch.
//
// CHECK: 5 launches -> 3
// CHECK: 'halve', 'clip', 'halve'
// SAME: verified: original and fused
// CODE:      #include "Inputs/conditions.cuh"
// CODE:      void kfuse_halve_clip_halve(
// CODE:        if (isBright) {
// CODE-NEXT:     // clip
// CODE-NEXT:     /// Takes what is above the limit off.
// CODE-NEXT:     if (x_value > most)
// CODE-NEXT:       x_value = most;
// CODE:      kfuse_halve_clip_halve<<<
// CODE:      if (isBright)
// CODE-NEXT:   shades::tint<<<
#include "Inputs/conditions.cuh"
#include <cstdio>
#include <cuda_runtime.h>

__global__ void halve(float *x, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] / 2;
}

int main(int argc, char **argv) {
  const unsigned n = 1000;
  const bool isBright = argc > 1;
  float host[n], *x;
  for (unsigned i = 0; i < n; ++i)
    host[i] = i % 37;
  cudaMalloc(&x, sizeof(host));
  cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice);
  halve<<<(n + 127) / 128, 128>>>(x, n);
  if (isBright)
    clip<<<(n + 127) / 128, 128>>>(x, 9, n);
  halve<<<(n + 127) / 128, 128>>>(x, n);
  cudaMemcpy(host, x, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[3], host[36]);
  halve<<<(n + 127) / 128, 128>>>(x, n);
  if (isBright)
    shades::tint<<<(n + 127) / 128, 128>>>(x, 9, n);
  cudaMemcpy(host, x, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[3], host[36]);
  cudaFree(x);
}
