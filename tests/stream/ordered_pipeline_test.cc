// The threads of a pass: order, ends and failures, whatever their number.
#include "stream/pipeline/ordered_pipeline.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace halfspace::stream {
namespace {

// Chunks are numbers; a place holds one from cut to deliver. Not atomic on purpose: the thread sanitizer sees whether
// the stages are ordered.
class Numbers final : public Stages {
 public:
  Numbers(std::size_t count, std::size_t places, bool last_known)
      : count_(count), last_known_(last_known), at_(places) {}

  Cut cut(std::size_t place) noexcept override {
    EXPECT_EQ(cutting_.fetch_add(1), 0) << "two at a time";
    Cut result = Cut::nothing;
    if (cut_ != count_) {
      EXPECT_EQ(at_[place], 0u) << "the place is taken";
      at_[place] = ++cut_;
      result = cut_ == count_ && last_known_ ? Cut::last : Cut::more;
    }
    cutting_.fetch_sub(1);
    return result;
  }

  void parse(std::size_t place) noexcept override {
    // Later chunks are often ready first.
    if (at_[place] % 3 == 1) std::this_thread::sleep_for(std::chrono::microseconds(50));
    at_[place] = at_[place] * at_[place];
  }

  bool deliver(std::size_t place) override {
    EXPECT_EQ(std::this_thread::get_id(), caller_);
    delivered.push_back(at_[place]);
    at_[place] = 0;
    if (delivered.size() == throw_at) throw std::runtime_error("enough");
    return delivered.size() != stop_at;
  }

  std::vector<std::size_t> delivered;
  std::size_t stop_at = 0, throw_at = 0;

 private:
  std::size_t count_;
  bool last_known_;
  std::vector<std::size_t> at_;
  std::size_t cut_ = 0;
  std::atomic<int> cutting_{0};
  std::thread::id caller_ = std::this_thread::get_id();
};

std::vector<std::size_t> squares(std::size_t count) {
  std::vector<std::size_t> result;
  for (std::size_t i = 1; i <= count; ++i) result.push_back(i * i);
  return result;
}

TEST(OrderedPipeline, EveryChunkOnceAndInOrder) {
  for (const std::size_t threads : {1, 2, 3, 8, 40}) {
    for (const std::size_t places : {std::size_t{1}, std::size_t{2}, 2 * threads + 1}) {
      for (const std::size_t count : {0, 1, 2, 3, 100}) {
        for (const bool last_known : {false, true}) {
          Numbers numbers(count, places, last_known);
          EXPECT_TRUE(run_stages(numbers, threads, places));
          EXPECT_EQ(numbers.delivered, squares(count)) << threads << " threads, " << places << " places";
        }
      }
    }
  }
}

TEST(OrderedPipeline, DeliverEndsIt) {
  for (const std::size_t threads : {1, 2, 8}) {
    for (const std::size_t stop_at : {1, 2, 50, 100}) {
      Numbers numbers(100, 2 * threads + 1, true);
      numbers.stop_at = stop_at;
      EXPECT_FALSE(run_stages(numbers, threads, 2 * threads + 1));
      EXPECT_EQ(numbers.delivered, squares(stop_at));
    }
  }
}

TEST(OrderedPipeline, WhatDeliverThrowsPassesThrough) {
  for (const std::size_t threads : {1, 2, 8}) {
    for (const std::size_t throw_at : {1, 2, 50, 100}) {
      Numbers numbers(100, 2 * threads + 1, true);
      numbers.throw_at = throw_at;
      EXPECT_THROW(run_stages(numbers, threads, 2 * threads + 1), std::runtime_error);
      EXPECT_EQ(numbers.delivered, squares(throw_at));
    }
  }
}

// Nobody waits for a helper that never comes: the caller does the work of all.
TEST(OrderedPipeline, TheCallerWorksWhileTheOthersSleep) {
  class Slow final : public Stages {
   public:
    Cut cut(std::size_t) noexcept override { return ++cut_ < 20 ? Cut::more : Cut::last; }
    void parse(std::size_t) noexcept override {
      if (std::this_thread::get_id() == caller_) {
        ++by_caller;
      } else {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    }
    bool deliver(std::size_t) override { return true; }
    std::size_t by_caller = 0;

   private:
    std::size_t cut_ = 0;
    std::thread::id caller_ = std::this_thread::get_id();
  };
  Slow slow;
  EXPECT_TRUE(run_stages(slow, 2, 5));
  EXPECT_GE(slow.by_caller, 1u);
}

}  // namespace
}  // namespace halfspace::stream
