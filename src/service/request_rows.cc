// Finds objects in JSON, and makes lines of them.
#include "service/request_rows.h"

#include <algorithm>

#include "halfspace/base/error.h"

namespace halfspace::service {
namespace {

constexpr std::string_view blanks = " \t\r\n";

// Takes the next row off the front of the text: an object to its closing brace, or a line of other text. Empty at the
// end.
std::string_view next_object(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n,[]"), text.size()));
  std::size_t depth = 0, end = 0;
  if (!text.starts_with('{')) end = std::min(text.find('\n'), text.size());
  for (bool quoted = false; end < text.size() && text.starts_with('{'); ++end) {
    const char c = text[end];
    if (quoted && c == '\\') {
      ++end;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '{' || c == '}')) {
      depth = c == '{' ? depth + 1 : depth - 1;
      if (depth == 0) {
        ++end;
        break;
      }
    }
  }
  const std::string_view object = text.substr(0, end);
  text.remove_prefix(object.size());
  return object;
}

bool is_object(std::string_view line) {
  const std::size_t first = line.find_first_not_of(blanks);
  return first != std::string_view::npos && line[first] == '{' &&
         line.substr(0, line.find_last_not_of(blanks) + 1).ends_with('}');
}

bool has_object_line(std::string_view text) {
  while (!text.empty()) {
    if (is_object(next_line(text))) return true;
  }
  return false;
}

}  // namespace

RequestRows rows_of(const Schema& schema, const Request& request) {
  RequestRows rows;
  rows.sent = request.body;
  const bool is_csv = schema.format == DataFormat::csv;
  const bool is_json = request.is_json && (is_csv || schema.format == DataFormat::jsonl);
  if (!is_json && !(is_csv && has_object_line(request.body))) return rows;
  rows.is_made = true;
  std::string_view rest = request.body;
  for (std::uint64_t number = 1; !rest.empty(); ++number) {
    const std::string_view row = is_json ? next_object(rest) : next_line(rest);
    if (is_json && row.empty()) break;
    if (rows.refused.size() == LiveLearner::most_refused) {
      ++rows.more;
      continue;
    }
    try {
      if (is_csv && row.size() <= RowParser::longest_row && (is_json || is_object(row)))
        rows.made += csv_of_json(schema, row);
      else
        rows.made += row;
    } catch (const Error& error) {
      rows.refused.push_back({number, 0, error.message(), error.hint()});
    }
    if (is_json && !is_csv)
      std::replace(rows.made.end() - static_cast<std::ptrdiff_t>(row.size()), rows.made.end(), '\n', ' ');
    rows.made += '\n';
  }
  return rows;
}

}  // namespace halfspace::service
