// Gray-Scott reaction and diffusion. In every time step two stencils read the
// fields and a pointwise kernel writes the new ones into second buffers, then
// the host swaps the pointers. The stencils and the update can be one kernel as
// long as old and new buffers are different memory, which the fused program
// asks at run time.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

#define CUDA(call)                                                             \
  if (cudaError_t error = call) {                                              \
    printf("%s: %s\n", #call, cudaGetErrorString(error));                      \
    exit(EXIT_FAILURE);                                                        \
  }

struct Model {
  float feed, kill, dt;
};

// Five points on the inner cells; the border doesn't diffuse.
__global__ void laplacian(const float *field, float *result, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny)
    return;
  int c = y * nx + x;
  float sum = 0;
  if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)
    sum = field[c - 1] + field[c + 1] + field[c - nx] + field[c + nx] -
          4 * field[c];
  result[c] = sum;
}

__global__ void react(const float *u, const float *v, const float *lu,
                      const float *lv, float *unew, float *vnew, Model m,
                      int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny)
    return;
  int c = y * nx + x;
  float uvv = u[c] * v[c] * v[c];
  unew[c] = u[c] + m.dt * (0.16f * lu[c] - uvv + m.feed * (1 - u[c]));
  vnew[c] = v[c] + m.dt * (0.08f * lv[c] + uvv - (m.feed + m.kill) * v[c]);
}

static void reference(std::vector<float> &u, std::vector<float> &v, Model m,
                      int nx, int ny) {
  std::vector<float> unew(u), vnew(v);
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      int c = y * nx + x;
      bool inner = x > 0 && y > 0 && x < nx - 1 && y < ny - 1;
      float lu = 0, lv = 0;
      if (inner) {
        lu = u[c - 1] + u[c + 1] + u[c - nx] + u[c + nx] - 4 * u[c];
        lv = v[c - 1] + v[c + 1] + v[c - nx] + v[c + nx] - 4 * v[c];
      }
      float uvv = u[c] * v[c] * v[c];
      unew[c] = u[c] + m.dt * (0.16f * lu - uvv + m.feed * (1 - u[c]));
      vnew[c] = v[c] + m.dt * (0.08f * lv + uvv - (m.feed + m.kill) * v[c]);
    }
  u.swap(unew);
  v.swap(vnew);
}

int main(int argc, char **argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : 10;
  const int nx = 96, ny = 60, cells = nx * ny;
  const size_t bytes = cells * sizeof(float);
  const Model model = {0.035f, 0.065f, 1.0f};
  std::vector<float> u(cells, 1.0f), v(cells, 0.0f), ru, rv;
  for (int y = ny / 2 - 5; y < ny / 2 + 5; ++y)
    for (int x = nx / 2 - 5; x < nx / 2 + 5; ++x) {
      u[y * nx + x] = 0.5f;
      v[y * nx + x] = 0.25f;
    }
  ru = u;
  rv = v;

  float *d_u, *d_v, *d_unew, *d_vnew, *d_lu, *d_lv;
  CUDA(cudaMalloc(&d_u, bytes));
  CUDA(cudaMalloc(&d_v, bytes));
  CUDA(cudaMalloc(&d_unew, bytes));
  CUDA(cudaMalloc(&d_vnew, bytes));
  CUDA(cudaMalloc(&d_lu, bytes));
  CUDA(cudaMalloc(&d_lv, bytes));
  CUDA(cudaMemcpy(d_u, u.data(), bytes, cudaMemcpyHostToDevice));
  CUDA(cudaMemcpy(d_v, v.data(), bytes, cudaMemcpyHostToDevice));

  const dim3 block(32, 4);
  const dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y);
  for (int step = 0; step < steps; ++step) {
    laplacian<<<grid, block>>>(d_u, d_lu, nx, ny);
    laplacian<<<grid, block>>>(d_v, d_lv, nx, ny);
    react<<<grid, block>>>(d_u, d_v, d_lu, d_lv, d_unew, d_vnew, model, nx, ny);
    std::swap(d_u, d_unew);
    std::swap(d_v, d_vnew);
  }
  CUDA(cudaMemcpy(u.data(), d_u, bytes, cudaMemcpyDeviceToHost));
  CUDA(cudaMemcpy(v.data(), d_v, bytes, cudaMemcpyDeviceToHost));

  for (int step = 0; step < steps; ++step)
    reference(ru, rv, model, nx, ny);
  int wrong = 0;
  double checksum = 0;
  for (int c = 0; c < cells; ++c) {
    wrong += !(fabsf(u[c] - ru[c]) < 1e-4f) || !(fabsf(v[c] - rv[c]) < 1e-4f);
    checksum += u[c] + v[c];
  }
  printf("reaction-diffusion: %d steps, checksum %.4f, %d wrong\n", steps,
         checksum, wrong);
  CUDA(cudaFree(d_u));
  CUDA(cudaFree(d_v));
  CUDA(cudaFree(d_unew));
  CUDA(cudaFree(d_vnew));
  CUDA(cudaFree(d_lu));
  CUDA(cudaFree(d_lv));
  return wrong != 0;
}
