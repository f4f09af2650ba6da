// Jobs: the same bits however their tasks are done, saved and repeated; and what is refused.
#include "halfspace/jobs/job.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/model/model_file.h"
#include "halfspace/proof/verify/verify.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/settings.h"
#include "halfspace/train/train.h"
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

// Does a job with its tasks in any order, some twice, some lost, the job saved and loaded between any two results.
jobs::Job done_in_disorder(const jobs::Order& order, std::uint64_t seed) {
  Generator draws(seed);
  jobs::Job job(order);
  std::vector<std::pair<std::uint64_t, Data>> earlier;
  while (!job.done()) {
    const Data shared = job.shared();
    std::vector<jobs::Task> tasks = job.tasks();
    std::vector<std::uint32_t> order_of_tasks(tasks.size());
    shuffle(draws, order_of_tasks);
    for (const std::uint32_t i : order_of_tasks) {
      if (pick(draws, 4) == 0) continue;  // lost: it is there again
      const Data result = jobs::run_task(tasks[i].bytes, shared);
      EXPECT_TRUE(job.take(tasks[i].number, result));
      earlier.emplace_back(tasks[i].number, result);
      const auto& [number, again] = earlier[pick(draws, earlier.size())];
      EXPECT_FALSE(job.take(number, again));
      if (pick(draws, 3) == 0) job = jobs::Job(job.save());
    }
  }
  return job;
}

TEST(Jobs, ResultsComeInAnyOrderAndTheJobGoesOnAnywhere) {
  const TemporaryFolder folder;
  const std::string path = folder.write("rows.csv", table(2, 2000));
  jobs::Job first(training_of(path));
  do_all(first);
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const jobs::Job job = done_in_disorder(training_of(path, std::uint32_t{1} << seed % 6), seed);
    EXPECT_EQ(encode(job.model()), encode(first.model())) << seed;
    EXPECT_EQ(job.json(), first.json()) << seed;
  }
}

TEST(Jobs, FewRowsForTheirFeaturesAreNoted) {
  const TemporaryFolder folder;
  const std::string path = folder.write("rows.csv", table(2, 400));
  for (const std::uint32_t shards : {1U, 2U, 64U}) {
    jobs::Order order = training_of(path);
    order.shards = shards;
    jobs::Job job(order);
    do_all(job);
    ASSERT_EQ(job.notes().size(), shards == 64 ? 1U : 0U);
    if (shards == 64) {
      EXPECT_TRUE(has(job.notes()[0].text, "6 rows a shard")) << job.notes()[0].text;
    }
  }
}

// Skipped rows are counted, balanced classes refused.
TEST(Jobs, BadRowsAreCountedAndBalancedClassesRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.write("rows.svm", "1 1:2\n1 x\n-1 1:-1 2:1\n-1 y:3\n1 1:1 2:3\n");
  for (const char* const what : {"objective", "rule"}) {
    jobs::Order order;
    order.options = {{path}, {{what, what[0] == 'o' ? "logistic" : "perceptron"}, {"on-error", "skip"}}};
    order.shards = 2;
    jobs::Job job(order);
    do_all(job);
    EXPECT_TRUE(has(job.json(), "\"rejected\":2,")) << job.json();
    EXPECT_TRUE(has(job.json(), "\"rounds\":3,")) << job.json();
    order.options.options.emplace_back("class-weight", "balanced");
    EXPECT_THROW(jobs::Job{order}, Error);
  }
}

// The proved objective of shards is that of one machine, whatever the shards, of two classes as of three.
TEST(Jobs, TheMinimumOverShardsIsThatOfAllRows) {
  const TemporaryFolder folder;
  std::string three = "a,b,w,class\n";
  Generator draws(3);
  for (int i = 0; i < 400; ++i) {
    const double a = gaussian(draws), b = gaussian(draws);
    const char* const label = a + gaussian(draws) / 2 > 0.5 ? "p" : b > 0 ? "q" : "r";
    three += std::to_string(a) + "," + std::to_string(b) + "," + std::to_string(pick(draws, 3)) + "," + label + "\n";
  }
  const std::string paths[] = {folder.write("two.csv", table(8, 400)), folder.write("three.csv", three)};
  using Options = std::vector<std::pair<std::string, std::string>>;
  for (const Options& options : std::vector<Options>{{{"objective", "logistic"}, {"gap", "1e-6"}},
                                                     {{"objective", "squared-hinge"}, {"C", "0.3"}},
                                                     {{"objective", "logistic"}, {"penalize-bias", "no"}, {"C", "20"}},
                                                     {{"objective", "logistic"}, {"l2", "0.001"}, {"bias", "none"}},
                                                     {{"objective", "squared-hinge"}, {"class-weight", "CLASS=2.5"}}}) {
    for (const std::string& path : paths) {
      Options own = options;
      if (path == paths[1]) own.emplace_back("weight", "w");
      if (own[1].second == "CLASS=2.5") own[1].second = path == paths[1] ? "p=2.5" : "yes=2.5";
      TrainSettings settings;
      for (const auto& [name, value] : own) set_option(options_of(settings), name, value);
      settings.data.paths = {path};
      TrainOptions alone_options = train_options(settings);
      alone_options.holdout = 0;
      const TrainResult alone = train(alone_options);
      for (const std::uint32_t shards : {1U, 16U}) {
        jobs::Order order;
        order.options = {{path}, own};
        order.shards = shards;
        jobs::Job job(order);
        do_all(job);
        ASSERT_EQ(job.minimum()->of_vector.size(), alone.minimum->of_vector.size());
        for (std::size_t k = 0; k < alone.minimum->of_vector.size(); ++k) {
          const ProvedMinimum &one = alone.minimum->of_vector[k], &all = job.minimum()->of_vector[k];
          EXPECT_LE(all.gap, 1e-6);
          EXPECT_LE(all.dual, one.primal) << path << ' ' << shards;  // bounds of the same number
          EXPECT_LE(one.dual, all.primal) << path << ' ' << shards;
        }
        EvaluateOptions evaluation;
        evaluation.read.path = path;
        EXPECT_NEAR(evaluate(job.model(), evaluation).confusion.errors(),
                    evaluate(alone.model, evaluation).confusion.errors(), 4);
      }
    }
  }
}

TEST(Jobs, TheMinimumHasTheSameBitsInAnyOrderAndIsSavedInItsMidst) {
  const TemporaryFolder folder;
  const std::string path = folder.write("rows.csv", table(2, 700));
  jobs::Order order;
  order.options = {{path}, {{"objective", "logistic"}}};
  order.shards = 8;
  jobs::Job first(order);
  do_all(first);
  jobs::KeptRows kept;
  jobs::Job from_kept(order);
  while (!from_kept.done()) {
    const Data shared = from_kept.shared();
    for (const jobs::Task& task : from_kept.tasks())
      from_kept.take(task.number, jobs::run_task(task.bytes, shared, {.rows_kept = &kept}));
    if (from_kept.step() == "sum 2 over its rows") std::filesystem::rename(path, path + ".moved");
  }
  std::filesystem::rename(path + ".moved", path);
  EXPECT_EQ(encode(from_kept.model()), encode(first.model()));
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    order.tasks = std::uint32_t{1} << seed % 4;
    EXPECT_EQ(encode(done_in_disorder(order, seed).model()), encode(first.model())) << seed;
  }
}

// The certificate of any job about some files is that of every other, and valid; a wrong file is named.
TEST(Jobs, ProofsAreFoundAndCheckedFileByFile) {
  const TemporaryFolder folder;
  std::string parts[3];
  Generator draws(4);
  for (int i = 0; i < 300; ++i) {
    const double a = gaussian(draws), b = gaussian(draws);
    if (std::abs(a - b) < 0.1) continue;
    parts[i % 3] += (a > b ? "1 1:" : "-1 1:") + std::to_string(a) + " 2:" + std::to_string(b) + "\n";
  }
  std::vector<std::string> paths;
  for (int i = 0; i < 3; ++i) paths.push_back(folder.write("part" + std::to_string(i) + ".svm", parts[i]));
  for (const bool separable : {true, false}) {
    if (!separable) paths.push_back(folder.write("more.svm", "-1 1:1 2:-1\n1 1:1 2:-1\n"));
    jobs::Order order{.kind = jobs::Kind::certify, .options = {paths, {{"extra-seconds", "0"}}}};
    jobs::Job job(order);
    int waits = 0;
    job.set_on_wait([&] { ++waits; });
    do_all(job);
    ASSERT_TRUE(job.certified().certified);
    EXPECT_EQ(job.certified().verdict, separable ? proof::Verdict::separable : proof::Verdict::not_separable);
    const std::string text = proof::encode_certificate(job.certified().certificate);
    EXPECT_TRUE(proof::verify(job.certified().certificate, paths).valid);
    for (std::uint64_t seed = 1; seed <= 4; ++seed)
      EXPECT_EQ(proof::encode_certificate(done_in_disorder(order, seed).certified().certificate), text) << seed;

    jobs::Order check{.kind = jobs::Kind::verify, .options = {paths, {}}, .certificate = text};
    EXPECT_TRUE(done_in_disorder(check, 5).verified().valid);
    check.options.paths[1] = folder.write("other.svm", "1 1:3\n");
    const proof::Verification wrong = done_in_disorder(check, 6).verified();
    EXPECT_FALSE(wrong.valid);
    EXPECT_TRUE(has(wrong.reason, "other.svm")) << wrong.reason;
    check.options.paths.pop_back();
    jobs::Job fewer(check);
    do_all(fewer);
    EXPECT_FALSE(fewer.verified().valid);
  }
}

// What a search throws ends the job, then and ever after.
TEST(Jobs, AProofThatFailsStaysFailed) {
  const TemporaryFolder folder;
  const std::string path = folder.write("rows.csv", table(5, 50));
  EXPECT_THROW(jobs::Job(jobs::Order{.kind = jobs::Kind::certify, .options = {{path}, {{"pairs", ""}}}}), Error);
  EXPECT_THROW(jobs::Job(jobs::Order{.kind = jobs::Kind::certify}), Error);
  EXPECT_THROW(jobs::Job(jobs::Order{.kind = jobs::Kind::verify, .options = {{path}, {}}, .certificate = "?"}), Error);
  const auto options = std::vector<std::pair<std::string, std::string>>{{"bias-scale", "0"}};
  jobs::Job job({.kind = jobs::Kind::certify, .options = {{path}, options}});
  for (int again = 0; again < 3; ++again) EXPECT_THROW(do_all(job), Error);
  EXPECT_FALSE(job.done());
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
           {"passes", "3"}, {"holdout", "0.2"}, {"objective", "svm"}, {"normalize", "column"}, {"folds", "5"}})
    EXPECT_THROW(jobs::Job(with([&, n = name, v = value](jobs::Order& o) { o.options.options = {{n, v}}; })), Error);
}

}  // namespace
}  // namespace halfspace
