// Which coefficients are infinite: tables whose answers are known, and certificates that say otherwise.

#include <cstdio>

#include "certificate_support.h"
#include "halfspace/base/error.h"
#include "halfspace/proof/certify.h"
#include "halfspace/proof/verify/verify.h"
#include "proof/certify/proof_text.h"
#include "support/test.h"

namespace halfspace {
namespace {

using proof::Certificate;
using proof::CoefficientSign;
using proof::TemporaryFolder;

CertifyResult certified(const std::string& path, proof::BiasPosition bias = proof::BiasPosition::last) {
  CertifyOptions options;
  options.read.path = path;
  options.read.labels.positive = "yes";
  options.bias = bias;
  options.coefficients = true;
  return certify(options);
}

// The estimates as one text, the intercept first.
std::string words(const CertifyResult& result) {
  if (!result.separation) return "none";
  std::string text(name_of(result.separation->kind));
  for (const Coefficient& one : result.separation->coefficients)
    text += "; " + one.name + " " + std::string(name_of(one.estimate));
  return text;
}

std::string answer(const std::string& table, proof::BiasPosition bias = proof::BiasPosition::last) {
  const TemporaryFolder folder;
  return words(certified(folder.write("table.csv", table), bias));
}

TEST(Coefficients, AThresholdIsCompleteSeparation) {
  EXPECT_EQ(answer("x,y\n1,no\n2,no\n3,yes\n4,yes\n"), "complete; (intercept) -infinite; x +infinite");
}

TEST(Coefficients, ATieAtTheThresholdIsQuasiComplete) {
  EXPECT_EQ(answer("x,y\n1,no\n2,no\n2,yes\n3,yes\n"), "quasi-complete; (intercept) -infinite; x +infinite");
}

TEST(Coefficients, ClassesThatMixOverlap) {
  EXPECT_EQ(answer("x,y\n1,no\n3,no\n2,yes\n4,yes\n"), "overlap; (intercept) finite; x finite");
}

// The last decimal decides, where doubles of a solver would call all three the same.
TEST(Coefficients, AGapOfOneInTheTwelfthDecimal) {
  EXPECT_EQ(answer("x,y\n0,no\n1,no\n1.000000000001,yes\n2,yes\n"), "complete; (intercept) -infinite; x +infinite");
  EXPECT_EQ(answer("x,y\n0,no\n1.000000000001,no\n1.000000000001,yes\n2,yes\n"),
            "quasi-complete; (intercept) -infinite; x +infinite");
  EXPECT_EQ(answer("x,y\n0,no\n1.000000000001,no\n1,yes\n2,yes\n"), "overlap; (intercept) finite; x finite");
}

// A category whose rows all have one label moves its own coefficient alone; the first category is the reference.
TEST(Coefficients, ACategoryOfOneLabel) {
  const std::string rows = "1,b,no\n2,b,yes\n2,a,no\n1,a,yes\n1,b,yes\n1,c,yes\n2,c,yes\n";
  EXPECT_EQ(answer("x,kind,y\n" + rows),
            "quasi-complete; (intercept) finite; x finite; kind=a aliased; kind=b finite; kind=c +infinite");
}

TEST(Coefficients, AColumnThatIsTwiceAnother) {
  EXPECT_EQ(answer("x,z,y\n1,2,no\n3,6,no\n2,4,yes\n4,8,yes\n"), "overlap; (intercept) finite; x finite; z aliased");
}

// x may go either way once z separates.
TEST(Coefficients, ASignThatIsNotDetermined) {
  EXPECT_EQ(answer("x,z,y\n0,-1,no\n1,-1,no\n0,1,yes\n1,1,yes\n"),
            "complete; (intercept) undetermined; x undetermined; z +infinite");
}

// Faces within faces: the tie in x leaves z to separate the rows at x = 1.
TEST(Coefficients, SeparationOnAFaceOfAFace) {
  EXPECT_EQ(answer("x,z,u,y\n0,5,1,no\n0,-5,2,no\n2,1,3,yes\n2,-7,1,yes\n1,0,1,no\n1,1,1,yes\n1,2,5,no\n1,2,5,yes\n"),
            answer("x,z,u,y\n1,2,5,yes\n1,2,5,no\n1,1,1,yes\n1,0,1,no\n2,-7,1,yes\n2,1,3,yes\n0,-5,2,no\n0,5,1,no\n"));
}

TEST(Coefficients, WithoutABiasThereIsNoIntercept) {
  EXPECT_EQ(answer("x,y\n1,yes\n2,yes\n-1,no\n", proof::BiasPosition::none), "complete; x +infinite");
}

TEST(Coefficients, AColumnWithoutValuesIsAliased) {
  const TemporaryFolder folder;
  EXPECT_EQ(words(certified(folder.write("table.svm", "no 1:1 4:1\nyes 1:2 4:1\n"))),
            "complete; (intercept) -infinite; 1 +infinite; 2 aliased; 3 aliased; 4 aliased");
}

TEST(Coefficients, RowsOfOneClass) {
  EXPECT_EQ(answer("x,y\n1,yes\n2,yes\n"), "complete; (intercept) undetermined; x undetermined");
}

std::string fixed(double number, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, number);
  return text;
}

// The last digit decides the class; columns of an exact relation are told apart by rounding, others are not.
TEST(Coefficients, ColumnsThatRoundingAloneTellsApart) {
  using Row = std::vector<std::string>;
  struct Case {
    const char* name;
    std::function<Row(double u, double v)> row;
    std::function<double(const std::vector<double>& x)> score;
    const char *column, *terms;
  };
  const auto shares = [](double u, double v) {
    return Row{fixed(u / 2, 3), fixed(v / 2, 3), fixed(1 - (u + v) / 2, 3)};
  };
  const Case cases[] = {
      {"two scales",
       [](double u, double) {
         return Row{fixed(36 + 5 * u, 1), fixed(96.8 + 9 * u, 1)};
       },
       [](const auto& x) { return x[1] - 1.8 * x[0] - 32; }, "b", "(intercept) a"},
      {"whole numbers",
       [](double u, double) {
         return Row{fixed(100 * u, 0), fixed(220.462 * u, 0)};
       },
       [](const auto& x) { return x[1] - 2.20462 * x[0]; }, "b", "a"},
      {"shares", shares, [](const auto& x) { return x[0] + x[1] + x[2] - 1; }, "c", "(intercept) a b"},
      {"two relations",
       [&](double u, double v) {
         Row row = shares(u, v);
         row.push_back(fixed(39.37 * u / 2, 2));
         return row;
       },
       [](const auto& x) { return x[0] + x[1] + x[2] - 1; }, "c", "(intercept) a b"},
      {"a relation that does not separate",
       [](double u, double v) {
         return Row{fixed(36 + 5 * u, 1), fixed(96.8 + 9 * u, 1), fixed(v, 3)};
       },
       [](const auto& x) { return x[2] - 0.5; }, "b", "(intercept) a"},
      {"unrelated",
       [](double u, double v) {
         return Row{fixed(u, 2), fixed(v, 2)};
       },
       [](const auto& x) { return x[0] - x[1]; }, "", ""},
      {"related",
       [](double u, double v) {
         return Row{fixed(u, 2), fixed(u + v / 10, 2)};
       },
       [](const auto& x) { return x[1] - x[0] - 0.05; }, "", ""},
      {"few values",
       [](double u, double v) {
         return Row{fixed(4 * u, 0), fixed(3 * u + v, 0), fixed(v, 1)};
       },
       [](const auto& x) { return x[0] - x[1] + 0.5; }, "", ""},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    std::string table;
    std::size_t columns = 0;
    for (int i = 0; i < 60; ++i) {
      const Row row = one.row((i * 37 % 61) / 61.0, (i * 23 % 59) / 59.0);
      std::vector<double> x;
      for (const std::string& cell : row) {
        x.push_back(std::stod(cell));
        table += cell + ",";
      }
      columns = row.size();
      table += one.score(x) > 1e-9 ? "yes\n" : "no\n";
    }
    const TemporaryFolder folder;
    const CertifyResult result =
        certified(folder.write("table.csv", std::string("a,b,c,d,").substr(0, 2 * columns) + "y\n" + table));
    ASSERT_TRUE(result.separation);
    const Separation& found = *result.separation;
    EXPECT_NE(found.kind, SeparationKind::overlap);
    std::string column, terms;
    for (const NearlyAliased& near : found.nearly_aliased) {
      if (near.name == "d") continue;
      column += near.name;
      for (const auto& [name, weight] : near.terms) terms += (terms.empty() ? "" : " ") + name;
    }
    EXPECT_EQ(column, one.column);
    EXPECT_EQ(terms, one.terms);
    if (column.empty()) continue;
    const bool by_rounding = std::string(one.name) != "a relation that does not separate";
    EXPECT_EQ(found.kind_without, by_rounding ? SeparationKind::overlap : SeparationKind::complete);
    const std::vector<std::string> notes = proof::near_alias_notes(found);
    EXPECT_EQ(notes.front().find("Only rounding tells " + column + " from "), 0U);
    EXPECT_EQ(notes.back().find("every coefficient is finite") != std::string::npos, by_rounding);
  }
}

// As in design matrices of R, which have their intercept among their columns.
TEST(Coefficients, AConstantColumnIsATermLikeTheIntercept) {
  const TemporaryFolder folder;
  const CertifyResult result = certified(folder.write("table.csv",
                                                      "one,a,b,y\n1,0.1,0.9,no\n1,0.2,0.8,yes\n1,0.3,0.7,no\n"
                                                      "1,0.15,0.85,yes\n1,0.25,0.75,yes\n1,0.05,0.95,no\n"
                                                      "1,0.7,0.30000000000000004,yes\n"),
                                         proof::BiasPosition::none);
  ASSERT_TRUE(result.separation);
  ASSERT_EQ(result.separation->nearly_aliased.size(), 1U);
  const NearlyAliased& near = result.separation->nearly_aliased.front();
  EXPECT_EQ(near.name, "b");
  ASSERT_EQ(near.terms.size(), 2U);
  EXPECT_EQ(near.terms[0].first, "one");
  EXPECT_EQ(near.terms[1].first, "a");
  EXPECT_EQ(result.separation->kind_without, SeparationKind::overlap);
}

TEST(Coefficients, SeparatedRowsAreNamed) {
  const TemporaryFolder folder;
  const CertifyResult result = certified(folder.write("table.csv", "x,y\n1,no\n2,no\n2,yes\n3,yes\n0,no\n"));
  ASSERT_TRUE(result.separation);
  EXPECT_EQ(result.separation->separated_rows, 3U);
  EXPECT_FALSE(result.separation->rows_are_separated);
  EXPECT_EQ(result.separation->rows, (std::vector<std::uint64_t>{2, 3}));
}

std::string error_of(const std::string& table) {
  try {
    answer(table);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Columns that are 0 modulo a prime of the search, and no others.
TEST(Coefficients, MultiplesOfAPrimeAreNumbersLikeOthers) {
  for (const std::string n : {"2147483647", "2147483629"})
    EXPECT_EQ(answer("x,y\n0,no\n" + n + ",no\n0,yes\n" + n + ",yes\n"), "overlap; (intercept) finite; x finite");
}

// Of the prime that ranks are computed by: nothing is said then, rather than what is wrong.
TEST(Coefficients, AMisleadingPrimeLeavesThemUndecided) {
  const std::string n = "2305843009213693951";
  EXPECT_EQ(answer("x,y\n0,no\n" + n + ",no\n0,yes\n" + n + ",yes\n"), "none");
}

TEST(Coefficients, OfThreeClassesIsAnError) { EXPECT_TRUE(has(error_of("x,y\n1,a\n2,b\n3,c\n"), "two classes")); }

TEST(Coefficients, OfFiveThousandColumnsIsAnError) {
  const TemporaryFolder folder;
  EXPECT_THROW(certified(folder.write("wide.svm", "no 1:1\nyes 5000:1\n")), Error);
}

TEST(Coefficients, ACertificateHasVersion2AndReadsBack) {
  const TemporaryFolder folder;
  const CertifyResult result = certified(folder.write("table.csv", "x,y\n1,no\n2,no\n2,yes\n3,yes\n"));
  const std::string text = proof::encode_certificate(result.certificate);
  EXPECT_TRUE(has(text, "\"version\": 2,"));
  EXPECT_EQ(proof::decode_certificate(text, "it"), result.certificate);
}

// Each alteration makes one condition false; the sentence is that of the condition.
TEST(Coefficients, AFalseProofIsRefused) {
  const TemporaryFolder folder;
  const std::string rows = "x,z,kind,y\n1,1,b,no\n2,1,b,yes\n2,1,a,no\n1,1,a,yes\n1,1,b,yes\n1,1,c,yes\n2,1,c,yes\n";
  const std::string path = folder.write("table.csv", rows);
  const CertifyResult result = certified(path);
  const auto refused = [&](const std::string& because, const std::function<void(Certificate&)>& alter) {
    Certificate altered = result.certificate;
    alter(altered);
    const proof::Verification verification = proof::verify(altered, {path});
    EXPECT_FALSE(verification.valid) << because;
    EXPECT_TRUE(has(verification.reason, because));
  };
  ASSERT_TRUE(proof::verify(result.certificate, {path}).valid);
  const auto& proof = *result.certificate.coefficients;
  ASSERT_FALSE(proof.aliased.empty());
  ASSERT_EQ(proof.null_space.size(), 1U);
  ASSERT_EQ(proof.signs.size(), 1U);
  refused("which is not separated", [&](Certificate& c) { c.coefficients->direction = c.coefficients->aliased[0].by; });
  refused("which is not separated", [](Certificate& c) { c.coefficients->direction.reset(); });
  refused("does not separate", [](Certificate& c) {
    c.coefficients->direction = c.coefficients->aliased[0].by;
    c.coefficients->null_space.clear();
  });
  refused("neither a null space nor signs", [](Certificate& c) {
    c.coefficients->direction.reset();
    c.coefficients->null_space.clear();
  });
  refused("without a witness", [](Certificate& c) { c.coefficients->witness.reset(); });
  refused("add up to 0", [&](Certificate& c) { c.coefficients->witness = c.coefficients->signs[0].by; });
  refused("not whole", [](Certificate& c) { c.coefficients->null_space.clear(); });
  refused("not independent",
          [](Certificate& c) { c.coefficients->null_space.push_back(c.coefficients->null_space[0]); });
  refused("not as many rows", [](Certificate& c) { c.coefficients->aliased.pop_back(); });
  refused("not as many rows", [](Certificate& c) { c.coefficients->rank_rows.pop_back(); });
  refused("not shown to be independent", [](Certificate& c) {
    c.coefficients->rank_rows = {{0, 1}, {0, 2}, {0, 5}, {0, 6}};  // without a row of kind a
  });
  refused("sign is not shown", [](Certificate& c) { c.coefficients->signs[0].sign = CoefficientSign::negative; });
  refused("no vector moves", [](Certificate& c) {
    c.coefficients->signs[0].sign = CoefficientSign::undetermined;
    c.coefficients->signs[0].by = *c.coefficients->direction;
  });
  refused("no infinite coefficient", [](Certificate& c) { c.coefficients->signs[0].coordinate = 0; });
  refused("depend on others", [](Certificate& c) { c.coefficients->aliased[0].by = *c.coefficients->direction; });
  refused("depend on others", [](Certificate& c) {  // whose scores are 0 because it is
    proof::Separator nothing = c.separators[c.coefficients->aliased[0].by];
    for (auto& vector : nothing.vectors) {
      for (auto& weight : vector.weights) weight = "0";
      vector.bias = "0";
    }
    nothing.squared_norm = "0";
    c.coefficients->aliased[0].by = static_cast<std::uint32_t>(c.separators.size());
    c.separators.push_back(nothing);
  });
}

}  // namespace
}  // namespace halfspace
