// RUN: %kfuse verify %s
//
// Arrays that travel as members of a struct by value, and elements that are
// structs themselves.
#include <cstdio>

struct Cell {
  float mass, charge;
  int kind;
};

struct Field {
  Cell *cells;
  float *force;
  int count;
};

__global__ void prepare(Field field) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= field.count)
    return;
  Cell cell = {0.5f * i, 2.0f - i % 3, i % 2};
  field.cells[i] = cell;
}

__global__ void push(Field field, float strength) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= field.count)
    return;
  Cell cell = field.cells[i];
  field.force[i] = cell.charge * strength / (1 + cell.mass);
}

__global__ void settle(Field field) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= field.count)
    return;
  field.cells[i].mass += field.force[i];
}

int main() {
  Field field;
  field.count = 700;
  cudaMalloc(&field.cells, field.count * sizeof(Cell));
  cudaMalloc(&field.force, field.count * sizeof(float));
  prepare<<<6, 128>>>(field);
  push<<<6, 128>>>(field, 1.5f);
  settle<<<6, 128>>>(field);
  Cell cells[700];
  cudaMemcpy(cells, field.cells, sizeof(cells), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (const Cell &cell : cells)
    sum += cell.mass + cell.charge + cell.kind;
  printf("%f\n", sum);
  cudaFree(field.cells);
  cudaFree(field.force);
}
