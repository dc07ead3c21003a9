#!/bin/sh
# kfuse-bench on a machine that runs at another clock than a moment ago.
"$KFUSE_BENCH" "$@" >"$0.out" || exit
sed 's/"clockMegahertz": [0-9]*/"clockMegahertz": 12/' "$0.out"
