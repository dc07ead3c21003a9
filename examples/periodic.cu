// A tracer on a torus: what the last step left below zero is clipped, then each
// cell takes in a part of its neighbours', around the edges too.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

__global__ void clip(const float *tracer, float *clipped, int cells) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cells)
    clipped[i] = fmaxf(tracer[i], 0.0f);
}

__global__ void spread(const float *clipped, const float *source, float *next,
                       int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny)
    return;
  int east = y * nx + (x + 1) % nx, west = y * nx + (x + nx - 1) % nx;
  int north = (y + 1) % ny * nx + x, south = (y + ny - 1) % ny * nx + x;
  float around =
      clipped[east] + clipped[west] + clipped[north] + clipped[south];
  next[y * nx + x] =
      (around + 4 * clipped[y * nx + x] + source[y * nx + x]) * 0.125f;
}

int main(int argc, char **argv) {
  const int nx = argc > 1 ? atoi(argv[1]) : 100, ny = argc > 1 ? nx : 60;
  const int cells = nx * ny, steps = argc > 2 ? atoi(argv[2]) : 5;
  std::vector<float> tracer(cells), source(cells), result(cells);
  for (int i = 0; i < cells; ++i) {
    tracer[i] = std::sin(0.3f * (i % nx)) + std::cos(0.2f * (i / nx));
    source[i] = i % 17 == 0 ? -2.0f : 0.0f;
  }

  float *dTracer, *dNext, *dClipped, *dSource;
  cudaMalloc(&dTracer, cells * sizeof(float));
  cudaMalloc(&dNext, cells * sizeof(float));
  cudaMalloc(&dClipped, cells * sizeof(float));
  cudaMalloc(&dSource, cells * sizeof(float));
  cudaMemcpy(dTracer, tracer.data(), cells * sizeof(float),
             cudaMemcpyHostToDevice);
  cudaMemcpy(dSource, source.data(), cells * sizeof(float),
             cudaMemcpyHostToDevice);

  dim3 block(32, 8);
  dim3 grid((nx + 31) / 32, (ny + 7) / 8);
  for (int step = 0; step < steps; ++step) {
    clip<<<(cells + 255) / 256, 256>>>(dTracer, dClipped, cells);
    spread<<<grid, block>>>(dClipped, dSource, dNext, nx, ny);
    std::swap(dTracer, dNext);
  }
  cudaMemcpy(result.data(), dTracer, cells * sizeof(float),
             cudaMemcpyDeviceToHost);

  std::vector<float> next(cells);
  for (int step = 0; step < steps; ++step) {
    for (float &value : tracer)
      value = std::fmax(value, 0.0f);
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        const float *row = &tracer[y * nx];
        float around = row[(x + 1) % nx] + row[(x + nx - 1) % nx] +
                       tracer[(y + 1) % ny * nx + x] +
                       tracer[(y + ny - 1) % ny * nx + x];
        next[y * nx + x] =
            (around + 4 * row[x] + source[y * nx + x]) * 0.125f;
      }
    std::swap(tracer, next);
  }
  int wrong = 0;
  double total = 0;
  for (int i = 0; i < cells; ++i) {
    wrong += !(std::fabs(result[i] - tracer[i]) <= 1e-5f);
    total += result[i];
  }
  printf("periodic: %d x %d, %d steps, total %.4f, %d wrong\n", nx, ny, steps,
         total, wrong);
  cudaFree(dTracer);
  cudaFree(dNext);
  cudaFree(dClipped);
  cudaFree(dSource);
  return wrong != 0;
}
