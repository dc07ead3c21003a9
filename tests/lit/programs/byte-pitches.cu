// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse %s -o - --quiet --no-runtime-checks -Rkfuse-missed 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=VERIFY
//
// Rows that are found by bytes: the host tests that they begin at elements, and
// that they are long enough. In the second image they don't begin so, and
// its fused kernel doesn't run.
//
// CHECK: remark: fused 'add', 'add'{{.*}} into 'kfuse_add_add'
// CHECK: remark: fused 'add', 'add'{{.*}} into 'kfuse_add_add_
// OUT: pitch % 2 == 0
// OUT: odd % 2 == 0
// NONE: 'add' {{.*}} not fused
// VERIFY: not verified: what ran leaves equal traces
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(const short *src, short *dst, size_t pitch, int w, int h,
                    int step) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    const short *row = (const short *)((const char *)src + y * pitch * step);
    short *out = (short *)((char *)dst + y * pitch * step);
    out[x] = row[x] + 17;
  }
}

void twice(short *a, short *b, short *c, size_t pitch, int w, int h, int step) {
  dim3 block(32, 4), grid((w + 31) / 32, (h + 3) / 4);
  add<<<grid, block>>>(a, b, pitch, w, h, step);
  add<<<grid, block>>>(b, c, pitch, w, h, step);
}

int main(int argc, char **) {
  const int w = 75, h = 43;
  static short host[h][w];
  for (int i = 0; i < w * h; ++i)
    host[i / w][i % w] = short(i * 7);
  short *a, *b, *c;
  size_t pitch;
  cudaMallocPitch(&a, &pitch, w * 2, 2 * h);
  cudaMallocPitch(&b, &pitch, w * 2, 2 * h);
  cudaMallocPitch(&c, &pitch, w * 2, 2 * h);
  cudaMemset(a, 1, pitch * 2 * h);
  cudaMemcpy2D(a, pitch, host, w * 2, w * 2, h, cudaMemcpyHostToDevice);
  twice(a, b, c, pitch, w, h, 1);
  cudaMemcpy2D(host, w * 2, c, pitch, w * 2, h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[3][4], host[42][74]);
  // Only each other row of 151 bytes is used.
  const size_t odd = 150 + argc;
  twice(a, b, c, odd, w, h, 2);
  cudaMemcpy2D(host, w * 2, c, pitch, w * 2, h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[3][4], host[42][74]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
