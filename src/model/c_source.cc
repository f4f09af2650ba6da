// Writes a linear model as a C99 function: the row's terms are gathered, and added as Predictor adds them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/version.h"
#include "halfspace/base/error.h"
#include "halfspace/model/export.h"
#include "model/c_parts.h"
#include "model/row_terms.h"

namespace halfspace {
namespace {

using model::c_number, model::in_comment;
using model::RowTerm;

// Returns the statements that make a probability of each score, up to their sum.
std::string tempered(const std::vector<Platt>& curves) {
  std::string text;
  for (std::size_t k = 0; k < curves.size(); ++k)
    text += fmt::format("    probability[{0}] = {1} * score[{0}] + {2};\n", k, c_number(-curves[k].a),
                        c_number(-curves[k].b));
  return text + fmt::format(
                    "    double largest = probability[0];\n"
                    "    for (k = 1; k < {0}; ++k) largest = fmax(largest, probability[k]);\n"
                    "    for (k = 0; k < {0}; ++k) probability[k] = exp(probability[k] - largest);\n",
                    curves.size());
}

class CSource {
 public:
  CSource(const Model& model, std::string name)
      : schema_(model.schema),
        name_(std::move(name)),
        part_(model::linear_part(model, "C")),
        terms_(model::row_terms(model, "C", true)),
        columns_(model::columns_of_terms(terms_)),
        curves_(probability_curves(model)) {
    model::check_c_name(name_);
    std::size_t position = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const RowTerm& term = term_of_column(columns_[i]);
      position_[columns_[i]] = position;
      position += term.kind == RowTerm::Kind::date ? parts_of_date : 1;
      dates_ = dates_ || term.kind == RowTerm::Kind::date;
      for (std::size_t k = 0; k < term.cases.size(); ++k) category_[columns_[i]][term.cases[k].first] = k;
    }
  }

  std::string text() {
    std::string terms, tables;
    for (const RowTerm& term : terms_) add_term(term, tables, terms);
    std::size_t values = 0;
    for (const RowTerm& term : terms_) values += term.kind == RowTerm::Kind::date ? features_of_date : 1;
    return comment() + "#include <math.h>\n" + (curves_.fitted() ? "#include <stddef.h>\n" : "") + "\n" +
           model::c_labels(name_, schema_.labels.names) +
           (schema_.row_normalised ? model::c_norm_function(name_) : "") +
           (dates_ ? model::c_weekday_function(name_) : "") + head() + model::c_weights(part_.weight) + tables +
           fmt::format("  double value[{0}] = {{0}};\n  int feature[{0}] = {{0}}, count = 0, i;\n", values) + terms +
           changed_values() + (part_.vectors == 1 ? sum_in_lanes() : sum_by_class()) + probabilities() +
           "  return label;\n}\n";
  }

 private:
  std::string comment() const {
    std::string text = fmt::format(
        "/* Halfspace {}: docs/formats/export.md. Compile with -ffp-contract=off.\n *\n"
        " * Returns the label of a row: its number in {}_labels; -1 for a value or sum that is not finite.\n *\n"
        " * x: the columns below. A number that is missing is NAN; a category is its number in the list, NAN if "
        "missing,\n"
        " * and -1 if it is another.\n"
        " * score: {}\n",
        kVersion, name_,
        part_.vectors == 1 ? fmt::format("one, of {}", in_comment(schema_.labels.names[1])) : "one a label");
    if (curves_.fitted()) text += " * probability: one a label, or NULL\n";
    text += " *\n";
    for (const std::uint32_t column : columns_) {
      const RowTerm& term = term_of_column(column);
      text += fmt::format(" * {} {}:", x(column), in_comment(schema_.columns[column].name));
      if (term.kind == RowTerm::Kind::number) text += " a number";
      if (term.kind == RowTerm::Kind::date) {
        text += fmt::format(" the year of a date; {} the month, {} the day, {} seconds since midnight, or NAN",
                            x(column, 1), x(column, 2), x(column, 3));
      }
      for (std::size_t k = 0; k < term.cases.size() && term.kind == RowTerm::Kind::category; ++k)
        text += fmt::format("{} {} {}", k == 0 ? "" : ",", k, in_comment(term.cases[k].first));
      text += "\n";
    }
    return text + " */\n";
  }

  const RowTerm& term_of_column(std::uint32_t column) const {
    return *std::find_if(terms_.begin(), terms_.end(), [&](const RowTerm& term) { return term.column == column; });
  }

  std::string head() const {
    return fmt::format("int {0}(const double *x, double *score{1});\n\nint {0}(const double *x, double *score{1}) {{\n",
                       name_, curves_.fitted() ? ", double *probability" : "");
  }

  // `part`: of a date.
  std::string x(std::uint32_t column, std::size_t part = 0) const {
    return fmt::format("x[{}]", position_.at(column) + part);
  }

  // Returns the condition of a category that the model knows.
  std::string is_known(std::uint32_t column) const {
    return fmt::format("{0} >= 0 && {0} < {1} && {0} == (int){0}", x(column), category_.at(column).size());
  }

  static std::string add(const std::string& feature, const std::string& value) {
    return fmt::format("{{ feature[count] = {}; value[count++] = {}; }}", feature, value);
  }

  // Returns the largest value of a feature that its column's scale leaves finite.
  std::string most(std::uint32_t feature) const {
    const int exponent = feature < schema_.exponents.size() ? std::max<int>(0, schema_.exponents[feature]) : 0;
    return c_number(std::ldexp(std::numeric_limits<double>::max(), -exponent));
  }

  void add_term(const RowTerm& term, std::string& tables, std::string& code) const {
    code += "  /* " + in_comment(schema_.columns[term.column].name) + " */\n";
    switch (term.kind) {
      case RowTerm::Kind::number:
        code += fmt::format("  if (!isnan({0}) && !(fabs({0}) <= {1})) return -1;\n  if (!isnan({0})) {2}\n",
                            x(term.column), most(term.feature), add(std::to_string(term.feature), x(term.column)));
        if (term.missing != Column::no_feature) code += "  else " + add(std::to_string(term.missing), "1") + "\n";
        return;
      case RowTerm::Kind::category:
        add_category(term, tables, code);
        return;
      case RowTerm::Kind::date:
        add_date(term, tables, code);
        return;
      case RowTerm::Kind::product:
        code += fmt::format(
            "  if (!isnan({0}) && !isnan({1})) {{\n    if (!(fabs({0} * {1}) <= {2})) return -1;\n    {3}\n  }}\n",
            x(term.first), x(term.second), most(term.feature),
            add(std::to_string(term.feature), x(term.first) + " * " + x(term.second)));
        return;
      case RowTerm::Kind::logarithm:
        add_logarithm(term, code);
        return;
      case RowTerm::Kind::by_category:
      case RowTerm::Kind::pair:
        add_cases(term, tables, code);
    }
  }

  void add_category(const RowTerm& term, std::string& tables, std::string& code) const {
    const std::string table = fmt::format("c{}", term.column);
    std::string features;
    for (const model::TermCase& one : term.cases)
      features += fmt::format("{}{}", features.empty() ? "" : ", ", one.feature);
    if (!term.cases.empty()) {
      tables += fmt::format("  static const int {}[{}] = {{{}}};\n", table, term.cases.size(), features);
      code += fmt::format("  if ({}) {}\n", is_known(term.column),
                          add(fmt::format("{}[(int){}]", table, x(term.column)), "1"));
    }
    if (term.missing != Column::no_feature)
      code += fmt::format("  if (isnan({})) {}\n", x(term.column), add(std::to_string(term.missing), "1"));
  }

  void add_date(const RowTerm& term, std::string& tables, std::string& code) const {
    constexpr std::array<std::string_view, 7> weekdays = {"weekday=Mon", "weekday=Tue", "weekday=Wed", "weekday=Thu",
                                                          "weekday=Fri", "weekday=Sat", "weekday=Sun"};
    std::array<std::int64_t, 7> feature{-1, -1, -1, -1, -1, -1, -1};
    std::int64_t seconds = -1;
    for (const model::TermCase& one : term.cases) {
      const auto day = std::find(weekdays.begin(), weekdays.end(), one.first);
      (day == weekdays.end() ? seconds : feature[static_cast<std::size_t>(day - weekdays.begin())]) = one.feature;
    }
    const std::string table = fmt::format("c{}", term.column), year = x(term.column);
    tables += fmt::format("  static const int {}[7] = {{{}}};\n", table, fmt::join(feature, ", "));
    code += fmt::format("  if (!isnan({0})) {{\n    const int weekday = {1}_weekday({0}, {2}, {3});\n", year, name_,
                        x(term.column, 1), x(term.column, 2));
    code += fmt::format("    if (weekday < 0 || isinf({})) return -1;\n", x(term.column, 3));
    for (std::uint32_t part = 0; part < 3; ++part)
      code += "    " + add(std::to_string(term.feature + part), x(term.column, part)) + "\n";
    code += fmt::format("    if ({0}[weekday] >= 0) {1}\n", table, add(table + "[weekday]", "1"));
    if (seconds >= 0)
      code +=
          fmt::format("    if (!isnan({})) {}\n", x(term.column, 3), add(std::to_string(seconds), x(term.column, 3)));
    code += "  }\n";
    if (term.missing != Column::no_feature) code += "  else " + add(std::to_string(term.missing), "1") + "\n";
  }

  void add_logarithm(const RowTerm& term, std::string& code) const {
    const Column& column = schema_.columns[term.column];
    const std::string of = x(term.first);
    const std::string value = fmt::format(
        "{0} > {1} ? log1p(fmin({0} / {2} - {3}, {4})) : 0", of, c_number(column.least), c_number(column.unit),
        c_number(column.least / column.unit), c_number(std::numeric_limits<double>::max()));
    code += fmt::format("  if (!isnan({})) {}\n", of, add(std::to_string(term.feature), value));
  }

  // Adds a product with a category, or of two: a table of features, -1 where there is none.
  void add_cases(const RowTerm& term, std::string& tables, std::string& code) const {
    const bool pair = term.kind == RowTerm::Kind::pair;
    const std::uint32_t category = pair ? term.first : term.second;
    const auto size_of = [&](std::uint32_t column) {
      const auto found = category_.find(column);
      return found == category_.end() ? 0 : found->second.size();
    };
    const std::size_t rows = size_of(category), columns = pair ? size_of(term.second) : 1;
    if (rows * columns == 0) return;
    std::vector<std::int64_t> feature(rows * columns, -1);
    for (const model::TermCase& one : term.cases) {
      const auto row = category_.at(category).find(one.first);
      if (row == category_.at(category).end()) continue;
      std::size_t at = row->second * columns;
      if (pair) {
        const auto column = category_.at(term.second).find(one.second);
        if (column == category_.at(term.second).end()) continue;
        at += column->second;
      }
      feature[at] = one.feature;
    }
    const std::string table = fmt::format("c{}", term.column);
    tables += fmt::format("  static const int {}[{}] = {{{}}};\n", table, feature.size(), fmt::join(feature, ", "));
    std::string at = fmt::format("(int){}", x(category));
    if (pair) at += fmt::format(" * {} + (int){}", columns, x(term.second));
    code += fmt::format("  if ({} && {}) {{\n    const int at = {}[{}];\n    if (at >= 0) {}\n  }}\n",
                        is_known(category), pair ? is_known(term.second) : "!isnan(" + x(term.first) + ")", table, at,
                        add("at", pair ? "1" : x(term.first)));
  }

  // Returns the statements that divide the row by its norm and round it to floats, where the model does.
  std::string changed_values() const {
    std::string code = schema_.row_normalised ? "  " + name_ + "_divide(value, count);\n" : "";
    if (schema_.single) {
      code +=
          "  for (i = 0; i < count; ++i) {\n    value[i] = (float)value[i];\n"
          "    if (!isfinite(value[i])) return -1;\n  }\n";
    }
    return code;
  }

  std::string sum_in_lanes() const {
    const double first = part_.bias_first ? part_.bias[0] : 0;
    std::string text = fmt::format(
        "  double lane[8] = {{{}, 0, 0, 0, 0, 0, 0, 0}};\n"
        "  for (i = 0; i < count; ++i) lane[i % 8] = fma(weight[feature[i]], value[i], lane[i % 8]);\n"
        "  score[0] = ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));\n",
        c_number(first));
    if (!part_.bias_first && part_.bias_scale != 0)
      text += fmt::format("  score[0] = fma({}, {}, score[0]);\n", c_number(part_.unscaled_bias[0]),
                          c_number(part_.bias_scale));
    return text + fmt::format("  if (!isfinite(score[0])) return -1;\n  const int label = score[0] {} {};\n",
                              part_.last_wins ? ">" : ">=", c_number(part_.threshold));
  }

  std::string sum_by_class() const {
    std::vector<std::string> bias;
    for (const double b : part_.bias_first ? part_.bias : part_.unscaled_bias) bias.push_back(c_number(b));
    std::string text = fmt::format(
        "  static const double bias[{0}] = {{{1}}};\n  int label = 0, k;\n  for (k = 0; k < {0}; ++k) {{\n"
        "    double sum = {2};\n"
        "    for (i = 0; i < count; ++i) sum = fma(value[i], weight[feature[i] * {0} + k], sum);\n",
        part_.vectors, fmt::join(bias, ", "), part_.bias_first ? "bias[k]" : "0");
    if (!part_.bias_first) text += fmt::format("    sum = fma(bias[k], {}, sum);\n", c_number(part_.bias_scale));
    return text + fmt::format(
                      "    if (!isfinite(sum)) return -1;\n    score[k] = sum;\n"
                      "    if (sum {} score[label]) label = k;\n  }}\n",
                      part_.last_wins ? ">=" : ">");
  }

  // Returns the statements that turn score k, of a vector, into probability[to].
  std::string curve(std::size_t k, std::size_t to) const {
    const std::string s = fmt::format("score[{}]", k), p = fmt::format("probability[{}]", to);
    if (curves_.by_platt()) {
      const Platt& platt = curves_.platt[k];
      const std::string at =
          platt.clips() ? fmt::format("fmin(fmax({}, {}), {})", s, c_number(platt.low), c_number(platt.high)) : s;
      return fmt::format(
          "    logit = {} * {} + {};\n    power = exp(-fabs(logit));\n    {} = (logit >= 0 ? power : 1) / (1 + "
          "power);\n",
          c_number(platt.a), at, c_number(platt.b), p);
    }
    const Isotonic& steps = curves_.isotonic[k];
    std::string text =
        fmt::format("    if ({} < {}) {} = {};\n", s, c_number(steps.score[0]), p, c_number(steps.probability[0]));
    for (std::size_t i = 1; i < steps.score.size(); ++i) {
      const double low = steps.probability[i - 1], high = steps.probability[i], begin = steps.score[i - 1] / 2;
      std::string value = c_number(low);
      if (low != high) {
        value = fmt::format("fmin({0} + ({1} / 2 - {2}) / {3} * {4}, {5})", value, s, c_number(begin),
                            c_number(steps.score[i] / 2 - begin), c_number(high - low), c_number(high));
      }
      text += fmt::format("    else if ({} < {}) {} = {};\n", s, c_number(steps.score[i]), p, value);
    }
    return text + fmt::format("    else {} = {};\n", p, c_number(steps.probability.back()));
  }

  std::string probabilities() const {
    if (!curves_.fitted()) return "";
    std::string text = "  if (probability != NULL) {\n";
    if (curves_.by_platt()) text += "    double logit, power;\n";
    if (part_.vectors == 1) return text + curve(0, 1) + "    probability[0] = 1 - probability[1];\n  }\n";
    text += "    double total = 0;\n";
    if (curves_.method == CalibrationMethod::temperature) {
      text += tempered(curves_.platt);
    } else if (curves_.method == CalibrationMethod::softmax) {
      text +=
          fmt::format("    for (k = 0; k < {}; ++k) probability[k] = exp(score[k] - score[label]);\n", part_.vectors);
    } else {
      for (std::size_t k = 0; k < part_.vectors; ++k) text += curve(k, k);
    }
    return text +
           fmt::format(
               "    for (k = 0; k < {0}; ++k) total += probability[k];\n"
               "    for (k = 0; k < {0}; ++k) probability[k] = total > 0 ? probability[k] / total : 1.0 / {0};\n  }}\n",
               part_.vectors);
  }

  static constexpr std::size_t parts_of_date = 4, features_of_date = 5;  // in x; at most, of a row

  const Schema& schema_;
  std::string name_;
  model::LinearPart part_;
  std::vector<RowTerm> terms_;
  std::vector<std::uint32_t> columns_;
  Calibration curves_;
  bool dates_ = false;
  std::map<std::uint32_t, std::size_t> position_;                         // of a column, in x
  std::map<std::uint32_t, std::map<std::string, std::size_t>> category_;  // of a column: the number of each
};

}  // namespace

std::string to_c(const Model& model, const std::string& name) { return CSource(model, name).text(); }

}  // namespace halfspace
