// Launches in included files, by relative name and from -I, errors at the
// user's lines, objects, nvcc's flags, and files kept.
// RUN: %kfuse-cpu %s -I%S/Inputs -o %t && %t | FileCheck %s
// RUN: cd %S && %kfuse-cpu includes.cu -IInputs --keep=%t.kept -o %t && %t | FileCheck %s
// RUN: find %t.kept -name helpers.cuh | count 1
// RUN: cp %s %t.cu
// RUN: %kfuse-cpu -c %t.cu -I %S -I %S/Inputs -o %t.o -arch=sm_90 -Xptxas -v -std=c++14 -lineinfo
// RUN: %kfuse-cpu -c %S/Inputs/part.cu -I %S/Inputs -o %t.part.o
// RUN: not %kfuse-cpu %s -I%S/Inputs -DWRONG -o %t.wrong 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: not %kfuse-cpu %S/absent.cu -o %t.wrong 2>&1 | FileCheck --check-prefix=ABSENT %s
// RUN: not %kfuse-cpu 2>&1 | FileCheck --check-prefix=USAGE %s
#include "Inputs/kernels.cuh"
#include "Inputs/part.cu"
#include <cstdio>

int main() {
  int *p;
  cudaMallocManaged(&p, 40 * sizeof(int));
  for (int i = 0; i < 40; ++i)
    p[i] = i;
  scaleAll(p, 3, 40);
  incrementAll(p, 40);
  // CHECK: 1 118
  printf("%d %d\n", p[0], p[39]);
}
// WRONG: helpers.cuh:9:3: error: use of undeclared identifier 'undeclared'
// ABSENT: error: cannot read '{{.*}}absent.cu'
// USAGE: error: no source file
