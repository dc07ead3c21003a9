// Of the arms of an `else if` chain or a `switch` one runs. Each is a stage with its condition, whatever stream it is launched on.
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify --orders=2 %s -- 1 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %kfuse verify --orders=2 %s -- 2 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %kfuse verify --orders=2 %s -- 5 2>&1 | FileCheck %s --check-prefix=VERIFIED
// CHECK: kfuse_scale_relu_absolute_negate = 'scale', 'relu', 'absolute', 'negate'
// CHECK-NEXT: kfuse_shift_relu_absolute = 'shift', 'relu', 'absolute'
// CHECK-NEXT: kfuse_shift_relu_absolute = 'shift', 'relu', 'absolute'
// CHECK-NEXT: kfuse_scale_relu_absolute = 'scale', 'relu', 'absolute'
// CHECK-NEXT: kfuse_scale_shift = 'scale', 'shift'
// CHECK: left:
// VERIFIED: verified
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call)                                                                                                              \
  do {                                                                                                                           \
    if ((call) != cudaSuccess)                                                                                                   \
      exit(1);                                                                                                                   \
  } while (0)

enum class Mode { Relu = 1, Absolute, Other };

__global__ void scale(int *a, int by, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    a[i] *= by;
}

__global__ void shift(int *a, int by, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    a[i] += by;
}

__global__ void relu(const int *a, int *b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    b[i] = a[i] > 0 ? a[i] : 0;
}

__global__ void absolute(const int *a, int *b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    b[i] = a[i] > 0 ? a[i] : -a[i];
}

__global__ void negate(const int *a, int *b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    b[i] = -a[i];
}

// OUT-LABEL: void chain(
// OUT: kfuse_scale_relu_absolute_negate<<<32, 256, 0, stream>>>(
// OUT-NEXT: mode == 1, mode != 1 && mode == 2, mode != 1 && mode != 2);
void chain(int *a, int *b, int by, int mode, int n, cudaStream_t stream) {
  scale<<<32, 256, 0, stream>>>(a, by, n);
  if (mode == 1)
    relu<<<32, 256, 0, stream>>>(a, b, n);
  else if (mode == 2)
    absolute<<<32, 256, 0, stream>>>(a, b, n);
  else
    negate<<<32, 256, 0, stream>>>(a, b, n);
}

// OUT-LABEL: void choose(
// OUT: kfuse_shift_relu_absolute<<<32, 256>>>(
// OUT-NEXT: mode == Mode::Relu, mode != Mode::Relu);
void choose(int *a, int *b, int by, Mode mode, int n) {
  shift<<<32, 256>>>(a, by, n);
  switch (mode) {
  case Mode::Relu:
    relu<<<32, 256>>>(a, b, n);
    break;
  default: {
    absolute<<<32, 256>>>(a, b, n);
    break;
  }
  }
}

// The check looks for errors of its own arm, not of the other one.
// OUT-LABEL: void look(
// OUT: kfuse_shift_relu_absolute<<<32, 256>>>(
// OUT-NEXT: mode == 1, mode != 1 && mode == 2);
// OUT: if (mode != 1 && mode == 2) CHECK(cudaGetLastError());
void look(int *a, int *b, int by, int mode, int n) {
  CHECK(cudaGetLastError());
  shift<<<32, 256>>>(a, by, n);
  if (mode == 1) {
    relu<<<32, 256>>>(a, b, n);
  } else if (mode == 2) {
    absolute<<<32, 256>>>(a, b, n);
    CHECK(cudaGetLastError());
  }
}

// OUT-LABEL: void mask(
// OUT: kfuse_scale_relu_absolute<<<32, 256>>>(
// OUT-NEXT: (mode & 5) == (1 | 4), (mode & 5) != (1 | 4));
void mask(int *a, int *b, int by, int mode, int n) {
  scale<<<32, 256>>>(a, by, n);
  switch (mode & 5) {
  case 1 | 4:
    relu<<<32, 256>>>(a, b, n);
    break;
  default:
    absolute<<<32, 256>>>(a, b, n);
  }
}

// One falls through, and one has two labels.
// OUT-LABEL: void fall(
// OUT: switch (mode) {
// OUT: switch (mode) {
void fall(int *a, int *b, int by, int mode, int n) {
  scale<<<32, 256>>>(a, by, n);
  shift<<<32, 256>>>(a, by, n);
  switch (mode) {
  case 1:
    scale<<<32, 256>>>(b, by, n);
  case 2:
    shift<<<32, 256>>>(b, by, n);
    break;
  }
  cudaDeviceSynchronize();
  switch (mode) {
  case 1:
  case 2:
    negate<<<32, 256>>>(a, b, n);
    break;
  case 3:
    absolute<<<32, 256>>>(a, b, n);
    break;
  }
}

// The first kernel may write to what the second condition reads.
// OUT-LABEL: void ask(
// OUT: if (*flag == 1)
// OUT-NEXT: scale<<<32, 256>>>(flag, 2, 1);
// OUT-NEXT: else if (*flag == 2)
// OUT-NEXT: shift<<<32, 256>>>(flag, 3, 1);
void ask(int *flag) {
  if (*flag == 1)
    scale<<<32, 256>>>(flag, 2, 1);
  else if (*flag == 2)
    shift<<<32, 256>>>(flag, 3, 1);
  cudaDeviceSynchronize();
}

int main(int argc, char **argv) {
  const int mode = argc > 1 ? atoi(argv[1]) : 1, n = 1000;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = i * 37 % 101 - 50;
  int *a, *b, *flag;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaMallocManaged(&flag, sizeof(int));
  *flag = mode;
  cudaMemcpy(a, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  long long sum = 0;
  for (int round = 0; round < 5; ++round) {
    if (round == 0)
      chain(a, b, 3, mode, n, stream);
    else if (round == 1)
      choose(a, b, 4, static_cast<Mode>(mode), n);
    else if (round == 2)
      look(a, b, 5, mode, n);
    else if (round == 3)
      mask(a, b, 3, mode, n);
    else
      fall(a, b, 5, mode, n);
    cudaDeviceSynchronize();
    cudaMemcpy(values.data(), b, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      sum += (long long)values[i] * (i % 97);
  }
  ask(flag);
  printf("%lld %d\n", sum, *flag);
}
