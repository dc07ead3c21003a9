// Particles in a box, structure of arrays: a kick by the field, a drift, a
// reflection at the walls, and the energy, in place and from a function that
// gets the arrays in a struct. The parameters travel as a struct by value.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

struct Box {
  float gravity, length;
};

struct Particles {
  float *height, *speed, *energy;
  int count;
};

__global__ void kick(float *speed, Box box, float dt, int count) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < count)
    speed[p] -= box.gravity * dt;
}

__global__ void drift(float *height, const float *speed, float dt, int count) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < count)
    height[p] += speed[p] * dt;
}

__global__ void reflect(float *height, float *speed, Box box, int count) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= count)
    return;
  if (height[p] < 0) {
    height[p] = -height[p];
    speed[p] = -speed[p];
  }
  if (height[p] > box.length) {
    height[p] = 2 * box.length - height[p];
    speed[p] = -speed[p];
  }
}

__global__ void measure(const float *height, const float *speed, float *energy,
                        Box box, int count) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < count)
    energy[p] = 0.5f * speed[p] * speed[p] + box.gravity * height[p];
}

void advance(const Particles &particles, Box box, float dt) {
  const int threads = 64;
  const int blocks = (particles.count + threads - 1) / threads;
  kick<<<blocks, threads>>>(particles.speed, box, dt, particles.count);
  drift<<<blocks, threads>>>(particles.height, particles.speed, dt,
                             particles.count);
  reflect<<<blocks, threads>>>(particles.height, particles.speed, box,
                               particles.count);
  measure<<<blocks, threads>>>(particles.height, particles.speed,
                               particles.energy, box, particles.count);
}

int main(int argc, char **argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 5000, steps = 20;
  const Box box = {9.81f, 1.0f};
  const float dt = 0.004f;
  std::vector<float> height(count), speed(count), energy(count);
  for (int p = 0; p < count; ++p) {
    height[p] = (p % 101) / 101.0f;
    speed[p] = (p % 37) / 9.0f - 2;
  }
  std::vector<float> h(height), s(speed);

  Particles particles;
  particles.count = count;
  cudaMalloc(&particles.height, count * sizeof(float));
  cudaMalloc(&particles.speed, count * sizeof(float));
  cudaMalloc(&particles.energy, count * sizeof(float));
  cudaMemcpy(particles.height, h.data(), count * sizeof(float),
             cudaMemcpyHostToDevice);
  cudaMemcpy(particles.speed, s.data(), count * sizeof(float),
             cudaMemcpyHostToDevice);
  for (int step = 0; step < steps; ++step)
    advance(particles, box, dt);
  cudaMemcpy(height.data(), particles.height, count * sizeof(float),
             cudaMemcpyDeviceToHost);
  cudaMemcpy(energy.data(), particles.energy, count * sizeof(float),
             cudaMemcpyDeviceToHost);

  int wrong = 0;
  double total = 0;
  for (int p = 0; p < count; ++p) {
    for (int step = 0; step < steps; ++step) {
      s[p] -= box.gravity * dt;
      h[p] += s[p] * dt;
      if (h[p] < 0) {
        h[p] = -h[p];
        s[p] = -s[p];
      }
      if (h[p] > box.length) {
        h[p] = 2 * box.length - h[p];
        s[p] = -s[p];
      }
    }
    float e = 0.5f * s[p] * s[p] + box.gravity * h[p];
    // A particle that just misses a wall in one rounding hits it in another.
    wrong += !(fabsf(energy[p] - e) < 1e-2f) || !(fabsf(height[p] - h[p]) < 1e-3f);
    total += energy[p];
  }
  printf("particles: %d particles, energy %.3f, %d wrong\n", count, total,
         wrong);
  cudaFree(particles.height);
  cudaFree(particles.speed);
  cudaFree(particles.energy);
  return wrong != 0;
}
