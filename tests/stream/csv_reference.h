// CSV read slowly and plainly, byte by byte and all at once: what the fast reader must agree with. Nothing of it is
// shared with the library but what a label is.
#pragma once

#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stream/csv_driver.h"

namespace halfspace::stream::reference {

struct Field {
  std::string text;
  std::size_t column = 0;  // of its first byte, or where it would be
  bool quoted = false;
};

struct Record {
  std::uint64_t line = 0;
  std::string text;
  std::vector<Field> fields;
  std::vector<std::size_t> field_columns;  // where each began, blanks included
  std::string flaw;                        // words of the reason
  std::size_t flaw_column = 0;
};

// The records of the text; blank lines are none.
inline std::vector<Record> split(const std::string& text, char delimiter) {
  enum class State { start, plain, quoted, quote, tail };
  std::vector<Record> records;
  std::size_t i = 0;
  std::uint64_t line = 0;
  const auto blank = [&](char c) { return c == ' ' || (c == '\t' && delimiter != '\t'); };
  while (i < text.size()) {
    Record record;
    record.line = line;
    const std::size_t begin = i;
    State state = State::start;
    Field field;
    bool only_blanks = true;
    const auto flaw = [&](const char* what, std::size_t at) {
      if (record.flaw.empty()) record.flaw = what, record.flaw_column = at - begin + 1;
    };
    std::size_t opened = 0;
    record.field_columns.push_back(1);
    const auto close = [&](std::size_t at) {
      if (state == State::start) field.column = at - begin + 1;
      if (!field.quoted) {
        while (!field.text.empty() && blank(field.text.back())) field.text.pop_back();
      }
      record.fields.push_back(field);
      field = Field();
      state = State::start;
    };
    std::size_t end = text.size();
    for (;; ++i) {
      const bool at_end = i == text.size();
      const char c = at_end ? '\n' : text[i];
      const bool line_end =
          at_end || c == '\n' || (c == '\r' && (i + 1 == text.size() || text[i + 1] == '\n') && state != State::quoted);
      if (!at_end && !blank(c) && !line_end) only_blanks = false;
      if (state == State::quoted) {
        if (at_end) {
          flaw("never closed", opened);
          break;
        }
        if (c == '\n') ++line;
        if (c == '"') {
          state = State::quote;
        } else {
          field.text += c;
        }
        continue;
      }
      if (line_end) {
        end = i;
        close(i);
        break;
      }
      if (c == delimiter) {
        close(i);
        record.field_columns.push_back(i - begin + 2);
        continue;
      }
      switch (state) {
        case State::start:
          if (blank(c)) break;
          if (c == '"') {
            state = State::quoted;
            field.quoted = true;
            field.column = i - begin + 2;
            opened = i;
          } else {
            state = State::plain;
            field.column = i - begin + 1;
            field.text += c;
          }
          break;
        case State::plain:
          if (c == '"') flaw("inside an unquoted", i);
          field.text += c;
          break;
        case State::quote:
          if (c == '"') {
            field.text += c;
            state = State::quoted;
          } else {
            state = State::tail;
            if (!blank(c)) flaw("after the closing", i);
          }
          break;
        default:
          if (!blank(c)) flaw("after the closing", i);
      }
    }
    record.text = text.substr(begin, end - begin);
    if (state == State::quoted && record.text.back() == '\n') record.text.pop_back();
    if (state == State::quoted && record.text.size() > 1 && record.text.back() == '\r' && text.back() == '\n') {
      record.text.pop_back();
    }
    i = end;
    if (i < text.size() && text[i] == '\r') ++i;
    if (i < text.size()) ++i;
    ++line;
    if (!only_blanks) records.push_back(std::move(record));
  }
  return records;
}

inline bool missing(const std::string& text) {
  return text.empty() || text == "?" || text == "NA";
}

// The finite number that the whole text spells, in decimal.
inline std::optional<double> number(const std::string& text) {
  if (text.empty() || text.find_first_not_of("+-.0123456789eE") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Reads a table with a header whose label is `label`; kinds from the first `inference_rows` rows; bad rows are set
// aside. Tables hold no NUL, no broken UTF-8, no weights and no spelled infinities here: those have tests of their own.
inline CsvResult read(const std::string& text, char delimiter, const std::string& label, std::uint64_t inference_rows) {
  CsvResult result;
  std::vector<Record> records = split(text, delimiter);
  const Record header = records.front();
  records.erase(records.begin());
  const std::size_t columns = header.fields.size();
  std::size_t target = 0;
  while (header.fields[target].text != label) ++target;
  const auto broken = [](const std::string& value) { return value.find_first_of("\r\n") != std::string::npos; };
  const auto usable = [&](const Record& r) {
    return r.flaw.empty() && r.fields.size() == columns && !missing(r.fields[target].text) &&
           !broken(r.fields[target].text);
  };

  Schema& schema = result.schema;
  schema.format = DataFormat::csv;
  schema.delimiter = delimiter;
  for (std::size_t c = 0; c < columns; ++c) {
    Column column;
    column.name = header.fields[c].text;
    column.kind = c == target ? Column::Kind::label : Column::Kind::numeric;
    std::uint64_t seen = 0;
    for (const Record& r : records) {
      if (!usable(r)) continue;
      if (seen++ == inference_rows) break;
      if (c != target && !missing(r.fields[c].text) && !number(r.fields[c].text)) {
        column.kind = Column::Kind::categorical;
      }
    }
    if (column.kind == Column::Kind::numeric) column.feature = schema.features++;
    schema.columns.push_back(column);
  }

  std::vector<std::map<std::string, std::uint32_t>> features(columns);  // "" is a missing value
  const auto feature_of = [&](std::size_t c, const std::string& category) {
    const auto [found, inserted] = features[c].emplace(category, schema.features);
    if (inserted) {
      Column& column = schema.columns[c];
      if (category.empty()) {
        column.missing_feature = schema.features++;
      } else {
        column.categories.push_back(category);
        column.features.push_back(schema.features++);
      }
    }
    return found->second;
  };
  const auto problem = [&](const Record& r) -> std::optional<std::pair<std::size_t, std::string>> {
    if (!r.flaw.empty()) return std::pair(r.flaw_column, r.flaw);
    if (r.fields.size() > columns) return std::pair(r.field_columns[columns], std::string("are expected"));
    if (r.fields.size() < columns) return std::pair(r.text.size() + 1, std::string("are expected"));
    for (std::size_t c = 0; c < columns; ++c) {
      const std::string& value = r.fields[c].text;
      if (schema.columns[c].kind != Column::Kind::numeric || missing(value) || number(value)) continue;
      return std::pair(r.fields[c].column, std::string("not a number"));
    }
    if (missing(r.fields[target].text)) return std::pair(r.fields[target].column, std::string("is missing"));
    if (broken(r.fields[target].text)) return std::pair(r.fields[target].column, std::string("has a line break"));
    return std::nullopt;
  };
  std::vector<std::string> labels;
  std::uint64_t seen = 0;
  for (const Record& r : records) {
    if (!usable(r)) continue;
    if (seen++ == inference_rows) break;
    if (!problem(r)) labels.push_back(r.fields[target].text);
  }
  schema.labels = Labels::from(labels, {}, LabelsAre::texts);

  for (const Record& r : records) {
    auto wrong = problem(r);
    if (!wrong && !schema.labels.find(r.fields[target].text)) {
      wrong = std::pair(r.fields[target].column, std::string("not a label"));
    }
    if (wrong) {
      result.bad.insert({result.data_rows, r.line, wrong->first, wrong->second, {}, r.text});
    } else {
      CsvRow row{result.data_rows, r.line, *schema.labels.find(r.fields[target].text), 1, {}};
      for (std::size_t c = 0; c < columns; ++c) {
        const std::string& value = r.fields[c].text;
        const Column& column = schema.columns[c];
        if (c == target) continue;
        if (missing(value)) {
          row.values.emplace_back(feature_of(c, ""), 1.0);
        } else if (column.kind == Column::Kind::numeric) {
          row.values.emplace_back(column.feature, *number(value));
        } else {
          row.values.emplace_back(feature_of(c, value), 1.0);
        }
      }
      result.rows.push_back(std::move(row));
    }
    ++result.data_rows;
  }
  return result;
}

}  // namespace halfspace::stream::reference
