// Reads and writes the part on a minimum.
#include "proof/verify/minimum_json.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace halfspace::proof {
namespace {

constexpr std::array<const char*, 4> minimum_losses = {"hinge", "squared hinge", "logistic", "multinomial logistic"};

// Refuses a number, an integer or a rational, that is not above 0.
std::string above_zero(const Field& field, std::string number) {
  if (number == "0" || number[0] == '-') field.refuse("is not above 0");
  return number;
}

DualVariables decode_dual_variables(const Field& field, const DataSource& source) {
  field.expect_keys({"rows", "values"});
  DualVariables duals;
  field["rows"].for_each([&](const Field& at) {
    const std::uint64_t row = at.count();
    if (row == 0 || row > source.rows) at.refuse("is not a row of the source");
    if (!duals.rows.empty() && duals.rows.back() >= row) at.refuse("does not ascend");
    duals.rows.push_back(row);
  });
  field["values"].for_each([&](const Field& at) { duals.values.push_back(above_zero(at, at.integer())); });
  if (duals.values.size() != duals.rows.size()) field["values"].refuse("does not have one value for each row");
  return duals;
}

MinimumVector decode_vector(const Field& field, const Data& data, bool jointly) {
  if (jointly) {
    field.expect_keys({"weights", "bias", "weights_over", "dual_variables", "dual_variables_over"});
  } else {
    field.expect_keys({"weights", "bias", "weights_over", "dual_variables", "dual_variables_over", "primal", "dual"});
  }
  MinimumVector vector;
  vector.weights = decode_weights(field, data);
  vector.weights_over = above_zero(field["weights_over"], field["weights_over"].integer());
  field["dual_variables"].for_each([&](const Field& at) {
    if (vector.dual_variables.size() == data.sources.size())
      field["dual_variables"].refuse("is not one for each source");
    vector.dual_variables.push_back(decode_dual_variables(at, data.sources[vector.dual_variables.size()]));
  });
  if (vector.dual_variables.size() != data.sources.size()) field["dual_variables"].refuse("is not one for each source");
  vector.dual_variables_over = above_zero(field["dual_variables_over"], field["dual_variables_over"].integer());
  if (jointly) return vector;
  vector.primal = field["primal"].rational();
  vector.dual = field["dual"].rational();
  return vector;
}

}  // namespace

bool is_multinomial(std::string_view loss) { return loss == minimum_losses.back(); }

Json encode_minimum(const MinimumProof& proof) {
  const bool jointly = proof.loss == MinimumLoss::multinomial;
  Json vectors = Json::array();
  for (const MinimumVector& vector : proof.vectors) {
    Json duals = Json::array();
    for (const DualVariables& of_source : vector.dual_variables)
      duals.push_back({{"rows", of_source.rows}, {"values", of_source.values}});
    vectors.push_back({{"weights", vector.weights.weights},
                       {"bias", vector.weights.bias},
                       {"weights_over", vector.weights_over},
                       {"dual_variables", std::move(duals)},
                       {"dual_variables_over", vector.dual_variables_over}});
    if (jointly) continue;
    vectors.back()["primal"] = vector.primal;
    vectors.back()["dual"] = vector.dual;
  }
  Json part = {{"loss", minimum_losses.at(static_cast<std::size_t>(proof.loss))},
               {"costs", proof.costs},
               {"penalize_bias", proof.penalize_bias},
               {"vectors", std::move(vectors)}};
  if (jointly) {
    part["primal"] = proof.primal;
    part["dual"] = proof.dual;
  }
  return part;
}

MinimumProof decode_minimum(const Field& field, const Certificate& certificate) {
  const Data& data = certificate.data;
  MinimumProof proof;
  field.expect_keys({"loss", "costs", "penalize_bias", "vectors"}, {"primal", "dual"});
  proof.loss = field["loss"].one_of<MinimumLoss>(minimum_losses);
  const bool jointly = proof.loss == MinimumLoss::multinomial;
  if (jointly && certificate.question == Question::two_classes)
    field["loss"].refuse("is multinomial, of more than two classes");
  if (jointly) {
    proof.primal = field["primal"].rational();
    proof.dual = field["dual"].rational();
  } else if (field.has("primal") || field.has("dual")) {
    field.refuse("has one objective, of a loss that each vector has its own of");
  }
  field["costs"].for_each([&](const Field& at) { proof.costs.push_back(above_zero(at, at.rational())); });
  if (proof.costs.size() != data.classes.size()) field["costs"].refuse("is not one for each class");
  proof.penalize_bias = field["penalize_bias"].boolean();
  if (!proof.penalize_bias && data.bias == BiasPosition::none)
    field["penalize_bias"].refuse("is false, but there is no bias");
  field["vectors"].for_each([&](const Field& at) { proof.vectors.push_back(decode_vector(at, data, jointly)); });
  const std::size_t wanted = certificate.question == Question::two_classes ? 1 : data.classes.size();
  if (proof.vectors.size() != wanted) field["vectors"].refuse("does not have length " + std::to_string(wanted));
  const auto other_unit = [&](const MinimumVector& vector) {
    return vector.dual_variables_over != proof.vectors[0].dual_variables_over;
  };
  if (jointly && std::any_of(proof.vectors.begin(), proof.vectors.end(), other_unit))
    field["vectors"].refuse("does not have dual variables over one number");
  return proof;
}

}  // namespace halfspace::proof
