// certify, whole: golden cases, real data, the command. What it writes is accepted by both checkers.

#include "halfspace/proof/certify.h"

#include <sys/stat.h>

#include "base/json.h"
#include "certificate_support.h"
#include "halfspace/proof/verify/verify.h"
#include "proof/exact/support.h"
#include "support/test.h"
#include "support/test_name.h"

namespace halfspace::proof {
namespace {

std::filesystem::path named_or(const char* variable, const char* otherwise) {
  const char* named = std::getenv(variable);
  return named != nullptr ? std::filesystem::path(named) : std::filesystem::path(HALFSPACE_SOURCE_DIR) / otherwise;
}

Json golden(const std::string& id) {
  std::ifstream in(named_or("HALFSPACE_GOLDEN", "tests/golden/cases") / (id + ".json"));
  return Json::parse(in);
}

std::string libsvm(const Json& x, const Json& y) {
  std::string text;
  for (std::size_t i = 0; i < x.size(); ++i) {
    text += y[i] == 1 ? "+1" : "-1";
    for (std::size_t j = 0; j < x[i].size(); ++j) {
      const bool zero = x[i][j].is_number() && x[i][j] == 0;
      if (!zero || j + 1 == x[i].size()) text += " " + std::to_string(j + 1) + ":" + (zero ? "0" : decimal(x[i][j]));
    }
    text += "\n";
  }
  return text;
}

void both_checkers_accept(const TemporaryFolder& folder, const Certificate& certificate, const std::string& data) {
  EXPECT_TRUE(verify(certificate, {data}).valid);
  const std::string path = folder.write("certificate.json", encode_certificate(certificate));
  const Outcome outcome = plain_check(path, {data});
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

CertifyOptions options_for(const std::string& data, const Json& input) {
  CertifyOptions options;
  options.read.path = data;
  options.read.format = DataFormat::libsvm;
  options.read.labels.positive = "1";
  options.bias = input.value("bias", "none") == "last" ? BiasPosition::last : BiasPosition::none;
  return options;
}

class GoldenSeparability : public ::testing::TestWithParam<const char*> {};

TEST_P(GoldenSeparability, VerdictMarginAndBound) {
  const Json golden_case = golden(GetParam());
  const Json& input = golden_case["input"];
  const Json& expect = golden_case["expect"];
  const TemporaryFolder folder;
  const std::string data = folder.write("data", libsvm(input["X"], input["y"]));
  const CertifyResult result = certify(options_for(data, input));
  both_checkers_accept(folder, result.certificate, data);
  const bool strict = expect["strict"];
  EXPECT_EQ(result.verdict, strict ? Verdict::separable : Verdict::not_separable);
  if (!strict) {
    EXPECT_EQ(result.rule_a, std::optional<bool>(expect["ruleA"].get<bool>()));
    EXPECT_EQ(result.margin_upper, 0);
    EXPECT_EQ(result.mistake_bound, std::nullopt);
    return;
  }
  const mpq_class square(expect["max_margin2"].get<std::string>());
  const Separator& separator = result.certificate.separators.at(0);
  const mpq_class minimum(separator.minimum), norm(separator.squared_norm);
  const mpq_class lower = minimum * minimum / norm;
  EXPECT_TRUE(lower <= square && lower * 100 > square * 99) << lower.get_d() << " " << square.get_d();
  ASSERT_FALSE(result.certificate.combinations.empty());
  const mpq_class upper(result.certificate.combinations[0].squared_distance);
  EXPECT_TRUE(upper >= square && upper * 100 < square * 101) << upper.get_d() << " " << square.get_d();
  const mpq_class bound(expect["novikoff_opt"].get<std::string>());
  EXPECT_TRUE(mpz_class(*result.mistake_bound) >= bound.get_num() / bound.get_den());
  if (minimum * minimum == square * norm) {
    EXPECT_EQ(*result.mistake_bound, mpz_class(bound.get_num() / bound.get_den()).get_str());
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenSeparability,
                         ::testing::Values("C01-separable-2d", "C02-xor", "C03-zero-vector", "C04-conflict",
                                           "C05-weak-only", "C07-margin-1e-12", "C09-denormal", "C10-huge",
                                           "C11-d-gt-n", "C14-tenths", "C15-tenths-sum", "C16-rank-deficient",
                                           "C17-all-positive-no-bias"));

class GoldenErrors : public ::testing::TestWithParam<const char*> {};

TEST_P(GoldenErrors, AreTheFewest) {
  const Json golden_case = golden(GetParam());
  const Json& input = golden_case["input"];
  const TemporaryFolder folder;
  const std::string data = folder.write("data", libsvm(input["X"], input["y"]));
  CertifyOptions options = options_for(data, input);
  options.extra_seconds = 60;
  const CertifyResult result = certify(options);
  both_checkers_accept(folder, result.certificate, data);
  // Predictions break ties: by rule A, which makes a difference without a bias alone.
  EXPECT_EQ(result.errors_lower, golden_case["expect"]["A"]["min_errors"]);
  EXPECT_EQ(result.errors_upper, golden_case["expect"]["A"]["min_errors"]);
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenErrors,
                         ::testing::Values("C19-minerr-noisy", "C19b-minerr-grid", "C20-minerr-xor",
                                           "C21-minerr-A-vs-B"));

TEST(Certify, RecoversTheGoldenWeightsOfASupport) {
  const Json golden_case = golden("C23-recover");
  Points points{RowsOptions{}};
  Problem problem;
  for (std::uint32_t i = 0; i < 4; ++i) {
    for (std::uint32_t j = 0; j < 2; ++j) {
      // Decimals of doubles of about 1: 60 places are enough to hold them whole.
      mpq_class value(std::strtod(golden_case["input"]["Z"][i][j].is_string()
                                      ? golden_case["input"]["Z"][i][j].get<std::string>().c_str()
                                      : std::to_string(golden_case["input"]["Z"][i][j].get<int>()).c_str(),
                                  nullptr));
      value *= mpq_class(power_of_ten(60));
      ASSERT_EQ(value.get_den().get_ui(), 1u);
      points.add(j, value.get_num(), -60);
    }
    points.end_row(0, i + 1, 1);
    problem.members.push_back({i, 1});
  }
  points.finish(2);
  problem.points = &points;
  problem.biased = false;
  const auto weights = solve_support(problem, golden_case["input"]["support"].get<std::vector<std::uint32_t>>(), 0);
  ASSERT_TRUE(weights.has_value());
  mpz_class total = 0;
  for (const WeightedMember& w : *weights) total += w.weight;
  for (const WeightedMember& w : *weights) {
    mpq_class share(w.weight, total);
    share.canonicalize();
    EXPECT_EQ(share.get_str(), golden_case["expect"]["lam"][w.member].get<std::string>()) << w.member;
  }
}

struct Known {
  const char* file;
  bool zero_based;
  Verdict verdict;
};
void PrintTo(const Known& known, std::ostream* out) { *out << known.file; }

class RealSets : public ::testing::TestWithParam<Known> {};

TEST_P(RealSets, HaveTheirVerdict) {
  const std::filesystem::path folder = named_or("HALFSPACE_DATA", "../shared/data");
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no data sets here; set HALFSPACE_DATA to their folder";
  CertifyOptions options;
  options.read.path = (folder / GetParam().file).string();
  options.read.zero_based = GetParam().zero_based;
  const CertifyResult result = certify(options);
  EXPECT_EQ(result.verdict, GetParam().verdict);
  EXPECT_LE(result.errors_lower, result.errors_upper);
  EXPECT_LE(result.margin_lower, result.margin_upper);
  EXPECT_EQ(result.verdict == Verdict::separable, result.margin_lower > 0);
}

constexpr Verdict yes = Verdict::separable, no = Verdict::not_separable;
INSTANTIATE_TEST_SUITE_P(
    Sets, RealSets,
    ::testing::Values(Known{"a9a/a9a", false, no}, Known{"agaricus/agaricus.txt.train", true, yes},
                      Known{"banknote/banknote.libsvm", false, no}, Known{"crx/crx.libsvm", false, no},
                      Known{"electricity/electricity.libsvm.gz", false, no},
                      Known{"german_credit/german_credit_numer.libsvm", false, no},
                      Known{"german_credit/german_credit_onehot.libsvm", false, no},
                      Known{"golub_leukemia/golub_leukemia.libsvm.gz", false, yes},
                      Known{"heart_scale/heart_scale", false, no}, Known{"imdb/imdb.libsvm.gz", false, yes},
                      Known{"reuters21578/reuters21578_earn.libsvm.gz", false, yes},
                      Known{"sms_spam/sms_spam.libsvm.gz", false, yes}, Known{"sonar/sonar.libsvm", false, yes},
                      Known{"spambase/spambase.libsvm", false, no}, Known{"w8a/w8a.libsvm.gz", false, no},
                      Known{"wdbc/wdbc.libsvm", false, yes}, Known{"digits/digits.libsvm", false, yes},
                      Known{"iris/iris.libsvm", false, no}),
    [](const auto& known) { return testing::test_name(known.param.file); });

// Cancellation beyond doubles: 1e17 + 1 and 1e17 are one double, and two points.
TEST(Certify, TellsApartWhatDoublesCannot) {
  const TemporaryFolder folder;
  CertifyOptions options;
  options.read.path = folder.write("data", "+1 1:100000000000000001\n-1 1:100000000000000000\n");
  const CertifyResult apart = certify(options);
  EXPECT_EQ(apart.verdict, Verdict::separable);
  both_checkers_accept(folder, apart.certificate, options.read.path);
  options.read.path =
      folder.write("data", "+1 1:100000000000000001\n-1 1:100000000000000000\n+1 1:99999999999999999\n");
  const CertifyResult between = certify(options);
  EXPECT_EQ(between.verdict, Verdict::not_separable);
  EXPECT_EQ(between.witness.size(), 3u);
  both_checkers_accept(folder, between.certificate, options.read.path);
}

// 0.1 + 0.2 = 0.3 in a file, whatever doubles say.
TEST(Certify, DecimalsMeanThemselves) {
  const TemporaryFolder folder;
  CertifyOptions options;
  options.bias = BiasPosition::none;
  options.read.path = folder.write("data", "+1 1:0.1 2:1\n+1 1:0.2 2:1\n-1 1:0.3 2:2\n");
  const CertifyResult result = certify(options);
  EXPECT_EQ(result.verdict, Verdict::not_separable);
  ASSERT_EQ(result.certificate.combinations[0].terms.size(), 3u);
  for (const Term& term : result.certificate.combinations[0].terms) EXPECT_EQ(term.weight, "1");
}

TEST(Certify, CsvWithCategoriesMissingValuesAndABiasScale) {
  const TemporaryFolder folder;
  CertifyOptions options;
  options.bias_scale = "2.5";
  options.read.path =
      folder.write("data.csv", "age,colour,label\n1.5,red,yes\n?,blue,no\n3,red,no\n2,green,yes\n4,\"blue\",no\n");
  const CertifyResult result = certify(options);
  EXPECT_EQ(result.verdict, Verdict::separable);
  both_checkers_accept(folder, result.certificate, options.read.path);
  options.read.path = folder.write("data.csv", "age,colour,label\n1,red,yes\n2,red,no\n3,red,yes\n");
  const CertifyResult between = certify(options);
  EXPECT_EQ(between.verdict, Verdict::not_separable);
  ASSERT_EQ(between.witness.size(), 3u);
  EXPECT_EQ(between.witness[1].row, 2u);
  EXPECT_EQ(between.witness[1].label, "no");
  EXPECT_EQ(between.witness[1].values[0].first, "age");
  EXPECT_EQ(between.witness[1].values[0].second, 2.0);
  both_checkers_accept(folder, between.certificate, options.read.path);
}

// In every column of a witness the parts, which are share times sign times value, add up to 0.
TEST(Certify, ColumnsOfAWitnessCancel) {
  const TemporaryFolder folder;
  CertifyOptions options;
  options.record = true;
  options.bias_scale = "0.5";
  options.read.path = folder.write("data", "+1 1:3 2:0.25\n+1 1:-1 2:1.5\n-1 1:1 2:0.875\n-1 1:2 3:1\n");
  const CertifyResult result = certify(options);
  ASSERT_EQ(result.verdict, Verdict::not_separable);
  ASSERT_EQ(result.columns.size(), result.witness_columns);
  ASSERT_EQ(result.columns.back().name, "bias");
  for (const WitnessColumn& column : result.columns) {
    ASSERT_EQ(column.parts.size(), result.witness.size());
    double positive = 0, negative = 0;
    for (std::size_t k = 0; k < result.witness.size(); ++k) {
      const WitnessRow& row = result.witness[k];
      double value = column.name == "bias" ? 0.5 : 0;
      for (const auto& [name, own] : row.values) value = name == column.name ? own : value;
      EXPECT_NEAR(column.parts[k], std::stod(row.weight) * (row.label == "+1" ? 1 : -1) * value, 1e-5);
      (column.parts[k] > 0 ? positive : negative) += column.parts[k];
    }
    EXPECT_GT(column.positive, 0);
    EXPECT_NEAR(positive, column.positive, 1e-12) << column.name;
    EXPECT_NEAR(negative, -column.positive, 1e-12) << column.name;
  }
}

// The columns of many classes are the features of each class.
TEST(Certify, ColumnsOfAWitnessOfManyClassesCancel) {
  const TemporaryFolder folder;
  CertifyOptions options;
  options.record = true;
  options.read.path = folder.write("data", "0 1:-2\n1 1:0\n2 1:2\n1 1:3\n");
  const CertifyResult result = certify(options);
  ASSERT_EQ(result.verdict, Verdict::not_separable);
  std::vector<std::string> names;
  for (const WitnessColumn& column : result.columns) {
    names.push_back(column.name);
    double sum = 0;
    for (const double part : column.parts) sum += part;
    EXPECT_NEAR(sum, 0, 1e-12) << column.name;
  }
  EXPECT_NE(std::find(names.begin(), names.end(), "bias of 1"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "1 of 2"), names.end());
}

// The rows that hold the margin have it under the certificate's separator, and no row recorded has less.
TEST(Certify, RowsThatHoldTheMarginHaveIt) {
  const TemporaryFolder folder;
  CertifyOptions options;
  options.record = true;
  options.bias_scale = "2";
  const std::vector<std::array<double, 3>> rows{{1, 3, 1}, {1, 4, 2.5}, {-1, 1, 1.5}, {-1, -2, 0.5}, {1, 9, -1}};
  std::string text;
  for (const auto& [label, x, y] : rows)
    text += std::string(label > 0 ? "+1" : "-1") + " 1:" + std::to_string(x) + " 2:" + std::to_string(y) + "\n";
  options.read.path = folder.write("data", text);
  const CertifyResult result = certify(options);
  ASSERT_EQ(result.verdict, Verdict::separable);
  const WeightVector& w = result.certificate.separators[0].vectors[0];
  const double a = std::stod(w.weights[0]), b = std::stod(w.weights[1]), c = std::stod(w.bias);
  const auto margin = [&](const std::array<double, 3>& row) {
    return row[0] * (a * row[1] + b * row[2] + 2 * c) / std::sqrt(a * a + b * b + c * c);
  };
  ASSERT_GE(result.support.size(), 2u);
  for (const WitnessRow& row : result.support) {
    EXPECT_NEAR(row.margin, margin(rows.at(row.row - 1)), 1e-9);
    EXPECT_GE(row.margin, result.margin_lower);
    EXPECT_NEAR(row.margin, result.margin_upper, 1e-3 * result.margin_upper);
  }
  ASSERT_EQ(result.margins.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_NEAR(result.margins[i].margin, margin(rows[i]), 1e-9);
    EXPECT_EQ(result.margins[i].klass, rows[i][0] > 0 ? 1 : 0);
  }
}

TEST(Certify, ManyClasses) {
  const TemporaryFolder folder;
  CertifyOptions options;
  options.bias_scale = "0.25";
  // Three classes round the origin: separable, although the middle one of three on a line would not be one against the
  // rest.
  options.read.path = folder.write("data", "0 1:-2\n1 1:0.1\n2 1:2\n1 1:-0.2\n");
  const CertifyResult line = certify(options);
  EXPECT_EQ(line.verdict, Verdict::separable);
  EXPECT_EQ(line.certificate.question, Question::many_classes);
  ASSERT_EQ(line.certificate.separators[0].vectors.size(), 3u);
  both_checkers_accept(folder, line.certificate, options.read.path);
  options.read.path = folder.write("data", "0 1:-2\n1 1:0\n2 1:2\n1 1:3\n");
  const CertifyResult mixed = certify(options);
  EXPECT_EQ(mixed.verdict, Verdict::not_separable);
  EXPECT_FALSE(mixed.witness[0].rival.empty());
  both_checkers_accept(folder, mixed.certificate, options.read.path);
}

// Features that do not occur take no room while a proof is looked for, and have weight 0 in it.
TEST(Certify, FeaturesFarApartAreTheFeaturesCloseTogether) {
  const TemporaryFolder folder;
  for (const char* labels : {"+1 -1 +1 -1", "1 2 3 2"}) {
    for (const bool separable : {true, false}) {
      std::istringstream classes(labels);
      std::string near, far, label;
      for (const std::array<int, 2>& x : {std::array{6, 1}, {separable ? 1 : 6, separable ? -2 : 1}, {2, 5}, {1, -1}}) {
        classes >> label;
        near += label + " 1:" + std::to_string(x[0]) + " 2:" + std::to_string(x[1]) + "\n";
        far += label + " 7:" + std::to_string(x[0]) + " 9001:" + std::to_string(x[1]) + "\n";
      }
      CertifyOptions options;
      options.read.path = folder.write("near", near);
      options.weights = {1, 2};
      const CertifyResult expected = certify(options);
      options.read.path = folder.write("far", far);
      options.weights.assign(9'001, 0.0);
      options.weights[6] = 1;
      options.weights[9'000] = 2;
      const CertifyResult result = certify(options);
      EXPECT_EQ(result.verdict, expected.verdict) << labels;
      EXPECT_EQ(result.verdict == Verdict::separable, separable) << labels;
      EXPECT_EQ(result.margin_lower, expected.margin_lower);
      EXPECT_EQ(result.errors_upper, expected.errors_upper);
      ASSERT_EQ(result.certificate.separators.size(), expected.certificate.separators.size());
      for (std::size_t k = 0; k < expected.certificate.separators.size(); ++k) {
        const auto &there = result.certificate.separators[k].vectors,
                   &here = expected.certificate.separators[k].vectors;
        ASSERT_EQ(there.size(), here.size());
        for (std::size_t c = 0; c < here.size(); ++c) {
          ASSERT_EQ(there[c].weights.size(), 9'001U);
          EXPECT_EQ(there[c].weights[6], here[c].weights[0]);
          EXPECT_EQ(there[c].weights[9'000], here[c].weights[1]);
          EXPECT_EQ(std::count(there[c].weights.begin(), there[c].weights.end(), "0"),
                    8'999 + std::count(here[c].weights.begin(), here[c].weights.end(), "0"));
        }
      }
      if (!result.witness.empty()) {
        EXPECT_EQ(result.witness[0].values.back().first, "9001");
      }
      both_checkers_accept(folder, result.certificate, options.read.path);
    }
  }
}

TEST(Certify, NamesTheRowWithTooManyFeatures) {
  const TemporaryFolder folder;
  CertifyOptions options;
  options.read.path = folder.write("data", "+1 1:1\n-1 2:1\n+1 3:1 2147483646:1\n");
  options.memory.memory = 4'000'000'000;
  try {
    certify(options);
    FAIL() << "no proof about so many features fits";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_TRUE(has(error.message(), "row 3 raises the number of features to 2147483646"));
  }
}

TEST(Certify, RefusesWhatItCannotAnswer) {
  const TemporaryFolder folder;
  CertifyOptions options;
  options.read.path = "-";
  EXPECT_THROW(certify(options), Error);
  options.read.path = folder.write("data", "0 1:1\n1 1:2\n");
  options.read.on_error = OnError::skip;
  EXPECT_THROW(certify(options), Error);
  options.read.on_error = OnError::stop;
  for (const char* scale : {"0", "-1", "x", "1e2000"}) {
    options.bias_scale = scale;
    EXPECT_THROW(certify(options), Error) << scale;
  }
}

TEST(Certify, OneClassAlone) {
  const TemporaryFolder folder;
  CertifyOptions options;
  for (const char* label : {"+1", "-1", "only"}) {
    options.read.path = folder.write("data.csv", std::string("x,label\n1,") + label + "\n-1," + label + "\n");
    const CertifyResult result = certify(options);
    EXPECT_EQ(result.verdict, Verdict::separable) << label;  // by the bias alone
    both_checkers_accept(folder, result.certificate, options.read.path);
  }
}

TEST(Certify, AnInterruptGivesUndecidedAndAValidCertificate) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += (i * 7919 % 13 < 6 ? "+1" : "-1") + std::string(" 1:") + std::to_string(i * 31 % 101) +
            " 2:" + std::to_string(i * 17 % 103) + "\n";
  std::atomic<bool> interrupt{true};
  CertifyOptions options;
  options.read.path = folder.write("data", text);
  options.interrupt = &interrupt;
  EXPECT_THROW(certify(options), Error);  // while the data are read there is nothing to say yet
  interrupt = false;
  options.on_progress = [&](const CertifyProgress&) { interrupt = true; };
  const CertifyResult result = certify(options);
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_EQ(result.margin_lower, 0);
  EXPECT_GT(result.margin_upper, 0);
  both_checkers_accept(folder, result.certificate, options.read.path);
}

std::string command(const std::string& arguments) { return std::string(HALFSPACE_COMMAND) + " " + arguments; }

TEST(CertifyCommand, ExitCodesFilesAndJson) {
  const TemporaryFolder folder;
  const std::string xor_data = folder.write("xor", "+1 1:1 2:1\n-1 1:1 2:-1\n-1 1:-1 2:1\n+1 1:-1 2:-1\n");
  const std::string line = folder.write("line", "+1 1:2\n-1 1:1\n");
  const std::string proof = folder.path() + "/proof.json";
  Outcome outcome = run(command("certify " + xor_data + " --json -o " + proof));
  EXPECT_EQ(outcome.status, 1) << outcome.output;
  Json j = Json::parse(outcome.output);
  EXPECT_EQ(j["verdict"], "not separable");
  EXPECT_EQ(j["witness"], Json({1, 2, 3, 4}));
  EXPECT_EQ(j["verified"], true);
  EXPECT_EQ(j["fewest_errors"], Json({{"lower", 1}, {"upper", 1}}));
  EXPECT_EQ(run(command("verify " + proof + " " + xor_data)).status, 0);
  EXPECT_EQ(run(command("verify " + proof + " " + line)).status, 1);
  outcome = run(command("certify " + line + " --json"));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  j = Json::parse(outcome.output);
  EXPECT_EQ(j["verdict"], "separable");
  EXPECT_EQ(j["mistake_bound"], 65);  // R^2 = 5, margin^2 = 1/13
  outcome = run(command("certify " + line));
  EXPECT_TRUE(has(outcome.output, "converges after at most 65 updates"));
  outcome = run(command("certify " + xor_data));
  EXPECT_TRUE(has(outcome.output, "never converges", "row 4 (+1): 1=-1 2=-1"));
  EXPECT_EQ(run(command("certify " + folder.path() + "/nothing")).status, 66);
  // What can be read once only is neither proved nor verified; nobody waits for it.
  const std::string pipe = folder.path() + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& words : {"certify " + pipe, "verify " + proof + " " + pipe}) {
    outcome = run("timeout 20 " + command(words) + " 2>&1");
    EXPECT_EQ(outcome.status, 2) << words << outcome.output;
    EXPECT_TRUE(has(outcome.output, "not a file"));
  }
}

// Rows of zeros score 0 for any weights: without a bias they are wrong or right by the tie rule alone.
TEST(CertifyCommand, CountsErrorsOfPredictionsWithoutABias) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 1; i <= 4; ++i) text += "+1 1:" + std::to_string(i) + "\n-1 2:1\n-1\n-1\n";
  const std::string data = folder.write("data", text + "+1\n");
  const auto fewest = [&](const std::string& arguments) {
    return Json::parse(run(command(arguments + " --bias none --json")).output)["fewest_errors"];
  };
  const std::string train = "train " + data + " --certify --preset averaged --tie ";
  EXPECT_EQ(fewest(train + "negative"), Json({{"lower", 1}, {"upper", 1}, {"tie", "negative"}}));
  EXPECT_EQ(fewest(train + "positive"), Json({{"lower", 8}, {"upper", 8}, {"tie", "positive"}}));
  EXPECT_EQ(fewest(train + "mistake"), Json({{"lower", 8}, {"upper", 8}, {"tie", "positive"}}));
  EXPECT_EQ(fewest("certify " + data), Json({{"lower", 8}, {"upper", 8}, {"tie", "positive"}}));
  EXPECT_TRUE(has(run(command("certify " + data + " --bias none")).output, "a score of 0 predicts the positive class"));
  // Of three classes a row of zeros may be right: no error is forced by the rows of the first alone.
  const std::string three = folder.write("three", "1\n1 1:1\n2 2:1\n3 3:1\n");
  const Json many = fewest("certify " + three);
  EXPECT_EQ(many["lower"], 0);
}

TEST(CertifyCommand, TrainingErrorsBesideTheFewest) {
  const TemporaryFolder folder;
  // One row on the wrong side of 0, and a perceptron that is stopped when it has just learned that row.
  std::string text;
  for (int i = 1; i <= 9; ++i) text += "+1 1:" + std::to_string(i) + "\n-1 1:-" + std::to_string(i) + "\n";
  const std::string data = folder.write("data", text + "-1 1:5\n");
  const std::string train = "train " + data + " --certify --json --preset rosenblatt ";
  Outcome outcome = run(command(train));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  Json j = Json::parse(outcome.output);
  EXPECT_EQ(j["separable"], false);
  EXPECT_EQ(j["fewest_errors"], Json({{"lower", 1}, {"upper", 1}}));
  EXPECT_GE(j["training_errors"], 1);
  outcome = run(command(train + "--order cyclic --passes 3 --normalize column"));
  EXPECT_EQ(Json::parse(outcome.output)["fewest_errors"], Json({{"lower", 1}, {"upper", 1}})) << outcome.output;
  // With no time to search, the weights that were learned are still judged.
  CertifyOptions options;
  options.read.path = data;
  options.extra_seconds = 0;
  options.weights = {1};
  EXPECT_EQ(certify(options).errors_upper, 1u);

  EXPECT_EQ(run(command("train " + data + " -q --certify --holdout 0.2")).status, 2);
  EXPECT_EQ(run(command("train " + data + " -q --certify --single")).status, 2);
  EXPECT_EQ(run(command("train " + data + " -q --certify --normalize row")).status, 2);
  EXPECT_EQ(run(command("train " + data + " -q --certify --normalize row --bias none")).status, 0);
  EXPECT_EQ(run(command("train - -q --certify < " + data)).status, 2);
  outcome = run(command("train " + data + " -q --certify"));
  EXPECT_TRUE(has(outcome.output, "fewest errors any halfspace makes: 1   not separable, proved"));
}

TEST(CertifyCommand, PairsAndOneAgainstRest) {
  const TemporaryFolder folder;
  // a, b and c on a line in this order: b is between the others.
  const std::string data = folder.write("data.csv", "x,y\n1,a\n2,a\n3,b\n4,b\n5,c\n6,c\n");
  const std::string proofs = folder.path() + "/proofs";
  Outcome outcome = run(command("certify " + data + " --pairs --one-against-rest --json -o " + proofs));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  const Json j = Json::parse(outcome.output);
  EXPECT_EQ(j["questions"], 6);
  EXPECT_EQ(j["decided"], 6);
  for (const Json& answer : j["answers"]) {
    const bool between = answer["positive"] == "b" && answer["negative"].is_null();
    EXPECT_EQ(answer["verdict"], between ? "not separable" : "separable") << answer;
    EXPECT_EQ(run(command("verify " + answer["certificate"].get<std::string>() + " " + data)).status, 0);
  }
  EXPECT_TRUE(std::filesystem::exists(proofs + "/b-against-rest.json"));
  outcome = run(command("certify " + data + " --pairs"));
  EXPECT_TRUE(has(outcome.output, "3 of 3 questions decided"));
  EXPECT_EQ(run(command("certify " + data + " --pairs --bias none")).status, 2);
}

TEST(CertifyCommand, LabsAreListedAndNamed) {
  const Outcome outcome = run(command("lab --list"));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(has(outcome.output, "plane"));
  EXPECT_TRUE(has(run(command("lab plnae x")).output, "did you mean plane?"));
  EXPECT_EQ(run(command("lab")).status, 2);
  EXPECT_EQ(run(command("lab ldim")).status, 2);
  EXPECT_EQ(run(command("lab ldim /nowhere/at/all")).status, 66);
}

// Four-pixel "digits" under MNIST's file names: digit k is bright where k has a bit, and one 3 is drawn as a 5.
TEST(CertifyCommand, PairsOfSmallIdxFiles) {
  const TemporaryFolder folder;
  const auto big_endian = [](std::uint32_t x) {
    return std::string{static_cast<char>(x >> 24), static_cast<char>(x >> 16), static_cast<char>(x >> 8),
                       static_cast<char>(x)};
  };
  const auto write = [&](const std::string& stem, bool spoil) {
    std::string images = big_endian(0x803) + big_endian(20) + big_endian(2) + big_endian(2),
                labels = big_endian(0x801) + big_endian(20);
    for (int i = 0; i < 20; ++i) {
      const int digit = i % 10, drawn = spoil && i == 13 ? 5 : digit;
      for (int bit = 0; bit < 4; ++bit) images += static_cast<char>((drawn >> bit & 1) != 0 ? 200 + i : 0);
      labels += static_cast<char>(digit);
    }
    if (spoil) images.replace(16 + 4 * 5, 4, images.substr(16 + 4 * 13, 4));
    folder.write(stem + "-images-idx3-ubyte", images);
    folder.write(stem + "-labels-idx1-ubyte", labels);
  };
  write("train", true);
  write("t10k", false);
  for (const std::string stem : {"train", "t10k"}) {
    const std::string images = folder.path() + "/" + stem + "-images-idx3-ubyte", proofs = folder.path() + "/" + stem;
    const Outcome outcome =
        run(command("certify " + images + " --classes all --pairs --one-against-rest --json -o " + proofs));
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    const Json j = Json::parse(outcome.output);
    EXPECT_EQ(j["questions"], 55);
    EXPECT_EQ(j["decided"], 55);
    for (const Json& answer : j["answers"]) {
      if (answer["positive"] != "3" || answer["negative"] != "5") continue;
      EXPECT_EQ(answer["verdict"], stem == "t10k" ? "separable" : "not separable");
    }
    EXPECT_EQ(run(command("verify " + proofs + "/3-5.json " + images)).status, 0);
  }
}

// Rows that stand twice with both labels are decided at once, and a tree over them has 2^28 leaves: the search for the
// fewest errors gives up on it, and says what it knows.
TEST(Certify, GivesUpOnATreeOfTooManyLeaves) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 60; ++i)
    text += std::string(i % 2 == 0 ? "+1" : "-1") + " 1:" + std::to_string(i % 7) + (i % 3 == 0 ? " 2:1\n" : " 3:1\n");
  CertifyOptions options;
  options.read.path = folder.write("data", text);
  const CertifyResult result = certify(options);
  EXPECT_EQ(result.verdict, Verdict::not_separable);
  EXPECT_GT(result.errors_lower, 10U);
  EXPECT_LE(result.errors_lower, result.errors_upper);
  both_checkers_accept(folder, result.certificate, options.read.path);
}

}  // namespace
}  // namespace halfspace::proof
