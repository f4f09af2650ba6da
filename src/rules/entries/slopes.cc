// The rules that minimize a convex loss, FTRL-proximal, NAG and coin betting: their entries in the table.
#include "halfspace/detail/rules/coin.h"
#include "halfspace/detail/rules/ftrl.h"
#include "halfspace/detail/rules/nag.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::rules {
namespace {

MarginLoss loss_of(const Composition& c) { return c.choice<MarginLoss>(parameter::loss); }
GradientStep gradient_step(const Composition& c) { return {c.tie, loss_of(c)}; }

std::unique_ptr<Learner> make_ftrl(const Composition& c, const LearnerOptions&) {
  return make_linear(gradient_step(c),
                     FtrlWeights(c.bias, {c.value(parameter::alpha), c.value(parameter::beta), c.value(parameter::l1),
                                          c.value(parameter::l2)}),
                     c);
}
std::unique_ptr<Learner> make_nag(const Composition& c, const LearnerOptions&) {
  const MarginLoss loss = loss_of(c);
  return make_linear(Nag{c.tie, loss}, NormalisedWeights(c.bias, loss, c.value(parameter::rate)), c);
}
std::unique_ptr<Learner> make_coin(const Composition& c, const LearnerOptions&) {
  return make_linear(gradient_step(c), CoinWeights(c.bias, c.value(parameter::alpha)), c);
}

// Creates an entry with the common parts.
RuleEntry entry(RuleName id, std::string_view name, std::string_view words, std::string_view help,
                std::vector<ParameterUse> parameters) {
  parameters.push_back({.parameter = &parameter::loss,
                        .help = "the loss to minimize",
                        .domain = domain::count(0, names<MarginLoss>().size() - 1),
                        .fallback = static_cast<double>(MarginLoss::logistic)});
  return {
      .id = id,
      .name = name,
      .words = words,
      .help = help,
      .group = RuleGroup::second_order,
      .presets = {{name, help, id, OrderName::stream, KeepName::last, Tie::positive, Clean::no}},
      .parameters = std::move(parameters),
      .loss = loss_of,
      .no_pocket = "it updates on nearly every row, and a pocket counts rounds without an update",
      .plain_weights = false,
      .comes_to_rest = false,
  };
}

}  // namespace

std::vector<RuleEntry> slopes() {
  RuleEntry ftrl = entry(rule::ftrl, "ftrl", "FTRL-proximal learner",
                         "follow the regularised leader: a step of its own for every feature, and exact zeros",
                         {{.parameter = &parameter::alpha,
                           .help = "how far a step goes",
                           .domain = domain::positive,
                           .fallback = 0.1,
                           .fix = "0.1 is the default"},
                          {.parameter = &parameter::beta,
                           .help = "what holds the first steps small",
                           .domain = domain::not_negative,
                           .fallback = 1,
                           .fix = "1 is the default"},
                          {.parameter = &parameter::l1,
                           .help = "the price of |w_j|: the larger, the more weights are exactly 0",
                           .domain = domain::not_negative,
                           .fallback = 0,
                           .fix = "leave it out for none"},
                          {.parameter = &parameter::l2,
                           .help = "the price of w_j^2 / 2",
                           .domain = domain::not_negative,
                           .fallback = 0,
                           .fix = "leave it out for none"}});
  ftrl.cost = "O(stored values) a round, 24 bytes a feature";
  ftrl.source = "McMahan et al. 2013; McMahan 2017";
  ftrl.make = make_ftrl;
  ftrl.exact_zeros = [](const Composition& c) { return c.given(parameter::l1).value_or(0) > 0; };
  RuleEntry nag = entry(rule::nag, "nag", "normalised adaptive gradient learner (NAG)",
                        "normalised adaptive gradient: columns of any scale, rows of any weight",
                        {{.parameter = &parameter::rate,
                          .help = "the length of a step",
                          .domain = domain::positive,
                          .fallback = 0.5,
                          .fix = "0.5 is the default"}});
  nag.cost = "O(stored values) a round, 24 bytes a feature";
  nag.source = "Ross, Mineiro and Langford 2013; Karampatziakis and Langford 2011";
  nag.make = make_nag;
  nag.measures_columns = true;
  RuleEntry coin = entry(rule::coin, "coin", "coin-betting learner",
                         "coin betting: every feature bets a share of what it has won, without a rate",
                         {{.parameter = &parameter::alpha,
                           .help = "holds the first bets small",
                           .domain = domain::positive,
                           .fallback = 100,
                           .fix = "100 is the default"}});
  coin.cost = "O(stored values) a round, 40 bytes a feature";
  coin.source = "Orabona and Pál 2016; Orabona and Tommasi 2017";
  coin.make = make_coin;
  return {std::move(ftrl), std::move(nag), std::move(coin)};
}

}  // namespace halfspace::rules
