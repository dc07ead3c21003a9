#!/bin/sh
# Installs what is missing, builds, and runs every test: the release build's
# unit and program tests, the format, the static checks of what has changed, and
# the unit tests once more under sanitizers.
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
python3 scripts/static-checks.py

echo "== sanitizers"
# The libraries that hold the thinking; the programs that kfuse writes run under
# sanitizers in the program tests above.
cmake --preset sanitize
cmake --build --preset sanitize \
  --target graphs-tests fusion-tests ga-tests codegen-tests system-tests \
  bench-tests profile-tests
ctest --preset sanitize -j "$(nproc)" \
  -R '^(graphs|fusion|ga|codegen|system|bench|profile)$'

echo "== all tests passed"
