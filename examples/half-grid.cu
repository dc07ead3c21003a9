// A signal and its envelope. The shape of the launches is one variable whose
// member changes on the way: the same text, another value.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__global__ void rectify(const float *signal, float *positive) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  positive[i] = fabsf(signal[i]);
}

__global__ void amplify(const float *positive, float *envelope, float gain) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  envelope[i] = gain * positive[i];
}

__global__ void thin(const float *envelope, float *thinned) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  thinned[i] = envelope[2 * i];
}

__global__ void offset(float *thinned, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  thinned[i] += value;
}

int main(int argc, char **argv) {
  const int blocks = argc > 1 ? 2 * atoi(argv[1]) : 64;
  const int n = blocks * 128;
  std::vector<float> signal(n), envelope(n), thinned(n / 2);
  for (int i = 0; i < n; ++i)
    signal[i] = (i * 31 % 257) / 64.0f - 2;

  float *dSignal, *dPositive, *dEnvelope, *dThinned;
  cudaMalloc(&dSignal, n * sizeof(float));
  cudaMalloc(&dPositive, n * sizeof(float));
  cudaMalloc(&dEnvelope, n * sizeof(float));
  cudaMalloc(&dThinned, n / 2 * sizeof(float));
  cudaMemcpy(dSignal, signal.data(), n * sizeof(float), cudaMemcpyHostToDevice);

  dim3 block(128), grid(blocks);
  rectify<<<grid, block>>>(dSignal, dPositive);
  amplify<<<grid, block>>>(dPositive, dEnvelope, 1.25f);
  grid.x = grid.x / 2;
  thin<<<grid, block>>>(dEnvelope, dThinned);
  offset<<<grid, block>>>(dThinned, -0.5f);

  cudaMemcpy(envelope.data(), dEnvelope, n * sizeof(float),
             cudaMemcpyDeviceToHost);
  cudaMemcpy(thinned.data(), dThinned, n / 2 * sizeof(float),
             cudaMemcpyDeviceToHost);

  int wrong = 0;
  double checksum = 0;
  for (int i = 0; i < n; ++i)
    wrong += !(fabsf(envelope[i] - 1.25f * fabsf(signal[i])) < 1e-5f);
  for (int i = 0; i < n / 2; ++i) {
    wrong += !(fabsf(thinned[i] - (envelope[2 * i] - 0.5f)) < 1e-5f);
    checksum += thinned[i];
  }
  printf("half-grid: %d samples, checksum %.4f, %d wrong\n", n, checksum,
         wrong);
  cudaFree(dSignal);
  cudaFree(dPositive);
  cudaFree(dEnvelope);
  cudaFree(dThinned);
  return wrong != 0;
}
