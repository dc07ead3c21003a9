// Canny's edges: a blur, the gradient and its direction, thinning along that
// direction, and two thresholds.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

using Pixel = unsigned char;

enum Direction : Pixel { AcrossX, AcrossY, Falling, Rising };

__global__ void blur(const Pixel *in, Pixel *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int i = y * w + x;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
    int corners = in[i - w - 1] + in[i - w + 1] + in[i + w - 1] + in[i + w + 1];
    int sides = in[i - w] + in[i - 1] + in[i + 1] + in[i + w];
    out[i] = (corners + 2 * sides + 4 * in[i]) / 16;
  } else {
    out[i] = in[i];
  }
}

// No slope at the edge of the image.
__global__ void gradient(const Pixel *in, short *slope, Pixel *direction, int w,
                         int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int i = y * w + x;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
    int gx = in[i - w + 1] + 2 * in[i + 1] + in[i + w + 1] - in[i - w - 1] -
             2 * in[i - 1] - in[i + w - 1];
    int gy = in[i + w - 1] + 2 * in[i + w] + in[i + w + 1] - in[i - w - 1] -
             2 * in[i - w] - in[i - w + 1];
    slope[i] = abs(gx) + abs(gy);
    if (2 * abs(gy) < abs(gx))
      direction[i] = AcrossX;
    else if (2 * abs(gx) < abs(gy))
      direction[i] = AcrossY;
    else
      direction[i] = (gx > 0) == (gy > 0) ? Falling : Rising;
  } else {
    slope[i] = 0;
    direction[i] = AcrossX;
  }
}

// Keeps what is steepest along its own direction.
__global__ void thin(const short *slope, const Pixel *direction, short *ridge,
                     int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int i = y * w + x;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
    short before = 0, after = 0;
    switch (direction[i]) {
    case AcrossX:
      before = slope[i - 1];
      after = slope[i + 1];
      break;
    case AcrossY:
      before = slope[i - w];
      after = slope[i + w];
      break;
    case Falling:
      before = slope[i - w - 1];
      after = slope[i + w + 1];
      break;
    case Rising:
      before = slope[i - w + 1];
      after = slope[i + w - 1];
      break;
    }
    ridge[i] = slope[i] >= before && slope[i] > after ? slope[i] : 0;
  } else {
    ridge[i] = 0;
  }
}

// Strong points are edges, and so are weak ones beside a strong one.
__global__ void mark(const short *ridge, Pixel *edge, short weak, short strong,
                     int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int i = y * w + x;
  bool isEdge = ridge[i] >= strong;
  if (ridge[i] >= weak && x > 0 && y > 0 && x < w - 1 && y < h - 1)
    isEdge |= ridge[i - w - 1] >= strong || ridge[i - w] >= strong ||
              ridge[i - w + 1] >= strong || ridge[i - 1] >= strong ||
              ridge[i + 1] >= strong || ridge[i + w - 1] >= strong ||
              ridge[i + w] >= strong || ridge[i + w + 1] >= strong;
  edge[i] = isEdge ? 255 : 0;
}

int main(int argc, char **argv) {
  const int w = argc > 1 ? atoi(argv[1]) : 117;
  const int h = argc > 2 ? atoi(argv[2]) : 75;
  const int pixels = w * h;
  const short weak = 60, strong = 150;
  std::vector<Pixel> image(pixels), result(pixels);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      const int dx = x - w / 2, dy = y - h / 2;
      const bool isDisc = dx * dx + dy * dy < h * h / 9;
      image[y * w + x] = (isDisc ? 170 : 40) + (x * 13 + y * 7) % 24;
    }

  Pixel *dImage, *dSmooth, *dDirection, *dEdge;
  short *dSlope, *dRidge;
  cudaMalloc(&dImage, pixels);
  cudaMalloc(&dSmooth, pixels);
  cudaMalloc(&dDirection, pixels);
  cudaMalloc(&dEdge, pixels);
  cudaMalloc(&dSlope, pixels * sizeof(short));
  cudaMalloc(&dRidge, pixels * sizeof(short));
  cudaMemcpy(dImage, image.data(), pixels, cudaMemcpyHostToDevice);

  dim3 block(32, 8);
  dim3 grid((w + 31) / 32, (h + 7) / 8);
  blur<<<grid, block>>>(dImage, dSmooth, w, h);
  gradient<<<grid, block>>>(dSmooth, dSlope, dDirection, w, h);
  thin<<<grid, block>>>(dSlope, dDirection, dRidge, w, h);
  mark<<<grid, block>>>(dRidge, dEdge, weak, strong, w, h);
  cudaMemcpy(result.data(), dEdge, pixels, cudaMemcpyDeviceToHost);

  std::vector<int> smooth(image.begin(), image.end()), slope(pixels, 0),
      stride(pixels, 1), ridge(pixels, 0);
  std::vector<int> inside;
  for (int y = 1; y < h - 1; ++y)
    for (int x = 1; x < w - 1; ++x)
      inside.push_back(y * w + x);
  for (int i : inside) {
    int sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        sum += (2 - abs(dx)) * (2 - abs(dy)) * image[i + dy * w + dx];
    smooth[i] = sum / 16;
  }
  for (int i : inside) {
    int gx = 0, gy = 0;
    for (int d = -1; d <= 1; ++d) {
      gx += (2 - abs(d)) * (smooth[i + d * w + 1] - smooth[i + d * w - 1]);
      gy += (2 - abs(d)) * (smooth[i + w + d] - smooth[i - w + d]);
    }
    slope[i] = abs(gx) + abs(gy);
    if (2 * abs(gy) >= abs(gx))
      stride[i] = 2 * abs(gx) < abs(gy)  ? w
                  : (gx > 0) == (gy > 0) ? w + 1
                                         : w - 1;
  }
  for (int i : inside) {
    const int step = stride[i];
    if (slope[i] >= slope[i - step] && slope[i] > slope[i + step])
      ridge[i] = slope[i];
  }
  int wrong = 0, edges = 0;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      const int i = y * w + x;
      bool isEdge = ridge[i] >= strong;
      if (ridge[i] >= weak && x > 0 && y > 0 && x < w - 1 && y < h - 1)
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx)
            isEdge |= ridge[i + dy * w + dx] >= strong;
      wrong += result[i] != (isEdge ? 255 : 0);
      edges += result[i] == 255;
    }
  printf("canny: %d x %d, %d edge points, %d wrong\n", w, h, edges, wrong);
  cudaFree(dImage);
  cudaFree(dSmooth);
  cudaFree(dDirection);
  cudaFree(dEdge);
  cudaFree(dSlope);
  cudaFree(dRidge);
  return wrong != 0;
}
