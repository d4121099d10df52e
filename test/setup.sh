# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What test/demo and test/all share: installs what is missing on Debian 12, configures, builds.
#
#   . test/setup.sh; busfare_build [TARGET...]
#
# BUILD (default: build) is the build folder, JOBS (default: the processors, at most one a gigabyte and a half of memory)
# how many compilers run at once. All of it is noise and goes to standard error.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${BUILD:-$top/build}
case $build in /*) ;; *) build=$PWD/$build ;; esac

busfare_packages="clang-19 clang-format-19 clang-tools-19 llvm-19-dev libclang-19-dev llvm-19-tools libpolly-19-dev libzstd-dev zlib1g-dev libsqlite3-dev libomp-19-dev libmimalloc-dev libopenblas0-pthread
  cmake ninja-build make ccache distcc g++ libgtest-dev libgmock-dev python3 python3-jsonschema chromium"

busfare_install() {
  local package missing=
  if ! command -v dpkg-query >/dev/null; then
    echo "busfare: this is no Debian; have these packages' like at hand: $busfare_packages" >&2
    return 0
  fi
  for package in $busfare_packages; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
  done
  command -v npm >/dev/null || missing="$missing npm" # Debian's, where there is none: others come in a package of another name
  [ -n "$missing" ] || return 0
  echo "busfare: installing$missing" >&2
  local root=
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "busfare: run as root, or install first:$missing" >&2
      return 2
    fi
    root="sudo"
  fi
  $root env DEBIAN_FRONTEND=noninteractive apt-get update -qq </dev/null >&2 || return 2
  # shellcheck disable=SC2086
  $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing </dev/null >&2 || return 2
}

busfare_jobs() {
  local processors memory
  processors=$(nproc)
  memory=$(awk '/MemAvailable/ { print int($2 / 1500000) }' /proc/meminfo 2>/dev/null || echo 1)
  [ "${memory:-1}" -ge 1 ] || memory=1
  [ "$processors" -le "$memory" ] && echo "$processors" || echo "$memory"
}

busfare_build() {
  busfare_install || return $?
  cmake -S "$top" -B "$build" -G Ninja </dev/null >&2 || return 2
  cmake --build "$build" -j "${JOBS:-$(busfare_jobs)}" ${1:+--target "$@"} </dev/null >&2
}
