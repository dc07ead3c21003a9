// RUN: %kfuse %s -o %t.cu --quiet
// RUN: %code %t.cu | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: not %kfuse verify %s -- 300 2 2>&1 | FileCheck %s --check-prefix=APART
//
// A kernel of three parts, two of which have a loop with a sum of their own.
// What stands in no kernel with others stays one kernel. A part that is fused
// under a run-time test is defined for the launches under the failed one. A
// launch that nothing can be fused with stays a launch of the whole.

// SAME: verified: original and fused
// APART: 'relax' never ran
// APART: not verified: what ran leaves equal traces and output

// CHECK:      {{^}}// kfuse: what of ahead() writes marks.
// CHECK-NEXT: {{^}}__global__ void ahead_marks(float *marks, int n) {
// CHECK-NEXT:   const int i = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT:   if (i < n) {
// CHECK-NEXT:     if (i % 3 != 0)
// CHECK-NEXT:       ;
// CHECK-NEXT:     else
// CHECK-NEXT:       marks[i] = 1;
// CHECK-NEXT:   }
// CHECK-NEXT: {{^}}}
// CHECK:      {{^}}// kfuse: what of ahead() writes most.
// CHECK-NEXT: {{^}}__global__ void ahead_most(float *most, const float *in, int n) {
// CHECK-NEXT:   const int i = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT:   if (i < n) {
// CHECK-NEXT:     float high = in[i];
// CHECK-NEXT:     for (int k = 0; k < 4; ++k) {
// CHECK-NEXT:       if (i + k >= n)
// CHECK-NEXT:         break;
// CHECK-NEXT:       if (in[i + k] > high)
// CHECK-NEXT:         high = in[i + k];
// CHECK-NEXT:     }
// CHECK-NEXT:     most[i] = high;
// CHECK-NEXT:   }
// CHECK-NEXT: {{^}}}
// CHECK:      {{^}}// kfuse: what of ahead() writes sums, marks.
// CHECK-NEXT: {{^}}__global__ void ahead_sums_marks(float *sums, float *marks, const float *in, int n) {
// CHECK:      {{^}}int main(
// CHECK:      {{^ *}}ahead_sums_marks<<<blocks, 128>>>(sums, marks, in, n);
// CHECK:      {{^ *}}kfuse_smooth_ahead_most_reverse_relax<<<
// CHECK:      } else {
// CHECK:      {{^ *}}ahead_most<<<blocks, 128>>>(most, in, n);
// CHECK-NEXT: {{^ *}}reverse<<<blocks, 128>>>(mirrored, sums, n);
// CHECK-NEXT: {{^ *}}relax<<<enough, 128>>>(out, most, mirrored, n);
// CHECK:      {{^ *}}ahead_marks<<<blocks, 128>>>(marks, n);
// CHECK:      {{^ *}}kfuse_ahead_sums_most_relax<<<
// CHECK:      {{^ *}}ahead<<<blocks, 128>>>(sums, most, marks, in, n);
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void smooth(float *average, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    average[i] = i > 0 ? (in[i] + in[i - 1]) * 0.5f : in[i];
}

__global__ void ahead(float *sums, float *most, float *marks, const float *in,
                      int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0;
    float high = in[i];
    for (int k = 0; k < 4; ++k) {
      if (i + k >= n)
        break;
      sum += in[i + k];
      if (in[i + k] > high)
        high = in[i + k];
    }
    if (i % 3 != 0)
      sums[i] = sum;
    else
      marks[i] = 1;
    if (i % 3 == 0)
      sums[i] = 0;
    most[i] = high;
  }
}

__global__ void reverse(float *mirrored, const float *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    mirrored[i] = sums[n - 1 - i];
}

__global__ void relax(float *out, const float *most, const float *mirrored,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 0.5f * most[i] + mirrored[i] + blockIdx.x;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1000, blocks = (n + 127) / 128;
  const int enough = argc > 2 ? atoi(argv[2]) : blocks;
  const size_t bytes = n * sizeof(float);
  float *host = (float *)malloc(bytes);
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *in, *average, *sums, *most, *marks, *mirrored, *out;
  cudaMalloc(&in, bytes);
  cudaMalloc(&average, bytes);
  cudaMalloc(&sums, bytes);
  cudaMalloc(&most, bytes);
  cudaMalloc(&marks, bytes);
  cudaMalloc(&mirrored, bytes);
  cudaMalloc(&out, bytes);
  for (float *array : {in, marks, out})
    cudaMemcpy(array, host, bytes, cudaMemcpyHostToDevice);
  smooth<<<blocks, 128>>>(average, in, n);
  ahead<<<blocks, 128>>>(sums, most, marks, in, n);
  reverse<<<blocks, 128>>>(mirrored, sums, n);
  relax<<<enough, 128>>>(out, most, mirrored, n);
  for (float *array : {average, sums, marks, out}) {
    cudaMemcpy(host, array, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      printf("%g ", host[i]);
  }
  ahead<<<blocks, 128>>>(sums, most, marks, in, n);
  cudaMemcpy(host, marks, bytes, cudaMemcpyDeviceToHost);
  printf("%g ", host[n - 1]);
  relax<<<blocks, 128>>>(out, most, sums, n);
  for (float *array : {sums, marks, out}) {
    cudaMemcpy(host, array, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      printf("%g ", host[i]);
  }
  ahead<<<blocks, 128>>>(sums, most, marks, in, n);
  cudaMemcpy(host, sums, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    printf("%g ", host[i]);
  cudaFree(in);
  cudaFree(average);
  cudaFree(sums);
  cudaFree(most);
  cudaFree(marks);
  cudaFree(mirrored);
  cudaFree(out);
  free(host);
}
