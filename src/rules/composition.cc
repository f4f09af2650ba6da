// The names of the parts, the one table of presets, and what makes sense together.
#include "halfspace/rules/composition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/game/ledger.h"

namespace halfspace {
namespace {

using R = RuleName;
using O = OrderName;
using K = KeepName;

constexpr std::array<Preset, 24> kPresets{{
    {"rosenblatt", "the online perceptron: once through the data", R::perceptron, O::stream, K::last, Tie::mistake,
     Clean::no, 0},
    {"batch", "the perceptron in a loop, until a pass is clean", R::perceptron, O::cyclic, K::last, Tie::mistake,
     Clean::pass, 0},
    {"pla", "always learns from the first mistake, until there is none", R::perceptron, O::first_mistake, K::last,
     Tie::mistake, Clean::pass, 0},
    {"cyclic-pla", "walks round and round, until every row in a row was right", R::perceptron, O::cyclic, K::last,
     Tie::mistake, Clean::cycle, 0},
    {"random-pla", "a fresh order for every pass, until no mistake is left", R::perceptron, O::shuffled, K::last,
     Tie::mistake, Clean::pass, 0},
    {"pocket", "a random mistake at a time, keeping the best weights", R::perceptron, O::random_mistake, K::pocket,
     Tie::mistake, Clean::pass, 0},
    {"averaged", "hands out the mean of all weights: the first thing to try", R::perceptron, O::stream, K::average,
     Tie::mistake, Clean::no, 0},
    {"voted", "every vector votes with its age", R::perceptron, O::stream, K::vote, Tie::mistake, Clean::no, 0},
    {"pa", "passive-aggressive: mends every loss at once", R::pa, O::stream, K::last, Tie::positive, Clean::no, 0},
    {"pa1", "passive-aggressive, steps capped at C", R::pa1, O::stream, K::last, Tie::positive, Clean::no, 0},
    {"pa2", "passive-aggressive, steps softened by C", R::pa2, O::stream, K::last, Tie::positive, Clean::no, 0},
    {"margin", "the margin perceptron, until every margin is reached", R::margin, O::cyclic, K::last, Tie::mistake,
     Clean::pass, 0},
    {"minnow", "normalised Winnow: for many features of which few matter", R::minnow, O::stream, K::last, Tie::positive,
     Clean::no, 0},
    {"multiclass", "one vector a class, the highest score wins", R::multiclass, O::stream, K::average, Tie::mistake,
     Clean::no, 0},
    {"second-order", "a perceptron that whitens the rows it erred on: O(d^2) a mistake", R::second_order, O::stream,
     K::last, Tie::positive, Clean::no, 0},
    {"arow", "weights with a covariance, sure ones move little: O(d^2) a step", R::arow, O::stream, K::last,
     Tie::positive, Clean::no, 0},
    {"arow-diagonal", "AROW with one variance a feature: sure weights move little", R::arow_diagonal, O::stream,
     K::last, Tie::positive, Clean::no, 0},
    {"adagrad", "a perceptron with a rate of its own for every feature", R::adagrad, O::stream, K::last, Tie::positive,
     Clean::no, 0},
    {"alma", "steps and the margin asked for shrink: an approximate large margin", R::alma, O::stream, K::last,
     Tie::positive, Clean::no, 0},
    {"projected", "a perceptron inside a ball, for a truth that moves", R::projected, O::stream, K::last, Tie::positive,
     Clean::no, 0},
    {"winnow1", "features of 0 and 1: eliminates what misled", R::winnow1, O::stream, K::last, Tie::negative, Clean::no,
     0},
    {"winnow2", "features of 0 and 1: demotes what misled", R::winnow2, O::stream, K::last, Tie::negative, Clean::no,
     0},
    {"eg", "exponentiated gradient: minnow on every margin below 1", R::eg, O::stream, K::last, Tie::positive,
     Clean::no, 0},
    {"kernel", "the perceptron in the space of a kernel, by support vectors", R::kernel, O::stream, K::last,
     Tie::mistake, Clean::no, 0},
}};

template <class E>
struct Named {
  E value;
  std::string_view name;
};

constexpr std::array<Named<R>, 17> kRules{{{R::perceptron, "perceptron"},
                                           {R::margin, "margin"},
                                           {R::pa, "pa"},
                                           {R::pa1, "pa1"},
                                           {R::pa2, "pa2"},
                                           {R::minnow, "minnow"},
                                           {R::multiclass, "multiclass"},
                                           {R::second_order, "second-order"},
                                           {R::arow, "arow"},
                                           {R::arow_diagonal, "arow-diagonal"},
                                           {R::adagrad, "adagrad"},
                                           {R::alma, "alma"},
                                           {R::projected, "projected"},
                                           {R::winnow1, "winnow1"},
                                           {R::winnow2, "winnow2"},
                                           {R::eg, "eg"},
                                           {R::kernel, "kernel"}}};
constexpr std::array<Named<O>, 6> kOrders{{{O::stream, "stream"},
                                           {O::cyclic, "cyclic"},
                                           {O::shuffled, "shuffled"},
                                           {O::first_mistake, "first-mistake"},
                                           {O::random_mistake, "random-mistake"},
                                           {O::random, "random"}}};
constexpr std::array<Named<K>, 4> kKeeps{
    {{K::last, "last"}, {K::average, "average"}, {K::pocket, "pocket"}, {K::vote, "vote"}}};
constexpr std::array<Named<Tie>, 3> kTies{
    {{Tie::positive, "positive"}, {Tie::mistake, "mistake"}, {Tie::negative, "negative"}}};
constexpr std::array<Named<Bias>, 3> kBiases{{{Bias::none, "none"}, {Bias::first, "first"}, {Bias::last, "last"}}};
constexpr std::array<Named<Clean>, 3> kCleans{{{Clean::no, "no"}, {Clean::pass, "pass"}, {Clean::cycle, "cycle"}}};
constexpr std::array<Named<ClassUpdate>, 6> kClassUpdates{{{ClassUpdate::max_score, "max-score"},
                                                           {ClassUpdate::uniform, "uniform"},
                                                           {ClassUpdate::proportional, "proportional"},
                                                           {ClassUpdate::pa, "pa"},
                                                           {ClassUpdate::pa1, "pa1"},
                                                           {ClassUpdate::pa2, "pa2"}}};
constexpr std::array<Named<KernelName>, 3> kKernels{
    {{KernelName::linear, "linear"}, {KernelName::polynomial, "polynomial"}, {KernelName::gaussian, "gaussian"}}};
constexpr std::array<Named<Eviction>, 3> kEvictions{
    {{Eviction::random, "random"}, {Eviction::forgetron, "forgetron"}, {Eviction::projectron, "projectron"}}};
constexpr std::array<Named<Stopped>, 7> kStopped{{{Stopped::running, "running"},
                                                  {Stopped::clean, "clean"},
                                                  {Stopped::end, "end"},
                                                  {Stopped::passes, "passes"},
                                                  {Stopped::updates, "updates"},
                                                  {Stopped::time, "time"},
                                                  {Stopped::interrupted, "interrupted"}}};

template <class E, std::size_t n>
std::string_view name_in(const std::array<Named<E>, n>& table, E value) {
  for (const auto& entry : table) {
    if (entry.value == value) return entry.name;
  }
  return "";
}

template <class E, std::size_t n>
std::optional<E> value_in(const std::array<Named<E>, n>& table, std::string_view name) {
  for (const auto& entry : table) {
    if (entry.name == name) return entry.value;
  }
  return std::nullopt;
}

bool positive(double value) {
  return std::isfinite(value) && value > 0;
}

void demand(bool holds, const std::string& message, const std::string& fix) {
  if (!holds) throw Error(ErrorKind::usage, message).fix(fix);
}

}  // namespace

std::span<const Preset> presets() {
  return kPresets;
}

const Preset* find_preset(std::string_view name) {
  for (const Preset& preset : kPresets) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

std::string_view name_of(RuleName rule) {
  return name_in(kRules, rule);
}
std::string_view name_of(OrderName order) {
  return name_in(kOrders, order);
}
std::string_view name_of(KeepName keep) {
  return name_in(kKeeps, keep);
}
std::string_view name_of(Tie tie) {
  return name_in(kTies, tie);
}
std::string_view name_of(Bias bias) {
  return name_in(kBiases, bias);
}
std::string_view name_of(Clean clean) {
  return name_in(kCleans, clean);
}
std::string_view name_of(ClassUpdate update) {
  return name_in(kClassUpdates, update);
}
std::string_view name_of(KernelName kernel) {
  return name_in(kKernels, kernel);
}
std::string_view name_of(Eviction eviction) {
  return name_in(kEvictions, eviction);
}
std::string_view name_of(Stopped stopped) {
  return name_in(kStopped, stopped);
}

std::optional<RuleName> rule_named(std::string_view name) {
  return value_in(kRules, name);
}
std::optional<OrderName> order_named(std::string_view name) {
  return value_in(kOrders, name);
}
std::optional<KeepName> keep_named(std::string_view name) {
  return value_in(kKeeps, name);
}
std::optional<Tie> tie_named(std::string_view name) {
  return value_in(kTies, name);
}
std::optional<Bias> bias_named(std::string_view name) {
  return value_in(kBiases, name);
}
std::optional<ClassUpdate> class_update_named(std::string_view name) {
  return value_in(kClassUpdates, name);
}
std::optional<KernelName> kernel_named(std::string_view name) {
  return value_in(kKernels, name);
}
std::optional<Eviction> eviction_named(std::string_view name) {
  return value_in(kEvictions, name);
}

namespace {

void validate_kernel(const Composition& c) {
  const KernelOptions& k = c.kernel;
  if (c.rule != RuleName::kernel) {
    return demand(k == KernelOptions{},
                  "--kernel, --gamma, --degree, --offset, --budget, --eviction and --residual are of "
                  "--rule kernel",
                  "leave them out, or use --rule kernel");
  }
  demand(positive(k.kernel.gamma), "--gamma must be a positive number",
         "1 is the default; --search gamma=0.01..10 --folds 5 finds one");
  demand(k.kernel.degree >= 1 && k.kernel.degree <= 64, "--degree must be a whole number from 1 to 64",
         "2 and 3 are usual");
  demand(std::isfinite(k.kernel.offset) && k.kernel.offset >= 0, "--offset must be a number that is not negative",
         "1 is the default; with 0 only products of the degree count");
  demand(!k.budget || *k.budget >= 1, "--budget must be at least 1", "leave it out to keep every support vector");
  demand(k.residual >= 0 && k.residual < 1, "--residual must be at least 0 and below 1", "0.1 is the default");
  demand(k.budget || k.eviction == Eviction::random, "--eviction says what makes room in a budget", "add --budget N");
  demand((k.budget && k.eviction == Eviction::projectron) || k.residual == KernelOptions{}.residual,
         "--residual is of --eviction projectron", "leave it out, or add --budget N --eviction projectron");
  demand(!c.rate, "--rate: from 0 the rate changes nothing that a kernel perceptron predicts", "leave out --rate");
  demand(!c.start.small, "--start small: a kernel's space has no small random point", "leave out --start");
  demand(c.keep == KeepName::last || c.keep == KeepName::average,
         "--keep " + std::string(name_of(c.keep)) + " is not for --rule kernel", "use --keep last or average");
  demand(c.keep != KeepName::average || !k.budget || k.eviction == Eviction::projectron,
         "--keep average: what a budget has forgotten cannot be averaged",
         "use --keep last, or --eviction projectron, which forgets nothing");
}

}  // namespace

double rate_of(const Composition& c) {
  return c.rate.value_or(c.rule == R::eg ? 0.1 : 1.0);
}
double ball_of(const Composition& c) {
  return c.ball.value_or(c.rule == R::adagrad ? 1.0 : 10.0);
}
double alpha_of(const Composition& c) {
  return c.alpha.value_or(c.rule == R::alma ? 0.9 : c.rule == R::winnow1 ? 2.0 : 1.5);
}

void validate(const Composition& c) {
  demand(!c.rate || positive(*c.rate), "--rate must be a positive number", "leave it out for the default");
  demand(positive(c.bias.scale), "--bias-scale must be a positive number", "use --bias none for no bias");
  demand(std::isfinite(c.margin) && c.margin >= 0, "--margin must be a number that is not negative",
         "1 is the default");
  demand(positive(c.aggressiveness), "--aggressiveness must be a positive number",
         "1 is the default; smaller is calmer");
  demand(!c.radius || positive(*c.radius), "--radius must be a positive number",
         "give the largest absolute value of a feature");
  demand(!c.relative_margin || (*c.relative_margin > 0 && *c.relative_margin < 1),
         "--relative-margin must lie between 0 and 1", "leave it out, and it is guessed");
  demand(c.rule == RuleName::minnow || (!c.relative_margin && !c.radius),
         "--relative-margin and --radius belong to --rule minnow", "leave them out, or use --rule minnow");
  demand(c.rule == RuleName::multiclass || c.class_update == ClassUpdate::max_score,
         "--class-update belongs to --rule multiclass, and to data of more than two classes",
         "leave it out, or use --rule multiclass");
  demand(!(c.rate && c.relative_margin), "--rate and --relative-margin exclude each other", "give one of the two");
  demand(c.rule != RuleName::minnow || !c.start.small, "--start small: minnow starts at uniform weights",
         "leave out --start");
  const bool looks_for_mistakes = c.order == OrderName::first_mistake || c.order == OrderName::random_mistake;
  demand(!looks_for_mistakes || c.keep != KeepName::pocket || c.order == OrderName::random_mistake,
         "--keep pocket is not for --order first-mistake", "use --order random-mistake, or another --keep");

  const std::string rule = "--rule " + std::string(name_of(c.rule));
  const auto belongs = [&](bool given, const char* flag, std::initializer_list<RuleName> rules) {
    const bool fits = std::find(rules.begin(), rules.end(), c.rule) != rules.end();
    std::string fix = "leave it out, or use one of the rules";
    for (const RuleName fitting : rules) fix += " " + std::string(name_of(fitting));
    demand(!given || fits, std::string(flag) + " is not for " + rule, fix);
  };
  validate_kernel(c);
  demand(positive(c.regularization), "--regularization must be a positive number", "1 is the default");
  belongs(c.regularization != 1, "--regularization", {R::second_order, R::arow, R::arow_diagonal});
  demand(!c.ball || positive(*c.ball), "--ball must be a positive number", "leave it out for the default");
  belongs(c.ball.has_value(), "--ball", {R::adagrad, R::projected, R::eg});
  belongs(c.alpha.has_value(), "--alpha", {R::alma, R::winnow1, R::winnow2});
  belongs(c.threshold.has_value(), "--threshold", {R::winnow1, R::winnow2});
  const bool winnow = c.rule == R::winnow1 || c.rule == R::winnow2;
  if (winnow) {
    demand(!c.alpha || (std::isfinite(*c.alpha) && *c.alpha > 1), "--alpha must be above 1 for winnow",
           "leave it out for the default");
    demand(!c.threshold || positive(*c.threshold), "--threshold must be a positive number",
           "leave it out: it is then half the number of features");
    demand(c.bias.place != Bias::none && c.bias.scale == 1,
           "--bias none, --bias-scale: the bias of " + rule + " is its threshold",
           "leave out --bias and --bias-scale; --threshold sets it");
  }
  demand(c.rule != R::alma || !c.alpha || (*c.alpha > 0 && *c.alpha <= 1),
         "--alpha must lie above 0 and be at most 1 for alma", "leave it out for the default");
  demand(c.rule != R::eg || c.both_signs, "--positive-weights: eg has weights of both signs",
         "leave it out, or use --rule minnow");
  demand(c.rule != R::eg || !c.start.small, "--start small: eg starts at uniform weights", "leave out --start");
  if (has_own_state(c.rule)) {
    demand(!c.rate || c.rule == R::projected, "--rate: " + rule + " finds the length of its steps itself",
           "leave out --rate");
    demand(!c.start.small, "--start small: " + rule + " has its own start", "leave out --start");
    demand(c.keep != K::vote, "--keep vote: the steps of " + rule + " are no multiples of rows, to be taken again",
           "use --keep last, average or pocket");
  }
}

}  // namespace halfspace
