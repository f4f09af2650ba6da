"""Breaks a small sound tree in every way that structure.py must notice, and one at a time."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import structure  # noqa: E402

SOUND = {
    "include/halfspace/base/error.h": '// Errors.\n#pragma once\n#include <string>\n',
    "include/halfspace/stream/schema.h": '// Schema.\n#pragma once\n#include "halfspace/base/error.h"\n',
    "src/base/error.cc": '// Errors.\n#include "halfspace/base/error.h"\n',
    "src/kernels/kernels.h": '// Kernels.\n#pragma once\n',
    "src/stream/csv.cc": '// CSV.\n#include "halfspace/stream/schema.h"\n#include "halfspace/kernels/kernels.h"\n#include <vector>\n',
    "include/halfspace/linear/rule.h": '// Rules.\n#pragma once\n#include "halfspace/linear/weights/plain.h"\n#include "halfspace/stream/schema.h"\n',
    "src/game/play.cc": '// Game.\n#include "halfspace/linear/rule.h"\n',
    "src/linear/rule.h": '// Rules.\n#pragma once\n#include "stream/parser.h"\n',
    "src/proof/exact/rational.h": '// Rationals.\n#pragma once\n#include "game/game.h"\n',
    "src/proof/verify/verify.cc": '// Verifier.\n#include "base/bytes.h"\n#include "proof/verify/exact_reader.h"\n#include "halfspace/base/error.h"\n',
    "src/cli/main.cc": '// Commands.\n#include "model/grammar.h"\n#include "report/html.h"\n#include "proof/exact/rational.h"\n',
    "fuzz/csv_fuzz.cc": "// Fuzz.\n",
    "fuzz/corpus/csv/one": "a,b\n",
}


class Structure(unittest.TestCase):
    def faults(self, changes):
        """The faults of the sound tree with some files changed: to another text, or to None, a folder without the file."""
        tree = dict(SOUND, **changes)
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder).resolve()
            for name, text in tree.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                if text is not None:
                    (root / name).write_text(text, encoding="utf-8")
            return structure.faults(root)

    def check(self, name, text, expected):
        found = self.faults({name: text})
        self.assertEqual(len(found), 1, found)
        self.assertIn(expected, found[0])
        return found[0]

    def test_a_sound_tree_has_no_fault(self):
        self.assertEqual(self.faults({}), [])

    def test_a_usage_error_without_a_fix_is_named(self):
        made = '// C.\nvoid f() {\n  throw Error(ErrorKind::usage, "a; b" + c)'
        self.assertEqual(self.faults({"src/cli/main.cc": made + '\n      .fix("d");\n}\n'}), [])
        found = self.check("src/cli/main.cc", made + ';\n}\n', "without .fix()")
        self.assertTrue(found.startswith("src/cli/main.cc:3: "), found)

    def test_an_arrow_up_is_named_with_file_and_line(self):
        found = self.check("src/base/error.cc", '// E.\n\n#include "halfspace/kernels/kernels.h"\n', "a room above it")
        self.assertTrue(found.startswith("src/base/error.cc:3: "), found)
        self.check("src/kernels/kernels.h", '// K.\n#pragma once\n#include "halfspace/stream/schema.h"\n', "a room above it")
        self.check("src/kernels/kernels.h", '// K.\n#pragma once\n#include <halfspace/stream/schema.h>\n', "a room above it")
        self.check("src/linear/rule.h", '// R.\n#pragma once\n  #  include "game/game.h"\n', "a room above it")
        self.check("src/stream/csv.cc", '// C.\n#include "halfspace/linear/rule.h"\n', "a room above it")
        self.check("include/halfspace/linear/rule.h", '// R.\n#pragma once\n#include "halfspace/game/game.h"\n', "a room above it")
        self.check("src/game/game.h", '// G.\n#pragma once\n#include "model/grammar.h"\n', "a room above it")
        self.check("src/report/html.h", '// R.\n#pragma once\n#include "cli/flags.h"\n', "a room above it")
        self.check("include/halfspace/base/error.h", '// E.\n#pragma once\n#include "halfspace/stream/schema.h"\n', "a room above it")

    def test_rooms_of_one_floor_do_not_include_one_another(self):
        for room, other in (("linear", "regret"), ("experts", "train"), ("train", "experts"), ("model", "report")):
            self.check(f"src/{room}/x.h", f'// X.\n#pragma once\n#include "{other}/y.h"\n', "a room beside it")

    def test_the_verifier_includes_only_base_and_itself(self):
        for included in ("proof/exact/rational.h", "halfspace/kernels/kernels.h", "halfspace/stream/schema.h", "proof/verify_not/x.h"):
            self.check("src/proof/verify/verify.cc", f'// V.\n#include "{included}"\n', "proof/verify may include only")

    def test_what_the_tables_do_not_know(self):
        self.check("include/halfspace/novel.h", "// N.\n#pragma once\n", "stands in no room")
        self.check("src/cli/main.cc", '// C.\n#include "halfspace/novel.h"\n', "stands in no room")
        self.check("include/halfspace/attic/novel.h", "// N.\n#pragma once\n", "add the room to FLOOR")
        self.check("src/attic/x.h", "// X.\n#pragma once\n", "add the room to FLOOR")
        self.check("src/x.cc", "// X.\n", "does not begin with a room")
        self.check("src/cli/main.cc", '// C.\n#include "flags.h"\n', "does not begin with a room")
        self.check("src/cli/main.cc", '// C.\n#include "../model/grammar.h"\n', "does not begin with a room")

    def test_a_public_header_includes_nothing_private(self):
        self.check("include/halfspace/base/error.h", '// E.\n#pragma once\n#include "base/bytes.h"\n', 'private "base/bytes.h"')

    def test_what_every_file_owes_its_reader(self):
        self.check("src/base/error.cc", '#include "halfspace/base/error.h"\n', "does not begin with a comment")
        self.check("include/halfspace/base/error.h", "#pragma once\n", "does not begin with a comment")
        self.check("include/halfspace/base/error.h", "// E, without #pragma once.\n", "without #pragma once")
        self.check("src/kernels/kernels.h", "// K.\n", "without #pragma once")

    def test_length(self):
        self.assertEqual(self.faults({"tests/base/long_test.cc": "//\n" * 700}), [])
        for folder in ("src/base", "tests/base", "bench"):
            self.check(f"{folder}/long.cc", "//\n" * 701, "701 lines")

    def test_a_fuzz_target_has_a_corpus(self):
        self.check("fuzz/corpus/csv/one", None, "no inputs in fuzz/corpus/csv/")
        self.check("fuzz/model_fuzz.cc", "// M.\n", "no inputs in fuzz/corpus/model/")


if __name__ == "__main__":
    unittest.main()
