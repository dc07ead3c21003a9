// An unsharp mask on a grey image: a binomial blur by rows, then by columns,
// and the difference to the original added on. The border stays as it is.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

typedef unsigned char byte;

__host__ __device__ inline int clampToByte(int value) {
  return value < 0 ? 0 : value > 255 ? 255 : value;
}

__global__ void blurRows(const byte *image, short *rows, int width,
                         int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int i = y * width + x;
  if (x >= 2 && x < width - 2)
    rows[i] = image[i - 2] + 4 * image[i - 1] + 6 * image[i] +
              4 * image[i + 1] + image[i + 2];
  else
    rows[i] = 16 * image[i];
}

__global__ void blurColumns(const short *rows, short *blurred, int width,
                            int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int i = y * width + x;
  if (y >= 2 && y < height - 2)
    blurred[i] = (rows[i - 2 * width] + 4 * rows[i - width] + 6 * rows[i] +
                  4 * rows[i + width] + rows[i + 2 * width]) /
                 16;
  else
    blurred[i] = rows[i];
}

__global__ void sharpen(const byte *image, const short *blurred, byte *result,
                        int amount, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int i = y * width + x;
  result[i] =
      clampToByte(image[i] + amount * (16 * image[i] - blurred[i]) / 256);
}

// A pixel of the rows' blur, for comparison.
int blurOfRow(const std::vector<byte> &image, int at, int width) {
  const int taps[5] = {1, 4, 6, 4, 1}, x = at % width;
  if (x < 2 || x >= width - 2)
    return 16 * image[at];
  int total = 0;
  for (int k = 0; k < 5; ++k)
    total += taps[k] * image[at + k - 2];
  return total;
}

int main(int argc, char **argv) {
  const int width = argc > 1 ? atoi(argv[1]) : 150;
  const int height = argc > 1 ? width : 90, amount = 12;
  const int pixels = width * height;
  std::vector<byte> image(pixels), result(pixels);
  for (int i = 0; i < pixels; ++i)
    image[i] = (i % width * 3 ^ i / width * 5) + (i % 37 == 0 ? 90 : 0);

  byte *dImage, *dResult;
  short *dRows, *dBlurred;
  cudaMalloc(&dImage, pixels);
  cudaMalloc(&dRows, pixels * sizeof(short));
  cudaMalloc(&dBlurred, pixels * sizeof(short));
  cudaMalloc(&dResult, pixels);
  cudaMemcpy(dImage, image.data(), pixels, cudaMemcpyHostToDevice);

  dim3 block(32, 8);
  dim3 grid((width + 31) / 32, (height + 7) / 8);
  blurRows<<<grid, block>>>(dImage, dRows, width, height);
  blurColumns<<<grid, block>>>(dRows, dBlurred, width, height);
  sharpen<<<grid, block>>>(dImage, dBlurred, dResult, amount, width, height);

  cudaMemcpy(result.data(), dResult, pixels, cudaMemcpyDeviceToHost);
  const int taps[5] = {1, 4, 6, 4, 1};
  int wrong = 0;
  long sum = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      int i = y * width + x, blurred = blurOfRow(image, i, width);
      if (y >= 2 && y < height - 2) {
        blurred = 0;
        for (int k = 0; k < 5; ++k)
          blurred += taps[k] * blurOfRow(image, i + (k - 2) * width, width);
        blurred /= 16;
      }
      int expected =
          clampToByte(image[i] + amount * (16 * image[i] - blurred) / 256);
      wrong += result[i] != expected;
      sum += result[i];
    }
  printf("unsharp-mask: %d x %d, sum %ld, %d wrong\n", width, height, sum,
         wrong);
  cudaFree(dImage);
  cudaFree(dRows);
  cudaFree(dBlurred);
  cudaFree(dResult);
  return wrong != 0;
}
