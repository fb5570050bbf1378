#!/usr/bin/env bash
# Installs a built Weir into a fresh prefix, moves it, and builds separate projects against it: with find_package, with
# pkg-config and, from the sources, with add_subdirectory. Every program runs. Asking for a component that was not
# built must say so in one sentence.
#
#   run.sh BUILD_DIRECTORY COMPILER
set -euo pipefail

build=$(cd "$1" && pwd)
compiler=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/../.." && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/weir-install-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
passed=0
failed=0

# check NAME COMMAND...: runs it, says what it printed if it fails.
check() {
    local name=$1
    shift
    if "$@" >"$scratch/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED %s\n' "$name"
        sed 's/^/    /' "$scratch/log"
    fi
}

configure() { # PROJECT ARGUMENTS...
    local project=$1
    shift
    cmake -S "$here/$project" -B "$scratch/$project" -G Ninja -DCMAKE_BUILD_TYPE=Debug \
        -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache || true)" "$@"
}

find_package_consumer() {
    configure find_package -DCMAKE_PREFIX_PATH="$scratch/moved" &&
        cmake --build "$scratch/find_package" &&
        "$scratch/find_package/consumer" && "$scratch/find_package/consumer_of_everything"
}

subdirectory_consumer() {
    configure subdirectory -DWEIR_SOURCE="$source" &&
        cmake --build "$scratch/subdirectory" --target consumer &&
        "$scratch/subdirectory/consumer"
}

pkg_config_consumer() (
    pc=$(find "$scratch/moved" -name weir-core.pc)
    export PKG_CONFIG_PATH=${pc%/*}
    export LD_LIBRARY_PATH=${pc%/*/*} # for a Weir built as shared libraries
    # Word splitting is what pkg-config's output is for.
    flags=$(pkg-config --cflags --libs weir-core)
    # shellcheck disable=SC2086
    "$compiler" -std=c++20 "$here/main.cpp" $flags -o "$scratch/pkg_config" && "$scratch/pkg_config" &&
        [[ $(pkg-config --modversion weir-core) == "$("$scratch/pkg_config" | sed -E 's/^weir ([0-9.]+).*/\1/')" ]]
)

missing_component() {
    if configure missing_component -DCMAKE_PREFIX_PATH="$scratch/moved"; then
        echo "a component that does not exist was found"
        return 1
    fi >"$scratch/missing" 2>&1
    tr -s ' \n' ' ' <"$scratch/missing" >"$scratch/missing.line"
    cat "$scratch/missing"
    grep -qE "this weir was built without the 'telepathy' component \(has: core[a-z_ ]*\)" "$scratch/missing.line"
}

# Nothing installed may know where it was built or first installed.
no_foreign_paths() {
    ! grep -rIlF -e "$build/" -e "$source/core/" -e "$scratch/first" "$scratch/moved"
}

check "install" cmake --install "$build" --prefix "$scratch/first"
mv "$scratch/first" "$scratch/moved"
check "no paths of the build in installed files" no_foreign_paths
check "find_package" find_package_consumer
check "pkg-config" pkg_config_consumer
check "a missing component" missing_component
check "add_subdirectory" subdirectory_consumer

printf '%d passed, %d failed\n' "$passed" "$failed"
[[ $failed == 0 ]]
