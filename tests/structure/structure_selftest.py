"""Breaks a small sound tree in every way that structure_test.py must notice, and one at a time."""

import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

sys.dont_write_bytecode = True
import mentions_test as mentions  # noqa: E402
import structure_test as structure  # noqa: E402

HEAD = "# Text\n\nShared.\n\nIn: bytes.\n\nOut: numbers.\n"
SOUND = {
    "src/report/figures/README.md": HEAD,
    "src/train/run/README.md": HEAD,
    "src/proof/exact/README.md": HEAD,
    "src/proof/verify/README.md": HEAD,
    "include/halfspace/base/error.h": '// Errors.\n#pragma once\n#include <string>\n',
    "include/halfspace/stream/schema.h": '// Schema.\n#pragma once\n#include "halfspace/base/error.h"\n',
    "src/base/error.cc": '// Errors.\n#include "halfspace/base/error.h"\n',
    "src/kernels/kernels.h": '// Kernels.\n#pragma once\n',
    "src/stream/csv/entry.cc": '// CSV.\n#include "halfspace/stream/schema.h"\n#include "halfspace/kernels/kernels.h"\n#include <vector>\n',
    "include/halfspace/linear/rule.h": '// Rules.\n#pragma once\n#include "halfspace/linear/weights/plain.h"\n#include "halfspace/stream/schema.h"\n',
    "src/game/play.cc": '// Game.\n#include "halfspace/linear/rule.h"\n',
    "src/linear/rule.h": '// Rules.\n#pragma once\n#include "stream/parser.h"\n',
    "src/proof/exact/rational.h": '// Rationals.\n#pragma once\n#include "game/game.h"\n',
    "src/proof/verify/verify.cc": '// Verifier.\n#include "base/bytes.h"\n#include "proof/verify/exact_reader.h"\n#include "halfspace/base/error.h"\n',
    "src/cli/main.cc": '// Commands.\n#include "model/grammar.h"\n#include "report/html.h"\n#include "proof/exact/rational.h"\n',
    "src/rules/entries/alma.cc": '// ALMA.\nRuleEntry e{.name = "alma"};\nRuleEntry f = entry(rule::arow, "arow", "AROW");\n',
    "fuzz/csv_fuzz.cc": "// Fuzz.\n",
    "fuzz/corpus/csv.txt": "one a,b\\n\n",
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

    def test_the_whole_library_may_be_included_by_users_alone(self):
        most = '// All.\n#pragma once\n#include "halfspace/base/error.h"\n#include "halfspace/stream/schema.h"\n'
        whole = most + '#include "halfspace/linear/rule.h"\n'
        self.assertEqual(self.faults({"include/halfspace/halfspace.h": whole}), [])
        self.check("include/halfspace/halfspace.h", most, "rule.h:1: halfspace/halfspace.h does not lead to this")
        self.check("include/halfspace/halfspace.h", whole + '#include "base/error.h"\n', "includes the private")
        self.check("include/halfspace/halfspace.h", whole + '#include "halfspace/rate.h"\n', "stands in no room")
        self.check("src/cli/main.cc", '// C.\n#include "halfspace/halfspace.h"\n', "is for users")

    def test_folders_of_a_room_are_floors_too(self):
        sound = {
            "src/stream/text/text.h": "// Text.\n#pragma once\n",
            "src/stream/text/README.md": HEAD,
            "src/stream/csv/entry.cc": '// CSV.\n#include "stream/text/text.h"\n',
        }
        self.assertEqual(self.faults(sound), [])
        for change, expected in (
            ({"src/stream/text/text.h": '// Text.\n#pragma once\n#include "stream/csv/csv.h"\n'}, "not below it in FOLDERS"),
            ({"src/stream/csv/entry.cc": '// CSV.\n#include "stream/vw/vw.h"\n'}, "not below it in FOLDERS"),
            ({"src/stream/loose.cc": "// Loose.\n"}, "a loose file"),
            ({"src/stream/dbf/entry.cc": "// dBase.\n"}, "a folder that is not in FOLDERS"),
            ({"src/stream/text/README.md": HEAD.replace("Out", "To")}, "no README.md"),
            ({"src/stream/text/README.md": None}, "no README.md"),
        ):
            found = self.faults({**sound, **change})
            self.assertEqual(len(found), 1, found)
            self.assertIn(expected, found[0])

    def test_what_has_other_bits_elsewhere_is_named(self):
        for code in ("std::log1p(x)", "std::pow(10.0, 2)", "static_cast<long double>(x)", "std::shuffle(a, b, c)"):
            self.check("src/base/error.cc", f"// E.\ndouble f() {{ return {code}; }}\n", "error.cc:2: ")
        self.assertEqual(self.faults(
            {"src/base/error.cc": "// std::exp(x).\nauto a = std::sqrt(elementary::exp(x));\n"}), [])

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
        self.check("src/stream/csv/entry.cc", '// C.\n#include "halfspace/linear/rule.h"\n', "a room above it")
        self.check("include/halfspace/linear/rule.h",
                   '// R.\n#pragma once\n#include "halfspace/game/game.h"\n', "a room above it")
        self.check("src/game/game.h", '// G.\n#pragma once\n#include "model/grammar.h"\n', "a room above it")
        self.check("src/report/figures/html.h", '// R.\n#pragma once\n#include "cli/flags.h"\n', "a room above it")
        self.check("include/halfspace/base/error.h",
                   '// E.\n#pragma once\n#include "halfspace/stream/schema.h"\n', "a room above it")

    def test_rooms_of_one_floor_do_not_include_one_another(self):
        for room, other in (("linear", "regret"), ("experts", "train"), ("train/run", "experts"), ("model", "report")):
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
        self.check("include/halfspace/base/error.h",
                   '// E.\n#pragma once\n#include "base/bytes.h"\n', 'private "base/bytes.h"')

    def test_what_every_file_owes_its_reader(self):
        self.check("src/base/error.cc", '#include "halfspace/base/error.h"\n', "does not begin with a comment")
        self.check("include/halfspace/base/error.h", "#pragma once\n", "does not begin with a comment")
        self.check("include/halfspace/base/error.h", "// E, without #pragma once.\n", "without #pragma once")
        self.check("src/kernels/kernels.h", "// K.\n", "without #pragma once")

    def test_only_the_command_knows_flags(self):
        flag = '// R.\nconst char* s = "leave --rate out";\n'
        self.assertEqual(self.faults({"src/cli/main.cc": flag}), [])
        found = self.check("src/base/error.cc", flag, "names a flag")
        self.assertTrue(found.startswith("src/base/error.cc:2: "), found)
        self.check("src/base/error.cc", '// R.\nauto s = R"(\n"--rate")";\n', "names a flag")
        self.check("include/halfspace/base/error.h", '// E.\n#pragma once\nauto s = "--rate";\n', "names a flag")
        for sound in ("// --rate\n", "int a; /* \"--rate\" */\n", 'auto s = "a -- b, --1";\n', "int b = a--;\n"):
            self.assertEqual(self.faults({"src/base/error.cc": "// E.\n" + sound}), [])
        self.assertEqual(self.faults({"src/base/error.cc": '// E.\nauto s = "<td style=\\"--share:1\\">";\n'}), [])

    def test_a_switch_names_every_value(self):
        switch = "// S.\nint f(int c) {\n  switch (c) {\n    default:\n      return 1;\n  }\n}\n"
        found = self.check("src/base/error.cc", switch, "`default:`")
        self.assertTrue(found.startswith("src/base/error.cc:4: "), found)
        self.check("include/halfspace/base/error.h", "// E.\n#pragma once\n" + switch, "`default:`")
        self.assertEqual(self.faults({"src/base/markup.cc": switch}), [])
        for sound in ("// default: all\n", 'auto s = "default: all";\n', "E() = default;\n"):
            self.assertEqual(self.faults({"src/base/error.cc": "// E.\n" + sound}), [])

    def test_a_rules_name_stands_in_its_entry_alone(self):
        for name in ("alma", "arow"):
            found = self.check("src/report/figures/html.cc", f'// H.\nbool b = rule == "{name}";\n', "is a rule's name")
            self.assertTrue(found.startswith("src/report/figures/html.cc:2: "), found)
            self.check("src/cli/main.cc", f'// H.\nauto s = option("keep", "{name}");\n', "is a rule's name")
        for sound in ('auto s = option("rule", "alma");\n', '// "alma"\n', 'auto s = "alma is one";\n', '#include "alma"\n'):
            self.assertEqual([f for f in self.faults(
                {"src/report/figures/html.cc": "// H.\n" + sound}) if "rule's name" in f], [])
        self.assertEqual(self.faults({"src/rules/entries/arow.cc": '// A.\nauto s = "alma";\n'}), [])

    def test_a_homonym_is_let_through_in_its_place_alone(self):
        changes = {"src/rules/entries/margin.cc": '// M.\nRuleEntry e{.name = "margin"};\n'}
        for place, expected in (("src/report/figures/a.cc", 0), ("src/cli/a.cc", 0), ("src/game/a.cc", 1), ("src/report_not.cc", 1)):
            found = self.faults({**changes, place: '// A.\nauto s = "margin";\n'})
            self.assertEqual(len(found), expected, found)

    def test_dear_headers_are_included_in_few_files(self):
        for include, most in (("<nlohmann/json.hpp>", 5), ('"nlohmann/json_fwd.hpp"', 5)):
            tree = {f"src/cli/c{i}.cc": f"// C.\n#include {include}\n" for i in range(most)}
            found = [f for f in self.faults(tree) if "is included in" in f]
            self.assertEqual(found, [])
            tree["src/cli/one_more.cc"] = f"// C.\n  # include {include}\n"
            found = [f for f in self.faults(tree) if "is included in" in f]
            self.assertEqual(len(found), 1, found)
            self.assertIn(f"{most + 1} files, more than {most}", found[0])

    def test_a_function_is_not_longer_than_a_screen(self):
        around = {
            "void f() ": ("", ""),
            "A::A() : b_(1), c_(2) ": ("", ""),
            "template <class T>\nauto f(T t) -> int ": ("", ""),
            "bool operator()(int a) const noexcept ": ("namespace n {\n", "}\n"),
            "void f() const override ": ("namespace n {\nclass C : public D<int> {\n  int a_ = 1;\n\n public:\n", "};\n}\n"),
            "int f(const char* s = \"{(\", char c = '{') ": ("struct S final {\n", "};\n"),
            "int f(std::vector<int> a) ": ("#define X {{{ \\\n  {{\n", ""),
        }  # fmt: skip
        for head, (before, after) in around.items():
            for lines in (60, 61):
                body = "{\n" + "  f();\n" * (lines - 2 - head.count("\n")) + "}\n"
                found = self.faults({"src/base/error.cc": "// E.\n" + before + head + body + after})
                where = f"src/base/error.cc:{2 + before.count(chr(10))}: a function of 61 lines, more than 60: split it"
                self.assertEqual(found, [where] if lines == 61 else [])
        table = "const char* a[] = {\n" + '  "a",\n' * 90 + "};\n"
        self.assertEqual(self.faults({"src/base/error.cc": "// E.\n" + table}), [])
        short = "namespace {\n" + "void f() {\n  if (a) {\n    b();\n  }\n}\n" * 30 + "}\n"
        self.assertEqual(self.faults({"src/base/error.cc": "// E.\n" + short}), [])

    def test_a_class_has_at_most_300_lines(self):
        whole = "// E.\nnamespace n {\nclass C final : public D<int> {\n%s};\n}\n"
        for lines, expected in ((298, []), (299, ["error.cc:3: C has 301 lines"])):
            found = self.faults({"src/base/error.cc": whole % ("  int a;\n" * lines)})
            self.assertEqual([fault.removeprefix("src/base/").partition(", with")[0] for fault in found], expected)
        call = "  g();\n"
        header = "// C.\n#pragma once\ntemplate <class T>\nstruct C {\n%s  struct In {\n    int f();\n  };\n};\n"
        header %= "  f();\n" * 143
        member = "// C.\nnamespace n {\nint C<int>::f(A::B b) {\n" + call * 43 + "}\n"
        maker = "n::C::C() : a_(b::c()) {\n" + call * 48 + "}\n}\n"
        others = "void free(C::B b) {\n" + call + "}\nint C::In::f() {\n" + call * 50 + "}\n"
        for lines, expected in ((54, []), (55, ["include/halfspace/base/c.h:3: C has 301 lines"])):
            source = member + maker + "C::~C() {\n" + call * lines + "}\n" + others
            found = self.faults({"include/halfspace/base/c.h": header, "src/base/c.cc": source})
            self.assertEqual([fault.partition(", with")[0] for fault in found], expected)
        other_room = {"include/halfspace/base/c.h": header, "src/game/c.cc": member * 4}
        self.assertEqual(self.faults(other_room), [])

    def test_the_table_of_large_classes_only_shrinks(self):
        whole = "// E.\nclass C {\n%s};\n"
        with unittest.mock.patch.dict(structure.LARGE, {"base/C": 310}):
            self.assertEqual(self.faults({"src/base/error.cc": whole % ("  int a;\n" * 308)}), [])
            self.check("src/base/error.cc", whole % ("  int a;\n" * 309), "C has 311 lines")
            self.check("src/base/error.cc", whole % ("  int a;\n" * 298), "C has only 300 lines: remove it from LARGE")

    def test_tests_iterate_over_rules(self):
        rules = ", ".join(f"rule::r{i}" for i in range(6))
        self.assertEqual(self.faults({"tests/game/a_test.cc": f"auto a = {{{rules}}};\n"}), [])
        self.check("tests/game/a_test.cc", f"auto a = {{{rules},\n  rule::last}};\n", "a list of rules")
        self.assertEqual(self.faults({"tests/game/a_test.cc": f"// {rules}, rule::last\n"}), [])
        self.assertEqual(self.faults({"tests/rules/family.h": f"auto a = {{{rules}, rule::last}};\n"}), [])
        names = ", ".join(['"alma"', '"arow"'] * 3)
        self.assertEqual(self.faults({"tests/game/a_test.cc": f"auto a = {{{names}}};\n"}), [])
        self.assertEqual(self.faults({"tests/game/a_test.cc": f'auto a = {{{names}, "other"}};\n'}), [])
        self.check("tests/game/a_test.cc", f'// A.\nauto a = {{{names},\n  "alma"}};\n', "a_test.cc:2: a list of rules")

    def test_private_parts_of_libraries(self):
        for line in ("#include <fmt/format-inl.h>", "using A = FMT_BUFFER_CONTEXT(char);", "nlohmann::detail::exception e;"):
            self.check("src/game/play.cc", f"// Game.\n{line}\n", "private part of a library")
        self.assertEqual(self.faults(
            {"src/game/play.cc": '// Game.\n#include <fmt/format.h>\nnlohmann::json j;\n'}), [])

    def test_warnings_are_no_errors_in_what_users_build(self):
        preset = '{"configurePresets": [{"name": "%s", "cacheVariables": {"HALFSPACE_WERROR": "ON"}}]}'
        self.check("CMakePresets.json", preset % "release", "warnings")
        self.assertEqual(self.faults({"CMakePresets.json": preset % "asan"}), [])

    def test_length(self):
        self.assertEqual(self.faults({"tests/base/long_test.cc": "//\n" * 700}), [])
        for folder in ("src/base", "tests/base", "bench"):
            self.check(f"{folder}/long.cc", "//\n" * 701, "701 lines")

    def test_a_fuzz_target_has_a_corpus(self):
        self.check("fuzz/corpus/csv.txt", None, "no inputs in fuzz/corpus/csv.txt")
        self.check("fuzz/corpus/csv.txt", "", "no inputs in fuzz/corpus/csv.txt")
        self.check("fuzz/model_fuzz.cc", "// M.\n", "no inputs in fuzz/corpus/model.txt")


class Mentions(unittest.TestCase):
    def faults(self, comment):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder).resolve()
            (root / "src/base").mkdir(parents=True)
            (root / "src/base/error.h").write_text(f'int fail(int code);\nint x;  // {comment}\n', encoding="utf-8")
            return mentions.faults_of(root)

    def test_names_that_exist_are_no_fault(self):
        self.assertEqual(self.faults("see error.h, base/error.h, fail() and Error::fail()"), [])

    def test_names_that_are_gone_are_faults(self):
        self.assertEqual(self.faults("see errors.h"), ["src/base/error.h:2: no file errors.h"])
        self.assertEqual(self.faults("calls fails()"), ["src/base/error.h:2: no function fails()"])


if __name__ == "__main__":
    unittest.main()
