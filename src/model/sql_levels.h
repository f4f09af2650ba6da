// A query in levels: each level computes columns from those of the level before, so that a value that is used often is
// computed once a row.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "model/sql_dialect.h"

namespace halfspace::model {

class SqlLevels {
 public:
  explicit SqlLevels(const Dialect& dialect) : dialect_(dialect) {}

  // Defines a column of a level, counted from 0, by an expression of columns of levels before. Names are letters,
  // digits and underscores, and have a digit.
  void define(std::size_t level, const std::string& name, const std::string& expression);
  // Returns how many levels there are.
  std::size_t size() const { return levels_.size(); }

  // Returns the common table expressions and the last SELECT, of these columns and their names, quoted. `table` is
  // quoted.
  std::string query(const std::string& table, const std::vector<std::pair<std::string, std::string>>& columns) const;

 private:
  struct Defined {
    std::string name, expression;
  };

  const Dialect& dialect_;
  std::vector<std::vector<Defined>> levels_;
};

}  // namespace halfspace::model
