// The fields of a model file, in file order: one description for encoding and decoding. docs/formats/model.md documents
// it; the two change together, and a change of either is a new format version.
//
// W is a Writer (M is const Model) or a Reader (M is Model). A check may use the fields before its own.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <string>

#include "base/fields/checks.h"
#include "base/fields/sparse_array.h"
#include "halfspace/detail/rules/kernel_perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/model.h"
#include "model/fields_of_evaluation.h"
#include "stream/schema/schema_fields.h"
#include "train/predict/spread_fields.h"

namespace halfspace::model {

// ---- composition ----

// Describes the parameters of the rule that have an effect and a value. Defaults are stored, too: those of a later
// version may be others.
template <class A, class C>
void describe_parameters(A& archive, C& composition) {
  const std::vector<ParameterUse>& uses = entry_of(composition.rule).parameters;
  const auto value_of = [&](const ParameterUse& use) {
    if (!applies(use, composition)) return std::optional<double>();
    const std::optional<double> given = composition.given(*use.parameter);
    return given ? given : use.fallback;
  };
  std::vector<bool> stored;
  for (const ParameterUse& use : uses) {
    std::optional<double> value;
    if constexpr (!A::reads) value = value_of(use);
    archive.optional(use.parameter->key().c_str(), value, [&](double number) { return use.domain.problem(number); });
    stored.push_back(value.has_value());
    if constexpr (A::reads) {
      const bool is_default = value && use.fallback && bits_of(*value) == bits_of(*use.fallback);  // -0.0 is not 0.0
      if (value && !is_default) composition.set(*use.parameter, *value);
    }
  }
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (stored[i] != value_of(uses[i]).has_value())
      archive.refuse(uses[i].parameter->key() + (stored[i] ? " has no effect" : " is not there"));
  }
}

template <class A, class C>
void describe_rule(A& archive, C& composition) {
  const auto number = archive.implied("rule", static_cast<std::uint8_t>(composition.rule), [](std::uint8_t rule) {
    return find_rule(RuleName{rule}) != nullptr ? std::string() : std::to_string(rule) + " is not a rule";
  });
  if constexpr (A::reads) composition.rule = RuleName{number};
}

template <class A, class C>
void describe_composition(A& archive, C& composition) {
  describe_rule(archive, composition);
  archive.choice("order", composition.order, 6, "an order");
  archive.choice("keep", composition.keep, 4, "a keeper");
  archive.choice("tie", composition.tie, 3, "a tie rule");
  archive.choice("bias", composition.bias.position, 3, "a position of the bias");
  archive.value("bias_scale", composition.bias.scale, positive);
  archive.flag("start_small", composition.start.small);
  archive.value("start_seed", composition.start.seed, anything);
  archive.value("seed", composition.seed, anything);
  describe_parameters(archive, composition);
  try {
    validate(composition);
  } catch (const Error& error) {
    archive.refuse("these parts contradict each other: " + error.message());
  }
}

// Describes the reduction of several classes to binary learners.
template <class A, class C>
void describe_several_classes(A& archive, C& composition, std::size_t labels) {
  auto how = static_cast<std::uint8_t>(composition.several_classes);
  archive.choice("several_classes", how, 3, "a multiclass reduction");
  if constexpr (A::reads) composition.several_classes = static_cast<SeveralClasses>(how);
  const bool kept = composition.keep == KeepName::last || composition.keep == KeepName::average;
  const auto classes = static_cast<std::uint32_t>(labels);
  if (!composition.by_learners_of_two() || !kept || learners_of(composition.several_classes, classes) > most_learners ||
      entry_of(composition.rule).support_vectors)
    archive.refuse("this rule takes two classes, but the model has " + shown(labels) + " labels");
}

// Returns the number of vectors in a composition's result, and in its learner.
inline std::uint32_t vectors_of(const Composition& composition, std::uint32_t classes) {
  if (entry_of(composition.rule).several_classes) return classes;
  return composition.by_learners_of_two() ? classes : 1;
}
inline std::uint32_t learner_vectors_of(const Composition& composition, std::uint32_t classes) {
  return composition.by_learners_of_two()
             ? static_cast<std::uint32_t>(learners_of(composition.several_classes, classes))
             : classes;
}

// ---- weights ----

inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}
inline bool same_bits(const ClassWeightVector& a, const ClassWeightVector& b) {
  return a.classes == b.classes && same_bits(a.w, b.w) && same_bits(a.bias, b.bias);
}

// The required shape of a stored vector of weights.
struct Shape {
  std::uint32_t classes;
  std::uint32_t most_features;
  bool with_bias = true;
};

template <class A, class V>
void describe_vector(A& archive, V& vector, const Shape& shape) {
  archive.value("classes", vector.classes, exactly(shape.classes, "the composition"));
  const std::uint64_t classes = vector.classes;
  const auto features =
      archive.implied("features", static_cast<std::uint32_t>(classes == 0 ? 0 : vector.w.size() / classes),
                      at_most(classes == 0 ? 0 : shape.most_features, "the features known here"));
  const std::uint64_t biases = shape.with_bias ? classes : 0;
  if constexpr (!A::reads) {
    if (vector.w.size() != features * classes) archive.refuse("the number of weights is not features x classes");
    if (vector.bias.size() != biases) archive.refuse("the bias does not have one weight a class");
  }
  describe_sparse_array(archive, "w", vector.w, features * classes, finite);
  archive.array("bias", vector.bias, biases, finite);
}

// Describes a vector that often equals `original`; then it is stored as equal, and in no other way.
template <class A, class V>
void describe_copy(A& archive, V& vector, const ClassWeightVector& original, const Shape& shape) {
  bool same = same_bits(vector, original);
  archive.flag("same", same);
  if (same) {
    if constexpr (A::reads) vector = original;
    archive.demand(exactly(shape.classes, "the composition")(vector.classes));
    if (vector.w.size() > std::uint64_t{shape.most_features} * shape.classes)
      archive.refuse("more features than known here");
    if (!shape.with_bias) archive.refuse("no vector can be equal here");
    return;
  }
  describe_vector(archive, vector, shape);
  if constexpr (A::reads) {
    if (same_bits(vector, original)) archive.refuse("these weights equal the model's, but are not marked as equal");
  }
}

// ---- learner ----

template <class A, class N>
void describe_state_numbers(A& archive, N& numbers, const StateShape& shape) {
  archive.numbers("numbers", numbers, exactly(shape.numbers.size(), "the composition"),
                  [&](double number, std::uint64_t position) {
                    const std::string problem = shape.numbers[position].domain.problem(number);
                    return problem.empty() ? problem : shape.numbers[position].name + ": " + problem;
                  });
}

// Describes the counts of the keeper.
template <class A, class L>
void describe_counts(A& archive, L& learner, const Composition& composition, const StateShape& shape) {
  const bool pocket = composition.keep == KeepName::pocket;
  const auto rounds = at_most(learner.finished, "the rounds finished");
  const auto check = [&](std::uint64_t count, std::uint64_t position) -> std::string {
    if (pocket && position < 2) return at_most(1, "a flag")(count);                      // filled, ratchet
    if (pocket && position == 2) return sum_of_positives(std::bit_cast<double>(count));  // errors of the best
    return rounds(count);  // average: counted; pocket: best run, born
  };
  archive.numbers("kept_counts", learner.kept_counts, exactly(shape.counts, "the composition"), check);
}

// Describes the steps of a vote, which must be safe to replay: existing features and classes, each feature once a row.
template <class A, class H>
void describe_votes(A& archive, H& votes, const StateShape& shape, const LearnerState& learner) {
  const std::uint32_t classes = learner.weights.classes;
  const std::uint64_t features = classes == 0 ? 0 : learner.weights.w.size() / classes;
  archive.value("first_age", votes.first_age, at_most(learner.finished, "the rounds finished"));
  archive.value("counted", votes.counted, at_most(learner.finished, "the rounds finished"));
  archive.numbers("index", votes.index, anything, [&](std::uint32_t index) {
    return index < features ? std::string()
                            : shown(std::uint64_t{index}) + " is beyond the " + shown(features) + " features";
  });
  if constexpr (!A::reads) {
    if (votes.value.size() != votes.index.size()) archive.refuse("values and indices differ in number");
  }
  archive.array("value", votes.value, votes.index.size(), finite);
  std::uint64_t before = 0;
  std::uint64_t left = votes.counted;  // rounds not yet covered
  const auto in_turn = [&](std::uint64_t age) { return at_most(left, "the rounds left to count")(age); };
  archive.demand(in_turn(votes.first_age));
  left -= votes.first_age;
  const auto mover = [&](std::uint32_t k) { return at_most(classes - 1, "the last class")(k); };
  archive.list("steps", votes.steps, 33, anything, [&](auto& step, std::uint64_t i) {
    archive.value("amount", step.amount, finite);
    archive.value("begin", step.begin, [&](std::uint64_t begin) {
      if (i == 0 && begin != 0) return std::string("the first step must begin at 0");
      if (begin < before) return shown(begin) + " is before the previous step (" + shown(before) + ")";
      return at_most(votes.index.size(), "the number of values")(begin);
    });
    before = step.begin;
    archive.value("raised", step.moved.raised, mover);
    archive.value("lowered", step.moved.lowered, mover);
    archive.flag("restart", step.restart, [&](bool restart) {
      return std::string(restart && !shape.restarts ? "this rule never restarts" : "");
    });
    archive.value("age", step.age, in_turn);
    left -= step.age;
  });
  if (votes.steps.empty() && !votes.index.empty()) archive.refuse("values belong to no step");
  if (left != 0) archive.refuse("the ages do not add up to the rounds counted");
  std::vector<std::uint64_t> seen(features, 0);  // 1 + the last step that had this feature
  for (std::size_t k = 0; k < votes.steps.size(); ++k) {
    const auto row = votes.row(k);
    for (std::uint32_t j = 0; j < row.size; ++j) {
      if (seen[row.index[j]] == k + 1) archive.refuse("step " + shown(k) + " has a feature twice");
      seen[row.index[j]] = k + 1;
    }
  }
}

// Describes support vectors: a row's values lie between its begin and the next one's; features exist, each once a row.
template <class A, class K>
void describe_kernel(A& archive, K& kernel, const Composition& composition, std::uint32_t features) {
  const std::optional<double> budget = composition.given(*find_parameter("budget"));
  const auto most = static_cast<std::uint64_t>(budget.value_or(UINT32_MAX));
  std::uint64_t before = 0;
  archive.numbers("begin", kernel.begin, at_most(most, "the budget"), [&](std::uint64_t begin, std::uint64_t position) {
    if (position == 0 && begin != 0) return std::string("the first support vector must begin at 0");
    if (begin < before) return shown(begin) + " is before the previous one (" + shown(before) + ")";
    before = begin;
    return std::string();
  });
  const std::uint64_t size = kernel.begin.size();
  const auto values = [&](std::uint64_t count) {
    if (size == 0) return exactly(0, "no support vector")(count);
    return count >= before ? std::string() : shown(count) + " is less than the last begin (" + shown(before) + ")";
  };
  archive.numbers("index", kernel.index, values, [&](std::uint32_t index) {
    return index < features
               ? std::string()
               : shown(std::uint64_t{index}) + " is beyond the " + shown(std::uint64_t{features}) + " features";
  });
  const bool averages = composition.keep == KeepName::average;
  if constexpr (!A::reads) {
    if (kernel.value.size() != kernel.index.size()) archive.refuse("values and indices differ in number");
    if (kernel.coefficient.size() != size) archive.refuse("coefficients and support vectors differ in number");
    if (kernel.lag.size() != (averages ? size : 0))
      archive.refuse("lags require the average, one for each support vector");
    if (kernel.numbers.size() != (budget ? kKernelNumbers : 0)) archive.refuse("numbers of a budget require a budget");
  }
  archive.array("value", kernel.value, kernel.index.size(), finite);
  archive.array("coefficient", kernel.coefficient, size, finite);
  if (averages) archive.array("lag", kernel.lag, size, finite);
  if (budget) {
    constexpr double count = 0x1.0p53;
    archive.array("budget", kernel.numbers, kKernelNumbers, [&](double number, std::uint64_t position) -> std::string {
      if (position == 0) return count_in(0, count)(number);                                          // updates
      if (position == 1) return count_in(0, static_cast<double>(size == 0 ? 0 : size - 1))(number);  // oldest
      return position == 3 || position == 6 ? finite(number)
                                            : not_negative(number);  // control and damage may be negative
    });
    archive.group("draws", [&] {
      for (auto& word : kernel.draws) archive.value("word", word, anything);
    });
  }
  std::vector<std::uint32_t> row;
  for (std::uint64_t i = 0; i < size; ++i) {
    const std::uint64_t end = i + 1 < size ? kernel.begin[i + 1] : kernel.index.size();
    row.assign(kernel.index.begin() + static_cast<std::ptrdiff_t>(kernel.begin[i]),
               kernel.index.begin() + static_cast<std::ptrdiff_t>(end));
    std::sort(row.begin(), row.end());
    if (std::adjacent_find(row.begin(), row.end()) != row.end())
      archive.refuse("support vector " + shown(i) + " has a feature twice");
  }
}

template <class A, class M>
void describe_learner(A& archive, M& model) {
  if constexpr (A::reads) {
    if (archive.without_learner) return;
  }
  auto& learner = model.learner;
  const Composition& composition = model.composition;
  const KeepName keep = composition.keep;
  const std::uint32_t classes = learner_vectors_of(composition, model.weights.classes);
  const bool several_classes = entry_of(composition.rule).several_classes;
  const StateShape shape_of_state = make_learner(composition, std::max(2U, model.weights.classes))->state_shape();
  archive.value("finished", learner.finished, anything);
  describe_state_numbers(archive, learner.numbers, shape_of_state);
  describe_counts(archive, learner, composition, shape_of_state);
  archive.group("weights", [&] {
    describe_copy(archive, learner.weights, model.weights, {classes, model.schema.features});
  });
  archive.group("kept", [&] {
    const auto features = static_cast<std::uint32_t>(learner.weights.w.size() / classes);
    Shape shape{0, 0, false};
    if (keep == KeepName::average && shape_of_state.lag) shape = {classes, features};
    if (keep == KeepName::pocket) {
      // A pocket of several classes has no weights of its own until it is filled.
      const bool empty = learner.kept_counts[0] == 0 && several_classes;
      shape = empty ? Shape{1, 0, false} : Shape{classes, features};
    }
    describe_copy(archive, learner.kept, model.weights, shape);
  });
  const std::uint64_t coordinates =
      learner.weights.w.size() / classes + (composition.bias.position == Bias::none ? 0 : 1);
  const std::uint64_t moments = shape_of_state.moments(coordinates);
  if (moments > 0) {
    const auto describe_moments = [&](const auto& check) {
      describe_sparse_array(archive, "moments", learner.moments, moments, check);
    };
    shape_of_state.moments_not_negative ? describe_moments(not_negative) : describe_moments(finite);
  }
  if (learner.moments.size() != moments) archive.refuse("the number of moments does not match the rule");
  if (shape_of_state.support_vectors) {
    if (learner.weights.w.size() != 0) archive.refuse("a kernel learner has no weights");
    archive.group("support", [&] { describe_kernel(archive, learner.kernel, composition, model.schema.features); });
  } else if (!(learner.kernel == KernelState{})) {
    archive.refuse("support vectors, but the rule has none");
  }
  if (keep == KeepName::vote) {
    if (learner.weights.w.size() != model.weights.w.size())
      archive.refuse("the weights of a vote must be the current ones");
    archive.group("votes", [&] { describe_votes(archive, learner.votes, shape_of_state, learner); });
  } else if (!(learner.votes == VoteHistory{})) {
    archive.refuse("votes, but the keeper is not vote");
  }
}

// ---- ledger ----

template <class A, class L>
void describe_ledger(A& archive, L& ledger, std::uint32_t classes) {
  archive.value("rounds", ledger.rounds, anything);
  const auto rounds = at_most(ledger.rounds, "the rounds");
  archive.value("mistakes", ledger.mistakes, rounds);
  archive.value("updates", ledger.updates, rounds);
  archive.value("passes", ledger.passes, anything);
  archive.value("inspections", ledger.inspections, anything);
  archive.choice("stopped", ledger.stopped, 9, "a reason to stop");
  archive.list("pass", ledger.pass, 48, at_least_one, [&](auto& pass, std::uint64_t) {
    archive.value("rounds", pass.rounds, rounds);
    archive.value("mistakes", pass.mistakes, at_most(pass.rounds, "the rounds of the pass"));
    archive.value("updates", pass.updates, at_most(pass.rounds, "the rounds of the pass"));
    archive.value("criterion", pass.criterion, sum_of_positives);
    archive.value("errors", pass.errors, sum_of_positives);
    archive.value("weight", pass.weight, [&](double weight) {
      return weight >= pass.errors ? std::string() : shown(weight) + " is less than the errors";
    });
  });
  archive.value("largest_squared_norm", ledger.largest_squared_norm, sum_of_positives);
  archive.value("largest_row", ledger.largest_row, anything);
  archive.value("update_steps", ledger.update_steps, sum_of_positives);
  archive.value("update_squares", ledger.update_squares, sum_of_positives);
  archive.value("smallest_mistake_weight", ledger.smallest_mistake_weight, sum_of_positives);
  archive.value("first_pass_rounds", ledger.first_pass_rounds, rounds);
  archive.value("first_pass_mistakes", ledger.first_pass_mistakes,
                at_most(ledger.first_pass_rounds, "the rounds of the first pass"));
  archive.value("constant_errors", ledger.constant_errors, sum_of_positives);
  archive.value("previous_errors", ledger.previous_errors, sum_of_positives);
  archive.numbers("class_weight", ledger.class_weight, at_most(classes, "the classes"), sum_of_positives);
  archive.value("previous_label", ledger.previous_label, [&](std::int32_t label) {
    return label >= -1 && label < static_cast<std::int64_t>(classes) ? std::string()
                                                                     : std::to_string(label) + " is not a class";
  });
  archive.value("last_update_round", ledger.last_update_round, rounds);
  archive.value("next_row", ledger.next_row, [&](std::uint64_t next) {
    return std::has_single_bit(next) && next > ledger.rounds ? std::string()
                                                             : shown(next) + " is not a power of two beyond the rounds";
  });
  archive.choice("new_rows", ledger.new_rows, 8, "a note on new rows");
}

// Describes the ledger's sums over the losses of all rounds.
template <class A, class M>
void describe_losses(A& archive, M& model) {
  const Composition& composition = model.composition;
  const RuleEntry& entry = entry_of(composition.rule);
  if (entry.loss == nullptr || composition.by_learners_of_two()) archive.refuse("this rule has no loss");
  auto& losses = [&]() -> auto& {
    if constexpr (A::reads) {
      const bool biased = composition.bias.position != Bias::none;
      model.ledger.losses.emplace(entry.loss(composition), biased ? composition.bias.scale : 0.0);
    }
    return *model.ledger.losses;
  }
  ();
  archive.value("rounds", losses.rounds, exactly(model.ledger.rounds, "the ledger"));
  archive.value("largest_row", losses.largest_row, at_most(model.ledger.largest_row, "the longest row"));
  archive.flag("lost", losses.lost);
  archive.value("weight", losses.weight, sum_of_positives);
  archive.value("suffered", losses.suffered, sum_of_positives);
  archive.value("magnitude", losses.magnitude, not_negative);
  archive.value("constant", losses.constant, [&](double constant) {
    return std::abs(constant) <= losses.magnitude * (1 + 0x1p-20)
               ? finite(constant)
               : shown(constant) + " is beyond the magnitude of its terms";
  });
  archive.value("lengths", losses.lengths, not_negative);
  const auto features = archive.implied("features", static_cast<std::uint32_t>(losses.gradient.w.size()),
                                        at_most(model.schema.features, "the features known here"));
  describe_sparse_array(archive, "gradient", losses.gradient.w, features, finite);
  archive.value("gradient_of_bias", losses.gradient.bias, finite);
}

// ---- the whole ----

template <class A, class M>
void describe(A& archive, M& model) {
  archive.section(1, "schema", [&] { describe_schema(archive, model.schema); });
  const std::size_t labels = model.schema.labels.names.size();
  archive.section(2, "composition", [&] {
    describe_composition(archive, model.composition);
    if (labels > 2 && !entry_of(model.composition.rule).several_classes)
      describe_several_classes(archive, model.composition, labels);
    archive.value("holdout", model.holdout, [](double share) {
      return share >= 0 && share < 1 ? std::string() : shown(share) + " is not a share of at least 0 and below 1";
    });
    archive.list("class_weights", model.class_weights, 12, anything, [&](auto& weight, std::uint64_t) {
      archive.text("label", weight.first);
      archive.value("weight", weight.second, not_negative);
    });
  });
  // A learner of one label, or of none yet, has two classes.
  const auto classes = static_cast<std::uint32_t>(std::max<std::size_t>(2, labels));
  archive.section(3, "weights", [&] {
    describe_vector(archive, model.weights, {vectors_of(model.composition, classes), model.schema.features});
  });
  archive.section(4, "learner", [&] { describe_learner(archive, model); });
  archive.section(5, "ledger", [&] { describe_ledger(archive, model.ledger, classes); });
  archive.section(6, "position", [&] {
    auto& position = model.position;
    archive.value("rows", position.rows, anything);
    archive.value("unfinished", position.unfinished, at_most(position.rows, "the rows"));
    archive.text("last_row", position.last_row);
    archive.text("source", position.source);
    archive.group("generator", [&] {
      for (auto& word : position.generator) archive.value("word", word, anything);
    });
    archive.group("pass_start", [&] {
      for (auto& word : position.order.pass_start) archive.value("word", word, anything);
    });
  });
  archive.section(7, "provenance", [&] {
    archive.text("version", model.provenance.version);
    archive.list("fingerprints", model.provenance.fingerprints, 4, anything,
                 [&](auto& digest, std::uint64_t) { archive.text("digest", digest); });
  });
  archive.section(8, "calibration", [&] { describe_calibration(archive, model); });
  archive.section(9, "watch", [&] {
    describe_if_present(archive, model.ledger.watch,
                        [&](auto& watch) { describe_watch(archive, watch, model.ledger.first_pass_rounds); });
  });
  archive.section(10, "losses", [&] {
    bool present = model.ledger.losses.has_value();
    archive.flag("present", present);
    if (present) describe_losses(archive, model);
  });
  const auto section = [&](std::uint32_t tag, const char* name, auto& part, auto&& body) {
    archive.section(tag, name, [&] { describe_if_present(archive, part, body); });
  };
  section(11, "conformal", model.conformal, [&](auto&) { describe_conformal(archive, model, classes); });
  section(12, "threshold", model.threshold, [&](auto&) { describe_threshold(archive, model, classes); });
  section(13, "spread", model.spread,
          [&](auto& spread) { fields::describe_spread(archive, spread, model.schema.features); });
}

}  // namespace halfspace::model
