#!/usr/bin/env bash
# A sweep on all processors of one machine with GNU parallel: parallel.sh FOLDER OUT [SHARDS]. Stop it and start it again as often as needed.
set -euo pipefail
zoo=$1 out=$2 shards=${3:-16}
to=${TO:-linalg-on-tensors,tosa,stablehlo}
mkdir -p "$out"

# 1 says that some programs do not lower, which the report says too; anything else stops the sweep.
one() {
  fxscope-cli sweep "$1" --to "$2" --shard "$3/$4" --resume -o "$5/$3.jsonl" || [ $? -eq 1 ]
}
export -f one
export SHELL=/bin/bash

seq "$shards" | parallel --halt soon,fail=1 --jobs "${JOBS:-100%}" one "$zoo" "$to" {} "$shards" "$out"
fxscope-cli sweep report "$out"/*.jsonl --format html -o "$out/report.html"
fxscope-cli sweep report "$out"/*.jsonl
