// Certificates of a minimum that are right, and every way to spoil them: both verifiers accept the one and refuse the
// other. The objectives are computed by the plainest rational arithmetic.

#include "proof/certificate_support.h"
#include "proof/verify/exact_reader.h"
#include "proof/verify/logarithm.h"
#include "proof/verify/measure.h"
#include "proof/verify/outward.h"
#include "support/test.h"

namespace halfspace::proof {
namespace {

using Values = std::vector<std::vector<std::string>>;

// A case whose certificate is about a minimum.
class MinimumCase : public Case {
 public:
  MinimumCase(std::string its_name, Values x, std::vector<std::uint32_t> classes, BiasPosition bias, MinimumLoss loss,
              std::vector<mpq_class> costs, std::string scale = "1", Question question = Question::two_classes)
      : Case(std::move(its_name), std::move(x), std::move(classes), bias, std::move(scale), question),
        costs_(std::move(costs)) {
    MinimumProof& proof = certificate.minimum.emplace();
    proof.loss = loss;
    for (const mpq_class& cost : costs_) proof.costs.push_back(cost.get_str());
  }

  // The next vector: its weights, the bias last, and a dual variable for each row.
  MinimumCase& vector(const Point& weights, const Point& duals) {
    const auto positive = static_cast<std::uint32_t>(
        certificate.question == Question::two_classes ? 1 : certificate.minimum->vectors.size());
    MinimumVector& vector = certificate.minimum->vectors.emplace_back();
    const mpz_class weights_over = common_denominator(weights), duals_over = common_denominator(duals);
    for (const mpq_class& w : weights) vector.weights.weights.push_back(mpq_class(w * weights_over).get_str());
    vector.weights.bias = vector.weights.weights.back();
    vector.weights.weights.pop_back();
    vector.weights_over = weights_over.get_str();
    vector.dual_variables_over = duals_over.get_str();
    vector.dual_variables.resize(1);
    for (std::size_t i = 0; i < duals.size(); ++i) {
      if (duals[i] == 0) continue;
      vector.dual_variables[0].rows.push_back(i + 1);
      vector.dual_variables[0].values.push_back(mpq_class(duals[i] * duals_over).get_str());
    }
    vector.primal = primal(weights, positive).get_str();
    vector.dual = dual(duals, positive).get_str();
    return *this;
  }
  MinimumCase& free_bias() {
    certificate.minimum->penalize_bias = false;
    return *this;
  }

  mpq_class primal(const Point& w, std::uint32_t positive) const {
    mpq_class sum = half_square(w);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Point x = point(i);
      mpq_class score = 0;
      for (std::size_t j = 0; j < x.size(); ++j) score += w[j] * x[j];
      const mpq_class lack = 1 - (klass[i] == positive ? score : mpq_class(-score));
      if (lack > 0) sum += costs_[klass[i]] * (squared() ? mpq_class(lack * lack) : lack);
    }
    return sum;
  }
  mpq_class dual(const Point& a, std::uint32_t positive) const {
    mpq_class sum = 0;
    Point v(certificate.data.features + 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Point x = point(i);
      sum += a[i];
      if (squared()) sum -= a[i] * a[i] / (4 * costs_[klass[i]]);
      for (std::size_t j = 0; j < x.size(); ++j) v[j] += (klass[i] == positive ? a[i] : mpq_class(-a[i])) * x[j];
    }
    return sum - half_square(v);
  }

 private:
  bool squared() const { return certificate.minimum->loss == MinimumLoss::squared_hinge; }
  static mpz_class common_denominator(const Point& numbers) {
    mpz_class common = 1;
    for (const mpq_class& number : numbers) common = lcm(common, number.get_den());
    return common;
  }
  mpq_class half_square(const Point& v) const {
    mpq_class sum = 0;
    for (std::size_t j = 0; j < v.size(); ++j) {
      if (j + 1 < v.size() || certificate.minimum->penalize_bias) sum += v[j] * v[j];
    }
    return sum / 2;
  }

  std::vector<mpq_class> costs_;
};

Point rationals(std::initializer_list<const char*> numbers) {
  Point point;
  for (const char* number : numbers) point.emplace_back(number);
  return point;
}

const Values few = {{"2", "0.5"}, {"1", "-1"}, {"-0.25", "3"}, {"1.5", "1"}, {"-1", "1e1"}};

MinimumCase hinge_case() {
  MinimumCase c("hinge", few, {1, 1, 0, 0, 1}, BiasPosition::last, MinimumLoss::hinge, {1, 1});
  c.vector(rationals({"1/4", "-3/8", "1/2"}), rationals({"1/3", "0", "2/3", "1", "2/7"}));
  return c;
}

MinimumCase squared_case() {
  MinimumCase c("squared", few, {0, 1, 0, 1, 1}, BiasPosition::first, MinimumLoss::squared_hinge,
                {mpq_class("3/10"), mpq_class("5/2")}, "2/7");
  c.vector(rationals({"-7/16", "5/64", "9/32"}), rationals({"9/5", "2/5", "0", "1/8", "7"}));
  return c;
}

MinimumCase without_penalty() {
  MinimumCase c("free", few, {1, 1, 0, 0, 1}, BiasPosition::last, MinimumLoss::hinge, {2, 3}, "3");
  c.free_bias().vector(rationals({"1/4", "-3/8", "1/6"}), rationals({"1/3", "2/3", "1", "1/2", "1/2"}));
  return c;
}

MinimumCase without_bias() {
  MinimumCase c("unbiased", few, {1, 0, 0, 0, 1}, BiasPosition::none, MinimumLoss::hinge, {mpq_class("1/10"), 7});
  c.vector(rationals({"3/1024", "-5/7", "0"}), rationals({"6", "1/10", "1/20", "0", "0"}));
  return c;
}

MinimumCase three_sided() {
  MinimumCase c("sides", few, {0, 1, 2, 1, 0}, BiasPosition::last, MinimumLoss::hinge, {1, mpq_class("1/2"), 2}, "1",
                Question::many_classes);
  c.vector(rationals({"1/2", "1/3", "-1"}), rationals({"1", "1/2", "0", "1/5", "1/6"}));
  c.vector(rationals({"0", "-2", "1/8"}), rationals({"0", "1/4", "2", "1/9", "0"}));
  c.vector(rationals({"-3/4", "1/8", "1/4"}), rationals({"1/3", "0", "3/2", "0", "1/7"}));
  return c;
}

// Weights that leave every row without a loss.
MinimumCase without_losses() {
  MinimumCase c("lossless", few, {1, 1, 0, 1, 0}, BiasPosition::last, MinimumLoss::squared_hinge, {1, 1});
  c.vector(rationals({"100", "-100", "51"}), rationals({"0", "0", "0", "0", "0"}));
  return c;
}

std::vector<MinimumCase> minimum_cases() {
  return {hinge_case(), squared_case(), without_penalty(), without_bias(), three_sided(), without_losses()};
}

TEST(VerifyMinimum, BothVerifiersAcceptWhatIsRight) {
  TemporaryFolder folder;
  for (MinimumCase& c : minimum_cases()) {
    for (const TextFormat format : {TextFormat::libsvm, TextFormat::csv}) {
      const std::string data = c.write_data(folder, format), text = encode_certificate(c.certificate);
      EXPECT_TRUE(has(text, "\"version\": 3,\n"));
      const Verification result = verify(decode_certificate(text, "c"), {data});
      EXPECT_TRUE(result.valid) << c.name << ": " << result.reason;
      ASSERT_EQ(result.minima.size(), c.certificate.minimum->vectors.size());
      for (std::size_t k = 0; k < result.minima.size(); ++k) {
        const MinimumVector& vector = c.certificate.minimum->vectors[k];
        const MinimumBounds& bounds = result.minima[k];
        const mpq_class primal(vector.primal), dual(vector.dual);
        EXPECT_TRUE(mpq_class(bounds.primal) >= primal);
        EXPECT_TRUE(mpq_class(bounds.dual) <= dual);
        EXPECT_TRUE(mpq_class(bounds.gap) * primal >= primal - dual);
        EXPECT_TRUE(mpq_class(bounds.radius) * mpq_class(bounds.radius) >= 2 * (primal - dual));
        EXPECT_NEAR(bounds.radius * bounds.radius, 2 * mpq_class(primal - dual).get_d(), 1e-12 * primal.get_d());
      }
      expect_plain(0, text, {data}, c.name);
    }
  }
}

TEST(VerifyMinimum, NamesTheCosts) {
  TemporaryFolder folder;
  const auto expect = [&](MinimumCase c, const std::string& words) {
    std::string all;
    for (const std::string& sentence : verify(c.certificate, {c.write_data(folder, TextFormat::libsvm)}).checked)
      all += sentence + "\n";
    EXPECT_TRUE(has(all, words));
  };
  expect(hinge_case(), "the sum of hinge losses, C = 1\n");
  expect(squared_case(), "the sum of squared hinge losses, C = 0.3 on negative rows and 2.5 on positive ones\n");
  expect(without_penalty(), "C = 2 on negative rows and 3 on positive ones; the bias is not penalized\n");
  expect(without_penalty(), "every weight but the bias is within ");
  expect(three_sided(), "C = 1, 0.5, 2 on the rows of the classes in turn\n");
}

// By hand: rows 1 and -1 of both classes, no bias, C = 1. The minimum is w = 1, with P = 1/2, and a = 1/2 for each row.
TEST(VerifyMinimum, ByHand) {
  TemporaryFolder folder;
  MinimumCase c("hand", {{"1"}, {"-1"}}, {1, 0}, BiasPosition::none, MinimumLoss::hinge, {1, 1});
  c.vector(rationals({"1", "0"}), rationals({"1/2", "1/2"}));
  EXPECT_EQ(c.certificate.minimum->vectors[0].primal, "1/2");
  EXPECT_EQ(c.certificate.minimum->vectors[0].dual, "1/2");
  const Verification result = verify(c.certificate, {c.write_data(folder, TextFormat::libsvm)});
  ASSERT_TRUE(result.valid) << result.reason;
  EXPECT_EQ(result.minima[0].gap, 0);
  EXPECT_EQ(result.minima[0].radius, 0);
  // Squared: w^2 / 2 + 2 (1 - w)^2 is least at w = 4/5, with P = 2/5 and a = 2 (1 - w) = 2/5.
  MinimumCase s("hand-squared", {{"1"}, {"-1"}}, {1, 0}, BiasPosition::none, MinimumLoss::squared_hinge, {1, 1});
  s.vector(rationals({"4/5", "0"}), rationals({"2/5", "2/5"}));
  EXPECT_EQ(s.certificate.minimum->vectors[0].primal, "2/5");
  EXPECT_EQ(s.certificate.minimum->vectors[0].dual, "2/5");
  EXPECT_TRUE(verify(s.certificate, {s.write_data(folder, TextFormat::libsvm)}).valid);
}

TEST(VerifyMinimum, EveryChangedDigitIsRefused) {
  TemporaryFolder folder;
  std::map<int, std::size_t> refusals;
  for (MinimumCase& c : minimum_cases()) {
    if (c.name == "lossless") continue;  // its costs may be any
    const std::string data = c.write_data(folder, TextFormat::libsvm), text = encode_certificate(c.certificate);
    const std::size_t end = text.rfind("\"checksum\"");
    for (std::size_t at = text.find("\"minimum\""); at < end; ++at) {
      if (text[at] < '0' || text[at] > '9') continue;
      std::string mutant = text;
      mutant[at] = text[at] == '9' ? '1' : static_cast<char>(text[at] + 1);
      mutant = sealed(mutant);
      const int status = status_of(mutant, {data});
      const std::string around = c.name + " at " + std::to_string(at) + ": " + text.substr(at - 40, 80);
      EXPECT_TRUE(status == 1 || status == 65) << around;
      ++refusals[status];
      expect_plain(status, mutant, {data}, around);
    }
  }
  EXPECT_GT(refusals[1], 150u);
}

using Change = std::function<void(MinimumProof&)>;

TEST(VerifyMinimum, EveryLieIsRefusedForItsReason) {
  TemporaryFolder folder;
  const auto refuse = [&](MinimumCase c, const std::string& reason, const Change& change) {
    const std::string data = c.write_data(folder, TextFormat::libsvm);
    ASSERT_EQ(status_of(encode_certificate(c.certificate), {data}), 0) << c.name;
    change(*c.certificate.minimum);
    const std::string text = encode_certificate(c.certificate);
    const Verification result = verify(decode_certificate(text, "c"), {data});
    EXPECT_FALSE(result.valid) << c.name << ": " << reason;
    EXPECT_TRUE(has(result.reason, reason));
    EXPECT_TRUE(result.minima.empty());
    expect_plain(1, text, {data}, c.name + ": " + reason);
  };
  refuse(hinge_case(), "row 4 has a dual variable above its cost, 1",
         [](MinimumProof& proof) { proof.vectors[0].dual_variables[0].values[2] = "22"; });
  refuse(without_bias(), "row 2 has a dual variable above its cost, 1/11",
         [](MinimumProof& proof) { proof.costs[0] = "1/11"; });
  refuse(squared_case(), "the objective of the weights is", [](MinimumProof& proof) { proof.costs[1] = "7/2"; });
  refuse(hinge_case(), "the objective of the weights is", [](MinimumProof& proof) { proof.vectors[0].primal = "3"; });
  refuse(hinge_case(), "the objective of the dual variables is",
         [](MinimumProof& proof) { proof.vectors[0].dual = "3"; });
  refuse(hinge_case(), "the objective of the weights is",
         [](MinimumProof& proof) { proof.vectors[0].weights.bias = "-4"; });
  refuse(hinge_case(), "the objective of the weights is",
         [](MinimumProof& proof) { proof.vectors[0].weights_over = "16"; });
  refuse(hinge_case(), "the objective of the dual variables is",
         [](MinimumProof& proof) { proof.vectors[0].dual_variables_over = "42"; });
  refuse(hinge_case(), "the objective of the dual variables is",
         [](MinimumProof& proof) { proof.vectors[0].dual_variables[0].rows[0] = 2; });
  refuse(hinge_case(), "the objective of the weights is",
         [](MinimumProof& proof) { proof.loss = MinimumLoss::squared_hinge; });
  refuse(hinge_case(), "different sums", [](MinimumProof& proof) { proof.penalize_bias = false; });
  refuse(without_penalty(), "different sums",
         [](MinimumProof& proof) { proof.vectors[0].dual_variables[0].values[0] = "1"; });
  refuse(without_penalty(), "the objective of the weights is", [](MinimumProof& proof) { proof.penalize_bias = true; });
  refuse(three_sided(), "class 0: the objective",
         [](MinimumProof& proof) { std::swap(proof.vectors[0], proof.vectors[1]); });
  refuse(three_sided(), "class 2: the objective of the dual variables",
         [](MinimumProof& proof) { proof.vectors[2].dual_variables[0].rows[0] = 2; });
}

TEST(VerifyMinimum, RowsThatAreExcludedHaveNoDualVariable) {
  TemporaryFolder folder;
  MinimumCase c("excluded", few, {1, 1, 0, 0, 1}, BiasPosition::last, MinimumLoss::hinge, {1, 1});
  const std::string data = c.write_data(folder, TextFormat::libsvm);
  c.vector(rationals({"1/4", "0", "1/2"}), rationals({"1/3", "0", "0", "0", "0"}));
  // The rows of class 0 are left out.
  c.certificate.data.excluded = c.certificate.data.classes[0];
  c.certificate.data.classes[0] = {};
  MinimumVector& vector = c.certificate.minimum->vectors[0];
  const std::vector<std::size_t> counted = {0, 1, 4};
  mpq_class primal("5/32");
  for (const std::size_t i : counted) {
    const Point x = c.point(i);
    const mpq_class lack = 1 - x[0] / 4 - x[2] / 2;
    if (lack > 0) primal += lack;
  }
  vector.primal = primal.get_str();
  const std::string right = encode_certificate(c.certificate);
  EXPECT_EQ(status_of(right, {data}), 0) << verify(c.certificate, {data}).reason;
  expect_plain(0, right, {data}, "right");
  vector.dual_variables[0] = {{1, 3}, {"1", "1"}};
  const std::string wrong = encode_certificate(c.certificate);
  EXPECT_TRUE(has(verify(c.certificate, {data}).reason, "row 3 is excluded"));
  expect_plain(1, wrong, {data}, "a dual variable of an excluded row");
}

TEST(VerifyMinimum, WhatIsNoCertificateIsRefusedByBoth) {
  TemporaryFolder folder;
  MinimumCase c = hinge_case();
  const std::string data = c.write_data(folder, TextFormat::libsvm), text = encode_certificate(c.certificate);
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string mutant = text;
    const std::size_t at = mutant.find(from, mutant.find(from.starts_with("\"version") ? "\"version" : "\"minimum\""));
    ASSERT_NE(at, std::string::npos) << from;
    mutant = sealed(mutant.replace(at, from.size(), to));
    EXPECT_EQ(status_of(mutant, {data}), 65) << from << " as " << to;
    expect_plain(65, mutant, {data}, from + " as " + to);
  };
  replaced("\"version\": 3", "\"version\": 1");
  replaced("\"version\": 3", "\"version\": 2");
  replaced("\"loss\":\"hinge\"", "\"loss\":\"absolute\"");
  replaced("\"loss\":\"hinge\",", "");
  replaced("\"loss\":\"hinge\"", "\"loss\":\"hinge\",\"more\":1");
  replaced("[\"1\",\"1\"]", "[\"1\"]");
  replaced("[\"1\",\"1\"]", "[\"1\",\"0\"]");
  replaced("[\"1\",\"1\"]", "[\"1\",\"-1\"]");
  replaced("[\"1\",\"1\"]", "[\"1\",\"2/2\"]");
  replaced("\"penalize_bias\":true", "\"penalize_bias\":1");
  replaced("\"weights_over\":\"8\"", "\"weights_over\":\"0\"");
  replaced("\"weights_over\":\"8\"", "\"weights_over\":\"-8\"");
  replaced("\"weights_over\":\"8\"", "\"weights_over\":\"16/2\"");
  replaced("\"weights\":[\"2\",", "\"weights\":[");
  replaced("\"weights\":[\"2\",", "\"weights\":[2,");
  replaced("\"rows\":[1,3,4,5]", "\"rows\":[1,3,4,4]");
  replaced("\"rows\":[1,3,4,5]", "\"rows\":[0,3,4,5]");
  replaced("\"rows\":[1,3,4,5]", "\"rows\":[1,3,4,6]");
  replaced("\"rows\":[1,3,4,5]", "\"rows\":[1,3,4]");
  replaced("\"rows\":[1,3,4,5]", "\"rows\":[3,1,4,5]");
  replaced("\"values\":[\"7\"", "\"values\":[\"0\"");
  replaced("\"values\":[\"7\"", "\"values\":[\"-7\"");
  replaced("\"values\":[\"7\"", "\"values\":[\"7/2\"");
  replaced("\"dual_variables\":[{", "\"dual_variables\":[{\"rows\":[],\"values\":[]},{");
  replaced("\"vectors\":[{", "\"vectors\":[],\"more\":[{");
  replaced("\"primal\":\"", "\"primal\":\"0");
  replaced("\"dual\":\"", "\"dual\":\"+");
}

// Random weights and dual variables: weak duality holds, and the verifiers' integers agree with plain rationals.
TEST(VerifyMinimum, RandomCasesAgreeWithPlainRationals) {
  TemporaryFolder folder;
  std::mt19937_64 chance(47);
  const auto below = [&](std::uint64_t n) { return static_cast<int>(chance() % n); };
  const auto fraction = [&](int most) {
    mpq_class number(below(static_cast<std::uint64_t>(most) + 1), 1 + (below(2) == 0 ? 0 : below(1000)));
    number.canonicalize();
    return number;
  };
  for (int i = 0; i < 150; ++i) {
    const std::size_t features = 1 + static_cast<std::size_t>(below(4)), rows = 1 + static_cast<std::size_t>(below(7));
    const bool many = below(4) == 0;
    const std::uint32_t classes = many ? 3 : 2;
    Values values(rows);
    std::vector<std::uint32_t> klass;
    for (auto& row : values) {
      for (std::size_t j = 0; j < features; ++j) {
        const std::string size = std::to_string(below(2) == 0 ? below(5) : below(1'000'000'000));
        row.push_back((below(2) == 0 ? "-" : "") + size + (below(3) == 0 ? "e" + std::to_string(below(40) - 20) : ""));
      }
      klass.push_back(static_cast<std::uint32_t>(below(classes)));
    }
    if (many) klass[0] = 2;
    const MinimumLoss loss = below(2) == 0 ? MinimumLoss::hinge : MinimumLoss::squared_hinge;
    std::vector<mpq_class> costs;
    for (std::uint32_t k = 0; k < classes; ++k) costs.push_back(1 + fraction(5));
    const BiasPosition bias = below(3) == 0 ? BiasPosition::none : BiasPosition::last;
    const char* scale = bias == BiasPosition::none || below(2) == 0 ? "1" : "3/7";
    MinimumCase c("random" + std::to_string(i), values, klass, bias, loss, costs, scale,
                  many ? Question::many_classes : Question::two_classes);
    for (std::uint32_t k = 0; k < (many ? 3u : 1u); ++k) {
      Point w, a;
      for (std::size_t j = 0; j < features; ++j) w.push_back(below(2) == 0 ? fraction(3) : mpq_class(-fraction(3)));
      w.push_back(bias == BiasPosition::none ? mpq_class(0) : fraction(2));
      for (std::size_t r = 0; r < rows; ++r) {
        const mpq_class number = fraction(4);
        a.push_back(loss == MinimumLoss::hinge ? std::min(number, costs[klass[r]]) : number);
      }
      c.vector(w, a);
      const MinimumVector& made = c.certificate.minimum->vectors.back();
      EXPECT_TRUE(mpq_class(made.primal) >= mpq_class(made.dual)) << "weak duality";
    }
    const std::string data = c.write_data(folder, TextFormat::libsvm), text = encode_certificate(c.certificate);
    const Verification result = verify(decode_certificate(text, "c"), {data});
    EXPECT_TRUE(result.valid) << c.name << ": " << result.reason;
    expect_plain(0, text, {data}, c.name);
  }
}

// ---- logistic losses

// 10 rows, w = 0 and a = 1/2: P = 10 ln 2, and D = 10 ln 2 - |v|^2 / 2, where v = 0.
TEST(VerifyMinimum, LogisticByHand) {
  TemporaryFolder folder;
  MinimumCase c("logistic-hand", Values(10, {"1"}), {0, 1, 0, 1, 0, 1, 0, 1, 0, 1}, BiasPosition::none,
                MinimumLoss::logistic, {1, 1});
  c.vector(rationals({"0", "0"}), Point(10, mpq_class("1/2")));
  const std::string data = c.write_data(folder, TextFormat::libsvm);
  MinimumVector& vector = c.certificate.minimum->vectors[0];
  // 10 ln 2 = 6.93147180559945309417232121458...
  const std::string below = "693147180559945309417232121/100000000000000000000000000";
  const std::string above = "346573590279972654708616061/50000000000000000000000000";  // ...2122
  const auto expect = [&](const std::string& primal, const std::string& dual, int status) {
    vector.primal = primal;
    vector.dual = dual;
    const std::string text = encode_certificate(c.certificate);
    EXPECT_EQ(status_of(text, {data}), status) << primal << " " << dual;
    expect_plain(status, text, {data}, primal + " " + dual);
  };
  expect(above, below, 0);
  expect("7", "6", 0);
  expect(below, below, 1);
  expect(above, above, 1);
}

// A small case of logistic losses, and its objectives in long doubles.
struct LogisticCase {
  using Real = long double;
  MinimumCase made;
  Real primal = 0, dual = 0;

  explicit LogisticCase(std::mt19937_64& chance) : made(random(chance)) {
    const auto below = [&](int n) { return static_cast<int>(chance() % static_cast<std::uint64_t>(n)); };
    const bool biased = made.certificate.data.bias != BiasPosition::none;
    Point w, a, v(3);
    for (int j = 0; j < 2; ++j) w.emplace_back(below(65) - 32, below(2) == 0 ? 16 : 1);
    w.emplace_back(biased ? below(65) - 32 : 0, 8);
    for (mpq_class& one : w) one.canonicalize();
    for (const mpq_class& one : w) primal += square(one) / 2;
    for (std::size_t row = 0; row < made.values.size(); ++row) {
      const Point x = made.point(row);
      const mpq_class share(below(17), 16), cost(made.certificate.minimum->costs[made.klass[row]]);
      a.emplace_back(share * cost);
      mpq_class score = 0;
      for (std::size_t j = 0; j < 3; ++j) {
        score += w[j] * x[j];
        v[j] += (made.klass[row] == 1 ? a.back() : mpq_class(-a.back())) * x[j];
      }
      const Real m = made.klass[row] == 1 ? score.get_d() : -score.get_d(), p = share.get_d(), price = cost.get_d();
      primal += price * (std::max(Real{0}, -m) + std::log1p(std::exp(-std::abs(m))));
      if (p > 0 && p < 1) dual -= price * (p * std::log(p) + (1 - p) * std::log(1 - p));
    }
    for (const mpq_class& one : v) dual -= square(one) / 2;
    made.vector(w, a);
  }

 private:
  static Real square(const mpq_class& number) { return Real{number.get_d()} * Real{number.get_d()}; }
  static MinimumCase random(std::mt19937_64& chance) {
    const auto below = [&](int n) { return static_cast<int>(chance() % static_cast<std::uint64_t>(n)); };
    Values values;
    std::vector<std::uint32_t> klass;
    for (int r = 1 + below(6); r > 0; --r) {
      values.push_back({std::to_string(below(9) - 4), std::to_string(below(7)) + ".5"});
      klass.push_back(static_cast<std::uint32_t>(below(2)));
    }
    mpq_class half_price(1 + below(4), 2);
    half_price.canonicalize();
    return MinimumCase("logistic", values, klass, below(2) == 0 ? BiasPosition::last : BiasPosition::none,
                       MinimumLoss::logistic, {half_price, mpq_class(1 + below(3))});
  }
};

// What is stated a hair inside of the objectives is refused, a hair outside accepted.
TEST(VerifyMinimum, LogisticBoundsAreTight) {
  using Real = LogisticCase::Real;
  TemporaryFolder folder;
  std::mt19937_64 chance(11);
  const auto exact = [](Real number) {
    const double high = static_cast<double>(number);
    return mpq_class(mpq_class(high) + mpq_class(static_cast<double>(number - Real{high}))).get_str();
  };
  for (int i = 0; i < 40; ++i) {
    LogisticCase c(chance);
    c.made.name += std::to_string(i);
    const std::string data = c.made.write_data(folder, TextFormat::libsvm);
    MinimumVector& vector = c.made.certificate.minimum->vectors[0];
    const Real hair = 1e-16L * (1 + std::abs(c.primal) + std::abs(c.dual));
    const auto expect = [&](Real of_primal, Real of_dual, int status) {
      vector.primal = exact(of_primal);
      vector.dual = exact(of_dual);
      const std::string text = encode_certificate(c.made.certificate);
      EXPECT_EQ(status_of(text, {data}), status) << c.made.name;
      expect_plain(status, text, {data}, c.made.name);
    };
    expect(c.primal + hair, c.dual - hair, 0);
    expect(c.primal - hair, c.dual - hair, 1);
    expect(c.primal + hair, c.dual + hair, 1);
  }
}

// Fenchel: ln(1 + e^-m) >= H(p) - p m for every p, with equality at p = 1 / (1 + e^m). A p that is right to 1e-16 is off
// the maximum by its square, so that both functions are tested to 30 digits. Below 0 the loss follows from that above.
TEST(Logarithm, LossAndEntropyAreConjugate) {
  std::mt19937_64 chance(5);
  const mpz_class one = mpz_class(1) << fixed_bits;
  const mpz_class error = mpz_class(1) << (fixed_error_bits + 2), near("1000000000");  // 3e-30
  for (int i = 0; i < 3000; ++i) {
    const double m = std::ldexp(static_cast<double>(chance() % 2000001) - 1e6, -(static_cast<int>(chance() % 20)) - 14);
    const mpz_class margin(mpq_class(m) * one), loss = logistic_loss(margin);
    const double best = 1 / (1 + std::exp(m));
    for (const double p : {best, static_cast<double>(chance() % 1025) / 1024, 0.0, 1.0}) {
      const mpz_class share(mpq_class(p) * one), lower = binary_entropy(share) - ((share * margin) >> fixed_bits);
      EXPECT_TRUE(loss >= lower - error) << m << " " << p;
      EXPECT_TRUE(p != best || m < 0 || loss - lower <= near + error) << m << " " << mpz_class(loss - lower).get_str();
    }
    EXPECT_TRUE(abs(loss - logistic_loss(mpz_class(-margin)) + margin) <= error) << m;
  }
  EXPECT_EQ(binary_entropy(0).get_str(), "0");
  EXPECT_EQ(binary_entropy(one).get_str(), "0");
  EXPECT_TRUE(abs(logistic_loss(mpz_class(-300 * one)) - 300 * one) <= error);
}

TEST(Outward, DecimalsAndDoublesAreNearAndOnTheirSide) {
  std::mt19937_64 chance(3);
  for (int i = 0; i < 3000; ++i) {
    mpz_class over, under = 1 + static_cast<unsigned long>(chance() % 1000);
    mpz_ui_pow_ui(over.get_mpz_t(), 3, chance() % 300);
    mpq_class number = mpq_class(static_cast<unsigned long>(chance() % 100000)) * over / under;
    if (chance() % 2 == 0 && number != 0) number = 1 / number;
    if (chance() % 2 == 0) number = -number;
    const int digits = 1 + static_cast<int>(chance() % 20);
    const std::string up = decimal_above(number, digits), down = decimal_below(number, digits);
    const mpq_class above = parse_decimal(up).value().value(), under_it = parse_decimal(down).value().value();
    EXPECT_TRUE(above >= number) << up;
    EXPECT_TRUE(under_it <= number) << down;
    mpz_class power;
    mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(digits - 1));
    EXPECT_TRUE((above - under_it) * power <= abs(number)) << up << " " << down;
    const double high = double_above(number), low = double_below(number);
    EXPECT_TRUE(mpq_class(high) >= number);
    EXPECT_TRUE(mpq_class(low) <= number);
    EXPECT_LE(low, high);
    EXPECT_LE(high, std::nextafter(low, HUGE_VAL));
    const mpq_class root = root_above(mpq_class(abs(number)));
    EXPECT_TRUE(root * root >= abs(number));
    EXPECT_TRUE(root * root <= abs(number) * mpq_class("1000000000001/1000000000000"));
  }
  EXPECT_EQ(decimal_above(mpq_class("11433706/1000"), 20), "11433.706");
  EXPECT_EQ(decimal_above(mpq_class("1/3"), 3), "0.334");
  EXPECT_EQ(decimal_below(mpq_class("1/3"), 3), "0.333");
  EXPECT_EQ(decimal_below(mpq_class("-1/3"), 3), "-0.334");
  EXPECT_EQ(decimal_above(mpq_class("9999/10000"), 3), "1");
  EXPECT_EQ(decimal_above(mpq_class("1/3000000"), 2), "3.4e-7");
  EXPECT_EQ(decimal_above(0, 3), "0");
  EXPECT_TRUE(std::isinf(double_above(mpq_class(power_of_ten(400)))));
}

}  // namespace
}  // namespace halfspace::proof
