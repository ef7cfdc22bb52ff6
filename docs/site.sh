#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bash docs/site.sh
#
# Makes the site of the pages and of the API reference in build/site/html: plain files, which any web server can serve. Debian
# and its relatives. As root it installs the packages that are missing, else it says which. MkDocs comes from PyPI, at the
# versions of docs/site/requirements.txt, into build/site/venv. A link that leads nowhere and a warning of Doxygen are errors.
set -euo pipefail

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
site=$repo/build/site

say() { printf -- '-- site: %s\n' "$*"; }
fail() { printf 'site.sh: %b\n' "$1" >&2; exit 1; }

case ${1:-} in
  '') ;;
  -h | --help) sed -n '4,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
  *) echo "site.sh: unknown argument $1 (there is none)" >&2; exit 2 ;;
esac
mkdir -p "$site"

# ---- packages ----

missing=()
command -v python3 >/dev/null || missing+=(python3)
python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
command -v doxygen >/dev/null || missing+=(doxygen)
command -v dot >/dev/null || missing+=(graphviz)
if [ ${#missing[@]} -gt 0 ]; then
  install="apt-get install --no-install-recommends ${missing[*]}"
  command -v apt-get >/dev/null || fail "these are missing: ${missing[*]} (Debian's names)"
  [ "$(id -u)" -eq 0 ] || fail "these packages are missing, and only root can install them. Run this, then this script again:\n\n  sudo $install\n"
  say "installing ${missing[*]}"
  { apt-get -q update && DEBIAN_FRONTEND=noninteractive $install -y; } </dev/null >"$site/packages.log" 2>&1 ||
    fail "the packages could not be installed, see $site/packages.log"
fi

wanted=$repo/docs/site/requirements.txt
if ! cmp -s "$wanted" "$site/venv/requirements.txt"; then
  say "installing MkDocs in $site/venv"
  rm -rf "$site/venv"
  python3 -m venv "$site/venv"
  "$site/venv/bin/pip" install -q --disable-pip-version-check -r "$wanted" ||
    fail "pip could not install what docs/site/requirements.txt names: is there a network, and is Python 3.11 or newer?"
  cp "$wanted" "$site/venv/requirements.txt"
fi

# ---- the API reference ----

of_project() { # of_project VERSION: a word or a text in quotes after this word in the first project() of CMakeLists.txt
  sed -n '/^project(/,/)/p' "$repo/CMakeLists.txt" | tr '\n' ' ' | sed -nE "s/.*[( ]$1 +(\"([^\"]*)\"|([^ )]+)).*/\2\3/p"
}

say "the API reference"
sed -e "s|@PROJECT_NAME@|Sporos|; s|@PROJECT_VERSION@|$(of_project VERSION)|; s|@PROJECT_DESCRIPTION@|$(of_project DESCRIPTION)|" \
  -e "s|@PROJECT_BINARY_DIR@/docs|$site/doxygen|" "$repo/docs/Doxyfile.in" >"$site/Doxyfile"
rm -rf "$site/doxygen" "$site/api"
mkdir -p "$site/doxygen"
(cd "$repo" && doxygen "$site/Doxyfile") || fail "Doxygen warns"
mv "$site/doxygen/html" "$site/api"
# The way back to the pages.
sed -i 's|<div id="projectname">Sporos|<div id="projectname"><a href="../index.html">Sporos</a>|' "$site"/api/*.html

# ---- the pages ----

say "the pages"
NO_MKDOCS_2_WARNING=1 "$site/venv/bin/mkdocs" build --strict --clean -f "$repo/docs/site/mkdocs.yml"
say "done: $site/html/index.html (python3 -m http.server -d build/site/html serves it, with the search)"
