// Heat in a block of material, doubles on a 3-D grid with multi-dimensional
// array parameters: conductivity from the temperature, the divergence from the
// six neighbours, a source, the update into a second buffer.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define NX 28
#define NY 20
#define NZ 12

typedef double Plane[NY][NX];

__global__ void divergence(const double t[][NY][NX], double div[][NY][NX]) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
  int z = threadIdx.z + blockIdx.z * blockDim.z;
  if (x >= NX || y >= NY || z >= NZ)
    return;
  double d = 0;
  if (x > 0 && x < NX - 1 && y > 0 && y < NY - 1 && z > 0 && z < NZ - 1)
    d = t[z][y][x - 1] + t[z][y][x + 1] + t[z][y - 1][x] + t[z][y + 1][x] +
        t[z - 1][y][x] + t[z + 1][y][x] - 6.0 * t[z][y][x];
  div[z][y][x] = d;
}

__global__ void conduct(double div[][NY][NX], const double t[][NY][NX]) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
  int z = threadIdx.z + blockIdx.z * blockDim.z;
  if (x >= NX || y >= NY || z >= NZ)
    return;
  div[z][y][x] *= 0.1 + 0.01 * t[z][y][x];
}

__global__ void heat(double div[][NY][NX], const double source[][NY][NX]) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
  int z = threadIdx.z + blockIdx.z * blockDim.z;
  if (x >= NX || y >= NY || z >= NZ)
    return;
  div[z][y][x] += source[z][y][x];
}

__global__ void update(const double t[][NY][NX], const double div[][NY][NX],
                       double next[][NY][NX], double dt) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
  int z = threadIdx.z + blockIdx.z * blockDim.z;
  if (x >= NX || y >= NY || z >= NZ)
    return;
  next[z][y][x] = t[z][y][x] + dt * div[z][y][x];
}

static double T[NZ][NY][NX], source[NZ][NY][NX], result[NZ][NY][NX];

static double expected(int z, int y, int x, double dt) {
  double d = 0;
  if (x > 0 && x < NX - 1 && y > 0 && y < NY - 1 && z > 0 && z < NZ - 1)
    d = T[z][y][x - 1] + T[z][y][x + 1] + T[z][y - 1][x] + T[z][y + 1][x] +
        T[z - 1][y][x] + T[z + 1][y][x] - 6.0 * T[z][y][x];
  d = d * (0.1 + 0.01 * T[z][y][x]) + source[z][y][x];
  return T[z][y][x] + dt * d;
}

int main() {
  const double dt = 0.05;
  for (int z = 0; z < NZ; ++z)
    for (int y = 0; y < NY; ++y)
      for (int x = 0; x < NX; ++x) {
        T[z][y][x] = (x * 3 + y * 5 + z * 7) % 17;
        source[z][y][x] = x == NX / 2 ? 1.0 : 0.0;
      }

  Plane *d_t, *d_div, *d_source, *d_next;
  cudaMalloc((void **)&d_t, sizeof(T));
  cudaMalloc((void **)&d_div, sizeof(T));
  cudaMalloc((void **)&d_source, sizeof(T));
  cudaMalloc((void **)&d_next, sizeof(T));
  cudaMemcpy(d_t, T, sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(d_source, source, sizeof(T), cudaMemcpyHostToDevice);

  dim3 block(8, 4, 4);
  dim3 grid((NX + 7) / 8, (NY + 3) / 4, (NZ + 3) / 4);
  divergence<<<grid, block>>>(d_t, d_div);
  conduct<<<grid, block>>>(d_div, d_t);
  heat<<<grid, block>>>(d_div, d_source);
  update<<<grid, block>>>(d_t, d_div, d_next, dt);
  cudaMemcpy(result, d_next, sizeof(T), cudaMemcpyDeviceToHost);

  int wrong = 0;
  double checksum = 0;
  for (int z = 0; z < NZ; ++z)
    for (int y = 0; y < NY; ++y)
      for (int x = 0; x < NX; ++x) {
        wrong += !(fabs(result[z][y][x] - expected(z, y, x, dt)) < 1e-12);
        checksum += result[z][y][x];
      }
  printf("heat-3d: %d cells, checksum %.6f, %d wrong\n", NX * NY * NZ, checksum,
         wrong);
  cudaFree(d_t);
  cudaFree(d_div);
  cudaFree(d_source);
  cudaFree(d_next);
  return wrong != 0;
}
