// Certificates that are right, and every way to spoil them: both checkers accept the one and refuse the other.

#include <zlib.h>

#include "base/json.h"
#include "proof/certificate_support.h"
#include "proof/verify/sha256.h"
#include "support/test.h"

namespace halfspace::proof {
namespace {

Point rational(std::initializer_list<const char*> numbers) {
  Point point;
  for (const char* number : numbers) point.emplace_back(number);
  return point;
}

std::vector<std::vector<std::string>> small(std::initializer_list<std::initializer_list<int>> rows) {
  std::vector<std::vector<std::string>> values;
  for (const auto& row : rows) {
    values.emplace_back();
    for (const int value : row) values.back().push_back(std::to_string(value));
  }
  return values;
}

Case separable() {
  Case c("separable", small({{6, 1}, {2, 5}, {7, 4}, {3, 3}, {1, 2}, {5, 0}, {0, 4}, {4, 2}}), {1, 1, 1, 1, 0, 0, 0, 1},
         BiasPosition::last);
  const std::uint32_t best = c.add_separator({rational({"2/95", "1/38", "-23/190"})});
  c.claim(ClaimKind::separable, best);
  c.claim(ClaimKind::mistakes_at_most, best, "4180");
  // The min-norm point's own weights: rows with least agreement, by hand from the optimality conditions 4 w0 + 5 w1.
  const std::uint32_t near = c.add_combination({{0, 1}, {5, 1}});
  c.claim(ClaimKind::margin_at_most, near);
  c.claim(ClaimKind::rule_a, best);
  c.claim(ClaimKind::errors_at_most, best, "0");
  return c;
}

Case exclusive_or(const char* scale = "1", BiasPosition bias = BiasPosition::last) {
  Case c("xor", small({{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}), {1, 0, 0, 1}, bias, scale);
  const std::uint32_t witness = c.add_combination({{0, 1}, {1, 1}, {2, 1}, {3, 1}});
  const std::uint32_t corner = c.add_separator({{-1, -1, mpq_class(-1) / mpq_class(scale)}});
  c.claim(ClaimKind::not_separable, witness);
  c.claim(ClaimKind::not_rule_a, witness);
  c.claim(ClaimKind::errors_at_most, corner, "1");
  c.claim(ClaimKind::errors_at_least, 0, "1");
  c.certificate.claims.back().tree.packing = {witness};
  return c;
}

// Separable only by a closed half-space; rule A, but not strictly.
Case weak() {
  Case c("weak", small({{2, 0}, {-2, 0}, {1, -1}}), {1, 1, 0}, BiasPosition::none);
  const std::uint32_t witness = c.add_combination({{0, mpq_class("1/2")}, {1, mpq_class("1/2")}});
  const std::uint32_t face = c.add_separator({{0, 1, 0}});
  c.claim(ClaimKind::not_separable, witness);
  c.claim(ClaimKind::rule_a, face);
  c.claim(ClaimKind::closed_half_space, face);
  c.claim(ClaimKind::errors_at_most, face, "2");
  c.claim(ClaimKind::errors_at_most, face, "0", ErrorRule::a);
  return c;
}

// Five directions around the origin: any witness has three, two are never disjoint, and yet two errors are forced.
Case five_directions() {
  Case c("five", small({{4, 0}, {1, 4}, {-3, 2}, {-3, -2}, {1, -4}}), {1, 1, 1, 1, 1}, BiasPosition::none);
  const auto cross = [&](std::size_t a, std::size_t b) {
    const Point p = c.point(a), q = c.point(b);
    return mpq_class(p[0] * q[1] - p[1] * q[0]);
  };
  const auto witness_without = [&](std::size_t gone) {
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t j = i + 1; j < 5; ++j) {
        for (std::size_t k = j + 1; k < 5; ++k) {
          if (i == gone || j == gone || k == gone) continue;
          const mpq_class a = cross(j, k), b = cross(k, i), d = cross(i, j);
          if (a > 0 && b > 0 && d > 0) return c.add_combination({{i, a}, {j, b}, {k, d}});
        }
      }
    }
    throw std::logic_error("no witness");
  };
  ErrorTree tree;
  tree.witness = witness_without(99);
  const std::vector<Term> terms = c.certificate.combinations[*tree.witness].terms;
  for (const Term& term : terms) tree.then.push_back({{witness_without(term.row - 1)}, {}, {}});
  c.claim(ClaimKind::not_separable, *tree.witness);
  c.claim(ClaimKind::errors_at_least, 0, "2");
  c.certificate.claims.back().tree = tree;
  c.claim(ClaimKind::errors_at_most, c.add_separator({{1, 3, 0}}), "2");
  return c;
}

Case three_classes() {
  Case c("kesler", small({{4, 1}, {3, -1}, {-4, 2}, {-3, -2}, {0, 7}, {1, 8}}), {0, 0, 1, 1, 2, 2}, BiasPosition::first,
         "2/3", Question::many_classes);
  const std::uint32_t by = c.add_separator({{4, 0, 0}, {-4, 0, 0}, {0, 4, mpq_class("-15")}});
  c.claim(ClaimKind::separable, by);
  return c;
}

Case three_classes_not() {
  Case c("kesler-not", small({{1, 0}, {1, 0}, {0, 1}}), {0, 2, 1}, BiasPosition::none, "1", Question::many_classes);
  c.certificate.combinations.push_back({{{0, 1, 0, 2, "7"}, {0, 2, 2, 0, "7"}}, "0"});
  c.claim(ClaimKind::not_separable, 0);
  return c;
}

Case tiny_and_huge() {
  const double least = 4.9406564584124654e-324, most = 8.9884656743115795e+307;
  Case c("huge", {{exact_decimal(most), exact_decimal(least)}, {exact_decimal(-most), exact_decimal(2 * least)}},
         {1, 1}, BiasPosition::none);
  c.claim(ClaimKind::separable, c.add_separator({{0, 1, 0}}));
  // The doubles are exact rationals: a convex combination whose first coordinate is 0.
  c.claim(ClaimKind::margin_at_most, c.add_combination({{0, 1}, {1, 1}}));
  return c;
}

Case tenths() {
  Case c("tenths", {{".1", "1"}, {"2e-1", "+1.0"}, {"-0.30", "-2"}}, {1, 1, 1}, BiasPosition::none);
  c.claim(ClaimKind::not_separable, c.add_combination({{0, 1}, {1, 1}, {2, 1}}));
  return c;
}

Case undecided() {
  Case c("undecided", small({{3, 1}, {1, 2}}), {1, 1}, BiasPosition::none);
  c.claim(ClaimKind::margin_at_most, c.add_combination({{0, 2}, {1, 5}}));
  return c;
}

std::vector<Case> all_cases() {
  return {separable(),
          exclusive_or(),
          exclusive_or("2/7", BiasPosition::first),
          weak(),
          five_directions(),
          three_classes(),
          three_classes_not(),
          tiny_and_huge(),
          tenths(),
          undecided()};
}

TEST(Verify, BothCheckersAcceptWhatIsRight) {
  TemporaryFolder folder;
  for (Case& c :
       [] {
         static std::vector<Case> cases;
         cases = all_cases();
         return std::ref(cases);
       }()
           .get()) {
    for (const TextFormat format : {TextFormat::libsvm, TextFormat::csv}) {
      const std::string data = c.write_data(folder, format);
      const std::string text = encode_certificate(c.certificate);
      const Verification result = verify(decode_certificate(text, "c"), {data});
      EXPECT_TRUE(result.valid) << c.name << ": " << result.reason;
      EXPECT_FALSE(result.checked.empty());
      expect_plain(0, text, {data}, c.name);
    }
  }
}

TEST(Verify, EveryChangedDigitIsRefused) {
  TemporaryFolder folder;
  std::size_t mutants = 0;
  std::map<int, std::size_t> refusals;
  for (Case& c :
       [] {
         static std::vector<Case> cases;
         cases = all_cases();
         return std::ref(cases);
       }()
           .get()) {
    const bool long_numbers = c.name == "huge";
    const std::string data = c.write_data(folder, TextFormat::libsvm);
    const std::string text = encode_certificate(c.certificate);
    const std::size_t end = text.rfind("\"checksum\"");
    for (std::size_t at = text.find("\"question\""); at < end; ++at) {
      if (text[at] < '0' || text[at] > '9') continue;
      if (long_numbers && at % 97 != 0) continue;
      // Its witnesses can stand in for one another.
      if (c.name == "five" &&
          (text.compare(at - 5, 5, "\"by\":") == 0 || text.compare(at - 11, 11, "\"packing\":[") == 0))
        continue;
      for (const char digit : {text[at] == '9' ? '1' : static_cast<char>(text[at] + 1), text[at] == '1' ? '2' : '1'}) {
        if (digit == text[at]) continue;
        std::string mutant = text;
        mutant[at] = digit;
        EXPECT_EQ(status_of(mutant, {data}), 65) << "the checksum";
        mutant = sealed(mutant);
        const int status = status_of(mutant, {data});
        const std::string around = text.substr(at > 60 ? at - 60 : 0, 120);
        EXPECT_TRUE(status == 1 || status == 65)
            << c.name << " accepted with " << digit << " at " << at << ": " << around;
        ++refusals[status];
        expect_plain(status, mutant, {data}, c.name + " with " + digit + " at " + std::to_string(at) + ": " + around);
        ++mutants;
      }
    }
  }
  EXPECT_GT(mutants, 1000u);
  EXPECT_GT(refusals[1], 500u);
}

using Change = std::function<void(Certificate&)>;

TEST(Verify, EveryLieIsRefused) {
  TemporaryFolder folder;
  const auto refuse = [&](Case c, const char* what, int expected, const Change& change) {
    const std::string data = c.write_data(folder, TextFormat::libsvm);
    ASSERT_EQ(status_of(encode_certificate(c.certificate), {data}), 0) << c.name;
    change(c.certificate);
    std::string text;
    ASSERT_NO_THROW(text = encode_certificate(c.certificate)) << what;
    EXPECT_EQ(status_of(text, {data}), expected) << c.name << ": " << what;
    expect_plain(expected, text, {data}, std::string(what));
  };
  const auto flip = [](Certificate& c) { std::swap(c.data.classes[0].labels, c.data.classes[1].labels); };
  refuse(separable(), "label map flipped", 1, flip);
  refuse(exclusive_or(), "label map flipped", 1, flip);
  refuse(weak(), "label map flipped", 1, flip);
  refuse(weak(), "label map flipped, counts too", 1,
         [](Certificate& c) { std::swap(c.data.classes[0], c.data.classes[1]); });
  refuse(separable(), "verdict flipped", 1, [](Certificate& c) { c.verdict = Verdict::not_separable; });
  refuse(exclusive_or(), "verdict flipped", 1, [](Certificate& c) { c.verdict = Verdict::separable; });
  refuse(separable(), "undecided instead", 1, [](Certificate& c) { c.verdict = Verdict::undecided; });
  refuse(undecided(), "separable instead", 1, [](Certificate& c) { c.verdict = Verdict::separable; });
  refuse(separable(), "verdict without claim", 1, [](Certificate& c) { c.claims.clear(); });
  refuse(separable(), "no bias", 1, [](Certificate& c) {
    c.data.bias = BiasPosition::none;
    c.separators[0].vectors[0].bias = "0";
  });
  refuse(exclusive_or("2/7"), "another bias scale", 1, [](Certificate& c) { c.data.bias_scale = "2/5"; });
  refuse(separable(), "weights zeroed", 1, [](Certificate& c) {
    for (std::string& w : c.separators[0].vectors[0].weights) w = "0";
  });
  refuse(separable(), "weights negated", 1, [](Certificate& c) {
    for (std::string& w : c.separators[0].vectors[0].weights) w = w[0] == '-' ? w.substr(1) : "-" + w;
  });
  refuse(exclusive_or(), "row swapped", 1,
         [](Certificate& c) { std::swap(c.combinations[0].terms[0].klass, c.combinations[0].terms[1].klass); });
  refuse(weak(), "another row", 1, [](Certificate& c) { c.combinations[0].terms[1] = {0, 3, 0, 0, "1"}; });
  refuse(exclusive_or(), "row dropped", 1, [](Certificate& c) {
    c.combinations[0].terms.pop_back();
    c.claims.resize(2);
  });
  refuse(separable(), "a row fewer", 1, [](Certificate& c) { c.data.sources[0].rows = 9; });
  refuse(separable(), "too many features", 1, [](Certificate& c) {
    c.data.features = 1;
    c.separators[0].vectors[0].weights.pop_back();
  });
  refuse(separable(), "zero-based", 1, [](Certificate& c) { c.data.zero_based = true; });
  refuse(separable(), "rows left out", 1, [](Certificate& c) {
    c.data.excluded.labels = {"+1"};
    c.data.classes[1].labels = {};
  });
  refuse(separable(), "a label twice", 1, [](Certificate& c) { c.data.classes[1].labels.push_back("1.0"); });
  refuse(separable(), "a label missing", 1, [](Certificate& c) { c.data.classes[1].labels = {"2"}; });
  Case on_the_line("a negative row of score 0", small({{1}, {0}}), {1, 0}, BiasPosition::none);
  on_the_line.certificate.verdict = Verdict::undecided;
  on_the_line.claim(ClaimKind::errors_at_most, on_the_line.add_separator({{1, 0}}), "1");
  refuse(on_the_line, "a score of 0 is right by rule A", 1, [](Certificate& c) {
    c.claims[0] = {};
    c.claims[0].kind = ClaimKind::rule_a;
  });
  refuse(separable(), "fewer mistakes", 1, [](Certificate& c) { c.claims[1].count = "4179"; });
  refuse(separable(), "not separable by a distance", 1, [](Certificate& c) {
    c.claims[0].kind = ClaimKind::not_separable;
    c.verdict = Verdict::not_separable;
  });
  refuse(exclusive_or(), "separable by one error", 1, [](Certificate& c) {
    c.claims[0].kind = ClaimKind::separable;
    c.verdict = Verdict::separable;
  });
  refuse(exclusive_or(), "margin by a witness", 1,
         [](Certificate& c) { c.claims[1].kind = ClaimKind::margin_at_most; });
  refuse(exclusive_or(), "rule A by one error", 1, [](Certificate& c) {
    c.claims[2] = {ClaimKind::rule_a, 0, "0", ErrorRule::b, {}};
  });
  refuse(exclusive_or(), "closed half-space by one error", 1, [](Certificate& c) {
    c.claims[2] = {ClaimKind::closed_half_space, 0, "0", ErrorRule::b, {}};
  });
  refuse(exclusive_or(), "mistakes by one error", 1, [](Certificate& c) {
    c.claims[2] = {ClaimKind::mistakes_at_most, 0, "9", ErrorRule::b, {}};
  });
  refuse(exclusive_or(), "a witness twice", 1, [](Certificate& c) {
    c.claims[3].tree.packing = {0, 0};
    c.claims[3].count = "2";
  });
  refuse(weak(), "strict by a closed half-space", 1, [](Certificate& c) {
    c.claims[0] = {ClaimKind::separable, 0, "0", ErrorRule::b, {}};
    c.verdict = Verdict::separable;
  });
  refuse(weak(), "rule A refuted by positive rows", 1, [](Certificate& c) {
    c.claims[1] = {ClaimKind::not_rule_a, 0, "0", ErrorRule::b, {}};
  });
  refuse(weak(), "an error by rule A from positive rows", 1, [](Certificate& c) {
    c.claims[4] = {ClaimKind::errors_at_least, 0, "1", ErrorRule::a, {{0}, {}, {}}};
  });
  refuse(weak(), "rule B's errors by rule A", 1, [](Certificate& c) { c.claims[3].tie = ErrorRule::a; });
  refuse(five_directions(), "a witness on a row that does not count", 1,
         [](Certificate& c) { c.claims[1].tree.then[0].packing = {*c.claims[1].tree.witness}; });
  refuse(five_directions(), "a branch with nothing", 1,
         [](Certificate& c) { c.claims[1].tree.then[2].packing.clear(); });
  refuse(five_directions(), "witnesses that share rows", 1, [](Certificate& c) {
    c.claims[1].tree = {{0, 1}, {}, {}};
  });
  refuse(three_classes(), "vectors swapped", 1,
         [](Certificate& c) { std::swap(c.separators[0].vectors[0], c.separators[0].vectors[1]); });
  refuse(three_classes_not(), "another rival", 1, [](Certificate& c) { c.combinations[0].terms[0].rival = 1; });
  // All on the boundary is no half-space worth the name.
  refuse(weak(), "closed half-space by zero weights", 1, [](Certificate& c) {
    c.separators.push_back({{{{"0", "0"}, "0"}}, "0", "0", 0, 1, 2});
    c.claims[2].by = 1;
  });
}

// What the form alone forbids is no certificate: exit status 65, whatever the checksum says.
TEST(Verify, WhatIsNoCertificateIsRefusedByBoth) {
  TemporaryFolder folder;
  Case c = exclusive_or();
  const std::string data = c.write_data(folder, TextFormat::libsvm);
  const std::string text = encode_certificate(c.certificate);
  const auto refuse = [&](const std::string& mutant) {
    EXPECT_EQ(status_of(mutant, {data}), 65) << mutant;
    expect_plain(65, mutant, {data}, mutant);
  };
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string mutant = text;
    const std::size_t at = mutant.find(from);
    if (at == std::string::npos) throw std::logic_error("no " + from);
    refuse(sealed(mutant.replace(at, from.size(), to)));
  };
  for (std::size_t length = 0; length < text.size(); length += length + 200 < text.size() ? 7 : 1)
    refuse(text.substr(0, length));
  refuse(text + "\n");
  refuse(" " + text);
  replaced("\"version\": 1", "\"version\": 2");
  replaced("\"version\": 1", "\"version\": true");
  replaced("\"version\": 1", "\"version\": 1.0");
  replaced("\"version\": 1", "\"version\": 1,\n\"version\": 1");
  replaced("\"version\": 1", "\"version\": 1,\n\"more\": 1");
  replaced("\"tool\": \"by hand\",\n", "");
  replaced("\"tool\": \"by hand\"", "\"tool\": null");
  replaced("two classes", "many classes");
  replaced("not separable", "inseparable");
  replaced("\"weight\":\"1\"", "\"weight\":\"-1\"");
  replaced("\"weight\":\"1\"", "\"weight\":\"0\"");
  replaced("\"weight\":\"1\"", "\"weight\":\"01\"");
  replaced("\"weight\":\"1\"", "\"weight\":\"+1\"");
  replaced("\"weight\":\"1\"", "\"weight\":\"1.0\"");
  replaced("\"weight\":\"1\"", "\"weight\":\"1/2\"");
  replaced("\"weight\":\"1\"", "\"weight\":\"\"");
  replaced("\"weight\":\"1\"", "\"weight\":1");
  replaced("\"weight\":\"1\"", "\"weight\":\"1\\n\"");
  replaced("\"weight\":\"1\"", "\"weight\":\"١\"");
  replaced("\"squared_distance\":\"0\"", "\"squared_distance\":\"0/2\"");
  replaced("\"squared_distance\":\"0\"", "\"squared_distance\":\"2/4\"");
  replaced("\"squared_distance\":\"0\"", "\"squared_distance\":\"2/1\"");
  replaced("\"squared_distance\":\"0\"", "\"squared_distance\":\"1/-2\"");
  replaced("\"squared_distance\":\"0\"", "\"squared_distance\":\"-0\"");
  replaced("\"minimum\":\"-", "\"minimum\":\"--");
  replaced("\"row\":2", "\"row\":1");
  replaced("\"row\":2", "\"row\":0");
  replaced("\"row\":4", "\"row\":5");
  replaced("\"row\":4", "\"row\":-4");
  replaced("\"row\":4", "\"row\":4.0");
  replaced("\"row\":1", "\"row\":-0");
  replaced("\"row\":4", "\"row\":NaN");
  replaced("\"class\":1", "\"class\":2");
  replaced("\"source\":0", "\"source\":1");
  replaced("\"source\":0", "\"source\":0,\"rival\":0");
  replaced("\"by\":0", "\"by\":1");
  replaced("\"packing\":[0]", "\"packing\":[1]");
  replaced("\"packing\":[0]", "\"witness\":0,\"then\":[]");
  replaced("\"tie\":\"B\"", "\"tie\":\"C\"");
  replaced("\"bias_scale\":\"1\"", "\"bias_scale\":\"0\"");
  replaced("\"bias_scale\":\"1\"", "\"bias_scale\":\"-1\"");
  replaced("\"bias\":\"last\"", "\"bias\":\"none\"");
  replaced("\"zero_based\":false", "\"zero_based\":0");
  replaced("\"numbers\":\"decimal\"", "\"numbers\":\"byte\"");
  replaced("\"format\":\"libsvm\"", "\"format\":\"csv\"");
  replaced("\"features\":2", "\"features\":3");
  replaced("\"features\":2", "\"features\":4294967298");
  replaced("\"wrong\":1", "\"wrong\":\"1\"");
  const std::size_t terms = text.find("\"terms\":["), after = text.find(']', terms);
  refuse(sealed(std::string(text).replace(terms, after - terms, "\"terms\":[")));
  std::string deep = "{\"packing\":[]}";
  for (int i = 0; i < 70; ++i)
    deep = "{\"witness\":0,\"then\":[" + deep + ",{\"packing\":[]},{\"packing\":[]},{\"packing\":[]}]}";
  replaced("{\"packing\":[0]}", deep);
  replaced("{\"packing\":[0]}", std::string(100'000, '['));
  replaced("{\"packing\":[0]}", std::string(100'000, '[') + std::string(100'000, ']'));
}

// Numbers of every width: the verifier's integers against plain rationals.
TEST(Verify, RandomCasesAgreeWithPlainRationals) {
  TemporaryFolder folder;
  std::mt19937_64 chance(4);
  const auto below = [&](std::uint64_t n) { return chance() % n; };
  const auto whole = [&](std::uint64_t digits) {
    std::string text = below(2) == 0 ? "-" : "";
    for (std::uint64_t i = 0; i < digits; ++i) text += static_cast<char>('1' + below(9));
    return text;
  };
  for (int i = 0; i < 300; ++i) {
    const std::uint64_t width = std::array{1, 9, 18, 19, 40}[below(5)], weight = std::array{1, 6, 18, 19, 60}[below(5)];
    const std::uint64_t features = std::array{1, 2, 3, 70}[below(4)], rows = 1 + below(6);
    const bool many = below(4) == 0, powers = below(2) == 0;
    std::vector<std::vector<std::string>> values(rows);
    std::vector<std::uint32_t> klass;
    for (auto& row : values) {
      for (std::uint64_t j = 0; j < features; ++j) {
        row.push_back(below(4) == 0 ? "0"
                                    : whole(1 + below(width)) +
                                          (powers ? "e" + std::to_string(static_cast<int>(below(25)) - 12) : ""));
      }
      klass.push_back(static_cast<std::uint32_t>(below(many ? 3 : 2)));
    }
    if (many) klass[0] = 2;
    const std::uint64_t bias = below(3);
    Case c("random" + std::to_string(i), values, klass, static_cast<BiasPosition>(bias),
           bias == 0 ? "1" : std::array{"1", "10", "3/7", "22/1001"}[below(3)],
           many ? Question::many_classes : Question::two_classes);
    std::vector<Point> vectors(many ? 3 : 1);
    for (Point& w : vectors) {
      for (std::uint64_t j = 0; j <= features; ++j) w.emplace_back(j == features && bias == 0 ? "0" : whole(weight));
    }
    c.add_separator(vectors);
    if (!many) {
      std::vector<std::pair<std::size_t, mpq_class>> terms;
      for (std::size_t k = 0; k < rows; ++k) terms.emplace_back(k, abs(mpq_class(whole(weight))));
      c.claim(ClaimKind::margin_at_most, c.add_combination(terms));
      if (c.certificate.combinations[0].squared_distance == "0") c.certificate.claims.clear();
      const Separator& separator = c.certificate.separators[0];
      if (separator.minimum[0] != '-' && separator.minimum != "0") {
        mpq_class radius = 0;
        for (std::size_t k = 0; k < rows; ++k) {
          mpq_class square = 0;
          for (const mpq_class& x : c.point(k)) square += x * x;
          radius = std::max(radius, square);
        }
        const mpq_class minimum(separator.minimum),
            bound = radius * mpq_class(separator.squared_norm) / (minimum * minimum);
        c.claim(ClaimKind::mistakes_at_most, 0, mpz_class(bound.get_num() / bound.get_den()).get_str());
      }
    }
    const std::string data = c.write_data(folder, i % 2 == 0 ? TextFormat::libsvm : TextFormat::csv);
    const std::string text = encode_certificate(c.certificate);
    const Verification result = verify(decode_certificate(text, "c"), {data});
    ASSERT_TRUE(result.valid) << result.reason;
    expect_plain(0, text, {data}, c.name);
  }
}

// 70 products of 62-bit weights and 60-bit values: their sum has more than 127 bits.
TEST(Verify, ScoresThatOutgrow128Bits) {
  TemporaryFolder folder;
  Case c("wide", {std::vector<std::string>(70, "999999999999999999"), std::vector<std::string>(70, "1")}, {1, 1},
         BiasPosition::none);
  Point w(71, mpq_class("4611686018427387903"));
  w.back() = 0;
  c.claim(ClaimKind::separable, c.add_separator({w}));
  const std::string data = c.write_data(folder, TextFormat::libsvm);
  EXPECT_EQ(status_of(encode_certificate(c.certificate), {data}), 0);
}

TEST(Verify, ColumnsAndLabelsAreAsTheCertificateSays) {
  using Role = CsvColumn::Role;
  TemporaryFolder folder;
  Case c("columns", small({{1, 1, 0, 0, 0}, {0, 0, 1, 0, 1}}), {1, 0}, BiasPosition::last);
  c.claim(ClaimKind::separable, c.add_separator({{0, 3, 0, 0, -1, 0}}));
  Data& data = c.certificate.data;
  const std::string path = folder.write("columns.csv", "note;colour;age;y\n;red;1;good\nx;blue;NA;bad\n");
  data.format = TextFormat::csv;
  data.delimiter = ';';
  data.columns = {{"note", Role::ignored, {}, {}, {}, {}},
                  {"colour", Role::categorical, {}, 3, {"blue", "red"}, {4, 1}},
                  {"age", Role::numeric, 0, 2, {}, {}},
                  {"y", Role::label, {}, {}, {}, {}}};
  data.sources = {{describe_files(TextFormat::csv, path), 2}};
  data.classes = {{{"bad"}, 1}, {{"good"}, 1}};
  const auto expect = [&](int status, const char* what, const Change& change) {
    Certificate changed = c.certificate;
    change(changed);
    const std::string text = encode_certificate(changed);
    EXPECT_EQ(status_of(text, {path}), status) << what;
    expect_plain(status, text, {path}, what);
  };
  expect(0, "as it is", [](Certificate&) {});
  expect(1, "categories swapped",
         [](Certificate& x) { std::swap(x.data.columns[1].coordinates[0], x.data.columns[1].coordinates[1]); });
  expect(1, "another name", [](Certificate& x) { x.data.columns[0].name = "notes"; });
  expect(1, "no header", [](Certificate& x) { x.data.header = false; });
  expect(1, "another delimiter", [](Certificate& x) { x.data.delimiter = ','; });
  expect(1, "categories in another column",
         [](Certificate& x) { std::swap(x.data.columns[0].role, x.data.columns[3].role); });
  expect(1, "labels exchanged", [](Certificate& x) { std::swap(x.data.classes[0], x.data.classes[1]); });
}

// How a table was read is part of what was found: another label is another question.
TEST(Verify, SaysHowATableIsRead) {
  TemporaryFolder folder;
  const std::string path = folder.write("t.csv", "id,colour,age,y\n1,red,2,good\n2,blue,1,bad\n3,red,4,unknown\n");
  Case c("table", small({{1, 0, 2}, {0, 1, 1}}), {1, 0}, BiasPosition::none);
  c.claim(ClaimKind::separable, c.add_separator({{2, -2, 0, 0}}));
  using Role = CsvColumn::Role;
  Data& data = c.certificate.data;
  data.format = TextFormat::csv;
  data.columns = {{"id", Role::ignored, {}, {}, {}, {}},
                  {"colour", Role::categorical, {}, {}, {"red", "blue"}, {0, 1}},
                  {"age", Role::numeric, 2, {}, {}, {}},
                  {"y", Role::label, {}, {}, {}, {}}};
  data.sources = {{describe_files(TextFormat::csv, path), 3}};
  data.classes = {{{"bad"}, 1}, {{"good"}, 1}};
  data.excluded = {{"unknown"}, 1};
  const auto said = [&] {
    const Verification result = verify(decode_certificate(encode_certificate(c.certificate), "c"), {path});
    EXPECT_TRUE(result.valid) << result.reason;
    std::string all;
    for (const std::string& sentence : result.checked) all += sentence + "\n";
    return all;
  };
  const std::string all = said();
  EXPECT_TRUE(has(all, "the first line names the columns; ',' between values\n", "the label is in the column 'y'\n",
                  "numbers are in the column 'age'\n", "categories are in the column 'colour'\n",
                  "the ignored column is 'id'\n", "1 row labelled 'unknown' are excluded\n"));
  // A verdict about some rows of one class is said to be one; about none of the rows it is none.
  data.classes = {{{}, 0}, {{"good"}, 1}};
  data.excluded = {{"bad", "unknown"}, 2};
  EXPECT_TRUE(has(said(), "all rows are of one class: there is nothing to separate\n"));
  data.classes = {{{}, 0}, {{}, 0}};
  data.excluded = {{"good", "bad", "unknown"}, 3};
  c.certificate.separators[0].minimum = "none";
  EXPECT_EQ(status_of(encode_certificate(c.certificate), {path}), 1);
  expect_plain(1, encode_certificate(c.certificate), {path}, "every row left out");
}

TEST(Verify, OtherDataAreRefused) {
  TemporaryFolder folder;
  Case c = separable();
  const std::string data = c.write_data(folder, TextFormat::libsvm);
  const std::string text = encode_certificate(c.certificate), rows = c.libsvm();
  const auto refuse = [&](const std::vector<std::string>& paths, const std::string& what) {
    EXPECT_EQ(status_of(text, paths), 1) << what;
    expect_plain(1, text, paths, what);
  };
  for (std::size_t at = 0; at < rows.size(); ++at) {
    std::string other = rows;
    other[at] = other[at] == '1' ? '2' : '1';
    refuse({folder.write("other" + std::to_string(at), other)}, "byte " + std::to_string(at));
  }
  refuse({folder.write("longer", rows + "\n")}, "a blank line more");
  refuse({folder.write("shorter", rows.substr(0, rows.size() - 1))}, "the last line end missing");
  refuse({folder.write("empty", "")}, "no text");
  refuse({data, data}, "a file too many");
  EXPECT_EQ(status_of(text, {}), 1);
  EXPECT_EQ(status_of(text, {folder.path() + "/absent"}), 66);
  EXPECT_EQ(status_of(text, {folder.path()}), 66);
  // Compressed it is the same text.
  const std::string packed = folder.path() + "/data.gz";
  gzFile file = gzopen(packed.c_str(), "wb");
  gzwrite(file, rows.data(), static_cast<unsigned>(rows.size()));
  gzclose(file);
  EXPECT_EQ(status_of(text, {packed}), 0);
  EXPECT_EQ(plain_check(folder.write("cert", text), {packed}).status, 0);
}

TEST(Verify, SourcesAreOneSet) {
  TemporaryFolder folder;
  Case c = exclusive_or();
  c.write_data(folder, TextFormat::libsvm);
  const std::string first = folder.write("first", "+1 1:1 2:1\n0 1:5\n-1.0 1:1 2:-1\n"),
                    second = folder.write("second", "-1 1:-1 2:1 # a remark\n\n1 1:-1 2:-1\n");
  c.certificate.data.sources = {{describe_files(TextFormat::libsvm, first), 3},
                                {describe_files(TextFormat::libsvm, second), 2}};
  c.certificate.data.excluded = {{"0"}, 1};
  c.certificate.combinations[0].terms = {{0, 1, 1, 0, "1"}, {0, 3, 0, 0, "1"}, {1, 1, 0, 0, "1"}, {1, 2, 1, 0, "1"}};
  const std::string text = encode_certificate(c.certificate);
  EXPECT_EQ(status_of(text, {first, second}), 0);
  EXPECT_EQ(status_of(text, {second, first}), 1);
  expect_plain(0, text, {first, second}, "two sources");
  expect_plain(1, text, {second, first}, "in another order");
  c.certificate.combinations[0].terms[0] = {0, 2, 1, 0, "1"};
  EXPECT_EQ(status_of(encode_certificate(c.certificate), {first, second}), 1);
  expect_plain(1, encode_certificate(c.certificate), {first, second}, "a row that is left out");
}

TEST(Verify, TheCommandAndItsExitCodes) {
  TemporaryFolder folder;
  Case c = separable();
  const std::string data = c.write_data(folder, TextFormat::csv);
  const std::string good = folder.write("good.json", encode_certificate(c.certificate));
  c.certificate.separators[0].wrong = 1;
  const std::string bad = folder.write("bad.json", encode_certificate(c.certificate));
  const std::string broken = folder.write("broken.json", "{}");
  const auto expect = [&](const std::string& arguments, int status) {
    for (const std::string& program : {std::string("'" HALFSPACE_COMMAND "' verify"), checker()}) {
      const Outcome outcome = run(program + " " + arguments);
      EXPECT_EQ(outcome.status, status) << program << " " << arguments << "\n" << outcome.output;
    }
  };
  const auto q = [](const std::string& path) { return "'" + path + "'"; };
  expect(q(good) + " " + q(data), 0);
  expect(q(bad) + " " + q(data), 1);
  expect(q(broken) + " " + q(data), 65);
  expect(q(good) + " " + q(data + "x"), 66);
  expect(q(good + "x") + " " + q(data), 66);
  expect(q(good), 2);
  const Outcome human = run("'" HALFSPACE_COMMAND "' verify " + q(good) + " " + q(data));
  EXPECT_TRUE(human.output.ends_with("valid: separable\n")) << human.output;
  const Outcome json = run("'" HALFSPACE_COMMAND "' verify --json " + q(bad) + " " + q(data));
  EXPECT_EQ(json.status, 1);
  const Json result = Json::parse(json.output);
  EXPECT_EQ(result["valid"], false);
  EXPECT_EQ(result["verdict"], "separable");
  EXPECT_TRUE(has(result["reason"].get<std::string>(), "wrong rows"));
}

}  // namespace
}  // namespace halfspace::proof
