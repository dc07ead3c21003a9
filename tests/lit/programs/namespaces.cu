// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse %s -o - --elements-per-thread=1 --quiet | FileCheck %s
//
// Kernels of a namespace become one body in their namespace, where their names
// mean what they meant. A launch names it as it named the kernels.
//
// SAME: verified: original and fused
//
// CHECK:      {{^}}#include "Inputs/mixer.cuh"
// CHECK-EMPTY:
// CHECK-NEXT: namespace audio {
// CHECK-NEXT: namespace mix {
// CHECK-NEXT: // kfuse: 'drive' (line {{[0-9]+}} of mixer.cuh) and 'pan' (line
// CHECK:      {{^}}static __global__ void kfuse_drive_pan(
// CHECK-NOT:  audio::
// CHECK:      Pan by
// CHECK:        float driven = detail::limited(in[i] * amount);
// CHECK:        left[i] = driven * by.left;
// CHECK:      {{^}}}
// CHECK-NEXT: } // namespace mix
// CHECK-NEXT: } // namespace audio
//
// CHECK:      {{^}}namespace imaging {
// CHECK-NOT:  void darken
// CHECK:      {{^}}  // kfuse: 'darken' and 'lift' as one kernel.
// CHECK-NEXT: {{^}}  static __global__ void kfuse_darken_lift(
// CHECK:      {{^}}      float darker = in[i].value * factor;
// CHECK:      {{^}}  }
// CHECK:      {{^}}} // namespace imaging
//
// CHECK:      {{^}}namespace {
// CHECK:      {{^}}static __global__ void kfuse_twice_next(
//
// CHECK:      {{^}}  mix::kfuse_drive_pan<<<
// CHECK:      {{^}}  imaging::kfuse_darken_lift<<<
// CHECK:      {{^}}  kfuse_twice_next<<<
#include "Inputs/mixer.cuh"
#include <cstdio>

namespace imaging {
  struct Tone {
    float value;
  };

  __global__ void darken(const Tone *in, float *darker, float factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
      darker[i] = in[i].value * factor;
  }

  __global__ void lift(const float *darker, Tone *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
      out[i].value = fmaxf(darker[i], 0.25f);
  }
} // namespace imaging

namespace {
__global__ void twice(const int *in, int *doubled, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    doubled[i] = 2 * in[i];
}

__global__ void next(const int *doubled, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = doubled[i] + 1;
}
} // namespace

using namespace audio;

int main() {
  const int n = 500;
  float host[n], *in, *driven, *left, *right;
  for (int i = 0; i < n; ++i)
    host[i] = i * 0.01f;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&driven, sizeof(host));
  cudaMalloc(&left, sizeof(host));
  cudaMalloc(&right, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  mix::drive<<<4, 128>>>(in, driven, 1.5f, n);
  mix::pan<<<4, 128>>>(driven, left, right, {0.75f, 0.5f}, n);
  cudaMemcpy(host, left, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f\n", host[499]);
  cudaMemcpy(host, right, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f\n", host[499]);

  imaging::Tone *tones, *lifted;
  float *darker;
  cudaMalloc(&tones, sizeof(host));
  cudaMalloc(&darker, sizeof(host));
  cudaMalloc(&lifted, sizeof(host));
  cudaMemcpy(tones, host, sizeof(host), cudaMemcpyHostToDevice);
  imaging::darken<<<4, 128>>>(tones, darker, 0.5f, n);
  imaging::lift<<<4, 128>>>(darker, lifted, n);
  cudaMemcpy(host, lifted, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f\n", host[499]);

  int numbers[n], *first, *doubled, *last;
  for (int i = 0; i < n; ++i)
    numbers[i] = i;
  cudaMalloc(&first, sizeof(numbers));
  cudaMalloc(&doubled, sizeof(numbers));
  cudaMalloc(&last, sizeof(numbers));
  cudaMemcpy(first, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
  twice<<<4, 128>>>(first, doubled, n);
  next<<<4, 128>>>(doubled, last, n);
  cudaMemcpy(numbers, last, sizeof(numbers), cudaMemcpyDeviceToHost);
  printf("%d\n", numbers[499]);
  cudaFree(in);
  cudaFree(driven);
  cudaFree(left);
  cudaFree(right);
  cudaFree(tones);
  cudaFree(darker);
  cudaFree(lifted);
  cudaFree(first);
  cudaFree(doubled);
  cudaFree(last);
}
