// The end of a neural network's layer as a library writes it: a wrapper gets
// device pointers, launches, checks. Whether its arrays overlap is only known
// when it is called, so the fused version asks first: the first call below may
// take it, the second works in place and takes the original kernels.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CEIL_DIV(a, b) (((a) + (b)-1) / (b))

static void cudaCheck(cudaError_t error, const char *file, int line) {
  if (error != cudaSuccess) {
    printf("%s:%d: %s\n", file, line, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
  }
}
#define cudaCheck(error) (cudaCheck(error, __FILE__, __LINE__))

__global__ void add_bias_kernel(float *out, const float *in, const float *bias,
                                int N, int C) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < N) {
    out[idx] = in[idx] + bias[idx % C];
  }
}

__global__ void gelu_kernel(float *out, const float *in, int N) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < N) {
    float x = in[idx];
    out[idx] =
        0.5f * x * (1.0f + tanhf(0.7978846f * (x + 0.044715f * x * x * x)));
  }
}

__global__ void residual_kernel(float *out, const float *in1, const float *in2,
                                int N) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < N) {
    out[idx] = in1[idx] + in2[idx];
  }
}

void layer_end(float *out, float *activated, float *biased, const float *in,
               const float *skip, const float *bias, int N, int C,
               int block_size) {
  const int grid_size = CEIL_DIV(N, block_size);
  add_bias_kernel<<<grid_size, block_size>>>(biased, in, bias, N, C);
  gelu_kernel<<<grid_size, block_size>>>(activated, biased, N);
  residual_kernel<<<grid_size, block_size>>>(out, activated, skip, N);
  cudaCheck(cudaGetLastError());
}

static float gelu(float x) {
  return 0.5f * x * (1.0f + tanhf(0.7978846f * (x + 0.044715f * x * x * x)));
}

int main(int argc, char **argv) {
  const int rows = argc > 1 ? atoi(argv[1]) : 64, C = 96, N = rows * C;
  std::vector<float> in(N), skip(N), bias(C), first(N), second(N);
  for (int i = 0; i < N; ++i) {
    in[i] = (i % 41) / 20.0f - 1;
    skip[i] = (i % 29) / 29.0f;
  }
  for (int c = 0; c < C; ++c)
    bias[c] = c / 96.0f - 0.5f;

  float *d_in, *d_skip, *d_bias, *d_biased, *d_activated, *d_out;
  cudaCheck(cudaMalloc(&d_in, N * sizeof(float)));
  cudaCheck(cudaMalloc(&d_skip, N * sizeof(float)));
  cudaCheck(cudaMalloc(&d_bias, C * sizeof(float)));
  cudaCheck(cudaMalloc(&d_biased, N * sizeof(float)));
  cudaCheck(cudaMalloc(&d_activated, N * sizeof(float)));
  cudaCheck(cudaMalloc(&d_out, N * sizeof(float)));
  cudaCheck(cudaMemcpy(d_in, in.data(), N * sizeof(float),
                       cudaMemcpyHostToDevice));
  cudaCheck(cudaMemcpy(d_skip, skip.data(), N * sizeof(float),
                       cudaMemcpyHostToDevice));
  cudaCheck(cudaMemcpy(d_bias, bias.data(), C * sizeof(float),
                       cudaMemcpyHostToDevice));

  layer_end(d_out, d_activated, d_biased, d_in, d_skip, d_bias, N, C, 128);
  cudaCheck(cudaMemcpy(first.data(), d_out, N * sizeof(float),
                       cudaMemcpyDeviceToHost));
  layer_end(d_out, d_out, d_out, d_out, d_skip, d_bias, N, C, 128);
  cudaCheck(cudaMemcpy(second.data(), d_out, N * sizeof(float),
                       cudaMemcpyDeviceToHost));

  int wrong = 0;
  double checksum = 0;
  for (int i = 0; i < N; ++i) {
    float once = gelu(in[i] + bias[i % C]) + skip[i];
    float twice = gelu(first[i] + bias[i % C]) + skip[i];
    wrong += !(fabsf(first[i] - once) < 1e-5f);
    wrong += !(fabsf(second[i] - twice) < 1e-5f);
    checksum += first[i] + second[i];
  }
  printf("layer-wrappers: %d elements, checksum %.4f, %d wrong\n", N, checksum,
         wrong);
  cudaCheck(cudaFree(d_in));
  cudaCheck(cudaFree(d_skip));
  cudaCheck(cudaFree(d_bias));
  cudaCheck(cudaFree(d_biased));
  cudaCheck(cudaFree(d_activated));
  cudaCheck(cudaFree(d_out));
  return wrong != 0;
}
