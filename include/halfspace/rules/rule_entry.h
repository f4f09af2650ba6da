// The table of rules: an entry a rule, and everything that asks about rules walks over it.
//
// Validation, flags, search, JSON, the model file, resumption, the words of pages and the bound of a run find here what
// they need. A new rule is a file in src/rules/entries that returns its entries (the build gathers them), and the header
// of its step; a program of yours adds one at run time:
//
//   RuleEntry entry{.id = RuleName{200}, .name = "mine", .words = "my learner", ...};
//   register_rule(entry);                        // before it is named, read or resumed
//   options.composition.rule = entry.id;         // train(), folds, save_model(), load_model() know it now
//
// Thread-safety: the table is made once; register_rule() must not run beside anything else.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/bounds/bound_search.h"
#include "halfspace/game/learner.h"
#include "halfspace/game/player.h"
#include "halfspace/linear/linear.h"
#include "halfspace/linear/loss.h"
#include "halfspace/rules/composition.h"

namespace halfspace {

inline constexpr std::uint64_t kLearnerMemory = std::uint64_t{1} << 30;

// What a learner is made for.
struct LearnerOptions {
  std::uint32_t classes = 2;
  std::uint64_t memory = kLearnerMemory;  // most bytes that the matrix of a second-order rule may take
};

// A parameter as one rule has it.
struct ParameterUse {
  const Parameter* parameter = nullptr;
  std::string_view help;  // what it is to this rule
  Domain domain{};
  std::optional<double> fallback{};  // the default; empty: the rule finds a value itself
  std::string_view fix{};            // what to do about a value outside of the domain
  // Whether it means anything beside the other values; empty: always. `needs`: what it takes, for the error.
  std::function<bool(const Composition&)> applies{};
  std::string needs{};
  // Finds the default from the first rows to learn from; null: it is `fallback`, which stands where rows cannot be had
  // beforehand, too.
  double (*tuned)(const Composition& composition, const Rows& first){};
};

struct RuleEntry {
  RuleName id{};
  std::string_view name;   // as the command line, JSON and files write it
  std::string_view words;  // as a sentence does: "an ALMA learner" has "ALMA learner"
  std::string_view help;   // one line
  std::vector<Preset> presets{};
  std::vector<ParameterUse> parameters{};  // in the order of the model file
  // The convex loss of the margin that its scores are made for; null: none.
  MarginLoss (*loss)(const Composition& composition) = nullptr;

  // Makes the learner of a composition that validate() has let through.
  std::unique_ptr<Learner> (*make)(const Composition& composition, const LearnerOptions& options) = nullptr;
  // Offers the mistake bounds of its theorems to the search; null: none is known.
  void (*bounds)(const Composition& composition, BoundSearch& search) = nullptr;
  // What the theorems ask for, as "the theorem asks for ..." goes on: the reason where they offer nothing, unless
  // `bounds` named another (BoundSearch::asks_for).
  std::string_view bounds_ask{};
  // The parts of theorems' names that read otherwise in a sentence: ("novikoff", "Novikoff").
  std::vector<std::pair<std::string_view, std::string_view>> theorem_words{};

  // What it does not go together with, and why; validate() refuses it.
  std::string_view no_small_start{};  // the reason, empty: any start will do
  std::string_view no_vote{};         // the reason, empty: its steps are multiples of rows
  std::string_view no_pocket{};
  std::string_view no_average{};
  bool keeps(KeepName keep) const {
    const std::string_view reason = keep == KeepName::vote      ? no_vote
                                    : keep == KeepName::pocket  ? no_pocket
                                    : keep == KeepName::average ? no_average
                                                                : std::string_view();
    return reason.empty();
  }
  void (*check)(const Composition& composition) = nullptr;  // throws Error(usage)
  // Where the bias stands when nothing is said; null: last.
  Bias (*default_bias)(const Composition& composition) = nullptr;

  bool several_classes = false;  // one vector a class
  // What it becomes on data of more classes than two; null: it is refused there.
  Composition (*for_several_classes)(Composition composition) = nullptr;
  // What it becomes where rows come more than once; null: the order cyclic instead of stream is all.
  Composition (*for_several_passes)(Composition composition) = nullptr;
  bool comes_to_rest = true;         // rows that are right with room to spare leave it as it is, so that passes may end
  bool measures_columns = false;     // each in a unit of its own: scaling columns beforehand changes little or nothing
  bool support_vectors = false;      // a function of a kernel's space instead of weights
  bool bound_from_any_start = true;  // so that a long stream is covered segment by segment
  // Its theorems ask of rows that were right for no more than margins, lengths and weights: a file too long to be kept
  // can be read again for them.
  bool bound_from_margins = false;
  bool ceiling_of_margins = false;  // |w| over the sum of steps bounds every margin, from 0
  // The functional margin below which it moves; null: it moves on mistakes alone, or by another measure.
  double (*margin_wanted)(const Composition& composition) = nullptr;
  // From 0, |w|^2 is at most this many times what the updates' squares add up to; null: nothing is known.
  double (*norm_growth)(const Composition& composition) = nullptr;
};

// Every rule, by number.
std::span<const RuleEntry> all_rules();
const RuleEntry& entry_of(RuleName rule);   // throws Error(usage) for a number that no rule has
const RuleEntry* find_rule(RuleName rule);  // null when there is none
const ParameterUse* find_use(RuleName rule, std::string_view parameter);  // null when the rule does not have it
bool applies(const ParameterUse& use, const Composition& composition);

// Every parameter that some rule has, each once, in the order of rules.
std::vector<const Parameter*> parameters();
const Parameter* find_parameter(std::string_view name);
// What it is to every rule that has it, with their defaults: the help of its flag.
std::string help_of(const Parameter& parameter);
// The value that a text means: a number, a choice, a flag's yes or no. Throws Error(usage).
double parse_value(const Parameter& parameter, std::string_view text);
// A value as text: a choice by its name.
std::string value_text(const Parameter& parameter, double value);

// Adds a rule of the caller's own. Throws Error(usage) when its number or name is taken.
void register_rule(RuleEntry entry);

// Returns the composition for several passes over the rows: what was said of it stays.
Composition for_several_passes(Composition composition);

// Parameters are suited to so many rows.
inline constexpr std::uint64_t tuning_rows = 1000;
// Tells whether some parameter's value is found from rows: it was not given.
bool needs_tuning(const Composition& composition);
// Gives such parameters their values. `rows`: those to learn from; the first tuning_rows count.
Composition tune_defaults(Composition composition, const Rows& rows);

// Throws Error(usage) when the composition makes no sense, or the features outgrow the memory.
std::unique_ptr<Learner> make_learner(const Composition& composition, std::uint32_t classes,
                                      std::uint64_t memory = kLearnerMemory);

// A rule over plain weights as a learner of two classes, for an entry's `make`.
template <AdditiveRule Rule>
std::unique_ptr<Learner> make_linear(Rule rule, const Composition& composition) {
  using L = Linear<Rule>;
  return std::make_unique<game::Player<L>>(
      L(std::move(rule), Weights(composition.bias, composition.start), composition.keep), 2);
}
// The same over weights of another kind.
template <AdditiveRule Rule, LinearWeights W>
std::unique_ptr<Learner> make_linear(Rule rule, W start, const Composition& composition) {
  using L = Linear<Rule, W>;
  return std::make_unique<game::Player<L>>(L(std::move(rule), std::move(start), composition.keep), 2);
}

// entry.norm_growth of a composition; 0 when nothing is known.
double norm_growth(const Composition& composition);

// The best bound of the rule's theorems over all comparators. Empty when none covers the run; `asked` then gets what
// they ask for that it lacks.
std::optional<MistakeBound> bound_of_run(const Composition& composition, const RunForBound& run,
                                         const std::vector<Comparator>& comparators, std::string* asked = nullptr);

}  // namespace halfspace
