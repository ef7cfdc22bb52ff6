#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The part of bootstrap.sh that builds Kokkos 3.4.1 with HIP and Serial, without a GPU and without ROCm: bootstrap.sh --hip --from-source
# reads this file and calls build_hip. What is compiled with this Kokkos holds code for gfx908 (MI100) and links the HIP runtime
# dynamically, so that tests/hip_on_cpu can run it. To run on a GPU, build a newer Kokkos for its architecture instead.

hip_packages="hipcc libamdhip64-dev rocm-device-libs clang-15 lld-15 llvm-15"

build_hip() {
  local package missing=() kokkos key source=$state/source/kokkos
  for package in $hip_packages; do
    is_installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} -gt 0 ]; then
    [ "$(id -u)" -eq 0 ] || fail "these packages are missing, and only root can install them: ${missing[*]}"
    say "installing ${missing[*]}"
    apt_install "$state/hip_packages.log" "${missing[@]}" ||
      fail "the packages ${missing[*]} could not be installed: Debian 12 has them" "$state/hip_packages.log"
  fi
  key=$(cksum <"$repo/cmake/bootstrap_hip.sh") # another version of this script: Kokkos is built anew
  if [ "$(cat "$state/hip.key" 2>/dev/null)" != "$key" ]; then
    rm -rf "$state/hip.ok" "$state/source" "$state/build-kokkos"
    echo "$key" >"$state/hip.key"
  fi
  if [ -e "$state/hip.ok" ]; then
    say "Kokkos $(cat "$state/hip.ok") is in $prefix"
    return
  fi
  unpack_source
  kokkos=$(source_version kokkos Kokkos)
  case $kokkos in 3.4.1 | 3.4.01) ;; *) fail "the machine's trilinos holds Kokkos $kokkos; hipcc 5.2 compiles 3.4.1" ;; esac
  mkdir -p "$prefix/bin"
  cat >"$prefix/bin/hipcc" <<'END'
#!/bin/sh
HIP_PLATFORM=amd HCC_AMDGPU_TARGET=gfx908 exec /usr/bin/hipcc "$@"
END
  chmod +x "$prefix/bin/hipcc"
  build kokkos -DCMAKE_CXX_COMPILER="$prefix/bin/hipcc" -DCMAKE_CXX_STANDARD=17 -DKokkos_CXX_STANDARD=17 -DCMAKE_CXX_EXTENSIONS=OFF \
    -DKokkos_ENABLE_HIP=ON -DKokkos_ENABLE_SERIAL=ON -DKokkos_ARCH_VEGA908=ON -DKokkos_ENABLE_TESTS=OFF
  echo "$kokkos (HIP;SERIAL)" >"$state/hip.ok"
  rm -rf "$state/source" "$state/download" "$state/apt"
  say "Kokkos $(cat "$state/hip.ok") is in $prefix"
}
