#!/usr/bin/env bash
# What the files of the tree must not contain, whatever language they are in.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
status=0

# refuse SENTENCE COMMAND...: what the command prints is wrong.
refuse() {
    local sentence=$1 found
    shift
    found=$("$@")
    [[ -z $found ]] && return
    printf '%s:\n' "$sentence"
    printf '%s\n' "$found" | head -n 20 | cut -c1-160 | sed 's/^/    /'
    status=1
}

headers_without_pragma() {
    local file
    git ls-files -z -- '*.hpp' | while IFS= read -r -d '' file; do
        [[ ! -f $file ]] || head -n 1 "$file" | grep -qx '#pragma once' || printf '%s\n' "$file"
    done
}

# A test that waits for a while proves nothing on a slow machine and wastes time on a fast one.
sleeping_tests() {
    git grep -nE 'this_thread::sleep_(for|until)|\busleep\(|\bnanosleep\(' -- '*/tests/*.cpp' '*/tests/*.hpp' 'tests/*' |
        grep -v 'lint: allow (.'
}

refuse "a path of one machine" \
    git grep -nIE '(^|[^A-Za-z0-9_.}-])/(home|root|work|Users)/[A-Za-z0-9_.]' -- ':!LICENSE'
refuse "unfinished by its own words" git grep -nIwE 'TODO|FIXME|XXX' -- ':!tools/lint' ':!*.jsonl'
refuse "space at the end of a line" git grep -nIE '[[:space:]]+$' -- ':!LICENSE' ':!*.jsonl' ':!*/tests/data/*'
refuse "a tab" git grep -nIP '\t' -- '*.hpp' '*.cpp' '*.cmake' '*CMakeLists.txt' '*.py' '*.sh' dev
refuse "a header that does not begin with #pragma once" headers_without_pragma
refuse "a test that sleeps" sleeping_tests

# Not refused: a hint that two things share a file.
git ls-files -z -- '*.hpp' '*.cpp' '*.py' '*.sh' dev | xargs -0 wc -l 2>/dev/null |
    awk '$2 != "total" && $1 > 400 { print "    over 400 lines: " $2 " (" $1 ")" }'
exit $status
