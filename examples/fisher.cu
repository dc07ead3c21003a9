// Fisher's equation on a torus, u' = laplace(u) + r u (1 - u): what changes is
// computed by kernels of its own, then u is updated in place.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__global__ void diffuse(const float *u, float *change, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny)
    return;
  int left = x > 0 ? x - 1 : nx - 1, right = x < nx - 1 ? x + 1 : 0;
  int above = y > 0 ? y - 1 : ny - 1, below = y < ny - 1 ? y + 1 : 0;
  change[y * nx + x] = u[y * nx + left] + u[y * nx + right] +
                       u[above * nx + x] + u[below * nx + x] -
                       4 * u[y * nx + x];
}

__global__ void react(const float *u, float *growth, float r, int cells) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cells)
    growth[i] = r * u[i] * (1 - u[i]);
}

__global__ void update(float *u, const float *change, const float *growth,
                       float dt, int cells) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cells)
    u[i] = fmaf(dt, change[i] + growth[i], u[i]);
}

static void stepOnHost(std::vector<float> &u, int nx, int ny, float r,
                       float dt) {
  const std::vector<float> old = u;
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      const int left = (x + nx - 1) % nx, right = (x + 1) % nx;
      const int above = (y + ny - 1) % ny, below = (y + 1) % ny;
      const float own = old[y * nx + x];
      const float change = old[y * nx + left] + old[y * nx + right] +
                           old[above * nx + x] + old[below * nx + x] - 4 * own;
      const float growth = r * own * (1 - own);
      u[y * nx + x] = std::fma(dt, change + growth, own);
    }
}

int main(int argc, char **argv) {
  const int nx = argc > 1 ? atoi(argv[1]) : 100, ny = argc > 1 ? nx : 70;
  const int cells = nx * ny, steps = argc > 2 ? atoi(argv[2]) : 4;
  const float r = 0.7f, dt = 0.05f;
  std::vector<float> expected(cells), result(cells);
  for (int i = 0; i < cells; ++i)
    expected[i] = i % 13 == 0 ? 0.5f : 0.0f;

  float *u, *change, *growth;
  cudaMalloc(&u, cells * sizeof(float));
  cudaMalloc(&change, cells * sizeof(float));
  cudaMalloc(&growth, cells * sizeof(float));
  cudaMemcpy(u, expected.data(), cells * sizeof(float), cudaMemcpyHostToDevice);
  dim3 block(32, 8);
  dim3 grid((nx + 31) / 32, (ny + 7) / 8);
  const int blocks = (cells + 255) / 256;
  for (int step = 0; step < steps; ++step) {
    diffuse<<<grid, block>>>(u, change, nx, ny);
    react<<<blocks, 256>>>(u, growth, r, cells);
    update<<<blocks, 256>>>(u, change, growth, dt, cells);
  }
  cudaMemcpy(result.data(), u, cells * sizeof(float), cudaMemcpyDeviceToHost);

  for (int step = 0; step < steps; ++step)
    stepOnHost(expected, nx, ny, r, dt);
  int wrong = 0;
  double sum = 0;
  for (int i = 0; i < cells; ++i) {
    wrong += result[i] != expected[i];
    sum += result[i];
  }
  printf("fisher: %d x %d, %d steps, sum %.3f, %d wrong\n", nx, ny, steps, sum,
         wrong);
  cudaFree(u);
  cudaFree(change);
  cudaFree(growth);
  return wrong != 0;
}
