#!/usr/bin/env bash
# What a service costs to compile, and what a subscription adds to a program: seconds and bytes of text of one source
# file with 1 and with 20 handlers, each with message types of its own. Processor seconds are printed and judged by people (goal:
# 20 handlers under 6 s with g++ -O0); text is exact, so it is judged here.
#
#   build_weight.sh [COMPILER...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

limit=$((20 * 1024)) # bytes of text a subscription, optimised
scratch=$(mktemp -d "${TMPDIR:-/tmp}/weir-weight-XXXXXX")
trap 'rm -rf "$scratch"' EXIT

service() { # HANDLERS
    local i
    cat <<'CPP'
#include <weir/weir.hpp>

#include <cstdint>
#include <span>
#include <string>

CPP
    for i in $(seq 1 "$1"); do
        cat <<CPP
struct In$i { std::uint64_t id; std::string customer; double total; };
struct Out$i { std::uint64_t id; std::string text; };
inline constexpr weir::topic<In$i> in$i{"in$i"};
inline constexpr weir::topic<Out$i> out$i{"out$i"};
CPP
        case $((i % 4)) in
            0) echo "weir::outcome on$i(const In$i& in, weir::out<out$i> out) {
    if (in.total < 0) return weir::reject(\"no\");
    out.publish({in.id, in.customer});
    return weir::ack;
}" ;;
            1) echo "void on$i(const In$i&, const weir::context&) {}" ;;
            2) echo "weir::task<void> on$i(const In$i&) { co_return; }" ;;
            3) echo "weir::task<weir::outcome> on$i(std::span<const In$i>) { co_return weir::ack; }" ;;
        esac
    done
    echo 'void wire(weir::application& app) {'
    echo '    auto& memory = app.use(weir::memory::broker{});'
    for i in $(seq 1 "$1"); do
        case $((i % 4)) in
            2) echo "    memory.subscribe(in$i, on$i, weir::workers(4));" ;;
            3) echo "    memory.subscribe(in$i, on$i, weir::batch(64));" ;;
            *) echo "    memory.subscribe(in$i, on$i);" ;;
        esac
    done
    echo '}'
}

for count in 1 20; do service $count >"$scratch/$count.cpp"; done
echo '#include <weir/weir.hpp>' >"$scratch/0.cpp"

status=0
[[ $# -gt 0 ]] || set -- g++ clang++-19
for compiler in "$@"; do
    for level in -O0 -O2; do
        seconds=() text=()
        for count in 0 1 20; do
            : >"$scratch/log"
            # Processor time: on a machine with other work, the clock on the wall says little.
            TIMEFORMAT='%U %S'
            { time "$compiler" -std=c++20 $level -Icore/include -c "$scratch/$count.cpp" -o "$scratch/$count.o" 2>"$scratch/log"; } \
                2>"$scratch/time" || {
                printf '%s: a service with %d handlers does not compile\n' "$compiler" "$count"
                grep -m 3 'error:' "$scratch/log"
                exit 1
            }
            seconds+=("$(awk '{ printf "%.1f", $1 + $2 }' "$scratch/time")")
            text+=("$(size "$scratch/$count.o" | awk 'NR == 2 { print $1 }')")
        done
        each=$(((text[2] - text[1]) / 19))
        printf '%-10s %s  header %s s, 1 handler %s s, 20 handlers %s s;  text %d and %d bytes, %d a subscription\n' \
            "$compiler" "$level" "${seconds[@]}" "${text[1]}" "${text[2]}" "$each"
        if [[ $level == -O2 && $each -gt $limit ]]; then
            printf '    more than %d bytes of text a subscription\n' "$limit"
            status=1
        fi
    done
done
exit $status
