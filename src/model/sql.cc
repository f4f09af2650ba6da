// Writes a linear model as one SELECT: the terms of sql_terms.h, added as Predictor adds them.
//
// fma(w, x, s) of a sum, from the product p = w * x and its error e: s + p has the error t (Knuth's TwoSum), and r = (s
// + p) + (t + e) is the rounded sum unless t + e was rounded, with the error d, to a number midway between two doubles:
// then d decides between them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/version.h"
#include "halfspace/base/error.h"
#include "halfspace/model/export.h"
#include "model/sql_terms.h"
#include "stream/text/shapes.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

using model::numbered;
using model::RowTerm;

// Returns the error of a + b.
std::string error_of_sum(const std::string& a, const std::string& b) {
  return fmt::format("(({0} - (({0} + {1}) - (({0} + {1}) - {0}))) + ({1} - (({0} + {1}) - {0})))", a, b);
}

// A running sum: an expression, and the level from which on it can be used.
class SqlSum {
 public:
  SqlSum(std::string name, std::string initial, const model::Dialect& dialect, model::SqlLevels& levels,
         std::size_t level = model::sums)
      : name_(std::move(name)), text_(std::move(initial)), zero_(dialect.number(0)), levels_(&levels), level_(level) {}

  // Adds a product, and its error unless that is empty.
  void add(const std::string& product, const std::string& error) {
    constexpr std::size_t most_depth = 60;
    if (text_.empty()) {
      text_ = product;
      return;
    }
    if (!error.empty() || depth_ >= most_depth) hold();
    if (error.empty()) {
      text_ = "(" + text_ + " + " + product + ")";
    } else {
      add_fused(product, error);
    }
    is_name_ = false;
    ++depth_;
  }

  const std::string& text() const { return text_; }
  std::size_t level() const { return level_; }

 private:
  // Makes the sum a column.
  void hold() {
    if (is_name_) return;
    const std::string name = name_ + "_" + std::to_string(held_++);
    levels_->define(level_++, name, text_);
    text_ = name;
    is_name_ = true;
    depth_ = 0;
  }

  void add_fused(const std::string& p, const std::string& e) {
    const std::string sum = text_ + "s", rest = text_ + "v", lost = text_ + "d", t = error_of_sum(text_, p);
    levels_->define(level_, sum, text_ + " + " + p);
    levels_->define(level_, rest, t + " + " + e);
    levels_->define(level_, lost, error_of_sum(t, e));
    ++level_;
    // delta is the error of the rounded sum r: half a unit in its last place if the sum is midway.
    const std::string r = "(" + sum + " + " + rest + ")", delta = "(" + rest + " - (" + r + " - " + sum + "))";
    const std::string twice = "(" + delta + " + " + delta + ")";
    text_ = fmt::format(
        "CASE WHEN {lost} <> {zero} AND {delta} <> {zero} AND ({r} + {twice}) - {r} = {twice} AND (({lost} > {zero} "
        "AND {delta} > "
        "{zero}) OR ({lost} < {zero} AND {delta} < {zero})) THEN {r} + {twice} ELSE {r} END",
        fmt::arg("lost", lost), fmt::arg("delta", delta), fmt::arg("r", r), fmt::arg("twice", twice),
        fmt::arg("zero", zero_));
  }

  std::string name_, text_, zero_;
  model::SqlLevels* levels_;
  std::size_t level_, held_ = 0, depth_ = 0;
  bool is_name_ = false;
};

std::string plus(const std::string& a, const std::string& b) {
  return a.empty() ? b : b.empty() ? a : "(" + a + " + " + b + ")";
}

// Rejects what no database computes with the bits of training.
void refuse_in_sql(const Model& model) {
  const auto refuse = [](const std::string& why, const std::string& fix) {
    throw Error(ErrorKind::usage, "cannot export this model to SQL: " + why).fix("export it as C, or train " + fix);
  };
  if (model.schema.row_normalised)
    refuse("each row is divided by its norm, and no database adds the squares with the same roundings",
           "with " + option("normalize", "column"));
  if (model.schema.single)
    refuse("values are rounded to single precision, which SQLite lacks and PostgreSQL refuses to small values",
           "without " + option("single"));
}

class Sql {
 public:
  Sql(const Model& model, const SqlOptions& options, bool fused)
      : model_(model),
        options_(options),
        sql_(options.dialect),
        part_(model::linear_part(model, "SQL")),
        levels_(sql_),
        terms_(model, part_, sql_, fused, levels_) {
    refuse_in_sql(model);
    define_kept();
    terms_.define();
    if (part_.vectors == 1) {
      add_in_lanes();
    } else {
      add_by_class();
    }
    define_class();
    define_probability();
    define_reason();
  }

  std::size_t levels() const { return levels_.size(); }

  std::string text() const {
    std::vector<std::pair<std::string, std::string>> columns;
    for (std::size_t i = 0; i < kept_.size(); ++i) columns.emplace_back(numbered('k', i), sql_.name(kept_[i]));
    columns.emplace_back(choice([&](std::size_t k) { return sql_.text(model_.schema.labels.names[k]); }), "label");
    columns.emplace_back(part_.vectors == 1 ? "s0" : "m0", "score");
    if (!probability_.empty()) columns.emplace_back(probability_, "probability");
    columns.emplace_back(reason_, "reason");
    const std::string view = options_.view.empty() ? "" : "CREATE VIEW " + sql_.table(options_.view) + " AS\n";
    return view + levels_.query(sql_.table(options_.table), columns) + ";\n";
  }

 private:
  // Finds the columns to keep; rejects names that the database cannot tell apart, and those of the predictions.
  void define_kept() {
    kept_ = options_.columns;
    for (const Column& column : model_.schema.columns) {
      if (options_.columns.empty() && column.kind == Column::Kind::identifier) kept_.push_back(column.name);
    }
    std::map<std::string, std::string> seen;
    for (const std::uint32_t i : model::columns_of_terms(terms_.terms())) {
      const std::string& name = model_.schema.columns[i].name;
      const auto [other, is_new] = seen.emplace(sql_.ignores_case() ? stream::lower_case(name) : name, name);
      if (is_new) continue;
      throw Error(ErrorKind::usage, "cannot export this model to SQL: to " + std::string(name_of(options_.dialect)) +
                                        " " + stream::quote(other->second) + " and " + stream::quote(name) +
                                        " are one name")
          .fix("rename one of the columns in the data and train again");
    }
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      const std::string name = stream::lower_case(kept_[i]);
      if (name == "label" || name == "score" || name == "probability" || name == "reason")
        throw Error(ErrorKind::usage, "the query has a column " + name + " of its own")
            .fix("keep another column, or rename it in a view of the table");
      levels_.define(model::given, numbered('k', i), sql_.column(kept_[i]));
    }
  }

  // Two classes: as kernels::dot() adds, the term at position i of the row to lane i mod 8.
  void add_in_lanes() {
    std::vector<SqlSum> lane;
    for (std::size_t l = 0; l < lanes; ++l) {
      const bool bias = l == 0 && part_.bias_first && part_.bias[0] != 0;
      lane.emplace_back("a" + std::to_string(l), bias ? sql_.number(part_.bias[0]) : "", sql_, levels_);
    }
    for (std::size_t slot = 0; slot < terms_.terms().size(); ++slot) {
      const auto [product, error] = define_slot(slot);
      if (!product.empty()) lane[slot % lanes].add(product, error);
    }
    for (const SqlSum& one : lane) level_ = std::max(level_, one.level());
    const auto both = [&](std::size_t a, std::size_t b) { return plus(lane[a].text(), lane[b].text()); };
    define_score(0,
                 SqlSum("a8", plus(plus(both(0, 4), both(2, 6)), plus(both(1, 5), both(3, 7))), sql_, levels_, level_));
  }

  // Returns the product at a position of the row, and its error. A term has its own position, or an earlier one if the
  // row lacks terms before it.
  std::pair<std::string, std::string> define_slot(std::size_t slot) {
    const std::vector<RowTerm>& terms = terms_.terms();
    std::size_t certain = 0;  // terms before that no row lacks
    std::string before, products, errors;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const std::string p = terms_.product(i, 0), e = terms_.error(i, 0);
      if (i == slot && certain == i && !terms[i].optional()) return {p, e};
      if (i >= slot && certain <= slot && !p.empty()) {
        const std::string name = numbered('o', i);
        if (positioned_.insert(i).second) {
          const std::string position = std::to_string(certain) + before;
          const std::string absent = terms[i].optional() ? "CASE WHEN " + numbered('n', i) + " = 1 THEN " : "";
          levels_.define(model::products, name, absent.empty() ? position : absent + position + " END");
        }
        products += fmt::format(" WHEN {} THEN {}", name, p);
        if (!e.empty()) errors += fmt::format(" WHEN {} THEN {}", name, e);
      }
      if (terms[i].optional()) {
        before += " + " + numbered('n', i);
      } else {
        ++certain;
      }
    }
    if (products.empty()) return {};
    const std::string product = numbered('p', slot, 1), error = numbered('e', slot, 1);
    const auto define = [&](const std::string& name, const std::string& cases) {
      levels_.define(model::slots, name, fmt::format("CASE {}{} ELSE {} END", slot, cases, sql_.number(0)));
    };
    define(product, products);
    if (!errors.empty()) define(error, errors);
    return {product, errors.empty() ? "" : error};
  }

  // Several classes: each class's terms in order.
  void add_by_class() {
    std::vector<SqlSum> sums;
    for (std::uint32_t k = 0; k < part_.vectors; ++k) {
      sums.emplace_back("a" + std::to_string(k), part_.bias_first ? sql_.number(part_.bias[k]) : "", sql_, levels_);
      for (std::size_t i = 0; i < terms_.terms().size(); ++i) {
        if (const std::string p = terms_.product(i, k); !p.empty()) sums[k].add(p, terms_.error(i, k));
      }
    }
    for (std::uint32_t k = 0; k < part_.vectors; ++k) define_score(k, std::move(sums[k]));
  }

  // Adds a bias that comes last, and names the score; it is NULL for a row that predict rejects.
  void define_score(std::uint32_t k, SqlSum sum) {
    const double error = part_.bias_error[k];
    if (!part_.bias_first && part_.bias[k] != 0)
      sum.add(sql_.number(part_.bias[k]), error == 0 ? "" : sql_.number(error));
    const std::string total = sum.text().empty() ? sql_.number(0) : sum.text();
    levels_.define(sum.level(), numbered('s', k),
                   terms_.may_be_bad() ? "CASE WHEN b0 = 0 THEN " + total + " END" : total);
    level_ = std::max(level_, sum.level() + 1);
  }

  // Defines the highest multiclass score, and the number of the class.
  void define_class() {
    std::string number = "CASE WHEN s0 IS NULL THEN NULL";
    if (part_.vectors == 1) {
      number +=
          fmt::format(" WHEN s0 {} {} THEN 1 ELSE 0 END", part_.last_wins ? ">" : ">=", sql_.number(part_.threshold));
    } else {
      std::vector<std::string> scores;
      for (std::uint32_t k = 0; k < part_.vectors; ++k) scores.push_back(numbered('s', k));
      levels_.define(level_++, "m0", sql_.most(scores));
      for (std::uint32_t i = 0; i < part_.vectors; ++i) {
        const std::uint32_t k = part_.last_wins ? part_.vectors - 1 - i : i;
        number += fmt::format(" WHEN s{0} = m0 THEN {0}", k);
      }
      number += " END";
    }
    levels_.define(level_++, "c0", number);
  }

  // Returns an expression that depends on the predicted class.
  template <class Of>
  std::string choice(const Of& of) const {
    std::string text = "CASE c0";
    for (std::uint32_t k = 0; k < std::max(2U, part_.vectors); ++k) text += fmt::format(" WHEN {} THEN {}", k, of(k));
    return text + " END";
  }

  void define_probability() {
    const Calibration curves = probability_curves(model_);
    if (!curves.fitted()) return;
    const bool softmax = curves.method == CalibrationMethod::softmax;
    std::string sum;
    for (std::uint32_t k = 0; k < part_.vectors; ++k) {
      const std::string s = numbered('s', k), u = numbered('u', k);
      if (curves.method == CalibrationMethod::isotonic) {
        levels_.define(level_ + 2, u, isotonic(curves.isotonic[k], s));
      } else if (curves.method == CalibrationMethod::temperature) {
        define_tempered(curves.platt[k], k);
      } else {
        const std::string f = numbered('f', k), power = numbered('g', k, 1);
        levels_.define(level_, f, softmax ? s + " - m0" : logit(curves.platt[k], s));
        levels_.define(level_ + 1, power,
                       fmt::format("CASE WHEN abs({0}) > {1} THEN {2} ELSE exp(-abs({0})) END", f, sql_.number(700),
                                   sql_.number(0)));
        levels_.define(level_ + 2, u,
                       softmax ? power
                               : fmt::format("CASE WHEN {0} >= {2} THEN {1} ELSE {3} END / ({3} + {1})", f, power,
                                             sql_.number(0), sql_.number(1)));
      }
      sum = plus(sum, u);
    }
    level_ += 3;
    probability_ = "u0";
    if (part_.vectors == 1) return;
    levels_.define(level_++, "y1", sum);
    probability_ =
        fmt::format("CASE WHEN y1 > {} THEN {} / y1 WHEN y1 IS NOT NULL THEN {} END", sql_.number(0),
                    choice([](std::size_t k) { return numbered('u', k); }), sql_.number(1.0 / part_.vectors));
  }

  // Defines e to the power of minus the curve at the distance from the largest score, in three levels.
  void define_tempered(const Platt& curve, std::uint32_t k) {
    const std::string f = numbered('f', k), g = numbered('g', k, 1);
    levels_.define(level_, f, numbered('s', k) + " - m0");
    levels_.define(level_ + 1, g, "-(" + logit(curve, f) + ")");
    levels_.define(level_ + 2, numbered('u', k),
                   fmt::format("CASE WHEN {0} < {1} THEN {2} WHEN {0} > {3} THEN exp({3}) ELSE exp({0}) END", g,
                               sql_.number(-700), sql_.number(0), sql_.number(700)));
  }

  // Returns a * s + b, for scores so far out that the curve is 0 or 1 that of a nearer one.
  std::string logit(const Platt& curve, const std::string& s) const {
    const double far = std::min(0x1p1000, 0x1p20 * (1 + std::abs(curve.b)) / std::abs(curve.a));
    std::string small;
    if (sql_.underflow_is_error() && std::abs(curve.a) < 2) {
      small =
          fmt::format(" WHEN abs({}) <= {} THEN {}", s,
                      sql_.number(std::min(0x1p-900, std::numeric_limits<double>::denorm_min() / std::abs(curve.a))),
                      sql_.number(curve.b));
    }
    if (curve.a == 0) return fmt::format("CASE WHEN {} IS NOT NULL THEN {} END", s, sql_.number(curve.b));
    if (curve.clips())
      return fmt::format("CASE WHEN {0} > {1} THEN {2} WHEN {0} < {3} THEN {4}{5} ELSE {6} * {0} + {7} END", s,
                         sql_.number(curve.high), sql_.number(curve.a * curve.high + curve.b), sql_.number(curve.low),
                         sql_.number(curve.a * curve.low + curve.b), small, sql_.number(curve.a), sql_.number(curve.b));
    return fmt::format("CASE WHEN {0} > {1} THEN {2} WHEN {0} < {3} THEN {4}{5} ELSE {6} * {0} + {7} END", s,
                       sql_.number(far), sql_.number(curve.a * far + curve.b), sql_.number(-far),
                       sql_.number(-curve.a * far + curve.b), small, sql_.number(curve.a), sql_.number(curve.b));
  }

  // Returns what Isotonic::at() computes.
  std::string isotonic(const Isotonic& curve, const std::string& s) const {
    std::string text =
        fmt::format("CASE WHEN {} < {} THEN {}", s, sql_.number(curve.score[0]), sql_.number(curve.probability[0]));
    for (std::size_t i = 1; i < curve.score.size(); ++i) {
      const double low = curve.probability[i - 1], high = curve.probability[i], begin = curve.score[i - 1] / 2;
      const std::string flat = sql_.number(low);
      text += fmt::format(" WHEN {} < {} THEN ", s, sql_.number(curve.score[i]));
      text +=
          low == high
              ? flat
              : sql_.least({fmt::format("{} + ({} / {} - {}) / {} * {}", flat, s, sql_.number(2), sql_.number(begin),
                                        sql_.number(curve.score[i] / 2 - begin), sql_.number(high - low)),
                            sql_.number(high)});
    }
    return text + fmt::format(" WHEN {} IS NOT NULL THEN {} END", s, sql_.number(curve.probability.back()));
  }

  // Defines what each column contributes towards the label, as Reasons does against zero (multiclass, to the label's
  // own score), and the first reason.
  void define_reason() {
    std::map<std::uint32_t, std::vector<std::size_t>> terms_of;  // by column; a logarithm's is that it is taken of
    for (std::size_t i = 0; i < terms_.terms().size(); ++i) {
      const RowTerm& term = terms_.terms()[i];
      terms_of[term.kind == RowTerm::Kind::logarithm ? term.first : term.column].push_back(i);
    }
    std::vector<std::string> names;
    std::string reasons;
    for (const auto& [column, terms] : terms_of) {
      const auto towards = [&, of = &terms](std::size_t label) {
        std::string sum;
        for (const std::size_t i : *of) sum = plus(sum, terms_.product(i, part_.vectors == 1 ? 0 : label));
        if (sum.empty()) return sql_.number(0);
        return part_.vectors == 1 && label == 0 ? "-" + sum : sum;
      };
      names.push_back(numbered('d', column, 1));
      levels_.define(level_, names.back(), choice(towards));
      reasons += fmt::format(" WHEN {} = y0 THEN {}", names.back(), sql_.text(model_.schema.columns[column].name));
    }
    levels_.define(level_ + 1, "y0", sql_.most(names));
    reason_ = fmt::format("CASE WHEN c0 IS NULL OR y0 <= {} THEN NULL{} END", sql_.number(0), reasons);
  }

  static constexpr std::size_t lanes = 8;

  const Model& model_;
  const SqlOptions& options_;
  model::Dialect sql_;
  model::LinearPart part_;
  model::SqlLevels levels_;
  model::SqlTerms terms_;
  std::vector<std::string> kept_;
  std::set<std::size_t> positioned_;  // terms whose positions are columns
  std::size_t level_ = model::sums;
  std::string probability_, reason_;
};

}  // namespace

SqlText to_sql(const Model& model, const SqlOptions& options) {
  const bool takes_logarithms = std::any_of(model.schema.columns.begin(), model.schema.columns.end(),
                                            [](const Column& column) { return column.is_logarithm(); });
  const std::string_view database = help_of(options.dialect);
  SqlText result;
  result.text =
      fmt::format("-- Halfspace {}: docs/formats/sql.md. For {}.\n", kVersion, database.substr(0, database.find(" (")));
  std::string query;
  bool plain = options.plain;
  if (!plain) {
    const Sql sql(model, options, true);
    plain = sql.levels() > model::Dialect(options.dialect).most_levels();
    if (!plain) query = sql.text();
  }
  if (plain) query = Sql(model, options, false).text();
  result.same_bits = !plain && !takes_logarithms;
  result.text +=
      plain ? "-- Each product is rounded before it is added: scores may differ from those of halfspace predict.\n"
      : takes_logarithms ? "-- Scores differ from those of halfspace predict as the database's logarithms do.\n"
                         : "-- Scores have the bits of those of halfspace predict.\n";
  result.text += query;
  return result;
}

}  // namespace halfspace
