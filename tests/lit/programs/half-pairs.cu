// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
//
// Pairs of halves, and of bytes in a word, are values like others.

// CHECK-NOT: error
// CHECK: kfuse_clamp_narrow = 
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void clamp(const half2 *in, half2 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __hmax2(__hmin2_nan(in[i], __float2half2_rn(4.0f)), half2(__uint2half_rz(1u), 0u));
}
__global__ void narrow(const half2 *out, __nv_bfloat162 *brain, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && !__hisnan(out[i].x))
    brain[i] = __lows2bfloat162(__float2bfloat162_rn(__low2float(out[i])), h2exp(__bfloat162bfloat162(3LL)));
}
__global__ void bytes(const unsigned *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __vadd4(__vsetgtu2(in[i], 3), __vabsdiffs4(in[i], __dp2a_lo(in[i], 2u, 1u)));
}

void run(const half2 *in, half2 *out, __nv_bfloat162 *brain, const unsigned *words, unsigned *sums, int n) {
  clamp<<<(n + 127) / 128, 128>>>(in, out, n);
  narrow<<<(n + 127) / 128, 128>>>(out, brain, n);
  bytes<<<(n + 127) / 128, 128>>>(words, sums, n);
}
