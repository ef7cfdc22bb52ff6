#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# gpu.sh ROOT FOLDER: does perf/tables.sh of ROOT put recorded figures of a GPU into the pages, and does perf/gpu.sh run all steps,
# name those that fail or take too long, and keep what they have measured? The programs are made up, in FOLDER.
set -euo pipefail

root=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"/bin "$folder"/modules/cufinufft-9.9.dist-info
fail() { echo "$1"; exit 1; }
has() { # has FILE LINE: just so
  grep -qxF -- "$2" "$1" || fail "$1 lacks the line $2"
}
lacks() { ! grep -qF -- "$2" "$1" || fail "$1 has $2"; }

# ---- the pages ----------------------------------------------------------------------------------------------

pages() { # copies of the pages
  cp "$root"/README.md "$root"/docs/performance.md "$root"/docs/design/benchmarks.md "$folder"
}
put() { bash "$root/perf/tables.sh" --gpu "$1" "${@:2}" "$folder/performance.md" "$folder/benchmarks.md" 2>"$folder/log"; }

pages
put "$root/tests/scripts/gpu_results.json" || fail "$(cat "$folder/log")"
has "$folder/performance.md" "| uniform 128³, 1e6 | 0.125 | 0.25 | 0.0625 | 0.5 | 0.375 |  |"
has "$folder/performance.md" "| uniform 256³, 1e6 | 0.875 |  |  |  |  |  |"
lacks "$folder/performance.md" "| uniform 64³, 1e6 |"
has "$folder/performance.md" "NVIDIA Test 1, driver 1.2, CUDA 13.0, Kokkos 4.6.99; medians; triad 3.5 TB/s; cuFINUFFT 2.5.1"
has "$folder/benchmarks.md" "| spread \`automatic\` | 1 |  |  | 2 | 2 |"
has "$folder/benchmarks.md" "| \`spread\`, double | 0.25 |  |  |  |  |  | 0.75 |"
has "$folder/benchmarks.md" "| cuFINUFFT spread, double |  |  |  |  |  |  | 0.375 |"
has "$folder/performance.md" "| 256² |  | 2.5 |  |"
has "$folder/benchmarks.md" "| \`fft\` |  |  |  |  |  |  |  |  |  | 5 |  |  |  |"
heads() { grep -B 1 '^|---' "$1"; }
diff <(heads "$root/docs/performance.md") <(heads "$folder/performance.md")
diff <(heads "$root/docs/design/benchmarks.md") <(heads "$folder/benchmarks.md")
# What was not measured stays: mesh loops, and the tables of hosts.
diff <(sed -n '/^| GPU: mesh/,/^$/p' "$root/docs/performance.md") <(sed -n '/^| GPU: mesh/,/^$/p' "$folder/performance.md")
diff <(sed '/^## On a GPU/,$d' "$root/docs/design/benchmarks.md") <(sed '/^## On a GPU/,$d' "$folder/benchmarks.md")
"$(bash "$root/cmake/python.sh")" -B "$root/perf/update_tables.py" --check "$folder"/{README,benchmarks,performance}.md

# Figures of a dry run are none; wrong files change nothing.
pages
sed 's/"dry_run": false/"dry_run": true/' "$root/tests/scripts/gpu_results.json" >"$folder/dry.json"
head -c 900 "$root/tests/scripts/gpu_results.json" >"$folder/half.json"
for file in dry half none; do
  ! put "$folder/$file.json" || fail "took $file.json"
  grep -q "$file.json" "$folder/log" || fail "does not name $file.json"
  cmp -s "$root/docs/performance.md" "$folder/performance.md" || fail "$file.json changed a page"
done
put "$folder/dry.json" --dry-run
grep -q '^a dry run, no figures, NVIDIA Test 1' "$folder/performance.md" || fail "a dry run does not say so"

# ---- the steps ----------------------------------------------------------------------------------------------

program() { # program NAME: a program, standard input its text; $out is the file that it writes
  { printf '#!/bin/sh\nfor a; do case $a in --benchmark_out=*) out=${a#*=} ;; esac; done\n'; cat; } >"$folder/bin/$1"
  chmod +x "$folder/bin/$1"
}
row='{\n  "context": {\n  },\n  "benchmarks": [\n    {\n      "name": "%s", "real_time": 1, "time_unit": "ms"%s\n    }'
program sporos_test_device <<<'exit 0'
program sporos_test_mpi_all <<<'exit 0'
program bench_matrix <<<'exit 0'
program bench_particle_grid <<<"printf '$row\n  ]\n}\n' update/plan/double/uniform/128/1000000 '' >\"\$out\""
program bench_mesh <<<"printf '$row,\n    {\n      \"name\": \"half' iteration/atomic/packs/natural/aos/720000 '' >\"\$out\"; exec sleep 60"
program bench_correlation <<<"printf '$row\n  ]\n}\n' x ', \"error_occurred\": true' >\"\$out\"; exit \${CORRELATION:-0}"

run() { # run STATUS STEP...; $limit: seconds of a step
  local status=0
  SPOROS_GPU_STEP_SECONDS=${limit:-300} bash "$root/perf/gpu.sh" --folder "$folder" "${@:2}" >"$folder/log" 2>&1 || status=$?
  [ $status -eq "$1" ] || fail "expected status $1, got $status: $(cat "$folder/log")"
}
expect() { grep -q "^$1: *$2" "$folder/log" || fail "no line \"$1: $2\" in: $(cat "$folder/log")"; }
run 0 device transfer
expect device passed
expect transfer passed
run 1 correlation device matrix
expect correlation 'FAILED: rows with errors'
expect device passed
expect matrix 'FAILED: no rows'
limit=3 run 1 mesh
expect mesh 'FAILED: not done within 3 s'
put "$folder/results.json" # what the step that was ended has left
has "$folder/performance.md" "| \`atomic\` (not repeatable) |  |  |  | 1 |  |  |"
CORRELATION=3 run 1 correlation
expect correlation 'FAILED with 3'
for wrong in --nonsense nonsense '--minutes none' '--prepare x'; do
  # shellcheck disable=SC2086
  run 2 $wrong
done

# Steps run the rows of all figures in the tables, each but once; cuFINUFFT's are those of another program.
python=$(bash "$root/cmake/python.sh")
"$python" -B - "$root" >"$folder/rows" <<'END'
import sys
sys.path.insert(0, sys.argv[1] + "/perf/gpu")
import tables
class Names:
    def __init__(self):
        self.names = set()
    def __contains__(self, name):
        self.names.add(name)
        return False
rows = tables.Rows(Names())
for make in tables.FAMILIES.values():
    list(make(rows))
print("\n".join(sorted(rows.rows.names)))
END
(
  # shellcheck source=perf/gpu/steps.sh
  . "$root/perf/gpu/steps.sh"
  for step in transfer transfer_all mesh mesh_all correlation correlation_all; do grep -E "$(rows_of $step)" "$folder/rows"; done
  grep /cufinufft/ "$folder/rows"
) | LC_ALL=C sort >"$folder/run"
diff "$folder/rows" "$folder/run" || fail "these figures are not measured, or twice"
[ "$(wc -l <"$folder/rows")" -gt 250 ] || fail "few figures: $(wc -l <"$folder/rows")"

# ---- the compiler: architectures that are asked for, instead of those of Kokkos -----------------------------

mkdir -p "$folder/kokkos/bin" "$folder/compiler"
printf '#!/bin/sh\ncuda_args="-cudart shared -no-compress"\necho "$cuda_args" "$@"\n' >"$folder/kokkos/bin/nvcc_wrapper"
(
  # shellcheck source=perf/gpu/build.sh
  . "$root/perf/gpu/build.sh"
  kokkos=$folder/kokkos
  make_compiler "$folder/compiler" 90 80
  echo "$("$compiler" -O3 -arch=compute_75 -c 'a b.cpp')"
) >"$folder/log"
sed -i 's/ -compress-mode=size//' "$folder/log"
has "$folder/log" "-cudart shared -O3 -c a b.cpp -arch=compute_80 -code=compute_80,sm_90,sm_80"

# ---- rows of cuFINUFFT: modules that only look like it -------------------------------------------------------

printf 'Metadata-Version: 2.1\nName: cufinufft\nVersion: 9.9\n' >"$folder/modules/cufinufft-9.9.dist-info/METADATA"
cat >"$folder/modules/cupy.py" <<'END'
class Any:
    """Does what it is asked to, and is what comes of it."""
    def __getattr__(self, name):
        return self
    def __call__(self, *arguments):
        return self
    def __iter__(self):
        return iter([self] * 3)
    def __getitem__(self, index):
        return self
    __add__ = __mul__ = __rmul__ = __sub__ = __mod__ = __call__
random = cuda = Any()
ascontiguousarray = ones = Any()
__version__ = "0"
END
cat >"$folder/modules/cufinufft.py" <<'END'
class Plan:
    def __init__(self, kind, modes, gpu_method, dtype, **options):
        if gpu_method == 3 or dtype == "complex64":
            raise RuntimeError("no such method")
    def setpts(self, x, y, z):
        pass
    def execute(self, data, out):
        pass
END
if SPOROS_BENCH_TINY=1 PYTHONPATH=$folder/modules "$python" -B "$root/perf/gpu/cufinufft_rows.py" "$folder/rows.json" >"$folder/log" 2>&1; then
  fail "a case without any method is no failure"
fi
grep -q '^cufinufft/float/uniform/128/1000000: .*no such method' "$folder/log" || fail "$(cat "$folder/log")"
[ "$(grep -cE '"name": "(spread|interpolate|update)/cufinufft/double/' "$folder/rows.json")" -eq 24 ] || fail "$(cat "$folder/rows.json")"
