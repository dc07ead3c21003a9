// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s --orders=4 2>&1 | FileCheck %s --check-prefix=SAME
//
// Three kernels make numbers of the thread's index and of an integer. The
// compiler must not compute `i * h` once for all of them: its product would
// have several uses, and none would be contracted. All but the first get
// coordinates that it doesn't know to be the thread's own.
//
// CHECK: fused 'ramp', 'deviate' and 'tilt' into 'kfuse_ramp_deviate_tilt'
// SAME: verified: original and fused leave equal traces and output in 4 thread orders
// OUT: void deviate_stage(
// OUT-NEXT: const uint3 blockIdx, const uint3 threadIdx, const float &ramp_value,
// OUT: ramp_stage(ramp_value, h, n);
// OUT: deviate_stage(kfuseIsolate<uint3>(blockIdx, kfuseZero.at[1]),
// OUT-NEXT: kfuseIsolate<uint3>(threadIdx, kfuseZero.at[1]),
// OUT: kfuseIsolate(n, kfuseZero.at[1]));
// OUT: tilt_stage(kfuseIsolate<uint3>(blockIdx, kfuseZero.at[2]),
// OUT-NEXT: kfuseIsolate<uint3>(threadIdx, kfuseZero.at[2]),
#include <cstdio>
#include <cuda_runtime.h>

__global__ void ramp(float *ramp, float h, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    ramp[i] = i * h + 0.5f;
}

__global__ void deviate(const float *ramp, float *out, float h, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = ramp[i] - i * h;
}

__global__ void tilt(float *out, float h, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] += (n - i) * h;
}

int main() {
  const int n = 1000;
  static float host[n];
  float *ramps, *out;
  cudaMalloc(&ramps, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  const float h = 0.1f;
  ramp<<<(n + 127) / 128, 128>>>(ramps, h, n);
  deviate<<<(n + 127) / 128, 128>>>(ramps, out, h, n);
  tilt<<<(n + 127) / 128, 128>>>(out, h, n);
  cudaMemcpy(host, out, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i += 111)
    std::printf("%a\n", host[i]);
  cudaFree(ramps);
  cudaFree(out);
}
