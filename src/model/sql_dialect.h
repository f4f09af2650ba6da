// Writes names, texts and numbers in the SQL of a database, so that it reads them as they are: each byte of a text,
// each bit of a double. docs/formats/sql.md lists what the databases do with them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "halfspace/model/export.h"

namespace halfspace::model {

class Dialect {
 public:
  explicit Dialect(SqlDialect which) : which_(which) {}

  SqlDialect which() const { return which_; }

  // Returns an expression whose value is this double.
  std::string number(double value) const;
  // Returns an expression for a bound: a power of ten, or a double next to it.
  std::string power_of_ten(int exponent) const;
  // Returns a literal of the text. Throws Error(usage) for a text that no database holds.
  std::string text(std::string_view text) const;
  // Returns the name, quoted. Throws Error(usage) for a name that the database cannot give to a column.
  std::string name(std::string_view name) const;
  // Returns the name of a column of the table that the query reads: of the name alone, SQLite and MariaDB make a text
  // where the table has no such column.
  std::string column(std::string_view name) const { return std::string(table_alias) + "." + this->name(name); }
  static constexpr std::string_view table_alias = "halfspace";
  // Returns the name of a table, with that of its schema before a dot; a part in double quotes may have dots.
  std::string table(std::string_view name) const;
  // Returns the text of a column (a name, quoted), empty for NULL; compared byte by byte with what same_text() returns.
  std::string cell(const std::string& column) const;
  std::string same_text(std::string_view text) const;
  // Returns a column as a double; of a text that is none, what the database makes of it.
  std::string as_double(const std::string& column) const;
  // Returns the least or most of expressions that are not NULL.
  std::string least(const std::vector<std::string>& of) const { return extreme(false, of); }
  std::string most(const std::vector<std::string>& of) const { return extreme(true, of); }

  // Returns what is before the parenthesis of a common table expression, and before its closing one, so that the
  // database computes it once a row.
  std::string fence_before() const;
  std::string fence_after() const;
  // Returns whether an operation whose result is rounded to 0 is an error.
  bool underflow_is_error() const { return which_ == SqlDialect::postgresql; }
  // Returns whether names of columns are equal in any case.
  bool ignores_case() const { return which_ != SqlDialect::postgresql; }
  // Returns how deep queries are nested at most.
  std::size_t most_levels() const { return which_ == SqlDialect::mysql ? 55 : 400; }

 private:
  std::string extreme(bool most, const std::vector<std::string>& of) const;

  SqlDialect which_;
};

}  // namespace halfspace::model
