#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares run folders with the standard library alone.

  compare_runs.py bytes RUN            bytes that metrics.jsonl counts in all, gradients included
  compare_runs.py weights RUN OTHER    status 1 if the last weights differ by more than 5e-6 (L2 of
                                       the difference / L2); prints the difference
"""
import array
import json
import pathlib
import sys

TOLERANCE = 5e-6


def counted_bytes(run):
    total = 0
    for line in (run / "metrics.jsonl").read_text().splitlines():
        epoch = json.loads(line)
        total += epoch["bytes_sent"] + epoch["evaluation_bytes_sent"] + epoch["gradient_bytes"]
    return total


def weights(run):
    data = (run / "checkpoints" / "last.safetensors").read_bytes()
    header_bytes = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + header_bytes])
    values = array.array("f")
    for name in sorted(n for n in header if n.startswith("layer")):
        begin, end = header[name]["data_offsets"]
        values.frombytes(data[8 + header_bytes + begin:8 + header_bytes + end])
    return values


def difference(run, other):
    ours, theirs = weights(run), weights(other)
    assert len(ours) == len(theirs) > 0
    square = sum((a - b) ** 2 for a, b in zip(ours, theirs))
    return (square / sum(a * a for a in ours)) ** 0.5


def main(arguments):
    runs = [pathlib.Path(path) for path in arguments[1:]]
    if arguments[0] == "bytes":
        print(counted_bytes(runs[0]))
        return 0
    found = difference(*runs)
    print(f"weights: L2 difference / L2 = {found:.2e}, at most {TOLERANCE:.0e}")
    return 0 if found <= TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
