// Stored files of version 1 of every kind, as 0.1.0 writes them: later versions read them, predict the same with them and
// go on with the same bits; while a kind has no later version, what is read is written again byte for byte.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/log/storage.h"
#include "halfspace/bandits/live.h"
#include "halfspace/base/random.h"
#include "halfspace/mixing/mixing.h"
#include "halfspace/model/model_file.h"
#include "halfspace/stream/cache.h"
#include "halfspace/train/settings.h"
#include "mixing/mixing_files.h"
#include "proof/verify/sha256.h"
#include "service/live_bandit.h"
#include "service/live_learner.h"
#include "support/temporary_folder.h"
#include "witness/stored.h"

namespace halfspace::testing {
namespace {

namespace fs = std::filesystem;

// What programs made of the files when they were written: a line each, "name value".
class Results {
 public:
  // Compares a result with the stored one.
  void check(const std::string& name, const std::string& value) {
    if (writes()) {
      lines_[name] = value;
      std::ofstream file(path_of("results"));
      for (const auto& [key, stored] : lines_) file << key << " " << stored << "\n";
      return;
    }
    EXPECT_EQ(lines_[name], value) << name;
  }

  Results() {
    std::ifstream file(path_of("results"));
    for (std::string name, value; file >> name >> value;) lines_[name] = value;
  }

 private:
  std::map<std::string, std::string> lines_;
};

std::string digest_of(const std::vector<double>& numbers) {
  proof::Sha256 sum;
  sum.add({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)});
  return sum.finish();
}

// Texts of every way to make features.
std::string table() {
  Generator draws(1);
  const char* const colours[] = {"red", "blue", "née", "?"};
  const char* const notes[] = {"good morning", "good night", "bad night", "a morning walk"};
  std::string text = "number;colour;note;day;weight;class\n";
  for (int i = 0; i < 60; ++i) {
    const auto number = static_cast<int>(9 * draws.next());
    const std::size_t colour = pick(draws, 4), note = pick(draws, 4);
    text += std::to_string(number) + ",5;" + colours[colour] + ";" + notes[note] + ";2026-0" +
            std::to_string(1 + i % 9) + "-11;" + (i % 7 == 0 ? "2" : "1") + ";" +
            (number + static_cast<int>(colour) + (draws.next() < 0.1 ? 5 : 0) > 6 ? "yes" : "no") + "\n";
  }
  return text;
}
std::string words() {
  Generator draws(2);
  std::string text;
  for (int i = 0; i < 40; ++i) {
    const std::size_t user = pick(draws, 3), item = pick(draws, 4);
    text += std::to_string(1 + (user + item) % 3) + " |user u" + std::to_string(user) +
            " age:" + std::to_string(20 + i) + " |item i" + std::to_string(item) + "\n";
  }
  return text;
}
std::string ones() {
  Generator draws(3);
  std::string text;
  for (int i = 0; i < 40; ++i) {
    const std::size_t one = pick(draws, 4), other = 4 + pick(draws, 4);
    text += std::string(one < 2 || draws.next() < 0.1 ? "+1" : "-1") + " " + std::to_string(one + 1) + ":1 " +
            std::to_string(other + 1) + ":1\n";
  }
  return text;
}

struct Case {
  const char* name;
  std::string (*rows)();
  std::vector<std::pair<std::string, std::string>> options;
  std::function<void(TrainOptions&)> more = {};
};

void watch_everything(TrainOptions& options) {
  Watch& watch = options.watch.emplace();
  watch.window = Window(7);
  watch.faded = Faded{0.75};
  watch.adwin.emplace();
  watch.error_alarm = ErrorAlarm{.above = 0.25, .false_alarms = 100};
  options.spread = true;
}

// One of each kind of state, and every field of the schema.
const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"columns",
       table,
       {{"preset", "averaged"},
        {"passes", "2"},
        {"decimal", "comma"},
        {"text", "note"},
        {"ngrams", "2"},
        {"text-values", "tf-idf"},
        {"dates", "day"},
        {"interactions", "number:colour"},
        {"weight", "weight"},
        {"class-weight", "yes=2"},
        {"normalize", "column"},
        {"holdout", "0.25"},
        {"calibrate", "isotonic"},
        {"threshold", "auto"},
        {"conformal", "true"}},
       watch_everything},
      {"hashed", table, {{"preset", "arow"}, {"decimal", "comma"}, {"hash", "4"}, {"hash-names", "3"}}},
      {"classes", words, {{"preset", "multiclass-tournament"}, {"interactions", "user:item"}, {"passes", "2"}}},
      {"vote", ones, {{"preset", "voted"}, {"passes", "2"}}},
      {"pocket", ones, {{"preset", "pocket"}, {"updates", "20"}}},
      {"kernel", ones, {{"rule", "kernel"}, {"budget", "6"}, {"bias", "none"}}},
      {"kernel-mean", ones, {{"rule", "kernel"}, {"keep", "average"}}},
      {"zeros", ones, {{"rule", "ftrl"}, {"l1", "1"}}, [](TrainOptions& options) { options.least_loss = true; }},
  };
  return all;
}

TrainOptions options_of_case(const Case& one, const std::string& path, const Model* resume) {
  TrainSettings settings;
  settings.data.paths = {path};
  if (resume != nullptr) {
    settings.until.updates = 100;
  } else {
    for (const auto& [name, value] : one.options) set_option(options_of(settings), name, value);
  }
  TrainOptions options = train_options(settings, resume);
  options.resume = resume;
  if (resume == nullptr && one.more) one.more(options);
  return options;
}

std::vector<double> scores_of(const Model& model, const std::string& path) {
  ReadOptions read;
  read.path = path;
  read.schema = &model.schema;
  Reader reader(read);
  Predictor predictor(model);
  std::vector<std::int32_t> classes;
  std::vector<double> scores, all;
  reader.read([&](const Block& block) {
    predictor.predict(block, classes, scores);
    all.insert(all.end(), scores.begin(), scores.end());
    all.insert(all.end(), classes.begin(), classes.end());
    return true;
  });
  return all;
}

TEST(Witness, ModelsPredictAndGoOnAsTheyDid) {
  const TemporaryFolder folder;
  Results results;
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    const std::string path = folder.write("rows", one.rows()), name = std::string(one.name) + ".model";
    if (writes()) store(name, encode(train(options_of_case(one, path, nullptr)).model));
    const Model model = load_model(path_of(name));
    EXPECT_EQ(encode(model), bytes_in(name));
    results.check(name + ".scores", digest_of(scores_of(model, path)));
    const Model later = train(options_of_case(one, path, &model)).model;
    results.check(name + ".resumed", digest_of(scores_of(later, path)));
  }
}

TEST(Witness, ACacheIsItsText) {
  const TemporaryFolder folder;
  for (const Case* const one : {&cases()[0], &cases()[2]}) {
    const std::string path = folder.write("rows", one->rows()), name = std::string(one->name) + ".cache";
    TrainOptions options = options_of_case(*one, path, nullptr);
    ReadOptions read = options.read;
    read.labels.class_weights.clear();
    convert(read, folder.path("cache"));
    const std::string written = content(folder.path("cache"));
    if (writes()) store(name, {written.begin(), written.end()});
    EXPECT_EQ(written, content(path_of(name)));
    const auto of_text = encode(train(options).model);
    options.read = {};
    options.read.path = path_of(name);
    options.read.labels.class_weights = options_of_case(*one, path, nullptr).read.labels.class_weights;
    EXPECT_EQ(encode(train(options).model), of_text) << name;
  }
}

// Learns, asks, tells, forgets and replaces the model, with a snapshot on the way.
void fill_log(const std::string& path, const Model& begin) {
  const auto storage = log::open_folder(path);
  service::LiveLearner learner(*storage, &begin, {});
  learner.learn("+1 1:1 5:1\n-1 3:1 6:1\n", {}, log::Sequence{"source", 7});
  learner.learn("-1 4:1 8:1\n", "wrong");
  learner.ask("waits", "2:1 7:1", "+1");
  learner.ask("known", "4:1 7:1", "+1");
  learner.truth("known", "-1");
  learner.commit();
  learner.snapshot();
  learner.learn("+1 2:1 9:1\n");
  learner.commit();
  learner.replace(begin);
  learner.learn("-1 3:1 9:1\n", "later");
  learner.commit();
  learner.forget("later");
}

// Stores a log that was written, or compares it with the stored one.
void store_or_compare(const TemporaryFolder& folder, const std::string& name) {
  if (writes()) {
    fs::remove_all(path_of(name));
    fs::copy(folder.path(name), path_of(name), fs::copy_options::recursive);
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(path_of(name)))
    EXPECT_EQ(content(folder.path(name) + "/" + entry.path().filename().string()), content(entry.path())) << entry;
}

// Opens a copy of a stored log.
std::unique_ptr<log::Storage> copy_of_log(const TemporaryFolder& folder, const std::string& name, bool with_snapshots) {
  const std::string copy = folder.path(with_snapshots ? "whole" : "events");
  fs::copy(path_of(name), copy, fs::copy_options::recursive);
  for (const fs::directory_entry& entry : fs::directory_iterator(copy))
    if (!with_snapshots && entry.path().filename().string().starts_with("snapshot-")) fs::remove(entry.path());
  return log::open_folder(copy);
}

TEST(Witness, ALogReplaysToTheSameModel) {
  const TemporaryFolder folder;
  Results results;
  const Case begin{"begin", ones, {{"preset", "arow"}}};
  const Model model = train(options_of_case(begin, folder.write("rows", ones()), nullptr)).model;
  fill_log(folder.path("log"), model);
  store_or_compare(folder, "log");
  for (const bool with_snapshots : {true, false}) {
    const auto storage = copy_of_log(folder, "log", with_snapshots);
    service::LiveLearner learner(*storage, nullptr, {});
    results.check("log.events", learner.receipt().log);
    results.check("log.model", learner.receipt().model);
    EXPECT_EQ(learner.waiting(), 1U);
    EXPECT_EQ(learner.counts().forgotten, 1U);
    EXPECT_EQ(learner.learn("+1 1:1 5:1\n-1 3:1 6:1\n", {}, log::Sequence{"source", 7}).repeated, 2U);
  }
}

TEST(Witness, APlanAndAStateOfShardsGoOn) {
  const TemporaryFolder folder;
  Results results;
  const std::string path = folder.write("rows", numbers(5, 200, 4));
  TrainSettings settings;
  settings.data.paths = {path};
  settings.preset = "averaged";
  MixOptions options;
  options.read = train_options(settings).read;
  options.composition = train_options(settings).composition;
  if (writes()) {
    ShardPlan plan = plan_shards(options.read, 4);
    store("shards.state", encode(trained(options, plan, 2)));
    plan.files[0].path = "rows";
    store("shards.plan", encode(plan));
  }
  ShardPlan plan = decode_plan(bytes_in("shards.plan"));
  MixState state = decode_state(bytes_in("shards.state"));
  EXPECT_EQ(encode(plan), bytes_in("shards.plan"));
  EXPECT_EQ(encode(state), bytes_in("shards.state"));
  EXPECT_EQ(plan.files.at(0).path, "rows");
  plan.files[0].path = path;
  end_epoch(options, plan, state, sum_of(options, plan, state, 0, plan.shards));
  results.check("shards.third-epoch", digest_of(mixed_model(options, plan, state).weights.w));
}

constexpr BanditOptions ix{.name = BanditName::exp3_ix, .arms = 3, .rounds = 100};

// Asks, and tells of most asks.
template <class Bandit>
void play_rounds(Bandit& bandit, int from, int to) {
  for (int i = from; i < to; ++i) {
    const auto answer = bandit.ask();
    if (i % 5 != 0) bandit.tell(answer.ticket, answer.arm == 1 ? 0 : 1);
  }
}

TEST(Witness, ABanditsLogReplaysToTheSameState) {
  const TemporaryFolder folder;
  {
    const auto storage = log::open_folder(folder.path("bandit"));
    service::DurableBandit bandit(*storage, ix, 7, {});
    play_rounds(bandit, 0, 10);
    bandit.commit();
    bandit.snapshot();
    play_rounds(bandit, 10, 20);
    bandit.commit();
  }
  store_or_compare(folder, "bandit");
  for (const bool with_snapshots : {true, false}) {
    const auto storage = copy_of_log(folder, "bandit", with_snapshots);
    EXPECT_EQ(service::DurableBandit(*storage, ix, 7, {}).bandit().save(), bytes_in("bandit.state"));
  }
}

TEST(Witness, ABanditGoesOnWithItsDraws) {
  Results results;
  if (writes()) {
    LiveBandit bandit(ix, 7);
    play_rounds(bandit, 0, 20);
    store("bandit.state", bandit.save());
  }
  LiveBandit bandit = LiveBandit::restore(bytes_in("bandit.state"), "bandit.state");
  EXPECT_EQ(bandit.save(), bytes_in("bandit.state"));
  std::string arms;
  for (int i = 0; i < 20; ++i) {
    const auto answer = bandit.ask();
    bandit.tell(answer.ticket, 0.5);
    arms += std::to_string(answer.arm);
  }
  results.check("bandit.arms", arms);
}

}  // namespace
}  // namespace halfspace::testing
