// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Which elements `look` reads isn't known before it runs. Pointers that hold
// nothing but what allocations returned have no byte in common if they differ.
// Others might: one class can be given a place inside of an allocation, another
// one by a friend, through a reference, or byte by byte.

// CHECK: 'look' (line [[#OWN:]]) and 'twice'{{.*}}: a.get() in registers and stored; under 2 run-time tests
// CHECK: 'look' (line [[#OWN+7]]) and 'twice'{{.*}}: a.get() in registers and stored; under 2 run-time tests
// CHECK: not fused: MayAlias: table.get() {{.*}}out.at()
// CHECK: not fused: MayAlias: table.get() {{.*}}out.shown()
// CHECK: not fused: MayAlias: table.get() {{.*}}out.place
// CHECK: not fused: MayAlias: table.get() {{.*}}out of
// CHECK: not fused: MayAlias: table.get() {{.*}}out.of()

// OUT-LABEL: void owners(
// OUT: if (table.get() != out.get() &&
// OUT-LABEL: void arrays(
// OUT: if (table.get() != moved[1] &&

#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <utility>

__global__ void look(const float *table, float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = table[(int)table[i] & 255];
}

__global__ void twice(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 2 * a[i];
}

template <typename T> class Owner {
public:
  explicit Owner(int n) { cudaMalloc(&memory, n * sizeof(T)); }
  Owner(Owner &&other) : memory(std::exchange(other.memory, nullptr)) {}
  ~Owner() { cudaFree(memory); }
  T *get() const { return memory; }
  void read(T *to, int n) const { // never called
    cudaMemcpy(to, memory, n * sizeof(T), cudaMemcpyDeviceToHost);
  }

private:
  T *memory = nullptr;
};

class View {
public:
  View(const Owner<float> &all, int first) : Place(all.get() + first) {}
  float *at() const { return Place; }

private:
  float *Place;
};

class Shown {
public:
  explicit Shown(int n) { cudaMalloc(&Place, n * sizeof(float)); }
  float *shown() const { return Place; }
  float *&place() { return Place; }

private:
  float *Place;
};

struct Open {
  float *place;
};

class Friendly {
public:
  explicit Friendly(int n) { cudaMalloc(&Place, n * sizeof(float)); }
  float *of() const { return Place; }

private:
  friend struct Stranger;
  float *Place;
};

struct Stranger {
  static void shift(Friendly &to) { ++to.Place; }
};

static void owners(const Owner<float> &table, Owner<float> &a,
                   Owner<float> &out) {
  look<<<4, 64>>>(table.get(), a.get(), 256);
  twice<<<4, 64>>>(a.get(), out.get(), 256);
}

static float *moved[2];

static void arrays(const Owner<float> &table, Owner<float> &a) {
  look<<<4, 64>>>(table.get(), a.get(), 256);
  twice<<<4, 64>>>(a.get(), moved[1], 256);
}

static void views(const Owner<float> &table, Owner<float> &a, View &out) {
  look<<<4, 64>>>(table.get(), a.get(), 256);
  twice<<<4, 64>>>(a.get(), out.at(), 256);
}

static void shown(const Owner<float> &table, Owner<float> &a, Shown &out) {
  look<<<4, 64>>>(table.get(), a.get(), 256);
  twice<<<4, 64>>>(a.get(), out.shown(), 256);
}

static void open(const Owner<float> &table, Owner<float> &a, Open &out) {
  look<<<4, 64>>>(table.get(), a.get(), 256);
  twice<<<4, 64>>>(a.get(), out.place, 256);
}

static void given(const Owner<float> &table, Owner<float> &a, float *out) {
  look<<<4, 64>>>(table.get(), a.get(), 256);
  twice<<<4, 64>>>(a.get(), out, 256);
}

static void friendly(const Owner<float> &table, Owner<float> &a,
                     Friendly &out) {
  look<<<4, 64>>>(table.get(), a.get(), 256);
  twice<<<4, 64>>>(a.get(), out.of(), 256);
}

static void print(const float *from, int n) {
  float values[512];
  cudaMemcpy(values, from, n * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum = 0.5f * sum + values[i];
  printf("%g\n", sum);
}

int main() {
  float values[512];
  for (int i = 0; i < 512; ++i)
    values[i] = (float)((i * 37 + 11) % 256);
  Owner<float> table(512), a(256), out(256);
  const auto reset = [&] {
    cudaMemcpy(table.get(), values, sizeof values, cudaMemcpyHostToDevice);
  };
  Owner<float> *outs[] = {&out, &table};
  reset();
  for (Owner<float> *each : outs) {
    owners(table, a, *each);
    print(each->get(), 256);
  }

  float *one;
  cudaMalloc(&one, 256 * sizeof(float));
  moved[0] = one;
  std::swap(moved[0], moved[1]);
  reset();
  arrays(table, a);
  print(moved[1], 256);
  moved[0] = nullptr;

  View view(table, 100);
  reset();
  views(table, a, view);
  print(table.get(), 512);

  Shown own(256);
  own.place() = table.get() + 50;
  reset();
  shown(table, a, own);
  print(table.get(), 512);

  Open bytes;
  float *inside = table.get() + 20;
  std::memcpy(&bytes, &inside, sizeof inside);
  reset();
  open(table, a, bytes);
  print(table.get(), 512);

  reset();
  given(table, a, table.get() + 30);
  print(table.get(), 512);

  Friendly shifted(300);
  Stranger::shift(shifted);
  reset();
  friendly(table, a, shifted);
  print(shifted.of(), 256);
  return 0;
}
