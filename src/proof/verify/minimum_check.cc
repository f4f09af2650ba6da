// Measures in integers of one unit, and divides once, at the end.
//
// A score is an integer times 10^least / (q * weights_over), where p/q is the bias scale: weights are multiplied by
// q * 10^(Ej - least), the weight of the bias by p * 10^-least. A margin of 1 is then weights_over * q * 10^-least.
#include "proof/verify/minimum_check.h"

#include <algorithm>
#include <cmath>

#include "halfspace/detail/base/elementary.h"
#include "proof/verify/logarithm.h"
#include "proof/verify/outward.h"

namespace halfspace::proof {
namespace {

bool squares(const MinimumProof& proof) { return proof.loss == MinimumLoss::squared_hinge; }

bool logistic(const MinimumProof& proof) { return proof.loss == MinimumLoss::logistic; }

mpz_class margin_of_one(const MinimumVector& vector, const Scale& scale) {
  return mpz_class(vector.weights_over) * scale.bias.get_den() * power_of_ten(-scale.least);
}

std::string at_row(std::uint64_t number) { return "minimum: row " + std::to_string(number); }

// Returns |w|^2, without a bias that is not penalized.
mpq_class squared_length(const MinimumProof& proof, const MinimumVector& vector) {
  mpz_class sum;
  for (const std::string& text : vector.weights.weights) {
    const mpz_class weight(text);
    sum += weight * weight;
  }
  const mpz_class bias(vector.weights.bias), over(vector.weights_over);
  if (proof.penalize_bias) sum += bias * bias;
  mpq_class length(sum, over * over);
  length.canonicalize();
  return length;
}

// Returns |v|^2, likewise.
mpq_class squared_length(const MinimumProof& proof, const MinimumVector& vector, const Scale& scale,
                         const MinimumSums& sums) {
  mpz_class sum;  // in units of 10^(2 least)
  for (std::size_t j = 0; j < sums.features.size(); ++j) {
    if (sgn(sums.features[j]) == 0) continue;
    const mpz_class scaled = sums.features[j] * power_of_ten(scale.exponent[j] - scale.least);
    sum += scaled * scaled;
  }
  mpq_class length = mpq_class(sum) * rational_power_of_ten(2 * scale.least);
  if (proof.penalize_bias) length += mpq_class(sums.signs * sums.signs) * scale.bias * scale.bias;
  const mpq_class over{mpz_class(vector.dual_variables_over)};
  return length / (over * over);
}

// Returns a cost as a decimal, or where it has none that is short, as a fraction.
std::string cost_word(const std::string& cost) {
  constexpr int digits = 17;
  const mpq_class number(cost);
  const std::string decimal = decimal_above(number, digits);
  return decimal == decimal_below(number, digits) ? decimal : cost;
}

// Returns the costs of the classes' rows: "1", or "0.5 on negative rows and 2 on positive ones".
std::string cost_words(const Certificate& certificate) {
  const std::vector<std::string>& costs = certificate.minimum->costs;
  if (std::all_of(costs.begin(), costs.end(), [&](const std::string& cost) { return cost == costs[0]; }))
    return cost_word(costs[0]);
  if (certificate.question == Question::two_classes)
    return cost_word(costs[0]) + " on negative rows and " + cost_word(costs[1]) + " on positive ones";
  std::string words;
  for (const std::string& cost : costs) words += (words.empty() ? "" : ", ") + cost_word(cost);
  return words + " on the rows of the classes in turn";
}

std::string of_vector(const Certificate& certificate, std::size_t vector) {
  return certificate.question == Question::two_classes ? "" : "class " + std::to_string(vector) + ": ";
}

}  // namespace

void MinimumSums::add(const MinimumSums& more) {
  const auto add_all = [](std::vector<mpz_class>& to, const std::vector<mpz_class>& from) {
    if (to.size() < from.size()) to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
  };
  add_all(losses, more.losses);
  add_all(duals, more.duals);
  add_all(squared_duals, more.squared_duals);
  add_all(features, more.features);
  signs += more.signs;
}

MinimumMeter::MinimumMeter(const Certificate& certificate, std::uint32_t vector, std::uint32_t source,
                           const Scale& scale)
    : proof_(&*certificate.minimum),
      two_classes_(certificate.question == Question::two_classes),
      positive_(two_classes_ ? 1 : vector) {
  const MinimumVector& given = proof_->vectors[vector];
  duals_ = &given.dual_variables[source];
  const mpz_class p = scale.bias.get_num(), q = scale.bias.get_den(), over(given.dual_variables_over);
  one_ = margin_of_one(given, scale);
  for (std::size_t j = 0; j < given.weights.weights.size(); ++j) {
    const mpz_class weight(given.weights.weights[j]);
    weights_.push_back(sgn(weight) == 0 ? weight
                                        : mpz_class(weight * q * power_of_ten(scale.exponent[j] - scale.least)));
  }
  bias_ = mpz_class(given.weights.bias) * p * power_of_ten(-scale.least);
  for (const std::string& cost : proof_->costs) {
    const mpq_class most = mpq_class(cost) * over;
    most_.emplace_back(most.get_num() / most.get_den());
    costs_.push_back(most);
  }
  sums_.losses.resize(proof_->costs.size());
  sums_.duals.resize(proof_->costs.size());
  sums_.squared_duals.resize(proof_->costs.size());
  sums_.features.resize(scale.exponent.size());
}

mpz_class MinimumMeter::score(const ScaledRow& row) const {
  mpz_class sum = bias_;
  for (const ScaledRow::Entry& entry : row.entries) add_product(sum, weights_[entry.coordinate], entry);
  return sum;
}

void MinimumMeter::add_loss(const mpz_class& agreement, std::uint32_t klass) {
  if (logistic(*proof_)) {
    sums_.losses[klass] += logistic_loss(fixed(agreement, one_));
  } else if (agreement < one_) {
    const mpz_class lack = one_ - agreement;
    sums_.losses[klass] += squares(*proof_) ? mpz_class(lack * lack) : lack;
  }
}

void MinimumMeter::add_dual(const mpz_class& dual, std::uint32_t klass) {
  if (logistic(*proof_)) {
    const mpq_class share = dual / costs_[klass];
    sums_.duals[klass] += binary_entropy(fixed(share.get_num(), share.get_den()));
    return;
  }
  sums_.duals[klass] += dual;
  if (squares(*proof_)) sums_.squared_duals[klass] += dual * dual;
}

std::string MinimumMeter::add(const ScaledRow& row, std::uint64_t number) {
  const bool positive = row.klass == positive_;
  add_loss(positive ? score(row) : mpz_class(-score(row)), row.klass);
  if (!has_dual(number)) return "";
  mpz_class dual(duals_->values[next_++]);
  if (!squares(*proof_) && dual > most_[row.klass])
    return at_row(number) + " has a dual variable above its cost, " + proof_->costs[row.klass];
  add_dual(dual, row.klass);
  if (!positive) dual = -dual;
  for (const ScaledRow::Entry& entry : row.entries) add_product(sums_.features[entry.coordinate], dual, entry);
  sums_.signs += dual;
  return "";
}

std::string MinimumMeter::skip(std::uint64_t number) const {
  return has_dual(number) ? at_row(number) + " is excluded by its label, yet has a dual variable" : "";
}

std::string MinimumMeter::finish() const {
  return next_ < duals_->rows.size()
             ? at_row(duals_->rows[next_]) + " has a dual variable, but the data do not have the row"
             : "";
}

namespace {

// Returns the parts of a class's rows in both objectives. Of logistic losses they are rounded outward: each row's loss
// and entropy is off by 2^fixed_error_bits units at most.
MinimumValues parts_of_class(const Certificate& certificate, const MinimumVector& vector, std::size_t k,
                             const Scale& scale, const MinimumSums& sums) {
  const MinimumProof& proof = *certificate.minimum;
  const mpq_class cost(proof.costs[k]), over{mpz_class(vector.dual_variables_over)};
  if (logistic(proof)) {
    const mpz_class unit = mpz_class(1) << fixed_bits;
    const mpz_class error = mpz_class(std::to_string(certificate.data.classes[k].rows)) << fixed_error_bits;
    return {.primal = cost * mpz_class(sums.losses[k] + error) / unit,
            .dual = cost * mpz_class(sums.duals[k] - error) / unit};
  }
  const mpz_class one = margin_of_one(vector, scale);
  if (!squares(proof)) return {.primal = cost * sums.losses[k] / one, .dual = sums.duals[k] / over};
  return {.primal = cost * sums.losses[k] / mpz_class(one * one),
          .dual = sums.duals[k] / over - sums.squared_duals[k] / (4 * cost * over * over)};
}

}  // namespace

MinimumValues minimum_values(const Certificate& certificate, std::uint32_t vector, const Scale& scale,
                             const MinimumSums& sums) {
  const MinimumProof& proof = *certificate.minimum;
  const MinimumVector& given = proof.vectors[vector];
  MinimumValues values;
  for (std::size_t k = 0; k < proof.costs.size(); ++k) {
    const MinimumValues parts = parts_of_class(certificate, given, k, scale, sums);
    values.primal += parts.primal;
    values.dual += parts.dual;
  }
  values.primal += squared_length(proof, given) / 2;
  values.dual -= squared_length(proof, given, scale, sums) / 2;
  return values;
}

std::string check_minimum(const Certificate& certificate, std::uint32_t vector, const MinimumSums& sums,
                          const MinimumValues& values) {
  const MinimumProof& proof = *certificate.minimum;
  const MinimumVector& stated = proof.vectors[vector];
  const std::string name = "minimum: " + of_vector(certificate, vector);
  constexpr int digits = 17;
  const auto about = [](const mpq_class& number) { return "about " + decimal_above(number, digits); };
  if (!proof.penalize_bias && sgn(sums.signs) != 0)
    return name + "the dual variables of both sides have different sums, which a bias without a penalty forbids";
  const bool exact = !logistic(proof);
  if (exact ? values.primal.get_str() != stated.primal : values.primal > mpq_class(stated.primal)) {
    return name + "the objective of the weights is " + about(values.primal) + ", the certificate states " +
           about(mpq_class(stated.primal));
  }
  if (exact ? values.dual.get_str() != stated.dual : values.dual < mpq_class(stated.dual)) {
    return name + "the objective of the dual variables is " + about(values.dual) + ", the certificate states " +
           about(mpq_class(stated.dual));
  }
  return "";
}

MinimumBounds bounds_of(const MinimumValues& values) {
  const mpq_class gap = values.primal - values.dual;
  return {.primal = double_above(values.primal),
          .dual = double_below(values.dual),
          .gap = values.primal == 0 ? 0 : double_above(mpq_class(gap / values.primal)),
          .radius = double_above(root_above(2 * gap))};
}

std::vector<std::string> minimum_sentences(const Certificate& certificate, const std::vector<MinimumValues>& values) {
  const MinimumProof& proof = *certificate.minimum;
  std::vector<std::string> list;
  list.push_back(std::string("the objective is |w|^2 / 2 + C times the sum of ") +
                 (squares(proof)    ? "squared hinge"
                  : logistic(proof) ? "logistic"
                                    : "hinge") +
                 " losses, C = " + cost_words(certificate) +
                 (proof.penalize_bias ? "" : "; the bias is not penalized"));
  for (std::size_t k = 0; k < values.size(); ++k) {
    const mpq_class gap = values[k].primal - values[k].dual;
    // As many digits as the bounds need to look different, and two more.
    const double share = bounds_of(values[k]).gap;
    constexpr int fewest = 6, most = 40;
    const int digits =
        share > 0 ? std::clamp(2 + static_cast<int>(std::ceil(-elementary::log10(share))), fewest, most) : most;
    const std::string name = of_vector(certificate, k);
    list.push_back(name + "the objective of the certificate's weights is at most " +
                   decimal_above(values[k].primal, digits));
    list.push_back(name + "no weights have an objective below " + decimal_below(values[k].dual, digits));
    list.push_back(name + "every weight" + (proof.penalize_bias ? "" : " but the bias") + " is within " +
                   decimal_above(root_above(2 * gap), 3) + " of the minimum's");
  }
  return list;
}

}  // namespace halfspace::proof
