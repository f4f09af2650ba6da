// Verdicts with their proofs as JSON.
#include "proof/certify/proof_json.h"

#include <cmath>
#include <string>

#include "proof/certify/proof_text.h"

namespace halfspace::proof {

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

namespace {

Json near_alias_json(const NearlyAliased& column) {
  Json terms = Json::array();
  for (const auto& [name, weight] : column.terms) terms.push_back({{"name", utf8(name)}, {"weight", weight}});
  return {{"name", utf8(column.name)}, {"terms", std::move(terms)}, {"difference", column.difference}};
}

Json separation_json(const Separation& separation) {
  Json coefficients = Json::array();
  for (const Coefficient& one : separation.coefficients)
    coefficients.push_back({{"name", utf8(one.name)}, {"estimate", name_of(one.estimate)}});
  Json nearly_aliased = Json::array();
  for (const NearlyAliased& one : separation.nearly_aliased) nearly_aliased.push_back(near_alias_json(one));
  return {{"kind", name_of(separation.kind)},
          {"separated_rows", separation.separated_rows},
          {"rows", separation.rows},
          {"rows_are_separated", separation.rows_are_separated},
          {"coefficients", std::move(coefficients)},
          {"nearly_aliased", std::move(nearly_aliased)},
          {"kind_without", separation.kind_without ? Json(name_of(*separation.kind_without)) : Json(nullptr)},
          {"notes", near_alias_notes(separation)},
          {"positive", utf8(separation.positive)}};
}

Json minimum_json(const MinimumProof& proof, const Verification& result) {
  Json vectors = Json::array();
  for (const MinimumBounds& bounds : result.minima) {
    vectors.push_back({{"primal", number(bounds.primal)},
                       {"dual", number(bounds.dual)},
                       {"gap", number(bounds.gap)},
                       {"radius", number(bounds.radius)}});
  }
  return {{"objective", proof.loss == MinimumLoss::hinge      ? "svm"
                        : proof.loss == MinimumLoss::logistic ? "logistic"
                                                              : "squared-hinge"},
          {"costs", proof.costs},
          {"penalize_bias", proof.penalize_bias},
          {"of_vector", std::move(vectors)}};
}

}  // namespace

Json certify_result(const CertifyResult& result) {
  Json j;
  j["verdict"] = name_of(result.verdict);
  j["rows"] = result.rows;
  j["features"] = result.features;
  j["one_class"] = result.one_class;
  j["margin"] = {{"lower", result.margin_lower},
                 {"upper", number(result.margin_upper)},
                 {"upper_share", number(result.margin_upper_share)}};
  j["radius"] = number(result.radius);
  j["mistake_bound"] = nullptr;
  // As a number while every reader of JSON can hold it, else as its digits.
  if (result.mistake_bound) {
    if (result.mistake_bound->size() <= 15) {
      j["mistake_bound"] = std::stoull(*result.mistake_bound);
    } else {
      j["mistake_bound"] = *result.mistake_bound;
    }
  }
  j["witness"] = Json::array();
  for (const WitnessRow& row : result.witness) j["witness"].push_back(row.row);
  if (result.certificate.data.sources.size() > 1) {
    j["witness_files"] = Json::array();
    for (const WitnessRow& row : result.witness) j["witness_files"].push_back(utf8(row.file));
  }
  j["fewest_errors"] = {{"lower", result.errors_lower},
                        {"upper", result.read_whole ? Json(result.errors_upper) : Json(nullptr)}};
  if (result.errors_tie) j["fewest_errors"]["tie"] = name_of(*result.errors_tie);
  j["rule_a"] = result.verdict == Verdict::separable ? Json(true)
                : result.rule_a                      ? Json(*result.rule_a)
                                                     : Json(nullptr);
  j["closed_half_space"] = result.closed_half_space ? Json(*result.closed_half_space) : Json(nullptr);
  j["separation"] = result.separation ? separation_json(*result.separation) : Json(nullptr);
  j["verified"] = result.certified;  // a verdict that was not is undecided
  j["seconds"] = {{"total", result.seconds.total},
                  {"read", result.seconds.read},
                  {"search", result.seconds.search},
                  {"decide", result.seconds.decide},
                  {"verify", result.seconds.verify}};
  return j;
}

Json verification(const Certificate& certificate, const Verification& result) {
  Json j;
  j["valid"] = result.valid;
  j["verdict"] = name_of(certificate.verdict);
  j["one_class"] = result.one_class;
  if (certificate.minimum) j["minimum"] = minimum_json(*certificate.minimum, result);
  j["reason"] = utf8(result.reason);
  j["checked"] = Json::array();
  for (const std::string& sentence : result.checked) j["checked"].push_back(utf8(sentence));
  return j;
}

}  // namespace halfspace::proof
