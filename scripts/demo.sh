#!/bin/sh
# From a fresh Debian 12 to a fused program: installs, builds, fuses the
# nine-kernel example, runs the original and the fused program and compares every
# byte that the host can see. In the end it measures an OpenCL example and what
# kfuse makes of it, on PoCL. Needs no GPU.
set -eu
cd "$(dirname "$0")/.."

scripts/setup.sh
echo "== building kfuse"
[ -f build/build.ninja ] || cmake --preset release >build.log 2>&1 || {
  cat build.log
  exit 1
}
rm -f build.log
cmake --build --preset release --target kfuse kfuse-cpu kfuse-bench \
  precompiled-executor

out=build/demo
mkdir -p "$out"
echo
echo "== fusing examples/nine-kernels.cu"
# The CPU contracts no sums, as a compiler that is asked may.
build/bin/kfuse examples/nine-kernels.cu -o "$out/nine-kernels.cu" --nvcc=none \
  --dot="$out/graphs" -Rkfuse

echo
echo "== running both on the CPU"
build/bin/kfuse-cpu examples/nine-kernels.cu -o "$out/original"
build/bin/kfuse-cpu "$out/nine-kernels.cu" -o "$out/fused"
printf 'original: ' && "$out/original"
printf 'fused:    ' && "$out/fused"

echo
echo "== verifying: three thread orders, every array byte for byte"
build/bin/kfuse verify examples/nine-kernels.cu

echo
echo "== measuring Adam in OpenCL on PoCL, original and fused in turns"
build/bin/kfuse-bench compare -p portable -t cpu --seconds=5 \
  --profile="$out/profile.json" examples/opencl-adam.c -- 2000000 3 \
  >"$out/comparison.txt"
head -n 4 "$out/comparison.txt"
build/bin/kfuse-bench roofline --quick -p portable -t cpu -o "$out/device.json" \
  >"$out/device.txt"
build/bin/kfuse examples/opencl-adam.c --device="$out/device.json" --quiet \
  --profile="$out/profile.json" --emit=json >"$out/plan.json"
build/bin/kfuse-bench draw "$out/device.json" --kernels="$out/plan.json" \
  --unit=fp32 --svg="$out/roofline.svg" >"$out/roofline.txt"

for graph in "$out"/graphs/*.dot; do
  dot -Tsvg "$graph" -o "${graph%.dot}.svg"
done
echo
echo "The comparison by kernels: $out/comparison.txt"
echo "The roofline:              $out/roofline.svg"
echo "The fused program:         $out/nine-kernels.cu"
echo "The graphs, to look at:    $(echo "$out"/graphs/*.svg)"
