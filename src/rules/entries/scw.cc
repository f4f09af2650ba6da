// SCW-I and SCW-II: their entries in the table of rules.
#include "halfspace/detail/rules/scw.h"

#include "halfspace/rules/rule_entry.h"

namespace halfspace::rules {
namespace {

template <Softness softness>
std::unique_ptr<Learner> make_scw(const Composition& c, const LearnerOptions&) {
  const double confidence = c.value(parameter::deviations);
  return make_linear(SoftConfidence<softness>{c.tie, confidence, c.value(parameter::aggressiveness)},
                     ConfidenceWeights(c.bias, confidence), c);
}

template <Softness softness>
RuleEntry entry(RuleName id, std::string_view name, std::string_view words, std::string_view help) {
  return {
      .id = id,
      .name = name,
      .words = words,
      .help = help,
      .group = RuleGroup::second_order,
      .cost = "O(stored values) a round, 16 bytes a feature",
      .source = "Wang, Zhao and Hoi 2012",
      .presets = {{name, help, id, OrderName::stream, KeepName::last, Tie::positive, Clean::no}},
      .parameters = {{.parameter = &parameter::deviations,
                      .help = "phi, by how many standard deviations every row is to be right",
                      .domain = domain::positive,
                      .fallback = 0.5,
                      .fix = "0.5 is the default: a probability of 0.69; 1.28 is one of 0.9"},
                     {.parameter = &parameter::aggressiveness,
                      .help = "C, what confidence is worth against standing still",
                      .domain = domain::positive,
                      .fallback = 1,
                      .fix = "1 is the default; smaller is calmer"}},
      .make = make_scw<softness>,
      .plain_weights = false,
  };
}

}  // namespace

std::vector<RuleEntry> scw() {
  return {entry<Softness::capped>(rule::scw1, "scw1", "soft confidence-weighted learner (SCW-I)",
                                  "soft confidence-weighted: a variance a weight, steps capped at C"),
          entry<Softness::squared>(rule::scw2, "scw2", "soft confidence-weighted learner (SCW-II)",
                                   "soft confidence-weighted: a variance a weight, steps softened by C")};
}

}  // namespace halfspace::rules
