// The golden cases of separability, as certificates that both checkers accept.

#include "base/json.h"
#include "proof/certificate_support.h"
#include "support/test.h"

namespace halfspace::proof {
namespace {

std::filesystem::path golden_folder() {
  const char* named = std::getenv("HALFSPACE_GOLDEN");
  return named != nullptr ? std::filesystem::path(named)
                          : std::filesystem::path(HALFSPACE_SOURCE_DIR) / "tests/golden/cases";
}

Case case_of(const Json& golden) {
  std::vector<std::vector<std::string>> values;
  std::vector<std::uint32_t> klass;
  for (const Json& x : golden["input"]["X"]) {
    values.emplace_back();
    for (const Json& number : x) values.back().push_back(decimal(number));
  }
  for (const Json& y : golden["input"]["y"]) klass.push_back(y.get<int>() > 0 ? 1 : 0);
  const bool bias = golden["input"].value("bias", "none") != "none";
  return {golden["id"], values, klass, bias ? BiasPosition::last : BiasPosition::none};
}

// Weights as the cases have them: with the bias coordinate last, when there is one.
Point weights_of(const Json& numbers, const Case& c) {
  Point w;
  for (const Json& number : numbers) w.emplace_back(number.get<std::string>());
  w.resize(c.certificate.data.features + 1);
  return w;
}

// Positive weights of rows that add up to 0, where they are unique up to a factor: the null vector of the signed
// points.
std::vector<std::pair<std::size_t, mpq_class>> witness_on(const std::vector<std::size_t>& rows, const Case& c) {
  const std::size_t n = rows.size();
  std::vector<Point> equations(c.certificate.data.features + 1, Point(n));
  for (std::size_t k = 0; k < n; ++k) {
    const Point x = c.point(rows[k]);
    for (std::size_t j = 0; j < x.size(); ++j) equations[j][k] = c.klass[rows[k]] == 1 ? x[j] : mpq_class(-x[j]);
  }
  std::vector<std::size_t> pivots;
  std::size_t used = 0, free_column = n;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t at = used;
    while (at < equations.size() && equations[at][k] == 0) ++at;
    if (at == equations.size()) {
      free_column = k;
      continue;
    }
    std::swap(equations[at], equations[used]);
    const Point pivot_row = equations[used];
    for (std::size_t i = 0; i < equations.size(); ++i) {
      if (i == used) continue;
      const mpq_class factor = equations[i][k] / pivot_row[k];
      for (std::size_t m = 0; m < n; ++m) equations[i][m] -= factor * pivot_row[m];
    }
    pivots.push_back(k);
    ++used;
  }
  std::vector<mpq_class> weight(n);
  weight.at(free_column) = 1;
  for (std::size_t i = 0; i < pivots.size(); ++i)
    weight[pivots[i]] = -equations[i][free_column] / equations[i][pivots[i]];
  std::vector<std::pair<std::size_t, mpq_class>> witness;
  for (std::size_t k = 0; k < n; ++k) witness.emplace_back(rows[k], weight[k]);
  return witness;
}

void claim_separability(const Json& expect, Case& c) {
  if (expect["strict"].get<bool>()) {
    c.claim(ClaimKind::separable, c.add_separator({weights_of(expect["certificate"], c)}));
    if (!expect.contains("min_norm_point")) return;
    const std::uint32_t best = c.add_separator({weights_of(expect["min_norm_point"], c)});
    const Separator& separator = c.certificate.separators[best];
    const mpq_class minimum(separator.minimum);
    EXPECT_TRUE(minimum * minimum / mpq_class(separator.squared_norm) ==
                mpq_class(expect["max_margin2"].get<std::string>()));
    const mpq_class bound(expect["novikoff_opt"].get<std::string>());
    c.claim(ClaimKind::mistakes_at_most, best, mpz_class(bound.get_num() / bound.get_den()).get_str());
    return;
  }
  std::vector<std::pair<std::size_t, mpq_class>> rows;
  for (std::size_t i = 0; i < expect["certificate"].size(); ++i) {
    const mpq_class weight(expect["certificate"][i].get<std::string>());
    if (weight == 0) continue;
    const std::size_t size = expect["certificate"].size();
    rows.emplace_back(size == expect["support"].size() ? expect["support"][i].get<std::size_t>() : i, weight);
  }
  const std::uint32_t witness = c.add_combination(rows);
  c.claim(ClaimKind::not_separable, witness);
  if (!expect["ruleA"].get<bool>()) c.claim(ClaimKind::not_rule_a, witness);
}

void claim_errors(const Json& expect, Case& c) {
  for (const ErrorRule tie : {ErrorRule::a, ErrorRule::b}) {
    const Json& bracket = expect[tie == ErrorRule::a ? "A" : "B"];
    c.claim(ClaimKind::errors_at_most, c.add_separator({weights_of(bracket["example_w"], c)}),
            std::to_string(bracket["min_errors"].get<int>()), tie);
    ErrorTree packing;
    for (const Json& rows : bracket["greedy_packing"]) {
      packing.packing.push_back(c.add_combination(witness_on(rows.get<std::vector<std::size_t>>(), c)));
    }
    c.claim(ClaimKind::errors_at_least, 0, std::to_string(bracket["lower"].get<int>()), tie);
    c.certificate.claims.back().tree = packing;
  }
}

TEST(Golden, BothCheckersAcceptTheCasesOfSeparability) {
  TemporaryFolder folder;
  std::size_t cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(golden_folder())) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    const Json golden = Json::parse(file);
    if (golden["algo"] != "separability" && golden["algo"] != "min_errors") continue;
    SCOPED_TRACE(golden["id"].get<std::string>());
    Case c = case_of(golden);
    if (golden["algo"] == "separability") {
      claim_separability(golden["expect"], c);
    } else {
      claim_errors(golden["expect"], c);
    }
    for (const TextFormat format : {TextFormat::libsvm, TextFormat::csv}) {
      const std::string data = c.write_data(folder, format);
      const std::string text = encode_certificate(c.certificate);
      const Verification result = verify(decode_certificate(text, "golden"), {data});
      EXPECT_TRUE(result.valid) << result.reason;
      const Outcome python = plain_check(folder.write("certificate", text), {data});
      EXPECT_EQ(python.status, 0) << python.output;
    }
    ++cases;
  }
  EXPECT_GE(cases, 18u);
}

}  // namespace
}  // namespace halfspace::proof
