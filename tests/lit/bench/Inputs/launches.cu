// Launches of CUDA in the ways that programs have; the first word may say how
// it ends: `exit` without a wait, `crash`, or `reset`.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

struct Triple {
  int x, y, z;
};

namespace space {
template <typename Number>
__global__ void scale(Number *a, Number by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] *= by;
}
} // namespace space

namespace {
__global__ void hidden(const float *a, float *b, unsigned long pitch,
                       Triple shift) {
  extern __shared__ float row[];
  row[threadIdx.x] = a[blockIdx.y * pitch + threadIdx.x];
  __syncthreads();
  b[blockIdx.y * pitch + threadIdx.x] = row[threadIdx.x] + shift.x;
}
} // namespace

extern "C" __global__ void plain(float *a, double by, bool isOn) {
  if (isOn)
    a[threadIdx.x] += static_cast<float>(by);
}

static void check(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(EXIT_FAILURE);
  }
}

int main(int count, char **words) {
  constexpr int N = 1 << 20;
  const char *way = count > 1 ? words[1] : "";
  float *a, *b;
  double *c;
  check(cudaMalloc(&a, N * sizeof(float)));
  check(cudaMallocManaged(&b, N * sizeof(float)));
  check(cudaMalloc(&c, 1000 * sizeof(double)));
  check(cudaMemset(a, 0, N * sizeof(float)));
  cudaStream_t stream;
  check(cudaStreamCreate(&stream));
  for (int i = 0; i < 10; ++i)
    space::scale<<<N / 256, 256>>>(a, 1.5f, N - i);
  space::scale<<<8, 128, 0, stream>>>(c, 2.0, 1000);
  hidden<<<dim3(1, 4), 64, 64 * sizeof(float)>>>(a + 256, b, 1024ul,
                                                 Triple{1, 2, 3});
  plain<<<1, 32>>>(b, 0.25, true);
  check(cudaGetLastError());
  if (std::strcmp(way, "exit") == 0)
    return 3;
  check(cudaDeviceSynchronize());
  if (std::strcmp(way, "crash") == 0) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    std::abort();
  }
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  plain<<<1, 64, 0, stream>>>(a, 1.0, false);
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&ready, graph, 0));
  for (int i = 0; i < 2; ++i)
    check(cudaGraphLaunch(ready, stream));
  check(cudaStreamSynchronize(stream));
  static float host[N];
  check(cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost));
  if (std::strcmp(way, "reset") == 0)
    check(cudaDeviceReset());
  std::printf("%g\n", host[0]);
  return 0;
}
