// Certificates of a multinomial minimum, against objectives by long doubles: both verifiers accept what is a hair outside
// of them, and refuse a hair inside, and every way to spoil one.
#include <algorithm>
#include <cmath>
#include <random>

#include "halfspace/base/error.h"
#include "proof/certificate_support.h"
#include "support/test.h"

namespace halfspace::proof {
namespace {

constexpr std::size_t three = 3;

// Rows of three classes, weights and dual variables, with the objectives by the plainest arithmetic.
class JointCase : public Case {
 public:
  using Real = long double;

  JointCase(std::string its_name, const std::vector<std::vector<std::string>>& x,
            const std::vector<std::uint32_t>& classes, bool penalize_bias = true)
      : Case(std::move(its_name), x, classes, BiasPosition::last, "1", Question::many_classes) {
    MinimumProof& proof = certificate.minimum.emplace();
    proof.loss = MinimumLoss::multinomial;
    proof.costs = {"1", "1/2", "3"};
    proof.penalize_bias = penalize_bias;
  }

  // `weights`: of each class, the bias last. `shares`: of each row, p of each class, which add up to 1.
  void fill(const std::vector<Point>& weights, const std::vector<Point>& shares) {
    constexpr int unit = 64, over = 96;
    MinimumProof& proof = *certificate.minimum;
    proof.vectors.assign(three, {});
    for (std::size_t k = 0; k < three; ++k) {
      MinimumVector& vector = proof.vectors[k];
      for (const mpq_class& w : weights[k]) vector.weights.weights.push_back(mpq_class(w * unit).get_str());
      vector.weights.bias = vector.weights.weights.back();
      vector.weights.weights.pop_back();
      vector.weights_over = std::to_string(unit);
      vector.dual_variables_over = std::to_string(over);
      vector.dual_variables.resize(1);
      for (std::size_t i = 0; i < shares.size(); ++i) {
        const mpq_class a = shares[i][k] * mpq_class(proof.costs[klass[i]]) * over;
        if (k == klass[i] || a == 0) continue;
        vector.dual_variables[0].rows.push_back(i + 1);
        vector.dual_variables[0].values.push_back(a.get_str());
      }
    }
    primal = primal_of(weights);
    dual = dual_of(shares);
  }

  Real primal = 0, dual = 0;

 private:
  Real half_square(const Point& v) const {
    Real sum = 0;
    for (std::size_t j = 0; j < v.size(); ++j) {
      if (j + 1 < v.size() || certificate.minimum->penalize_bias) sum += Real{v[j].get_d()} * Real{v[j].get_d()} / 2;
    }
    return sum;
  }
  Real primal_of(const std::vector<Point>& weights) const {
    Real sum = 0;
    for (const Point& w : weights) sum += half_square(w);
    for (std::size_t i = 0; i < values.size(); ++i) {
      Real all = 0, own = 0;
      for (std::size_t k = 0; k < three; ++k) {
        mpq_class score = 0;
        for (std::size_t j = 0; j < weights[k].size(); ++j) score += weights[k][j] * point(i)[j];
        all += std::exp(Real{score.get_d()});
        if (k == klass[i]) own = score.get_d();
      }
      sum += Real{mpq_class(certificate.minimum->costs[klass[i]]).get_d()} * (std::log(all) - own);
    }
    return sum;
  }
  Real dual_of(const std::vector<Point>& shares) const {
    Real sum = 0;
    std::vector<Point> v(three, Point(point(0).size()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const mpq_class cost(certificate.minimum->costs[klass[i]]);
      for (std::size_t k = 0; k < three; ++k) {
        const Real p = shares[i][k].get_d();
        if (p > 0) sum -= Real{cost.get_d()} * p * std::log(p);
        const mpq_class part = cost * ((k == klass[i] ? 1 : 0) - shares[i][k]);
        for (std::size_t j = 0; j < v[k].size(); ++j) v[k][j] += part * point(i)[j];
      }
    }
    for (const Point& of_class : v) sum -= half_square(of_class);
    return sum;
  }
};

mpq_class fraction(int numerator, int denominator) {
  mpq_class number(numerator, denominator);
  number.canonicalize();
  return number;
}

JointCase random_joint_case(std::mt19937_64& chance, int number) {
  const auto below = [&](int n) { return static_cast<int>(chance() % static_cast<std::uint64_t>(n)); };
  std::vector<std::vector<std::string>> x;
  std::vector<std::uint32_t> classes;
  std::vector<Point> shares, weights(three);
  for (int r = 3 + below(6); r > 0; --r) {
    x.push_back({std::to_string(below(9) - 4), std::to_string(below(7)) + ".5"});
    classes.push_back(classes.size() < three ? static_cast<std::uint32_t>(classes.size())
                                             : static_cast<std::uint32_t>(below(three)));
    const int first = below(17), second = below(17 - first);
    shares.push_back({fraction(first, 16), fraction(second, 16), fraction(16 - first - second, 16)});
  }
  for (Point& w : weights) {
    for (int j = 0; j < 3; ++j) w.push_back(fraction(below(129) - 64, 64));
  }
  JointCase c("joint" + std::to_string(number), x, classes);
  c.fill(weights, shares);
  return c;
}

std::string exact(JointCase::Real number) {
  const double high = static_cast<double>(number);
  return mpq_class(mpq_class(high) + mpq_class(static_cast<double>(number - JointCase::Real{high}))).get_str();
}

void state(JointCase& c, JointCase::Real above, JointCase::Real below) {
  const JointCase::Real hair = 1e-16L * (1 + std::abs(c.primal) + std::abs(c.dual));
  c.certificate.minimum->primal = exact(c.primal + above * hair);
  c.certificate.minimum->dual = exact(c.dual - below * hair);
}

TEST(MultinomialMinimum, BoundsAreTight) {
  TemporaryFolder folder;
  std::mt19937_64 chance(17);
  for (int i = 0; i < 40; ++i) {
    JointCase c = random_joint_case(chance, i);
    const std::string data = c.write_data(folder, TextFormat::libsvm);
    const auto expect = [&](JointCase::Real above, JointCase::Real below, int status) {
      state(c, above, below);
      const std::string text = encode_certificate(c.certificate);
      EXPECT_EQ(status_of(text, {data}), status) << c.name << " " << verify(c.certificate, {data}).reason;
      expect_plain(status, text, {data}, c.name);
    };
    expect(1, 1, 0);
    expect(-1, 1, 1);
    expect(1, -1, 1);
  }
}

// Each class once, with the same values and all shares equal: v is 0, and D = P of no weights = n ln 3.
JointCase even_case(bool penalize_bias) {
  JointCase c("even", {{"2", "1"}, {"2", "1"}, {"2", "1"}}, {0, 1, 2}, penalize_bias);
  c.certificate.minimum->costs = {"1", "1", "1"};
  c.fill(std::vector<Point>(three, Point(3)), std::vector<Point>(3, Point(three, mpq_class(1, 3))));
  state(c, 1, 1);
  return c;
}

TEST(MultinomialMinimum, ByHand) {
  TemporaryFolder folder;
  for (const bool penalize_bias : {true, false}) {
    JointCase c = even_case(penalize_bias);
    const std::string data = c.write_data(folder, TextFormat::libsvm);
    EXPECT_NEAR(static_cast<double>(c.dual), 3 * std::log(3.0), 1e-14);
    EXPECT_NEAR(static_cast<double>(c.primal), 3 * std::log(3.0), 1e-14);
    const Verification result = verify(c.certificate, {data});
    EXPECT_TRUE(result.valid) << result.reason;
    ASSERT_EQ(result.minima.size(), 1u);
    EXPECT_LT(result.minima[0].gap, 1e-14);
    expect_plain(0, encode_certificate(c.certificate), {data}, "by hand");
  }
}

TEST(MultinomialMinimum, EveryLieIsRefusedForItsReason) {
  TemporaryFolder folder;
  const auto refuse = [&](bool penalize_bias, const std::string& reason, const auto& change) {
    JointCase c = even_case(penalize_bias);
    const std::string data = c.write_data(folder, TextFormat::libsvm);
    change(*c.certificate.minimum);
    const std::string text = encode_certificate(c.certificate);
    const Verification result = verify(c.certificate, {data});
    EXPECT_FALSE(result.valid) << reason;
    EXPECT_TRUE(has(result.reason, reason)) << result.reason;
    expect_plain(1, text, {data}, reason);
  };
  refuse(true, "row 1 has a dual variable for its own class", [](MinimumProof& proof) {
    proof.vectors[0].dual_variables[0].rows.insert(proof.vectors[0].dual_variables[0].rows.begin(), 1);
    proof.vectors[0].dual_variables[0].values.insert(proof.vectors[0].dual_variables[0].values.begin(), "1");
  });
  refuse(true, "row 1 has dual variables that add up to more than its cost, 1",
         [](MinimumProof& proof) { proof.vectors[1].dual_variables[0].values[0] = "65"; });
  refuse(false, "of class 0 and of its rows have different sums",
         [](MinimumProof& proof) { proof.vectors[1].dual_variables[0].values[0] = "31"; });
  refuse(true, "the objective of the dual variables is",
         [](MinimumProof& proof) { proof.vectors[1].dual_variables[0].values[0] = "31"; });
  refuse(true, "the objective of the weights is",
         [](MinimumProof& proof) { proof.vectors[2].weights.weights[1] = "7"; });
  refuse(true, "the objective of the weights is", [](MinimumProof& proof) { proof.costs[2] = "2"; });
}

TEST(MultinomialMinimum, WhatIsNoCertificateIsRefusedByBoth) {
  TemporaryFolder folder;
  JointCase c = even_case(true);
  const std::string data = c.write_data(folder, TextFormat::libsvm), text = encode_certificate(c.certificate);
  EXPECT_TRUE(decode_certificate(text, "c") == c.certificate);
  const auto refuse = [&](const std::string& from, const std::string& to, const std::string& message) {
    std::string mutant = text;
    ASSERT_TRUE(has(mutant, from)) << from;
    mutant = sealed(mutant.replace(mutant.find(from), from.size(), to));
    try {
      decode_certificate(mutant, "c");
      ADD_FAILURE() << message;
    } catch (const Error& error) {
      EXPECT_TRUE(has(error.message(), message)) << error.message();
    }
    expect_plain(65, mutant, {data}, message);
  };
  refuse("\"version\": 4", "\"version\": 3", "is not 4, the version with a multinomial minimum");
  refuse("\"loss\":\"multinomial logistic\"", "\"loss\":\"logistic\"", "is not 3, the version with a minimum");
  refuse("\"dual_variables_over\":\"96\"", "\"dual_variables_over\":\"97\"", "over one number");
  refuse("\"penalize_bias\":true", "\"penalize_bias\":true,\"more\":1", "unknown key \"more\"");
  refuse("\"weights_over\":\"64\"", "\"weights_over\":\"64\",\"primal\":\"3\"", "unknown key \"primal\"");
}

}  // namespace
}  // namespace halfspace::proof
