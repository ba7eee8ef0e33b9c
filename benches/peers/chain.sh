#!/usr/bin/env bash
# Chains of bodies: power series against SciPy's VODE, LSODA and DOP853 on the same
# chains at equal accuracy, one after the other in one go.
#
#   benches/peers/chain.sh [RTOL]...
#
# SciPy comes as pinned in requirements.txt, in a virtual environment under the target
# folder. The peers' times are with a right-hand side in NumPy, and with its share taken
# off; the shortest of several runs counts, and ratios hold within a table.
set -euo pipefail
cd "$(dirname "$0")/../.."

# shellcheck source=environment
source benches/peers/environment
if [[ -z $python ]]; then
    echo "chain: python3 is not installed, so nothing is measured"
    exit 0
fi
ROUTH_CHAINS=$build/chains.json cargo bench --quiet -p routh-benches --bench chain
"$python" benches/peers/chain.py "$build/chains.json" "$@" >"$build/chain-peers.json"
ROUTH_PEERS=$build/chain-peers.json cargo bench --quiet -p routh-benches --bench chain
