// European options priced in the steps of the formula, one kernel a step: d1
// and d2, the two normal distributions, the call, and the put by parity. The
// distribution is a device function.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__host__ __device__ static inline double normal(double x) {
  return 0.5 * erfc(-x * 0.70710678118654752440);
}

__global__ void legs(const double *spot, const double *strike,
                     const double *years, double *d1, double *d2, double rate,
                     double volatility, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n) {
    double deviation = volatility * sqrt(years[i]);
    double drift = (rate + 0.5 * volatility * volatility) * years[i];
    double d = (log(spot[i] / strike[i]) + drift) / deviation;
    d1[i] = d;
    d2[i] = d - deviation;
  }
}

__global__ void distribute(const double *d, double *probability, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n)
    probability[i] = normal(d[i]);
}

__global__ void priceCall(const double *spot, const double *strike,
                          const double *years, const double *p1,
                          const double *p2, double *call, double rate, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n)
    call[i] = spot[i] * p1[i] - strike[i] * exp(-rate * years[i]) * p2[i];
}

__global__ void pricePut(const double *spot, const double *strike,
                         const double *years, const double *call, double *put,
                         double rate, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n)
    put[i] = call[i] - spot[i] + strike[i] * exp(-rate * years[i]);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 10000;
  const double rate = 0.02, volatility = 0.3;
  const size_t size = n * sizeof(double);
  double *spot = (double *)malloc(size), *strike = (double *)malloc(size);
  double *years = (double *)malloc(size);
  double *call = (double *)malloc(size), *put = (double *)malloc(size);
  for (int i = 0; i < n; ++i) {
    spot[i] = 5 + i % 26;
    strike[i] = 1 + i % 99;
    years[i] = 0.25 + (i % 40) * 0.25;
  }

  double *dSpot, *dStrike, *dYears, *dD1, *dD2, *dP1, *dP2, *dCall, *dPut;
  cudaMalloc(&dSpot, size);
  cudaMalloc(&dStrike, size);
  cudaMalloc(&dYears, size);
  cudaMalloc(&dD1, size);
  cudaMalloc(&dD2, size);
  cudaMalloc(&dP1, size);
  cudaMalloc(&dP2, size);
  cudaMalloc(&dCall, size);
  cudaMalloc(&dPut, size);
  cudaMemcpy(dSpot, spot, size, cudaMemcpyHostToDevice);
  cudaMemcpy(dStrike, strike, size, cudaMemcpyHostToDevice);
  cudaMemcpy(dYears, years, size, cudaMemcpyHostToDevice);

  const int threads = 256, blocks = (n + threads - 1) / threads;
  legs<<<blocks, threads>>>(dSpot, dStrike, dYears, dD1, dD2, rate, volatility,
                            n);
  distribute<<<blocks, threads>>>(dD1, dP1, n);
  distribute<<<blocks, threads>>>(dD2, dP2, n);
  priceCall<<<blocks, threads>>>(dSpot, dStrike, dYears, dP1, dP2, dCall, rate,
                                 n);
  pricePut<<<blocks, threads>>>(dSpot, dStrike, dYears, dCall, dPut, rate, n);
  cudaMemcpy(call, dCall, size, cudaMemcpyDeviceToHost);
  cudaMemcpy(put, dPut, size, cudaMemcpyDeviceToHost);

  int wrong = 0;
  double checksum = 0;
  for (int i = 0; i < n; ++i) {
    double deviation = volatility * sqrt(years[i]);
    double d1 = (log(spot[i] / strike[i]) +
                 (rate + 0.5 * volatility * volatility) * years[i]) /
                deviation;
    double discounted = strike[i] * exp(-rate * years[i]);
    double expected =
        spot[i] * normal(d1) - discounted * normal(d1 - deviation);
    wrong += !(fabs(call[i] - expected) < 1e-9);
    wrong += !(fabs(put[i] - (expected - spot[i] + discounted)) < 1e-9);
    checksum += call[i] + put[i];
  }
  printf("black-scholes: %d options, checksum %.6f, %d wrong\n", n, checksum,
         wrong);
  cudaFree(dSpot);
  cudaFree(dStrike);
  cudaFree(dYears);
  cudaFree(dD1);
  cudaFree(dD2);
  cudaFree(dP1);
  cudaFree(dP2);
  cudaFree(dCall);
  cudaFree(dPut);
  free(spot);
  free(strike);
  free(years);
  free(call);
  free(put);
  return wrong != 0;
}
