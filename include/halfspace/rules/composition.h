// A run as a composition of four small parts (rule, order, keep, until), in values that can be named, stored and
// compared.
//
// The command line, the model file and every language binding speak this type; the templates behind it (Linear,
// Multiclass) are chosen from it once, at the edge, so that the round loop stays monomorphic.
//
// Thread-safety: value types.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "halfspace/linear/kernel_function.h"
#include "halfspace/linear/rule.h"
#include "halfspace/linear/weights/plain.h"
#include "halfspace/rules/multiclass.h"

namespace halfspace {

enum class RuleName : std::uint8_t {
  perceptron,
  margin,
  pa,
  pa1,
  pa2,
  minnow,
  multiclass,
  second_order,
  arow,
  arow_diagonal,
  adagrad,
  alma,
  projected,
  winnow1,
  winnow2,
  eg,
  kernel,
};

// Rules over two classes whose steps are no multiples of the row: they have a state of their own beside the weights.
inline bool has_own_state(RuleName rule) {
  return rule >= RuleName::second_order && rule <= RuleName::winnow2;
}

enum class OrderName : std::uint8_t {
  stream,          // once, in file order
  cyclic,          // again and again in file order
  shuffled,        // a fresh permutation for every pass
  first_mistake,   // PLA: the first row, in file order, on which the rule would move
  random_mistake,  // one of these rows, drawn uniformly
  random,          // a row drawn uniformly, with replacement (Gallant)
};

enum class KeepName : std::uint8_t { last, average, pocket, vote };

// When is a run clean? `pass`: a pass from the first row to the last changed nothing; `cycle`: as many rounds in a row
// as there are rows changed nothing (noticed up to one pass earlier). Orders that look for mistakes: none is left.
enum class Clean : std::uint8_t { no, pass, cycle };

struct Composition {
  RuleName rule = RuleName::perceptron;
  OrderName order = OrderName::stream;
  KeepName keep = KeepName::last;

  Tie tie = Tie::mistake;
  BiasOptions bias;
  Start start;
  std::uint64_t seed = 1;      // of the order's draws
  std::optional<double> rate;  // 1 by default; minnow: unset means chosen from the margin, or guessed
  double margin = 1;           // margin perceptron: the functional margin
  double aggressiveness = 1;   // pa1, pa2 (of two classes or several): C
  ClassUpdate class_update = ClassUpdate::max_score;  // multiclass
  // Minnow. `both_signs`: weights of both signs, on (x, -x). A known relative margin r and the largest |x_j| give the
  // best rate; with neither these nor a rate the margin is guessed by doubling.
  bool both_signs = true;
  std::optional<double> relative_margin;
  std::optional<double> radius;
  double regularization = 1;  // second-order: a; arow, arow-diagonal: r
  // The ball that the weights stay in: adagrad: the largest |w_j| (its box); projected: the largest 2-norm; eg: the
  // 1-norm. Unset: ball_of().
  std::optional<double> ball;
  std::optional<double> alpha;      // alma: in (0, 1]; winnow1, winnow2: above 1. Unset: alpha_of()
  std::optional<double> threshold;  // winnow1, winnow2; unset: half the number of features, at least 1
  KernelOptions kernel;             // kernel

  bool operator==(const Composition&) const = default;
};

// What an unset parameter is for the composition's rule.
double rate_of(const Composition& composition);
double ball_of(const Composition& composition);
double alpha_of(const Composition& composition);

struct Until {
  Clean clean = Clean::no;
  std::optional<std::uint64_t> passes{}, updates{};
  std::optional<double> seconds{};
  bool operator==(const Until&) const = default;
};

struct Preset {
  std::string_view name;
  std::string_view what;  // one line for help
  RuleName rule;
  OrderName order;
  KeepName keep;
  Tie tie;
  Clean clean;
  std::uint64_t passes;  // 0: no limit of its own
};

// All presets; the one table.
std::span<const Preset> presets();
const Preset* find_preset(std::string_view name);

std::string_view name_of(RuleName rule);
std::string_view name_of(OrderName order);
std::string_view name_of(KeepName keep);
std::string_view name_of(Tie tie);
std::string_view name_of(Bias bias);
std::string_view name_of(Clean clean);
std::string_view name_of(ClassUpdate update);
std::string_view name_of(KernelName kernel);
std::string_view name_of(Eviction eviction);
// The parts by name; empty when there is none of that name.
std::optional<RuleName> rule_named(std::string_view name);
std::optional<OrderName> order_named(std::string_view name);
std::optional<KeepName> keep_named(std::string_view name);
std::optional<Tie> tie_named(std::string_view name);
std::optional<Bias> bias_named(std::string_view name);
std::optional<ClassUpdate> class_update_named(std::string_view name);
std::optional<KernelName> kernel_named(std::string_view name);
std::optional<Eviction> eviction_named(std::string_view name);

// Throws Error(usage) for a composition that makes no sense (a negative rate, a vote over ... ), naming the flag.
void validate(const Composition& composition);

}  // namespace halfspace
