// Feature normalisation with grid-stride loops, a fixed number of blocks
// whatever the size: centre, scale, squash.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__global__ void centre(const float *x, float *centred, float mean, size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    centred[i] = x[i] - mean;
}

__global__ void scale(const float *centred, float *scaled, float deviation,
                      size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    scaled[i] = centred[i] / deviation;
}

__global__ void squash(const float *scaled, float *y, size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    const float v = scaled[i];
    y[i] = v / (1.0f + fabsf(v));
  }
}

int main(int argc, char **argv) {
  const size_t n = argc > 1 ? strtoul(argv[1], nullptr, 10) : 30011;
  const float mean = 3.5f, deviation = 1.25f;
  std::vector<float> x(n), y(n);
  for (size_t i = 0; i < n; ++i)
    x[i] = (i * 37 % 1000) / 125.0f;

  float *d_x, *d_centred, *d_scaled, *d_y;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_centred, n * sizeof(float));
  cudaMalloc(&d_scaled, n * sizeof(float));
  cudaMalloc(&d_y, n * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  centre<<<24, 128>>>(d_x, d_centred, mean, n);
  scale<<<24, 128>>>(d_centred, d_scaled, deviation, n);
  squash<<<24, 128>>>(d_scaled, d_y, n);
  cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);

  int wrong = 0;
  double checksum = 0;
  for (size_t i = 0; i < n; ++i) {
    const float v = (x[i] - mean) / deviation;
    wrong += !(fabsf(y[i] - v / (1.0f + fabsf(v))) < 1e-5f);
    checksum += y[i];
  }
  printf("grid-stride: %zu elements, checksum %.5f, %d wrong\n", n, checksum,
         wrong);
  cudaFree(d_x);
  cudaFree(d_centred);
  cudaFree(d_scaled);
  cudaFree(d_y);
  return wrong != 0;
}
