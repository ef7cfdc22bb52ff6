#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts what a reader meets on the way of one call of each family.

    python3 docs/design/count_names.py [SOURCES [PREFIX]]

Runs an example of each family on one thread under valgrind, and counts the functions of Sporos that run within the call,
the types that they are members of, and their files. A template counts once, whatever its arguments; functions that are
inlined even without optimisation do not count. SOURCES: a checkout (default: this one); PREFIX: of a Kokkos with OpenMP
(default: that of cmake/bootstrap.sh in SOURCES). Needs valgrind and g++.
"""

import os
import re
import subprocess
import sys
import tempfile

CALLS = [
    ("spread", "spread_and_interpolate", "spread"),
    ("par_loop", "loop_plan", "par_loop"),
    ("cross_correlate", "find_template", "cross_correlate"),
]


def without_templates(name):
    """The name without template arguments, return type and parameters."""
    name = re.sub(r"operator(<<|>>|<=|>=|<|>|\(\))", "operator@", name)
    while re.search(r"<[^<>]*>", name):
        name = re.sub(r"<[^<>]*>", "", name)
    name = name.replace("{lambda(", "lambda(").replace("(anonymous namespace)", "anonymous")
    name = re.sub(r"\(.*", "", name)
    return name.split(" ")[-1]


def build(sources, prefix, example, folder):
    version = os.path.join(folder, "Sporos_Version.hpp")
    if not os.path.exists(version):
        with open(version, "w") as out:
            out.write("#define SPOROS_VERSION 0\n#define SPOROS_VERSION_STRING \"0\"\n")
    families = os.path.join(sources, "algorithms", "src")
    includes = [folder, os.path.join(prefix, "include"), os.path.join(sources, "core", "src"), families]
    includes += [entry.path for entry in os.scandir(families) if entry.is_dir()]
    program = os.path.join(folder, example)
    subprocess.run(["g++", "-std=c++17", "-O0", "-g", "-fopenmp", "-DNDEBUG", *("-I" + i for i in includes),
                    os.path.join(sources, "examples", example + ".cpp"), "-o", program,
                    "-L" + os.path.join(prefix, "lib"), "-lkokkoscore", "-ldl"], check=True)
    return program


def functions(program, call, folder):
    """(file, name) of all functions of Sporos that run within the call."""
    profile = os.path.join(folder, "profile")
    environment = dict(os.environ, OMP_NUM_THREADS="1", OMP_PROC_BIND="false")
    subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + profile, "--compress-strings=no",
                    "--compress-pos=no", "--demangle=no", program],
                   check=True, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(profile) as mangled:
        lines = subprocess.run(["c++filt"], check=True, text=True, stdin=mangled, stdout=subprocess.PIPE).stdout.splitlines()
    called, files, file, caller = {}, {}, "", ""
    for line in lines:
        key, _, value = line.partition("=")
        if key == "fl":
            file = value
        elif key == "fn":
            caller = value
            files[caller] = os.path.basename(file)
        elif key == "cfn":
            called.setdefault(caller, set()).add(value)
    within = {name for name in files if re.fullmatch(r"Sporos::(\w+::)?" + call, without_templates(name))}
    todo = list(within)
    while todo:
        for name in called.get(todo.pop(), set()) - within:
            within.add(name)
            todo.append(name)
    return {(files.get(name, ""), without_templates(name)) for name in within if without_templates(name).startswith("Sporos::")}


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    sources = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(here))
    prefix = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else os.path.join(sources, "build", "deps")
    print("| call | example | functions | types | files |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for title, example, call in CALLS:
            found = functions(build(sources, prefix, example, folder), call, folder)
            names = {name for _, name in found}
            types = {name.rsplit("::", 1)[0] for name in names} - {"Sporos", "Sporos::Impl"}
            files = {file for file, _ in found}
            print(f"| `{title}` | `{example}` | {len(names)} | {len(types)} | {len(files)} |", flush=True)


if __name__ == "__main__":
    main()
