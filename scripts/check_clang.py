#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads every source that a build compiles with Clang too, with the same flags and -Werror.

Usage: check_clang.py BUILD_FOLDER [--compiler clang++-16] [--jobs N]

The second compiler sees other mistakes than the one that builds; its objects are not needed, so it
stops after the checks (-fsyntax-only). The build folder must have been configured.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

ONE_ARGUMENT = ("-o", "-MT", "-MF", "-MQ")  # options of the compiler that name an output
DROPPED = ("-c", "-MD", "-MMD")


def clang_command(entry, compiler):
    """The recorded command for another compiler, without outputs."""
    words = shlex.split(entry["command"])
    start = next(i for i, word in enumerate(words) if word.startswith("-"))
    kept = [compiler, "-fsyntax-only", "-Wno-unknown-warning-option"]
    skip = False
    for word in words[start:]:
        if skip or word in DROPPED:
            skip = False
        elif word in ONE_ARGUMENT:
            skip = True
        else:
            kept.append(word)
    return kept


def check(entry, compiler):
    result = subprocess.run(clang_command(entry, compiler), cwd=entry["directory"], text=True,
                            capture_output=True, check=False)
    return entry["file"], result.returncode, result.stderr


def main():
    parser = argparse.ArgumentParser(description="Reads every source of a build with Clang.")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--compiler", default="clang++-16")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    arguments = parser.parse_args()
    database = arguments.build / "compile_commands.json"
    if shutil.which(arguments.compiler) is None or not database.is_file():
        print(f"check_clang: {arguments.compiler} or {database} is missing; run "
              "scripts/install_dependencies.sh --dev and scripts/build.sh", file=sys.stderr)
        return 2
    entries = [entry for entry in json.loads(database.read_text(encoding="utf-8"))
               if not entry["file"].startswith(str(arguments.build.resolve()))]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for path, status, text in pool.map(lambda e: check(e, arguments.compiler), entries):
            if status != 0:
                failed += 1
                print(f"{path}:\n{text}")
    print(f"check_clang: {len(entries)} sources, {failed} with errors")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
