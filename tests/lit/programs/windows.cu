// A loop over a window reads what neighbours' threads wrote. Its counters are constant distances in a tile, whatever the pitch of
// the array. A guard in the loop keeps the reads inside as well as one around it.
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify --orders=2 %s -- 70 50 2>&1 | FileCheck %s --check-prefix=VERIFIED
// CHECK: 7 launches -> 2
// CHECK-NEXT: kfuse_invert_box_blur_blur = 'invert', 'box', 'blur', 'blur'; never stored: gray
// CHECK-NEXT: kfuse_energy_smooth_thin = 'energy', 'smooth', 'thin'; never stored: loud, soft
// VERIFIED: verified
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define RADIUS 2

struct Image {
  int width, height;
};

__global__ void invert(const unsigned char *in, unsigned char *gray, Image image) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= image.width || y >= image.height)
    return;
  gray[y * image.width + x] = 255 - in[y * image.width + x];
}

// OUT: box_at(
// OUT: sum += gray_tile[j * 40 + i];
__global__ void box(const unsigned char *gray, int *out, Image image) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= image.width || y >= image.height)
    return;
  int sum = 0, count = 0;
  for (int j = -RADIUS; j <= RADIUS; j++)
    for (int i = -RADIUS; i <= RADIUS; i++) {
      int xx = x + i, yy = y + j;
      if (xx >= 0 && xx < image.width && yy >= 0 && yy < image.height) {
        sum += gray[yy * image.width + xx];
        count++;
      }
    }
  out[y * image.width + x] = sum / count;
}

__global__ void energy(const int *in, int *loud, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    loud[i] = in[i] * in[i];
}

// The radius is a constant of the launch.
// OUT: smooth_at(
// OUT: sum += loud_tile[k];
__global__ void smooth(const int *loud, int *soft, int n, int radius) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 0;
  for (int k = -radius; k <= radius; k += 2)
    if (i + k >= 0 && i + k < n)
      sum += loud[i + k];
  soft[i] = sum;
}

// An unsigned variable would make the distance unsigned.
// OUT: thin_at(
// OUT: best = max(best, soft_tile[(int)k - 1]);
// OUT: for (int k = N; k > 0; k--)
// OUT-NEXT: best ^= soft_tile[k];
template <int N> __global__ void thin(const int *soft, int *last, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i + N >= n)
    return;
  int best = 0;
  for (unsigned k = 0; k < N; ++k)
    best = max(best, soft[i + k - 1]);
  for (int k = N; k > 0; k--)
    best ^= soft[i + k];
  last[i] = best;
}

// The border keeps what it has, which the second one reads.
// OUT: sum += from_tile[dy * {{[0-9]+}} + dx];
__global__ void blur(const int *from, int *to, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
    return;
  int sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      sum += from[(y + dy) * width + (x + dx)];
  to[y * width + x] = sum / 9;
}

int main(int argc, char **argv) {
  const int width = argc > 1 ? atoi(argv[1]) : 1000, height = argc > 2 ? atoi(argv[2]) : 600;
  const int n = width * height;
  unsigned char *in, *gray;
  int *out, *loud, *soft, *last, *first, *second;
  cudaMalloc(&in, n);
  cudaMalloc(&gray, n);
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&loud, n * sizeof(int));
  cudaMalloc(&soft, n * sizeof(int));
  cudaMalloc(&last, n * sizeof(int));
  cudaMalloc(&first, n * sizeof(int));
  cudaMalloc(&second, n * sizeof(int));
  std::vector<unsigned char> bytes(n);
  std::vector<int> numbers(n);
  for (int i = 0; i < n; ++i) {
    bytes[i] = i * 37 % 251;
    numbers[i] = i * 41 % 97;
  }
  cudaMemcpy(in, bytes.data(), n, cudaMemcpyHostToDevice);
  cudaMemcpy(last, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(first, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(second, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  const Image image{width, height};
  const dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
  invert<<<grid, block>>>(in, gray, image);
  box<<<grid, block>>>(gray, out, image);
  cudaDeviceSynchronize();
  energy<<<(n + 255) / 256, 256>>>(out, loud, n);
  smooth<<<(n + 255) / 256, 256>>>(loud, soft, n, 4);
  thin<3><<<(n + 255) / 256, 256>>>(soft, last, n);
  cudaDeviceSynchronize();
  blur<<<grid, block>>>(out, first, width, height);
  blur<<<grid, block>>>(first, second, width, height);
  long long sum = 0;
  for (int *each : {out, last, second}) {
    cudaMemcpy(numbers.data(), each, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      sum += (long long)numbers[i] * (i % 101);
  }
  printf("%lld\n", sum);
}
