// Harris' corner detector in integers: gradients, their products, the products'
// sums over 3 by 3 pixels, and the response. Every kernel leaves the border
// out, each a wider one, and what nobody writes is zero.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define AT(x, y) ((y) * width + (x))

__global__ void gradients(const unsigned char *image, int *dx, int *dy,
                          int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
    return;
  dx[AT(x, y)] = image[AT(x + 1, y)] - image[AT(x - 1, y)];
  dy[AT(x, y)] = image[AT(x, y + 1)] - image[AT(x, y - 1)];
}

__global__ void multiply(const int *a, const int *b, int *product, int width,
                         int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= 1 && y >= 1 && x < width - 1 && y < height - 1)
    product[AT(x, y)] = a[AT(x, y)] * b[AT(x, y)];
}

__global__ void sumBox(const int *values, int *sums, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2)
    return;
  sums[AT(x, y)] = values[AT(x - 1, y - 1)] + values[AT(x, y - 1)] +
                   values[AT(x + 1, y - 1)] + values[AT(x - 1, y)] +
                   values[AT(x, y)] + values[AT(x + 1, y)] +
                   values[AT(x - 1, y + 1)] + values[AT(x, y + 1)] +
                   values[AT(x + 1, y + 1)];
}

// det(M) - 1/16 trace(M)^2 of the sums' matrix, in 1/256.
__global__ void respond(const int *xx, const int *yy, const int *xy,
                        long long *response, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2)
    return;
  const long long a = xx[AT(x, y)], b = yy[AT(x, y)], c = xy[AT(x, y)];
  response[AT(x, y)] = (16 * (a * b - c * c) - (a + b) * (a + b)) / 4096;
}

int main(int argc, char **argv) {
  const int width = argc > 1 ? atoi(argv[1]) : 130;
  const int height = argc > 1 ? width : 70;
  const int pixels = width * height;
  std::vector<unsigned char> image(pixels);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      image[AT(x, y)] = ((x / 9 + y / 7) % 2) * 180 + (x * y) % 23;

  unsigned char *dImage;
  int *dX, *dY, *dXX, *dYY, *dXY, *sXX, *sYY, *sXY;
  long long *dResponse;
  cudaMalloc(&dImage, pixels);
  cudaMalloc(&dX, pixels * sizeof(int));
  cudaMalloc(&dY, pixels * sizeof(int));
  cudaMalloc(&dXX, pixels * sizeof(int));
  cudaMalloc(&dYY, pixels * sizeof(int));
  cudaMalloc(&dXY, pixels * sizeof(int));
  cudaMalloc(&sXX, pixels * sizeof(int));
  cudaMalloc(&sYY, pixels * sizeof(int));
  cudaMalloc(&sXY, pixels * sizeof(int));
  cudaMalloc(&dResponse, pixels * sizeof(long long));
  cudaMemcpy(dImage, image.data(), pixels, cudaMemcpyHostToDevice);
  cudaMemset(dResponse, 0, pixels * sizeof(long long));

  const dim3 block(32, 8);
  const dim3 grid((width + 31) / 32, (height + 7) / 8);
  gradients<<<grid, block>>>(dImage, dX, dY, width, height);
  multiply<<<grid, block>>>(dX, dX, dXX, width, height);
  multiply<<<grid, block>>>(dY, dY, dYY, width, height);
  multiply<<<grid, block>>>(dX, dY, dXY, width, height);
  sumBox<<<grid, block>>>(dXX, sXX, width, height);
  sumBox<<<grid, block>>>(dYY, sYY, width, height);
  sumBox<<<grid, block>>>(dXY, sXY, width, height);
  respond<<<grid, block>>>(sXX, sYY, sXY, dResponse, width, height);

  std::vector<long long> response(pixels);
  cudaMemcpy(response.data(), dResponse, pixels * sizeof(long long),
             cudaMemcpyDeviceToHost);
  int wrong = 0, corners = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      long long a = 0, b = 0, c = 0;
      if (x >= 2 && y >= 2 && x < width - 2 && y < height - 2)
        for (int v = y - 1; v <= y + 1; ++v)
          for (int u = x - 1; u <= x + 1; ++u) {
            const int gx = image[AT(u + 1, v)] - image[AT(u - 1, v)];
            const int gy = image[AT(u, v + 1)] - image[AT(u, v - 1)];
            a += gx * gx;
            b += gy * gy;
            c += gx * gy;
          }
      const long long expected =
          (16 * (a * b - c * c) - (a + b) * (a + b)) / 4096;
      wrong += response[AT(x, y)] != expected;
      corners += expected > 1000000;
    }
  printf("harris-corner: %d x %d, %d corners, %d wrong\n", width, height,
         corners, wrong);
  cudaFree(dX);
  cudaFree(dY);
  cudaFree(dXX);
  cudaFree(dYY);
  cudaFree(dXY);
  cudaFree(sXX);
  cudaFree(sYY);
  cudaFree(sXY);
  cudaFree(dImage);
  cudaFree(dResponse);
  return wrong != 0;
}
