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
ctest --preset release -j "$(nproc)"

echo "== format"
scripts/format.sh --check

echo "== static checks"
tidy() {
  run-clang-tidy-19 -quiet -p build -j "$(nproc)" "$@" \
    >build/clang-tidy.log 2>&1 || {
    grep -A5 -E 'error:' build/clang-tidy.log
    exit 1
  }
}
tidy "$PWD/(graphs|text|fusion|ga|codegen|system|runtime|driver)/.*\.cpp$"
# All checks take half a minute for each file with Clang's headers; CONTRIBUTING
# has the line that runs them. These find the most.
tidy -checks='-*,bugprone-narrowing-conversions,bugprone-unused-return-value,bugprone-use-after-move,readability-identifier-naming' \
  "$PWD/frontend/.*\.cpp$"

echo "== sanitizers"
# The libraries that hold the thinking; the programs that kfuse writes run under
# sanitizers in the program tests above.
cmake --preset sanitize
cmake --build --preset sanitize \
  --target graphs-tests fusion-tests ga-tests codegen-tests system-tests
ctest --preset sanitize -j "$(nproc)" -R '^(graphs|fusion|ga|codegen|system)$'

echo "== all tests passed"
