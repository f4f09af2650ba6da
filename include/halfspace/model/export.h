// Exports a linear model to the formats of other programs: ONNX, PMML, SQL and C. docs/formats/export.md documents the
// files, docs/formats/sql.md those of SQL.
//
//   write_atomically("credit.onnx", to_onnx(model));
//
// ONNX and PMML predict what Predictor does, in double arithmetic; sums are in another order, so a score may differ in
// its last digits, and a label only if the score is that close to 0 (or to another class's). SQL and C add in
// Predictor's order.
//
// Exports models whose prediction is one weight vector, or one a class: every rule and every keeper but vote. Column
// scales are multiplied into the weights. Throws Error(usage), with the reason, for what a format cannot express:
// votes; isotonic calibration in ONNX and PMML; normalised rows and single precision in PMML and SQL; in PMML multiclass
// probabilities.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halfspace/detail/base/names.h"
#include "halfspace/train/model.h"

namespace halfspace {

// Returns ONNX, opset 13. Input: a matrix x of doubles, one column a feature in the order of feature_names(), without
// logarithms, which the graph computes. Outputs:
// the vector `label` (integers if all labels are, else strings), `score` (two classes: a vector; multiclass: a matrix)
// and, where the model has probability_curves(), `probability` (likewise).
std::vector<std::uint8_t> to_onnx(const Model& model);

// Returns PMML 4.4, a RegressionModel. Columns of CSV data are inputs unchanged: categories and missing values are
// encoded inside. Multiclass probabilities are omitted: PMML does not compute the sum they are divided by.
std::vector<std::uint8_t> to_pmml(const Model& model);

enum class SqlDialect : std::uint8_t { postgresql = 0, sqlite = 1, duckdb = 2, mysql = 3 };

template <>
struct NamesOf<SqlDialect> {
  static constexpr Name<SqlDialect> table[] = {{SqlDialect::postgresql, "postgresql", "PostgreSQL (default)"},
                                               {SqlDialect::sqlite, "sqlite", "SQLite"},
                                               {SqlDialect::duckdb, "duckdb", "DuckDB"},
                                               {SqlDialect::mysql, "mysql", "MariaDB and MySQL"}};
};

struct SqlOptions {
  SqlDialect dialect = SqlDialect::postgresql;
  std::string table = "data";          // the table of the rows, or schema.table; a part with a dot in double quotes
  std::string view{};                  // not empty: the query is the definition of this view
  std::vector<std::string> columns{};  // columns to select with the predictions; empty: the model's identifier
  bool plain = false;  // rounds each product before it is added: a shorter query, with other last digits
};

struct SqlText {
  std::string text;  // ends with a semicolon and a newline
  // Returns whether scores have the bits of Predictor's. Otherwise each product is rounded before it is added, or the
  // model takes logarithms, which each database computes in its own way.
  bool same_bits = true;
};

// Returns one SELECT with a row for each row of the table: `label`, `score`, `probability` (of the model's
// probability_curves(); multiclass: the label's), and `reason`, the column that contributes most towards the label.
SqlText to_sql(const Model& model, const SqlOptions& options = {});

// Returns a C99 function that predicts a row of the model's columns, without allocation. `name` begins the names it
// defines. Throws Error(usage) for a name that is none in C, or that C or its library has.
std::string to_c(const Model& model, const std::string& name = "halfspace");

}  // namespace halfspace
