// RUN: %kfuse %s -o %t.cu --elements-per-thread=1
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s --elements-per-thread=1 2>&1 | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.packed.cu --quiet
// RUN: %code %t.packed.cu | FileCheck %s --check-prefix=PACKED
// RUN: %kfuse %s -o %t.kept.cu --keep-kernels --quiet
// RUN: grep "^__global__ void gain(" %t.kept.cu
//
// Kernels of one index become one body: a coordinate and a guard once, however
// each of them spells these, then the statements of each. Names that two of
// them have are told apart, and what nothing launches any more is gone.
//
// CHECK: verified: original and fused
//
// OUT-NOT: __global__ void gain(
// OUT:      static __global__ void kfuse_gain_offset_limit(
// OUT-NEXT:     const float *__restrict__ in, float factor, int n, float *__restrict__ out) {
// OUT-NEXT:   int i = blockIdx.x * blockDim.x + threadIdx.x;
// OUT-NEXT:   if (i >= n)
// OUT-NEXT:     return;
// OUT-EMPTY:
// OUT-NEXT:   // gain
// OUT-NEXT:   // Of the sensor.
// OUT-NEXT:   float louder = __fmul_rn(in[i], factor);
// OUT-EMPTY:
// OUT-NEXT:   // offset
// OUT-NEXT:   float value = louder; // as it comes
// OUT-NEXT:   float moved = value + 0.25f;
// OUT-EMPTY:
// OUT-NEXT:   // limit
// OUT-NEXT:   float value_limit = clamped(moved);
// OUT-NEXT:   out[i] = value_limit - 1;
// OUT-NEXT: }
// OUT:      static __global__ void kfuse_pick_spread(
// OUT:        if (i >= n || i <= 0)
// OUT:      static __global__ void kfuse_scaled_lifted(
// OUT:        int x = blockIdx.x * blockDim.x + threadIdx.x;
// OUT-NEXT:   int y = blockIdx.y * blockDim.y + threadIdx.y;
// OUT-NEXT:   if (x < w && y < h) {
// OUT-NEXT:     // scaled
// OUT-NEXT:     // Rows and columns, in a template.
// OUT-NEXT:     double tall = in[y * w + x] * double(3);
// OUT:      static __global__ void kfuse_dark_flip(
// PACKED:      void kfuse_dark_flip(
// PACKED:      kfuseLoad(in_in, in + first, count);
// PACKED:      for (unsigned v = 0; v < 16; ++v) {
// PACKED:      out_out[v] = 255 - darker;
// PACKED-NEXT: }
// PACKED-NEXT: kfuseStore(out + first, out_out, count);
// OUT: int main(
// OUT: float *a, *d;
// OUT-NOT: cudaMalloc(&louder
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define LIMIT 2.5f

__device__ float clamped(float x) { return x > LIMIT ? LIMIT : x; }


// Of the sensor.
__global__ void gain(const float *in, float *out, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = in[i] * factor;
}
__global__ void offset(const float *in, float *out, int count) {
  const int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (count > idx) {
    float value = in[idx]; // as it comes
    out[idx] = value + 0.25f;
  }
}
__global__ void limit(const float *x, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!(i < n))
    return;
  float value = clamped(x[i]);
  out[i] = value - 1;
}

// A parameter and a local variable of one name; guards in other words.
__global__ void pick(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || i <= 0)
    return;
  int first = in[i] + in[i - 1];
  if (first % 2 == 0)
    first /= 2;
  out[i] = first;
}
__global__ void spread(const int *first, int *n_out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i > 0) {
    for (int k = 0; k < 3; ++k)
      n_out[3 * i + k] = first[i] + k;
  }
}

// Rows and columns, in a template.
template <typename T, int By>
__global__ void scaled(const T *in, T *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    out[y * w + x] = in[y * w + x] * T(By);
}
template <typename T> __global__ void lifted(T *out, const T *in, int w, int h) {
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (y < h && x < w)
    out[y * w + x] = in[y * w + x] > 9 ? T(9) : in[y * w + x];
}

// Bytes go to memory 16 at once.
__global__ void dark(const unsigned char *in, unsigned char *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] / 2;
}
__global__ void flip(const unsigned char *in, unsigned char *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 255 - in[i];
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1003;
  float *a, *louder, *moved, *d;
  int *in, *picked, *wide;
  double *flat, *tall, *low;
  unsigned char *image, *darker, *flipped;
  std::vector<float> host(n);
  std::vector<int> numbers(n);
  std::vector<double> plane(n);
  std::vector<unsigned char> bytes(n);
  for (int i = 0; i < n; ++i) {
    host[i] = i % 17 * 0.3f;
    numbers[i] = i * 7 % 23;
    plane[i] = i % 11 * 0.7;
    bytes[i] = i * 13;
  }
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&louder, n * sizeof(float));
  cudaMalloc(&moved, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(float));
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&picked, n * sizeof(int));
  cudaMalloc(&wide, 3 * n * sizeof(int));
  cudaMalloc(&flat, n * sizeof(double));
  cudaMalloc(&tall, n * sizeof(double));
  cudaMalloc(&low, n * sizeof(double));
  cudaMalloc(&image, n);
  cudaMalloc(&darker, n);
  cudaMalloc(&flipped, n);
  cudaMemcpy(a, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(in, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(flat, plane.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(image, bytes.data(), n, cudaMemcpyHostToDevice);
  const std::vector<int> zeros(3 * n);
  cudaMemcpy(wide, zeros.data(), 3 * n * sizeof(int), cudaMemcpyHostToDevice);
  const int blocks = (n + 127) / 128;
  gain<<<blocks, 128>>>(a, louder, 1.5f, n);
  offset<<<blocks, 128>>>(louder, moved, n);
  limit<<<blocks, 128>>>(moved, d, n);
  cudaMemcpy(host.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
  pick<<<blocks, 128>>>(in, picked, n);
  spread<<<blocks, 128>>>(picked, wide, n);
  cudaMemcpy(numbers.data(), wide + n, n * sizeof(int), cudaMemcpyDeviceToHost);
  const dim3 grid(1, (n / 17 + 7) / 8), block(32, 8);
  scaled<double, 3><<<grid, block>>>(flat, tall, 17, n / 17);
  lifted<<<grid, block>>>(low, tall, 17, n / 17);
  cudaMemcpy(plane.data(), low, n / 17 * 17 * sizeof(double),
             cudaMemcpyDeviceToHost);
  dark<<<blocks, 128>>>(image, darker, n);
  flip<<<blocks, 128>>>(darker, flipped, n);
  cudaMemcpy(bytes.data(), flipped, n, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] + numbers[i] % 5 + bytes[i];
  printf("%.6f %.6f\n", sum, plane[n / 2]);
}
