__global__ void scale(float *a) { a[threadIdx.x] *= 2; }

int main() {
  float *a;
  cudaMalloc(&a, 128 * sizeof(float));
  scale<<<1, 128>>>(a);
  cudaFree(a);
}
