"""What the accuracy suite of bench counts: ranks, shortfalls, and rows that every program reads alike."""

import math
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from harness import timing  # noqa: E402
from sets import causes, files as set_files, learners, readers as set_readers, standing, table as data_sets  # noqa: E402


def one(name, test_rows, **accuracy):
    return standing.Standing(name, 10_000, 3, 2, test_rows, "", "", accuracy={1: accuracy})


def at_one(result):
    return result.accuracy[1]


class Ranks(unittest.TestCase):
    def test_equals_share_the_mean_of_their_ranks(self):
        self.assertEqual(standing.ranks({"a": 90.0, "b": 80.0, "c": 90.0}), {"a": 1.5, "c": 1.5, "b": 3})

    def test_who_was_not_done_is_last(self):
        self.assertEqual(standing.ranks({"a": None, "b": 0.0, "c": None}), {"b": 1, "a": 2.5, "c": 2.5})

    def test_means_are_over_the_sets_that_were_tried(self):
        sets = [one("x", 5_000, ours=90.0, vw=80.0), one("y", 5_000, vw=80.0)]
        self.assertEqual(standing.mean_ranks(["ours", "vw"], sets, at_one), {"ours": (1.0, 1), "vw": (1.5, 2)})


class Summaries(unittest.TestCase):
    def test_counts_first_and_close_on_large_sets_alone(self):
        sets = [
            one("first", 2_000, ours=90.0, vw=89.0),
            one("close", 2_000, ours=90.0, vw=90.1),
            one("behind", 2_000, ours=90.0, vw=90.2),
            one("small", 1_999, ours=50.0, vw=90.0),
            one("refused", 2_000, vw=90.0),
        ]
        found = standing.summarize("ours", ["vw"], sets, at_one)
        self.assertEqual((found.sets, found.first, found.close), (3, 1, 2))
        self.assertEqual(found.worst, (0.2, "behind", "vw"))
        self.assertEqual([name for _, name, *_ in found.behind], ["small", "behind"])

    def test_a_run_that_was_not_done_is_behind_everyone(self):
        found = standing.summarize("ours", ["vw"], [one("x", 2_000, ours=None, vw=60.0)], at_one)
        self.assertEqual((found.close, found.not_done, found.worst[0]), (0, ["x"], 100.0))

    def test_others_of_ours_are_no_peers(self):
        found = standing.summarize("ours", ["vw"], [one("x", 2_000, ours=70.0, ours2=99.0, vw=60.0)], at_one)
        self.assertEqual(found.first, 1)

    def test_a_stream_is_evaluated_on_all_its_rows(self):
        self.assertEqual(one("stream", 0, ours=1.0).evaluated_rows(), 10_000)

    def test_the_best_of_the_ranked_is_bold_and_ours_has_its_rank(self):
        sets = [one("x", 2_000, ours=70.0, vw=80.0, svm=99.0)]
        rows = list(standing.results_rows(sets, ["ours"], ["vw"], ["svm"], at_one))
        self.assertEqual(rows, [["x", "2,000", "70.00 (2)", "**80.00**", "99.00"]])


class Rows(unittest.TestCase):
    def write(self, text, name="file"):
        path = Path(self.folder.name) / name
        path.write_text(text)
        return path

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def test_every_fifth_row_is_held_out(self):
        self.assertEqual(set_files.split(list(range(11))), ([0, 1, 2, 3, 5, 6, 7, 8, 10], [4, 9]))

    def test_columns_of_words_become_features_of_one(self):
        path = self.write("a,size,class\nred,2,x\nblue,0,y\n7,?,x\n")
        rows = list(set_readers.table(header=True)(path))
        train, test = set_files.indexed(rows[:2], rows[2:])
        self.assertEqual(train, [("x", "1:1 2:2"), ("y", "3:1")])
        self.assertEqual(test, [("x", "")])  # 7 is a word in that column, and no training row has it

    def test_two_columns_of_one_name_are_two(self):
        path = self.write("a,a,drop me,class\n1,2,3,x\n")
        self.assertEqual(list(set_readers.table(header=True, drop=("drop me",))(path)), [("x", {0: "1", 1: "2"})])

    def test_a_row_of_another_length_is_refused(self):
        with self.assertRaisesRegex(ValueError, "2 cells, not 3: 1,2"):
            list(set_readers.table()(self.write("1,2,x\n1,2\n")))

    def test_arff_is_read_below_its_head(self):
        path = self.write("% a,b\n@attribute a numeric\n@DATA\n% of both\n1,x\n2,y\n")
        self.assertEqual(list(set_readers.arff(path)), [("x", {0: "1"}), ("y", {0: "2"})])

    def test_words_are_counted(self):
        self.assertEqual(list(set_readers.labelled_lines(" ")(self.write("1 No, NO don't!\n"))),
                         [("1", {"w no": 2, "w don't": 1, "w !": 1})])  # fmt: skip

    def test_texts_without_as_many_labels_are_refused(self):
        self.write("1\n", "x_labels.txt")
        with self.assertRaisesRegex(ValueError, "2 texts and 1 labels"):
            list(set_readers.text_and_labels(self.write("a\nb\n", "x_text.txt")))

    def test_columns_are_scaled_by_the_training_rows(self):
        train, test = set_files.scaled([("x", "1:-4 2:1"), ("y", "1:2")], [("x", "1:8 2:1 3:5")])
        self.assertEqual((train, test), ([("x", "1:-1 2:1"), ("y", "1:0.5")], [("x", "1:2 2:1")]))

    def test_features_that_no_training_row_has_are_left_out(self):
        self.assertEqual(set_files.known_features([("x", "1:1 7:2")], [("x", "2:1 9:1"), ("y", "")]),
                         (7, [("x", "2:1"), ("y", "")]))  # fmt: skip

    def test_every_program_gets_the_labels_it_wants(self):
        data = data_sets.Set("two", set_readers.libsvm, "")
        made = set_files.prepare(data, [self.write("0 1:1\n1 2:1\n0 1:1\n1 2:1\n1 2:3\n")], self.folder.name)
        self.assertEqual(made.path("train").read_text().split("\n")[:2], ["-1 1:1", "+1 2:1"])
        self.assertEqual(made.path("train", "vw").read_text().split("\n")[:2], ["-1 | 1:1", "1 | 2:1"])
        self.assertEqual((made.rows, made.test_rows, made.features, made.classes, made.truth()), (4, 1, 2, 2, [1.0]))
        data = data_sets.Set("three", set_readers.libsvm, "")
        made = set_files.prepare(data, [self.write("10 1:1\n9 2:1\n2 1:1\n")], self.folder.name)
        self.assertEqual(made.path("train").read_text(), "2 1:1\n1 2:1\n0 1:1\n")
        self.assertEqual(made.path("train", "vw").read_text(), "3 | 1:1\n2 | 2:1\n1 | 1:1\n")

    def test_files_that_changed_are_prepared_again(self):
        data, path = data_sets.Set("one", set_readers.libsvm, ""), self.write("0 1:1\n1 2:1\n")
        set_files.prepare(data, [path], self.folder.name)
        made = set_files.prepare(data, [self.write("0 1:1\n1 2:1\n1 3:1\n")], self.folder.name)
        self.assertEqual((made.rows, made.features), (3, 3))

    def test_one_class_against_the_rest(self):
        word, classes = set_files.numbered(data_sets.Set("k", None, "", positive="normal"), ["normal", "a", "b"])
        self.assertEqual((word("normal"), word("never seen"), classes), ("+1", "-1", 2))

    def test_a_class_that_nobody_saw_is_refused(self):
        word, _ = set_files.numbered(set_files.Set("k", None, ""), ["a", "b"])
        with self.assertRaisesRegex(ValueError, "class 'c' is in the test file"):
            word("c")


class Causes(unittest.TestCase):
    def cause(self, rows, **scores):
        return causes.Cause("x", rows, 90.0, "svm", 92.0, "chosen", ["offered"], scores).cause()

    def test_a_candidate_is_trained_by_the_flags_of_its_name(self):
        self.assertEqual(causes.flags_of("pa1 averaged aggressiveness 0.1, 50 passes, columns scaled"),
                         ("--rule", "pa1:aggressiveness=0.1", "--keep", "average", "--order", "shuffled", "--passes",
                          "50", "--normalize", "column"))  # fmt: skip
        self.assertEqual(causes.flags_of("tournament, 1 pass"),
                         ("--rule", "tournament", "--keep", "last", "--order", "shuffled", "--passes", "1"))
        self.assertEqual(causes.flags_of("multinomial logistic regression, C 0.1, columns standardised"),
                         ("--objective", "logistic:C=0.1", "--normalize", "standard", "--penalize-bias", "no"))

    def test_a_cause_follows_from_the_scores_on_the_test_rows(self):
        self.assertEqual(self.cause(100, offered=95.0), "within one standard error")
        self.assertEqual(self.cause(10_000, offered=91.0), "no candidate comes near")
        self.assertEqual(self.cause(10_000, offered=91.8, other=91.7), "better candidate not chosen")
        self.assertEqual(self.cause(10_000, offered=91.8, other=91.9), "better candidate not compared")


class Figures(unittest.TestCase):
    def test_log_loss(self):
        self.assertAlmostEqual(learners.log_loss_of([0.5, 0.25], [1.0, -1.0]), (math.log(2) - math.log(0.75)) / 2)
        self.assertAlmostEqual(learners.log_loss_of([0.0], [1.0]), -math.log(1e-15))

    def test_ratios_are_taken_within_a_round(self):
        ours, peer = (timing.Contender(name, None, samples=[timing.Sample(s) for s in seconds])
                      for name, seconds in (("ours", (1.0, 2.0, 1.0)), ("peer", (3.0, 2.0, 2.0))))
        self.assertEqual((peer.ratios(ours), peer.ratio(ours)), ([3.0, 1.0, 2.0], 2.0))

    def test_a_failed_contender_runs_no_more(self):
        runs = []
        failing = timing.Contender("no such program", ["/nowhere"])
        working = timing.Contender("act", lambda: runs.append(1))
        timing.run_in_turn([failing, working], 3, "/bin/false")
        self.assertEqual((failing.fault, failing.samples, len(runs)), ("no report", [], 3))

    def test_predictions_that_are_too_few_are_no_accuracy(self):
        with self.assertRaisesRegex(learners.Failed, "1 predictions for 2 rows"):
            learners.accuracy_of([1.0], [1.0, -1.0])


if __name__ == "__main__":
    unittest.main()
