// RUN: %kfuse %s -o %t.cu --elements-per-thread=1 --no-horizontal
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s --no-horizontal 2>&1 | FileCheck %s
//
// CHECK: verified: original and fused
//
// A number that a structure holds gets no second name: guards that mean the
// same are one, and the parameter goes.
// OUT:      void kfuse_brighten_square(
// OUT-NEXT:     Frame frame, float by, float *__restrict__ out) {
// OUT-NEXT:   int x = blockIdx.x * blockDim.x + threadIdx.x;
// OUT-NEXT:   int y = blockIdx.y * blockDim.y + threadIdx.y;
// OUT-NEXT:   if (x < frame.width && y < frame.height) {
// OUT:          out[y * frame.width + x] = a * a;
//
// Names may differ if the number isn't a constant.
// OUT:      void kfuse_darken_halve(
// OUT-NEXT:     Row row, float by, float *__restrict__ out) {
// OUT:          if (i >= row.count)
// OUT:          out[i] = a / 2;
//
// Constants may be equal by chance, and a width is no height even if both are
// the same. `LAST` names its parameter.
// OUT:      void kfuse_tint_cut(Image image, float *__restrict__ out,
// OUT-NEXT:     int w, int h, int border) {
// OUT:          if (x < image.columns && y < image.rows
// OUT:          if (x < w && y < h
// OUT:      void kfuse_gain_lift(Row row, float *__restrict__ out, int n) {
// OUT:          if (i < n) {
// OUT:          out[i] = a + LAST;
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

struct Frame {
  float *data;
  int width, height;
};
__global__ void brighten(Frame frame, float by) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < frame.width && y < frame.height)
    frame.data[y * frame.width + x] += by;
}
__global__ void square(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[y * width + x] = in[y * width + x] * in[y * width + x];
}

struct Row {
  float *data;
  int count;
};
__global__ void darken(Row row, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= row.count)
    return;
  row.data[i] -= by;
}
__global__ void halve(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = in[i] / 2;
}

struct Image {
  float *data;
  int columns, rows, channels;
};
__global__ void tint(Image image) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < image.columns && y < image.rows && image.channels == 2)
    image.data[y * image.columns + x] += 3;
}
__global__ void cut(const float *in, float *out, int w, int h, int border) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h && x >= border)
    out[y * w + x] = in[y * w + x] - 1;
}

#define LAST (n - 1)
__global__ void gain(Row row) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < row.count)
    row.data[i] += 3;
}
__global__ void lift(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + LAST;
}

int main(int argc, char **argv) {
  const int width = 60 + argc, height = 40, n = width * height;
  const int bytes = n * sizeof(float);
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i)
    host[i] = i % 17;
  float *a, *b;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMemcpy(a, host.data(), bytes, cudaMemcpyHostToDevice);
  const dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);

  Frame frame;
  frame.data = a;
  frame.width = width;
  frame.height = height;
  brighten<<<grid, block>>>(frame, 2.0f);
  square<<<grid, block>>>(a, b, width, height);
  cudaMemcpy(host.data(), b, bytes, cudaMemcpyDeviceToHost);
  float sum = host[n - 1];

  Row row;
  row.data = a;
  row.count = n;
  darken<<<(n + 127) / 128, 128>>>(row, 2.0f);
  halve<<<(n + 127) / 128, 128>>>(a, b, n);
  cudaMemcpy(host.data(), b, bytes, cudaMemcpyDeviceToHost);
  sum += host[n - 1];

  Image image;
  image.data = a;
  image.columns = height;
  image.rows = height;
  image.channels = 2;
  tint<<<dim3(2, 5), block>>>(image);
  cut<<<dim3(2, 5), block>>>(a, b, height, height, 2);
  cudaMemcpy(host.data(), b, bytes, cudaMemcpyDeviceToHost);
  sum += host[n - 1];

  gain<<<(n + 127) / 128, 128>>>(row);
  lift<<<(n + 127) / 128, 128>>>(a, b, n);
  cudaMemcpy(host.data(), b, bytes, cudaMemcpyDeviceToHost);
  printf("%g %g\n", sum, host[n - 1]);
  cudaFree(a);
  cudaFree(b);
}
