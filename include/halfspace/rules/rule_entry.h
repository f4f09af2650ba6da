// The table of rules: one entry per rule. All code that depends on the rule reads it.
//
// Validation, flags, search, JSON, the model file, resumption, page texts and the bound of a run read it. A new rule is
// a file in src/rules/entries that returns its entries (the build collects them), and the header of its step; a program
// can add one at run time:
//
//   RuleEntry entry{.id = RuleName{200}, .name = "mine", .words = "my learner", ...};
//   register_rule(entry);                        // before it is named, read or resumed
//   options.composition.rule = entry.id;         // train(), folds, save_model(), load_model() accept it
//
// Thread-safety: the table is immutable once constructed; register_rule() must not run concurrently with anything else.
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
#include "halfspace/detail/bounds/bound_search.h"
#include "halfspace/detail/game/player.h"
#include "halfspace/detail/linear/loss.h"
#include "halfspace/game/learner.h"
#include "halfspace/linear/linear.h"
#include "halfspace/rules/composition.h"

namespace halfspace {

inline constexpr std::uint64_t kLearnerMemory = std::uint64_t{1} << 30;

// What a learner is made for: the data's classes, and the memory it may use.
struct LearnerOptions {
  std::uint32_t classes = 2;
  std::uint64_t memory = kLearnerMemory;  // limit in bytes for the matrix of a second-order rule
};

// A parameter of one rule.
struct ParameterUse {
  const Parameter* parameter = nullptr;
  std::string_view help;  // what it does for this rule
  Domain domain{};
  std::optional<double> fallback{};  // the default; empty: computed by the rule
  std::string_view fix{};            // the fix for a value outside of the domain
  // Returns true if the parameter has an effect given the other values; empty: always. `needs`: the condition, for the
  // error text.
  std::function<bool(const Composition&)> applies{};
  std::string needs{};
  // Computes the default from the first training rows; null, and for rows that cannot be read in advance: `fallback`.
  double (*tuned)(const Composition& composition, const Rows& first){};
};

// What kind of algorithm a rule is, for lists.
enum class RuleGroup : std::uint8_t { first_order, second_order, multiplicative, kernel, mixture };
template <>
struct NamesOf<RuleGroup> {
  static constexpr Name<RuleGroup> table[] = {
      {RuleGroup::first_order, "first-order", "steps along the rows"},
      {RuleGroup::second_order, "second-order", "a covariance, a variance or a rate of its own for each weight"},
      {RuleGroup::multiplicative, "multiplicative", "weights are multiplied: many features, few of which matter"},
      {RuleGroup::kernel, "kernel", "borders that are no hyperplanes"},
      {RuleGroup::mixture, "mixtures", "several rules on the same rows, weighted by how well they predict"}};
};

struct RuleEntry {
  RuleName id{};
  std::string_view name;   // on the command line, in JSON and files
  std::string_view words;  // in a sentence: "ALMA learner"
  std::string_view help;   // one line
  RuleGroup group{};
  std::string_view theorem{};  // the mistake bounds that a run prints, by name; empty: none
  std::string_view cost{};     // of a round, a step or a mistake, and memory
  std::string_view source{};   // of the rule and its theorem
  std::vector<Preset> presets{};
  std::vector<ParameterUse> parameters{};  // in the order of the model file
  // The convex loss that the rule minimizes; null: none.
  MarginLoss (*loss)(const Composition& composition) = nullptr;

  // Creates the learner of a valid composition.
  std::unique_ptr<Learner> (*make)(const Composition& composition, const LearnerOptions& options) = nullptr;
  // Offers the mistake bounds of its theorems to the search; null: none is known.
  void (*bounds)(const Composition& composition, BoundSearch& search) = nullptr;
  // The condition of the theorems, as the end of "the theorem asks for ...": the reason if they give no bound, unless
  // `bounds` named another (BoundSearch::asks_for).
  std::string_view bounds_ask{};
  // Replacements of theorems' names within sentences: ("novikoff", "Novikoff").
  std::vector<std::pair<std::string_view, std::string_view>> theorem_words{};

  // The reasons against incompatible options, which validate() rejects.
  std::string_view no_small_start{};  // the reason; empty: by plain_weights
  std::string_view no_vote{};         // the reason; empty: by plain_weights
  std::string_view no_pocket{};
  std::string_view no_average{};
  std::string_view against_small_start() const {
    return plain_weights || !no_small_start.empty() ? no_small_start : "it has fixed start weights";
  }
  std::string_view against_vote() const {
    return plain_weights || !no_vote.empty() ? no_vote : "its steps are not multiples of rows";
  }
  bool keeps(KeepName keep) const {
    const std::string_view reason = keep == KeepName::vote      ? against_vote()
                                    : keep == KeepName::pocket  ? no_pocket
                                    : keep == KeepName::average ? no_average
                                                                : std::string_view();
    return reason.empty();
  }
  void (*check)(const Composition& composition) = nullptr;  // throws Error(usage)
  // The default position of the bias; null: last.
  Bias (*default_bias)(const Composition& composition) = nullptr;

  bool several_classes = false;  // one vector a class
  bool plain_weights = true;     // they start anywhere, and every step is a multiple of a row
  // Returns the composition for more than two classes; null: the rule is rejected there.
  Composition (*for_several_classes)(Composition composition) = nullptr;
  // Returns the composition for repeated passes; null: only the order changes, from stream to cyclic.
  Composition (*for_several_passes)(Composition composition) = nullptr;
  bool comes_to_rest = true;         // makes no update on rows with a large margin, so that a pass may be clean
  bool measures_columns = false;     // each in its own unit: scaling columns beforehand changes little
  bool support_vectors = false;      // a function of a kernel's space instead of weights
  bool bound_from_any_start = true;  // so that a long stream is covered segment by segment
  // The theorems need only margin, norm and weight of rows without a mistake: a file too long to keep can be read
  // again.
  bool bound_from_margins = false;
  bool ceiling_of_margins = false;  // |w| over the sum of steps bounds every margin, from 0
  // Returns the functional margin below which the rule makes an update; null: it updates on mistakes only, or by
  // another criterion.
  double (*margin_wanted)(const Composition& composition) = nullptr;
  // Returns true if the composition makes many weights exactly 0; null: no composition does.
  bool (*exact_zeros)(const Composition& composition) = nullptr;
  // Returns an upper bound, from start 0, on |w|^2 over the sum of the updates' squares; null: none is known.
  double (*norm_growth)(const Composition& composition) = nullptr;
};

// Returns all rules, by number.
std::span<const RuleEntry> all_rules();
const RuleEntry& entry_of(RuleName rule);                                 // throws Error(usage) if there is none
const RuleEntry* find_rule(RuleName rule);                                // null if there is none
const ParameterUse* find_use(RuleName rule, std::string_view parameter);  // null if the rule does not have it
bool applies(const ParameterUse& use, const Composition& composition);

// Returns the parameters of all rules, without duplicates, in the order of rules.
std::vector<const Parameter*> parameters();
const Parameter* find_parameter(std::string_view name);
// Returns the help of a parameter's flag: its effect in every rule that has it, with the defaults.
std::string help_of(const Parameter& parameter);
// Parses a value: a number, a choice, a flag's yes or no. Throws Error(usage).
double parse_value(const Parameter& parameter, std::string_view text);
// Returns a value as text: a choice by its name.
std::string value_text(const Parameter& parameter, double value);

// Adds a rule of the caller. Throws Error(usage) if its number or name is taken.
void register_rule(RuleEntry entry);

// Returns the composition for several passes over the rows; keeps parameters that were set.
Composition for_several_passes(Composition composition);

// The number of rows that parameters are tuned on.
inline constexpr std::uint64_t tuning_rows = 1000;
// Returns whether the default of some parameter depends on the rows, and the parameter was not set.
bool needs_tuning(const Composition& composition);
// Sets such parameters from the first tuning_rows training rows.
Composition tune_defaults(Composition composition, const Rows& rows);

// Makes the learner. Throws Error(usage) if the composition is invalid or the features exceed the memory.
std::unique_ptr<Learner> make_learner(const Composition& composition, std::uint32_t classes,
                                      std::uint64_t memory = kLearnerMemory);

// Makes a binary learner of a rule over plain weights, for an entry's `make`.
template <AdditiveRule Rule>
std::unique_ptr<Learner> make_linear(Rule rule, const Composition& composition) {
  using L = Linear<Rule>;
  return std::make_unique<game::Player<L>>(
      L(std::move(rule), Weights(composition.bias, composition.start), composition.keep), 2);
}
// Makes a binary learner of a rule over other weights.
template <AdditiveRule Rule, LinearWeights W>
std::unique_ptr<Learner> make_linear(Rule rule, W start, const Composition& composition) {
  using L = Linear<Rule, W>;
  return std::make_unique<game::Player<L>>(L(std::move(rule), std::move(start), composition.keep), 2);
}

// Returns true if the composition makes many weights exactly 0.
bool makes_exact_zeros(const Composition& composition);
// Returns entry.norm_growth of a composition; 0 if none is known.
double norm_growth(const Composition& composition);

// Returns the best bound of the rule's theorems over all comparators. Empty if none covers the run: `asked` then
// receives the condition that the run does not meet.
std::optional<MistakeBound> bound_of_run(const Composition& composition, const RunForBound& run,
                                         const std::vector<Comparator>& comparators, std::string* asked = nullptr);

}  // namespace halfspace
