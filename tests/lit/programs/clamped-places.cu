// At the border a thread reads a place that it chooses: clamped, mirrored or its own. It is never far from the thread's own, so
// that it is in the block's tile, however the choice is written and whatever the size of the array.
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify --orders=2 %s -- 70 50 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %kfuse verify --orders=2 %s -- 33 3 2>&1 | FileCheck %s --check-prefix=VERIFIED
// CHECK: 10 launches -> 2
// CHECK-NEXT: kfuse_scale_to_offsets_6 = 'scale', 'functions', 'choices', 'tests', 'parts', 'offsets'
// CHECK-NEXT: kfuse_scale_windows_inner_wide = 'scale', 'windows', 'inner', 'wide'
// VERIFIED: verified
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CLAMP(v, low, high) ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))

__device__ inline int clamped(int v, int n) { return v < 0 ? 0 : v >= n ? n - 1 : v; }

__global__ void scale(const int *in, int *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    out[y * w + x] = in[y * w + x] * 3 + 1;
}

// OUT: functions_at(
// OUT: = in_tile[(down - y) * {{[0-9]+}} + left - x] - in_tile[0];
__global__ void functions(const int *in, int *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int left = max(x - 1, 0), down = min(y + 1, h - 1);
  int at = down * w + left;
  out[y * w + x] = in[at] - in[y * w + x];
}

// OUT: choices_at(
// OUT: = in_tile[left - x] + in_tile[((y > 0 ? y - 1 : 0) - y) * {{[0-9]+}}];
__global__ void choices(const int *in, int *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int left = x == 0 ? min(1, w - 1) : x - 1;
  out[y * w + x] = in[y * w + left] + in[(y > 0 ? y - 1 : 0) * w + x];
}

// OUT: tests_at(
// OUT: = in_tile[(row - y) * {{[0-9]+}} + column - x] * 2;
__global__ void tests(const int *in, int *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int column = x - 1, row = y + 1;
  if (column < 0)
    column = 0;
  if (row >= h)
    row = h - 1;
  out[y * w + x] = in[row * w + column] * 2;
}

// OUT: parts_at(
// OUT: in_tile[CLAMP(x + 1, 0, w - 1) - x] ^ in_tile[clamped(x - 1, w) - x];
__global__ void parts(const int *in, int *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  out[y * w + x] = in[y * w + CLAMP(x + 1, 0, w - 1)] ^ in[y * w + clamped(x - 1, w)];
}

// The row isn't in a variable: its choice is written anew.
// OUT: offsets_at(
// OUT: = in_tile[left - own] - in_tile[(y + 1 < h ? 1 : 0) * {{[0-9]+}}];
__global__ void offsets(const int *in, int *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int own = y * w + x;
  int left = x > 0 ? own - 1 : own;
  out[own] = in[left] - in[y < h - 1 ? own + w : own];
}

// OUT: windows_at(
// OUT: sum += in_tile[(yy - y) * {{[0-9]+}} + xx - x];
__global__ void windows(const int *in, int *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -2; dx <= 2; dx++) {
      int yy = min(max(y + dy, 0), h - 1), xx = clamped(x + dx, w);
      sum += in[yy * w + xx];
    }
  out[y * w + x] = sum;
}

// A variable that only the index's own text declares has no name where the element is read.
// OUT: inner_at(
// OUT: = in_tile[at - own] ^ 1;
__global__ void inner(const int *in, int *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int own = y * w + x;
  int at = ({
    int place = max(x - 1, 0);
    y * w + place;
  });
  out[own] = in[at] ^ 1;
}

// The difference of numbers without a sign wraps.
// OUT: wide_at(
// OUT: = in_tile[(int)(left - column)];
__global__ void wide(const int *in, int *out, int w, int h) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= w || row >= h)
    return;
  size_t x = column, y = row;
  size_t left = x == 0 ? 0 : x - 1;
  out[y * w + x] = in[y * w + left];
}

int main(int argc, char **argv) {
  const int w = argc > 1 ? atoi(argv[1]) : 1000, h = argc > 2 ? atoi(argv[2]) : 600;
  const int n = w * h;
  std::vector<int> numbers(n);
  for (int i = 0; i < n; ++i)
    numbers[i] = i * 41 % 97;
  int *in, *a, *b, *c, *d, *e, *out, *last;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaMalloc(&c, n * sizeof(int));
  cudaMalloc(&d, n * sizeof(int));
  cudaMalloc(&e, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&last, n * sizeof(int));
  cudaMemcpy(in, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  const dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  scale<<<grid, block>>>(in, a, w, h);
  functions<<<grid, block>>>(a, b, w, h);
  choices<<<grid, block>>>(b, c, w, h);
  tests<<<grid, block>>>(c, d, w, h);
  parts<<<grid, block>>>(d, e, w, h);
  offsets<<<grid, block>>>(e, out, w, h);
  cudaDeviceSynchronize();
  scale<<<grid, block>>>(out, a, w, h);
  windows<<<grid, block>>>(a, b, w, h);
  inner<<<grid, block>>>(b, c, w, h);
  wide<<<grid, block>>>(c, last, w, h);
  long long sum = 0;
  for (int *each : {out, last}) {
    cudaMemcpy(numbers.data(), each, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      sum += (long long)numbers[i] * (i % 101);
  }
  printf("%lld\n", sum);
}
