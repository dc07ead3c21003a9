//===- gemm.cl - Matrix multiplication, one optimisation a kernel ---------===//
//
// C = A B in single precision: A has M rows and K columns, B has K and N. All
// are row-major; their rows begin lda, ldb and ldc elements apart. The host pads
// the matrices with zeros to whole tiles, so no kernel tests a bound.
//
// The program is built once for each kernel, with its tile as macros:
//   TILE_M, TILE_N   the part of C that a work-group computes
//   TILE_K           how much of K it takes at a time
//   ITEM_M, ITEM_N   the part of C that a work-item computes
//   VECTOR           elements of a vector, where the kernel has a choice
//   SUB_GROUP        work-items of a sub-group; undefined if there are none
//
//===----------------------------------------------------------------------===//

#define GROUP_X (TILE_N / ITEM_N)
#define GROUP_Y (TILE_M / ITEM_M)
#define GROUP_ITEMS (GROUP_X * GROUP_Y)
#define KERNEL                                                                 \
  __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1))) __kernel void
#define MATRICES                                                               \
  const int K, const __global float *restrict A, const int lda,                \
      const __global float *restrict B, const int ldb,                         \
      __global float *restrict C, const int ldc

// One output a work-item. Each multiply-add takes two loads.
KERNEL naive(MATRICES) {
  const int row = get_global_id(1);
  const int column = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += A[row * lda + k] * B[k * ldb + column];
  C[row * ldc + column] = sum;
}

// Several outputs a work-item, one after the other: fewer work-items, and each
// output still loads all of its operands.
KERNEL outputs(MATRICES) {
  const int row = get_global_id(1) * ITEM_M;
  const int column = get_global_id(0) * ITEM_N;
  for (int m = 0; m < ITEM_M; ++m)
    for (int n = 0; n < ITEM_N; ++n) {
      float sum = 0.0f;
      for (int k = 0; k < K; ++k)
        sum += A[(row + m) * lda + k] * B[k * ldb + column + n];
      C[(row + m) * ldc + column + n] = sum;
    }
}

// The same loops with k outermost: an operand that is loaded once serves a row
// or a column of outputs, which stay in registers.
KERNEL permuted(MATRICES) {
  const int row = get_global_id(1) * ITEM_M;
  const int column = get_global_id(0) * ITEM_N;
  float sum[ITEM_M][ITEM_N] = {{0.0f}};
  for (int k = 0; k < K; ++k)
    for (int m = 0; m < ITEM_M; ++m)
      for (int n = 0; n < ITEM_N; ++n)
        sum[m][n] += A[(row + m) * lda + k] * B[k * ldb + column + n];
  for (int m = 0; m < ITEM_M; ++m)
    for (int n = 0; n < ITEM_N; ++n)
      C[(row + m) * ldc + column + n] = sum[m][n];
}

// Copies a tile of rows x columns from a matrix into local memory, whose rows
// are `pitch` apart. Neighbouring work-items copy neighbouring elements.
static void copyTile(const __global float *matrix, const int rowLength,
                     const int rows, const int columns, __local float *tile,
                     const int pitch) {
  const int item = get_local_id(1) * GROUP_X + get_local_id(0);
  for (int i = item; i < rows * columns; i += GROUP_ITEMS)
    tile[i / columns * pitch + i % columns] =
        matrix[i / columns * rowLength + i % columns];
}

// The group's operands in local memory: each is loaded from global memory once
// for the whole group. Adjacent outputs a work-item make neighbours read the
// tile of B at a stride of ITEM_N: several hit the same bank.
KERNEL tiles(MATRICES) {
  __local float tileA[TILE_M][TILE_K];
  __local float tileB[TILE_K][TILE_N];
  const int y = get_local_id(1) * ITEM_M;
  const int x = get_local_id(0) * ITEM_N;
  const int firstRow = get_group_id(1) * TILE_M;
  const int firstColumn = get_group_id(0) * TILE_N;
  float sum[ITEM_M][ITEM_N] = {{0.0f}};
  for (int first = 0; first < K; first += TILE_K) {
    copyTile(A + firstRow * lda + first, lda, TILE_M, TILE_K, tileA[0], TILE_K);
    copyTile(B + first * ldb + firstColumn, ldb, TILE_K, TILE_N, tileB[0], TILE_N);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE_K; ++k)
      for (int m = 0; m < ITEM_M; ++m)
        for (int n = 0; n < ITEM_N; ++n)
          sum[m][n] += tileA[y + m][k] * tileB[k][x + n];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int m = 0; m < ITEM_M; ++m)
    for (int n = 0; n < ITEM_N; ++n)
      C[(firstRow + y + m) * ldc + firstColumn + x + n] = sum[m][n];
}

// The same without bank conflicts: a work-item's columns are GROUP_X apart, so
// neighbours read neighbouring words, and rows of the tile of A begin in
// different banks.
KERNEL conflict_free(MATRICES) {
  __local float tileA[TILE_M][TILE_K + 1];
  __local float tileB[TILE_K][TILE_N];
  const int y = get_local_id(1) * ITEM_M;
  const int x = get_local_id(0);
  const int firstRow = get_group_id(1) * TILE_M;
  const int firstColumn = get_group_id(0) * TILE_N;
  float sum[ITEM_M][ITEM_N] = {{0.0f}};
  for (int first = 0; first < K; first += TILE_K) {
    copyTile(A + firstRow * lda + first, lda, TILE_M, TILE_K, tileA[0], TILE_K + 1);
    copyTile(B + first * ldb + firstColumn, ldb, TILE_K, TILE_N, tileB[0], TILE_N);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE_K; ++k)
      for (int m = 0; m < ITEM_M; ++m)
        for (int n = 0; n < ITEM_N; ++n)
          sum[m][n] += tileA[y + m][k] * tileB[k][x + n * GROUP_X];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int m = 0; m < ITEM_M; ++m)
    for (int n = 0; n < ITEM_N; ++n)
      C[(firstRow + y + m) * ldc + firstColumn + x + n * GROUP_X] = sum[m][n];
}

// Vectors of four: a quarter of the load and store instructions. A work-item
// computes ITEM_M rows of one float4.
KERNEL vectors(MATRICES) {
  __local float4 tileA[TILE_M][TILE_K / 4];
  __local float4 tileB[TILE_K][TILE_N / 4];
  const int item = get_local_id(1) * GROUP_X + get_local_id(0);
  const int y = get_local_id(1) * ITEM_M;
  const int x = get_local_id(0);
  const int firstRow = get_group_id(1) * TILE_M;
  const int firstColumn = get_group_id(0) * TILE_N;
  float4 sum[ITEM_M];
  for (int m = 0; m < ITEM_M; ++m)
    sum[m] = 0.0f;
  for (int first = 0; first < K; first += TILE_K) {
    for (int i = item; i < TILE_M * TILE_K / 4; i += GROUP_ITEMS) {
      const int row = i / (TILE_K / 4), vector = i % (TILE_K / 4);
      tileA[row][vector] = vload4(vector, A + (firstRow + row) * lda + first);
    }
    for (int i = item; i < TILE_K * TILE_N / 4; i += GROUP_ITEMS) {
      const int row = i / (TILE_N / 4), vector = i % (TILE_N / 4);
      tileB[row][vector] = vload4(vector, B + (first + row) * ldb + firstColumn);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE_K / 4; ++k) {
      const float4 b0 = tileB[k * 4][x], b1 = tileB[k * 4 + 1][x];
      const float4 b2 = tileB[k * 4 + 2][x], b3 = tileB[k * 4 + 3][x];
      for (int m = 0; m < ITEM_M; ++m) {
        const float4 a = tileA[y + m][k];
        sum[m] += a.s0 * b0;
        sum[m] += a.s1 * b1;
        sum[m] += a.s2 * b2;
        sum[m] += a.s3 * b3;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int m = 0; m < ITEM_M; ++m)
    vstore4(sum[m], x, C + (firstRow + y + m) * ldc + firstColumn);
}

#define JOIN_TOKENS(first, second) first##second
#define JOIN(first, second) JOIN_TOKENS(first, second)
#if VECTOR == 1
typedef float Vector;
#define LOAD(pointer) (*(pointer))
#define STORE(vector, pointer) (*(pointer) = (vector))
#else
typedef JOIN(float, VECTOR) Vector;
#define LOAD(pointer) JOIN(vload, VECTOR)(0, pointer)
#define STORE(vector, pointer) JOIN(vstore, VECTOR)(vector, 0, pointer)
#endif
#define ITEM_VECTORS (ITEM_N / VECTOR)

// Large tiles of registers, all loops over them unrolled: ITEM_M + ITEM_N loads
// serve ITEM_M * ITEM_N multiply-adds. A work-item's vectors are GROUP_X apart.
KERNEL registers(MATRICES) {
  __local float tileA[TILE_M][TILE_K + 1];
  __local float tileB[TILE_K][TILE_N] __attribute__((aligned(64)));
  const int item = get_local_id(1) * GROUP_X + get_local_id(0);
  const int y = get_local_id(1) * ITEM_M;
  const int x = get_local_id(0) * VECTOR;
  const int firstRow = get_group_id(1) * TILE_M;
  const int firstColumn = get_group_id(0) * TILE_N;
  Vector sum[ITEM_M][ITEM_VECTORS];
#pragma unroll
  for (int m = 0; m < ITEM_M; ++m)
#pragma unroll
    for (int n = 0; n < ITEM_VECTORS; ++n)
      sum[m][n] = 0.0f;
  for (int first = 0; first < K; first += TILE_K) {
    copyTile(A + firstRow * lda + first, lda, TILE_M, TILE_K, tileA[0],
             TILE_K + 1);
    for (int i = item * VECTOR; i < TILE_K * TILE_N; i += GROUP_ITEMS * VECTOR)
      STORE(LOAD(B + (first + i / TILE_N) * ldb + firstColumn + i % TILE_N),
            tileB[0] + i);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE_K; ++k) {
      Vector b[ITEM_VECTORS];
#pragma unroll
      for (int n = 0; n < ITEM_VECTORS; ++n)
        b[n] = LOAD(&tileB[k][x + n * GROUP_X * VECTOR]);
#pragma unroll
      for (int m = 0; m < ITEM_M; ++m) {
        const float a = tileA[y + m][k];
#pragma unroll
        for (int n = 0; n < ITEM_VECTORS; ++n)
          sum[m][n] += a * b[n];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int m = 0; m < ITEM_M; ++m)
#pragma unroll
    for (int n = 0; n < ITEM_VECTORS; ++n)
      STORE(sum[m][n], C + (firstRow + y + m) * ldc + firstColumn + x +
                           n * GROUP_X * VECTOR);
}

#ifdef SUB_GROUP
// One row of the work-group is one sub-group.
#if GROUP_X != SUB_GROUP
#error "TILE_N / ITEM_N has to be the size of a sub-group"
#endif
#ifdef cl_intel_required_subgroup_size
#define SUB_GROUP_KERNEL                                                       \
  __attribute__((intel_reqd_sub_group_size(SUB_GROUP))) KERNEL
#else
#define SUB_GROUP_KERNEL KERNEL
#endif
#if defined(cl_khr_subgroup_shuffle)
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#define SHUFFLE(value, lane) sub_group_shuffle(value, lane)
#else
#define SHUFFLE(value, lane) intel_sub_group_shuffle(value, lane)
#endif

// Registers instead of local memory: the sub-group's work-items hold one column
// each of SUB_GROUP columns of A, and hand them to each other by shuffles. The
// barrier keeps the group's sub-groups together, so that the cache serves the
// rows of B to all of them.
SUB_GROUP_KERNEL shuffle(MATRICES) {
  const int lane = get_sub_group_local_id();
  const int row = (get_group_id(1) * GROUP_Y + get_sub_group_id()) * ITEM_M;
  const int column = get_group_id(0) * TILE_N + lane;
  float sum[ITEM_M][ITEM_N] = {{0.0f}};
  for (int first = 0; first < K; first += TILE_K) {
    for (int k = first; k < first + TILE_K; k += SUB_GROUP) {
      float a[ITEM_M];
#pragma unroll
      for (int m = 0; m < ITEM_M; ++m)
        a[m] = A[(row + m) * lda + k + lane];
#pragma unroll
      for (int i = 0; i < SUB_GROUP; ++i) {
        float b[ITEM_N];
#pragma unroll
        for (int n = 0; n < ITEM_N; ++n)
          b[n] = B[(k + i) * ldb + column + n * SUB_GROUP];
#pragma unroll
        for (int m = 0; m < ITEM_M; ++m) {
          const float shared = SHUFFLE(a[m], i);
#pragma unroll
          for (int n = 0; n < ITEM_N; ++n)
            sum[m][n] += shared * b[n];
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int m = 0; m < ITEM_M; ++m)
#pragma unroll
    for (int n = 0; n < ITEM_N; ++n)
      C[(row + m) * ldc + column + n * SUB_GROUP] = sum[m][n];
}

#ifdef cl_intel_subgroups
typedef const __global uint *Block;
#if VECTOR == 1
#define AS_VECTOR as_float
#define AS_BLOCK as_uint
#define READ_BLOCK intel_sub_group_block_read
#define WRITE_BLOCK intel_sub_group_block_write
#else
#define AS_VECTOR JOIN(as_float, VECTOR)
#define AS_BLOCK JOIN(as_uint, VECTOR)
#define READ_BLOCK JOIN(intel_sub_group_block_read, VECTOR)
#define WRITE_BLOCK JOIN(intel_sub_group_block_write, VECTOR)
#endif

// The same with block reads: one message loads consecutive elements for the
// whole sub-group, VECTOR for each work-item.
SUB_GROUP_KERNEL block_read(MATRICES) {
  const int row = (get_group_id(1) * GROUP_Y + get_sub_group_id()) * ITEM_M;
  const int column = get_group_id(0) * TILE_N;
  Vector sum[ITEM_M][ITEM_VECTORS];
#pragma unroll
  for (int m = 0; m < ITEM_M; ++m)
#pragma unroll
    for (int n = 0; n < ITEM_VECTORS; ++n)
      sum[m][n] = 0.0f;
  for (int first = 0; first < K; first += TILE_K) {
    for (int k = first; k < first + TILE_K; k += SUB_GROUP) {
      float a[ITEM_M];
#pragma unroll
      for (int m = 0; m < ITEM_M; ++m)
        a[m] = as_float(
            intel_sub_group_block_read((Block)(A + (row + m) * lda + k)));
#pragma unroll
      for (int i = 0; i < SUB_GROUP; ++i) {
        Vector b[ITEM_VECTORS];
#pragma unroll
        for (int n = 0; n < ITEM_VECTORS; ++n)
          b[n] = AS_VECTOR(READ_BLOCK((Block)(B + (k + i) * ldb + column + n * VECTOR * SUB_GROUP)));
#pragma unroll
        for (int m = 0; m < ITEM_M; ++m) {
          const float shared = SHUFFLE(a[m], i);
#pragma unroll
          for (int n = 0; n < ITEM_VECTORS; ++n)
            sum[m][n] += shared * b[n];
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int m = 0; m < ITEM_M; ++m)
#pragma unroll
    for (int n = 0; n < ITEM_VECTORS; ++n)
      WRITE_BLOCK((__global uint *)(C + (row + m) * ldc + column + n * VECTOR * SUB_GROUP), AS_BLOCK(sum[m][n]));
}
#endif
#endif
