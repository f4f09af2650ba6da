// The learner whose state is a log: histories of events, failures and crashes against a model of what they mean.
#include "service/live_learner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/model/model_file.h"
#include "service/models.h"
#include "service/simulated_storage.h"

namespace halfspace::service {
namespace {

std::string row_of(Generator& draws) {
  std::string row;
  for (std::uint32_t j = 1; j <= 6; ++j) {
    if (pick(draws, 2) == 0) row += " " + std::to_string(j) + ":" + std::to_string(1 + pick(draws, 5));
  }
  return row.empty() ? " 1:1" : row;
}

// What a history should have come to: the rows that are to be learned, in order, and the ids that wait.
struct Expected {
  struct Row {
    std::string id, line;
    bool forgotten = false;
  };
  std::vector<Row> learned;
  std::map<std::string, std::string> waiting;
};

// The last numbered request of a source.
struct Numbered {
  std::uint64_t number = 0;
  std::string id;  // of a single row
  std::vector<std::string> lines;
};

std::vector<std::uint8_t> bytes_of(const Model& model) {
  return encode(model);
}

// The model of a learner that only ever saw these rows.
Model fresh(const Model& begin, const Expected& expected) {
  Generator draws(1);
  SimulatedStorage storage(draws);
  LiveLearner learner(storage, &begin, {});
  for (const Expected::Row& row : expected.learned) {
    if (!row.forgotten) learner.learn(row.line + "\n");
  }
  learner.commit();
  return learner.model();
}

class History {
 public:
  History(std::uint64_t seed, const Model& begin) : draws_(seed), begin_(begin), storage_(draws_) {
    options_.segment_bytes = 200 + pick(draws_, 2000);
    options_.snapshot_events = 1 + pick(draws_, 40);
    open();
  }

  void play(int steps) {
    for (int i = 0; i < steps; ++i) step();
    restart(false);
    compare();
  }

 private:
  void open() { learner_ = std::make_unique<LiveLearner>(storage_, &begin_, options_); }

  void step() {
    if (pick(draws_, 6) == 0) storage_.fail_after(1 + pick(draws_, 6));
    switch (pick(draws_, 14)) {
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
      default:
        return group();
    }
  }

  // Some events, and a commit that either makes all of them durable or none.
  void group() {
    Expected after = expected_;
    std::vector<Expected> prefixes{expected_};
    const std::size_t events = 1 + pick(draws_, 5);
    for (std::size_t i = 0; i < events; ++i) {
      const std::string id = "r" + std::to_string(pick(draws_, 40));
      const std::string label = pick(draws_, 2) == 0 ? "1" : "-1";
      switch (pick(draws_, 4)) {
        case 0:
          if (after.waiting.contains(id)) {
            EXPECT_THROW(learner_->ask(id, row_of(draws_), "1"), Error);
          } else {
            after.waiting[id] = row_of(draws_);
            learner_->ask(id, after.waiting[id], "1");
          }
          break;
        case 1:
          if (after.waiting.contains(id)) {
            learner_->truth(id, label);
            after.learned.push_back({id, label + " " + after.waiting[id].substr(1)});
            after.waiting.erase(id);
          } else {
            EXPECT_THROW(learner_->truth(id, label), Error);
          }
          break;
        case 2: {
          const std::string line = label + row_of(draws_);
          const LiveLearner::Learned learned = learner_->learn(line + "\n3" + row_of(draws_) + "\n+1 x\n", id);
          EXPECT_EQ(learned.rows, 1U);
          EXPECT_EQ(learned.refused.size(), 2U);
          after.learned.push_back({id, line});
          break;
        }
        default: {
          const std::string line = label + row_of(draws_);
          learner_->learn(line + "\n");
          after.learned.push_back({"", line});
        }
      }
      prefixes.push_back(after);
    }
    try {
      learner_->commit();
      expected_ = after;
    } catch (const Error&) {
      // Nothing of it happened, or it is not known what did: then the learner must be opened again.
      if (learner_->writable()) {
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
        last.lines.push_back((pick(draws_, 2) == 0 ? "1" : "-1") + row_of(draws_));
      last.id = last.lines.size() == 1 ? "r" + std::to_string(pick(draws_, 40)) : "";
    }
    std::string text;
    for (const std::string& line : last.lines) text += line + "\n";
    const std::uint64_t number = last.number - (again && last.number > 0 ? pick(draws_, 2) : 0);
    Expected after = expected_;
    std::vector<Expected> prefixes{expected_};
    for (const std::string& line : last.lines) {
      after.learned.push_back({last.id, line});
      prefixes.push_back(after);
    }
    for (int tries = 0; tries < 8; ++tries) {
      try {
        const LiveLearner::Learned learned = learner_->learn(text, last.id, log::Sequence{source, number});
        EXPECT_EQ(learned.rows + learned.repeated, last.lines.size());
        EXPECT_EQ(again ? learned.rows : 0, 0U);
        learner_->commit();
        if (!again) expected_ = after;
        return;
      } catch (const Error&) {
        if (!learner_->writable()) {
          if (!again) possible_ = prefixes;
          const Expected before = expected_;
          restart(pick(draws_, 2) == 0);
          expected_ = before;  // what is missing comes with the next try
          continue;
        }
        storage_.fail_after(0);
      }
    }
    ADD_FAILURE() << "no try succeeded";
  }

  void forget() {
    const std::string of_a = numbered_["a"].id;  // which may be sent again later
    const std::string id = !of_a.empty() && pick(draws_, 2) == 0 ? of_a : "r" + std::to_string(pick(draws_, 40));
    Expected after = expected_;
    for (Expected::Row& row : after.learned) row.forgotten = row.forgotten || row.id == id;
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

  // Whether the learner's counts and model are those of the rows.
  bool is(const Expected& expected) {
    return learner_->waiting() == expected.waiting.size() &&
           bytes_of(learner_->model()) == bytes_of(fresh(begin_, expected));
  }
  void compare() { EXPECT_TRUE(is(expected_)); }

  Generator draws_;
  const Model& begin_;
  SimulatedStorage storage_;
  LiveOptions options_;
  std::unique_ptr<LiveLearner> learner_;
  Expected expected_;
  std::vector<Expected> possible_;  // after an error
  std::map<std::string, Numbered> numbered_;
};

std::uint64_t histories() {
  const char* const given = std::getenv("HALFSPACE_HISTORIES");
  return given == nullptr ? 300 : std::strtoull(given, nullptr, 10);
}

// Nothing acknowledged is lost, nothing is learned twice, a replay is the live learner, the forgotten was never there.
TEST(LiveLearner, HistoriesMeanWhatTheySay) {
  const Model begin = model_on("1 1:1 2:3\n-1 1:2 3:1\n1 2:5\n-1 4:1\n", "averaged");
  for (std::uint64_t seed = 1; seed <= histories(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    History(seed, begin).play(40);
    if (testing::Test::HasFailure()) break;
  }
}

}  // namespace
}  // namespace halfspace::service
