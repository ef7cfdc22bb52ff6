#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bash cmake/python.sh [MODULE...]
#
# Prints the first Python 3 that has these modules: those in PATH come first, then the system's. A Python of pyenv or conda
# often stands first in PATH and knows nothing of the system's packages. Fails if none has them.
set -euo pipefail

list=$(IFS=,; echo "$*")
while read -r python; do
  if "$python" -c "import ${list:-sys}" </dev/null >/dev/null 2>&1; then
    echo "$python"
    exit 0
  fi
done < <(type -aP python3; printf '%s\n' /usr/bin/python3 /usr/local/bin/python3)
exit 1
