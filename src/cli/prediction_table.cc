// Writes predictions as CSV or JSON Lines.
#include "cli/prediction_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/json.h"
#include "base/utf8.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "stream/text/text.h"

namespace halfspace::cli {
namespace {

// Returns text as JSON, with U+FFFD for every byte that is not UTF-8.
std::string json_text(std::string_view text) {
  const bool plain = std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\' || static_cast<unsigned char>(c) >= 0x7f;
  });
  if (plain) return fmt::format("\"{}\"", text);
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string reason_of(const RowText& row, bool files) {
  if (row.line == 0) return with_flags(row.reason);
  const std::string column = row.column == 0 ? "" : fmt::format(", byte {}", row.column);
  return fmt::format("{}{}line {}{}: {}", files ? row.file : "", files ? ", " : "", row.line, column,
                     with_flags(row.reason));
}

}  // namespace

PredictionTable::PredictionTable(PredictionColumns columns) : columns_(std::move(columns)) {
  names_ = columns_.kept;
  if (names_.empty()) names_.emplace_back("row");
  names_.emplace_back("prediction");
  const auto add = [&](const std::string& name) {
    if (!columns_.several) return names_.push_back(name);
    for (const std::string& klass : columns_.class_names) names_.push_back(name + ":" + klass);
  };
  if (columns_.scores) add("score");
  const bool named = !columns_.several && columns_.class_names.size() == 2 && columns_.class_names[1] != "?";
  if (columns_.probabilities) add(named ? "probability_of_" + columns_.class_names[1] : "probability");
  if (columns_.sets && columns_.json) names_.emplace_back("set");
  if (columns_.sets && !columns_.json) {
    for (const std::string& klass : columns_.class_names) names_.push_back("set:" + klass);
  }
  if (columns_.reasons > 0 && columns_.json) names_.emplace_back("reasons");
  for (std::size_t k = 1; k <= columns_.reasons && !columns_.json; ++k) {
    names_.push_back(fmt::format("reason_{}", k));
    names_.push_back(fmt::format("contribution_{}", k));
  }
  if (columns_.reason) names_.emplace_back("reason");
  for (std::size_t i = columns_.kept.size(); i < names_.size(); ++i) {
    if (std::find(columns_.kept.begin(), columns_.kept.end(), names_[i]) == columns_.kept.end()) continue;
    throw Error(ErrorKind::usage, "--keep: a column of the table is called '" + printable(names_[i]) + "' already")
        .fix("leave it out, and join by --id or by the row's number");
  }
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const std::string comma = i == 0 ? "" : ",";
    heads_.push_back(columns_.json ? (i == 0 ? "{" : ",") + json_text(names_[i]) + ":" : comma);
  }
}

void PredictionTable::add_header(std::string& text) const {
  if (columns_.json) return;
  for (std::size_t i = 0; i < names_.size(); ++i) text += heads_[i] + stream::csv_field(names_[i]);
  text += '\n';
}

void PredictionTable::add_text(std::string& text, std::string_view value) const {
  if (!columns_.json) {
    text += stream::csv_field(value);
  } else if (valid_utf8(value)) {
    text += json_text(value);
  } else {
    add_nothing(text);
  }
}

void PredictionTable::add_nothing(std::string& text) const {
  if (columns_.json) text += "null";
}

void PredictionTable::add_set(std::string& text, std::span<const std::uint8_t> set) const {
  text += '[';
  bool first = true;
  for (std::size_t k = 0; k < set.size(); ++k) {
    if (set[k] == 0) continue;
    text += first ? "" : ",";
    text += json_text(columns_.class_names[k]);
    first = false;
  }
  text += ']';
}

void PredictionTable::add_reasons(std::string& text, std::span<const NamedContribution> reasons) const {
  text += '[';
  for (std::size_t k = 0; k < reasons.size(); ++k) {
    fmt::format_to(std::back_inserter(text), "{}{{\"column\":{},\"contribution\":{}}}", k == 0 ? "" : ",",
                   json_text(reasons[k].column), reasons[k].value);
  }
  text += ']';
}

void PredictionTable::add(std::string& text, const PredictedRow& row) const {
  const bool good = row.text.reason.empty();
  auto head = heads_.begin();
  if (columns_.kept.empty()) {
    fmt::format_to(std::back_inserter(text), "{}{}", *head++, row.text.row);
  } else {
    for (const std::string_view kept : row.text.kept) {
      text += *head++;
      add_text(text, kept);
    }
  }
  text += *head++;
  good ? add_text(text, row.label) : add_nothing(text);
  const auto add_numbers = [&](bool wanted, std::span<const double> numbers) {
    const std::size_t count = !wanted ? 0 : columns_.several ? columns_.class_names.size() : 1;
    for (std::size_t i = 0; i < count; ++i) {
      text += *head++;
      if (good) {
        fmt::format_to(std::back_inserter(text), "{}", numbers[i]);
      } else {
        add_nothing(text);
      }
    }
  };
  add_numbers(columns_.scores, row.scores);
  add_numbers(columns_.probabilities, row.probabilities);
  if (columns_.sets && columns_.json) {
    text += *head++;
    good ? add_set(text, row.set) : add_nothing(text);
  }
  for (std::size_t k = 0; columns_.sets && !columns_.json && k < columns_.class_names.size(); ++k) {
    text += *head++;
    if (good) text += row.set[k] != 0 ? '1' : '0';
  }
  if (columns_.reasons > 0 && columns_.json) {
    text += *head++;
    good ? add_reasons(text, row.reasons) : add_nothing(text);
  }
  for (std::size_t k = 0; k < columns_.reasons && !columns_.json; ++k) {
    const bool given = k < row.reasons.size();
    text += *head++;
    if (given) text += stream::csv_field(row.reasons[k].column);
    text += *head++;
    if (given) fmt::format_to(std::back_inserter(text), "{}", row.reasons[k].value);
  }
  if (columns_.reason) {
    text += *head++;
    if (good) {
      add_nothing(text);
    } else {
      const std::string reason = reason_of(row.text, columns_.files);
      text += columns_.json ? json_text(reason) : stream::csv_field(reason);
    }
  }
  text += columns_.json ? "}\n" : "\n";
}

}  // namespace halfspace::cli
