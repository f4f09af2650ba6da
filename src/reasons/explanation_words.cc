// Writes what is said of one row.
#include "reasons/explanation_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/number_words.h"
#include "base/printable.h"
#include "base/text_table.h"

namespace halfspace::reasons {
namespace {

Json json_of(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

Json json_of(const CheapestChange& change, const Explanation& e) {
  Json j = {{"found", change.found}, {"cheapest", change.cheapest}};
  if (!change.found) {
    j["least_margin"] = change.least_margin;
  } else {
    j["cost"] = change.cost;
    j["label"] = utf8(e.label_after);
    j["changes"] = Json::array();
    for (std::size_t k = 0; k < change.changes.size(); ++k) {
      const Change& one = change.changes[k];
      const bool category = !one.to_category.empty();
      Json item = {{"column", utf8(e.change_columns[k])}};
      item["from"] = category ? Json(utf8(one.from_category)) : Json(one.from);
      item["to"] = category ? Json(utf8(one.to_category)) : Json(one.to);
      j["changes"].push_back(std::move(item));
    }
  }
  Json unmoved = Json::array();
  for (const std::string& name : change.unmoved) unmoved.push_back(utf8(name));
  j["unmoved"] = std::move(unmoved);
  return j;
}

// Returns "at least 3.2", "at most 7" or "from 3.2 to 7"; empty: any value.
std::string range_words(const ColumnRange& range) {
  if (range.least && range.most) return fmt::format("from {} to {}", *range.least, *range.most);
  if (range.least) return fmt::format("at least {}", *range.least);
  return range.most ? fmt::format("at most {}", *range.most) : "any";
}

std::string value_of(const ExplainedColumn& column) {
  return column.missing ? "(missing)" : column.unknown ? "(not known)" : shortened(column.value, 24);
}

class Text {
 public:
  Text(const Explanation& e, std::size_t most, const TextStyle& style) : e_(e), most_(most), style_(style) {}

  std::string text() {
    about();
    if (e_.nearest) nearest();
    columns();
    sum();
    if (!e_.reasons.empty()) codes();
    if (e_.radius) radius();
    if (e_.change) {
      change();
    } else {
      line("no ranges", e_.why_no_change);
    }
    return text_;
  }

 private:
  void line(std::string_view key, const std::string& value) { text_ += fmt::format("  {:<12} {}\n", key, value); }

  void about() {
    line("row", e_.row_name.empty()
                    ? grouped(e_.row)
                    : fmt::format("{}   {}", printable(e_.row_name), style_.dim("row " + grouped(e_.row))));
    std::string label = style_.bold(printable(e_.label));
    if (!e_.probabilities.empty()) {
      const auto k = std::find(e_.classes.begin(), e_.classes.end(), e_.label) - e_.classes.begin();
      label += fmt::format(", probability {:.4f}", e_.probabilities[static_cast<std::size_t>(k)]);
    }
    line("label", label);
    line("score", e_.positive.empty()
                      ? fmt::format("{} ahead of {}", short_number(e_.score), printable(e_.other))
                      : fmt::format("{}   {}", short_number(e_.score),
                                    style_.dim(fmt::format("{} {} {}{}", printable(e_.positive),
                                                           e_.at_threshold ? "from" : "above",
                                                           short_number(e_.threshold), e_.at_threshold ? " on" : ""))));
  }

  void nearest() {
    const NearestRows& near = *e_.nearest;
    const std::string by = e_.positive.empty() ? "the nearest leads of " + printable(e_.label) : "the nearest scores";
    line("nearest", fmt::format("of the {} with {} {} labelled otherwise{}", counted(near.rows, "row"), by,
                                near.otherwise == 1 ? "1 is" : grouped(near.otherwise) + " are",
                                near.learned_from ? "   " + style_.dim("the model was trained on them") : ""));
  }

  void columns() {
    TextTable table({true, true, false, true, true});
    table.add(
        {style_.dim("column"), style_.dim("value"),
         style_.dim(e_.positive.empty() ? "contribution to the lead" : "contribution to " + shortened(e_.positive, 24)),
         "", style_.dim("the label holds while it is")});
    double largest = 0;
    for (const ExplainedColumn& c : e_.columns) largest = std::max(largest, std::abs(c.contribution));
    const std::size_t shown = std::min(most_, e_.columns.size());
    for (std::size_t k = 0; k < shown; ++k) {
      const ExplainedColumn& c = e_.columns[k];
      const double share = largest > 0 ? std::abs(c.contribution) / largest : 0;
      const auto length = static_cast<std::size_t>(std::lround(16 * share));
      table.add({shortened(c.name, 32), value_of(c), short_number(c.contribution),
                 std::string(length, c.contribution > 0 ? '+' : '-'), c.range ? range_words(*c.range) : ""});
    }
    text_ += "\n" + table.text();
    if (shown == e_.columns.size()) return;
    double rest = 0;
    for (std::size_t k = shown; k < e_.columns.size(); ++k) rest += e_.columns[k].contribution;
    text_ += style_.dim(
        fmt::format("  … and {} more, together {}\n", grouped(e_.columns.size() - shown), short_number(rest)));
  }

  void sum() {
    const std::string other = short_number(e_.reference_score);
    text_ += style_.dim(fmt::format("  the contributions add up to {} - {}: the score, less that of {}\n",
                                    short_number(e_.score), other.starts_with('-') ? "(" + other + ")" : other,
                                    e_.reference));
  }

  void codes() {
    text_ += "\n  The principal reasons for the label " + printable(e_.label) + ":\n";
    for (std::size_t k = 0; k < e_.reasons.size(); ++k)
      text_ += fmt::format("  {}. {} ({})\n", k + 1, printable(e_.reasons[k].text), printable(e_.reasons[k].code));
  }

  void radius() {
    text_ += "\n";
    const Radius& radius = *e_.radius;
    if (!std::isfinite(radius.infinity)) return line("holds", "whatever numbers the row has");
    if (!std::isfinite(radius.l1))
      return line("holds", fmt::format("while each number moves by less than {}", radius.infinity));
    line("holds", fmt::format("while all numbers together move by less than {} (by Euclid {}), or each by less than {}",
                              radius.l1, radius.l2, radius.infinity));
  }

  void change() {
    const CheapestChange& change = *e_.change;
    if (!e_.radius) text_ += "\n";
    std::string left = change.unmoved.empty() ? "" : "; not changed: ";
    for (std::size_t k = 0; k < std::min<std::size_t>(3, change.unmoved.size()); ++k)
      left += (k > 0 ? ", " : "") + shortened(change.unmoved[k], 32);
    if (change.unmoved.size() > 3) left += fmt::format(" and {} more", change.unmoved.size() - 3);
    if (!change.found) {
      line("no change", change.cheapest
                            ? fmt::format("of those allowed makes it another label: the lead stays at least {}{}",
                                          change.least_margin, left)
                            : fmt::format("was found that makes it another label{}", left));
      return;
    }
    std::string words;
    for (std::size_t k = 0; k < change.changes.size(); ++k) {
      const Change& one = change.changes[k];
      words += k > 0 ? ", and " : "";
      words += shortened(e_.change_columns[k], 32) + " = ";
      words += one.to_category.empty()
                   ? fmt::format("{} instead of {}", one.to, one.from)
                   : fmt::format("{} instead of {}", printable(one.to_category),
                                 one.from_category.empty() ? "none that is known" : printable(one.from_category));
    }
    line("would be",
         fmt::format("{} with {}   {}", style_.bold(printable(e_.label_after)), words,
                     style_.dim(fmt::format(
                         "{} change, cost {}{}", change.cheapest ? "the cheapest" : "a",
                         std::isfinite(change.cost) ? short_number(change.cost, 4) : "beyond the doubles", left))));
  }

  const Explanation& e_;
  std::size_t most_;
  const TextStyle& style_;
  std::string text_;
};

}  // namespace

std::string short_contribution(double value) { return fmt::format("{}{}", value > 0 ? "+" : "", short_number(value)); }

Json explanation_json(const Explanation& e) {
  Json j = {{"row", e.row}};
  if (!e.row_name.empty()) j["id"] = utf8(e.row_name);
  j["label"] = utf8(e.label);
  if (!e.other.empty()) j["other"] = utf8(e.other);
  j["score"] = e.score;
  if (!e.positive.empty()) {
    j["positive"] = utf8(e.positive);
    j["threshold"] = e.threshold;
  }
  if (e.nearest) {
    j["nearest"] = {{"rows", e.nearest->rows},
                    {"otherwise", e.nearest->otherwise},
                    {"within", e.nearest->within},
                    {"learned_from", e.nearest->learned_from}};
  }
  j["reference"] = {{"of", e.reference}, {"score", e.reference_score}};
  if (!e.probabilities.empty()) {
    Json p = Json::object();
    for (std::size_t k = 0; k < e.probabilities.size() && k < e.classes.size(); ++k)
      p[utf8(e.classes[k])] = e.probabilities[k];
    j["probabilities"] = std::move(p);
  }
  j["contributions"] = Json::array();
  for (const ExplainedColumn& c : e.columns) {
    Json item = {{"column", utf8(c.name)}, {"contribution", c.contribution}};
    if (!c.value.empty()) item["value"] = utf8(c.value);
    if (c.missing) item["missing"] = true;
    if (c.unknown) item["unknown"] = true;
    if (c.range) item["holds"] = {{"least", json_of(c.range->least)}, {"most", json_of(c.range->most)}};
    j["contributions"].push_back(std::move(item));
  }
  if (!e.reasons.empty()) {
    j["reasons"] = Json::array();
    for (const ReasonCode& r : e.reasons) j["reasons"].push_back({{"code", utf8(r.code)}, {"text", utf8(r.text)}});
  }
  j["radius"] =
      e.radius ? Json{{"l1", e.radius->l1}, {"l2", e.radius->l2}, {"infinity", e.radius->infinity}} : Json(nullptr);
  j["change"] = e.change ? json_of(*e.change, e) : Json(nullptr);
  if (!e.change) j["no_change"] = e.why_no_change;
  return j;
}

std::string explanation_text(const Explanation& e, std::size_t most, const TextStyle& style) {
  return Text(e, most, style).text();
}

}  // namespace halfspace::reasons
