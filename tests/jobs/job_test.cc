// Jobs: the same bits however their tasks are done, saved and repeated; and what is refused.
#include "halfspace/jobs/job.h"

#include <algorithm>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/evaluate.h"
#include "support/test.h"

namespace halfspace {
namespace {

using testing::TemporaryFolder;
using Data = std::vector<std::uint8_t>;

// Returns rows of CSV with a text column, whose names appear late, and every tenth label wrong.
std::string table(std::uint64_t seed, int rows) {
  Generator draws(seed);
  std::string text = "a,b,colour,class\n";
  for (int i = 0; i < rows; ++i) {
    const double a = gaussian(draws), b = gaussian(draws);
    const bool yes = (a > b) != (pick(draws, 10) == 0);
    const std::string colour = "c" + std::to_string(pick(draws, 3 + static_cast<std::uint64_t>(i) / 50));
    text += std::to_string(a) + "," + std::to_string(b) + "," + colour + (yes ? ",yes\n" : ",no\n");
  }
  return text;
}

jobs::Order training_of(const std::string& path, std::uint32_t tasks = 16) {
  jobs::Order order;
  order.options.paths = {path};
  order.options.options = {{"preset", "averaged"}};
  order.shards = 16;
  order.epochs = 3;
  order.tasks = tasks;
  return order;
}

void do_all(jobs::Job& job) {
  while (!job.done()) {
    const Data shared = job.shared();
    for (const jobs::Task& task : job.tasks()) job.take(task.number, jobs::run_task(task.bytes, shared));
  }
}

TEST(Jobs, TheModelIsThatOfTheStepsOneByOne) {
  const TemporaryFolder folder;
  const std::string path = folder.write("rows.csv", table(1, 3000));
  jobs::Job job(training_of(path));
  do_all(job);
  TrainSettings settings;
  settings.preset = "averaged";
  settings.data.paths = {path};
  const MixOptions options = mix_options(settings);
  ShardPlan plan = plan_shards(options.read, 16);
  MergedNames names(plan.schema);
  for (std::uint32_t shard = 0; shard < 16; ++shard) names.add(names_of_shard(plan, options.read, shard));
  plan.schema = names.schema();
  MixState state = begin_mixing(options, plan);
  for (int epoch = 0; epoch < 3; ++epoch) {
    std::vector<PartialSum> sums;
    for (std::uint32_t shard = 0; shard < 16; ++shard) sums.push_back(play_shard(options, plan, state, shard));
    for (; sums.size() > 1; sums.resize(sums.size() / 2)) {
      for (std::size_t i = 0; i < sums.size() / 2; ++i) sums[i] = add(sums[2 * i], sums[2 * i + 1]);
    }
    end_epoch(options, plan, state, sums[0]);
  }
  EXPECT_EQ(encode(job.model()), encode(mixed_model(options, plan, state)));
  EXPECT_EQ(job.epoch(), 3U);
}

// Any number of tasks, in any order, some twice, some lost, the job saved and loaded between any two results.
TEST(Jobs, ResultsComeInAnyOrderAndTheJobGoesOnAnywhere) {
  const TemporaryFolder folder;
  const std::string path = folder.write("rows.csv", table(2, 2000));
  jobs::Job first(training_of(path));
  do_all(first);
  const Data expected = encode(first.model());
  const std::string json = first.json();
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Generator draws(seed);
    jobs::Job job(training_of(path, std::uint32_t{1} << pick(draws, 6)));
    std::vector<std::pair<std::uint64_t, Data>> earlier;
    while (!job.done()) {
      const Data shared = job.shared();
      std::vector<jobs::Task> tasks = job.tasks();
      std::vector<std::uint32_t> order(tasks.size());
      shuffle(draws, order);
      for (const std::uint32_t i : order) {
        if (pick(draws, 4) == 0) continue;  // lost: it is there again
        const Data result = jobs::run_task(tasks[i].bytes, shared);
        EXPECT_TRUE(job.take(tasks[i].number, result));
        earlier.emplace_back(tasks[i].number, result);
        const auto& [number, again] = earlier[pick(draws, earlier.size())];
        EXPECT_FALSE(job.take(number, again));
        if (pick(draws, 3) == 0) job = jobs::Job(job.save());
      }
    }
    EXPECT_EQ(encode(job.model()), expected) << seed;
    EXPECT_EQ(job.json(), json) << seed;
  }
}

TEST(Jobs, EvaluationCountsAndPredictionOrdersTheRows) {
  const TemporaryFolder folder;
  const std::string path = folder.write("rows.csv", table(3, 2000)), fresh = folder.write("new.csv", table(4, 700));
  jobs::Job training(training_of(path));
  do_all(training);
  EvaluateOptions options;
  options.read.path = fresh;
  const ModelEvaluation one = evaluate(training.model(), options);
  std::string lines;
  for (const std::uint32_t tasks : {1U, 3U, 16U, 2000U}) {
    jobs::Order order;
    order.kind = jobs::Kind::evaluate;
    order.options.paths = {fresh};
    order.tasks = tasks;
    order.model = encode(training.model());
    jobs::Job evaluation(order);
    do_all(evaluation);
    const std::string errors = std::to_string(static_cast<int>(one.confusion.errors()));
    EXPECT_NE(evaluation.json().find("\"rows\":700,\"errors\":" + errors + ","), std::string::npos)
        << evaluation.json();
    order.kind = jobs::Kind::predict;
    jobs::Job prediction(order);
    do_all(prediction);
    const std::string now = prediction.take_lines();
    if (lines.empty()) lines = now;
    EXPECT_EQ(now, lines);
    EXPECT_EQ(prediction.take_lines(), "");
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 700);
  }
}

// Every rule that can be mixed has a model, of two classes as of three.
TEST(Jobs, EveryRuleIsMixedOrRefusedInWords) {
  const TemporaryFolder folder;
  std::string binary = "a,b,class\n", three = binary;
  Generator draws(9);
  for (int i = 0; i < 200; ++i) {
    const std::string row = std::to_string(pick(draws, 2)) + "," + std::to_string(pick(draws, 2));
    binary += row + (i % 2 == 0 ? ",p\n" : ",q\n");
    three += row + (i % 3 == 0 ? ",p\n" : i % 3 == 1 ? ",q\n" : ",r\n");
  }
  int mixed = 0;
  for (const RuleEntry& entry : all_rules()) {
    for (const std::string& text : {binary, three}) {
      jobs::Order order;
      order.options.paths = {folder.write("rows.csv", text)};
      order.options.options = {{"rule", std::string(entry.name)}};
      order.shards = 4;
      try {
        jobs::Job job(order);
        do_all(job);
        EvaluateOptions options;
        options.read.path = order.options.paths[0];
        EXPECT_EQ(evaluate(job.model(), options).confusion.rows(), 200);
        ++mixed;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage) << entry.name << ": " << error.message();
      }
    }
  }
  EXPECT_GT(mixed, 40);
}

TEST(Jobs, MoreSlicesThanBytesCountEachRowOnce) {
  const TemporaryFolder folder;
  jobs::Job training(training_of(folder.write("rows.csv", table(7, 500))));
  do_all(training);
  jobs::Order order;
  order.kind = jobs::Kind::evaluate;
  order.options.paths = {folder.write("few.csv", table(8, 9))};
  order.tasks = 1000;
  order.model = encode(training.model());
  jobs::Job evaluation(order);
  do_all(evaluation);
  EXPECT_TRUE(has(evaluation.json(), "\"rows\":9,")) << evaluation.json();
}

// Every byte of a task, of what tasks share, of a result and of a saved job matters.
TEST(Jobs, DamagedAndForeignBytesAreNamed) {
  const TemporaryFolder folder;
  const std::string path = folder.write("rows.csv", table(5, 300));
  jobs::Job job(training_of(path)), other(training_of(folder.write("other.csv", table(6, 300))));
  const Data shared = job.shared(), bytes = job.tasks()[0].bytes, saved = job.save();
  const Data result = jobs::run_task(bytes, shared);
  Generator draws(1);
  const auto damaged = [&](Data data) {
    data[pick(draws, data.size())] ^= static_cast<std::uint8_t>(1 + pick(draws, 255));
    if (pick(draws, 4) == 0) data.resize(pick(draws, data.size()));
    return data;
  };
  for (int i = 0; i < 300; ++i) {
    EXPECT_THROW(jobs::run_task(damaged(bytes), shared), Error);
    EXPECT_THROW(jobs::run_task(bytes, damaged(shared)), Error);
    EXPECT_THROW(job.take(0, damaged(result)), Error);
    EXPECT_THROW(jobs::Job{damaged(saved)}, Error);
  }
  EXPECT_THROW(other.take(0, result), Error);
  EXPECT_THROW(job.take(1, result), Error);
  EXPECT_THROW(jobs::run_task(bytes, other.shared()), Error);
  EXPECT_THROW(static_cast<void>(job.model()), Error);
  job.take(0, result);
  EXPECT_THROW(jobs::run_task(job.tasks()[0].bytes, shared), Error) << "what another step shares";
  Data weights;
  while (job.epoch() == 0) {
    weights = job.shared();
    for (const jobs::Task& task : job.tasks()) job.take(task.number, jobs::run_task(task.bytes, weights));
  }
  EXPECT_THROW(jobs::run_task(job.tasks()[0].bytes, weights), Error) << "the weights of the epoch before";
}

TEST(Jobs, OrdersThatCannotBeCarriedOutAreRefusedAtOnce) {
  const auto with = [](auto change) {
    jobs::Order order = training_of("rows.csv");
    change(order);
    return order;
  };
  EXPECT_THROW(jobs::Job(with([](jobs::Order& o) { o.shards = 12; })), Error);
  EXPECT_THROW(jobs::Job(with([](jobs::Order& o) { o.epochs = 0; })), Error);
  EXPECT_THROW(jobs::Job(with([](jobs::Order& o) { o.tasks = 0; })), Error);
  EXPECT_THROW(jobs::Job(with([](jobs::Order& o) { o.options.options = {{"rule", "nonesuch"}}; })), Error);
  // What a shard would not follow is not taken in silence.
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
           {"passes", "3"}, {"holdout", "0.2"}, {"objective", "logistic"}, {"normalize", "column"}, {"folds", "5"}})
    EXPECT_THROW(jobs::Job(with([&, n = name, v = value](jobs::Order& o) { o.options.options = {{n, v}}; })), Error);
}

}  // namespace
}  // namespace halfspace
