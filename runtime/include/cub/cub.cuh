//===- cub.cuh - Collectives of CUB ---------------------------------------===//
//
// Its most used collectives of blocks and warps, as far as kernels name them.
// Each combines its values in the order of the threads, which on a GPU may be
// another one.
//
//===----------------------------------------------------------------------===//
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm {
  BLOCK_SCAN_RAKING,
  BLOCK_SCAN_RAKING_MEMOIZE,
  BLOCK_SCAN_WARP_SCANS
};
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

struct Sum {
  template <class T> __host__ __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
struct Max {
  template <class T> __host__ __device__ T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <class T> __host__ __device__ T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};

/// The thread's rank in its block.
__device__ inline int RowMajorTid(int, int, int) {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

template <class T, int X,
          BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS,
          int Y = 1, int Z = 1, int Architecture = 0>
class BlockReduce {
public:
  struct TempStorage {
    T values[X * Y * Z];
  };

  __device__ explicit BlockReduce(TempStorage &storage) : Storage(storage) {}

  /// Only thread 0 gets the result.
  template <class Operation>
  __device__ T Reduce(T value, Operation operation, int valid) {
    const int rank = RowMajorTid(X, Y, Z);
    Storage.values[rank] = value;
    __syncthreads();
    for (int i = 1; rank == 0 && i < valid; ++i)
      value = operation(value, Storage.values[i]);
    return value;
  }
  template <class Operation> __device__ T Reduce(T value, Operation operation) {
    return Reduce(value, operation, X * Y * Z);
  }
  template <int Items, class Operation>
  __device__ T Reduce(T (&items)[Items], Operation operation) {
    T value = items[0];
    for (int i = 1; i < Items; ++i)
      value = operation(value, items[i]);
    return Reduce(value, operation);
  }
  __device__ T Sum(T value) { return Reduce(value, cub::Sum()); }
  __device__ T Sum(T value, int valid) {
    return Reduce(value, cub::Sum(), valid);
  }
  template <int Items> __device__ T Sum(T (&items)[Items]) {
    return Reduce(items, cub::Sum());
  }

private:
  TempStorage &Storage;
};

template <class T, int X, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING,
          int Y = 1, int Z = 1, int Architecture = 0>
class BlockScan {
public:
  struct TempStorage {
    T values[X * Y * Z];
  };

  __device__ explicit BlockScan(TempStorage &storage) : Storage(storage) {}

  template <class Operation>
  __device__ void InclusiveScan(T input, T &output, Operation operation,
                                T &aggregate) {
    const int rank = RowMajorTid(X, Y, Z);
    Storage.values[rank] = input;
    __syncthreads();
    aggregate = Storage.values[0];
    output = aggregate;
    for (int i = 1; i < X * Y * Z; ++i) {
      aggregate = operation(aggregate, Storage.values[i]);
      output = i <= rank ? aggregate : output;
    }
  }
  template <class Operation>
  __device__ void InclusiveScan(T input, T &output, Operation operation) {
    T aggregate;
    InclusiveScan(input, output, operation, aggregate);
  }
  template <class Operation>
  __device__ void ExclusiveScan(T input, T &output, T initial,
                                Operation operation, T &aggregate) {
    const int rank = RowMajorTid(X, Y, Z);
    Storage.values[rank] = input;
    __syncthreads();
    output = initial;
    for (int i = 0; i < rank; ++i)
      output = operation(output, Storage.values[i]);
    aggregate = Storage.values[0];
    for (int i = 1; i < X * Y * Z; ++i)
      aggregate = operation(aggregate, Storage.values[i]);
  }
  template <class Operation>
  __device__ void ExclusiveScan(T input, T &output, T initial,
                                Operation operation) {
    T aggregate;
    ExclusiveScan(input, output, initial, operation, aggregate);
  }
  __device__ void InclusiveSum(T input, T &output) {
    InclusiveScan(input, output, Sum());
  }
  __device__ void InclusiveSum(T input, T &output, T &aggregate) {
    InclusiveScan(input, output, Sum(), aggregate);
  }
  __device__ void ExclusiveSum(T input, T &output) {
    ExclusiveScan(input, output, T(), Sum());
  }
  __device__ void ExclusiveSum(T input, T &output, T &aggregate) {
    ExclusiveScan(input, output, T(), Sum(), aggregate);
  }
  template <int Items>
  __device__ void InclusiveSum(T (&input)[Items], T (&output)[Items]) {
    T before = add(input);
    for (int i = 0; i < Items; ++i)
      output[i] = before = before + input[i];
  }
  template <int Items>
  __device__ void ExclusiveSum(T (&input)[Items], T (&output)[Items]) {
    T before = add(input);
    for (int i = 0; i < Items; ++i) {
      const T next = before + input[i];
      output[i] = before;
      before = next;
    }
  }

private:
  /// Returns the sum of what the threads before this one have.
  template <int Items> __device__ T add(T (&input)[Items]) {
    T own = input[0], before;
    for (int i = 1; i < Items; ++i)
      own = own + input[i];
    ExclusiveSum(own, before);
    return before;
  }

  TempStorage &Storage;
};

template <class T, int X, int Items,
          BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1,
          int Z = 1, int Architecture = 0>
class BlockLoad {
public:
  struct TempStorage {};

  __device__ BlockLoad() {}
  __device__ explicit BlockLoad(TempStorage &) {}

  template <class Input> __device__ void Load(Input from, T (&to)[Items]) {
    for (int i = 0; i < Items; ++i)
      to[i] = from[place(i)];
  }
  template <class Input>
  __device__ void Load(Input from, T (&to)[Items], int valid) {
    for (int i = 0; i < Items; ++i)
      if (place(i) < valid)
        to[i] = from[place(i)];
  }
  template <class Input, class Other>
  __device__ void Load(Input from, T (&to)[Items], int valid, Other other) {
    for (int i = 0; i < Items; ++i)
      to[i] = other;
    Load(from, to, valid);
  }

private:
  __device__ int place(int i) const {
    const int rank = RowMajorTid(X, Y, Z);
    return Algorithm == BLOCK_LOAD_STRIPED ? i * X * Y * Z + rank
                                           : rank * Items + i;
  }
};

template <class T, int X, int Items,
          BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1,
          int Z = 1, int Architecture = 0>
class BlockStore {
public:
  struct TempStorage {};

  __device__ BlockStore() {}
  __device__ explicit BlockStore(TempStorage &) {}

  template <class Output> __device__ void Store(Output to, T (&from)[Items]) {
    for (int i = 0; i < Items; ++i)
      to[place(i)] = from[i];
  }
  template <class Output>
  __device__ void Store(Output to, T (&from)[Items], int valid) {
    for (int i = 0; i < Items; ++i)
      if (place(i) < valid)
        to[place(i)] = from[i];
  }

private:
  __device__ int place(int i) const {
    const int rank = RowMajorTid(X, Y, Z);
    return Algorithm == BLOCK_STORE_STRIPED ? i * X * Y * Z + rank
                                            : rank * Items + i;
  }
};

template <class T, int Threads = 32, int Architecture = 0> class WarpReduce {
public:
  struct TempStorage {
    T values[Threads];
  };

  __device__ explicit WarpReduce(TempStorage &storage) : Storage(storage) {}

  /// Only lane 0 gets the result.
  template <class Operation>
  __device__ T Reduce(T value, Operation operation, int valid) {
    const int lane = RowMajorTid(0, 0, 0) % Threads;
    Storage.values[lane] = value;
    __syncwarp();
    for (int i = 1; lane == 0 && i < valid; ++i)
      value = operation(value, Storage.values[i]);
    return value;
  }
  template <class Operation> __device__ T Reduce(T value, Operation operation) {
    return Reduce(value, operation, Threads);
  }
  __device__ T Sum(T value) { return Reduce(value, cub::Sum()); }
  __device__ T Sum(T value, int valid) {
    return Reduce(value, cub::Sum(), valid);
  }

private:
  TempStorage &Storage;
};

template <class T, int Threads = 32, int Architecture = 0> class WarpScan {
public:
  struct TempStorage {
    T values[Threads];
  };

  __device__ explicit WarpScan(TempStorage &storage) : Storage(storage) {}

  template <class Operation>
  __device__ void InclusiveScan(T input, T &output, Operation operation) {
    const int lane = RowMajorTid(0, 0, 0) % Threads;
    Storage.values[lane] = input;
    __syncwarp();
    output = Storage.values[0];
    for (int i = 1; i <= lane; ++i)
      output = operation(output, Storage.values[i]);
  }
  template <class Operation>
  __device__ void ExclusiveScan(T input, T &output, T initial,
                                Operation operation) {
    const int lane = RowMajorTid(0, 0, 0) % Threads;
    Storage.values[lane] = input;
    __syncwarp();
    output = initial;
    for (int i = 0; i < lane; ++i)
      output = operation(output, Storage.values[i]);
  }
  __device__ void InclusiveSum(T input, T &output) {
    InclusiveScan(input, output, Sum());
  }
  __device__ void ExclusiveSum(T input, T &output) {
    ExclusiveScan(input, output, T(), Sum());
  }

private:
  TempStorage &Storage;
};

} // namespace cub
