// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: rm -rf %t && %kfuse %s --quiet -o %t.cu --force --dot=%t
// RUN: cat %t/data-dependency.dot %t/order-of-execution.dot %t/fused-order.dot | FileCheck %s --check-prefix=GRAPHS
// RUN: FileCheck %s --check-prefix=STAYS < %t.cu
//
// Where statements stand for all calls of a function, its launches count and are
// drawn there only. 'last' is called from another file.

// CHECK: 'lower' and 'turn' not fused: CrossThreadFlow
// CHECK-NOT: not fused
// CHECK: 4 launches -> 3
// CHECK: assumed for 4 launches
// CHECK: left: 1 CrossThreadFlow
// GRAPHS-COUNT-3: label="raise
// GRAPHS-NOT: label="raise
// STAYS: void up(
// STAYS: raise<<<
// STAYS: kfuse_raise_lower<<<
__global__ void raise(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + 1;
}
__global__ void lower(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] - 2;
}
__global__ void turn(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[n - 1 - i];
}

void up(const float *in, float *out, int n) { raise<<<(n + 127) / 128, 128>>>(in, out, n); }
void down(const float *in, float *out, int n) {
  lower<<<(n + 127) / 128, 128>>>(in, out, n);
}
void last(const float *in, float *out, int n) { lower<<<(n + 127) / 128, 128>>>(in, out, n); }

void run(const float *in, float *up1, float *down1, float *out, int n) {
  up(in, up1, n);
  down(up1, down1, n);
  turn<<<(n + 127) / 128, 128>>>(down1, out, n);
}
