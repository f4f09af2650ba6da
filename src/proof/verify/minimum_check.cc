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

bool multinomial(const MinimumProof& proof) { return proof.loss == MinimumLoss::multinomial; }

bool logistic(const MinimumProof& proof) { return proof.loss == MinimumLoss::logistic || multinomial(proof); }

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
  return certificate.question == Question::two_classes || multinomial(*certificate.minimum)
             ? ""
             : "class " + std::to_string(vector) + ": ";
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
  combine(row, dual);
  return "";
}

void MinimumMeter::combine(const ScaledRow& row, const mpz_class& dual) {
  for (const ScaledRow::Entry& entry : row.entries) add_product(sums_.features[entry.coordinate], dual, entry);
  sums_.signs += dual;
}

mpz_class MinimumMeter::fixed_score(const ScaledRow& row) const { return fixed(score(row), one_); }

std::string MinimumMeter::add_jointly(const ScaledRow& row, std::uint64_t number, const std::vector<mpz_class>& scores,
                                      const std::vector<mpz_class>& duals, const mpz_class& all) {
  sums_.losses[row.klass] += softmax_loss(scores, row.klass);
  if (all > most_[row.klass])
    return at_row(number) + " has dual variables that add up to more than its cost, " + proof_->costs[row.klass];
  if (sgn(all) == 0) return "";
  const auto part = [&](const mpq_class& dual) {
    const mpq_class share = dual / costs_[row.klass];
    return entropy_part(fixed(share.get_num(), share.get_den()));
  };
  mpz_class& entropy = sums_.duals[row.klass];
  entropy += part(costs_[row.klass] - all);
  for (const mpz_class& dual : duals) {
    if (sgn(dual) != 0) entropy += part(dual);
  }
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

MinimaMeter::MinimaMeter(const Certificate& certificate, std::uint32_t source, const Scale& scale)
    : jointly_(certificate.minimum && multinomial(*certificate.minimum)) {
  for (std::uint32_t k = 0; certificate.minimum && k < certificate.minimum->vectors.size(); ++k)
    vectors_.emplace_back(certificate, k, source, scale);
  scores_.resize(vectors_.size());
  duals_.resize(vectors_.size());
}

std::string MinimaMeter::add(const ScaledRow& row, std::uint64_t number) {
  if (jointly_) return add_jointly(row, number);
  for (MinimumMeter& vector : vectors_) {
    if (std::string wrong = vector.add(row, number); !wrong.empty()) return wrong;
  }
  return "";
}

std::string MinimaMeter::add_jointly(const ScaledRow& row, std::uint64_t number) {
  mpz_class all;
  for (std::size_t k = 0; k < vectors_.size(); ++k) {
    scores_[k] = vectors_[k].fixed_score(row);
    duals_[k] = vectors_[k].next_dual(number);
    all += duals_[k];
    if (sgn(duals_[k]) != 0) vectors_[k].combine(row, -duals_[k]);
  }
  if (sgn(duals_[row.klass]) != 0) return at_row(number) + " has a dual variable for its own class";
  if (sgn(all) != 0) vectors_[row.klass].combine(row, all);
  return vectors_[0].add_jointly(row, number, scores_, duals_, all);
}

std::string MinimaMeter::skip(std::uint64_t number) const {
  for (const MinimumMeter& vector : vectors_) {
    if (std::string wrong = vector.skip(number); !wrong.empty()) return wrong;
  }
  return "";
}

std::string MinimaMeter::finish() const {
  for (const MinimumMeter& vector : vectors_) {
    if (std::string wrong = vector.finish(); !wrong.empty()) return wrong;
  }
  return "";
}

std::vector<MinimumSums> MinimaMeter::sums() const {
  std::vector<MinimumSums> sums;
  for (const MinimumMeter& vector : vectors_) sums.push_back(vector.sums());
  return sums;
}

namespace {

// Returns the parts of a class's rows in both objectives. Of logistic losses they are rounded outward: each row's loss
// and entropy is off by 2^fixed_error_bits units at most, or of a multinomial loss by that for each class.
MinimumValues parts_of_class(const Certificate& certificate, const MinimumVector& vector, std::size_t k,
                             const Scale& scale, const MinimumSums& sums) {
  const MinimumProof& proof = *certificate.minimum;
  const mpq_class cost(proof.costs[k]), over{mpz_class(vector.dual_variables_over)};
  if (logistic(proof)) {
    const mpz_class unit = mpz_class(1) << fixed_bits;
    mpz_class error = mpz_class(std::to_string(certificate.data.classes[k].rows)) << fixed_error_bits;
    if (multinomial(proof)) error *= static_cast<unsigned long>(proof.vectors.size());
    return {.primal = cost * mpz_class(sums.losses[k] + error) / unit,
            .dual = cost * mpz_class(sums.duals[k] - error) / unit};
  }
  const mpz_class one = margin_of_one(vector, scale);
  if (!squares(proof)) return {.primal = cost * sums.losses[k] / one, .dual = sums.duals[k] / over};
  return {.primal = cost * sums.losses[k] / mpz_class(one * one),
          .dual = sums.duals[k] / over - sums.squared_duals[k] / (4 * cost * over * over)};
}

// Returns what is wrong with objectives that a certificate states.
std::string check_values(const std::string& name, bool exact, const MinimumValues& values, const std::string& primal,
                         const std::string& dual) {
  constexpr int digits = 17;
  const auto about = [](const mpq_class& number) { return "about " + decimal_above(number, digits); };
  if (exact ? values.primal.get_str() != primal : values.primal > mpq_class(primal)) {
    return name + "the objective of the weights is " + about(values.primal) + ", the certificate states " +
           about(mpq_class(primal));
  }
  if (exact ? values.dual.get_str() != dual : values.dual < mpq_class(dual)) {
    return name + "the objective of the dual variables is " + about(values.dual) + ", the certificate states " +
           about(mpq_class(dual));
  }
  return "";
}

}  // namespace

std::vector<MinimumValues> minimum_values(const Certificate& certificate, const Scale& scale,
                                          const std::vector<MinimumSums>& sums) {
  std::vector<MinimumValues> list;
  if (!certificate.minimum) return list;
  const MinimumProof& proof = *certificate.minimum;
  for (std::size_t v = 0; v < proof.vectors.size(); ++v) {
    const MinimumVector& given = proof.vectors[v];
    const bool more = multinomial(proof) && v > 0;  // its rows count once
    if (!more) list.emplace_back();
    MinimumValues& values = list.back();
    for (std::size_t k = 0; k < proof.costs.size() && !more; ++k) {
      const MinimumValues parts = parts_of_class(certificate, given, k, scale, sums[v]);
      values.primal += parts.primal;
      values.dual += parts.dual;
    }
    values.primal += squared_length(proof, given) / 2;
    values.dual -= squared_length(proof, given, scale, sums[v]) / 2;
  }
  return list;
}

std::string check_minimum(const Certificate& certificate, const std::vector<MinimumSums>& sums,
                          const std::vector<MinimumValues>& values) {
  const MinimumProof& proof = *certificate.minimum;
  for (std::size_t v = 0; v < sums.size(); ++v) {
    if (!proof.penalize_bias && sgn(sums[v].signs) != 0)
      return "minimum: " + of_vector(certificate, v) +
             (multinomial(proof) ? "the dual variables of class " + std::to_string(v) + " and of its rows"
                                 : "the dual variables of both sides") +
             " have different sums, which a bias without a penalty forbids";
  }
  for (std::size_t v = 0; v < values.size(); ++v) {
    const bool jointly = multinomial(proof);
    const MinimumVector& stated = proof.vectors[v];
    std::string wrong = check_values("minimum: " + of_vector(certificate, v), !logistic(proof), values[v],
                                     jointly ? proof.primal : stated.primal, jointly ? proof.dual : stated.dual);
    if (!wrong.empty()) return wrong;
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
                 (squares(proof)       ? "squared hinge"
                  : multinomial(proof) ? "multinomial logistic"
                  : logistic(proof)    ? "logistic"
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
