// Burgers' equation in two dimensions: the new velocities inside, then those at
// the edges, row-wise and column-wise, and a copy back.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__global__ void core(const float *u, float *uNew, float c, float nu, int nx,
                     int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
    int i = y * nx + x;
    float steep = u[i] - u[i - 1] + u[i] - u[i - nx];
    float curve = u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] - 4 * u[i];
    float carried = fmaf(-c * u[i], steep, u[i]);
    uNew[i] = fmaf(nu, curve, carried);
  }
}

__global__ void rows(float *uNew, float edge, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny && (y == 0 || y == ny - 1))
    uNew[y * nx + x] = edge;
}

__global__ void columns(float *uNew, float edge, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny && (x == 0 || x == nx - 1))
    uNew[y * nx + x] = edge;
}

__global__ void update(float *u, const float *uNew, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny)
    u[y * nx + x] = uNew[y * nx + x];
}

int main(int argc, char **argv) {
  const int nx = argc > 1 ? atoi(argv[1]) : 81, ny = argc > 1 ? nx : 60;
  const int cells = nx * ny, steps = argc > 2 ? atoi(argv[2]) : 4;
  const float c = 0.05f, nu = 0.02f, edge = 1;
  std::vector<float> u(cells, edge), result(cells);
  for (int y = ny / 4; y < ny / 2; ++y)
    for (int x = nx / 4; x < nx / 2; ++x)
      u[y * nx + x] = 2;

  float *dU, *dNew;
  cudaMalloc(&dU, cells * sizeof(float));
  cudaMalloc(&dNew, cells * sizeof(float));
  cudaMemcpy(dU, u.data(), cells * sizeof(float), cudaMemcpyHostToDevice);
  dim3 block(32, 8);
  dim3 grid((nx + 31) / 32, (ny + 7) / 8);
  for (int step = 0; step < steps; ++step) {
    core<<<grid, block>>>(dU, dNew, c, nu, nx, ny);
    rows<<<grid, block>>>(dNew, edge, nx, ny);
    columns<<<grid, block>>>(dNew, edge, nx, ny);
    update<<<grid, block>>>(dU, dNew, nx, ny);
  }
  cudaMemcpy(result.data(), dU, cells * sizeof(float), cudaMemcpyDeviceToHost);

  std::vector<float> next(cells, edge);
  for (int step = 0; step < steps; ++step) {
    for (int y = 1; y < ny - 1; ++y)
      for (int x = 1; x < nx - 1; ++x) {
        const int i = y * nx + x;
        const float steep = u[i] - u[i - 1] + u[i] - u[i - nx];
        const float curve =
            u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] - 4 * u[i];
        next[i] = u[i] - c * u[i] * steep + nu * curve;
      }
    u = next;
  }
  int wrong = 0;
  double sum = 0;
  for (int i = 0; i < cells; ++i) {
    wrong += !(std::fabs(result[i] - u[i]) <= 1e-5f);
    sum += result[i];
  }
  printf("burgers: %d x %d, %d steps, sum %.4f, %d wrong\n", nx, ny, steps, sum,
         wrong);
  cudaFree(dU);
  cudaFree(dNew);
  return wrong != 0;
}
