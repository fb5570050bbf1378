#!/usr/bin/env bash
# All lints, or those named: format, tree, shell, coroutine, tidy, weight. Ends with `N passed, N failed`.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit

build=build/lint
passed=0
failed=()

sources() { git ls-files -z --cached --others --exclude-standard -- '*.hpp' '*.cpp'; }

check_format() {
    # The code under tools/lint/cases is wrong on purpose in ways that formatting must not move to other lines.
    sources | grep -zv '^tools/lint/cases/' | xargs -0 -r clang-format-19 --dry-run -Werror 2>&1 |
        sed -nE 's/^([^ :]+):[0-9]+:[0-9]+: error:.*/\1/p' | sort -V | uniq -c |
        awk '{ print "    " $2 " (" $1 ")"; bad = 1 } END { if (bad) print "    mend with: clang-format-19 -i FILE"; exit bad }'
}

check_shell() {
    git ls-files -z -- '*.sh' dev .ci/run | xargs -0 shellcheck --external-sources --exclude=SC2317 # functions are called by name
}

check_coroutine() {
    tools/lint/coroutine_lint.sh --self-test &&
        tools/lint/per_unit.py --build "$build" --name coroutine --containing co_await \
            --depends tools/lint/coroutine_lint.sh -- tools/lint/coroutine_lint.sh "$build"
}

check_tidy() {
    tools/lint/per_unit.py --build "$build" --name tidy --depends .clang-tidy -- clang-tidy-19 --quiet -p "$build"
}

check_tree() { tools/lint/tree.sh; }
check_weight() { tools/lint/build_weight.sh; }

[[ $# -gt 0 ]] || set -- format tree shell coroutine tidy weight
export PYTHONDONTWRITEBYTECODE=1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
mkdir -p "$build"
if ! cmake --preset lint >"$log" 2>&1; then
    cat "$log"
    echo "0 passed, 1 failed"
    exit 1
fi
for step; do
    if [[ $(type -t "check_$step") != function ]]; then
        printf 'there is no lint %s\n' "$step" >&2
        exit 2
    fi
    started=$SECONDS
    if "check_$step" >"$log" 2>&1; then
        passed=$((passed + 1))
        printf '%s: ok (%d s)\n' "$step" $((SECONDS - started))
        tail -n 12 "$log"
    else
        failed+=("$step")
        printf '%s: FAILED (%d s)\n' "$step" $((SECONDS - started))
        cat "$log"
    fi
done
[[ ${#failed[@]} == 0 ]] || printf 'failed: %s\n' "${failed[*]}"
printf '%d passed, %d failed\n' "$passed" "${#failed[@]}"
[[ ${#failed[@]} == 0 ]]
