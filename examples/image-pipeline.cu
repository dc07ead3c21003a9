// A camera image on its way to a mask: grey levels, contrast, a threshold, on
// bytes and over a 2-D grid, with the pixel's address in a macro.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

typedef unsigned char byte;

#define PIXEL_OR_RETURN(x, y)                                                  \
  const int x = blockIdx.x * blockDim.x + threadIdx.x;                         \
  const int y = blockIdx.y * blockDim.y + threadIdx.y;                         \
  if (x >= width || y >= height)                                               \
    return;
#define AT(x, y) ((y) * width + (x))

__host__ __device__ inline int saturate(int value) {
  return value < 0 ? 0 : value > 255 ? 255 : value;
}

// ITU-R BT.601 weights in 1/256.
__global__ void toGrey(const uchar4 *image, byte *grey, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    uchar4 pixel = image[y * width + x];
    grey[y * width + x] = (77 * pixel.x + 150 * pixel.y + 29 * pixel.z) >> 8;
  }
}

__global__ void contrast(const byte *grey, byte *stretched, int gain, int width,
                         int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    stretched[y * width + x] =
        saturate(128 + (grey[y * width + x] - 128) * gain / 16);
}

__global__ void threshold(const byte *stretched, byte *mask, int limit,
                          int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    mask[y * width + x] = stretched[y * width + x] > limit ? 255 : 0;
}

// Paints what the mask has left out, in place, in the image itself.
__global__ void darken(uchar4 *image, const byte *mask, int width, int height) {
  PIXEL_OR_RETURN(x, y)
  if (mask[AT(x, y)] == 0)
    image[AT(x, y)] = make_uchar4(0, 0, 0, 255);
}

int main(int argc, char **argv) {
  const int width = argc > 1 ? atoi(argv[1]) : 250, height = 130;
  const int gain = 24, limit = 140;
  std::vector<uchar4> image(width * height), result(width * height);
  std::vector<byte> mask(width * height);
  for (int i = 0; i < width * height; ++i)
    image[i] = make_uchar4(i * 7, i * 13 + 5, i / width, 255);

  uchar4 *dImage;
  byte *dGrey, *dStretched, *dMask;
  cudaMalloc(&dImage, width * height * sizeof(uchar4));
  cudaMalloc(&dGrey, width * height);
  cudaMalloc(&dStretched, width * height);
  cudaMalloc(&dMask, width * height);
  cudaMemcpy(dImage, image.data(), width * height * sizeof(uchar4),
             cudaMemcpyHostToDevice);

  dim3 threads(16, 16);
  dim3 blocks((width + threads.x - 1) / threads.x,
              (height + threads.y - 1) / threads.y);
  toGrey<<<blocks, threads>>>(dImage, dGrey, width, height);
  contrast<<<blocks, threads>>>(dGrey, dStretched, gain, width, height);
  threshold<<<blocks, threads>>>(dStretched, dMask, limit, width, height);
  darken<<<blocks, threads>>>(dImage, dMask, width, height);

  cudaMemcpy(mask.data(), dMask, width * height, cudaMemcpyDeviceToHost);
  cudaMemcpy(result.data(), dImage, width * height * sizeof(uchar4),
             cudaMemcpyDeviceToHost);

  int wrong = 0, white = 0;
  for (int i = 0; i < width * height; ++i) {
    int grey = (77 * image[i].x + 150 * image[i].y + 29 * image[i].z) >> 8;
    int value = saturate(128 + (grey - 128) * gain / 16);
    byte expected = value > limit ? 255 : 0;
    wrong += mask[i] != expected;
    wrong += result[i].x != (expected ? image[i].x : 0);
    white += expected == 255;
  }
  printf("image-pipeline: %d x %d, %d white, %d wrong\n", width, height, white,
         wrong);
  cudaFree(dImage);
  cudaFree(dGrey);
  cudaFree(dStretched);
  cudaFree(dMask);
  return wrong != 0;
}
