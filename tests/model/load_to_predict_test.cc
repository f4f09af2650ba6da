// Models that are loaded to predict: the same predictions, and the same refusals.

#include <gtest/gtest.h>

#include "halfspace/base/error.h"
#include "halfspace/detail/rules/arow_diagonal.h"
#include "halfspace/model/model_file.h"
#include "halfspace/train/train.h"
#include "model/map.h"
#include "model/models.h"
#include "support/temporary_folder.h"

namespace halfspace::testing {
namespace {

std::string written(const TemporaryFolder& folder, const std::vector<std::uint8_t>& bytes) {
  return folder.write("a.model", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// Returns the error's text, or nothing.
template <class Load>
std::string refusal_of(const Load& load, Model& model) {
  try {
    model = load();
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

// Expects both ways of loading to refuse a file in the same words, or to give the same model but for the learner.
// With a right checksum, what is wrong with the learner alone may go unnoticed.
void expect_same(const std::string& path, bool right_checksum = false) {
  Model whole, part;
  const std::string refused = refusal_of([&] { return load_model(path); }, whole);
  const std::string refused_part = refusal_of([&] { return load_model_to_predict(path); }, part);
  const bool of_learner = refused.find("field 'learner") != std::string::npos;
  if (!(right_checksum && of_learner)) {
    ASSERT_EQ(refused_part, refused);
  }
  if (!refused.empty()) return;
  if (!(part.learner == whole.learner)) {
    EXPECT_TRUE(part.learner == LearnerState{});
    EXPECT_NE(whole.composition.keep, KeepName::vote);
    EXPECT_FALSE(entry_of(whole.composition.rule).support_vectors);
    EXPECT_THROW(encode(part), Error);
    part.learner = whole.learner;
  }
  EXPECT_TRUE(part == whole);
  EXPECT_EQ(encode(part), encode(whole));
}

TEST(LoadToPredict, EveryCompositionIsTheSameButForItsLearner) {
  const TemporaryFolder folder;
  for (const Composition& composition : every_composition()) {
    SCOPED_TRACE(described(composition));
    expect_same(written(folder, encode(rich(composition, 1))));
  }
}

// A model of names: some long, some with bytes beyond ASCII.
Model model_of_names(const TemporaryFolder& folder) {
  std::string rows;
  for (int i = 0; i < 60; ++i) {
    const std::string name = std::to_string(i * 7919 % 97);
    rows += (i % 3 == 0 ? "1 |a n" : "-1 |a n") + name + " |b \xc3\xa9" + name + ":2 " + std::string(300, 'q') + name +
            (i % 5 == 0 ? " x" : "") + "\n";
  }
  TrainOptions options;
  options.composition.rule = rule::arow_diagonal;
  options.read.path = folder.write("rows.vw", rows);
  return train(options).model;
}

TEST(LoadToPredict, DamageIsRefusedAsEver) {
  const TemporaryFolder folder;
  const std::vector<std::uint8_t> bytes = encode(model_of_names(folder));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    SCOPED_TRACE(i);
    std::vector<std::uint8_t> changed = bytes;
    changed[i] ^= static_cast<std::uint8_t>(1 + i % 255);
    expect_same(written(folder, changed));
    expect_same(written(folder, summed_again(changed)), true);
    if (i % 7 == 0) expect_same(written(folder, {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(i)}));
  }
}

}  // namespace
}  // namespace halfspace::testing
