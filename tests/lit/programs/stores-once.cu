// RUN: %kfuse %s -o %t.cu --quiet
// RUN: %code %t.cu | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 999 1 2>&1 | FileCheck %s --check-prefix=SAME
//
// What a thread changes several times is stored once, behind the last change,
// also if that is under a condition. What it may have to take from memory is
// loaded before all else.
//
// SAME: verified: original and fused
//
// CHECK:      void kfuse_darken_limit_gain(
// CHECK:            r_in[v] = im.r[i];
// CHECK:            float r = fmaxf(r_in[v] - by, 0.f);
// CHECK-NEXT:       float g = fmaxf(g_in[v] - by, 0.f);
// CHECK-EMPTY:
// CHECK-NEXT:       // limit
// CHECK-NEXT:       if (r > most)
// CHECK-NEXT:         r = most;
// CHECK-NEXT:       g = fminf(g, most);
// CHECK-EMPTY:
// CHECK-NEXT:       if (brighter) {
// CHECK-NEXT:         // gain
// CHECK-NEXT:         r *= by_gain;
// CHECK-NEXT:         g *= by_gain;
// CHECK-NEXT:       }
// CHECK-EMPTY:
// CHECK-NEXT:       im.r[i] = r;
// CHECK-NEXT:       im.g[i] = g;
// CHECK-NEXT:     }
//
// CHECK:      void kfuse_cut_shade(
// CHECK:            x_in[v] = x[i];
// CHECK:            float x_value = x_in[v];
// CHECK-EMPTY:
// CHECK-NEXT:       // cut
// CHECK-NEXT:       if (x_value > most)
// CHECK-NEXT:         x[i] = x_value = most;
// CHECK-EMPTY:
// CHECK-NEXT:       // shade
// CHECK-NEXT:       out[i] = x_value / 3;
// CHECK-NEXT:     }
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

struct Image {
  float *r, *g;
  int n;
};

__global__ void darken(Image im, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= im.n)
    return;
  im.r[i] = fmaxf(im.r[i] - by, 0.f);
  im.g[i] = fmaxf(im.g[i] - by, 0.f);
}

__global__ void limit(Image im, float most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= im.n)
    return;
  if (im.r[i] > most)
    im.r[i] = most;
  im.g[i] = fminf(im.g[i], most);
}

__global__ void gain(Image im, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= im.n)
    return;
  im.r[i] *= by;
  im.g[i] *= by;
}

__global__ void cut(float *x, float most, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (x[i] > most)
      x[i] = most;
  }
}

__global__ void shade(float *out, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = x[i] / 3;
}

void develop(Image im, bool brighter) {
  const int blocks = (im.n + 127) / 128;
  darken<<<blocks, 128>>>(im, 3);
  limit<<<blocks, 128>>>(im, 20);
  if (brighter)
    gain<<<blocks, 128>>>(im, 1.5f);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1000;
  const size_t bytes = n * sizeof(float);
  float *host = (float *)malloc(bytes), *x, *out;
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  Image im = {nullptr, nullptr, n};
  cudaMalloc(&im.r, bytes);
  cudaMalloc(&im.g, bytes);
  cudaMalloc(&x, bytes);
  cudaMalloc(&out, bytes);
  for (float *each : {im.r, im.g, x})
    cudaMemcpy(each, host, bytes, cudaMemcpyHostToDevice);
  develop(im, argc > 2);
  cut<<<(n + 127) / 128, 128>>>(x, 30, n);
  shade<<<(n + 127) / 128, 128>>>(out, x, n);
  for (float *each : {im.r, im.g, x, out}) {
    cudaMemcpy(host, each, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      printf("%g ", host[i]);
    cudaFree(each);
  }
  free(host);
}
