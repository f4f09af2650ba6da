// Models as SQL and C: names and texts are quoted, numbers exact, and what cannot be expressed is refused. The queries are
// run by tests/export/sql_test.py, the functions by tests/export/c_test.py.
#include <cstdlib>

#include "halfspace/base/error.h"
#include "halfspace/model/export.h"
#include "model/sql_dialect.h"
#include "model/sql_levels.h"
#include "support/test.h"
#include "train/predict/linear_model.h"

namespace halfspace {
namespace {

constexpr double kWeights[] = {0.1, -3, 0.25}, kBias[] = {0.7};
constexpr SqlDialect kDialects[] = {SqlDialect::postgresql, SqlDialect::sqlite, SqlDialect::duckdb, SqlDialect::mysql};

Model model_with(std::vector<std::string> columns, std::vector<std::string> labels = {"no", "yes"}) {
  return linear_model({.weights = kWeights,
                       .biases = kBias,
                       .features = 3,
                       .classes = std::move(labels),
                       .columns = std::move(columns)});
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

// Returns the message of what is thrown, or nothing.
template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Sql, NamesAreQuotedInEachDialect) {
  const Model model = model_with({"a\"b", "it's", "x`y"}, {"n'o", "y\\es"});
  for (const SqlDialect dialect : kDialects) {
    const std::string text = to_sql(model, {.dialect = dialect, .table = "shop.my data"}).text;
    const bool mysql = dialect == SqlDialect::mysql;
    EXPECT_TRUE(contains(text, mysql ? "halfspace.`a\"b`" : "halfspace.\"a\"\"b\"")) << text;
    EXPECT_TRUE(contains(text, mysql ? "halfspace.`x``y`" : "halfspace.\"x`y\"")) << text;
    EXPECT_TRUE(contains(text, mysql ? "`shop`.`my data`" : "\"shop\".\"my data\"")) << text;
    EXPECT_TRUE(contains(text, "'n''o'")) << text;
    EXPECT_TRUE(contains(text, dialect == SqlDialect::postgresql ? "E'y\\\\es'"
                               : mysql                           ? "CONVERT(X'795C6573' USING utf8mb4)"
                                                                 : "'y\\es'"))
        << text;
    EXPECT_EQ(count(text, "("), count(text, ")"));
    EXPECT_EQ(count(text, "CASE"), count(text, " END"));
  }
}

TEST(Sql, ANameThatADatabaseCannotHaveIsRefused) {
  const auto refused = [](const Model& model, const SqlOptions& options, const std::string& why) {
    EXPECT_TRUE(contains(refusal([&] { to_sql(model, options); }), why)) << why;
  };
  refused(model_with({"age", "Age", "x"}), {.dialect = SqlDialect::sqlite}, "are one name");
  EXPECT_NO_THROW(to_sql(model_with({"age", "Age", "x"}), {.dialect = SqlDialect::postgresql}));
  refused(model_with({"age ", "b", "x"}), {.dialect = SqlDialect::mysql}, "ends with a blank");
  refused(model_with({"a", "b", "x"}), {.columns = {"Score"}}, "a column score of its own");
}

TEST(Sql, ViewsAndKeptColumnsAreNamed) {
  const std::string text =
      to_sql(model_with({"a", "b", "c"}), {.table = "t", .view = "v", .columns = {"id", "a"}}).text;
  EXPECT_TRUE(contains(text, "CREATE VIEW \"v\" AS\nWITH ")) << text;
  EXPECT_TRUE(contains(text, "SELECT k0 AS \"id\", k1 AS \"a\", ")) << text;
  EXPECT_TRUE(text.ends_with(";\n"));
}

TEST(Sql, NumbersOfSqliteAreWholeAndPowersOfTwo) {
  const model::Dialect sqlite(SqlDialect::sqlite);
  EXPECT_EQ(sqlite.number(0), "0.0");
  EXPECT_EQ(sqlite.number(-3), "-3.0");
  EXPECT_EQ(sqlite.number(0.25), "(1.0/4.0)");
  EXPECT_EQ(sqlite.number(0.1), "(3602879701896397.0/36028797018963968.0)");
  EXPECT_EQ(model::Dialect(SqlDialect::mysql).number(0.1), "0.1e0");
  EXPECT_EQ(model::Dialect(SqlDialect::postgresql).number(-0.1), "'-0.1'::float8");
}

TEST(Sql, LevelsPassOnWhatIsUsed) {
  const model::Dialect dialect(SqlDialect::postgresql);
  model::SqlLevels levels(dialect);
  levels.define(0, "a0", "\"x\"");
  levels.define(0, "a1", "\"unused\"");
  levels.define(1, "b0", "a0 + 1");
  levels.define(3, "c0", "b0 * a0");
  const std::string text = levels.query("t", {{"c0", "score"}});
  EXPECT_FALSE(contains(text, "unused")) << text;
  EXPECT_EQ(count(text, "SELECT"), 4U) << text;  // a level without columns is left out
}

TEST(CSource, DefinesOneFunctionOfTheName) {
  const std::string text = to_c(model_with({"a*/b", "c?", "größe"}, {"no\"",
                                                                     "ja?"
                                                                     "?/"}),
                                "score");
  EXPECT_TRUE(contains(text, "int score(const double *x, double *score) {")) << text;
  EXPECT_EQ(count(text, "*/"), count(text, "/*")) << "a name ends no comment";
  EXPECT_FALSE(contains(text, "??")) << "no trigraphs";
  EXPECT_TRUE(contains(text, "0x1.999999999999ap-4")) << text;
  for (const char* const name : {"", "2x", "a-b", "a b"})
    EXPECT_TRUE(contains(refusal([&] { to_c(model_with({"a", "b", "c"}), name); }), "in C")) << name;
}

TEST(CSource, TakesNoNameOfC) {
  const auto said = [](const std::string& name) { return refusal([&] { to_c(model_with({"a", "b", "c"}), name); }); };
  for (const char* const name : {"int", "while", "double", "restrict", "bool", "typeof"})
    EXPECT_TRUE(contains(said(name), "'" + std::string(name) + "' is a word of C itself")) << name;
  for (const char* const name : {"exp", "expf", "fmal", "main", "size_t", "uint8_t", "int_fast16_t", "NULL", "printf"})
    EXPECT_TRUE(contains(said(name), "'" + std::string(name) + "' is a name of C's library")) << name;
  EXPECT_TRUE(contains(said("_credit"), "underscore"));
  for (const char* const name : {"credit", "integer", "expo", "main_", "wolf", "unit", "print_f", "il"})
    EXPECT_EQ(said(name), "") << name;
}

}  // namespace
}  // namespace halfspace
