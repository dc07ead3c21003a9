// RUN: %kfuse verify %s
//
// Launches in a template function and in a method: the text of a template
// stands for every type it is used with, so it must be right for all of them.
#include <cstdio>

template <typename T> __global__ void scale(const T *A, T *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] * T(3);
}

template <typename T> __global__ void shift(const T *B, T *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] + T(1);
}

template <typename T> double run(int n) {
  T host[500] = {}, *A, *B, *C;
  for (int i = 0; i < n; ++i)
    host[i] = T(i) / 3;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  scale<T><<<5, 100>>>(A, B, n);
  shift<<<5, 100>>>(B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  return host[n - 1];
}

class Filter {
public:
  explicit Filter(int n) : Count(n) {
    cudaMalloc(&In, n * sizeof(float));
    cudaMalloc(&Middle, n * sizeof(float));
    cudaMalloc(&Out, n * sizeof(float));
    cudaMemset(In, 0, n * sizeof(float));
  }
  ~Filter() {
    cudaFree(In);
    cudaFree(Middle);
    cudaFree(Out);
  }
  void apply() {
    scale<<<5, 100>>>(In, Middle, Count);
    shift<<<5, 100>>>(Middle, Out, Count);
  }
  float last() const {
    float value;
    cudaMemcpy(&value, Out + Count - 1, sizeof(value), cudaMemcpyDeviceToHost);
    return value;
  }

private:
  int Count;
  float *In, *Middle, *Out;
};

int main() {
  printf("%f %f %f\n", run<float>(500), run<double>(400), run<int>(300));
  Filter filter(450);
  filter.apply();
  printf("%f\n", filter.last());
}
