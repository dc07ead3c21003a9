// Waves on a membrane that is fixed at its edges: in each step the tension, the
// velocity and, into the next array, the displacement.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

__global__ void pull(const float *u, float *tension, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x > nx - 2 || y < 1 || y > ny - 2)
    return;
  int i = y * nx + x;
  tension[i] = u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] - 4 * u[i];
}

// Neighbours' tensions smooth what the grid can't resolve.
__global__ void accelerate(const float *tension, float *speed, float dt, int nx,
                           int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 || x > nx - 3 || y < 2 || y > ny - 3)
    return;
  int i = y * nx + x;
  float sum = tension[i - 1] + tension[i + 1] + tension[i - nx] +
              tension[i + nx] + 4 * tension[i];
  speed[i] += dt * sum;
}

__global__ void move(const float *u, const float *speed, float *next, float dt,
                     int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny)
    return;
  int i = y * nx + x;
  next[i] = u[i] + dt * speed[i];
}

int main(int argc, char **argv) {
  const int nx = argc > 1 ? atoi(argv[1]) : 100, ny = argc > 1 ? nx : 60;
  const int cells = nx * ny, steps = argc > 2 ? atoi(argv[2]) : 4;
  const float dt = 0.0625f;
  std::vector<float> u(cells), speed(cells, 0.0f), result(cells);
  for (int i = 0; i < cells; ++i)
    u[i] = std::sin(0.05f * (i % nx)) * std::sin(0.04f * (i / nx));

  float *dU, *dNext, *dTension, *dSpeed;
  cudaMalloc(&dU, cells * sizeof(float));
  cudaMalloc(&dNext, cells * sizeof(float));
  cudaMalloc(&dTension, cells * sizeof(float));
  cudaMalloc(&dSpeed, cells * sizeof(float));
  cudaMemcpy(dU, u.data(), cells * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(dSpeed, 0, cells * sizeof(float));

  dim3 block(32, 8);
  dim3 grid((nx + 31) / 32, (ny + 7) / 8);
  for (int step = 0; step < steps; ++step) {
    pull<<<grid, block>>>(dU, dTension, nx, ny);
    accelerate<<<grid, block>>>(dTension, dSpeed, dt, nx, ny);
    move<<<grid, block>>>(dU, dSpeed, dNext, dt, nx, ny);
    std::swap(dU, dNext);
  }
  cudaMemcpy(result.data(), dU, cells * sizeof(float), cudaMemcpyDeviceToHost);

  std::vector<float> tension(cells), next(cells);
  for (int step = 0; step < steps; ++step) {
    auto around = [nx](const std::vector<float> &a, int i) {
      return a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx];
    };
    for (int y = 1; y < ny - 1; ++y)
      for (int x = 1; x < nx - 1; ++x)
        tension[y * nx + x] = around(u, y * nx + x) - 4 * u[y * nx + x];
    for (int y = 2; y < ny - 2; ++y)
      for (int x = 2; x < nx - 2; ++x)
        speed[y * nx + x] +=
            dt * (around(tension, y * nx + x) + 4 * tension[y * nx + x]);
    for (int i = 0; i < cells; ++i)
      next[i] = u[i] + dt * speed[i];
    std::swap(u, next);
  }
  int wrong = 0;
  double energy = 0;
  for (int i = 0; i < cells; ++i) {
    wrong += !(std::fabs(result[i] - u[i]) <= 1e-5f);
    energy += double(result[i]) * result[i];
  }
  printf("wave-2d: %d x %d, %d steps, energy %.4f, %d wrong\n", nx, ny, steps,
         energy, wrong);
  cudaFree(dU);
  cudaFree(dNext);
  cudaFree(dTension);
  cudaFree(dSpeed);
  return wrong != 0;
}
