#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains the same model on the same graph with Weft and with PyTorch, in one run, and prints the ratio.

Usage: compare_torch.py [--kind communities|rmat] [--model gcn|sage] [--hidden N] [--log2-vertices N]
                        [--epochs N] [--threads N] [--weft PROGRAM] [--bench-dataset PROGRAM]
                        [--precision fp32|bf16] [--table] [--work FOLDER] [--json FILE]

Three layers, 128-hidden-hidden-40, Adam, no dropout, full batch. Both begin with the same weights;
the losses of the first five epochs must be equal to 1e-4 (relative; 2e-2 where --precision bf16 makes Weft
store rows in 16 bits, which PyTorch here does not), or the comparison fails. --table runs the standard
rows (GCN with hidden 128 and 256 and GraphSAGE, on communities and R-MAT) one after another,
each in a process of its own, and writes one JSON file with all, those that failed by their message. PyTorch
gets the best of its forms (sparse CSR, COO, index_add), its own autograd function with the transpose
made beforehand, and --threads threads (Debian's package starts with one). A second PyTorch figure has
the first layer's neighbor sum made once, as Weft does where the input is constant. Needs Debian's
python3-torch, python3-numpy and libopenblas0-pthread (with the reference BLAS that comes without it,
PyTorch's products are twenty times slower, and the comparison is refused); run it with the system's
Python.
"""

import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import time

import numpy
import torch

CLASSES = 40
FEATURES = 128
LOSS_BOUNDS = {"fp32": 1e-4, "bf16": 2e-2}  # relative
TABLE = [(kind, model, hidden) for kind in ("communities", "rmat")
         for model, hidden in (("gcn", 128), ("gcn", 256), ("sage", 128))]


def philox_uniform(key, rows, columns):
    """Weft's uniform numbers [rows x columns] of a key: Philox4x32-10, 24 bits (graph/support/random)."""
    row = numpy.repeat(numpy.arange(rows, dtype=numpy.uint64), (columns + 3) // 4)
    block = numpy.tile(numpy.arange((columns + 3) // 4, dtype=numpy.uint64), rows)
    low = numpy.uint64(0xFFFFFFFF)
    counter = [row & low, row >> numpy.uint64(32), block, numpy.zeros_like(row)]
    key_low, key_high = key
    for _ in range(10):
        product0 = numpy.uint64(0xD2511F53) * counter[0]
        product1 = numpy.uint64(0xCD9E8D57) * counter[2]
        counter = [(product1 >> numpy.uint64(32)) ^ counter[1] ^ numpy.uint64(key_low), product1 & low,
                   (product0 >> numpy.uint64(32)) ^ counter[3] ^ numpy.uint64(key_high), product0 & low]
        key_low = (key_low + 0x9E3779B9) & 0xFFFFFFFF
        key_high = (key_high + 0xBB67AE85) & 0xFFFFFFFF
    words = numpy.stack(counter, axis=1).reshape(rows, -1)[:, :columns]
    return (words >> numpy.uint64(8)).astype(numpy.float64) * 2.0**-24


def random_key(seed, purpose, layer):
    """The key of (seed, purpose, layer): two rounds of the finalizer of SplitMix64."""
    mask = (1 << 64) - 1

    def mix(bits):
        bits = (bits + 0x9E3779B97F4A7C15) & mask
        bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & mask
        bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & mask
        return bits ^ (bits >> 31)

    bits = mix(mix(seed) ^ ((purpose << 32) | layer))
    return bits & 0xFFFFFFFF, bits >> 32


def glorot(parameter, rows, columns):
    limit = (6.0 / (rows + columns)) ** 0.5
    uniform = philox_uniform(random_key(1, 1, parameter), rows, columns)
    return torch.tensor((2.0 * uniform - 1.0) * limit, dtype=torch.float32, requires_grad=True)


class Aggregation(torch.autograd.Function):
    """y = A x; backward multiplies with the transpose, which is made once."""

    @staticmethod
    def forward(ctx, x, multiply, multiply_transposed):
        ctx.multiply_transposed = multiply_transposed
        return multiply(x)

    @staticmethod
    def backward(ctx, grad):
        return ctx.multiply_transposed(grad), None, None


def product_forms(row_ptr, col_idx, values, num_rows):
    """Name -> function x -> A x, for each form that PyTorch has."""
    csr = torch.sparse_csr_tensor(row_ptr, col_idx, values, (num_rows, num_rows))
    rows = torch.repeat_interleave(torch.arange(num_rows), row_ptr[1:] - row_ptr[:-1])
    coo = torch.sparse_coo_tensor(torch.stack([rows, col_idx]), values, (num_rows, num_rows)).coalesce()

    def index_add(x):
        result = torch.zeros(num_rows, x.shape[1])
        step = 1 << 20  # gathered rows of all entries at once would take gigabytes
        for begin in range(0, len(col_idx), step):
            part = slice(begin, begin + step)
            result.index_add_(0, rows[part], x[col_idx[part]] * values[part, None])
        return result

    return {"csr": lambda x: torch.sparse.mm(csr, x), "coo": lambda x: torch.sparse.mm(coo, x),
            "index_add": index_add}


def coefficients(row_ptr, col_idx, num_rows, model):
    """Matrix of the aggregation and of its transpose, as CSR; the graph is symmetric."""
    degree = (row_ptr[1:] - row_ptr[:-1]).astype(numpy.float64)
    rows = numpy.repeat(numpy.arange(num_rows), row_ptr[1:] - row_ptr[:-1])
    if model == "sage":
        mean = 1.0 / numpy.maximum(degree, 1)
        return (row_ptr, col_idx, mean[rows]), (row_ptr, col_idx, mean[col_idx])
    with_loops = numpy.concatenate([rows, numpy.arange(num_rows)])
    columns = numpy.concatenate([col_idx, numpy.arange(num_rows)])
    order = numpy.lexsort((columns, with_loops))
    with_loops, columns = with_loops[order], columns[order]
    scale = 1.0 / numpy.sqrt(degree + 1.0)
    pointers = numpy.concatenate([[0], numpy.cumsum(numpy.bincount(with_loops, minlength=num_rows))])
    matrix = (pointers, columns, scale[with_loops] * scale[columns])
    return matrix, matrix


class Model:
    """GCN or GraphSAGE (mean) with Weft's order of parameters and of operations."""

    def __init__(self, arguments, forward, backward):
        widths = [FEATURES, arguments.hidden, arguments.hidden, CLASSES]
        self.is_sage = arguments.model == "sage"
        self.aggregate = lambda x: Aggregation.apply(x, forward, backward)
        self.layers = []
        parameter = 0
        for inputs, outputs in zip(widths, widths[1:]):
            weights = [glorot(parameter + i, inputs, outputs) for i in range(2 if self.is_sage else 1)]
            parameter += len(weights) + 1
            self.layers.append((weights, torch.zeros(outputs, requires_grad=True)))

    def parameters(self):
        return [p for weights, bias in self.layers for p in [*weights, bias]]

    def forward(self, x, first_sum=None):
        for i, (weights, bias) in enumerate(self.layers):
            weight = weights[-1]
            if i == 0 and first_sum is not None:
                y = first_sum @ weight
            elif weight.shape[1] < weight.shape[0]:
                y = self.aggregate(x @ weight)
            else:
                y = self.aggregate(x) @ weight
            if self.is_sage:
                y = y + x @ weights[0]
            x = y + bias
            if i + 1 < len(self.layers):
                x = torch.relu(x)
        return x


def train_torch(arguments, data, form, with_first_sum, epochs):
    """Losses and seconds of each epoch."""
    model = Model(arguments, data["forward"][form], data["backward"][form])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    first_sum = data["forward"][form](data["x"]) if with_first_sum else None
    losses, seconds = [], []
    for _ in range(epochs):
        begin = time.perf_counter()
        optimizer.zero_grad()
        logits = model.forward(data["x"], first_sum)
        loss = torch.nn.functional.cross_entropy(logits[data["train"]], data["labels"][data["train"]])
        loss.backward()
        optimizer.step()
        seconds.append(time.perf_counter() - begin)
        losses.append(loss.item())
    return losses, seconds


def load_data(arguments, folder):
    row_ptr = numpy.load(folder / "row_ptr.npy")
    col_idx = numpy.load(folder / "col_idx.npy").astype(numpy.int64)
    num_rows = len(row_ptr) - 1
    matrix, transposed = coefficients(row_ptr, col_idx, num_rows, arguments.model)

    def forms(csr):
        return product_forms(torch.from_numpy(numpy.ascontiguousarray(csr[0])), torch.from_numpy(csr[1]),
                             torch.from_numpy(csr[2].astype(numpy.float32)), num_rows)

    forward = forms(matrix)
    splits = numpy.load(folder / "splits.npy")
    return {"forward": forward, "backward": forward if transposed is matrix else forms(transposed),
            "x": torch.from_numpy(numpy.load(folder / "features.npy")),
            "labels": torch.from_numpy(numpy.load(folder / "labels.npy").astype(numpy.int64)),
            "train": torch.from_numpy(numpy.nonzero(splits[0] == 0)[0])}


def run_weft(arguments, folder, run, epochs):
    """Losses, seconds of each epoch, and the peak memory of `weft train`, on one rank."""
    config = run.with_suffix(".toml")
    # Said only where it is not the default: a Weft without it can be compared in fp32.
    precision = "" if arguments.precision == "fp32" else f'precision = "{arguments.precision}"\n'
    config.write_text(f'''[dataset]
path = "{folder}"
[model]
type = "{arguments.model}"
hidden = {arguments.hidden}
layers = 3
dropout = 0.0
[train]
epochs = {epochs}
eval_every = {epochs}
threads = {arguments.threads}
{precision}''', encoding="utf-8")
    subprocess.run([arguments.weft, "train", str(config), "--out", str(run), "--overwrite"]
                   if (run / "run.json").exists()
                   else [arguments.weft, "train", str(config), "--out", str(run)],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    summary = json.loads((run / "summary.json").read_text())
    return ([line["loss"] for line in lines], [line["seconds"]["epoch"] for line in lines],
            summary["peak_rss_bytes"], lines[-1]["seconds"])


def check_losses(mine, theirs, bound):
    for epoch, (a, b) in enumerate(zip(mine[:5], theirs[:5]), 1):
        if abs(a - b) > bound * abs(b):
            sys.exit(f"compare_torch: epoch {epoch}: loss {a} of weft, {b} of PyTorch: not the same model")


def check_blas():
    """PyTorch's dense products must be those of a real BLAS, or the comparison means nothing."""
    a, b = torch.rand(65536, 128), torch.rand(128, 128)
    seconds = []
    for _ in range(10):  # the best: others may use the machine
        begin = time.perf_counter()
        a @ b
        seconds.append(time.perf_counter() - begin)
    gflops = 2e-9 * a.numel() * b.shape[1] / min(seconds)
    if gflops < 10:
        sys.exit(f"compare_torch: PyTorch multiplies at {gflops:.1f} GFLOP/s: it uses the reference BLAS; "
                 "apt-get install libopenblas0-pthread")


def parse_arguments():
    root = pathlib.Path(__file__).resolve().parents[2]
    build = root / "build/release"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", choices=["communities", "rmat"], default="communities")
    parser.add_argument("--model", choices=["gcn", "sage"], default="gcn")
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--log2-vertices", type=int, default=18)
    parser.add_argument("--epochs", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--weft", default=str(build / "bin/weft"))
    parser.add_argument("--bench-dataset", default=str(build / "bin/bench_dataset"))
    parser.add_argument("--precision", choices=sorted(LOSS_BOUNDS), default="fp32")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("runs/compare_torch"))
    parser.add_argument("--json", type=pathlib.Path)
    return parser.parse_args()


def run_table(arguments):
    """Each row in a process of its own, so that its peak of memory is its own."""
    rows = []
    shared = ["--log2-vertices", arguments.log2_vertices, "--epochs", arguments.epochs, "--threads",
              arguments.threads, "--weft", arguments.weft, "--bench-dataset", arguments.bench_dataset,
              "--precision", arguments.precision, "--work", arguments.work]
    for kind, model, hidden in TABLE:
        row = arguments.work / f"row-{kind}-{model}-{hidden}.json"
        row.unlink(missing_ok=True)
        command = [sys.executable, __file__, "--kind", kind, "--model", model, "--hidden", hidden,
                   "--json", row, *shared]
        done = subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
        result = (json.loads(row.read_text(encoding="utf-8")) if done.returncode == 0 else
                  {"kind": kind, "model": model, "hidden": hidden,
                   "error": (done.stderr.strip().splitlines() or ["no message"])[-1]})
        rows.append(result)
        print(f"{kind:<12} {model:<5} {hidden:<4} " +
              (result["error"] if "error" in result else
               f"{result['ratio']:.2f} times, first sum kept {result['ratio_first_sum_kept']:.2f}, "
               f"memory {result['memory_ratio']:.2f}"), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps({"rows": rows}, indent=2) + "\n", encoding="utf-8")
    if any("error" in row for row in rows):
        sys.exit("compare_torch: a row failed")


def main():
    arguments = parse_arguments()
    if arguments.table:
        arguments.work.mkdir(parents=True, exist_ok=True)
        run_table(arguments)
        return
    torch.set_num_threads(arguments.threads)
    check_blas()
    arguments.work.mkdir(parents=True, exist_ok=True)
    work = arguments.work.resolve()
    folder = work / f"{arguments.kind}-{arguments.log2_vertices}"
    if not (folder / "dataset.json").exists():
        subprocess.run([arguments.bench_dataset, arguments.kind, str(folder),
                        str(arguments.log2_vertices)], check=True)
    run = work / f"run-{arguments.kind}-{arguments.model}-{arguments.hidden}"
    mine, my_seconds, my_memory, steps = run_weft(arguments, folder, run, arguments.epochs)
    data = load_data(arguments, folder)
    probe = {}
    for form in data["forward"]:
        begin = time.perf_counter()
        data["forward"][form](data["x"])
        probe[form] = time.perf_counter() - begin
    best = min(probe, key=probe.get)
    theirs, their_seconds = train_torch(arguments, data, best, False, arguments.epochs)
    check_losses(mine, theirs, LOSS_BOUNDS[arguments.precision])
    _, summed_seconds = train_torch(arguments, data, best, True, max(3, arguments.epochs - 2))
    again, my_second_seconds, _, _ = run_weft(arguments, folder, run, arguments.epochs)
    assert again == mine, "weft did not repeat itself"
    weft_seconds = min(statistics.median(my_seconds[1:]), statistics.median(my_second_seconds[1:]))
    torch_seconds = statistics.median(their_seconds[1:])
    torch_memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    result = {"kind": arguments.kind, "model": arguments.model, "hidden": arguments.hidden,
              "precision": arguments.precision, "threads": arguments.threads, "torch_form": best,
              "weft_seconds": weft_seconds, "torch_seconds": torch_seconds, "ratio": torch_seconds / weft_seconds,
              "ratio_first_sum_kept": statistics.median(summed_seconds[1:]) / weft_seconds,
              "memory_ratio": my_memory / torch_memory, "loss_after_5": mine[4], "steps": steps}
    print(json.dumps(result, indent=2))
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
