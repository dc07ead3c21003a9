//===- common.cl - What all kernels begin with ----------------------------===//
//
// C = A B in single precision: A has M rows and K columns, B has K and N. All
// are row-major; their rows begin lda, ldb and ldc elements apart. The host
// pads the matrices with zeros to whole tiles, so no kernel tests a bound.
//
// Each kernel is a program of this file and its own, built with its tile as
// macros:
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
#endif
