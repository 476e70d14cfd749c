#!/usr/bin/env bash
# The path of a newcomer, with seconds: a fresh environment, a first certificate, its LaTeX, its page.
#
#   tools/newcomer.sh [TARGET]
#
# Everything happens in a temporary folder, which is removed. pip needs a network, or a cache.
set -euo pipefail
target=${1:-"x**2*y + y**3"}
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

total=0
step() {
  local begun ended
  begun=$(date +%s%N)
  "${@:2}" >"$folder/said" 2>&1 || { cat "$folder/said"; exit 1; }
  ended=$(date +%s%N)
  total=$((total + ended - begun))
  printf '%8.1f s   %s\n' "$(((ended - begun) / 100000000))e-1" "$1"
}

step "python3 -m venv, pip install ." bash -c "${PYTHON:-python3} -m venv venv && venv/bin/pip install -q '$source'"
step "rankproof certify \"$target\"" venv/bin/rankproof certify "$target" -o first.json
step "rankproof verify first.json" venv/bin/rankproof verify first.json
step "rankproof show first.json --latex first.tex" venv/bin/rankproof show first.json --latex first.tex
step "rankproof show first.json --html first.html" venv/bin/rankproof show first.json --html first.html
printf '%8.1f s   altogether\n' "$((total / 100000000))e-1"
venv/bin/rankproof verify first.json
wc -c first.json first.tex first.html | head -3
