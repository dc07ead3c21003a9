// RUN: %kfuse verify %s --relaxed-rounding --cost-without=memory,L2,issue,flops,starts,L1 -Rkfuse 2>&1 | FileCheck %s
// CHECK-NOT: remark: fused
// CHECK: remark: fused 'fill', 'seen'
// CHECK-NOT: remark: fused
// CHECK: 32 launches ->
// CHECK-SAME: {{^ 31$}}
// CHECK-NEXT: kfuse_fill_seen
// CHECK: verified
//
// A kernel reads what another thread of the kernel before writes, or stores
// where another reads, in code that the text hides: what runs when a value
// goes, conditions and cases of a switch, operands of casts and of static
// members, elements without an initialiser of their own, views of a variable
// as another type.

#include <cstdio>
#include <cuda_runtime.h>
#include <utility>

static const int n = 96;
static int *a, *b, *c;

__global__ void fill(int *a, int *c, int v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = v + 3 * i;
    c[i] = v - 5 * i;
  }
}

__device__ int put(int *a, int j) { return a[j] = 7; }

struct Ends {
  int *a;
  int j;
  __device__ Ends(int *a, int j) : a(a), j(j) {}
  __device__ ~Ends() { a[j] += 5; }
  __device__ int value() const { return j; }
};

__global__ void variableEnds(int *b, const int *a, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    Ends ends(c, n - 1 - i);
    b[i] = a[i];
  }
}

__global__ void temporaryEnds(int *b, const int *a, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = Ends(c, n - 1 - i).value() + a[i];
}

__global__ void condition(int *b, const int *a, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    switch (int held = c[n - 1 - i]) {
    case 3:
      b[i] = a[i];
      break;
    default:
      b[i] = held + a[i];
    }
}

__global__ void hiddenCase(int *b, const int *a, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    switch (i % 2) {
    case 0: {
      b[i] = a[i];
      return;
    case 1:
      b[i] = c[n - 1 - i] + a[i];
    }
    }
}

struct Base {
  __device__ int twice(int i) const { return 2 * i; }
};
struct Derived : Base {
  __device__ Derived &store(int *a, int j) {
    put(a, j);
    return *this;
  }
};

__global__ void baseOfCall(int *b, const int *a, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Derived derived;
  if (i < n)
    b[i] = derived.store(c, n - 1 - i).twice(a[i]);
}

__global__ void choice(int *b, const int *a, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int one = 1, other = 2;
  if (i < n) {
    int &chosen = put(c, n - 1 - i) ? one : other;
    b[i] = a[i];
    (void)chosen;
  }
}

__device__ decltype(nullptr) none(int *a, int j) {
  put(a, j);
  return nullptr;
}

__global__ void nothing(int *b, const int *a, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int *p = none(c, n - 1 - i);
    b[i] = a[i] + (p == nullptr);
  }
}

struct Static {
  __device__ static int same(int i) { return i; }
};
__device__ Static touch(int *a, int j) {
  put(a, j);
  return {};
}

__global__ void staticMember(int *b, const int *a, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = touch(c, n - 1 - i).same(a[i]);
}

struct Pair {
  int *a, j;
};
template <int I> __device__ int get(const Pair &pair) {
  return put(pair.a, pair.j);
}
namespace std {
template <> struct tuple_size<Pair> {
  static const int value = 2;
};
template <size_t I> struct tuple_element<I, Pair> {
  using type = int;
};
} // namespace std

__global__ void binding(int *b, const int *a, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    auto [first, second] = Pair{c, n - 1 - i};
    b[i] = a[i];
  }
}

__device__ void atEnd(Pair *pair) { put(pair->a, pair->j); }

__global__ void cleanup(int *b, const int *a, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    __attribute__((cleanup(atEnd))) Pair pair = {c, n - 1 - i};
    b[i] = a[i];
  }
}

__device__ int *hidden;
struct Filled {
  int value;
  __device__ Filled() : value(hidden[n - 1 - blockIdx.x * blockDim.x - threadIdx.x]) {}
  __device__ Filled(int value) : value(value) {}
};

__global__ void filler(int *b, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    Filled filled[2] = {Filled(1)};
    b[i] = filled[1].value + a[i];
  }
}

struct Assigned {
  int *a;
  __device__ Assigned &operator=(const Assigned &other) {
    put(a, other.a - a);
    return *this;
  }
};
struct Outer {
  Assigned member;
};

__global__ void assigned(int *b, const int *a, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    Outer one{{c}}, other{{c + (n - 1 - i)}};
    one = other;
    b[i] = a[i];
  }
}

struct Number {
  int value;
  __device__ Number &operator+=(int more) {
    value += more;
    return *this;
  }
};

__global__ void rightFirst(Number *b, const int *a, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int k = i;
  if (i < n)
    b[k] += (k = n - 1 - i) * 0 + a[i];
}

__device__ void clear(int *p) { *(unsigned char *)p = 0; }

__global__ void narrow(int *b, const int *a, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int k = i;
    clear(&k);
    b[i] = c[k] + a[i];
  }
}

__global__ void seen(int *b, const int *a, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i];
}

__device__ void clearReferred(int &k) { (unsigned char &)k = 0; }

__global__ void referred(int *b, const int *a, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int k = i;
    clearReferred(k);
    b[i] = c[k] + a[i];
  }
}

static void show() {
  int host[n];
  for (int *array : {a, b, c}) {
    unsigned sum = 7;
    cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      sum = sum * 31 + host[i];
    printf("%u\n", sum);
  }
}

int main() {
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaMalloc(&c, n * sizeof(int));
  cudaMemset(b, 0, n * sizeof(int));
  cudaMemcpyToSymbol(hidden, &c, sizeof(c));
  fill<<<3, 32>>>(a, c, 0, n);
  variableEnds<<<3, 32>>>(b, a, c, n);
  show();
  fill<<<3, 32>>>(a, c, 74, n);
  temporaryEnds<<<3, 32>>>(b, a, c, n);
  show();
  fill<<<3, 32>>>(a, c, 53, n);
  condition<<<3, 32>>>(b, a, c, n);
  show();
  fill<<<3, 32>>>(a, c, 28, n);
  hiddenCase<<<3, 32>>>(b, a, c, n);
  show();
  fill<<<3, 32>>>(a, c, 4, n);
  baseOfCall<<<3, 32>>>(b, a, c, n);
  show();
  fill<<<3, 32>>>(a, c, 76, n);
  choice<<<3, 32>>>(b, a, c, n);
  show();
  fill<<<3, 32>>>(a, c, 48, n);
  nothing<<<3, 32>>>(b, a, c, n);
  show();
  fill<<<3, 32>>>(a, c, 21, n);
  staticMember<<<3, 32>>>(b, a, c, n);
  show();
  fill<<<3, 32>>>(a, c, 96, n);
  binding<<<3, 32>>>(b, a, c, n);
  show();
  fill<<<3, 32>>>(a, c, 69, n);
  cleanup<<<3, 32>>>(b, a, c, n);
  show();
  fill<<<3, 32>>>(a, c, 42, n);
  filler<<<3, 32>>>(b, a, n);
  show();
  fill<<<3, 32>>>(a, c, 11, n);
  assigned<<<3, 32>>>(b, a, c, n);
  show();
  fill<<<3, 32>>>(a, c, 82, n);
  rightFirst<<<3, 32>>>((Number *)c, a, c, n);
  show();
  fill<<<3, 32>>>(a, c, 68, n);
  narrow<<<3, 32>>>(b, a, c, n);
  show();
  fill<<<3, 32>>>(a, c, 8, n);
  referred<<<3, 32>>>(b, a, c, n);
  show();
  fill<<<3, 32>>>(a, c, 5, n);
  seen<<<3, 32>>>(b, a, c, n);
  show();
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
