// The certificates that runs write: of any options they state the model's weights and the given prices, and prove about
// the gap that the run proved; both verifiers accept them.
#include <fmt/format.h>

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/proof/minimum.h"
#include "halfspace/train/settings.h"
#include "proof/certificate_support.h"
#include "support/test.h"

namespace halfspace::proof {
namespace {

using Named = std::vector<std::pair<std::string, std::string>>;

class CertifyMinimum : public ::testing::Test {
 protected:
  // Rows of so many classes with decimals that are not doubles; class 0 is the largest.
  std::string rows(int classes, int count, std::uint64_t seed) const {
    Generator draws(seed);
    std::string text;
    for (int i = 0; i < count; ++i) {
      const int klass = draws.next() < 0.4 ? 0 : static_cast<int>(draws.next() * classes);
      text += fmt::format("{}", klass);
      for (int j = 1; j <= 4; ++j) {
        if (draws.next() < 0.3) continue;
        text += fmt::format(" {}:{:.3f}", j, gaussian(draws) + (j == klass ? 1.5 : 0));
      }
      text += "\n";
    }
    return text;
  }

  TrainOptions options_for(const std::vector<std::string>& paths, const Named& named) const {
    TrainSettings settings;
    settings.data.paths = paths;
    const std::vector<Option> table = options_of(settings);
    for (const auto& [name, value] : named) set_option(table, name, value);
    TrainOptions options = train_options(settings);
    options.memory.folder = folder_.path();
    if (options.objective) options.objective->keep_dual_variables = true;
    return options;
  }

  CertifiedMinimum certified(const std::vector<std::string>& paths, const Named& named) {
    const TrainOptions options = options_for(paths, named);
    refuse_unprovable_minimum(options);
    result_ = train(options);
    return certify_minimum(options, result_);
  }

  void expect_refused(const std::vector<std::string>& paths, const Named& named, const std::string& message) const {
    try {
      refuse_unprovable_minimum(options_for(paths, named));
      ADD_FAILURE() << message;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage) << error.what();
      EXPECT_TRUE(has(error.message(), message)) << error.what();
    }
  }

  // The exact weights of a certificate, with the bias last.
  static std::vector<mpq_class> weights_of(const MinimumVector& vector) {
    std::vector<mpq_class> weights;
    const mpz_class over(vector.weights_over);
    for (const std::string& weight : vector.weights.weights) weights.emplace_back(mpz_class(weight), over);
    weights.emplace_back(mpz_class(vector.weights.bias), over);
    for (mpq_class& weight : weights) weight.canonicalize();
    return weights;
  }

  TemporaryFolder folder_;
  TrainResult result_;
};

TEST_F(CertifyMinimum, IsThatOfTheModelAndBothVerifiersAcceptIt) {
  const std::string two = folder_.write("two.svm", rows(2, 150, 5)),
                    three = folder_.write("three.svm", rows(3, 120, 6));
  const std::string more = folder_.write("more.svm", rows(2, 40, 7));
  const std::vector<std::pair<std::vector<std::string>, Named>> runs = {
      {{two}, {}},
      {{two}, {{"C", "0.1"}, {"bias", "none"}}},
      {{two}, {{"C", "100"}, {"bias", "first"}, {"bias-scale", "0.1"}, {"gap", "1e-9"}}},
      {{two}, {{"penalize-bias", "no"}, {"C", "3"}}},
      {{two}, {{"l2", "0.01"}, {"class-weight", "balanced"}}},
      {{two}, {{"class-weight", "1=0.3"}, {"passes", "2"}}},
      {{two, more}, {{"gap", "1e-10"}}},
      {{three}, {{"C", "0.7"}, {"multiclass", "one-against-rest"}}},
      {{three}, {{"penalize-bias", "no"}, {"multiclass", "one-against-rest"}}},
      {{three}, {}},
      {{three}, {{"penalize-bias", "no"}, {"C", "20"}, {"class-weight", "2=0.3"}}},
      {{three}, {{"penalize-bias", "no"}, {"passes", "2"}}},
      {{three}, {{"bias", "none"}, {"l2", "0.003"}}},
      {{three, three}, {{"bias-scale", "0.1"}, {"gap", "1e-10"}}}};
  for (const char* objective : {"svm", "squared-hinge", "logistic"}) {
    for (const auto& [paths, extra] : runs) {
      Named named = extra;
      named.emplace_back("objective", objective);
      std::string what = objective;
      for (const auto& [name, value] : extra) what += " " + name + "=" + value;
      const CertifiedMinimum proof = certified(paths, named);
      const std::string text = encode_certificate(proof.certificate);
      EXPECT_EQ(status_of(text, paths), 0) << what;
      expect_plain(0, text, paths, what);
      const MinimumProof& minimum = *proof.certificate.minimum;
      ASSERT_EQ(proof.bounds.size(), result_.minimum->of_vector.size()) << what;
      const bool jointly = minimum.loss == MinimumLoss::multinomial;
      EXPECT_EQ(jointly, std::string(objective) == "logistic" && paths[0] == three && what.find("rest") == what.npos);
      for (std::size_t k = 0; k < minimum.vectors.size(); ++k) {
        // Decimals and doubles differ by little, and the run's own bounds are rounded outward.
        const std::size_t proved = jointly ? 0 : k;
        const ProvedMinimum& of_run = result_.minimum->of_vector[proved];
        EXPECT_LE(proof.bounds[proved].gap, of_run.gap * (1 + 1e-6) + 1e-13) << what;
        EXPECT_GE(proof.bounds[proved].gap, 0) << what;
        EXPECT_NEAR(proof.bounds[proved].primal, of_run.primal, 1e-12 * of_run.primal) << what;
        const std::vector<mpq_class> weights = weights_of(minimum.vectors[k]);
        const ClassWeightVector& model = result_.model.weights;
        for (std::size_t j = 0; j + 1 < weights.size(); ++j)
          EXPECT_TRUE(weights[j] == mpq_class(model.w[j * model.classes + k])) << what << " weight " << j;
        EXPECT_TRUE(weights.back() == mpq_class(model.bias[k])) << what;
      }
    }
  }
}

TEST_F(CertifyMinimum, PricesAreTheDecimalsThatWereGiven) {
  std::string text;  // 30 negative and 20 positive rows
  for (int i = 0; i < 50; ++i) text += fmt::format("{} 1:{} 2:{}\n", i % 5 < 3 ? -1 : 1, i % 7, i % 11);
  const std::string path = folder_.write("d.svm", text);
  const auto costs = [&](Named named) {
    named.emplace_back("objective", "svm");
    return certified({path}, named).certificate.minimum->costs;
  };
  using Costs = std::vector<std::string>;
  EXPECT_EQ(costs({}), (Costs{"1", "1"}));
  EXPECT_EQ(costs({{"C", "0.1"}}), (Costs{"1/10", "1/10"}));
  EXPECT_EQ(costs({{"l2", "0.001"}}), (Costs{"20", "20"}));
  EXPECT_EQ(costs({{"l2", "0.003"}}), (Costs{"20/3", "20/3"}));
  EXPECT_EQ(costs({{"C", "0.1"}, {"class-weight", "1=2.5"}}), (Costs{"1/10", "1/4"}));
  // 0.01 (30 + 20 * 2) = 0.7
  EXPECT_EQ(costs({{"l2", "0.01"}, {"class-weight", "1=2"}}), (Costs{"10/7", "20/7"}));
}

TEST_F(CertifyMinimum, OfATableWithCategoriesAndMissingValues) {
  std::string text = "size,colour,label\n";
  for (int i = 0; i < 60; ++i) {
    text += fmt::format("{},{},{}\n", i % 9 == 0 ? "" : fmt::format("{}", 0.1 * (i % 13)),
                        i % 4 == 0   ? "red"
                        : i % 4 == 1 ? "blue"
                                     : "green",
                        (i * i) % 7 < 3 ? "yes" : "no");
  }
  const std::string path = folder_.write("d.csv", text);
  const CertifiedMinimum proof = certified({path}, {{"objective", "squared-hinge"}});
  EXPECT_LE(proof.widest().gap, 1e-6);
  expect_plain(0, encode_certificate(proof.certificate), {path}, "table");
}

TEST_F(CertifyMinimum, OfRowsOfOneClass) {
  const std::string path = folder_.write("d.svm", "1 1:2\n1 1:3 2:0.1\n");
  const CertifiedMinimum proof = certified({path}, {{"objective", "svm"}});
  EXPECT_LE(proof.widest().gap, 1e-6);
  expect_plain(0, encode_certificate(proof.certificate), {path}, "one class");
}

// Weights and dual variables far from 1, and far from one another.
TEST_F(CertifyMinimum, OfNumbersOfAnySize) {
  const std::string path = folder_.write(
      "d.svm", "1 1:1e-30 2:3e20 3:1\n-1 1:2e-30 2:-1e20\n1 2:1e-5 3:2\n-1 3:1e-120\n-1 1:1e5 2:7e19 3:-0.5\n");
  for (const char* objective : {"svm", "logistic"}) {
    for (const char* cost : {"1e-12", "1", "1e9"}) {
      const CertifiedMinimum proof = certified({path}, {{"objective", objective}, {"C", cost}, {"passes", "300"}});
      EXPECT_GE(proof.widest().gap, 0);
      expect_plain(0, encode_certificate(proof.certificate), {path}, std::string(objective) + " " + cost);
    }
  }
}

TEST_F(CertifyMinimum, RefusesWhatNoCertificateStates) {
  const std::string path = folder_.write("d.svm", rows(2, 20, 1));
  const auto refused = [&](Named named, const std::string& message) {
    named.emplace_back("objective", "svm");
    expect_refused({path}, named, message);
  };
  refused({{"normalize", "column"}}, "not normalised ones");
  refused({{"normalize", "row"}}, "not normalised ones");
  refused({{"single", "true"}}, "not rounded ones");
  refused({{"holdout", "0.2"}}, "all rows");
  refused({{"on-error", "skip"}}, "a proof needs every row");
  refused({{"class-weight", "1=0"}}, "more than 0");
  expect_refused({path}, {}, "an objective");
  expect_refused({"-"}, {{"objective", "svm"}}, "can be read again");
  expect_refused({path, "-"}, {{"objective", "svm"}}, "can be read again");
  const std::string table = folder_.write("d.csv", "a,w,text,label\n1,2,x y,yes\n2,1,y,no\n");
  expect_refused({table}, {{"objective", "svm"}, {"weight", "w"}, {"drop", "text"}}, "weigh the same");
  expect_refused({table}, {{"objective", "svm"}, {"text", "text"}}, "cannot certify the tokens of a text");
  const std::string lines = folder_.write("d.jsonl", "{\"a\": 1, \"label\": \"x\"}\n{\"a\": 2, \"label\": \"y\"}\n");
  expect_refused({lines}, {{"objective", "svm"}}, "cannot certify data in the format");
}

TEST_F(CertifyMinimum, NoticesDataThatChangedAfterTheRun) {
  const std::string path = folder_.write("d.svm", rows(2, 60, 3));
  const TrainOptions options = options_for({path}, {{"objective", "svm"}});
  const TrainResult result = train(options);
  folder_.write("d.svm", rows(2, 61, 3));
  EXPECT_THROW(certify_minimum(options, result), Error);
}

TEST_F(CertifyMinimum, IsInterrupted) {
  const std::string path = folder_.write("d.svm", rows(2, 3000, 3));
  TrainOptions options = options_for({path}, {{"objective", "svm"}});
  const TrainResult result = train(options);
  const std::atomic<bool> interrupt = true;
  options.interrupt = &interrupt;
  EXPECT_THROW(certify_minimum(options, result), Error);
}

}  // namespace
}  // namespace halfspace::proof
