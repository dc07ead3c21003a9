//===- kernels.cuh - Matrix multiplication, one optimisation a kernel -----===//
//
// C = A B in single precision: A has M rows and K columns, B has K and N. All
// are row-major; their rows begin lda, ldb and ldc elements apart. The host
// pads the matrices with zeros to whole tiles, so no kernel tests a bound.
//
// A block computes TileM x TileN elements of C and takes TileK of K at a time;
// a thread computes ItemM x ItemN of them.
//
//===----------------------------------------------------------------------===//
#ifndef GEMM_KERNELS_CUH
#define GEMM_KERNELS_CUH

#define TILE template <int TileM, int TileN, int TileK, int ItemM, int ItemN>
#define MATRICES                                                               \
  int K, const float *__restrict__ A, int lda, const float *__restrict__ B,    \
      int ldb, float *__restrict__ C, int ldc

// One output a thread. Each multiply-add takes two loads.
TILE __global__ void naive(MATRICES) {
  const int row = blockIdx.y * TileM + threadIdx.y;
  const int column = blockIdx.x * TileN + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum += A[row * lda + k] * B[k * ldb + column];
  C[row * ldc + column] = sum;
}

// Several outputs a thread, one after the other: fewer threads, and each output
// still loads all of its operands.
TILE __global__ void outputs(MATRICES) {
  const int row = blockIdx.y * TileM + threadIdx.y * ItemM;
  const int column = blockIdx.x * TileN + threadIdx.x * ItemN;
#pragma unroll 1
  for (int m = 0; m < ItemM; ++m)
#pragma unroll 1
    for (int n = 0; n < ItemN; ++n) {
      float sum = 0;
      for (int k = 0; k < K; ++k)
        sum += A[(row + m) * lda + k] * B[k * ldb + column + n];
      C[(row + m) * ldc + column + n] = sum;
    }
}

// The same loops with k outermost: an operand that is loaded once serves a row
// or a column of outputs, which stay in registers.
TILE __global__ void permuted(MATRICES) {
  const int row = blockIdx.y * TileM + threadIdx.y * ItemM;
  const int column = blockIdx.x * TileN + threadIdx.x * ItemN;
  float sum[ItemM][ItemN] = {};
  for (int k = 0; k < K; ++k)
    for (int m = 0; m < ItemM; ++m)
      for (int n = 0; n < ItemN; ++n)
        sum[m][n] += A[(row + m) * lda + k] * B[k * ldb + column + n];
  for (int m = 0; m < ItemM; ++m)
    for (int n = 0; n < ItemN; ++n)
      C[(row + m) * ldc + column + n] = sum[m][n];
}

// Copies a tile of Rows x Columns to shared memory, whose rows are Pitch apart.
// Neighbouring threads copy neighbouring elements.
template <int Rows, int Columns, int Pitch>
__device__ void copyTile(const float *matrix, int rowLength, float *tile) {
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int threads = blockDim.x * blockDim.y;
  for (int i = thread; i < Rows * Columns; i += threads)
    tile[i / Columns * Pitch + i % Columns] =
        matrix[i / Columns * rowLength + i % Columns];
}

// The block's operands in shared memory: each is loaded from global memory once
// for the whole block. Adjacent outputs a thread make neighbours read the tile
// of B at a stride of ItemN: several hit the same bank.
TILE __global__ void tiles(MATRICES) {
  __shared__ float tileA[TileM][TileK];
  __shared__ float tileB[TileK][TileN];
  const int y = threadIdx.y * ItemM, x = threadIdx.x * ItemN;
  const int firstRow = blockIdx.y * TileM, firstColumn = blockIdx.x * TileN;
  float sum[ItemM][ItemN] = {};
  for (int first = 0; first < K; first += TileK) {
    copyTile<TileM, TileK, TileK>(A + firstRow * lda + first, lda, tileA[0]);
    copyTile<TileK, TileN, TileN>(B + first * ldb + firstColumn, ldb, tileB[0]);
    __syncthreads();
    for (int k = 0; k < TileK; ++k)
      for (int m = 0; m < ItemM; ++m)
        for (int n = 0; n < ItemN; ++n)
          sum[m][n] += tileA[y + m][k] * tileB[k][x + n];
    __syncthreads();
  }
  for (int m = 0; m < ItemM; ++m)
    for (int n = 0; n < ItemN; ++n)
      C[(firstRow + y + m) * ldc + firstColumn + x + n] = sum[m][n];
}

// The same without bank conflicts: a thread's columns are a block's width
// apart, so neighbours read neighbouring words, and rows of the tile of A begin
// in different banks.
TILE __global__ void conflict_free(MATRICES) {
  __shared__ float tileA[TileM][TileK + 1];
  __shared__ float tileB[TileK][TileN];
  constexpr int Width = TileN / ItemN;
  const int y = threadIdx.y * ItemM, x = threadIdx.x;
  const int firstRow = blockIdx.y * TileM, firstColumn = blockIdx.x * TileN;
  float sum[ItemM][ItemN] = {};
  for (int first = 0; first < K; first += TileK) {
    copyTile<TileM, TileK, TileK + 1>(A + firstRow * lda + first, lda,
                                      tileA[0]);
    copyTile<TileK, TileN, TileN>(B + first * ldb + firstColumn, ldb, tileB[0]);
    __syncthreads();
    for (int k = 0; k < TileK; ++k)
      for (int m = 0; m < ItemM; ++m)
        for (int n = 0; n < ItemN; ++n)
          sum[m][n] += tileA[y + m][k] * tileB[k][x + n * Width];
    __syncthreads();
  }
  for (int m = 0; m < ItemM; ++m)
    for (int n = 0; n < ItemN; ++n)
      C[(firstRow + y + m) * ldc + firstColumn + x + n * Width] = sum[m][n];
}

__device__ __forceinline__ float4 load4(const float *from) {
  return *reinterpret_cast<const float4 *>(from);
}
__device__ __forceinline__ void store4(float *to, float4 vector) {
  *reinterpret_cast<float4 *>(to) = vector;
}
__device__ __forceinline__ void addProduct(float4 &sum, float a, float4 b) {
  sum.x += a * b.x;
  sum.y += a * b.y;
  sum.z += a * b.z;
  sum.w += a * b.w;
}

// Vectors of four: a quarter of the load and store instructions. A thread
// computes ItemM rows of one float4.
TILE __global__ void vectors(MATRICES) {
  static_assert(ItemN == 4 && TileK % 4 == 0, "vectors of four");
  __shared__ __align__(16) float tileA[TileM][TileK];
  __shared__ __align__(16) float tileB[TileK][TileN];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  constexpr int Threads = TileM / ItemM * (TileN / ItemN);
  const int y = threadIdx.y * ItemM, x = threadIdx.x * 4;
  const int firstRow = blockIdx.y * TileM, firstColumn = blockIdx.x * TileN;
  float4 sum[ItemM] = {};
  for (int first = 0; first < K; first += TileK) {
    for (int i = thread * 4; i < TileM * TileK; i += Threads * 4)
      store4(tileA[0] + i,
             load4(A + (firstRow + i / TileK) * lda + first + i % TileK));
    for (int i = thread * 4; i < TileK * TileN; i += Threads * 4)
      store4(tileB[0] + i,
             load4(B + (first + i / TileN) * ldb + firstColumn + i % TileN));
    __syncthreads();
    for (int k = 0; k < TileK; k += 4) {
      const float4 b0 = load4(&tileB[k][x]), b1 = load4(&tileB[k + 1][x]);
      const float4 b2 = load4(&tileB[k + 2][x]), b3 = load4(&tileB[k + 3][x]);
      for (int m = 0; m < ItemM; ++m) {
        const float4 a = load4(&tileA[y + m][k]);
        addProduct(sum[m], a.x, b0);
        addProduct(sum[m], a.y, b1);
        addProduct(sum[m], a.z, b2);
        addProduct(sum[m], a.w, b3);
      }
    }
    __syncthreads();
  }
  for (int m = 0; m < ItemM; ++m)
    store4(C + (firstRow + y + m) * ldc + firstColumn + x, sum[m]);
}

// A block's part of the last two kernels: tiles of registers. A thread computes
// 8 x 8 elements as 2 x 2 squares of 4 x 4, a warp 32 x 64. Each load of shared
// memory takes four elements, and a warp's lanes, 4 x 8, read few different
// ones. The tile of A is transposed, so that a thread's rows are adjacent.
template <int TileM, int TileN, int TileK> struct RegisterTile {
  static constexpr int Threads = TileM * TileN / 64;
  static constexpr int PitchA = TileM + 4; // spreads the writes over the banks
  static constexpr int VectorsA = TileM * TileK / 4 / Threads;
  static constexpr int VectorsB = TileK * TileN / 4 / Threads;
  static_assert(TileM % 32 == 0 && TileN % 64 == 0 && VectorsA && VectorsB,
                "whole warps, and a vector to copy for each thread");

  const int firstRow, firstColumn, y, x;
  float4 nextA[VectorsA], nextB[VectorsB];
  float sum[8][8] = {};

  __device__ RegisterTile()
      : firstRow(blockIdx.y * TileM), firstColumn(blockIdx.x * TileN),
        y(threadIdx.x / 32 / (TileN / 64) * 32 + threadIdx.x % 32 / 8 * 4),
        x(threadIdx.x / 32 % (TileN / 64) * 64 + threadIdx.x % 8 * 4) {}

  // From global memory to registers, and from there to shared memory.
  __device__ void fetch(const float *A, int lda, const float *B, int ldb,
                        int first) {
#pragma unroll
    for (int v = 0; v < VectorsA; ++v) {
      const int i = (v * Threads + threadIdx.x) * 4;
      nextA[v] = load4(A + (firstRow + i / TileK) * lda + first + i % TileK);
    }
#pragma unroll
    for (int v = 0; v < VectorsB; ++v) {
      const int i = (v * Threads + threadIdx.x) * 4;
      nextB[v] = load4(B + (first + i / TileN) * ldb + firstColumn + i % TileN);
    }
  }
  __device__ void put(float (*tileA)[PitchA], float (*tileB)[TileN]) const {
#pragma unroll
    for (int v = 0; v < VectorsA; ++v) {
      const int i = (v * Threads + threadIdx.x) * 4;
      const int row = i / TileK, k = i % TileK;
      tileA[k][row] = nextA[v].x;
      tileA[k + 1][row] = nextA[v].y;
      tileA[k + 2][row] = nextA[v].z;
      tileA[k + 3][row] = nextA[v].w;
    }
#pragma unroll
    for (int v = 0; v < VectorsB; ++v)
      store4(tileB[0] + (v * Threads + threadIdx.x) * 4, nextB[v]);
  }

  __device__ void multiply(const float (*tileA)[PitchA],
                           const float (*tileB)[TileN]) {
#pragma unroll
    for (int k = 0; k < TileK; ++k) {
      float a[8], b[8];
      store4(a, load4(&tileA[k][y]));
      store4(a + 4, load4(&tileA[k][y + 16]));
      store4(b, load4(&tileB[k][x]));
      store4(b + 4, load4(&tileB[k][x + 32]));
#pragma unroll
      for (int m = 0; m < 8; ++m)
#pragma unroll
        for (int n = 0; n < 8; ++n)
          sum[m][n] += a[m] * b[n];
    }
  }

  __device__ void store(float *C, int ldc) const {
#pragma unroll
    for (int m = 0; m < 8; ++m) {
      float *row = C + (firstRow + y + m / 4 * 16 + m % 4) * ldc + firstColumn;
      store4(row + x, make_float4(sum[m][0], sum[m][1], sum[m][2], sum[m][3]));
      store4(row + x + 32,
             make_float4(sum[m][4], sum[m][5], sum[m][6], sum[m][7]));
    }
  }
};

// Large tiles of registers, all loops over them unrolled: 16 loads serve 64
// multiply-adds, in four instructions.
template <int TileM, int TileN, int TileK>
__global__ void __launch_bounds__(TileM *TileN / 64) registers(MATRICES) {
  using Tile = RegisterTile<TileM, TileN, TileK>;
  __shared__ __align__(16) float tileA[TileK][Tile::PitchA];
  __shared__ __align__(16) float tileB[TileK][TileN];
  Tile tile;
  for (int first = 0; first < K; first += TileK) {
    tile.fetch(A, lda, B, ldb, first);
    tile.put(tileA, tileB);
    __syncthreads();
    tile.multiply(tileA, tileB);
    __syncthreads();
  }
  tile.store(C, ldc);
}

// The same with two tiles each in shared memory: while a block multiplies one,
// the loads of the next are on their way, and one barrier a tile is enough.
template <int TileM, int TileN, int TileK>
__global__ void __launch_bounds__(TileM *TileN / 64) double_buffer(MATRICES) {
  using Tile = RegisterTile<TileM, TileN, TileK>;
  __shared__ __align__(16) float tileA[2][TileK][Tile::PitchA];
  __shared__ __align__(16) float tileB[2][TileK][TileN];
  Tile tile;
  tile.fetch(A, lda, B, ldb, 0);
  tile.put(tileA[0], tileB[0]);
  __syncthreads();
  int current = 0;
  for (int next = TileK; next < K; next += TileK) {
    tile.fetch(A, lda, B, ldb, next);
    tile.multiply(tileA[current], tileB[current]);
    current ^= 1;
    tile.put(tileA[current], tileB[current]);
    __syncthreads();
  }
  tile.multiply(tileA[current], tileB[current]);
  tile.store(C, ldc);
}

// Registers instead of shared memory: a warp's lanes hold one column each of 32
// columns of A, and hand them to each other by shuffles.
TILE __global__ void shuffle(MATRICES) {
  static_assert(TileN == 32 * ItemN && ItemN == 4, "a warp a row of the block");
  static_assert(TileK == 32, "a column of A for each lane");
  const int row = blockIdx.y * TileM + threadIdx.y * ItemM;
  const int column = blockIdx.x * TileN + threadIdx.x * 4;
  float4 sum[ItemM] = {};
  for (int first = 0; first < K; first += TileK) {
    float a[ItemM];
#pragma unroll
    for (int m = 0; m < ItemM; ++m)
      a[m] = A[(row + m) * lda + first + threadIdx.x];
#pragma unroll 8
    for (int k = 0; k < TileK; ++k) {
      const float4 b = load4(B + (first + k) * ldb + column);
#pragma unroll
      for (int m = 0; m < ItemM; ++m)
        addProduct(sum[m], __shfl_sync(0xffffffffu, a[m], k), b);
    }
    __syncthreads(); // keeps the warps together, for the cache's sake
  }
#pragma unroll
  for (int m = 0; m < ItemM; ++m)
    store4(C + (row + m) * ldc + column, sum[m]);
}

#endif
