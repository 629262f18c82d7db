#!/usr/bin/env bash
# Generates the reference of all public names with Doxygen: build/reference/html/index.html. Any warning is an error.
# --install: installs Doxygen first if it is missing (Debian). A further argument is the output folder.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
install=no out=$root/build/reference
for word in "$@"; do
  case $word in --install) install=yes ;; *) out=$(realpath -m "$word") ;; esac
done
cd "$root"

if ! command -v doxygen >/dev/null 2>&1; then
  if [ $install = no ]; then
    echo "reference: doxygen is missing; run toolchains/make_reference.sh --install" >&2
    exit 77
  fi
  as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends doxygen
fi

rm -rf "$out"
mkdir -p "$out"
version=$(sed -nE 's/.* version\[\] = "(.*)";/\1/p' lib/moreau/version.hpp)
{ cat toolchains/doxygen/Doxyfile; printf 'PROJECT_NUMBER = %s\nOUTPUT_DIRECTORY = "%s"\n' "$version" "$out"; } | doxygen -
echo "reference of moreau $version: $out/html/index.html"
