// The learner whose state is a log: histories of events, failures and crashes against a model of what they mean.
#include "service/live_learner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "base/log/event.h"
#include "base/log/event_log.h"
#include "base/log/log_rows.h"
#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/composition.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "service/models.h"
#include "service/simulated_storage.h"

namespace halfspace::service {
namespace {

constexpr const char* first_rows = "1 1:1 2:1\n-1 1:1 3:1\n1 2:1\n-1 4:1\n";

// The rows of one history have values of about one size, or of any.
class RowMaker {
 public:
  RowMaker(Generator& draws, bool wild) : draws_(draws), wild_(wild) {}

  std::string row() {
    std::string row;
    for (std::uint32_t j = 1; j <= 6; ++j) {
      if (pick(draws_, 2) == 0) row += " " + std::to_string(j) + ":" + value();
    }
    return row.empty() ? " 1:1" : row;
  }
  std::string label() {
    constexpr std::array names{"1", "-1", "+1", "1.0", "-1.0", "1e0"};
    return names[pick(draws_, names.size())];
  }

 private:
  std::string value() {
    constexpr std::array extreme{"1e308", "-1e308", "1e160", "-3e155", "1e60", "1e-60", "1e-160", "5e-324", "0"};
    if (wild_ && pick(draws_, 4) == 0) return extreme[pick(draws_, extreme.size())];
    return std::to_string(1 + pick(draws_, 5));
  }

  Generator& draws_;
  bool wild_;
};

// What a history should have come to: the rows that are to be learned, in order, and the ids that wait.
struct Expected {
  struct Row {
    std::string id, line;
    bool forgotten = false;
    bool is_truth = false, is_wrong = false;
  };
  std::vector<Row> rows;
  std::map<std::string, std::string> waiting;
  const Model* begin = nullptr;  // the last model that was put in,
  std::size_t from = 0;          // before this row

  std::uint64_t mistakes() const {
    return static_cast<std::uint64_t>(std::count_if(
        rows.begin(), rows.end(), [](const Row& row) { return row.is_truth && row.is_wrong && !row.forgotten; }));
  }
};

// The last numbered request of a source.
struct Numbered {
  std::uint64_t number = 0;
  std::string id;  // of a single row
  std::vector<std::string> lines;
};

std::vector<std::uint8_t> bytes_of(const Model& model) { return encode(model); }

// The model of a learner that only ever saw these rows.
Model fresh(const Expected& expected) {
  Generator draws(1);
  SimulatedStorage storage(draws);
  LiveLearner learner(storage, expected.begin, {});
  for (std::size_t i = expected.from; i < expected.rows.size(); ++i) {
    if (!expected.rows[i].forgotten) learner.learn(expected.rows[i].line + "\n");
  }
  learner.commit();
  return learner.model();
}

class History {
 public:
  History(std::uint64_t seed, const std::vector<Model>& models)
      : draws_(seed), models_(models), rows_(draws_, pick(draws_, 2) == 0), storage_(draws_) {
    options_.segment_bytes = 200 + pick(draws_, 2000);
    options_.snapshot_events = 1 + pick(draws_, 40);
    begin_ = expected_.begin = &models_[pick(draws_, models_.size())];
    open();
  }

  void play(int steps) {
    for (int i = 0; i < steps; ++i) step();
    restart(false);
    compare();
  }

 private:
  void open() { learner_ = std::make_unique<LiveLearner>(storage_, begin_, options_); }

  void step() {
    if (pick(draws_, 6) == 0) storage_.fail_after(1 + pick(draws_, 6));
    switch (pick(draws_, 15)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return group();
      case 4:
        return forget();
      case 5:
        return restart(pick(draws_, 2) == 0);
      case 6:
        if (pick(draws_, 4) == 0) compare();
        return;
      case 7:
      case 8:
        return numbered();
      case 9:
        return replace();
      default:
        return group();
    }
  }

  // A request: some of its lines are no rows, and some rows the rule cannot learn from. It is as if only the others had
  // been sent.
  void learn(Expected& after, const std::string& id) {
    const std::string line = rows_.label() + rows_.row();
    const LiveLearner::Learned learned = learner_->learn(line + "\n3" + rows_.row() + "\n+1 x\n", id);
    EXPECT_EQ(learned.rows + learned.refused.size(), 3U);
    EXPECT_LE(learned.rows, 1U);
    if (learned.rows == 1) after.rows.push_back({id, line});
  }

  void one(Expected& after) {
    const std::string id = "r" + std::to_string(pick(draws_, 40));
    switch (pick(draws_, 4)) {
      case 0: {
        const std::string row = rows_.row();
        if (after.waiting.contains(id)) {
          EXPECT_THROW(learner_->ask(id, row, "1"), Error);
        } else {
          learner_->ask(id, row, "1");
          after.waiting[id] = row;
        }
        return;
      }
      case 1: {
        const std::string label = rows_.label();
        const auto waits = after.waiting.find(id);
        if (waits == after.waiting.end()) {
          EXPECT_THROW(learner_->truth(id, label), Error);
          return;
        }
        try {
          learner_->truth(id, label);
        } catch (const Error& error) {
          if (error.kind() != ErrorKind::data) throw;
          return;  // the rule cannot learn from the row, which goes on to wait
        }
        after.rows.push_back({id, label + " " + waits->second.substr(1), false, true, label[0] == '-'});
        after.waiting.erase(waits);
        return;
      }
      case 2:
        return learn(after, id);
      default:
        return learn(after, "");
    }
  }

  // Some events, and a commit that either makes all of them durable or none.
  void group() {
    Expected after = expected_;
    std::vector<Expected> prefixes{expected_};
    try {
      for (std::size_t left = 1 + pick(draws_, 5); left > 0; --left) {
        one(after);
        prefixes.push_back(after);
      }
      learner_->commit();
      expected_ = after;
    } catch (const Error&) {
      // Nothing of it happened, or it is not known what did: then the learner must be opened again.
      if (learner_->writable()) {
        EXPECT_TRUE(learner_->current());
        if (pick(draws_, 2) == 0) return;
        return restart(false);
      }
      possible_ = prefixes;
      restart(pick(draws_, 2) == 0);
    }
  }

  // A numbered request, alone or after one that was answered already; it is sent until it is answered.
  void numbered() {
    const std::string source(1, static_cast<char>('a' + pick(draws_, 2)));
    Numbered& last = numbered_[source];
    const bool again = !last.lines.empty() && pick(draws_, 3) == 0;
    if (!again) {
      last.number += 1 + pick(draws_, 3);
      last.lines.clear();
      for (std::uint64_t left = 1 + pick(draws_, 4); left > 0; --left)
        last.lines.push_back((pick(draws_, 2) == 0 ? "1" : "-1") + rows_.row());
      last.id = last.lines.size() == 1 ? "r" + std::to_string(pick(draws_, 40)) : "";
    }
    std::string text;
    for (const std::string& line : last.lines) text += line + "\n";
    const std::uint64_t number = last.number - (again && last.number > 0 ? pick(draws_, 2) : 0);
    const std::size_t before = expected_.rows.size();
    for (int tries = 0; tries < 8; ++tries) {
      Expected after = expected_;
      std::vector<Expected> prefixes{expected_};
      try {
        const LiveLearner::Learned learned = learner_->learn(text, last.id, log::Sequence{source, number});
        EXPECT_EQ(learned.rows + learned.repeated + learned.refused.size(), last.lines.size());
        EXPECT_EQ(again ? learned.rows : 0, 0U);
        std::vector<std::string> taken;
        for (std::size_t i = 0; i < last.lines.size(); ++i) {
          const bool refused = std::any_of(learned.refused.begin(), learned.refused.end(),
                                           [&](const RefusedRow& row) { return row.line == i + 1; });
          if (!refused) taken.push_back(last.lines[i]);
        }
        // Of a request that was cut in two some rows are there.
        std::vector<std::string> missing = taken;
        for (std::size_t i = before; i < expected_.rows.size(); ++i) {
          const auto there = std::find(missing.begin(), missing.end(), expected_.rows[i].line);
          if (there != missing.end()) missing.erase(there);
        }
        for (std::size_t i = 0; i < missing.size() && !again; ++i) {
          after.rows.push_back({last.id, missing[i]});
          prefixes.push_back(after);
        }
        learner_->commit();
        expected_ = after;
        last.lines = taken;
        return;
      } catch (const Error&) {
        if (!learner_->writable()) {
          possible_ = prefixes;
          restart(pick(draws_, 2) == 0);
          continue;
        }
        storage_.fail_after(0);
      }
    }
    ADD_FAILURE() << "no try succeeded";
  }

  void replace() {
    const Model& model = models_[pick(draws_, models_.size())];
    Expected after = expected_;
    after.begin = &model;
    after.from = after.rows.size();
    try {
      learner_->replace(model);
      expected_ = after;
    } catch (const Error&) {
      if (learner_->writable()) return;
      possible_ = {expected_, after};
      restart(pick(draws_, 2) == 0);
    }
  }

  void forget() {
    const std::string of_a = numbered_["a"].id;  // which may be sent again later
    const std::string id = !of_a.empty() && pick(draws_, 2) == 0 ? of_a : "r" + std::to_string(pick(draws_, 40));
    Expected after = expected_;
    for (Expected::Row& row : after.rows) row.forgotten = row.forgotten || row.id == id;
    after.waiting.erase(id);
    try {
      learner_->forget(id);
      expected_ = after;
    } catch (const Error&) {
      possible_ = {expected_, after};
      restart(pick(draws_, 2) == 0);
    }
  }

  void restart(bool power_cut) {
    learner_.reset();
    storage_.fail_after(0);
    if (power_cut) storage_.crash();
    open();
    // Of events that were not acknowledged the first ones may be there.
    const auto found =
        std::find_if(possible_.begin(), possible_.end(), [this](const Expected& each) { return is(each); });
    if (found != possible_.end()) expected_ = *found;
    possible_.clear();
    EXPECT_TRUE(is(expected_)) << "after a restart";
  }

  // Whether the learner's counts and model are those of the rows, in numbers that a model file can hold.
  bool is(const Expected& expected) {
    return learner_->waiting() == expected.waiting.size() && learner_->counts().mistakes == expected.mistakes() &&
           bytes_of(learner_->model()) == bytes_of(fresh(expected));
  }
  void compare() { EXPECT_TRUE(is(expected_)); }

  Generator draws_;
  const std::vector<Model>& models_;
  RowMaker rows_;
  SimulatedStorage storage_;
  LiveOptions options_;
  const Model* begin_;
  std::unique_ptr<LiveLearner> learner_;
  Expected expected_;
  std::vector<Expected> possible_;  // after an error
  std::map<std::string, Numbered> numbered_;
};

std::uint64_t number_in(const char* name, std::uint64_t otherwise) {
  const char* const given = std::getenv(name);
  return given == nullptr ? otherwise : std::strtoull(given, nullptr, 10);
}

// A model of every preset that learns from a stream.
std::vector<Model> every_model() {
  std::vector<Model> models;
  for (const Preset& preset : presets()) {
    if (preset.order == OrderName::stream && preset.keep != KeepName::pocket)
      models.push_back(model_on(first_rows, std::string(preset.name)));
  }
  return models;
}

// Nothing acknowledged is lost, nothing is learned twice, a replay is the live learner, the forgotten was never there,
// whatever the rule and the size of the numbers.
TEST(LiveLearner, HistoriesMeanWhatTheySay) {
  const std::vector<Model> models = every_model();
  ASSERT_GT(models.size(), 15U);
  const std::uint64_t first = number_in("HALFSPACE_FIRST_HISTORY", 1);
  for (std::uint64_t seed = first; seed < first + number_in("HALFSPACE_HISTORIES", 300); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    try {
      History(seed, models).play(40);
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
    if (testing::Test::HasFailure()) break;
  }
}

// A row that was learned is not lost by a flag of a later start.
TEST(LiveLearner, ARowThatWasLearnedOnceNeedsNoPermission) {
  const Model begin = model_on(first_rows, "arow");
  Generator draws(1);
  SimulatedStorage storage(draws);
  LiveOptions small;
  small.most_state_bytes = std::uint64_t{1} << 20;
  {
    LiveLearner learner(storage, &begin, {});
    EXPECT_EQ(learner.learn("1 300:1\n").rows, 1U);
    learner.commit();
  }
  LiveLearner learner(storage, nullptr, small);
  EXPECT_EQ(learner.counts().learned, 1U);
  EXPECT_EQ(learner.learn("1 3000:1\n").refused.size(), 1U);
}

// Rows that cannot be learned never get into a log: after any of them it opens, and the state is that of the others.
TEST(LiveLearner, RejectsWhatItCannotLearn) {
  for (const Model& begin : every_model()) {
    SCOPED_TRACE(default_preset(begin.composition.rule).name);
    Generator draws(1);
    SimulatedStorage storage(draws);
    std::vector<std::uint8_t> live;
    LiveOptions options;
    options.most_state_bytes = std::uint64_t{8} << 20;
    {
      LiveLearner learner(storage, &begin, options);
      for (const char* const row : {"1 1:1e308", "-1 1:1e308 2:1e308", "1 1:1", "-1 60000:1", "1 2:5e-324", "1 1:0.5",
                                    "-1 1:-1e160 3:1e-160", "1 16777216:1", "-1 3:1"}) {
        learner.learn(std::string(row) + "\n");
        learner.commit();
      }
      EXPECT_GE(learner.counts().learned, 2U);
      live = encode(learner.model());
      learner.snapshot();
    }
    for (int start = 0; start < 2; ++start) {
      const LiveLearner learner(storage, nullptr, options);
      EXPECT_EQ(learner.counts().set_aside, 0U);
      EXPECT_EQ(encode(learner.model()), live);
      for (const std::string& name : storage.names()) {
        if (name.starts_with("snapshot-")) storage.remove(name);  // so that the next start reads the whole log
      }
    }
  }
}

// Once others are forgotten, a row may leave numbers beyond the doubles: it is passed over and counted, at every start.
TEST(LiveLearner, PassesOverWhatItCannotLearnAgain) {
  std::uint64_t set_aside = 0;
  for (const Model& begin : every_model()) {
    SCOPED_TRACE(default_preset(begin.composition.rule).name);
    for (const char* const forgotten : {"0", "1", "2"}) {
      Generator draws(1);
      SimulatedStorage storage(draws);
      LiveLearner learner(storage, &begin, {});
      int id = 0;
      for (const char* const row : {"1 9:1", "1 9:1e155", "-1 9:1e155 8:1e-155", "-1 9:1e308", "1 9:1e308 8:-1e308",
                                    "-1 8:1e308", "1 8:1e160 9:-1e160", "-1 1:1e308 9:1e308"})
        learner.learn(std::string(row) + "\n", std::to_string(id++));
      learner.commit();
      learner.forget(forgotten);
      set_aside += learner.counts().set_aside;
      const LiveLearner again(storage, nullptr, {});
      EXPECT_EQ(again.counts(), learner.counts());
      EXPECT_EQ(encode(again.model()), encode(learner.model()));
    }
  }
  EXPECT_GT(set_aside, 0U);
}

// A request is known by its number and its content.
TEST(LiveLearner, TheSameNumberIsTheSameRequest) {
  const Model begin = model_on("a 1:1\nb 2:1\n", "averaged");
  const Model more = model_on("a 1:1\nb 2:1\nc 3:1\n", "averaged");
  Generator draws(1);
  SimulatedStorage storage(draws);
  LiveLearner learner(storage, &begin, {});
  const log::Sequence sequence{"s", 17};
  const std::string rows = "c 3:9\na 1:5\nb 2:7\nb 2:7\n";
  LiveLearner::Learned first = learner.learn(rows, {}, sequence);
  EXPECT_EQ(first.rows, 3U);
  EXPECT_EQ(first.refused.size(), 1U);
  learner.replace(more);
  const LiveLearner::Learned second = learner.learn(rows, {}, sequence);  // c is a class now
  EXPECT_EQ(second.rows, 1U);
  EXPECT_EQ(second.repeated, 3U);
  EXPECT_THROW(learner.learn("a 1:5\nb 2:7\n", {}, sequence), Error);
  EXPECT_THROW(learner.learn("a 1:5\nb 2:8\nb 2:7\nc 3:9\n", {}, sequence), Error);
  EXPECT_EQ(learner.learn("a 9:9\n", {}, log::Sequence{"s", 16}).repeated, 1U);
  EXPECT_TRUE(learner.ask("x", "1:1", "a", log::Sequence{"s", 18}));
  EXPECT_FALSE(learner.ask("x", "1:1", "a", log::Sequence{"s", 18}));
  EXPECT_THROW(learner.ask("y", "1:1", "a", log::Sequence{"s", 18}), Error);
  EXPECT_TRUE(learner.truth("x", "b", log::Sequence{"s", 19}));
  EXPECT_FALSE(learner.truth("x", "b", log::Sequence{"s", 19}));
  EXPECT_THROW(learner.truth("x", "a", log::Sequence{"s", 19}), Error);
}

// Models that no row can be learned on top of, and those whose rows have other columns, are rejected before anything is
// written.
TEST(LiveLearner, TakesModelsThatCanGoOn) {
  const auto table = [](const std::string& text, const std::string& label) {
    return model_on(text, "averaged", "a.csv", label);
  };
  const Model begin = table("a,b,y\n1,2,no\n3,1,yes\n", "y");
  Model minimum = begin;
  minimum.ledger = {};  // weights without rounds
  minimum.composition.rule = rule::perceptron;
  minimum.composition.keep = KeepName::last;
  Generator draws(1);
  SimulatedStorage storage(draws);
  EXPECT_THROW(LiveLearner(storage, &minimum, {}), Error);
  EXPECT_TRUE(storage.names().empty());
  LiveLearner learner(storage, &begin, {});
  learner.learn("1,2,yes\n");
  learner.commit();
  for (const Model& model : {minimum, table("b,a,y\n2,1,no\n1,3,yes\n", "y"), table("a,b,y\n1,no,2\n3,yes,1\n", "b"),
                             table("a;b;y\n1;2;no\n3;1;yes\n", "y")}) {
    EXPECT_THROW(learner.replace(model), Error);
    EXPECT_EQ(learner.events(), 1U);
  }
  learner.replace(table("a,b,y\n5,5,no\n3,1,maybe\n1,1,yes\n", "y"));
  EXPECT_EQ(learner.events(), 2U);
}

// A request to forget for which there was no memory is not carried out by the next commit.
TEST(LiveLearner, AForgetThatFoundNoMemoryIsNotWrittenLater) {
  const Model begin = model_on(first_rows, "averaged");
  Generator draws(1);
  SimulatedStorage storage(draws);
  LiveLearner learner(storage, &begin, {});
  learner.learn("1 1:1\n", "a");
  learner.commit();
  storage.lack_memory();
  storage.fail_after(1);
  EXPECT_THROW(learner.forget("a"), std::bad_alloc);
  ASSERT_TRUE(learner.writable());
  learner.learn("1 2:1\n", "b");
  learner.commit();
  EXPECT_EQ(learner.events(), 2U);
  EXPECT_EQ(learner.counts().forgotten, 0U);
}

// Rows that wait for their label are limited in bytes: the oldest give way.
TEST(LiveLearner, WaitingRowsAreLimitedInBytes) {
  const Model begin = model_on(first_rows, "averaged");
  Generator draws(1);
  SimulatedStorage storage(draws);
  LiveOptions options;
  options.most_waiting_bytes = 100;
  LiveLearner learner(storage, &begin, options);
  for (int i = 0; i < 10; ++i) learner.ask("id" + std::to_string(i), "1:1 2:1 3:1 4:1 5:1", "1");
  EXPECT_EQ(learner.waiting(), 4U);
  EXPECT_EQ(learner.counts().missing, 6U);
  EXPECT_THROW(learner.truth("id5", "1"), Error);
  EXPECT_TRUE(learner.truth("id6", "1"));
}

TEST(LiveLearner, SourcesAreLimited) {
  const Model model = model_on("1 1:1 2:3\n-1 1:2 3:1\n1 2:5\n-1 4:1\n", "averaged");
  Generator draws(1);
  SimulatedStorage storage(draws);
  LiveLearner learner(storage, &model, {.most_sources = 2});
  learner.learn("1 2:4\n", {}, log::Sequence{"a", 1});
  learner.learn("1 2:4\n", {}, log::Sequence{"b", 1});
  EXPECT_THROW(learner.learn("1 2:4\n", {}, log::Sequence{"c", 1}), Error);
  learner.commit();
  EXPECT_THROW(learner.learn("1 2:4\n", {}, log::Sequence{"c", 1}), Error);
  EXPECT_EQ(learner.learn("1 2:4\n", {}, log::Sequence{"b", 2}).rows, 1U);
}

}  // namespace
}  // namespace halfspace::service
