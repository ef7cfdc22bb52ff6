#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# debian_package.sh BUILD FOLDER VERSION [COMMAND...]: makes the Debian package of the build folder BUILD, unpacks it in
# FOLDER/root, looks at what it says of itself, compares it with what CMake installs, and runs COMMAND. The system is left
# as it is. Status 77 where there is no dpkg-deb.
set -euo pipefail

build=$1 folder=$2 version=$3
shift 3
command -v dpkg-deb >/dev/null || { echo "there is no dpkg-deb here"; exit 77; }

rm -rf "$folder"
mkdir -p "$folder"
cpack -G DEB --config "$build/CPackConfig.cmake" -B "$folder"
package=$folder/libsporos-dev_${version}_all.deb
dpkg-deb --info "$package"

expect() { # expect FIELD TEXT
  local actual
  actual=$(dpkg-deb --field "$package" "$1" | sed -n 1p)
  [ "$actual" = "$2" ] || { printf '%s: expected "%s", got "%s"\n' "$1" "$2" "$actual"; exit 1; }
}
expect Package libsporos-dev
expect Version "$version"
expect Architecture all
expect Section libdevel
expect Maintainer "The Sporos developers"
expect Description "Particle-grid transfer, mesh loops and cross-correlation on Kokkos"
expect Recommends "libkokkos-dev (>= 3.4)"
expect Suggests "libfftw3-dev, libmetis-dev, mpi-default-dev, libptscotch-dev"

dpkg-deb -x "$package" "$folder/root"
cmake --install "$build" --prefix "$folder/installed"
cd "$folder"
copyright=share/doc/libsporos-dev/copyright
mkdir -p "installed/${copyright%/*}"
cp "${BASH_SOURCE[0]%/tests/*}/LICENSE" "installed/$copyright"
diff -r installed root/usr
[ ! -e root/usr/lib ] || { echo "what is the same for every architecture does not belong in lib"; exit 1; }
if grep -rlF "$build" root; then
  echo "these name folders of this machine"
  exit 1
fi
"$@"
