// A learner's log as data, and on a real folder.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/log/log_rows.h"
#include "base/log/storage.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/stream/reader.h"
#include "halfspace/train/settings.h"
#include "halfspace/train/train.h"
#include "service/live_learner.h"
#include "service/models.h"
#include "service/simulated_storage.h"

namespace halfspace::service {
namespace {

namespace fs = std::filesystem;

class LogData : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("log_data_test_" + std::to_string(::getpid()));
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path() const { return folder_.string(); }

  fs::path folder_;
};

// Training on a log, from the model that it begins with, gives the live learner's bits.
TEST_F(LogData, TrainingOnALogIsTheLiveLearner) {
  const std::string table = "age,colour,class\n3,red,yes\n8,blue,no\n4,red,yes\n9,green,no\n";
  for (const std::string preset : {"averaged", "tournament", "arow"}) {
    SCOPED_TRACE(preset);
    fs::remove_all(folder_);
    Watch watch;
    watch.window = Window(20);
    watch.error_alarm = ErrorAlarm{.above = 0.01, .false_alarms = 3};
    const Model begin = model_on(table, preset, "a.csv", "class", watch);
    Model live;
    {
      const auto storage = log::open_folder(path());
      std::optional<LiveLearner> opened;
      opened.emplace(*storage, &begin, LiveOptions{.segment_bytes = 300, .snapshot_events = 7});
      LiveLearner& learner = *opened;
      for (int i = 0; i < 50; ++i) {
        const std::string colour = i % 3 == 0 ? "red" : i % 3 == 1 ? "blue" : "c" + std::to_string(i);
        const std::string line = std::to_string(i % 11) + "," + colour + "," + (i % 3 == 0 ? "yes" : "no") + "\n";
        EXPECT_EQ(learner.learn(line, "id" + std::to_string(i)).rows, 1U);
        if (i % 4 == 0) learner.commit();
        if (i == 40) opened.emplace(*storage, nullptr, LiveOptions{.segment_bytes = 300, .snapshot_events = 7});
      }
      learner.ask("late", "5,red,", "no");
      learner.commit();
      learner.truth("late", "yes");
      learner.ask("never", "5,red,", "no");
      EXPECT_EQ(learner.forget("id20"), 1U);
      live = learner.model();
      EXPECT_THROW(log::open_folder(path()), Error);  // in use
    }
    ASSERT_TRUE(log::is_log(path()));
    const Model first = load_model(path() + "/" + log::begin_name, nullptr);
    EXPECT_EQ(first, begin);
    TrainSettings settings;
    settings.data.paths = {path()};
    TrainOptions options = train_options(settings, &first);
    options.resume = &first;
    const Model again = train(options).model;
    EXPECT_EQ(again.weights, live.weights);
    EXPECT_EQ(again.learner, live.learner);
    EXPECT_EQ(again.schema, live.schema);
    EXPECT_EQ(again.ledger.mistakes, live.ledger.mistakes);
    EXPECT_EQ(again.ledger.watch, live.ledger.watch);
    EXPECT_GT(live.ledger.watch->alarms, 0U);
    EXPECT_EQ(again.ledger.rounds, live.ledger.rounds);
    EXPECT_EQ(again.ledger.rounds - begin.ledger.rounds, 50U);  // 51 were learned, and one was forgotten
  }
}

// Also of classes in runs, where training on a file would replace the final weights.
TEST_F(LogData, TrainingOnALogDoesNotReplaceItsFinalWeights) {
  const Model begin = model_on("1 1:1 2:3\n-1 1:2 3:1\n", "tournament");
  Model live;
  {
    const auto storage = log::open_folder(path());
    LiveLearner learner(*storage, &begin, {});
    std::string lines;
    for (int i = 0; i < 4000; ++i)
      lines +=
          (i < 2000 ? "1 1:" : "-1 1:") + std::to_string(i % 7 + (i < 2000 ? 3 : 0)) + " 2:" + std::to_string(i) + "\n";
    learner.learn(lines);
    learner.commit();
    live = learner.model();
  }
  TrainSettings settings;
  settings.data.paths = {path()};
  TrainOptions options = train_options(settings, &begin);
  const TrainResult result = train(options);
  EXPECT_EQ(result.model.weights, live.weights);
  EXPECT_FALSE(result.guarded);
  options.guard_stream = true;
  EXPECT_TRUE(train(options).guarded);
}

// Files that a snapshot makes superfluous for a while.
TEST_F(LogData, DamageIsToldBeforeItMatters) {
  const Model begin = model_on("age,colour,class\n3,red,yes\n8,blue,no\n", "averaged", "a.csv", "class");
  Generator draws(1);
  SimulatedStorage storage(draws);
  {
    LiveLearner learner(storage, &begin, {});
    learner.learn("5,red,yes\n");
    learner.commit();
    learner.snapshot();
    EXPECT_EQ(learner.damage(), "");
  }
  EXPECT_EQ(LiveLearner(storage, nullptr, {}).damage(), "");
  for (const std::string name : {log::begin_name, log::header_name}) {
    const std::string whole = storage.read(name);
    for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 9) {
      storage.replace(name, whole.substr(0, size));
      const LiveLearner learner(storage, nullptr, {});
      EXPECT_NE(learner.damage().find(name), std::string::npos) << learner.damage();
      EXPECT_EQ(learner.counts().learned, 1U);
    }
    storage.replace(name, whole);
  }
}

// Whatever byte of the last segment the process died at, everything before the last commit is there.
TEST_F(LogData, ATornEndIsCutOff) {
  const Model begin = model_on("1 1:1 2:3\n-1 1:2 3:1\n", "averaged");
  std::string whole;
  {
    const auto storage = log::open_folder(path());
    LiveLearner learner(*storage, &begin, {});
    for (int i = 0; i < 6; ++i) {
      learner.learn("1 2:" + std::to_string(i + 1) + "\n");
      learner.commit();
    }
  }
  const fs::path segment = folder_ / "00000000000000000001.log";
  std::ifstream in(segment, std::ios::binary);
  whole.assign(std::istreambuf_iterator<char>(in), {});
  const std::size_t event = whole.size() / 6;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    std::ofstream(segment, std::ios::binary | std::ios::trunc) << whole.substr(0, size);
    const auto storage = log::open_folder(path());
    const LiveLearner learner(*storage, nullptr, {});
    EXPECT_EQ(learner.events(), size / event) << size;
    EXPECT_EQ(learner.cut().has_value(), size % event != 0) << size;
  }
  // Damage before complete events is told, with its place, and changes nothing.
  std::string damaged = whole;
  damaged[event + 30] ^= 1;
  std::ofstream(segment, std::ios::binary | std::ios::trunc) << damaged;
  try {
    const auto storage = log::open_folder(path());
    const LiveLearner learner(*storage, nullptr, {});
    ADD_FAILURE() << "the damage was not noticed";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("damaged at byte " + std::to_string(event)), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(fs::file_size(segment), whole.size());
}

}  // namespace
}  // namespace halfspace::service
