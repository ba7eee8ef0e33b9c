#!/usr/bin/env bash
# Instructions of one expansion and of one whole step, by order, as callgrind
# counts them; beside each expansion the operations that its header states.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v valgrind >/dev/null; then
    echo "instructions: valgrind is not installed, so nothing is counted"
    exit 0
fi

built=$(cargo bench -p routh-benches --bench instructions --no-run --message-format=json)
program=$(grep -o '"executable":"[^"]*instructions-[^"]*"' <<<"$built" | tail -1 | cut -d'"' -f4)
generated=$(grep '"build-script-executed"' <<<"$built" | grep -o '"out_dir":"[^"]*routh-[^"]*"' |
    tail -1 | cut -d'"' -f4)/kernels.rs

# Instructions of one run of the program.
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$@" 2>&1 |
        sed -n 's/.*Collected : //p'
}

# Instructions of one repetition, given what comes before and after their number.
each() {
    local times=1000
    local name=$1 order=$2
    shift 2
    local none some
    none=$(count "$name" "$order" 0 "$@")
    some=$(count "$name" "$order" $times "$@")
    echo $(((some - none) / times))
}

operations() {
    sed -n "s|^// $1: \([0-9]*\) operations.*|\1|p" "$generated"
}

echo "| expansion | order | operations | straight line | per operation | loops |"
echo "|---|---|---|---|---|---|"
for kernel in velocity works stretched_velocity stretched_works; do
    for order in 12 16 20 24; do
        stated=$(operations "${kernel}_$order")
        straight=$(each $kernel $order)
        loops=$(each ${kernel}_any $order)
        ratio=$(awk "BEGIN { printf \"%.2f\", $straight / $stated }")
        echo "| $kernel | $order | $stated | $straight | $ratio | $loops |"
    done
done

echo
echo "| whole step | order | instructions |"
echo "|---|---|---|"
for kind in steps stretched_steps; do
    for order in 12 16 20 24 32; do
        few=$(each $kind $order 2)
        many=$(each $kind $order 8)
        echo "| $kind | $order | $(((many - few) / 6)) |"
    done
done
