#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The steps of perf/gpu.sh, which reads this file: programs and results are in $folder, $steps are run.

# Seconds that a step may take on a GPU of 2022.
limit_of() {
  case $1 in
    device) echo 120 ;;
    transfer | mesh) echo 80 ;;
    transfer_all | mpi) echo 60 ;;
    mesh_all) echo 100 ;;
    *) echo 40 ;;
  esac
}

rows_of() { # rows_of STEP: those of the tables
  local points='(uniform/(64/1000000|128/(100000|1000000|4000000)|256/1000000)|clustered/(64|128|256)/1000000)'
  local loops='(res_calc|stress_forces)/X/packs/natural/(aos|soa)|(res_calc|iteration)/X/packs/(natural|shuffled)/aos|face_flux/X/packs/natural/aos'
  local pairs='(full/one_to_one/X/float/((16|32|64|128|256)/1|(16|32|48|64|128)/100|256/16)|window8/one_to_one/X/float/((16|32|64|128)/100|256/16))'
  case $1 in
    transfer)
      echo "^triad$|^(update/plan|spread/(automatic|atomic|scatterview_atomic)|interpolate/automatic)/double/$points$" ;;
    transfer_all)
      echo "^(spread/(sweep|sweep_buffered)|interpolate/(tiled|sorted|unsorted))/double/$points$" \
        "|^(spread|interpolate)/automatic/float/uniform/128/1000000$" \
        "|^(spread|interpolate)/automatic/(double|float)/uniform/128/1000000/[a-z0-9_]+$" \
        "|^(spread_update/(automatic|sweep[a-z_]*|atomic)|interpolate_update/automatic)/double/uniform/(16|32|64|128)/65536$" ;;
    mesh) echo "^triad$|^plan_res_calc/(automatic|gather|owners)/|^(${loops//X/(automatic|atomic)})/[0-9]+$" ;;
    mesh_all) echo "^(${loops//X/(owners|hierarchical(_increments|_all)?|gather|global_coloring)})/[0-9]+$" ;;
    correlation) echo "^${pairs//X/(automatic|fft)}$|^full/one_to_one/fma_limit/float/128/100$" ;;
    correlation_all) echo "^${pairs//X/(tile|shuffle|shuffle_simple|lane_group_per_shift|team_per_shift)}$" ;;
    matrix)
      echo "^triad$|^assembly/[a-z0-9_]+/(automatic|gather|owners|global_coloring|atomic|hand_atomic|scatterview)/natural/998250$" ;;
  esac | tr -d ' '
}

quoted() { # quoted TEXT: as JSON
  local text=${1//\\/\\\\}
  text=${text//\"/\\\"}
  printf '"%s"' "${text//[$'\n\t\r']/ }"
}

fields() { # fields NAME VALUE...: the members of an object
  local separator=''
  while [ $# -gt 0 ]; do
    printf '%s%s: %s' "$separator" "$(quoted "$1")" "$(quoted "$2")"
    separator=', '
    shift 2
  done
}

describe_machine() {
  local values='executor of PTX,,,'
  [ "$mode" = executor ] || values=$(nvidia-smi --query-gpu=name,driver_version,memory.total,compute_cap --format=csv,noheader -i 0 2>/dev/null || echo 'a GPU,,,')
  IFS=, read -r name driver memory capability <<<"$values"
  fields gpu "$name" driver "${driver# }" memory "${memory# }" capability "${capability# }" \
    processor "$(sed -nE '/^model name/{s/^[^:]*: *//p;q}' /proc/cpuinfo)"
}

describe_built() {
  local name value pairs=()
  [ ! -e "$folder/built" ] || while IFS='=' read -r name value; do pairs+=("$name" "$value"); done <"$folder/built"
  fields "${pairs[@]}"
}

# Google Benchmark writes row after row: what a run that was ended has left lacks the end, and perhaps a part of a row.
complete_json() { # complete_json FILE
  local last
  if [ ! -s "$1" ] || [ "$(tail -n 1 "$1")" = '}' ]; then return 0; fi
  last=$(grep -n '^    }' "$1" | tail -n 1 | cut -d : -f 1)
  if [ -z "$last" ]; then rm "$1"; return 0; fi
  { head -n "$last" "$1" | sed '$s/,$//'; printf '  ]\n}\n'; } >"$1.new"
  mv "$1.new" "$1"
}

write_results() { # one file of what there is so far
  local file separator=''
  {
    printf '{\n"format": 1,\n"dry_run": %s,\n' "$([ "$mode" = executor ] && echo true || echo false)"
    printf '"date": %s,\n"machine": {%s},\n"built": {%s},\n' "$(quoted "$(date -u +%F)")" "$(describe_machine)" "$(describe_built)"
    printf '"steps": [%s],\n"results": {' "$(IFS=,; echo "${reports[*]}")"
    for file in "$folder"/out/*.json; do
      [ -s "$file" ] || continue
      printf '%s\n%s: ' "$separator" "$(quoted "$(basename "$file" .json)")"
      cat "$file"
      separator=,
    done
    printf '}\n}\n'
  } >"$folder/results.new"
  mv "$folder/results.new" "$folder/results.json"
}

note() { # note STEP STATUS SECONDS
  printf '%-16s %s, %s s\n' "$1:" "$2" "$3"
  reports+=("{$(fields step "$1" status "$2" seconds "$3")}")
  write_results
}

# Where libraries of the CUDA toolkit are: in its folder, or in packages of Python.
cuda_libraries() {
  local name folders=("$(toolkit)"/lib64 "$(toolkit)"/targets/*/lib /usr/local/cuda*/lib64) python one
  name=$(sed -n 's/^cufft=//p' "$folder/built" 2>/dev/null || true)
  if python=$(bash cmake/python.sh); then folders+=("$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"/nvidia/*/lib); fi
  for one in "${folders[@]}"; do
    if [ -e "$one/${name:-libcufft.so}" ]; then echo "$one" && return; fi
  done
  echo "$(toolkit)/lib64"
}

command_of() { # command_of STEP: sets command; fails, with the reason, if there is nothing to run
  local program python launcher more=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  local with_libraries=(env "LD_LIBRARY_PATH=$folder/lib:$more")
  case $1 in
    device) program=sporos_test_device ;;
    mpi) program=$mpi_program ;;
    cufinufft) program='' ;;
    transfer*) program=bench_particle_grid ;;
    *) program=bench_${1%_all} ;;
  esac
  [ -z "$program" ] || [ -x "$folder/bin/$program" ] || { reason="no program $program"; return 1; }
  case $1 in
    device) command=("${with_libraries[@]}" "$folder/bin/$program") ;;
    mpi)
      launcher=(mpiexec)
      if [ -x "$folder/mpi/mpiexec" ]; then # what came along fits the program
        with_libraries[1]+=:$folder/mpi/lib
        launcher=("${with_libraries[@]}" "OMPI_MCA_mca_base_component_path=$folder/mpi/plugins" OMPI_MCA_plm=isolated "$folder/mpi/mpiexec")
      elif ! command -v mpiexec >/dev/null; then
        reason="no mpiexec" && return 1
      fi
      command=(env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
        OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_vader_single_copy_mechanism=none
        PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
        "${launcher[@]}" -n 2 "${with_libraries[@]}" "$folder/bin/$program" --filenames-as-tags "[#transfer],[#mesh_loops]") ;;
    cufinufft)
      python=$(LD_LIBRARY_PATH=$more bash cmake/python.sh cufinufft cupy) || { reason="no Python with cufinufft and cupy"; return 1; }
      command=(env "LD_LIBRARY_PATH=$more" "$python" perf/gpu/cufinufft_rows.py "$folder/out/cufinufft.json") ;;
    *) command=("${with_libraries[@]}" "$folder/bin/$program" "--benchmark_filter=$(rows_of "$1")" "--benchmark_out=$folder/out/$1.json"
      --benchmark_out_format=json) ;;
  esac
}

run_step() { # run_step STEP LIMIT: fails where the step does
  local began=$SECONDS status=0 word=passed json=$folder/out/$1.json log=$folder/out/$1.log
  timeout -k 5 "$2" "${command[@]}" >"$log" 2>&1 </dev/null || status=$?
  complete_json "$json"
  if [ $status -eq 124 ] || [ $status -eq 137 ]; then
    word="FAILED: not done within $2 s"
  elif [ $status -ne 0 ]; then
    word="FAILED with $status (see $log)"
  elif [ "$1" != device ] && [ "$1" != mpi ]; then
    if ! grep -q '"name": ' "$json" 2>/dev/null; then word="FAILED: no rows (see $log)"; fi
    if grep -q '"error_occurred": true' "$json" 2>/dev/null; then word="FAILED: rows with errors (see $log)"; fi
  fi
  note "$1" "$word" $((SECONDS - began))
  [ "$word" = passed ]
}

# What is optional, by the machine, is left out without failing. SPOROS_GPU_STEP_SECONDS replaces all limits.
run_steps() { # fails if a step does
  local step limit left end=$((SECONDS + 60 * minutes)) failed=0
  reports=()
  libraries=$(cuda_libraries)
  rm -f "$folder"/out/* "$folder/results.json"
  for step in "${steps[@]}"; do
    if ! command_of "$step"; then
      note "$step" "left out: $reason" 0
      case $step in mpi | cufinufft | matrix) ;; *) failed=1 ;; esac
      continue
    fi
    limit=${SPOROS_GPU_STEP_SECONDS:-$(limit_of "$step")}
    left=$((end - SECONDS))
    [ $left -ge "$limit" ] || limit=$left
    if [ "$left" -lt 5 ]; then
      note "$step" "FAILED: no time is left" 0
      failed=1
    else
      run_step "$step" "$limit" || failed=1
    fi
  done
  return $failed
}
