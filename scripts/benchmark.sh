#!/bin/sh
# How long kfuse takes for each example, beside Clang parsing the same file
# with the same flags: both sides come from one run on this machine.
#
#   scripts/benchmark.sh [FILE...]      (default: every example)
set -eu
cd "$(dirname "$0")/.."

kfuse=${KFUSE:-build/bin/kfuse}
[ $# -gt 0 ] || set -- examples/*.cu
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# Clang sees the same headers and does the same half of the work: the host side
# of the program, no code generated.
headers=$PWD/frontend/headers
clang="clang++-19 -fsyntax-only -w -x cuda --cuda-host-only -nocudalib \
--cuda-path=/nonexistent -nocudainc -I $headers/cuda \
-idirafter $headers/fallback -include $headers/cuda/kfuse_prelude.h"

printf '%-24s %14s %14s %8s\n' file 'kfuse [ms]' 'clang [ms]' ratio
for file in "$@"; do
  hyperfine -N --warmup 2 --style none --export-json "$out/times.json" \
    "$kfuse --quiet $file -o $out/fused.cu" "$clang $file" >/dev/null
  python3 - "$out/times.json" "$(basename "$file")" <<'PYTHON'
import json
import sys

ours, clangs = json.load(open(sys.argv[1]))["results"]


def show(result):
    return f"{1e3 * result['mean']:.0f} ± {1e3 * result['stddev']:.0f}"


print(
    f"{sys.argv[2]:<24} {show(ours):>14} {show(clangs):>14} "
    f"{ours['mean'] / clangs['mean']:>8.2f}"
)
PYTHON
done
