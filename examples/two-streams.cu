// Two channels of audio, each on its own stream: gain and limiter. Kernels of
// one stream may be fused, never across streams.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__global__ void gain(const short *in, float *out, float factor, int samples) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s < samples)
    out[s] = in[s] * factor;
}

__global__ void limit(const float *in, short *out, int samples) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s < samples) {
    float value = fminf(fmaxf(in[s], -32768.0f), 32767.0f);
    out[s] = (short)value;
  }
}

int main(int argc, char **argv) {
  const int samples = argc > 1 ? atoi(argv[1]) : 20000;
  const size_t in = samples * sizeof(short), mid = samples * sizeof(float);
  std::vector<short> left(samples), right(samples), newLeft(samples),
      newRight(samples);
  for (int s = 0; s < samples; ++s) {
    left[s] = s * 331 % 40000 - 20000;
    right[s] = s * 73 % 60000 - 30000;
  }

  short *dLeft, *dRight, *dNewLeft, *dNewRight;
  float *dLoudLeft, *dLoudRight;
  cudaMalloc(&dLeft, in);
  cudaMalloc(&dRight, in);
  cudaMalloc(&dNewLeft, in);
  cudaMalloc(&dNewRight, in);
  cudaMalloc(&dLoudLeft, mid);
  cudaMalloc(&dLoudRight, mid);

  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  const int blocks = (samples + 255) / 256;
  cudaMemcpyAsync(dLeft, left.data(), in, cudaMemcpyHostToDevice, first);
  cudaMemcpyAsync(dRight, right.data(), in, cudaMemcpyHostToDevice, second);
  gain<<<blocks, 256, 0, first>>>(dLeft, dLoudLeft, 2.5f, samples);
  gain<<<blocks, 256, 0, second>>>(dRight, dLoudRight, 0.5f, samples);
  limit<<<blocks, 256, 0, first>>>(dLoudLeft, dNewLeft, samples);
  limit<<<blocks, 256, 0, second>>>(dLoudRight, dNewRight, samples);
  cudaMemcpyAsync(newLeft.data(), dNewLeft, in, cudaMemcpyDeviceToHost, first);
  cudaMemcpyAsync(newRight.data(), dNewRight, in, cudaMemcpyDeviceToHost,
                  second);
  cudaStreamSynchronize(first);
  cudaStreamSynchronize(second);

  int wrong = 0;
  long long checksum = 0;
  for (int s = 0; s < samples; ++s) {
    float l = fminf(fmaxf(left[s] * 2.5f, -32768.0f), 32767.0f);
    wrong += newLeft[s] != (short)l || newRight[s] != (short)(right[s] * 0.5f);
    checksum += newLeft[s] - newRight[s];
  }
  printf("two-streams: %d samples, checksum %lld, %d wrong\n", samples,
         checksum, wrong);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(dLeft);
  cudaFree(dRight);
  cudaFree(dNewLeft);
  cudaFree(dNewRight);
  cudaFree(dLoudLeft);
  cudaFree(dLoudRight);
  return wrong != 0;
}
