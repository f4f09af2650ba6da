// Adds claims in the order in which the verifier reads them.
#include "proof/decide/claims.h"

#include <algorithm>

#include "proof/decide/assemble.h"

namespace halfspace::proof {

std::uint32_t add(Certificate& certificate, Separator separator) {
  certificate.separators.push_back(std::move(separator));
  return static_cast<std::uint32_t>(certificate.separators.size() - 1);
}

std::uint32_t add(Certificate& certificate, Combination combination) {
  certificate.combinations.push_back(std::move(combination));
  return static_cast<std::uint32_t>(certificate.combinations.size() - 1);
}

void claim(Certificate& certificate, ClaimKind kind, std::uint32_t by, std::string count) {
  Claim& added = certificate.claims.emplace_back();
  added.kind = kind;
  added.by = by;
  added.count = std::move(count);
}

void claim_separator(const Separator& separator, const mpq_class& squared_length, CertifyResult& result) {
  Certificate& certificate = result.certificate;
  const std::uint32_t by = add(certificate, separator);
  claim(certificate, ClaimKind::separable, by);
  result.mistake_bound = mistake_bound(squared_length, separator).get_str();
  claim(certificate, ClaimKind::mistakes_at_most, by, *result.mistake_bound);
  const mpq_class minimum(separator.minimum), norm(separator.squared_norm);
  result.margin_lower = root_down(minimum * minimum / norm);
}

void claim_margin_bounds(std::vector<MarginBound> bounds, const mpq_class& squared_radius, CertifyResult& result) {
  std::stable_sort(bounds.begin(), bounds.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  if (!bounds.empty()) {
    result.margin_upper = root_up(bounds.front().first);
    result.margin_upper_share = root_up(bounds.front().first / squared_radius);
  }
  for (auto& [square, combination] : bounds)
    claim(result.certificate, ClaimKind::margin_at_most, add(result.certificate, std::move(combination)));
}

void claim_errors(const Problem& problem, Tie tie, ErrorRule rule, const FewestErrors& fewest, Separator weights,
                  CertifyResult& result) {
  Certificate& certificate = result.certificate;
  result.errors_lower = fewest.lower;
  result.errors_upper = errors_of(problem, tie, weights.wrong, weights.zero_negative, weights.zero_positive);
  Claim lower;
  lower.kind = ClaimKind::errors_at_least;
  lower.tie = rule;
  lower.count = std::to_string(fewest.lower);
  lower.tree = fewest.tree;
  std::vector<std::uint32_t> position;
  for (const WeightedMembers& found : fewest.witnesses)
    position.push_back(add(certificate, certificate_combination(problem, found)));
  renumber(lower.tree, position);
  if (fewest.lower > 0) certificate.claims.push_back(std::move(lower));
  Claim upper;
  upper.kind = ClaimKind::errors_at_most;
  upper.tie = rule;
  upper.count = std::to_string(rule == ErrorRule::a ? result.errors_upper
                                                    : weights.wrong + weights.zero_negative + weights.zero_positive);
  upper.by = add(certificate, std::move(weights));
  certificate.claims.push_back(std::move(upper));
}

}  // namespace halfspace::proof
