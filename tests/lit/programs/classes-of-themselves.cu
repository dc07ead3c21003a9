// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// CHECK: 3 launches -> 1
// CHECK: verified
//
// Between the launches objects are made whose members' initialisers lead to
// their own class again.

#include <cstdio>
#include <cuda_runtime.h>
#include <memory>
#include <vector>

static const int n = 96;

struct Tree {
  int value = 0;
  std::vector<Tree> children = std::vector<Tree>();
  std::shared_ptr<Tree> parent = std::shared_ptr<Tree>();
};

struct Forest {
  std::vector<Tree> trees{};
  Tree largest = Tree();
};

__global__ void inc(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += 1;
}

int main() {
  int *a, host[n];
  cudaMalloc(&a, sizeof(host));
  cudaMemset(a, 0, sizeof(host));
  inc<<<3, 32>>>(a, n);
  Forest forest;
  forest.trees.push_back(Tree());
  inc<<<3, 32>>>(a, n);
  cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[5], (int)forest.trees.size());
  cudaFree(a);
}
