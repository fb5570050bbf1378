#!/usr/bin/env bash
# Finds the coroutine expressions that g++ 12 compiles into something else: a handler that never comes back, a member
# destroyed twice. clang builds all of them correctly and warns of none, so this looks at clang's syntax tree.
#
#   coroutine_lint.sh BUILD_DIRECTORY FILE...      the directory has compile_commands.json
#   coroutine_lint.sh --self-test                  proves on cases/ that every rule fires, and nothing else does
#
# Rules (the safe form of each is in CONTRIBUTING.md, "Coroutines under g++ 12"):
#   await-in-condition            if (co_await f()), and while, do, for, switch alike
#   aggregate-next-to-await       co_await f(Aggregate{...}), co_await f([captures] {...})
#   ternary-with-await            condition ? co_await f() : T(), where the result is of class type
#   initializer-list-with-await   co_await f({1, 2, 3}) through a std::initializer_list
#   await-in-braces               T x{co_await f()} for an aggregate or an array
# A line that ends in `// coroutine-lint: allow (reason)` is left alone.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
query=${CLANG_QUERY:-clang-query-19}

# Matchers start where the text stands in our own files: looking into every system header takes seconds a file.
ours="isExpansionInFileMatching(\"^$root/\")"
await='anyOf(coawaitExpr(), hasDescendant(coawaitExpr()))'
beside_await='anyOf(hasAncestor(coawaitExpr()), hasAncestor(exprWithCleanups(hasDescendant(coawaitExpr()))))'
capturing='lambdaExpr(hasAnyCapture(lambdaCapture()))'

names=(await-in-condition aggregate-next-to-await ternary-with-await initializer-list-with-await await-in-braces)
matchers=(
    "stmt($ours, anyOf(ifStmt(hasCondition($await)), whileStmt(hasCondition($await)), doStmt(hasCondition($await)),
        forStmt(hasCondition($await)), switchStmt(hasCondition($await))))"
    "cxxBindTemporaryExpr($ours, anyOf(has(initListExpr()), has($capturing),
        has(cxxFunctionalCastExpr(has(initListExpr())))), $beside_await)"
    "conditionalOperator($ours, hasDescendant(coawaitExpr()), hasType(cxxRecordDecl()))"
    "cxxStdInitializerListExpr($ours, hasAncestor(exprWithCleanups(hasDescendant(coawaitExpr()))))"
    "initListExpr($ours, hasDescendant(coawaitExpr()))"
)

# findings QUERY_ARGUMENT...: lines `file:line:column: rule`, paths relative to the project.
findings() {
    local arguments=(-c "set output diag" -c "set traversal AsIs" -c "set bind-root false") matcher log
    for matcher in "${matchers[@]}"; do
        arguments+=(-c "match ${matcher//$'\n'/ }.bind(\"x\")")
    done
    log=$(mktemp)
    # A file that does not parse has no tree to look at: that must not pass for a clean one.
    if ! "$query" "${arguments[@]}" "$@" >"$log" 2>&1 || grep -q ' error: ' "$log"; then
        grep ' error: ' "$log" >&2 || cat "$log" >&2
        rm -f "$log"
        return 2
    fi
    awk -v names="${names[*]}" -v prefix="$root/" '
        BEGIN { split(names, rule, " "); current = 1 }
        /^[0-9]+ match(es)?\.$/ { ++current; next }
        /binds here$/ {
            place = $1
            sub(/:$/, "", place)
            if (index(place, prefix) == 1) place = substr(place, length(prefix) + 1)
            print place ": " rule[current]
        }
        END { if (current != length(rule) + 1) { print "the matchers did not all run" > "/dev/stderr"; exit 3 } }
    ' "$log" | sort -u
    rm -f "$log"
}

allowed() { # PLACE: does the line say so?
    local file=${1%%:*} line=${1#*:}
    sed -n "${line%%:*}p" "$root/$file" | grep -q '// coroutine-lint: allow (.'
}

self_test() {
    local problems=0 name file expected found
    for file in "$here"/cases/*.cpp; do
        expected=$(awk 'match($0, /\/\/ finds: /) {
            count = split(substr($0, RSTART + RLENGTH), rules, " ")
            for (i = 1; i <= count; ++i) print FNR, rules[i]
        }' "$file" | sort -u)
        found=$(findings "$file" -- -std=c++20 -w | awk '{ split($1, place, ":"); print place[2], $2 }' | sort -u)
        if [[ $expected != "$found" ]]; then
            printf '%s: lines and rules, expected (<) and found (>)\n' "${file#"$root/"}"
            diff <(printf '%s\n' "$expected") <(printf '%s\n' "$found") || true
            problems=$((problems + 1))
        fi
    done
    for name in "${names[@]}"; do
        grep -qE "// finds: .*\b$name\b" "$here"/cases/*.cpp || {
            printf 'no case shows that %s fires\n' "$name"
            problems=$((problems + 1))
        }
    done
    [[ $problems == 0 ]]
}

if [[ ${1:-} == --self-test ]]; then
    self_test
    exit
fi

build=$1
shift
status=0
for file in "$@"; do
    list=$(findings -p "$build" --extra-arg=-w "$file") || exit 1
    while read -r place rule; do
        [[ -n $place ]] || continue
        allowed "${place%:}" && continue
        printf '%s %s\n' "$place" "$rule"
        status=1
    done <<<"$list"
done
exit $status
