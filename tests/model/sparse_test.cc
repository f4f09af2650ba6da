// Numbers that are mostly 0 are stored without their zeros, and in one way alone.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/fields/sparse_array.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/rules/ftrl.h"
#include "halfspace/model/model_file.h"
#include "model/map.h"
#include "model/models.h"

namespace halfspace::testing {
namespace {

// FTRL with `features` weights of which every `step`-th is not 0.
Model thinned(std::size_t features, std::size_t step) {
  Composition composition;
  composition.rule = rule::ftrl;
  composition.set(parameter::l1, 1);
  Model model = played(composition, 1, 0);
  model.schema.features = static_cast<std::uint32_t>(features);
  model.weights.w.assign(features, 0.0);
  for (std::size_t i = 0; i < features; i += step) model.weights.w[i] = 0.5 + static_cast<double>(i);
  model.learner.weights = model.weights;
  model.learner.moments.assign(2 * (features + 1), 0.25);
  return model;
}

TEST(Sparse, ComesBackBitForBit) {
  for (const std::size_t features : {1U, 2U, 63U, 64U, 65U, 127U, 128U, 129U, 1000U}) {
    for (const std::size_t step : {1U, 2U, 3U, 64U, 2000U}) {
      SCOPED_TRACE(std::to_string(features) + " features, one in " + std::to_string(step));
      Model model = thinned(features, step);
      model.weights.w.back() = -0.0;  // no zero to be left out
      model.learner.weights = model.weights;
      const auto bytes = encode(model);
      const Model back = decode(bytes, "m");
      EXPECT_TRUE(back == model);
      EXPECT_TRUE(std::signbit(back.weights.w.back()));
      EXPECT_EQ(encode(back), bytes);
    }
  }
}

TEST(Sparse, AWeightThatIsZeroTakesABit) {
  Model model = thinned(6400, 10);
  model.learner.moments.assign(2 * 6401, 0.0);
  const std::size_t more = encode(model).size();
  const Model less = thinned(6400, 6400);
  Model none = less;
  none.learner.moments = model.learner.moments;
  EXPECT_EQ(more - encode(none).size(), (640 - 1) * 8U);
  // A few hundred bytes of other fields, the marks of weights and moments, and one weight.
  EXPECT_LT(encode(none).size(), 1000 + 3 * 6400 / 8U);
}

TEST(Sparse, SumsOfLossesAreTheirOwnSectionOrNone) {
  Model model = thinned(9, 5);
  LossSums& sums = model.ledger.losses.emplace(MarginLoss::logistic, model.composition.bias.scale);
  sums.gradient = {{1, 0, 0, 0, -0.5, 0, 0, 0, 0}, 0.25};
  const auto bytes = encode(model);
  const Model back = decode(bytes, "m");
  EXPECT_TRUE(back == model);
  ASSERT_TRUE(back.ledger.losses);
  EXPECT_EQ(back.ledger.losses->gradient.w[4], -0.5);
  EXPECT_FALSE(decode(encode(thinned(9, 5)), "m").ledger.losses);
}

std::string refusal(const std::vector<std::uint8_t>& bytes) {
  try {
    decode(summed_again(bytes), "m");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.message();
  }
  return "nothing was refused";
}

// Puts other bytes where the array w of a file stands, and makes the length of the section right.
std::vector<std::uint8_t> with_other_weights(const Model& model, const std::function<void(model::Writer&)>& write) {
  const Map map(model);
  auto bytes = encode(model);
  const auto at = [&](const char* field) { return map.places().at(field).at; };
  model::Writer other;
  write(other);
  const std::size_t begin = at("weights.w.sparse"), end = at("weights.bias");
  const std::uint64_t length = at("learner.tag") - at("weights.length") - 8 - (end - begin) + other.bytes().size();
  for (std::size_t i = 0; i < 8; ++i) bytes[at("weights.length") + i] = static_cast<std::uint8_t>(length >> (8 * i));
  bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(begin), bytes.begin() + static_cast<std::ptrdiff_t>(end));
  bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(begin), other.bytes().begin(), other.bytes().end());
  return bytes;
}

TEST(Sparse, TheOtherWayOfStoringIsRefused) {
  const auto whole = with_other_weights(thinned(9, 5), [](model::Writer& writer) {
    writer.transfer(std::uint8_t{0});
    for (int i = 0; i < 9; ++i) writer.transfer(i % 5 == 0 ? 1.0 : 0.0);
  });
  EXPECT_NE(refusal(whole).find("'weights.w'"), std::string::npos) << refusal(whole);
  EXPECT_NE(refusal(whole).find("at least half are 0, but they are not omitted"), std::string::npos) << refusal(whole);
  const auto marked = with_other_weights(thinned(9, 5), [](model::Writer& writer) {
    writer.transfer(std::uint8_t{1});
    writer.transfer(std::uint64_t{0x1f});
    for (int i = 0; i < 5; ++i) writer.transfer(1.0);
  });
  EXPECT_NE(refusal(marked).find("more than half of 9 are marked"), std::string::npos) << refusal(marked);
}

}  // namespace
}  // namespace halfspace::testing
