// RUN: %kfuse verify %s --std=c++20
// RUN: %kfuse %s --std=c++20 --no-runtime-checks --quiet -o %t.cu
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
//
// What C++20 has in a kernel's body, copied into stages.

#include <compare>
#include <cstdio>
#include <cuda_runtime.h>
#include <new>

static const int n = 1000;
static float host[n];

__global__ void twice(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = 2 * x[i];
}

__global__ void localClass(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  struct Local {
    float by;
    __device__ float operator()(float v) const { return v + by; }
  };
  if (i < n)
    y[i] = Local{1}(x[i]);
}

__global__ void localEnum(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  enum { One = 1 };
  enum class Two : int { Value = 2 };
  using enum Two;
  if (i < n)
    y[i] = x[i] + One + static_cast<int>(Value);
}

__global__ void localNames(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  using Number = float;
  typedef int Count;
  static_assert(sizeof(Number) == 4);
  Count c = 2;
  if (i < n)
    y[i] = Number(x[i]) + c;
}

namespace tools {
__device__ constexpr int three() { return 3; }
} // namespace tools

__global__ void usings(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  using tools::three;
  namespace t = tools;
  if (i < n)
    y[i] = x[i] + three() + t::three();
}

__global__ void usingNamespace(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  using namespace tools;
  if (i < n)
    y[i] = x[i] + three();
}

__global__ void staticConstant(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  static constexpr float table[2] = {1, 2};
  if (i < n)
    y[i] = x[i] + table[i & 1];
}

__global__ void constantIf(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if constexpr (sizeof(int) == 4) {
    if (i < n)
      y[i] = x[i] + 1;
  } else {
    y[i] = 7;
  }
}

__device__ constexpr int twice(int v) { return 2 * v; }
__device__ consteval int once(int v) { return v; }

__global__ void constants(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  constexpr int c = twice(4);
  if (i < n)
    y[i] = x[i] + c + once(2);
}

__global__ void designated(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  struct Two {
    float a, b;
  };
  if (i < n) {
    Two two{.a = x[i], .b = 2};
    y[i] = two.a + two.b;
  }
}

__global__ void initStatements(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (int j = i; j < n)
    y[j] = x[j];
  switch (int j = i & 1; j) {
  case 0:
    if (i < n)
      y[i] = x[i] + 1;
    break;
  default:
    break;
  }
}

__global__ void literals(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const char *raw = R"(a " } { // b)";
  const char8_t *eight = u8"}{";
  if (i < n)
    y[i] = x[i] + 1'000 + 0b101 + 0x1.8p1f + raw[2] + eight[0] + u'a' + '\'' + '{';
}

__device__ constexpr float operator""_more(unsigned long long v) { return v + 1; }

__global__ void userLiteral(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 3_more;
}

__global__ void hints(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) [[likely]]
    y[i] = x[i] + 1;
  else [[unlikely]]
    return;
  [[maybe_unused]] int j = 0;
  switch (i) {
  case 0:
    j = 1;
    [[fallthrough]];
  default:
    break;
  }
}

__global__ void words(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n and not (i < 0 or n == 0)) <%
    y<:i:> = x<:i:> + 1;
  %>
}

__global__ void continued(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) // comment \
    that goes on
    y[i] = \
        x[i] + 1;
}

__global__ void aligned(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  alignas(16) float v[4] = {1, 2, 3, 4};
  if (i < n)
    y[i] = x[i] + v[i & 3];
}

__global__ void ownName(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + sizeof(&ownName);
}

__device__ float further(float v) { return v + 1; }

__global__ void localFunction(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __device__ float further(float);
  if (i < n)
    y[i] = further(x[i]);
}

__global__ void unions(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  union {
    float f;
    int bits;
  };
  f = 1;
  struct {
    unsigned low : 3, high : 5;
  } parts = {1, 2};
  if (i < n)
    y[i] = x[i] + f + parts.low + parts.high;
}

__global__ void statementExpression(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = ({ float v = x[i]; v + 1; });
}

__global__ void pragmas(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 3; ++k)
    sum += k;
  if (i < n)
    y[i] = x[i] + sum;
}

__global__ void directive(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
#if 1
    y[i] = x[i] + 1;
#else
    y[i] = 0;
#endif
}

__global__ void unicode(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float été = 1;
  if (i < n)
    y[i] = x[i] + été;
}

__global__ void spaceship(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + ((i <=> n) < 0 ? 1 : 0);
}

template <typename T> constexpr int size = sizeof(T);

__global__ void variableTemplate(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + size<int>;
}

__global__ void commas(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float u = 0, v = 1;
  if (i < n)
    u = 2, v = x[i], y[i] = u + v;
}

__global__ void doOnce(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  do {
    if (i < n)
      y[i] = x[i] + 1;
  } while (false);
}

__global__ void alignedShared(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ __align__(16) float v[128];
  v[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n)
    y[i] = v[threadIdx.x ^ 1];
}

__global__ void switchLabels(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  switch (n & 3) {
  case 0 ... 1:
  case 2:
    if (i < n)
      y[i] = x[i] + 1;
    break;
  default:
    if (i < n)
      y[i] = x[i] + 2;
  }
}

static void show(const char *name, const float *array) {
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%s %g %g\n", name, host[1], host[700]);
}

int main() {
  float *x, *y, *z;
  cudaMalloc(&x, sizeof(host));
  cudaMalloc(&y, sizeof(host));
  cudaMalloc(&z, sizeof(host));
  for (int i = 0; i < n; ++i)
    host[i] = i % 37;
  cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(y, 0, sizeof(host));
  // OUT: {{^ *}}kfuse_localClass_twice<<<
  localClass<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("localClass", z);
  // OUT: {{^ *}}kfuse_localEnum_twice<<<
  localEnum<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("localEnum", z);
  // OUT: {{^ *}}kfuse_localNames_twice<<<
  localNames<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("localNames", z);
  // OUT: {{^ *}}kfuse_usings_twice<<<
  usings<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("usings", z);
  // OUT: {{^ *}}kfuse_usingNamespace_twice<<<
  usingNamespace<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("usingNamespace", z);
  // OUT: {{^ *}}kfuse_staticConstant_twice<<<
  staticConstant<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("staticConstant", z);
  // OUT: {{^ *}}kfuse_constantIf_twice<<<
  constantIf<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("constantIf", z);
  // OUT: {{^ *}}kfuse_constants_twice<<<
  constants<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("constants", z);
  // OUT: {{^ *}}kfuse_designated_twice<<<
  designated<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("designated", z);
  // OUT: {{^ *}}kfuse_initStatements_twice<<<
  initStatements<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("initStatements", z);
  // OUT: {{^ *}}kfuse_literals_twice<<<
  literals<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("literals", z);
  // OUT: {{^ *}}kfuse_userLiteral_twice<<<
  userLiteral<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("userLiteral", z);
  // OUT: {{^ *}}kfuse_hints_twice<<<
  hints<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("hints", z);
  // OUT: {{^ *}}kfuse_words_twice<<<
  words<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("words", z);
  // OUT: {{^ *}}kfuse_continued_twice<<<
  continued<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("continued", z);
  // OUT: {{^ *}}kfuse_aligned_twice<<<
  aligned<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("aligned", z);
  // OUT: {{^ *}}kfuse_ownName_twice<<<
  ownName<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("ownName", z);
  // OUT: {{^ *}}kfuse_localFunction_twice<<<
  localFunction<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("localFunction", z);
  // OUT: {{^ *}}kfuse_unions_twice<<<
  unions<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("unions", z);
  // OUT: {{^ *}}kfuse_statementExpression_twice<<<
  statementExpression<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("statementExpression", z);
  // OUT: {{^ *}}kfuse_pragmas_twice<<<
  pragmas<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("pragmas", z);
  // OUT: {{^ *}}kfuse_directive_twice<<<
  directive<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("directive", z);
  // OUT: {{^ *}}kfuse_unicode_twice<<<
  unicode<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("unicode", z);
  // OUT: {{^ *}}kfuse_spaceship_twice<<<
  spaceship<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("spaceship", z);
  // OUT: {{^ *}}kfuse_variableTemplate_twice<<<
  variableTemplate<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("variableTemplate", z);
  // OUT: {{^ *}}kfuse_commas_twice<<<
  commas<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("commas", z);
  // OUT: {{^ *}}kfuse_doOnce_twice<<<
  doOnce<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("doOnce", z);
  // OUT: {{^ *}}kfuse_alignedShared_twice<<<
  alignedShared<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("alignedShared", z);
  // OUT: {{^ *}}kfuse_switchLabels_twice<<<
  switchLabels<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("switchLabels", z);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
