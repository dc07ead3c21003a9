// Shallow water in a basin: velocities on the sides of the cells from the
// slope of the surface, walls, and the surface from what flows in and out.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

// u is on the left side of each cell, v on the lower one.
__global__ void flow(const double *h, const double *u, const double *v,
                     double *uNew, double *vNew, double c, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny)
    return;
  int i = y * nx + x;
  uNew[i] = x > 0 ? u[i] - c * (h[i] - h[i - 1]) : u[i];
  vNew[i] = y > 0 ? v[i] - c * (h[i] - h[i - nx]) : v[i];
}

__global__ void walls(double *uNew, double *vNew, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny)
    return;
  int i = y * nx + x;
  if (x == 0)
    uNew[i] = 0;
  if (y == 0)
    vNew[i] = 0;
}

__global__ void surface(const double *h, const double *uNew, const double *vNew,
                        double *hNew, double c, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny)
    return;
  int i = y * nx + x;
  double right = x < nx - 1 ? uNew[i + 1] : 0;
  double upper = y < ny - 1 ? vNew[i + nx] : 0;
  hNew[i] = h[i] - c * (right - uNew[i] + upper - vNew[i]);
}

int main(int argc, char **argv) {
  const int nx = argc > 1 ? atoi(argv[1]) : 90;
  const int ny = argc > 2 ? atoi(argv[2]) : 50;
  const int steps = argc > 3 ? atoi(argv[3]) : 5;
  const int cells = nx * ny;
  const double c = 0.25;
  std::vector<double> h(cells), u(cells, 0.0), v(cells, 0.0), result(cells);
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x)
      h[y * nx + x] = 1 + std::exp(-0.02 * ((x - nx / 3) * (x - nx / 3) +
                                            (y - ny / 2) * (y - ny / 2)));

  const size_t bytes = cells * sizeof(double);
  double *dH, *dU, *dV, *dHNew, *dUNew, *dVNew;
  cudaMalloc(&dH, bytes);
  cudaMalloc(&dU, bytes);
  cudaMalloc(&dV, bytes);
  cudaMalloc(&dHNew, bytes);
  cudaMalloc(&dUNew, bytes);
  cudaMalloc(&dVNew, bytes);
  cudaMemcpy(dH, h.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemset(dU, 0, bytes);
  cudaMemset(dV, 0, bytes);

  dim3 block(32, 8);
  dim3 grid((nx + 31) / 32, (ny + 7) / 8);
  for (int step = 0; step < steps; ++step) {
    flow<<<grid, block>>>(dH, dU, dV, dUNew, dVNew, c, nx, ny);
    walls<<<grid, block>>>(dUNew, dVNew, nx, ny);
    surface<<<grid, block>>>(dH, dUNew, dVNew, dHNew, c, nx, ny);
    std::swap(dH, dHNew);
    std::swap(dU, dUNew);
    std::swap(dV, dVNew);
  }
  cudaMemcpy(result.data(), dH, bytes, cudaMemcpyDeviceToHost);

  for (int step = 0; step < steps; ++step) {
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        const int i = y * nx + x;
        u[i] = x > 0 ? u[i] - c * (h[i] - h[i - 1]) : 0;
        v[i] = y > 0 ? v[i] - c * (h[i] - h[i - nx]) : 0;
      }
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        const int i = y * nx + x;
        const double right = x < nx - 1 ? u[i + 1] : 0;
        const double upper = y < ny - 1 ? v[i + nx] : 0;
        h[i] -= c * (right - u[i] + upper - v[i]);
      }
  }
  int wrong = 0;
  double water = 0;
  for (int i = 0; i < cells; ++i) {
    wrong += !(std::fabs(result[i] - h[i]) <= 1e-12);
    water += result[i];
  }
  printf("shallow-water: %d x %d, %d steps, volume %.6f, %d wrong\n", nx, ny,
         steps, water, wrong);
  cudaFree(dH);
  cudaFree(dU);
  cudaFree(dV);
  cudaFree(dHNew);
  cudaFree(dUNew);
  cudaFree(dVNew);
  return wrong != 0;
}
