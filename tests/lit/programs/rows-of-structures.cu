// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=VERIFY
//
// Images that have their sizes in members, made by one function: that two are
// of one size isn't known, nor that a row is as long as what the threads reach
// in it. Both are tested, together.
//
// CHECK: remark: fused 'scale', 'shift'
// OUT: a.w == b.w &&
// OUT-NEXT: a.h == b.h &&
// OUT-NEXT: b.stride >= {{.*}}a.w
// VERIFY: verified: original and fused
#include <cstdio>
#include <cuda_runtime.h>

struct Image {
  int *p;
  int w, h, stride;
};

__global__ void scale(Image in, Image out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < in.w && y < in.h)
    out.p[y * out.stride + x] = in.p[y * in.stride + x] * 2;
}

__global__ void shift(Image in, Image out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < in.w && y < in.h)
    out.p[y * out.stride + x] = in.p[y * in.stride + x] + 2;
}

static Image make(int w, int h) {
  Image made;
  made.w = w;
  made.h = h;
  made.stride = (w + 31) / 32 * 32;
  cudaMalloc(&made.p, made.stride * h * sizeof(int));
  return made;
}

int main(int argc, char **) {
  const int w = argc > 1 ? 50 : 48;
  Image a = make(w, 40), b = make(w, 40), c = make(w, 40);
  cudaMemset(a.p, 1, 64 * 40 * sizeof(int));
  dim3 block(32, 4), grid(2, 10);
  scale<<<grid, block>>>(a, b);
  shift<<<grid, block>>>(b, c);
  int v[8];
  cudaMemcpy(v, c.p, sizeof(v), cudaMemcpyDeviceToHost);
  printf("%d\n", v[7]);
  cudaFree(a.p);
  cudaFree(b.p);
  cudaFree(c.p);
}
