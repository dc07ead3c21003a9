// RUN: not %kfuse verify %s 2>&1 | grep "not verified: what ran leaves equal traces and output"
//
// One number is two where one kernel takes it as signed and the other as
// unsigned, or where it has been in a field of fewer bits.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

static const int n = 1000;
static float start[n], host[n];

__global__ void ofInt(const float *A, float *B, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    B[i] = 2 * A[i];
}

__global__ void ofUnsigned(const float *B, float *C, unsigned count) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    C[i] = B[i] + 1;
}

__global__ void ofSize(const float *B, float *C, size_t count) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    C[i] = B[i] + 1;
}

struct Signed {
  int count;
};
struct Unsigned {
  unsigned count;
};
struct Packed {
  unsigned count : 6;
};

__global__ void ofSigned(const float *A, float *B, Signed of) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < of.count)
    B[i] = 2 * A[i];
}

__global__ void ofMember(const float *B, float *C, Unsigned of) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < of.count)
    C[i] = B[i] + 1;
}

static void show(const char *name, const float *array) {
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%s %g %g\n", name, host[7], host[700]);
}

struct Arrays {
  float *a, *b, *c;
  Arrays() {
    for (float **each : {&a, &b, &c}) {
      cudaMalloc(each, sizeof(start));
      cudaMemcpy(*each, start, sizeof(start), cudaMemcpyHostToDevice);
    }
  }
};

static void toUnsigned(int count) {
  Arrays of;
  ofInt<<<3, 256>>>(of.a, of.b, count);
  ofUnsigned<<<3, 256>>>(of.b, of.c, count);
  show("to unsigned", of.c);
}

static void toSize(int count) {
  Arrays of;
  ofInt<<<3, 256>>>(of.a, of.b, count);
  ofSize<<<3, 256>>>(of.b, of.c, count);
  show("to size", of.c);
}

static void fromUnsigned(unsigned count) {
  Arrays of;
  ofInt<<<3, 256>>>(of.a, of.b, count);
  ofUnsigned<<<3, 256>>>(of.b, of.c, count);
  show("from unsigned", of.c);
}

static void other(int count, size_t size) {
  Arrays of;
  ofInt<<<3, 256>>>(of.a, of.b, count);
  ofSize<<<3, 256>>>(of.b, of.c, size);
  show("other", of.c);
}

static void members(Signed one, Unsigned another) {
  Arrays of;
  ofSigned<<<3, 256>>>(of.a, of.b, one);
  ofMember<<<3, 256>>>(of.b, of.c, another);
  show("members", of.c);
}

__global__ void ifWanted(const float *A, float *B, bool isWanted) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (isWanted && i < n)
    B[i] = 2 * A[i];
}

// 2 * half is 0 as an unsigned number.
static void wrapped(unsigned half) {
  Arrays of;
  ifWanted<<<4, 256>>>(of.a, of.b, 2u * half);
  ifWanted<<<4, 256>>>(of.b, of.c, 2ull * half);
  show("wrapped to bool", of.c);
  ofInt<<<3, 256>>>(of.a, of.b, 2u * half ? 500 : 100);
  ofInt<<<3, 256>>>(of.b, of.c, 2ull * half ? 500 : 100);
  show("wrapped condition", of.c);
  ofInt<<<3, 256>>>(of.a, of.b, 500 * (2u * half && half));
  ofInt<<<3, 256>>>(of.b, of.c, 500 * (2ull * half && half));
  show("wrapped and", of.c);
  ofInt<<<3, 256>>>(of.a, of.b, 500 * !(2u * half));
  ofInt<<<3, 256>>>(of.b, of.c, 500 * !(2ull * half));
  show("wrapped not", of.c);
}

static void bits(int count) {
  Arrays of;
  Packed packed;
  packed.count = count;
  int less = packed.count;
  ofInt<<<3, 256>>>(of.a, of.b, less);
  ofInt<<<3, 256>>>(of.b, of.c, count);
  show("bits", of.c);
}

int main() {
  for (int i = 0; i < n; ++i)
    start[i] = i % 17 + 1;
  toUnsigned(atoi("-1"));
  toSize(atoi("-1"));
  fromUnsigned(atoi("-1"));
  other(atoi("-1"), atoll("-1"));
  members({atoi("-1")}, {static_cast<unsigned>(atoi("-1"))});
  bits(atoi("400"));
  unsigned half = 0;
  sscanf("2147483648", "%u", &half);
  wrapped(half);
}
