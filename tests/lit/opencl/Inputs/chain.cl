// Chains of element-wise kernels, for programs that read them when they run.
#define BIAS 0.5f

float biased(float x) { return x + BIAS; }

kernel void square(global const float *in, global float *out, uint count) {
  uint i = get_global_id(0);
  if (i < count)
    out[i] = in[i] * biased(in[i]);
}

kernel void add(global const float *left, global const float *right,
                global float *out, uint count) {
  uint i = get_global_id(0);
  if (i < count)
    out[i] = left[i] + right[i];
}
