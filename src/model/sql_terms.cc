// Writes the terms of a row in SQL.
//
// Predictor fuses each product with the sum: fma(w, x, s) rounds w * x + s once. SQL has no such function, so the query
// computes the product p and its error e = w * x - p, both exact doubles: Dekker, "A floating-point technique for
// extending the available precision", Numerische Mathematik 18, 1971.
#include "model/sql_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "halfspace/detail/base/elementary.h"

namespace halfspace::model {
namespace {

constexpr double largest_value = 1e298;    // of a column, and of a product of columns
constexpr double largest_product = 1e301;  // of a weight and a value: sums of a million are finite
constexpr double least_fused = 1e-280;     // products whose errors are exact, of values of at least:
constexpr double least_halved = 1e-290;
constexpr double splitter = 134217729;  // 2^27 + 1

// The half of the bits of a weight.
double high_half(double weight) {
  int exponent = 0;
  const double fraction = std::frexp(weight, &exponent), scaled = splitter * fraction;
  return std::ldexp(scaled - (scaled - fraction), exponent);
}

bool is_power_of_two(double weight) {
  int exponent = 0;
  return std::abs(std::frexp(weight, &exponent)) == 0.5;
}

// Returns a product in SQL.
std::string times(const std::string& w, const std::string& x) { return w + " * " + x; }

}  // namespace

std::string numbered(char letter, std::size_t i) { return letter + std::to_string(i); }
std::string numbered(char letter, std::size_t i, std::size_t k) { return fmt::format("{}{}_{}", letter, i, k); }

SqlTerms::SqlTerms(const Model& model, const LinearPart& part, const Dialect& dialect, bool fused, SqlLevels& levels)
    : schema_(model.schema),
      part_(part),
      sql_(dialect),
      fused_(fused),
      levels_(levels),
      terms_(row_terms(model, "SQL")) {
  for (std::size_t i = 0; i < terms_.size(); ++i) of_column_[terms_[i].column] = i;
}

void SqlTerms::define() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const RowTerm& term = terms_[i];
    if (term.kind == RowTerm::Kind::number) define_number(i);
    if (term.kind == RowTerm::Kind::category) define_category(i);
    if (term.kind == RowTerm::Kind::product) define_product(i);
    if (term.kind == RowTerm::Kind::logarithm) define_logarithm(i);
    if (term.optional()) levels_.define(halves, numbered('n', i), present(i));
    for (std::uint32_t k = 0; k < part_.vectors; ++k) define_products(i, k);
  }
  if (!bad_.empty()) levels_.define(logarithms, "b0", "CASE WHEN " + bad_ + " THEN 1 ELSE 0 END");
}

double SqlTerms::weight(std::uint32_t feature, std::size_t k) const {
  return feature >= part_.features ? 0 : part_.weight[std::size_t{feature} * part_.vectors + k];
}

// Returns the largest value that a feature with weights of at most this size may have, a power of ten.
std::string SqlTerms::most(double weight, std::uint32_t feature) const {
  const int exponent = feature < schema_.exponents.size() ? std::max<int>(0, schema_.exponents[feature]) : 0;
  const double most = std::min(std::ldexp(largest_value, -exponent), largest_product / weight);
  return sql_.power_of_ten(static_cast<int>(std::floor(elementary::log10(most))));
}

double SqlTerms::largest_weight(std::uint32_t feature) const {
  double largest = 0;
  for (std::size_t k = 0; k < part_.vectors; ++k) largest = std::max(largest, std::abs(weight(feature, k)));
  return largest;
}

std::string SqlTerms::missing_texts() const {
  std::string list = sql_.same_text("");
  for (const std::string& name : schema_.missing) list += ", " + sql_.same_text(name);
  return list;
}

void SqlTerms::define_number(std::size_t i) {
  const std::string column = sql_.column(schema_.columns[terms_[i].column].name);
  const std::string raw = numbered('r', i), value = numbered('x', i);
  levels_.define(given, raw,
                 fmt::format("CASE WHEN {} IN ({}) THEN NULL ELSE {} END", sql_.cell(column), missing_texts(),
                             sql_.as_double(column)));
  levels_.define(checked, value,
                 fmt::format("CASE WHEN abs({0}) <= {1} THEN {0} END", raw,
                             most(largest_weight(terms_[i].feature), terms_[i].feature)));
  is_bad(fmt::format("({} IS NOT NULL AND {} IS NULL)", raw, value));
}

void SqlTerms::define_category(std::size_t i) {
  const std::string column = sql_.column(schema_.columns[terms_[i].column].name), raw = numbered('t', i);
  levels_.define(given, raw, sql_.cell(column));
  levels_.define(checked, numbered('g', i),
                 fmt::format("CASE WHEN {0} IN ({1}) THEN NULL ELSE {0} END", raw, missing_texts()));
}

// Returns the name of a column's value.
std::string SqlTerms::value_of(std::uint32_t column) const {
  const std::size_t i = of_column_.at(column);
  return numbered(terms_[i].kind == RowTerm::Kind::category ? 'g' : 'x', i);
}

void SqlTerms::define_product(std::size_t i) {
  const std::string a = value_of(terms_[i].first), b = value_of(terms_[i].second), value = numbered('q', i);
  std::string guard;
  if (sql_.underflow_is_error()) {
    guard =
        fmt::format("WHEN {0} = {2} OR {1} = {2} THEN {2} WHEN abs({0}) < {3} AND abs({1}) < {4} / abs({0}) THEN {2} ",
                    a, b, sql_.number(0), sql_.number(1), sql_.number(std::numeric_limits<double>::denorm_min()));
  }
  levels_.define(combined, value,
                 fmt::format("CASE {5}WHEN abs({0}) > {2} AND abs({1}) > {3} / abs({0}) THEN NULL "
                             "WHEN abs({0} * {1}) <= {4} THEN {0} * {1} END",
                             a, b, sql_.number(1), most(0, Column::no_feature),
                             most(largest_weight(terms_[i].feature), terms_[i].feature), guard));
  is_bad(fmt::format("({} IS NOT NULL AND {} IS NOT NULL AND {} IS NULL)", a, b, value));
}

// ln(1 + z) = ln(u) * z / (u - 1) with u = 1 + z, where u > 1.
void SqlTerms::define_logarithm(std::size_t i) {
  const Column& column = schema_.columns[terms_[i].column];
  const std::string x = value_of(terms_[i].first), z = numbered('z', i);
  const std::string unit = sql_.number(column.unit), least = sql_.number(column.least);
  levels_.define(combined, z,
                 fmt::format("CASE WHEN {0} > {1} THEN {0} / {2} - {3} WHEN {0} IS NOT NULL THEN {4} END", x, least,
                             unit, sql_.number(column.least / column.unit), sql_.number(0)));
  levels_.define(
      logarithms, numbered('l', i),
      fmt::format("CASE WHEN {0} > {2} THEN ln({0}) WHEN {1} + {0} > {1} THEN ln({1} + {0}) * ({0} / (({1} + {0}) "
                  "- {1})) ELSE {0} END",
                  z, sql_.number(1), sql_.number(0x1p60)));
}

// Returns the value that a term's weight multiplies; none of categories and pairs, where it is 1.
std::string SqlTerms::value(std::size_t i) const {
  switch (terms_[i].kind) {
    case RowTerm::Kind::number:
      return numbered('x', i);
    case RowTerm::Kind::product:
      return numbered('q', i);
    case RowTerm::Kind::logarithm:
      return numbered('l', i);
    case RowTerm::Kind::by_category:
      return value_of(terms_[i].first);
    case RowTerm::Kind::category:
    case RowTerm::Kind::date:
    case RowTerm::Kind::pair:
      break;
  }
  return {};
}

// Returns 1 where a row has the term, else 0.
std::string SqlTerms::present(std::size_t i) const {
  const RowTerm& term = terms_[i];
  const std::string first = value_of(term.first);
  std::string text = "CASE";
  if (term.kind == RowTerm::Kind::category) {
    text += fmt::format(" WHEN {} IS NULL THEN {}", first, term.missing == Column::no_feature ? 0 : 1);
  } else {
    text += fmt::format(" WHEN {} IS NULL THEN 0", first);
  }
  if (term.derived() && term.kind != RowTerm::Kind::logarithm)
    text += fmt::format(" WHEN {} IS NULL THEN 0", value_of(term.second));
  if (!term.of_categories()) return text + " ELSE 1 END";
  std::string known;
  for (const TermCase& one : term.cases) {
    const std::string category = term.kind == RowTerm::Kind::by_category ? value_of(term.second) : first;
    if (term.kind == RowTerm::Kind::pair) {
      text += fmt::format(" WHEN {} = {} AND {} = {} THEN 1", first, sql_.same_text(one.first), value_of(term.second),
                          sql_.same_text(one.second));
    } else {
      known += (known.empty() ? " WHEN " + category + " IN (" : ", ") + sql_.same_text(one.first);
    }
  }
  return text + known + (known.empty() ? "" : ") THEN 1") + " ELSE 0 END";
}

// Returns the weight of the row's category, a function of each weight, or empty if it is always 0.
template <class Of>
std::string SqlTerms::by_case(std::size_t i, std::size_t k, const Of& of) const {
  const RowTerm& term = terms_[i];
  const bool pair = term.kind == RowTerm::Kind::pair, number = term.kind == RowTerm::Kind::by_category;
  const std::string first = value_of(number ? term.second : term.first);
  const std::string second = pair ? value_of(term.second) : "";
  std::string text;
  for (const TermCase& one : term.cases) {
    const double w = of(weight(one.feature, k));
    if (w == 0) continue;
    text += fmt::format(" WHEN {} = {}", first, sql_.same_text(one.first));
    if (pair) text += fmt::format(" AND {} = {}", second, sql_.same_text(one.second));
    text += " THEN " + sql_.number(w);
  }
  const double missing = term.derived() ? 0 : of(weight(term.missing, k));
  if (missing != 0) text += fmt::format(" WHEN {} IS NULL THEN {}", first, sql_.number(missing));
  return text.empty() ? "" : "CASE" + text + " ELSE " + sql_.number(0) + " END";
}

void SqlTerms::define_products(std::size_t i, std::size_t k) {
  const RowTerm& term = terms_[i];
  if (term.kind == RowTerm::Kind::category || term.kind == RowTerm::Kind::pair) {
    const std::string product = by_case(i, k, [](double w) { return w; });
    if (product.empty()) return;
    levels_.define(products, numbered('p', i, k), product);
    products_.insert({i, k});
  } else if (term.kind == RowTerm::Kind::by_category) {
    define_products_by_category(i, k);
  } else {
    define_products_by_number(i, k);
  }
}

void SqlTerms::define_products_by_number(std::size_t i, std::size_t k) {
  const RowTerm& term = terms_[i];
  const double w = weight(term.feature, k), missing = term.derived() ? 0 : weight(term.missing, k);
  if (w == 0 && missing == 0) return;
  const std::string x = value(i);
  products_.insert({i, k});
  levels_.define(
      products, numbered('p', i, k),
      fmt::format("CASE WHEN {0} IS NULL THEN {1}{2} ELSE {3} END", x, sql_.number(missing),
                  w == 0 ? "" : vanishing(std::abs(w), x), w == 0 ? sql_.number(0) : times(sql_.number(w), x)));
  if (w == 0 || !fused_ || is_power_of_two(w)) return;
  const double least = std::max(least_halved, least_fused / std::abs(w));
  if (least > largest_value) return;
  errors_.insert({i, k});
  define_half(x);
  const double high = high_half(w);
  levels_.define(products, numbered('e', i, k),
                 error_of(x, sql_.number(w), sql_.number(high), sql_.number(w - high), least));
}

void SqlTerms::define_products_by_category(std::size_t i, std::size_t k) {
  const std::string w = by_case(i, k, [](double one) { return one; });
  if (w.empty()) return;
  const std::string x = value(i), name = numbered('w', i, k), high = numbered('v', i, k);
  double largest = 0, least = std::numeric_limits<double>::infinity();
  for (const TermCase& one : terms_[i].cases) {
    const double size = std::abs(weight(one.feature, k));
    largest = std::max(largest, size);
    if (size > 0) least = std::min(least, size);
  }
  products_.insert({i, k});
  levels_.define(halves, name, w);
  is_bad(fmt::format("abs({}) > {}", x, most(largest, Column::no_feature)));
  levels_.define(products, numbered('p', i, k),
                 fmt::format("CASE WHEN {0} IS NULL OR abs({0}) > {1} THEN {2}{3} ELSE {4} END", x,
                             most(largest, Column::no_feature), sql_.number(0), vanishing(least, x), times(name, x)));
  const double from = std::max(least_halved, least_fused / least);
  if (!fused_ || from > largest_value) return;
  errors_.insert({i, k});
  define_half(x);
  levels_.define(halves, high, by_case(i, k, high_half));
  levels_.define(products, numbered('e', i, k), error_of(x, name, high, "(" + name + " - " + high + ")", from));
}

// Returns a case for values whose product with a weight of this size is rounded to 0, where that is an error.
std::string SqlTerms::vanishing(double size, const std::string& x) const {
  if (!sql_.underflow_is_error() || !(size < 2)) return "";
  return fmt::format(" WHEN abs({}) <= {} THEN {}", x,
                     sql_.number(std::min(0x1p-900, std::numeric_limits<double>::denorm_min() / size)), sql_.number(0));
}

void SqlTerms::define_half(const std::string& x) {
  if (!halved_.insert(x).second) return;
  const std::string scaled = fmt::format("{} * {}", sql_.number(splitter), x);
  levels_.define(halves, "h" + x, fmt::format("{0} - ({0} - {1})", scaled, x));
}

// Returns the error of the product of x and a weight, given in two halves, for values of at least `least`.
std::string SqlTerms::error_of(const std::string& x, const std::string& w, const std::string& high,
                               const std::string& low, double least) const {
  return fmt::format(
      "CASE WHEN abs({0}) >= {1} AND abs({0}) <= {6} THEN ((({3} * h{0} - {2} * {0}) + {3} * ({0} - h{0})) + {4} * "
      "h{0}) + "
      "{4} * ({0} - h{0}) ELSE {5} END",
      x, sql_.power_of_ten(static_cast<int>(std::ceil(elementary::log10(least)))), w, high, low, sql_.number(0),
      most(0, Column::no_feature));
}

}  // namespace halfspace::model
