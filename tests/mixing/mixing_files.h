// What tests of shards share: files of rows, options, an epoch over all shards.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/mixing/mixing.h"
#include "halfspace/train/settings.h"

namespace halfspace {

// Files in a folder of the test's own, and options to train on them.
class MixingFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("mixing_test_" + std::to_string(::getpid()) + "_" +
                                                  ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  static MixOptions options_for(const std::vector<std::string>& paths, const std::string& preset = "averaged") {
    TrainSettings settings;
    settings.data.paths = paths;
    settings.preset = preset;
    const TrainOptions chosen = train_options(settings);
    MixOptions options;
    options.read = chosen.read;
    options.composition = chosen.composition;
    return options;
  }

  std::filesystem::path folder_;
};

// Returns rows of LIBSVM text, a tenth of them with the wrong label.
inline std::string numbers(std::uint64_t seed, int rows, int features) {
  Generator draws(seed);
  std::string text;
  for (int i = 0; i < rows; ++i) {
    std::string values;
    int score = 0;
    for (int j = 1; j <= features; ++j) {
      const auto value = static_cast<int>((9 * draws.next())) - 4;
      score += j % 2 == 0 ? value : -value;
      values += " " + std::to_string(j) + ":" + std::to_string(value);
    }
    if (draws.next() < 0.1) score = -score;
    text += (score > 0 ? "+1" : "-1") + values + "\n";
  }
  return text;
}

inline PartialSum sum_of(const MixOptions& options, const ShardPlan& plan, const MixState& state, std::uint32_t first,
                         std::uint32_t count) {
  if (count == 1) return play_shard(options, plan, state, first);
  return add(sum_of(options, plan, state, first, count / 2),
             sum_of(options, plan, state, first + count / 2, count / 2));
}

inline MixState trained(const MixOptions& options, const ShardPlan& plan, int epochs) {
  MixState state = begin_mixing(options, plan);
  for (int i = 0; i < epochs; ++i) end_epoch(options, plan, state, sum_of(options, plan, state, 0, plan.shards));
  return state;
}

}  // namespace halfspace
