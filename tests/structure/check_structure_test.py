#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plants a violation of each rule of scripts/check_structure.py and expects it to be found, and
expects a sound tree to pass: a check that cannot fail proves nothing."""

import pathlib
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
sys.dont_write_bytecode = True
import check_structure as structure  # noqa: E402  (the path is set above)

SPDX = "// SPDX-License-Identifier: MIT\n"
SOUND_HEADER = SPDX + """// What a ring is.
#pragma once

/// Number of arcs of a ring of `n` vertices.
///
/// Shapes   n a count
/// Cost     O(1)
int ring_arcs(int n);
"""
SOUND_SOURCE = SPDX + """// Counts the arcs of a ring.
#include "graph/ring.hpp"

#include <vector>

int ring_arcs(int n) { return 2 * n; }
"""
SOUND_TREE = {"graph/ring.hpp": SOUND_HEADER, "graph/ring.cpp": SOUND_SOURCE,
              "tests/graph/ring_test.cpp": SPDX}


def body(lines):
    return "{\n" + "  work();\n" * (lines - 2) + "}\n"


# Name of the rule, its number in the case, the files that violate it, and what the report says.
CASES = [
    ("layers", "upward", {"graph/up.cpp": SPDX + '#include "comm/wire.hpp"\n',
                          "comm/wire.hpp": SPDX}, "lies above graph/"),
    ("layers", "from support", {"graph/support/text.cpp": SPDX + '#include "graph/ring.hpp"\n'},
     "lies above graph/support/"),
    ("layers", "relative", {"graph/near.cpp": SPDX + '#include "ring.hpp"\n'}, "no path"),
    ("layers", "absent", {"graph/near.cpp": SPDX + '#include "graph/gone.hpp"\n'}, "no path"),
    ("layers", "command", {"trainer/a.cpp": SPDX + '#include "trainer/commands/b.hpp"\n',
                           "trainer/commands/b.hpp": SPDX}, "belongs to a command"),
    ("layers", "crowded support", {f"graph/support/h{i}.hpp": SPDX for i in range(9)},
     "9 headers"),
    ("doors", "wrong folder", {"graph/a.cpp": SPDX + "#include <mpi.h>\n"}, "belongs to comm"),
    ("doors", "header", {"comm/a.hpp": SPDX + "#include <mpi.h>\n"}, "in a header"),
    ("doors", "no door", {"comm/a.cpp": SPDX + "#include <boost/graph.hpp>\n"}, "has no door"),
    ("doors", "two files", {"partition/a.cpp": SPDX + "#include <metis.h>\n",
                            "partition/b.cpp": SPDX + "#include <metis.h>\n"}, "already"),
    ("sizes", "header", {"graph/a.hpp": SPDX + "\n" * 400}, "401 lines"),
    ("sizes", "source", {"graph/a.cpp": SPDX + "\n" * 600}, "601 lines"),
    ("sizes", "line", {"graph/a.cpp": SPDX + "// " + "x" * 98 + "\n"}, "101 columns"),
    ("functions", "long", {"graph/a.cpp": SPDX + "void f() " + body(81)}, "f has 81 lines"),
    ("functions", "too many long",
     {"graph/a.cpp": SPDX + "void f() " + body(61)}, "1 of 2 functions"),
    ("functions", "parameters",
     {"graph/a.cpp": SPDX + "void f(int a, int b, int c, int d, int e, int g, int h, int i) {\n}\n"},
     "8 parameters"),
    ("dead code", "statement", {"graph/a.cpp": SPDX + "  // count += 1;\n"}, "a.cpp:2"),
    ("dead code", "disabled", {"graph/a.cpp": SPDX + "#if 0\n#endif\n"}, "#if 0"),
    ("license", "source", {"graph/a.cpp": "int a;\n"}, "a.cpp:1"),
    ("license", "script", {"scripts/a.sh": "#!/bin/sh\necho\n"}, "a.sh:1"),
    ("license", "lists", {"graph/CMakeLists.txt": "project(x)\n"}, "CMakeLists.txt:1"),
    ("printing", "stream", {"graph/a.cpp": SPDX + "void f() { std::cout << 1; }\n"}, "std::cout"),
    ("printing", "printf", {"graph/a.cpp": SPDX + 'void f() { printf("x"); }\n'}, "printf"),
    ("printing", "exit", {"graph/a.cpp": SPDX + "void f() {\n  std::exit(1);\n}\n"}, "exit("),
    ("ownership", "new", {"graph/a.cpp": SPDX + "int* f() { return new int(3); }\n"}, "'new i'"),
    ("ownership", "delete", {"graph/a.cpp": SPDX + "void f(int* p) { delete p; }\n"}, "delete"),
    ("ownership", "delete array", {"graph/a.cpp": SPDX + "void f(int* p) { delete[] p; }\n"},
     "delete[]"),
    ("ownership", "malloc", {"graph/a.cpp": SPDX + "void* p = malloc(3);\n"}, "malloc("),
    ("headers", "namespace", {"graph/a.hpp": SPDX + "#pragma once\nusing namespace std;\n"},
     "using namespace"),
    ("headers", "guard", {"graph/a.hpp": SPDX}, "#pragma once"),
    ("devices", "call site", {"layers/a.cpp": SPDX + "#ifdef WEFT_CUDA\n#endif\n"}, "CUDA"),
    ("tests", "missing", {"graph/a.cpp": SPDX}, "tests/graph/a_test.cpp is missing"),
    ("tests", "list points nowhere",
     {"graph/a.cpp": SPDX,
      "tests/structure/tested_elsewhere.txt": "graph/a.cpp tests/graph/b_test.cpp by b\n"},
     "b_test.cpp, its test elsewhere, is missing"),
    ("tests", "list is old",
     {"tests/structure/tested_elsewhere.txt": "graph/a.cpp tests/graph/ring_test.cpp by ring\n"},
     "graph/a.cpp is gone"),
    ("tests", "both",
     {"tests/structure/tested_elsewhere.txt": "graph/ring.cpp tests/graph/ring_test.cpp why\n"},
     "remove one"),
    ("operations", "no cost",
     {"kernels/a.hpp": SPDX + "/// Adds.\n///\n/// Shapes   x [n]\nvoid add(Context& ctx, int x);\n"},
     "no 'Cost' line"),
    ("comments", "bare", {"comm/a.hpp": SPDX + "int a;\nint b;\nint c;\n"}, "25%"),
    ("words", "mark", {"graph/a.cpp": SPDX + "// TO" + "DO: more\n"}, "DO"),
    ("words", "path", {"scripts/a.sh": "# /home" + "/me/x\n"}, "/home/m"),
    ("words", "spelling", {"graph/README.md": "every neighbour\n"}, "neighbour"),
]

# What looks like a violation to a careless pattern, and is none.
INNOCENT = {
    "graph/a.cpp": SPDX + """// It is written for people; see the README.
#include "graph/ring.hpp"

#include <sys/mman.h>

#include <vector>

struct Once {
  Once(const Once&) = delete;
  void abort(int status);
};
/// std::cout << 1;
const char* text = "new world, delete it; // printf(1);";
const char* raw = R"(std::cout << malloc(3);)";
int renew(int news) { return news; }
void g(Once& once) { once.abort(1); snprintf_like(); }
int separated = 1'000'000;  // new to C++14
""",
    "tests/graph/a_test.cpp": SPDX,
    "graph/commands/c.cpp": SPDX + "#include <CLI/CLI.hpp>\nvoid f() { std::cout << 1; }\n",
}


class StructureTest(unittest.TestCase):
    def check(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, content in {**SOUND_TREE, **files}.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8")
            tree = structure.Tree(root)
            return [line for rule in structure.RULES for line in rule(tree)]

    def test_sound_tree_passes(self):
        self.assertEqual(self.check({}), [])

    def test_innocent_code_passes(self):
        self.assertEqual(self.check(INNOCENT), [])

    def test_each_planted_violation_is_found(self):
        for rule, case, files, words in CASES:
            if rule == "functions" and shutil.which("ctags") is None:
                continue
            with self.subTest(rule=rule, case=case):
                found = [line for line in self.check(files)
                         if f": {rule}: " in line and words in line]
                self.assertNotEqual(found, [], f"all reports: {self.check(files)}")

    def test_each_rule_has_a_case(self):
        rules = {rule.__name__[len("check_"):].replace("_", " ") for rule in structure.RULES}
        self.assertEqual(rules, {case[0] for case in CASES})

    def test_a_test_elsewhere_counts(self):
        files = {"graph/a.cpp": SPDX,
                 "tests/structure/tested_elsewhere.txt":
                     "# reasons\ngraph/a.cpp tests/graph/ring_test.cpp part of ring\n"}
        self.assertEqual(self.check(files), [])


if __name__ == "__main__":
    unittest.main()
