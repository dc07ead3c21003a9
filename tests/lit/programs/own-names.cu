// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
//
// Names that nvcc doesn't take are the program's, and others are overloaded.

// CHECK-NOT: warning
// CHECK: 2 launches -> 1
#include <cmath>
#include <complex>

struct texture {
  int id;
};
struct surface {
  texture top;
};
__host__ __device__ inline float powi(float x, int n) { return n == 0 ? 1 : x * x; }
__host__ __device__ inline double powi(double x, int n) { return n == 0 ? 1 : x * x; }
__host__ __device__ inline float norm(float3 v) { return fmaxf(fmaxf(v.x, v.y), v.z); }
inline double norm(std::complex<double> z) { return std::norm(z); }

__global__ void raise(const float *in, float *up, float3 v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    up[i] = fmaxf(powi(in[i], 2), norm(v));
}
__global__ void lower(const float *up, double *down, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    down[i] = powi((double)up[i], 2);
}

void run(const float *in, float *up, double *down, surface s) {
  int any = s.top.id, ballot = (int)norm(std::complex<double>(any, 1));
  raise<<<(ballot + 127) / 128, 128>>>(in, up, float3{1, 2, 3}, ballot);
  lower<<<(ballot + 127) / 128, 128>>>(up, down, ballot);
}
