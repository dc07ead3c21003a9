#!/bin/sh
# Formats the C++ of the project in place; with --check it only complains.
# Inputs of tests and examples keep the shape they were written in.
set -eu
cd "$(dirname "$0")/.."

mode=-i
if [ "${1-}" = --check ]; then
  mode='--dry-run -Werror'
fi
# shellcheck disable=SC2086 # two options in one variable
git ls-files -co --exclude-standard -- \
  'graphs/*.cpp' 'graphs/*.h' 'text/*.cpp' 'text/*.h' 'profile/*.cpp' 'profile/*.h' \
  'fusion/*.cpp' 'fusion/*.h' 'ga/*.cpp' 'ga/*.h' \
  'frontend/*.cpp' 'frontend/*.h' 'codegen/*.cpp' 'codegen/*.h' \
  'system/*.cpp' 'system/*.h' 'runtime/*.cpp' 'runtime/*.h' \
  'driver/*.cpp' 'driver/*.h' 'bench/*.cpp' 'bench/*.h' 'tests/unit/*.cpp' 'tests/unit/*.h' \
  'tests/isl/*.cpp' 'tests/smt/*.cpp' 'tests/search/*.cpp' |
  xargs clang-format-19 $mode
