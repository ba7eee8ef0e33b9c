#!/usr/bin/env bash
# Chains of bodies: power series against SciPy's VODE, LSODA and DOP853 on the same
# chains at equal accuracy, one after the other in one go.
#
#   benches/chain.sh [RTOL]...
#
# SciPy comes as pinned in chain-requirements.txt, in a virtual environment under the
# target folder. The peers' times are with a right-hand side in NumPy, and with its
# share taken off; the shortest of several runs counts, and ratios hold within a table.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v python3 >/dev/null; then
    echo "chain: python3 is not installed, so nothing is measured"
    exit 0
fi
build=$(pwd)/${CARGO_TARGET_DIR:-target}/chain
mkdir -p "$build"
if [[ ! $build/installed -nt benches/chain-requirements.txt ]]; then
    python3 -m venv "$build/environment"
    "$build/environment/bin/pip" install --quiet -r benches/chain-requirements.txt
    touch "$build/installed"
fi
ROUTH_CHAINS=$build/chains.json cargo bench --quiet -p routh-benches --bench chain
"$build/environment/bin/python3" benches/chain.py "$build/chains.json" "$@" >"$build/peers.json"
ROUTH_PEERS=$build/peers.json cargo bench --quiet -p routh-benches --bench chain
