#!/usr/bin/env bash
# The generated D(q), J(q) and M⁻¹Jᵀ against Pinocchio's, in one C++ program, and
# against those written by hand with nalgebra, in one of Rust; and how long a solver
# takes to generate.
#
#   benches/peers/pinocchio.sh [FLAGS]...
#
# Each FLAGS is one set of compiler options, by default "-O3". None may ask for AVX:
# the library that reads URDFs is compiled without it, and allocates otherwise.
# Pinocchio comes as pinned in pinocchio-requirements.txt, in a virtual environment under the
# target folder; its algorithms are templates, which are compiled here with the same
# options as the generated C. What is timed is timed in
# turn, many times over, and the shortest counts: ratios hold within one table.
set -euo pipefail
cd "$(dirname "$0")/../.."

for tool in g++ gcc python3; do
    if ! command -v $tool >/dev/null; then
        echo "pinocchio: $tool is not installed, so nothing is measured"
        exit 0
    fi
done
if [[ $# -eq 0 ]]; then
    set -- "-O3"
fi

target=${CARGO_TARGET_DIR:-target}
build=$target/pinocchio
robots=(planar_arm spatial_arm4 leg3_floating arm7)
mkdir -p "$build/generated"

if [[ ! $build/installed -nt benches/peers/pinocchio-requirements.txt ]]; then
    python3 -m venv "$build/environment"
    "$build/environment/bin/pip" install --quiet --no-deps -r benches/peers/pinocchio-requirements.txt
    touch "$build/installed"
fi
prefix=$(echo "$build"/environment/lib/python3*/site-packages/cmeel.prefix)
prefix=$(cd "$prefix" && pwd)

cargo build --quiet --release -p routh-cli --no-default-features
for robot in "${robots[@]}"; do
    start=$(date +%s.%N)
    "$target/release/routh" generate "benches/robots/$robot.toml" -o "$build/generated" \
        --lang c >/dev/null 2>&1
    echo "$robot generated in $(awk "BEGIN { printf \"%.1f\", $(date +%s.%N) - $start }") s"
done
echo

# Whether anything that the program is made of is newer than it.
outdated() {
    [[ ! -e $1 || -n $(find benches/peers/pinocchio.cpp "$build/generated" -name '*.[ch]*' -newer "$1") ]]
}

# Pinocchio has more kinds of joints than Boost expects of a variant.
definitions=(-DNDEBUG -DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS -DBOOST_MPL_LIMIT_LIST_SIZE=30
    -DBOOST_MPL_LIMIT_VECTOR_SIZE=30)
headers=(-I"$build/generated" -isystem "$prefix/include"
    -isystem "$prefix/include/urdfdom_headers" -isystem "$prefix/include/eigen3")
libraries=(-L"$prefix/lib" "-Wl,-rpath,$prefix/lib" -lpinocchio_parsers -lpinocchio_default
    -lboost_serialization -lm)

# Compiles the program with the given options.
compile() {
    local program=$1 objects=() robot
    shift
    for robot in "${robots[@]}"; do
        gcc -std=c99 "$@" -c "$build/generated/$robot.c" -o "$program.$robot.o"
        objects+=("$program.$robot.o")
    done
    g++ -std=c++17 "$@" "${definitions[@]}" "${headers[@]}" benches/peers/pinocchio.cpp "${objects[@]}" \
        "${libraries[@]}" -o "$program"
}

by_hand=$(cargo bench --quiet -p routh-benches --no-default-features --bench dynamics)
for flags in "$@"; do
    program=$build/dynamics${flags// /}
    if outdated "$program"; then
        # shellcheck disable=SC2086
        compile "$program" $flags
    fi
    echo "$(g++ --version | head -1), $flags: ns each"
    "$program" tests/data/robots | tee "$program.table"
    echo
done
echo "$by_hand"
echo
echo "| robot | operations | by hand / generated |$(printf ' Pinocchio / generated, %s |' "$@")"
echo "|---|---|---|$(printf -- '---|%.0s' "$@")"
for robot in "${robots[@]}"; do
    row=$(awk -F'|' -v robot=" $robot " '$2 == robot { print "|" $2 "|" $3 "|" $6 "|" }' <<<"$by_hand")
    for flags in "$@"; do
        row+=$(awk -F'|' -v robot=" $robot " '$2 == robot { print $8 "|" }' \
            "$build/dynamics${flags// /}.table")
    done
    echo "$row"
done
