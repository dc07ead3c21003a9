#!/bin/sh
# Installs what is missing, builds, and runs every test: the release build's
# unit and program tests, the unit tests and the traps once more under
# sanitizers, the format and the static checks.
set -eu
cd "$(dirname "$0")/.."

scripts/setup.sh

echo "== release build"
cmake --preset release
cmake --build --preset release
ctest --preset release

echo "== format"
scripts/format.sh --check

echo "== static checks"
# Legality, cost and code generation: where a defect costs most. With
# Clang's headers each file takes half a minute. CONTRIBUTING has the line for
# the others.
run-clang-tidy-19 -quiet -p build -j "$(nproc)" \
  "$PWD/(fusion|codegen)/.*\.cpp$" \
  >build/clang-tidy.log 2>&1 || {
  grep -vE 'warnings generated|clang-tidy-19' build/clang-tidy.log
  exit 1
}

echo "== sanitizers"
# The libraries that hold the thinking; the programs that kfuse writes run under
# sanitizers in the program tests above.
cmake --preset sanitize
cmake --build --preset sanitize \
  --target graphs-tests fusion-tests ga-tests codegen-tests
ctest --preset sanitize -R '^(graphs|fusion|ga|codegen)$'

echo "== all tests passed"
