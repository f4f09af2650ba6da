// Reads and writes the part on coefficients.
#include "proof/verify/coefficients_json.h"

#include <array>
#include <optional>
#include <utility>

namespace halfspace::proof {
namespace {

constexpr std::array<const char*, 3> sign_names = {"+", "-", "undetermined"};

std::optional<std::uint32_t> position_or_null(const Field& field, std::size_t limit) {
  return field.null() ? std::nullopt : std::optional(field.below(limit));
}

}  // namespace

Json encode_coefficients(const CoefficientsProof& proof) {
  const auto optional = [](const std::optional<std::uint32_t>& value) { return value ? Json(*value) : Json(nullptr); };
  Json aliased = Json::array(), rows = Json::array(), signs = Json::array();
  for (const AliasedCoefficient& one : proof.aliased)
    aliased.push_back({{"coordinate", one.coordinate}, {"by", one.by}});
  for (const RowPosition& one : proof.rank_rows) rows.push_back({{"source", one.source}, {"row", one.row}});
  for (const SignProof& one : proof.signs) {
    signs.push_back(
        {{"coordinate", one.coordinate}, {"sign", sign_names.at(static_cast<std::size_t>(one.sign))}, {"by", one.by}});
  }
  return {{"aliased", std::move(aliased)},          {"rank_rows", std::move(rows)},
          {"direction", optional(proof.direction)}, {"witness", optional(proof.witness)},
          {"null_space", proof.null_space},         {"signs", std::move(signs)}};
}

CoefficientsProof decode_coefficients(const Field& field, const Certificate& certificate) {
  if (certificate.question != Question::two_classes) field.refuse("is for two classes only");
  field.expect_keys({"aliased", "rank_rows", "direction", "witness", "null_space", "signs"});
  const Data& data = certificate.data;
  const std::size_t coordinates = data.features + (data.bias == BiasPosition::none ? 0u : 1u);
  const std::size_t separators = certificate.separators.size(), combinations = certificate.combinations.size();
  CoefficientsProof proof;
  field["aliased"].for_each([&](const Field& at) {
    at.expect_keys({"coordinate", "by"});
    const AliasedCoefficient one{at["coordinate"].below(coordinates), at["by"].below(separators)};
    if (!proof.aliased.empty() && proof.aliased.back().coordinate >= one.coordinate) at.refuse("does not ascend");
    proof.aliased.push_back(one);
  });
  field["rank_rows"].for_each([&](const Field& at) {
    at.expect_keys({"source", "row"});
    const RowPosition one{at["source"].below(data.sources.size()), at["row"].count()};
    if (one.row == 0 || one.row > data.sources[one.source].rows) at["row"].refuse("is not a row of the source");
    if (!proof.rank_rows.empty() && proof.rank_rows.back() >= one) at.refuse("does not ascend");
    proof.rank_rows.push_back(one);
  });
  proof.direction = position_or_null(field["direction"], separators);
  proof.witness = position_or_null(field["witness"], combinations);
  field["null_space"].for_each([&](const Field& at) { proof.null_space.push_back(at.below(separators)); });
  field["signs"].for_each([&](const Field& at) {
    at.expect_keys({"coordinate", "sign", "by"});
    SignProof one;
    one.coordinate = at["coordinate"].below(coordinates);
    one.sign = at["sign"].one_of<CoefficientSign>(sign_names);
    one.by = at["by"].below(one.sign == CoefficientSign::undetermined ? separators : combinations);
    if (!proof.signs.empty() && proof.signs.back().coordinate >= one.coordinate) at.refuse("does not ascend");
    proof.signs.push_back(one);
  });
  return proof;
}

}  // namespace halfspace::proof
