// RUN: %kfuse verify %s
// RUN: %kfuse %s -Rkfuse-analysis -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
//
// Arguments change what other arguments name, or what they name themselves.
// C++ leaves open in which order a call evaluates its arguments, so that a
// launch that depends on it stays as it is; a comma and its like have an order,
// by which the values are other ones than before the launch.

#include <cstdio>
#include <cuda_runtime.h>

static const int n = 1000;
static float host[n];
static float *in, *a, *b, *c;

__global__ void next(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

__global__ void turn(const float *x, const float *z, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[n - 1 - i] + z[i];
}

static void show(const float *array) {
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 1.001 + host[i];
  printf("%.6f\n", sum);
}

static int other = n;
static float *swapIn(float **pointer, float *value) {
  float *old = *pointer;
  *pointer = value;
  return old;
}
static int lessen() { return other -= 10; }

// What has an order is what it is in that order.
// OUT-LABEL: static void ordered(
// OUT-COUNT-6: {{^ *}}turn<<<
static void ordered(const float *start) {
  float *in, *a, *b, *c, *w;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  cudaMalloc(&c, sizeof(host));
  cudaMemcpy(in, start, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(a, 0, sizeof(host));
  w = b;
  next<<<8, 128>>>(a, a, n);
  turn<<<8, 128>>>((w = a, w), in, c, n);
  show(c);
  w = b;
  next<<<8, 128>>>(a, a, n);
  turn<<<8, 128>>>((w = a) ? w : in, in, c, n);
  show(c);
  w = b;
  float *v = (w = a, w);
  next<<<8, 128>>>(a, a, n);
  turn<<<8, 128>>>(v, in, c, n);
  show(c);
  w = b;
  float *list[] = {w = a, w};
  next<<<8, 128>>>(a, a, n);
  turn<<<8, 128>>>(list[1], in, c, n);
  show(c);
  int k = 0;
  list[1] = b;
  list[k] = (k = 1, a);
  next<<<8, 128>>>(a, a, n);
  turn<<<8, 128>>>(list[1], in, c, n);
  show(c);
  w = b;
  next<<<8, 128>>>(a, a, n);
  turn<<<8, 128>>>(&w[(w = a, 0)], in, c, n);
  show(c);
  for (float *each : {in, a, b, c})
    cudaFree(each);
}

// The original launches stand behind each other in all of these.
// CHECK: remark: launch left alone: an argument changes what another one names, and C++ leaves open which comes first
// OUT-LABEL: static void assigned()
// OUT: {{^ *}}next<<<8, 128>>>(w, b, n);
// OUT-NEXT: {{^ *}}next<<<8, 128>>>(c, w, (w = in, n - 2));
static void assigned() {
  float *w = a;
  next<<<8, 128>>>(w, b, n);
  next<<<8, 128>>>(c, w, (w = in, n - 2));
  show(b);
}

// OUT-LABEL: static void stepped()
// OUT: {{^ *}}next<<<8, 128>>>(in, p, n - 5);
// OUT-NEXT: {{^ *}}next<<<8, 128>>>(p++, p, n - 5);
static void stepped() {
  float *p = a;
  next<<<8, 128>>>(in, p, n - 5);
  next<<<8, 128>>>(p++, p, n - 5);
  show(a);
}

// OUT-LABEL: static void byAddress()
// OUT: {{^ *}}next<<<8, 128>>>(p, b, n);
// OUT-NEXT: {{^ *}}next<<<8, 128>>>(swapIn(&p, in), p, n);
static void byAddress() {
  float *p = a;
  next<<<8, 128>>>(p, b, n);
  next<<<8, 128>>>(swapIn(&p, in), p, n);
  show(b);
}

// OUT-LABEL: static void byCall()
// OUT: {{^ *}}next<<<8, 128>>>(in, a, other);
// OUT-NEXT: {{^ *}}next<<<lessen() > 900 ? 8 : 1, 128>>>(a, b, other);
static void byCall() {
  next<<<8, 128>>>(in, a, other);
  next<<<lessen() > 900 ? 8 : 1, 128>>>(a, b, other);
  show(b);
}

// OUT-LABEL: static void byLambda()
// OUT: {{^ *}}const auto [[M:kfuse_.*]] = m;
// OUT: {{^ *}}const auto {{kfuse_.*}} = m + less();
// OUT: {{^ *}}next<<<8, 128>>>({{.*}}, [[M]]);
static void byLambda() {
  int m = n;
  auto less = [&m] { return --m > 500 ? 0 : 1; };
  next<<<8, 128>>>(in, a, m);
  next<<<8, 128>>>(a, b, m + less());
  next<<<8 + less(), 128>>>(b, c, m);
  show(c);
}

// OUT-LABEL: static void byShape()
// OUT: {{^ *}}next<<<g, 128>>>(in, a, n);
// OUT-NEXT: {{^ *}}next<<<(g = 4), 32 * g>>>(a, b, n);
static void byShape() {
  int g = 8;
  next<<<g, 128>>>(in, a, n);
  next<<<(g = 4), 32 * g>>>(a, b, n);
  show(b);
}

static void both(const float *x, float *y, int count) {
  next<<<8, 128>>>(x, y, count);
  next<<<8, 128>>>(y, c, count);
}

// OUT-LABEL: static void byWrapper()
// OUT: {{^ *}}both(w, b, (w = in, n - 3));
static void byWrapper() {
  float *w = a;
  both(w, b, (w = in, n - 3));
  show(c);
}

int main() {
  for (float **each : {&in, &a, &b, &c}) {
    cudaMalloc(each, sizeof(host));
    for (float &value : host)
      value = (&value - host) % 37;
    cudaMemcpy(*each, host, sizeof(host), cudaMemcpyHostToDevice);
  }
  ordered(host);
  assigned();
  stepped();
  byAddress();
  byCall();
  byLambda();
  byShape();
  byWrapper();
}
