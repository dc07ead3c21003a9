// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT --strict-whitespace
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: {{^}}verified: original and fused leave equal traces and output
//
// A launch that is indented by tabs, under a test that needs several lines.

// CHECK: 2 launches -> 1

#include <cstdio>
#include <cuda_runtime.h>

static __global__ void negate(float *r, const float *f)
{
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	r[i] = -f[i];
}

static __global__ void twice(float *x, const float *r)
{
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	x[i] = 2 * r[i];
}

// OUT-LABEL: {{^}}void step(
// OUT-NEXT: {{^{$}}
// OUT-NEXT: {{^	}}if (
// OUT: kfuseDisjoint(
// OUT: {{^		}}kfuse_negate_twice<<<
// OUT: {{^	}}} else {
// OUT-NEXT: {{^		}}negate<<<ny, nx>>>(b, a);
// OUT-NEXT: {{^		}}twice<<<ny, nx>>>(c, b);
// OUT-NEXT: {{^	}}}
void step(float *a, float *b, float *c, int nx, int ny)
{
	negate<<<ny, nx>>>(b, a);
	twice<<<ny, nx>>>(c, b);
}

int main(int argc, char **)
{
	float *m, h;
	cudaMalloc(&m, 3 * 1024 * sizeof(float));
	cudaMemset(m, 1, 3 * 1024 * sizeof(float));
	step(m, m + 1024, m + 2048, 63 + argc, 8);
	cudaMemcpy(&h, m + 2048, sizeof(float), cudaMemcpyDeviceToHost);
	printf("%g\n", h);
}
