// The expressions of a row's terms in SQL: values, their products with the weights, and what rounding lost of these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/linear_part.h"
#include "model/row_terms.h"
#include "model/sql_dialect.h"
#include "model/sql_levels.h"

namespace halfspace::model {

// The levels of the query before those of the sum.
enum SqlLevel : std::size_t { given, checked, combined, logarithms, halves, products, slots, sums };

// Returns the name of a column of a level: a letter and a number, or two.
std::string numbered(char letter, std::size_t i);
std::string numbered(char letter, std::size_t i, std::size_t k);

class SqlTerms {
 public:
  // All arguments must outlive it. `fused`: products have errors.
  SqlTerms(const Model& model, const LinearPart& part, const Dialect& dialect, bool fused, SqlLevels& levels);

  const std::vector<RowTerm>& terms() const { return terms_; }
  // Defines the products p<term>_<vector>, their errors e<term>_<vector>, and n<term>: whether the row has it, 1 or 0.
  void define();

  // Returns whether a row may have values such that it has no score; b0 is then 1 in such rows, else 0.
  bool may_be_bad() const { return !bad_.empty(); }
  // Returns the name of the product of a term for a vector; empty if it is always 0.
  std::string product(std::size_t i, std::size_t k) const {
    return products_.contains({i, k}) ? numbered('p', i, k) : "";
  }
  // Returns the name of the product's error; empty if there is none.
  std::string error(std::size_t i, std::size_t k) const { return errors_.contains({i, k}) ? numbered('e', i, k) : ""; }

 private:
  double weight(std::uint32_t feature, std::size_t k) const;
  std::string most(double weight, std::uint32_t feature) const;
  double largest_weight(std::uint32_t feature) const;
  std::string missing_texts() const;
  std::string value_of(std::uint32_t column) const;
  std::string value(std::size_t i) const;
  std::string present(std::size_t i) const;
  template <class Of>
  std::string by_case(std::size_t i, std::size_t k, const Of& of) const;
  std::string vanishing(double size, const std::string& x) const;
  std::string error_of(const std::string& x, const std::string& w, const std::string& high, const std::string& low,
                       double least) const;

  void is_bad(const std::string& condition) { bad_ += (bad_.empty() ? "" : " OR ") + condition; }
  void define_number(std::size_t i);
  void define_category(std::size_t i);
  void define_product(std::size_t i);
  void define_logarithm(std::size_t i);
  void define_products(std::size_t i, std::size_t k);
  void define_products_by_number(std::size_t i, std::size_t k);
  void define_products_by_category(std::size_t i, std::size_t k);
  void define_half(const std::string& x);

  const Schema& schema_;
  const LinearPart& part_;
  const Dialect& sql_;
  bool fused_;
  SqlLevels& levels_;
  std::vector<RowTerm> terms_;
  std::map<std::uint32_t, std::size_t> of_column_;  // the term of a column that others refer to
  std::set<std::pair<std::size_t, std::size_t>> products_, errors_;
  std::set<std::string> halved_;
  std::string bad_;  // the condition of a row without a score
};

}  // namespace halfspace::model
