// RUN: %kfuse verify %s
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s --check-prefix=SUMMARY
// RUN: %code %t.cu | FileCheck %s
//
// A call that only reads what an object holds is one value, however often it
// is written.
#include <array>
#include <cstdio>
#include <memory>
#include <vector>

// SUMMARY: getters.cu: 14 launches -> 7
// SUMMARY-NOT: remark

__global__ void twice(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = 2 * from[i];
}

__global__ void add(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i] + 1;
}

static float *storage(int n) {
  float *p;
  cudaMalloc(&p, n * sizeof(float));
  cudaMemset(p, 0, n * sizeof(float));
  return p;
}

class Field {
public:
  explicit Field(int n) : Count(n), Values(storage(n)) {}
  ~Field() { cudaFree(Values); }
  Field(const Field &) = delete;
  float *data() const { return Values; }
  operator float *() const { return Values; }
  int size() const { return Count; }
  int blocks(int threads) const { return (size() + threads - 1) / threads; }
  dim3 grid() const {
    const int threads = 128;
    return dim3(blocks(threads));
  }

private:
  int Count;
  float *Values;
};

static void show(const float *values, int n) {
  std::vector<float> host(n);
  cudaMemcpy(host.data(), values, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", host[0], host[n - 1]);
}

// CHECK: float b = __fmul_rn(2, from[i]);
// CHECK-NEXT: to[i] = b;
// CHECK-LABEL: void fields(Field &a, Field &b, Field &c)
// CHECK: kfuseDisjoint({c.data()}, {a.data(), b.data()}, 0,
// CHECK: kfuse_twice_add{{.*}}<<<kfuseBlocks, 128>>>(
// CHECK-NEXT: a.data(), b.data(), a.size(), c.data(), kfuseGrid);
static void fields(Field &a, Field &b, Field &c) {
  twice<<<a.grid(), 128>>>(a.data(), b.data(), a.size());
  add<<<a.grid(), 128>>>(b.data(), c.data(), a.size());
  show(c, c.size());
}

static void converted(Field &a, Field &b, Field &c) {
  twice<<<a.blocks(128), 128>>>(a, b, a.size());
  add<<<a.blocks(128), 128>>>(b, c, a.size());
  show(c, c.size());
}

struct Free {
  void operator()(float *p) const { cudaFree(p); }
};
using Owner = std::unique_ptr<float[], Free>;

static void owners(int n) {
  Owner a(storage(n)), b(storage(n)), c(storage(n));
  twice<<<(n + 127) / 128, 128>>>(a.get(), b.get(), n);
  add<<<(n + 127) / 128, 128>>>(b.get(), c.get(), n);
  show(c.get(), n);
  std::shared_ptr<float> d(storage(n), Free()), e(storage(n), Free());
  twice<<<(n + 127) / 128, 128>>>(c.get(), d.get(), n);
  add<<<(n + 127) / 128, 128>>>(d.get(), e.get(), n);
  show(e.get(), n);
}

static void lists(int n) {
  std::vector<float *> level;
  for (int i = 0; i < 3; ++i)
    level.push_back(storage(n));
  twice<<<(n + 127) / 128, 128>>>(level[0], level[1], n);
  add<<<(n + 127) / 128, 128>>>(level[1], level[2], n);
  show(level[2], n);
  std::array<float *, 2> two = {storage(n), storage(n)};
  twice<<<(n + 127) / 128, 128>>>(level[2], two[0], n);
  add<<<(n + 127) / 128, 128>>>(two[0], two[1], n);
  show(two[1], n);
}

class Pair {
public:
  explicit Pair(int n) : First(n), Second(n) {}
  void step(float *from) {
    twice<<<first().grid(), 128>>>(from, first().data(), First.size());
    add<<<first().grid(), 128>>>(first().data(), Second.data(), First.size());
    show(Second.data(), Second.size());
  }

private:
  const Field &first() const { return First; }
  Field First, Second;
};

int main() {
  const int n = 1000;
  Field a(n), b(n), c(n);
  fields(a, b, c);
  converted(b, c, a);
  owners(n);
  lists(n);
  Pair pair(n);
  pair.step(a.data());
}
