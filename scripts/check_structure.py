#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the rules of the source that a script can see.

Usage: check_structure.py [--root DIR] [--require-ctags] [--list]

Prints one line a violation, "path:line: rule: what was found; what to do", and ends with status 1
if there is one. Needs Python 3.9 and nothing else; functions are measured with universal-ctags
where it is installed, and with --require-ctags it must be. Each rule is a function of the whole tree; tests/structure plants a
violation of each and expects it to be found.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

LEVELS = {"graph": 0, "kernels": 1, "datasets": 2, "partition": 3, "comm": 4, "layers": 5,
          "trainer": 6}
COMMANDS_LEVEL = 7

# Third-party header (as a pattern of the text between < and >) -> the folders whose .cpp files may
# include it; one door a library.
DOORS = [
    (r"(oneapi/)?tbb/.*", ("graph", "kernels", "datasets", "partition", "comm")),
    (r"fmt/.*", ("graph/support",)),
    (r"xxhash\.h", ("graph/support",)),
    (r"nlohmann/.*", ("datasets", "partition", "trainer")),
    (r"zlib\.h", ("datasets",)),
    (r"zstd\.h", ("datasets",)),
    (r"metis\.h", ("partition",)),
    (r"mpi\.h", ("comm",)),
    (r"toml\+\+/.*", ("trainer",)),
    (r"CLI/.*", ("commands", "trainer/main.cpp")),
    (r"(cuda|cublas|cusparse|curand).*|thrust/.*|cub/.*", ("kernels/cuda",)),
]
ONE_FILE_DOORS = ("metis.h", "toml++/toml.h")
SYSTEM_HEADERS = {
    "dirent.h", "dlfcn.h", "emmintrin.h", "errno.h", "fcntl.h", "immintrin.h", "limits.h",
    "linux/magic.h", "link.h", "poll.h", "pthread.h", "sched.h", "signal.h", "sys/file.h",
    "sys/mman.h", "sys/prctl.h", "sys/resource.h", "sys/stat.h", "sys/statfs.h", "sys/statvfs.h",
    "sys/syscall.h", "sys/sysinfo.h", "sys/time.h", "sys/types.h", "sys/wait.h", "unistd.h",
    "xmmintrin.h"}

HEADER_LINES, SOURCE_LINES = 400, 600
FUNCTION_CAP, FUNCTION_AIM, FUNCTION_SHARE = 80, 60, 0.015
PARAMETER_CAP = 7
COLUMNS = 100
HEADER_COMMENT_SHARE = 0.30
SUPPORT_HEADERS = 8

# Files that may print or end the process, and files that may allocate by hand.
MAY_PRINT = {"graph/support/error.cpp": "reports a broken invariant before it aborts",
             "comm/environment.cpp": "ends the process where MPI_Finalize would hang",
             "comm/communicator.cpp": "Communicator::abort ends the job of all ranks",
             "trainer/console.cpp": "is the console",
             "trainer/main.cpp": "reports the error that ends the program"}
MAY_ALLOCATE = {"kernels/buffer.cpp": "owns aligned memory"}

# Unfinished marks, paths of one machine, and spellings that are not American.
FORBIDDEN_WORDS = [r"\bTO[D]O\b", r"\bFI[X]ME\b", r"\bX[X]X\b", r"\bHA[C]K\b",
                   r"(?<![\w}.$])/(home|root|work|Users)/\w", r"neighbour", r"colour", r"behaviour",
                   r"normalis[ei]", r"initialis[ei]", r"favour"]

CPP = (".cpp", ".hpp", ".cu", ".cuh", ".inc")
HEADERS = (".hpp", ".cuh")
TEXTS = CPP + (".py", ".sh", ".sbatch", ".cmake", ".txt", ".md", ".toml", ".json")


class File:
    """One file of the tree: its lines, and the same lines without comments and texts."""

    def __init__(self, root, path):
        self.path = path.relative_to(root).as_posix()
        self.text = path.read_text(encoding="utf-8")
        self.lines = self.text.splitlines()
        self.suffix = path.suffix
        self._code = None

    @property
    def folder(self):
        return self.path.split("/")[0]

    @property
    def is_cpp(self):
        return self.suffix in CPP

    @property
    def is_header(self):
        return self.suffix in HEADERS

    @property
    def is_command(self):
        return "/commands/" in self.path or self.path == "trainer/main.cpp"

    @property
    def is_library(self):
        return self.is_cpp and self.folder in LEVELS and not self.is_command

    @property
    def code(self):
        if self._code is None:
            self._code = strip_comments_and_texts(self.text).splitlines()
        return self._code


class Tree:
    """All files that the rules look at."""

    FOLDERS = tuple(LEVELS) + ("tests", "scripts", ".ci")

    def __init__(self, root, require_ctags=False):
        self.root = pathlib.Path(root).resolve()
        self.require_ctags = require_ctags
        paths = [p for p in self.root.iterdir() if p.is_file()]
        for folder in self.FOLDERS:
            paths += [p for p in (self.root / folder).rglob("*") if p.is_file()]
        keep = [p for p in paths if p.suffix in TEXTS or p.name == "run"]
        self.files = [File(self.root, p) for p in sorted(keep) if "__pycache__" not in p.parts]

    def cpp(self):
        return [f for f in self.files if f.is_cpp]

    def library(self):
        return [f for f in self.files if f.is_library]

    def has(self, path):
        return (self.root / path).is_file()


def strip_comments_and_texts(text):
    """Replaces comments by blanks and the content of texts by nothing; lines stay in place."""
    pattern = re.compile(
        r'R"(?P<mark>[^()\s\\]{0,16})\((?:.|\n)*?\)(?P=mark)"'
        r'|"(?:\\.|[^"\\\n])*"'
        r"|(?<![0-9a-zA-Z_])'(?:\\.|[^'\\\n])+'"
        r"|//[^\n]*|/\*(?:.|\n)*?\*/")

    def blank(match):
        found = match.group(0)
        kept = "\n" * found.count("\n")
        return kept if found.startswith("/") else '""' + kept

    return pattern.sub(blank, text)


def report(path, line, rule, message):
    return f"{path}:{line}: {rule}: {message}"


def includes(file):
    """(line, text, quoted) of each include."""
    for number, line in enumerate(file.lines, 1):
        match = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
        if match:
            yield number, match.group(2), match.group(1) == '"'


def level_of(file):
    return COMMANDS_LEVEL if file.is_command else LEVELS[file.folder]


def check_layers(tree):
    """Quoted includes are written from the root and go to the same folder or a lower level."""
    for file in tree.cpp():
        if file.folder not in LEVELS:
            continue
        for line, target, quoted in includes(file):
            if not quoted:
                continue
            folder = target.split("/")[0]
            if folder not in LEVELS or not tree.has(target):
                yield report(file.path, line, "layers", f'"{target}" is no path from the root')
            elif "/commands/" in target and not file.is_command:
                yield report(file.path, line, "layers", f'"{target}" belongs to a command')
            elif LEVELS[folder] > level_of(file):
                yield report(file.path, line, "layers",
                             f'"{target}" lies above {file.folder}/; include goes down only')
            elif file.path.startswith("graph/support/") and not target.startswith("graph/support/"):
                yield report(file.path, line, "layers", f'"{target}" lies above graph/support/')
    headers = [f for f in tree.cpp() if f.is_header and f.path.startswith("graph/support/")]
    if len(headers) > SUPPORT_HEADERS:
        yield report("graph/support", 1, "layers",
                     f"{len(headers)} headers; expected at most {SUPPORT_HEADERS}")


def door_of(target):
    for pattern, places in DOORS:
        if re.fullmatch(pattern, target):
            return places
    return None


def is_system_header(target):
    return re.fullmatch(r"c?[a-z0-9_]+", target) is not None or target in SYSTEM_HEADERS


def check_doors(tree):
    """A third-party header is included in .cpp files of the folder that owns its door."""
    users = {}
    for file in tree.cpp():
        if file.folder not in LEVELS:
            continue
        for line, target, quoted in includes(file):
            if quoted or is_system_header(target):
                continue
            places = door_of(target)
            inside = places and any(
                file.is_command if place == "commands" else
                file.path == place or file.path.startswith(place + "/") for place in places)
            if places is None:
                yield report(file.path, line, "doors", f"<{target}> has no door in this script")
            elif file.is_header:
                yield report(file.path, line, "doors", f"<{target}> in a header; use a .cpp file")
            elif not inside:
                yield report(file.path, line, "doors",
                             f"<{target}> belongs to {', '.join(places)}")
            if target in ONE_FILE_DOORS:
                users.setdefault(target, []).append((file.path, line))
    for target, places in users.items():
        for path, line in places[1:]:
            yield report(path, line, "doors", f"<{target}> is in {places[0][0]} already")


def check_sizes(tree):
    """Headers, sources and lines have a length that can be read."""
    for file in tree.cpp():
        cap = HEADER_LINES if file.is_header else SOURCE_LINES
        if len(file.lines) > cap:
            yield report(file.path, cap, "sizes", f"{len(file.lines)} lines; expected {cap} at most")
        for number, line in enumerate(file.lines, 1):
            if len(line) > COLUMNS:
                yield report(file.path, number, "sizes", f"{len(line)} columns; expected {COLUMNS}")


def ctags_functions(tree):
    """(path, line, name, lines, parameters) of every function; None without universal-ctags."""
    tool = shutil.which("ctags")
    if tool is None:
        return None
    paths = [f.path for f in tree.cpp()]
    command = [tool, "--language-force=C++", "--kinds-C++=f", "--fields=+neS",
               "--output-format=json", "-f", "-", "-L", "-"]
    result = subprocess.run(command, input="\n".join(paths), cwd=tree.root, text=True,
                            capture_output=True, check=False)
    if result.returncode != 0:
        return None
    functions = []
    for line in result.stdout.splitlines():
        tag = json.loads(line)
        if "end" in tag and tag.get("_type") == "tag":
            length = tag["end"] - tag["line"] + 1
            parameters = count_parameters(tag.get("signature", "()"))
            functions.append((tag["path"], tag["line"], tag["name"], length, parameters))
    return functions


def count_parameters(signature):
    """Parameters beside the Context& that every operation begins with."""
    inner = signature.strip()[1:-1]
    depth = 0
    count = 1 if inner.strip() and inner.strip() != "void" else 0
    for character in inner:
        depth += (character in "(<[{") - (character in ")>]}")
        count += character == "," and depth == 0
    return count - bool(re.match(r"(kernels::)?Context\s*&", inner))


def check_functions(tree):
    """Functions are short, and take few parameters."""
    functions = ctags_functions(tree)
    if functions is None:
        if tree.require_ctags:
            yield report("scripts/check_structure.py", 1, "functions",
                         "universal-ctags is missing; scripts/install_dependencies.sh --dev")
        return
    for path, line, name, length, parameters in functions:
        if length > FUNCTION_CAP:
            yield report(path, line, "functions",
                         f"{name} has {length} lines; expected {FUNCTION_CAP} at most")
        if parameters > PARAMETER_CAP and not path.startswith("tests/"):
            yield report(path, line, "functions",
                         f"{name} takes {parameters} parameters; group them in a struct")
    long = [f for f in functions if f[3] > FUNCTION_AIM]
    if functions and len(long) > FUNCTION_SHARE * len(functions):
        names = ", ".join(f"{f[0]}:{f[2]} ({f[3]})" for f in long)
        yield report("scripts/check_structure.py", 1, "functions",
                     f"{len(long)} of {len(functions)} functions have more than {FUNCTION_AIM} "
                     f"lines; expected {FUNCTION_SHARE:.1%} at most: {names}")


def check_dead_code(tree):
    """No statements in comments; examples stand in docstrings (///)."""
    for file in tree.cpp():
        for number, line in enumerate(file.lines, 1):
            if re.match(r"\s*//(?!/).*[;{}]\s*$", line):
                yield report(file.path, number, "dead code", "a comment that ends like a statement")
            if re.match(r"\s*#\s*if\s+0\b", line):
                yield report(file.path, number, "dead code", "#if 0")


def check_license(tree):
    """Each file says its licence in its first line (second where a script has a first one)."""
    for file in tree.files:
        if file.suffix in (".md", ".json", ".toml") or file.path.endswith("requirements.txt"):
            continue
        if file.suffix == ".txt" and not file.path.endswith("CMakeLists.txt"):
            continue
        head = file.lines[:2] if file.lines and file.lines[0].startswith("#!") else file.lines[:1]
        if not any("SPDX-License-Identifier: MIT" in line for line in head):
            yield report(file.path, 1, "license", "the first line is no SPDX-License-Identifier: MIT")


def check_printing(tree):
    """Libraries neither print nor exit."""
    prints = re.compile(r"\bstd::(cout|cerr|clog)\b|(?<![\w.>])(std::)?"
                        r"(printf|fprintf|puts|putchar|fputs|vprintf|perror)\s*\(")
    exits = re.compile(r"(?:^|[;{})\s])(?:std::|::)?(_exit|exit|abort|quick_exit|terminate)\s*\(")
    declares = re.compile(r"\b(void|int)\s+\w*::?\w*\s*\(|\bvoid abort\(")
    for file in tree.library():
        if file.path in MAY_PRINT:
            continue
        for number, line in enumerate(file.code, 1):
            match = prints.search(line)
            if match is None and not declares.search(line):
                match = exits.search(line)
            if match:
                yield report(file.path, number, "printing",
                             f"'{match.group(0).strip()}'; throw weft::Error or use a callback")


def check_ownership(tree):
    """Memory has an owner: no new, delete or malloc by hand."""
    by_hand = re.compile(r"\bnew\s+[A-Za-z_:(]|\bdelete\s*(\[\s*\])?\s+?[A-Za-z_(*]|::operator\s+new"
                         r"|(?<![\w.>])(std::)?(malloc|calloc|realloc|aligned_alloc|free)\s*\(")
    for file in tree.library():
        if file.path in MAY_ALLOCATE:
            continue
        for number, line in enumerate(file.code, 1):
            match = by_hand.search(re.sub(r"=\s*delete\b", "", line))
            if match:
                yield report(file.path, number, "ownership", f"'{match.group(0)}'; use an owner")


def check_headers(tree):
    """Headers begin with #pragma once and open no namespace for those who include them."""
    for file in tree.cpp():
        if not file.is_header:
            continue
        if "#pragma once" not in file.text:
            yield report(file.path, 1, "headers", "#pragma once is missing")
        for number, line in enumerate(file.code, 1):
            if re.search(r"\busing\s+namespace\b", line):
                yield report(file.path, number, "headers", "'using namespace' in a header")


def check_devices(tree):
    """Call sites carry no #ifdef on CUDA."""
    for file in tree.cpp():
        if file.folder == "kernels":
            continue
        for number, line in enumerate(file.code, 1):
            if re.match(r"\s*#\s*(if|ifdef|ifndef|elif)\b.*CUDA", line):
                yield report(file.path, number, "devices", "a condition on CUDA outside kernels/")


def read_reasons(tree):
    """Sources that are tested under another name: path -> (test, reason)."""
    path = tree.root / "tests/structure/tested_elsewhere.txt"
    reasons = {}
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                source, test, reason = line.split(None, 2)
                reasons[source] = (test, reason)
    return reasons


def check_tests(tree):
    """Every library source has a test of its name, or a line that says where it is tested."""
    reasons = read_reasons(tree)
    tests = {f.path for f in tree.cpp() if f.folder == "tests"}
    for file in tree.library():
        if file.suffix not in (".cpp", ".cu"):
            continue
        name = pathlib.PurePosixPath(file.path).stem
        named = any(re.fullmatch(rf"tests/{file.folder}/(.*/)?{re.escape(name)}_test\.cpp", test)
                    for test in tests)
        listed = reasons.get(file.path)
        if named and listed:
            yield report(file.path, 1, "tests", "has a test of its name and a line in "
                                                "tests/structure/tested_elsewhere.txt; remove one")
        elif not named and listed is None:
            yield report(file.path, 1, "tests", f"tests/{file.folder}/{name}_test.cpp is missing")
        elif not named and not tree.has(listed[0]):
            yield report(file.path, 1, "tests", f"{listed[0]}, its test elsewhere, is missing")
    for source in reasons:
        if not tree.has(source):
            yield report("tests/structure/tested_elsewhere.txt", 1, "tests", f"{source} is gone")


def docstring_above(file, index):
    """The lines of /// that end just above line `index` (0-based)."""
    block = []
    while index > 0 and re.match(r"\s*(///|template\b)", file.lines[index - 1]):
        index -= 1
        block.append(file.lines[index])
    return "\n".join(block)


def check_operations(tree):
    """Each operation of kernels/*.hpp tells its shapes and its cost."""
    operation = re.compile(r"^(?:\[\[nodiscard\]\] )?[\w:<>]+ \w+\(Context& \w+")
    for file in tree.cpp():
        if not re.fullmatch(r"kernels/[a-z_]+\.hpp", file.path):
            continue
        for index, line in enumerate(file.lines):
            if not operation.match(line):
                continue
            text = docstring_above(file, index)
            for tag in ("Shapes", "Cost"):
                if not re.search(rf"///\s+{tag}\b", text):
                    yield report(file.path, index + 1, "operations",
                                 f"the docstring has no '{tag}' line")


def check_comments(tree):
    """The headers of a folder explain themselves: three lines in ten are comments, where includes,
    namespaces and lone braces do not count."""
    no_content = re.compile(r"\s*(#.*|namespace .*|[{}();]*(\s*//.*)?)$")
    counts = {}
    for file in tree.library():
        if not file.is_header:
            continue
        comment, code = counts.get(file.folder, (0, 0))
        for line in file.lines:
            comment += "//" in line
            code += no_content.match(line) is None
        counts[file.folder] = (comment, code)
    for folder, (comment, code) in sorted(counts.items()):
        share = comment / (comment + code)
        if share < HEADER_COMMENT_SHARE:
            yield report(folder, 1, "comments", f"{share:.0%} of its header lines are comments; "
                                                f"expected {HEADER_COMMENT_SHARE:.0%}")


def check_words(tree):
    """No unfinished marks, no path of one machine, one spelling."""
    forbidden = re.compile("|".join(FORBIDDEN_WORDS))
    exempt = ("scripts/check_structure.py", "tests/structure/check_structure_test.py")
    for file in tree.files:
        if file.path in exempt:
            continue
        for number, line in enumerate(file.lines, 1):
            match = forbidden.search(line)
            if match:
                yield report(file.path, number, "words", f"'{match.group(0)}'")


RULES = [check_layers, check_doors, check_sizes, check_functions, check_dead_code, check_license,
         check_printing, check_ownership, check_headers, check_devices, check_tests,
         check_operations, check_comments, check_words]


def main():
    parser = argparse.ArgumentParser(description="Checks the rules of the source.")
    default_root = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--root", default=default_root, help="the tree to check")
    parser.add_argument("--require-ctags", action="store_true",
                        help="fail where functions cannot be measured")
    parser.add_argument("--list", action="store_true", help="print the rules and stop")
    arguments = parser.parse_args()
    if arguments.list:
        for rule in RULES:
            print(f"{rule.__name__[6:]}: {rule.__doc__}")
        return 0
    tree = Tree(arguments.root, arguments.require_ctags)
    violations = [line for rule in RULES for line in rule(tree)]
    print("\n".join(violations + [f"{len(tree.files)} files, {len(RULES)} rules, "
                                  f"{len(violations)} violations"]))
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
