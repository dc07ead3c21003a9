// Jacobi's method for a heated plate, two sweeps in each step.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

__global__ void sweep(const float *from, float *to, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int i = y * nx + x;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
    to[i] = 0.25f * (from[i - 1] + from[i + 1] + from[i - nx] + from[i + nx]);
  else if (x < nx && y < ny)
    to[i] = from[i];
}

int main(int argc, char **argv) {
  const int nx = argc > 1 ? atoi(argv[1]) : 100, ny = argc > 1 ? nx : 70;
  const int cells = nx * ny, steps = argc > 2 ? atoi(argv[2]) : 4;
  std::vector<float> plate(cells), result(cells);
  for (int i = 0; i < cells; ++i)
    plate[i] = i < nx ? 100.0f : (i % nx == 0 ? 50.0f : 0.0f);

  float *dPlate, *dHalf, *dNext;
  cudaMalloc(&dPlate, cells * sizeof(float));
  cudaMalloc(&dHalf, cells * sizeof(float));
  cudaMalloc(&dNext, cells * sizeof(float));
  cudaMemcpy(dPlate, plate.data(), cells * sizeof(float),
             cudaMemcpyHostToDevice);
  dim3 block(32, 8);
  dim3 grid((nx + 31) / 32, (ny + 7) / 8);
  for (int step = 0; step < steps; ++step) {
    sweep<<<grid, block>>>(dPlate, dHalf, nx, ny);
    sweep<<<grid, block>>>(dHalf, dNext, nx, ny);
    std::swap(dPlate, dNext);
  }
  cudaMemcpy(result.data(), dPlate, cells * sizeof(float),
             cudaMemcpyDeviceToHost);

  std::vector<float> next = plate;
  for (int sweeps = 0; sweeps < 2 * steps; ++sweeps) {
    for (int y = 1; y < ny - 1; ++y)
      for (int x = 1; x < nx - 1; ++x) {
        const int i = y * nx + x;
        next[i] = 0.25f *
                  (plate[i - 1] + plate[i + 1] + plate[i - nx] + plate[i + nx]);
      }
    std::swap(plate, next);
  }
  int wrong = 0;
  double heat = 0;
  for (int i = 0; i < cells; ++i) {
    wrong += result[i] != plate[i];
    heat += result[i];
  }
  printf("jacobi-pair: %d x %d, %d steps, heat %.3f, %d wrong\n", nx, ny, steps,
         heat, wrong);
  cudaFree(dPlate);
  cudaFree(dHalf);
  cudaFree(dNext);
  return wrong != 0;
}
