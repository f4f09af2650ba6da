// Rows in memory against a file that holds the same numbers: what comes of them is the same, byte for byte.
#include "halfspace/stream/memory_data.h"

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/model/model_file.h"
#include "halfspace/proof/certify.h"
#include "halfspace/proof/pairwise.h"
#include "halfspace/proof/verify/verify.h"
#include "halfspace/train/choose.h"
#include "halfspace/train/evaluate.h"
#include "support/test.h"

namespace halfspace {
namespace {

class InMemory : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              (std::string("memory-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
    path_ = (folder_ / "data.libsvm").string();
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  // Rows like those of banknotes: four numbers, two classes that nearly separate; here and there a zero.
  void fill(std::uint64_t seed, int rows) {
    // As any program might write them: 17 digits, a blank more.
    std::ofstream file(path_);
    file.precision(17);
    Generator draws(seed);
    for (int i = 0; i < rows; ++i) {
      std::vector<double> x(4);
      for (double& value : x) {
        const double exponent = 4 * gaussian(draws);
        value = draws.next() < 0.1 ? 0 : gaussian(draws) * std::exp(exponent);
      }
      const std::string label = x[0] + x[1] + 0.1 * gaussian(draws) > 0 ? "real" : "forged";
      data_.add(label, x);
      file << label << " ";
      for (std::size_t k = 0; k < x.size(); ++k) {
        if (x[k] != 0) file << " " << k + 1 << ":" << x[k];
      }
      file << "\n";
    }
  }

  TrainOptions options(bool memory) const {
    TrainOptions options;
    options.read.path = memory ? "" : path_;
    options.read.rows = memory ? &data_ : nullptr;
    options.memory.folder = folder_.string();
    options.until.passes = 3;
    return options;
  }

  std::filesystem::path folder_;
  std::string path_;
  MemoryData data_;
};

// What the text was is part of a model's provenance; the rest must agree.
std::vector<std::uint8_t> encoded(Model model) {
  model.provenance.fingerprints.clear();
  model.position.source.clear();
  return encode(model);
}

TEST_F(InMemory, LearnsTheSameModelAsFromAFile) {
  fill(1, 700);
  for (const OrderName order : {OrderName::stream, OrderName::cyclic, OrderName::shuffled, OrderName::random_mistake}) {
    for (const double holdout : {0.0, 0.2}) {
      TrainOptions memory = options(true), file = options(false);
      for (TrainOptions* one : {&memory, &file}) {
        one->composition.order = order;
        one->composition.keep = order == OrderName::random_mistake ? KeepName::pocket : KeepName::average;
        one->holdout = holdout;
        one->normalize_columns = order == OrderName::shuffled;
        one->until.updates = 500;
      }
      const TrainResult got = train(memory), want = train(file);
      EXPECT_EQ(encoded(got.model), encoded(want.model)) << name_of(order) << holdout;
      EXPECT_EQ(got.training_errors, want.training_errors);
      EXPECT_EQ(got.learned_rows, want.learned_rows);
    }
  }
}

TEST_F(InMemory, SavedAsTextIsTheSameData) {
  fill(2, 300);
  const std::string saved = (folder_ / "saved.libsvm").string();
  write_text(data_, saved);
  TrainOptions file = options(false);
  file.read.path = saved;
  EXPECT_EQ(encoded(train(options(true)).model), encoded(train(file).model));
}

TEST_F(InMemory, IsFoldedAndEvaluatedAsAFile) {
  fill(3, 400);
  const Candidate candidate{options(true).composition, options(true).until};
  const Validation got = Folds(options(true), 5).cross_validate({{candidate}})[0];
  const Validation want = Folds(options(false), 5).cross_validate({{candidate}})[0];
  EXPECT_EQ(got.wrong, want.wrong);
  const Model model = train(options(true)).model;
  EvaluateOptions memory, file;
  memory.read.rows = &data_;
  file.read.path = path_;
  EXPECT_EQ(evaluate(model, memory).confusion.counts(), evaluate(model, file).confusion.counts());
  EXPECT_EQ(evaluate(model, memory).area, evaluate(model, file).area);
}

TEST_F(InMemory, IsCertifiedAsTheTextThatItIs) {
  for (const bool separable : {true, false}) {
    MemoryData data;
    data.add("-1", std::vector<double>{0.1, 0.2});
    data.add("+1", std::vector<double>{1, 1});
    data.add(separable ? "+1" : "-1", std::vector<double>{2, 2});
    data.add("+1", std::vector<double>{3, 3});
    CertifyOptions certified;
    certified.read.rows = &data;
    certified.memory.folder = folder_.string();
    const CertifyResult result = certify(certified);
    EXPECT_EQ(result.verdict, separable ? proof::Verdict::separable : proof::Verdict::not_separable);
    const std::string saved = (folder_ / "saved.libsvm").string();
    write_text(data, saved);
    EXPECT_TRUE(proof::verify(result.certificate, {saved}).valid);
    data.add("+1", std::vector<double>{4, 4});
    write_text(data, saved);
    EXPECT_FALSE(proof::verify(result.certificate, {saved}).valid) << "other data";
    std::filesystem::remove(saved);
    EXPECT_TRUE(std::filesystem::is_empty(folder_)) << "nothing is left behind";
  }
}

TEST_F(InMemory, IsAskedPairByPairAsAFile) {
  const std::vector<double> rows[] = {{1, 0}, {2, 0}, {0, 1}, {0, 2}, {-1, -1}, {1, -0.5}};
  const char* labels[] = {"a", "a", "b", "b", "c", "c"};
  for (std::size_t i = 0; i < 6; ++i) data_.add(labels[i], rows[i]);
  write_text(data_, path_);
  const auto answers = [&](PairwiseOptions options) {
    std::vector<std::string> said;
    options.threads = 1;
    options.on_answer = [&](const PairwiseAnswer& answer) {
      EXPECT_TRUE(proof::verify(answer.certificate, {path_}).valid);
      proof::Certificate certificate = answer.certificate;
      certificate.data.sources[0].files[0].name = "rows";  // the name of the temporary file is any
      said.push_back(proof::encode_certificate(certificate));
    };
    pairwise(options, [](const std::vector<std::string>& classes) { return pairwise_questions(classes); });
    return said;
  };
  PairwiseOptions in_memory, of_file;
  in_memory.read.rows = &data_;
  in_memory.memory.folder = folder_.string();
  of_file.read.path = path_;
  const std::vector<std::string> expected = answers(of_file);
  EXPECT_EQ(expected.size(), 6U);
  EXPECT_EQ(answers(in_memory), expected);
}

TEST_F(InMemory, RefusesWhatNoTextCanSay) {
  const std::vector<std::uint32_t> index{0, 3};
  const std::vector<double> value{1, 2};
  EXPECT_NO_THROW(data_.add("a", index, value));
  write_text(data_, path_);
  std::string line;
  std::getline(std::ifstream(path_), line);
  EXPECT_EQ(line, "a 1:1 4:2");
  const auto refused = [&](const auto&... arguments) {
    try {
      data_.add(arguments...);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::usage && !error.hint().empty() && data_.rows() == 1;
    }
    return false;
  };
  for (const char* label : {"", "a b", "a:b", "#a", "a\n"}) EXPECT_TRUE(refused(label, value)) << label;
  EXPECT_TRUE(refused("a", std::vector<std::uint32_t>{3, 3}, value));
  EXPECT_TRUE(refused("a", std::vector<std::uint32_t>{3, 2}, value));
  EXPECT_TRUE(refused("a", std::vector<std::uint32_t>{3}, value));
  EXPECT_TRUE(refused("a", std::vector<std::uint32_t>{3, 2147483647}, value));
  EXPECT_TRUE(refused("a", std::vector<double>{std::numeric_limits<double>::infinity()}));
  EXPECT_TRUE(refused("a", index, std::vector<double>{1, std::nan("")}));
  EXPECT_EQ(data_.rows(), 1U);
}

}  // namespace
}  // namespace halfspace
