// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
//
// Variables that other files can't name may change in a call all the same: its
// function is given to another file or has a known name, or the variable's
// address is kept. In each function below the second launch may read another
// array than the first one wrote.

// CHECK-NOT: remark: fused
// CHECK: left: 14 PointerMayChange
// OUT-NOT: kfuse_
// OUT: put<<<4, 256>>>(lent, n);
// OUT: take<<<4, 256>>>(lent, out, n);
#include <cuda_runtime.h>
#include <mutex>

extern "C" void atEvent(void (*)());
extern "C" void runEvents();

static const int n = 1000;
static float *lent, *known, *kept, *named, *caught, *ended, *other, *chosen;
static float *held, *called, *either, *made, *locked, *again, *spare;

__global__ void put(float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = i;
}
__global__ void take(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i] + 1;
}

static void flipLent() { lent = spare; }
void aFunctionGiven(float *out) {
  atEvent(flipLent);
  put<<<4, 256>>>(lent, n);
  runEvents();
  take<<<4, 256>>>(lent, out, n);
}

void flipKnown() { known = spare; }
void aFunctionOfAKnownName(float *out) {
  put<<<4, 256>>>(known, n);
  runEvents();
  take<<<4, 256>>>(known, out, n);
}

static float **const address = &kept;
static void flipKept() { *address = spare; }
void anAddressKept(float *out) {
  put<<<4, 256>>>(kept, n);
  flipKept();
  take<<<4, 256>>>(kept, out, n);
}

static float *&reference = named;
static void flipNamed() { reference = spare; }
void aReference(float *out) {
  put<<<4, 256>>>(named, n);
  flipNamed();
  take<<<4, 256>>>(named, out, n);
}

static auto flipCaught = [] { caught = spare; };
void aLambda(float *out) {
  put<<<4, 256>>>(caught, n);
  flipCaught();
  take<<<4, 256>>>(caught, out, n);
}

struct Flip {
  ~Flip() { ended = spare; }
};
void aDestructor(float *out) {
  put<<<4, 256>>>(ended, n);
  { Flip flip; }
  take<<<4, 256>>>(ended, out, n);
}

struct Turn {
  void operator+() const { other = spare; }
};
void anOperator(float *out) {
  put<<<4, 256>>>(other, n);
  +Turn();
  take<<<4, 256>>>(other, out, n);
}

template <class T> void flipChosen(T value) { chosen = value; }
void anInstance(float *out) {
  put<<<4, 256>>>(chosen, n);
  flipChosen(spare);
  take<<<4, 256>>>(chosen, out, n);
}

static float *flipHeld(float *value = held = spare) { return value; }
void aDefaultArgument(float *out) {
  put<<<4, 256>>>(held, n);
  flipHeld();
  take<<<4, 256>>>(held, out, n);
}

static void flipCalled(int depth) {
  if (depth == 0)
    called = spare;
  else
    flipCalled(depth - 1);
}
static void indirectly() { flipCalled(3); }
void aChain(float *out) {
  put<<<4, 256>>>(called, n);
  indirectly();
  take<<<4, 256>>>(called, out, n);
}

static void flipEither(bool isFirst) { (isFirst ? either : other) = spare; }
void aChoice(float *out) {
  put<<<4, 256>>>(either, n);
  flipEither(true);
  take<<<4, 256>>>(either, out, n);
}

static void make() { cudaMalloc(&made, n * sizeof(float)); }
void anAllocation(float *out) {
  put<<<4, 256>>>(made, n);
  make();
  take<<<4, 256>>>(made, out, n);
}

struct Lock {
  void lock() {}
  void unlock() { locked = spare; }
};
void aLibrarysCall(float *out) {
  Lock lock;
  put<<<4, 256>>>(locked, n);
  std::unique_lock<Lock>(lock).unlock();
  take<<<4, 256>>>(locked, out, n);
}

static void flipAgain() {
  extern float *again;
  again = spare;
}
void aSecondDeclaration(float *out) {
  put<<<4, 256>>>(again, n);
  flipAgain();
  take<<<4, 256>>>(again, out, n);
}
