// RUN: %kfuse %s -o - --quiet | FileCheck %s --check-prefix=SPLIT
// RUN: %kfuse -DOUTPUT %s -o - --quiet | FileCheck %s
// RUN: %kfuse -DVARIABLE %s -o - --quiet | FileCheck %s
// RUN: %kfuse -DCONDITION %s -o - --quiet | FileCheck %s
// RUN: %kfuse -DRETURN %s -o - --quiet | FileCheck %s
// RUN: %kfuse -DBREAK %s -o - --quiet | FileCheck %s
// RUN: %kfuse -DATOMIC %s -o - --quiet | FileCheck %s
// RUN: %kfuse -DBARRIER %s -o - --quiet | FileCheck %s
// RUN: %kfuse -DADDRESS %s -o - --quiet | FileCheck %s
// RUN: %kfuse -DMACRO %s -o - --quiet | FileCheck %s
// RUN: %kfuse -DDIRECTIVE %s -o - --quiet | FileCheck %s
// RUN: %kfuse -DROUNDING %s -o - --quiet | FileCheck %s
// RUN: %kfuse -DALIAS %s -o - --quiet | FileCheck %s
// RUN: %kfuse -DARGUMENT %s -o - --quiet | FileCheck %s
// RUN: %kfuse -DSHARED %s -o - --quiet | FileCheck %s
// RUN: %kfuse -DCALLED %s -o - --quiet | FileCheck %s
// RUN: %kfuse -DCOMMENT %s -o - --quiet | FileCheck %s
// RUN: %kfuse verify -DREFERENCE %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify -DHIDDEN %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify -DALIAS %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// A kernel with two outputs, one of which a later kernel reads elsewhere; the
// other one's part could join what follows, and does, unless an output is read
// for the other or decides on it, by itself or through a variable; a statement
// can't be left out of the text, does more than compute, or may write a
// variable by its address; the compiler could contract sums otherwise; the
// launch gives two parameters one array, evaluates an argument that counts, or
// has a comment on one. What changes a variable that it is given by a constant
// reference, and what a hidden name stands for, is of the part that needs it.

// SPLIT: {{^ *}}kfuse_smooth_derive_level<<<
// CHECK: {{^}}int main(
// CHECK-NOT: derive_{{level|slope}}
// SAME: verified: original and fused
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define BOTH(s, l, value)                                                      \
  s = (value) * scale;                                                         \
  l = (value) * 0.5f

__device__ int reached;
__device__ void half(float *of) { *of = *of * 0.5f; }

__global__ void smooth(float *average, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    average[i] = i > 0 ? (in[i] + in[i - 1]) * 0.5f : in[i];
}

#if defined OUTPUT
__global__ void derive(float *slope, float *level, const float *in,
                       float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    slope[i] = in[i] * scale;
    level[i] = slope[i] * 0.5f;
  }
}
#elif defined VARIABLE
__global__ void derive(float *slope, float *level, const float *in,
                       float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float old = 0;
  if (i < n) {
    old = slope[i];
    slope[i] = in[i] * scale;
    level[i] = in[i] * old;
  }
}
#elif defined CONDITION
__global__ void derive(float *slope, float *level, const float *in,
                       float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float factor = 0.5f;
    if (slope[i] > 1)
      factor = 0.25f;
    slope[i] = in[i] * scale;
    level[i] = in[i] * factor;
  }
}
#elif defined RETURN
__global__ void derive(float *slope, float *level, const float *in,
                       float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  slope[i] = in[i] * scale;
  if (slope[i] > 3)
    return;
  level[i] = in[i] * 0.5f;
}
#elif defined BREAK
__global__ void derive(float *slope, float *level, const float *in,
                       float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  slope[i] = in[i] * scale;
  float sum = 0;
  for (int k = 0; k < 4; ++k) {
    if (slope[i] > k)
      break;
    sum = sum + in[i];
  }
  level[i] = sum;
}
#elif defined ATOMIC
__global__ void derive(float *slope, float *level, const float *in,
                       float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    slope[i] = in[i] * scale;
    level[i] = in[i] * 0.5f;
    if (in[i] > 5)
      atomicAdd(&reached, 1);
  }
}
#elif defined BARRIER
__global__ void derive(float *slope, float *level, const float *in,
                       float scale, int n) {
  __shared__ float row[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  row[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i < n) {
    slope[i] = row[threadIdx.x] * scale;
    level[i] = row[127 - threadIdx.x];
  }
}
#elif defined ADDRESS
__global__ void derive(float *slope, float *level, const float *in,
                       float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float here = in[i];
    half(&here);
    slope[i] = here * scale;
    level[i] = here * 0.5f;
  }
}
#elif defined MACRO
__global__ void derive(float *slope, float *level, const float *in,
                       float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    BOTH(slope[i], level[i], in[i]);
  }
}
#elif defined DIRECTIVE
__global__ void derive(float *slope, float *level, const float *in,
                       float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    slope[i] = in[i] * scale;
#ifndef NEVER
    level[i] = in[i] * 0.5f;
#endif
  }
}
#elif defined SHARED
__global__ void derive(float *slope, float *level, const float *in,
                       float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float one = in[i], other = in[i];
    slope[i] = one * scale + 1;
    level[i] = scale * other;
  }
}
#elif defined CALLED
__device__ float above(float of) { return of + 1; }
__global__ void derive(float *slope, float *level, const float *in,
                       float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float product = in[i] * scale;
    slope[i] = above(product);
    level[i] = product;
  }
}
#elif defined REFERENCE
__device__ void clamp(const float &of) {
  if (of > 2)
    const_cast<float &>(of) = 2;
}
__global__ void derive(float *slope, float *level, const float *in,
                       float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float here = in[i];
    clamp(here);
    slope[i] = here;
    level[i] = in[i] * 0.5f;
  }
}
#elif defined HIDDEN
constexpr int Times = 2;
template <int N> __device__ float repeated(float of) { return N * of; }
__global__ void derive(float *slope, float *level, const float *in,
                       float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    constexpr int Times = 4;
    slope[i] = repeated<Times>(in[i]);
    level[i] = in[i] * 0.5f;
  }
}
#elif defined ROUNDING
__global__ void derive(float *slope, float *level, const float *in,
                       float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float product = in[i] * scale;
    slope[i] = product + 1;
    level[i] = product - 3;
  }
}
#else
__global__ void derive(float *slope, float *level, const float *in,
                       float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float here = in[i];
    slope[i] = here * scale;
    level[i] = here * 0.5f;
  }
}
#endif

__global__ void reverse(float *mirrored, const float *level, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    mirrored[i] = level[n - 1 - i];
}
__global__ void relax(float *out, const float *slope, const float *mirrored,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = slope[i] + mirrored[i];
}

static int calls;
static float next() { return 0.25f * ++calls; }

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1000, blocks = (n + 127) / 128;
  const size_t bytes = n * sizeof(float);
  float *host = (float *)malloc(bytes);
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37) / 3;
  float *in, *average, *level, *slope, *mirrored, *out;
  cudaMalloc(&in, bytes);
  cudaMalloc(&average, bytes);
  cudaMalloc(&level, bytes);
  cudaMalloc(&slope, bytes);
  cudaMalloc(&mirrored, bytes);
  cudaMalloc(&out, bytes);
  cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(slope, host, bytes, cudaMemcpyHostToDevice);
  smooth<<<blocks, 128>>>(average, in, n);
#ifdef ALIAS
  derive<<<blocks, 128>>>(slope, level, slope, 0.25f, n);
#elif defined COMMENT
  derive<<<blocks, 128>>>(slope /* out */, level, in, 0.25f, n);
#elif defined ARGUMENT
  derive<<<blocks, 128>>>(slope, level, in, next(), n);
#else
  derive<<<blocks, 128>>>(slope, level, in, 0.25f, n);
#endif
  reverse<<<blocks, 128>>>(mirrored, level, n);
  relax<<<blocks, 128>>>(out, slope, mirrored, n);
  cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    printf("%g ", host[i]);
  cudaMemcpy(host, average, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    printf("%g ", host[i]);
  cudaMemcpy(host, level, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    printf("%g ", host[i] + calls);
  cudaFree(in);
  cudaFree(average);
  cudaFree(level);
  cudaFree(slope);
  cudaFree(mirrored);
  cudaFree(out);
  free(host);
}
