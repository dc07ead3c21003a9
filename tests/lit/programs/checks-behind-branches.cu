// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s -- 0 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 1 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: {{^}}verified: original and fused leave equal traces and output
//
// Checks that only report errors, as blocks of a macro, stand between a branch
// and the launches beside it: they go into the arms with these.

// CHECK: 4 launches -> 1
// CHECK-DAG: kfuse_wind_drag_{{.*}} = 'wind', 'drag', 'sponge', 'energy'
// CHECK-DAG: kfuse_wind_drag_{{.*}} = 'wind', 'drag', 'drag', 'energy'

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call) { report((call), __FILE__, __LINE__); }
static void report(cudaError_t code, const char *file, int line, bool ends = true)
{
	if (code != cudaSuccess)
	{
		fprintf(stderr, "%s %s %d\n", cudaGetErrorString(code), file, line);
		if (ends) exit(code);
	}
}

__global__ void wind(float *u, const float *w, float dt, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) u[i] += w[i] * dt;
}

__global__ void drag(float *u, float k, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) u[i] *= k;
}

__global__ void sponge(float *u, const float *s, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) u[i] *= s[i];
}

__global__ void energy(const float *u, float *e, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) e[i] = u[i] * u[i];
}

// OUT-LABEL: int main(
// OUT: if (t % 2 == 0) {
// OUT-NEXT: kfuse_wind_drag_
// OUT: CHECK(cudaPeekAtLastError());
// OUT-NEXT: } else {
// OUT-NEXT: kfuse_wind_drag_
// OUT: CHECK(cudaPeekAtLastError());
// OUT-NEXT: }
// OUT-NEXT: CHECK(cudaPeekAtLastError());
// OUT-NEXT: CHECK(cudaMemcpy(host, e,
int main(int, char **argv)
{
	int t = atoi(argv[1]);
	const bool rough = t < 5;
	const int n = 3000;
	static float host[n];
	for (int i = 0; i < n; ++i)
		host[i] = 0.001f * (i % 97);
	float *u, *w, *s, *e;
	CHECK(cudaMalloc(&u, sizeof(host)));
	CHECK(cudaMalloc(&w, sizeof(host)));
	CHECK(cudaMalloc(&s, sizeof(host)));
	CHECK(cudaMalloc(&e, sizeof(host)));
	CHECK(cudaMemcpy(u, host, sizeof(host), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(w, host, sizeof(host), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(s, host, sizeof(host), cudaMemcpyHostToDevice));
	wind<<<12, 256>>>(u, w, 0.1f, n);
	CHECK(cudaPeekAtLastError());
	if (rough)
	{
		drag<<<12, 256>>>(u, 0.9f, n);
		CHECK(cudaPeekAtLastError());
	}
	if (t % 2 == 0)
		sponge<<<12, 256>>>(u, s, n);
	else
		drag<<<12, 256>>>(u, 0.5f, n);
	CHECK(cudaPeekAtLastError());
	energy<<<12, 256>>>(u, e, n);
	CHECK(cudaPeekAtLastError());
	CHECK(cudaMemcpy(host, e, sizeof(host), cudaMemcpyDeviceToHost));
	printf("%g %g\n", host[5], host[77]);
}
