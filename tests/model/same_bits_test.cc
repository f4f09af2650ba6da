// The promise of the same bits, at the level where users meet it: train() on a file gives the same model bytes whatever
// the threads and the blocks, and whether it ran at once or was broken off at any point and resumed.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "halfspace/base/random.h"
#include "halfspace/detail/rules/kernel_perceptron.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/train/train.h"
#include "support/every.h"
#include "support/temporary_folder.h"

namespace halfspace {
namespace {

class SameBits : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream csv(folder_.path("d.csv"));
    std::ofstream svm(folder_.path("d.svm"));
    std::ofstream ones(folder_.path("ones.svm"));
    csv << "a,colour,b,label\n";
    Generator draws(5);
    // New categories, missing values and new features keep appearing to the end.
    for (int i = 0; i < 120; ++i) {
      const double a = draws.next() - 0.5;
      const double b = draws.next() - 0.5;
      const bool positive = a + 0.3 * b + 0.2 * (draws.next() - 0.5) > 0;
      csv << (i % 11 == 10 ? "?" : std::to_string(a)) << ",c" << i / 9 << "," << b << "," << (positive ? "yes" : "no")
          << "\n";
      ones << (positive ? "+1" : "-1") << (a > 0 ? " 1:1" : "") << (b > 0 ? " 2:1" : "") << " " << 3 + i / 2 << ":1\n";
      svm << (positive ? "+1" : "-1") << " 1:" << a << " 2:" << b << " " << 3 + i << ":0.25\n";
    }
  }
  TrainOptions options(const std::string& file, const Composition& composition) const {
    TrainOptions options;
    options.read.path = folder_.path(file);
    options.composition = composition;
    options.until.passes = 3;
    if (composition.order == OrderName::stream || composition.order == OrderName::cyclic) options.watch = watch();
    return options;
  }

  // Everything that can be watched, with alarms.
  static Watch watch() {
    Watch watch;
    watch.window = Window(17);
    watch.faded = Faded{0.9};
    watch.adwin.emplace();
    return watch;
  }

  static std::vector<Composition> compositions() {
    std::vector<Composition> all;
    for (const RuleName rule : testing::every<RuleName>()) {
      if (rule == rule::kernel) continue;  // below, with its own options
      for (const KeepName keep : testing::every<KeepName>()) {
        for (const OrderName order : {OrderName::stream, OrderName::cyclic, OrderName::shuffled}) {
          if (!entry_of(rule).keeps(keep)) continue;
          Composition c;
          c.rule = rule;
          c.keep = keep;
          c.order = order;
          if (rule == rule::perceptron && keep == KeepName::pocket) c.start.small = true;
          all.push_back(c);
        }
      }
    }
    for (const OrderName order : {OrderName::stream, OrderName::cyclic, OrderName::shuffled}) {
      Composition c;
      c.rule = rule::kernel;
      c.order = order;
      c.set(parameter::gamma, 0.01);
      c.keep = KeepName::average;
      all.push_back(c);
      c.set(parameter::budget, 6);
      c.set(parameter::eviction, Eviction::projectron);
      all.push_back(c);
      c.keep = KeepName::last;
      for (const Eviction eviction : {Eviction::random, Eviction::forgetron}) {
        c.set(parameter::eviction, eviction);
        all.push_back(c);
      }
    }
    return all;
  }

  static bool takes_ones_only(const Composition& c) { return testing::takes_ones_only(c.rule); }

  static std::string name(const Composition& c) {
    return std::string(name_of(c.rule)) + " " + std::string(name_of(c.order)) + " " + std::string(name_of(c.keep)) +
           (c.given(parameter::budget) ? " " + std::string(name_of(c.choice<Eviction>(parameter::eviction))) : "");
  }

  testing::TemporaryFolder folder_;
};

TEST_F(SameBits, WhateverTheThreadsAndTheBlocks) {
  for (const char* real : {"d.csv", "d.svm"}) {
    for (const Composition& composition : compositions()) {
      const char* file = takes_ones_only(composition) ? "ones.svm" : real;
      for (const std::uint64_t updates : {std::uint64_t{7}, UINT64_MAX}) {  // stopped in the middle of a block, and not
        TrainOptions one = options(file, composition);
        one.until.updates = updates;
        one.holdout = 0.2;
        one.read.threads = 1;
        const auto expected = encode(train(one).model);
        for (const std::size_t block_bytes : {std::size_t{40}, std::size_t{300}}) {
          TrainOptions other = one;
          other.read.threads = 2;
          other.read.block_bytes = block_bytes;
          EXPECT_EQ(encode(train(other).model), expected) << file << " " << name(composition) << " " << block_bytes;
        }
      }
    }
  }
}

TEST_F(SameBits, BrokenOffAndResumedAtEveryUpdate) {
  for (const Composition& composition : compositions()) {
    const TrainOptions whole = options(takes_ones_only(composition) ? "ones.svm" : "d.svm", composition);
    const Model expected = train(whole).model;
    for (std::uint64_t k = 1; k < expected.ledger.updates; k += composition.order == OrderName::stream ? 1 : 5) {
      TrainOptions part = whole;
      part.until.updates = k;
      const Model broken_off = decode(encode(train(part).model), "m");
      TrainOptions rest = whole;
      rest.resume = &broken_off;
      Model resumed = train(rest).model;
      resumed.ledger.inspections = expected.ledger.inspections;  // looking again for a clean state is work, not state
      EXPECT_TRUE(resumed == expected) << name(composition) << " at update " << k;
    }
  }
}

// A model that is handed out on the way is that of a run broken off there, and whoever takes it up ends where the run
// itself does.
TEST_F(SameBits, GoneOnWithFromEveryCheckpoint) {
  for (const Composition& composition : compositions()) {
    TrainOptions whole = options(takes_ones_only(composition) ? "ones.svm" : "d.csv", composition);
    whole.read.block_bytes = 300;
    whole.holdout = 0.2;
    const auto expected = encode(train(whole).model);
    std::vector<Model> on_the_way;
    TrainOptions watched = whole;
    watched.checkpoint.rounds = 1;
    watched.on_checkpoint = [&](const Model& model) { on_the_way.push_back(decode(encode(model), "m")); };
    EXPECT_EQ(encode(train(watched).model), expected) << name(composition);
    EXPECT_GE(on_the_way.size(), 2U) << name(composition);
    for (const Model& broken_off : on_the_way) {
      TrainOptions rest = whole;
      rest.resume = &broken_off;
      EXPECT_EQ(encode(train(rest).model), expected) << name(composition) << " at " << broken_off.ledger.rounds;
    }
  }
}

// So is one of the middle of a shuffled pass, and of a search for mistakes.
TEST_F(SameBits, GoneOnWithFromTheMiddleOfAPass) {
  std::ofstream svm(folder_.path("long.svm"));
  Generator draws(11);
  for (int i = 0; i < 9'000; ++i) {
    const double a = draws.next() - 0.5;
    svm << (a + 0.1 * (draws.next() - 0.5) > 0 ? "+1" : "-1") << " 1:" << a << " 2:" << draws.next() << "\n";
  }
  svm.close();
  for (const OrderName order : {OrderName::shuffled, OrderName::random, OrderName::cyclic, OrderName::random_mistake,
                                OrderName::first_mistake}) {
    Composition composition;
    composition.order = order;
    composition.keep = order == OrderName::random_mistake ? KeepName::pocket : KeepName::average;
    TrainOptions whole = options("long.svm", composition);
    whole.watch.reset();
    if (plays_mistakes_only(order)) whole.until = {.updates = 40};
    const Model expected = train(whole).model;
    std::vector<Model> on_the_way;
    TrainOptions watched = whole;
    watched.checkpoint.rounds = plays_mistakes_only(order) ? 7 : 4'096;
    watched.read.block_bytes = 40'000;  // rows are played while they are read, too
    watched.on_checkpoint = [&](const Model& model) { on_the_way.push_back(decode(encode(model), "m")); };
    EXPECT_TRUE(train(watched).model == expected) << name(composition);
    EXPECT_GE(on_the_way.size(), 5U) << name(composition);
    std::uint64_t before = 0;
    for (const Model& broken_off : on_the_way) {
      EXPECT_LE(broken_off.ledger.rounds - before, *watched.checkpoint.rounds) << name(composition);
      before = broken_off.ledger.rounds;
      TrainOptions rest = whole;
      rest.resume = &broken_off;
      Model resumed = train(rest).model;
      resumed.ledger.inspections = expected.ledger.inspections;  // looking again for a mistake is work, not state
      EXPECT_TRUE(resumed == expected) << name(composition) << " at " << broken_off.ledger.rounds;
    }
  }
}

}  // namespace
}  // namespace halfspace
