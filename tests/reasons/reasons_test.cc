// Contributions: they add up, they are those of the formula, and what must not change them.
#include "halfspace/reasons/reasons.h"

#include "reasons/reasons_support.h"

namespace halfspace {
namespace {

using namespace testing_reasons;

// The contributions by column name, from weights and features alone.
std::map<std::string, mpq_class> by_hand(const RandomModel& of, const Block& row, const Reference& reference,
                                         ComparedClasses classes) {
  const ClassWeightVector v = vectors_of_scores(of.model.weights);
  const Names names = of.model.schema.feature_names();
  std::vector<double> x(of.model.schema.features);
  row.with_example(0, [&](const auto& values) {
    for (std::uint32_t k = 0; k < values.size; ++k) x[values.index[k]] = values.value_at(k);
  });
  std::map<std::string, mpq_class> sums;
  for (std::uint32_t f = 0; f < of.model.schema.features; ++f) {
    const mpq_class w = v.classes == 1
                            ? mpq_class(v.w[f])
                            : mpq_class(mpq_class(v.w[f * v.classes + static_cast<std::uint32_t>(classes.label)]) -
                                        mpq_class(v.w[f * v.classes + static_cast<std::uint32_t>(classes.other)]));
    std::string name = names[f];
    if (name.rfind("log(", 0) == 0) name = "c";
    const bool product = name.find(':') != std::string::npos;
    if (product) {
      name = name.find("kind") != std::string::npos ? "a:kind" : "a:b";
    } else {
      name = name.substr(0, name.find('='));
    }
    const double from = f < reference.values.size() ? reference.values[f] : 0;
    sums[name] += w * (mpq_class(x[f]) - mpq_class(from));
  }
  return sums;
}

TEST(Reasons, AddUpToTheScore) {
  Generator draws(5);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const RandomModel of(seed, kind_of(seed));
    const std::vector<Cells> cells{of.row(draws), of.row(draws), of.row(draws), of.row(draws)};
    const std::vector<FoundRow> rows = of.found(cells);
    const std::vector<Reference> references{reference_at_zero(), reference_at_means(of.model),
                                            reference_at(rows[3].block, 0, "the last")};
    for (const Reference& reference : references) {
      Reasons reasons(of.model, reference);
      for (const FoundRow& row : rows) {
        const std::int32_t label = of.label(row.block);
        const ComparedClasses classes{label, label == 0 ? 1 : 0};
        RowReasons out;
        reasons.of(row.block, 0, classes, out);
        const auto expected = by_hand(of, row.block, reference, classes);
        double size = 0;
        mpq_class sum = 0;
        for (const auto& [name, value] : expected) size += std::abs(value.get_d());
        std::map<std::string, double> found;
        for (const Contribution& c : out.contributions) {
          found[reasons.columns().columns[c.column].name] = c.value;
          sum += mpq_class(c.value);
        }
        for (const auto& [name, value] : expected)
          EXPECT_NEAR(found[name], value.get_d(), 1e-14 * size) << name << " of " << seed;
        if (of.kind.whole && !of.kind.logarithm && !of.kind.scaled && &reference != &references[1]) {
          EXPECT_TRUE(sum == mpq_class(out.score) - mpq_class(out.reference)) << "exact where no product is rounded";
        }
        const std::vector<mpq_class> scores = of.scores(row.block);
        const mpq_class score = scores.size() == 1 ? scores[0]
                                                   : mpq_class(scores[static_cast<std::size_t>(classes.label)] -
                                                               scores[static_cast<std::size_t>(classes.other)]);
        EXPECT_NEAR(out.score, score.get_d(), 1e-14 * (size + std::abs(out.score) + std::abs(out.reference)));
      }
    }
  }
}

TEST(Reasons, ForTheLabelComeFirst) {
  Generator draws(6);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const RandomModel of(seed, kind_of(seed));
    const FoundRow row = of.found(of.row(draws));
    Reasons reasons(of.model, reference_at_means(of.model));
    const std::int32_t label = of.label(row.block);
    RowReasons out;
    reasons.of(row.block, 0, {label, label == 0 ? 1 : 0}, out);
    const double sign = of.kind.classes == 2 && label == 0 ? -1 : 1;
    const std::vector<Contribution> all = reasons.for_the_label(out, 100);
    std::size_t count = 0;
    for (const Contribution& c : out.contributions) count += sign * c.value > 0 ? 1U : 0U;
    ASSERT_EQ(all.size(), count);
    for (std::size_t k = 0; k < all.size(); ++k) {
      EXPECT_GT(sign * all[k].value, 0);
      if (k > 0) {
        EXPECT_GE(sign * all[k - 1].value, sign * all[k].value);
      }
    }
    const std::vector<Contribution> two = reasons.for_the_label(out, 2);
    ASSERT_EQ(two.size(), std::min<std::size_t>(2, count));
    for (std::size_t k = 0; k < two.size(); ++k) EXPECT_EQ(two[k].column, all[k].column);
  }
}

TEST(Reasons, TheRunnerUpIsCompared) {
  EXPECT_EQ(Reasons::with_runner_up(1, std::vector<double>{0.5}).other, 0);
  EXPECT_EQ(Reasons::with_runner_up(0, std::vector<double>{3, 1, 2}).other, 2);
  EXPECT_EQ(Reasons::with_runner_up(2, std::vector<double>{1, 1, 2}).other, 0);
}

TEST(Reasons, MeansAreThoseOfTheRows) {
  for (const bool scaled : {false, true}) {
    RandomModel of(1, {.scaled = scaled});
    const Reference means = reference_at_means(of.model);
    double sum = 0;
    for (const Cells& cells : of.rows) sum += cells[0].empty() ? 0 : std::stod(cells[0]);
    const int exponent = scaled ? of.model.schema.exponents[0] : 0;
    EXPECT_NEAR(std::ldexp(means.values[0], -exponent), sum / static_cast<double>(of.rows.size()), 1e-12);
  }
}

TEST(Reasons, CodesAreOfALabel) {
  const RandomModel of(1, {});
  Generator draws(7);
  const FoundRow row = of.found(of.row(draws));
  ExplainOptions options{reference_at_zero(), {}, {}};
  const Explanation plain = explain(of.model, row, options);
  ASSERT_GT(plain.for_label, 0U);
  const std::string path = of.folder.write("codes.csv",
                                           "column,code,text,label\na,R1,A,k0\na,R2,A,k1\nb,R3,B,k0\nb,R3,B,k1\n"
                                           "c,R4,C,\nkind,R5,K,\nshape,R6,S,\n");
  options.codes = read_codes(path);
  ASSERT_EQ(options.codes.size(), 7U);
  const Explanation coded = explain(of.model, row, options);
  ASSERT_FALSE(coded.reasons.empty());
  EXPECT_EQ(coded.reasons[0].column, plain.columns[0].name);
  for (const ReasonCode& reason : coded.reasons)
    EXPECT_TRUE(reason.label.empty() || reason.label == plain.label) << reason.code;
  const std::string others = plain.label == "k0" ? "k1" : "k0";
  options.codes = read_codes(of.folder.write("codes.csv", "column,code,text,label\na,R1,A," + others + "\n"));
  EXPECT_TRUE(explain(of.model, row, options).reasons.empty()) << "no letter is for this label";
  options.codes = read_codes(of.folder.write("codes.csv", "column,code,text\nnone,R1,A\n"));
  EXPECT_THROW(explain(of.model, row, options), Error) << "a column has no code";
  EXPECT_THROW(read_codes(of.folder.write("codes.csv", "column,code,text,label\na,R1,A,k0\na,R2,A,k0\n")), Error);
}

TEST(Reasons, AreRefusedWithoutWeightsByColumn) {
  RandomModel of(2, {});
  of.model.composition.keep = KeepName::vote;
  EXPECT_THROW(Reasons(of.model, reference_at_zero()), Error);
  of.model.composition.keep = KeepName::last;
  of.model.spread.reset();
  EXPECT_THROW(reference_at_means(of.model), Error);
}

}  // namespace
}  // namespace halfspace
