// The adaptive rules beside a reference in 60 digits, written apart from them: reference/rules.py, whose traces are
// reference/traces.json.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>

#include "base/json.h"
#include "halfspace/detail/linear/loss.h"
#include "halfspace/rules/rule_entry.h"
#include "support/points.h"

namespace halfspace::testing {
namespace {

const std::string kReference = std::string(HALFSPACE_SOURCE_DIR) + "/tests/golden/reference/";

Composition composition_of(const Json& trace) {
  Composition c;
  c.rule = find_preset(trace["rule"].get<std::string>())->rule;
  c.tie = Tie::mistake;
  c.keep = trace.contains("mean") && entry_of(c.rule).keeps(KeepName::average) ? KeepName::average : KeepName::last;
  for (const auto& [name, value] : trace["parameters"].items()) {
    const Parameter& parameter = *find_parameter(name);
    c.set(parameter, parse_value(parameter, value.get<std::string>()));
  }
  return c;
}

double decimal(const Json& text) { return std::strtod(text.get<std::string>().c_str(), nullptr); }

// Numbers of one vector: relative to the largest of them.
void expect_close(const std::vector<double>& ours, const Json& wanted, const std::string& where) {
  ASSERT_EQ(ours.size(), wanted.size()) << where;
  double largest = 1e-6;
  for (const Json& number : wanted) largest = std::max(largest, std::abs(decimal(number)));
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_NEAR(ours[i], decimal(wanted[i]), 1e-10 * largest) << where << ", number " << i;
  }
}

// Weights, feature by feature and class by class, the bias last.
std::vector<double> all_of(const ClassWeightVector& w) {
  std::vector<double> all = w.w;
  all.insert(all.end(), w.bias.begin(), w.bias.end());
  return all;
}

void check(const Json& trace) {
  const Composition c = composition_of(trace);
  const auto classes = trace["classes"].get<std::uint32_t>();
  const auto learner = make_learner(c, classes);
  double score = 0;
  learner->observer = [&](const RoundView& round) { score = round.outcome.score; };
  learner->grow(static_cast<std::uint32_t>(trace["x"][0].size()));
  Ledger ledger;
  for (std::size_t t = 0; t < trace["x"].size(); ++t) {
    const std::string where =
        trace["rule"].get<std::string>() + " " + trace["parameters"].dump() + ", round " + std::to_string(t);
    const Point point{trace["x"][t].get<std::vector<double>>(), trace["label"][t].get<std::int32_t>(),
                      trace["weight"][t].get<double>()};
    learner->play(StoredPoints({point}, ValueType::float64, false).block(), 0, {}, ledger);
    const double wanted = decimal(trace["score"][t]);
    EXPECT_NEAR(score, wanted, 1e-10 * std::max(1.0, std::abs(wanted))) << where;
    expect_close(all_of(learner->present()), trace["weights"][t], where);
    if (::testing::Test::HasFailure()) return;
  }
  if (c.keep != KeepName::average) return;
  learner->finish();
  expect_close(all_of(learner->result()), trace["mean"], trace["rule"].get<std::string>() + ", mean");
}

TEST(AdaptiveReference, IsWhatTheRulesDo) {
  std::ifstream file(kReference + "traces.json");
  const Json traces = Json::parse(file);
  ASSERT_EQ(traces.size(), 23U);
  for (const Json& trace : traces) check(trace);
}

// Nobody edits the traces: they are what the reference writes.
TEST(AdaptiveReference, WritesTheseTraces) {
  const std::string command = "python3 -B '" + kReference + "rules.py' check";
  EXPECT_EQ(std::system(command.c_str()), 0);  // NOLINT(cert-env33-c): a command without input
}

}  // namespace
}  // namespace halfspace::testing
