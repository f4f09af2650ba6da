// Choices, and what is learned of them.
#include "halfspace/bandits/chooser.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "bandits/reward_model.h"
#include "bandits/scored_models.h"
#include "base/frames.h"
#include "base/printable.h"
#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/detail/bandits/exploration.h"
#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/base/softmax.h"

namespace halfspace {
namespace {

constexpr double nag_rate = 0.5, arow_regularization = 1;
constexpr double unknown_ratio = std::numeric_limits<double>::infinity();

// Returns the seed of a choice's draws: ids may come again, numbers do not.
std::uint64_t seed_of(std::uint64_t seed, std::string_view id, std::uint64_t number) {
  return seed + checksum(id, {}) + number * 0x9e3779b97f4a7c15;
}

double exp4_rate(std::size_t policies, double floor, double actions) {
  return actions > 0 ? std::sqrt((1 - floor) * elementary::log(static_cast<double>(policies)) / actions) : 0.0;
}

}  // namespace

Chooser::Chooser(const ChooserOptions& options) : options_(options), models_(std::make_unique<Models>()) {
  if (options_.policies.empty()) options_.policies = ChooserOptions::default_policies();
  const std::size_t count = options_.policies.size();
  if (count > ChooserOptions::most_policies)
    throw Error(ErrorKind::usage, "a chooser has at most 32 policies, not " + std::to_string(count))
        .fix("leave some out");
  if (!(options.floor >= 0 && options.floor < 1))
    throw Error(ErrorKind::usage, option("floor") + " must be a share from 0 to below 1").fix("0.02 is the default");
  if (!(options.delta > 0 && options.delta < 1))
    throw Error(ErrorKind::usage, option("delta") + " must be a probability between 0 and 1")
        .fix("0.05 is the default");
  for (const std::string& words : options_.policies) {
    if (std::count(options_.policies.begin(), options_.policies.end(), words) > 1)
      throw Error(ErrorKind::usage, "the policy " + printable(words) + " is given twice").fix("leave one out");
    policies_.push_back(policy::parse(words));
    if (policies_.back().uses_variances()) {
      models_->varied.model = arow_rewards(arow_regularization);
    } else if (policies_.back().estimates()) {
      models_->plain.model = nag_rewards(nag_rate);
    }
  }
  values_ = OrderedValues(count + 2, options.delta / static_cast<double>(4 * (count + 2)));
  losses_.assign(count, 0.0);
  distributions_.resize(count + 1);
  run(options.run);
}
Chooser::~Chooser() = default;
Chooser::Chooser(Chooser&&) noexcept = default;
Chooser& Chooser::operator=(Chooser&&) noexcept = default;

std::size_t Chooser::number_of(std::string_view policy) const {
  if (policy == ChooserOptions::exp4) return policies_.size();
  const auto found = std::find(options_.policies.begin(), options_.policies.end(), policy);
  if (found != options_.policies.end()) return static_cast<std::size_t>(found - options_.policies.begin());
  std::string names(ChooserOptions::exp4);
  for (const std::string& words : options_.policies) names += ", " + words;
  throw Error(ErrorKind::usage, "the policy '" + printable(std::string(policy)) + "' is none of those that are valued")
      .fix("name one of " + names + ", or add it to " + option("policies"));
}

const PolicyValue& Chooser::value(std::string_view policy) const { return values_[number_of(policy)]; }

void Chooser::run(std::string_view policy) {
  run_ = number_of(policy);
  options_.run = policy;
  always_exp4_ = always_exp4_ && (run_ == policies_.size() || choices_ == 0);
}

// Computes a policy's probabilities over the drawable actions.
void Chooser::compute(const policy::Policy& policy, const Actions& actions, Draws& draws, std::span<double> p) {
  using enum policy::Kind;
  const Models::Scored& plain = models_->plain;
  const Models::Scored& varied = models_->varied;
  const double t = static_cast<double>(choices_), k = static_cast<double>(p.size());
  std::vector<double> totals(p.size());
  switch (policy.kind) {
    case greedy:
      return exploration::greedy(plain.estimates, p);
    case epsilon:
      return exploration::epsilon(plain.estimates, policy.number, p);
    case policy::Kind::softmax:
      return exploration::softmax(plain.estimates, policy.number, p);
    case squarecb:
      return exploration::inverse_gap(plain.estimates, policy.number * std::sqrt(t), p);
    case thompson:
      return exploration::thompson(varied.scores, varied.variances, static_cast<unsigned>(policy.number), draws, p);
    case linucb:
      for (std::size_t a = 0; a < p.size(); ++a)
        totals[a] = varied.scores[a] + policy.number * std::sqrt(varied.variances[a]);
      return exploration::greedy(totals, p);
    case exp3_ix:
      for (std::size_t a = 0; a < p.size(); ++a) totals[a] = action_losses_[actions.names[drawable_[a]]];
      return halfspace::softmax(totals, -ActionLosses::rate(k, t), p);
    case first:
      std::fill(p.begin(), p.end(), 0.0);
      p[0] = 1;
      return;
    case arm: {
      const auto is_it = [&](std::size_t i) { return actions.names[i] == policy.action; };
      const auto found = std::find_if(drawable_.begin(), drawable_.end(), is_it);
      if (found == drawable_.end()) break;
      std::fill(p.begin(), p.end(), 0.0);
      p[static_cast<std::size_t>(found - drawable_.begin())] = 1;
      return;
    }
    case uniform:
      break;
  }
  std::fill(p.begin(), p.end(), 1 / k);
}

void Chooser::compute(const Actions& actions, Draws& draws) {
  drawable_.clear();
  for (std::size_t i = 0; i < actions.names.size(); ++i) {
    if (actions.excluded.empty() || actions.excluded[i] == 0) drawable_.push_back(i);
  }
  if (drawable_.empty())
    throw Error(ErrorKind::usage, "no action is left to choose").fix("give actions, and do not exclude all of them");
  ++choices_;
  const double k = static_cast<double>(drawable_.size());
  actions_ += k;
  models_->plain.score(actions.rows, drawable_);
  models_->varied.score(actions.rows, drawable_);
  std::vector<double>& mixture = distributions_.back();
  mixture.assign(drawable_.size(), 0.0);
  const std::vector<double> q = shares();
  for (std::size_t i = 0; i < policies_.size(); ++i) {
    std::vector<double>& p = distributions_[i];
    p.resize(drawable_.size());
    compute(policies_[i], actions, draws, p);
    for (std::size_t a = 0; a < p.size(); ++a) mixture[a] += q[i] * p[a];
  }
  for (double& p : mixture) p = std::min(1.0, p);
  p_.clear();
  for (const double p : distributions_[run_])
    p_.push_back(std::min(1.0, (1 - options_.floor) * p + options_.floor / k));
}

ChosenAction Chooser::chosen(const Actions& actions, std::size_t drawn) {
  ChosenAction choice;
  choice.round = choices_;
  choice.action = drawable_[drawn];
  choice.name = actions.names[choice.action];
  choice.actions = drawable_.size();
  choice.probability.assign(actions.names.size(), 0.0);
  actions.rows.with_example(choice.action, [&](const auto& x) {
    choice.row.index.assign(x.index, x.index + x.size);
    for (std::size_t i = 0; i < x.size; ++i) choice.row.value.push_back(x.value_at(i));
  });
  const std::vector<double>& estimates = models_->plain.model ? models_->plain.estimates : models_->varied.estimates;
  if (!estimates.empty()) choice.model_reward = estimates[drawn];
  for (const std::vector<double>& p : distributions_) {
    const double value = std::inner_product(estimates.begin(), estimates.end(), p.begin(), 0.0);
    choice.policies.push_back({p[drawn], unknown_ratio, value});
  }
  return choice;
}

ChosenAction Chooser::choose(const Actions& actions, std::string_view id) {
  Generator draws(seed_of(options_.seed, id, choices_ + 1));
  const double u = draws.next();
  compute(actions, draws);
  ChosenAction choice = chosen(actions, pick(u, p_));
  for (std::size_t a = 0; a < drawable_.size(); ++a) choice.probability[drawable_[a]] = p_[a];
  for (std::size_t i = 0; i < distributions_.size(); ++i) {
    double largest = 0;
    for (std::size_t a = 0; a < p_.size(); ++a) {
      if (distributions_[i][a] > 0) largest = std::max(largest, distributions_[i][a] / p_[a]);
    }
    choice.policies[i].largest_ratio = largest * (1 + 0x1p-50);
  }
  return choice;
}

ChosenAction Chooser::choose_logged(const Actions& actions, std::string_view id, std::size_t action, double propensity,
                                    double floor) {
  Generator draws(seed_of(options_.seed, id, choices_ + 1));
  draws.next();
  compute(actions, draws);
  const auto found = std::find(drawable_.begin(), drawable_.end(), action);
  if (found == drawable_.end())
    throw Error(ErrorKind::usage, "the logged action is none that could be drawn").fix("leave the round out");
  ChosenAction choice = chosen(actions, static_cast<std::size_t>(found - drawable_.begin()));
  choice.probability[action] = propensity;
  for (std::size_t i = 0; floor > 0 && i < distributions_.size(); ++i) {
    const std::vector<double>& p = distributions_[i];
    choice.policies[i].largest_ratio = *std::max_element(p.begin(), p.end()) / floor * (1 + 0x1p-50);
  }
  return choice;
}

void Chooser::learn(const ChosenAction& choice, double reward) {
  if (!(reward >= 0 && reward <= 1))
    throw Error(ErrorKind::usage, "a reward must be a number from 0 to 1").fix("rescale it");
  const double propensity = choice.propensity();
  std::vector<PolicyRound> rounds;
  for (const ChosenAction::Policy& policy : choice.policies)
    rounds.push_back(
        {policy.probability, propensity, reward, policy.largest_ratio, policy.model_value, choice.model_reward});
  rounds.push_back({propensity, propensity, reward, 1});
  values_.add(choice.round, std::move(rounds));
  for (std::size_t i = 0; i < policies_.size(); ++i)
    losses_[i] += choice.policies[i].probability * (1 - reward) / propensity;
  const auto is_exp3 = [](const policy::Policy& policy) { return policy.kind == policy::Kind::exp3_ix; };
  if (std::any_of(policies_.begin(), policies_.end(), is_exp3)) {
    const double rate = ActionLosses::rate(static_cast<double>(choice.actions), static_cast<double>(choice.round));
    action_losses_.add(choice.name, 1 - reward, propensity, rate);
  }
  for (Models::Scored* const scored : {&models_->plain, &models_->varied}) {
    if (scored->model) scored->model->learn(choice.row, reward);
  }
  ++rewards_;
  reward_ += reward;
  always_exp4_ = always_exp4_ && run_ == policies_.size() && choice.round == choices_ && rewards_ == choices_;
}

void Chooser::forget(const ChosenAction& choice) { values_.add(choice.round, {}); }

std::vector<double> Chooser::shares() const {
  std::vector<double> q(losses_.size());
  softmax(losses_, -exp4_rate(losses_.size(), options_.floor, actions_), q);
  return q;
}

std::optional<double> Chooser::regret_bound() const {
  if (!always_exp4_ || choices_ == 0) return std::nullopt;
  constexpr double above_rounding = 1 + 0x1p-40;
  const double n = elementary::log(static_cast<double>(policies_.size()));
  return (2 * std::sqrt(n * actions_ / (1 - options_.floor)) + options_.floor * static_cast<double>(choices_)) *
         above_rounding;
}

}  // namespace halfspace
