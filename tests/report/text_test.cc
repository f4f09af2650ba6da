// The texts of results in both styles.

#include "base/text_style.h"
#include "base/text_table.h"
#include "halfspace/stream/array_rows.h"
#include "halfspace/train/settings.h"
#include "proof/certify/proof_text.h"
#include "report/results/evaluation_text.h"
#include "report/results/ledger_text.h"
#include "support/test.h"

namespace halfspace {
namespace {

const TextStyle terminal{.terminal = true, .options = [](std::string_view name, std::string_view value) {
                           return "<" + std::string(name) + (value.empty() ? "" : "=" + std::string(value)) + ">";
                         }};

// Returns the text without its escape sequences.
std::string without_escapes(const std::string& text) {
  std::string plain;
  bool escape = false;
  for (const char c : text) {
    escape = escape || c == '\x1b';
    if (!escape) plain += c;
    if (c == 'm') escape = false;
  }
  return plain;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

// Four rows in the plane that x = 0 separates, in memory.
struct Rows {
  std::vector<double> values{1, 0, 2, 1, -1, 0, -2, 1};
  std::vector<std::int32_t> classes{1, 1, 0, 0};
  ArrayLabels labels;
  std::optional<ArrayRows> rows;

  Rows() {
    labels.classes = classes.data();
    labels.names = {"no", "yes"};
    rows.emplace(DenseArray{.values = values.data(), .rows = 4, .columns = 2}, labels, ArrayNames{{"a", "b"}, "y"});
  }
};

TrainResult trained(const Rows& data) {
  TrainSettings settings;
  settings.data.read.rows = &*data.rows;
  settings.rule = "perceptron";
  settings.until.passes = 3;
  return train(settings);
}

TEST(Text, OfALedgerDiffersByStyleAlone) {
  const TrainResult result = trained(Rows());
  const std::string plain = report::ledger_text(result, {}), styled = report::ledger_text(result, {}, terminal);
  EXPECT_TRUE(lacks(plain, "\x1b"));
  EXPECT_TRUE(has(plain, "   holdout 0.2 holds out rows that give one\n"));
  EXPECT_TRUE(has(styled, "\x1b[2m<holdout=0.2> holds out rows that give one\x1b[0m\n"));
  EXPECT_EQ(replaced(without_escapes(styled), "<holdout=0.2>", "holdout 0.2"), plain);
}

TEST(Text, OfALedgerNamesWhatItIsGiven) {
  const TrainResult result = trained(Rows());
  report::LedgerNotes notes{.output = "a.model", .output_size = "1.2 kB", .label = "column 'y'", .chosen = "by hand"};
  notes.proved = {1, 3, 0.5, "not separable, proved"};
  const std::string text = report::ledger_text(result, notes);
  EXPECT_TRUE(has(text, "  model        a.model   1.2 kB\n", "   column 'y'\n", "  chosen       by hand\n",
                  "  certified    fewest errors any halfspace makes: lower 1, upper 3   not separable, proved\n"));
}

TEST(Text, OfAnEvaluationDiffersByStyleAlone) {
  const Rows data;
  EvaluateSettings settings;
  settings.data.read.rows = &*data.rows;
  const ModelEvaluation result = evaluate(trained(data).model, settings);
  const std::string plain = report::evaluation_text(result), styled = report::evaluation_text(result, terminal);
  EXPECT_NE(styled, plain);
  EXPECT_EQ(without_escapes(styled), plain);
}

TEST(Text, OfAVerdictNamesOptionsInItsStyle) {
  CertifyResult result;
  result.read_whole = result.certified = false;
  result.for_memory = true;
  result.rows = 7;
  EXPECT_TRUE(has(proof::certify_text(result, {}), "The points exceed memory, with 7 rows read: more memory may"));
  EXPECT_TRUE(has(proof::certify_text(result, {}, terminal), "exceed <memory>, with 7 rows read: more <memory> may"));
  EXPECT_TRUE(has(proof::certify_text(result, {.output = "a.json"}), "  no certificate: nothing is proved yet\n"));
}

TEST(Text, OfAVerificationEndsWithTheVerdict) {
  proof::Certificate certificate;
  proof::Verification found;
  found.checked = {"a fact"};
  found.reason = "a \x1b lie";
  EXPECT_EQ(proof::verification_text(certificate, found), "  checked  a fact\n  wrong    a . lie\n\nnot valid\n");
  found.valid = true;
  certificate.verdict = proof::Verdict::separable;
  EXPECT_EQ(proof::verification_text(certificate, found, terminal),
            "  checked  a fact\n\n\x1b[1mvalid: separable\x1b[0m\n");
}

TEST(Text, EscapesTakeNoRoomInATable) {
  TextTable table({true, false});
  table.add({terminal.bold("long name"), "1"});
  table.add({"x", terminal.dim("10")});
  EXPECT_EQ(without_escapes(table.text()), "  long name   1\n  x          10\n");
}

}  // namespace
}  // namespace halfspace
