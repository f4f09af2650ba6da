// Writes literals and names for four databases.
#include "model/sql_dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/utf8.h"
#include "halfspace/base/error.h"
#include "stream/text/text.h"

namespace halfspace::model {
namespace {

[[noreturn]] void refuse_text(std::string_view text, const std::string& why, const std::string& fix) {
  throw Error(ErrorKind::usage, "cannot export this model to SQL: " + stream::quote(text) + " " + why).fix(fix);
}

void check_text(std::string_view text) {
  if (text.find('\0') != std::string_view::npos || !valid_utf8(text))
    refuse_text(text, "is no text of a database", "rename the column, category or label in the data and train again");
}

std::string doubled(std::string_view text, char quote) {
  std::string result(1, quote);
  for (const char c : text) result += c == quote ? std::string(2, quote) : std::string(1, c);
  return result + quote;
}

std::string hexadecimal(std::string_view text) {
  std::string result = "X'";
  for (const char c : text) result += fmt::format("{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return result + "'";
}

bool plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && c != '\\'; });
}

// Returns a double as integers and powers of two: SQLite's reading of decimals is not exact.
std::string in_powers_of_two(double value) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 62;
  constexpr int largest_exponent = 62;
  int exponent = 0;
  auto whole = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  for (; exponent < 0 && whole % 2 == 0 && whole != 0; ++exponent) whole /= 2;
  if (exponent == 0 || whole == 0) return fmt::format("{}.0", whole);
  std::string text = fmt::format("({}.0", whole);
  for (; std::abs(exponent) > largest_exponent; exponent += exponent < 0 ? largest_exponent : -largest_exponent)
    text += fmt::format("{}{}.0", exponent < 0 ? '/' : '*', largest);
  return text + fmt::format("{}{}.0)", exponent < 0 ? '/' : '*', std::uint64_t{1} << std::abs(exponent));
}

}  // namespace

std::string Dialect::number(double value) const {
  switch (which_) {
    case SqlDialect::sqlite:
      return in_powers_of_two(value);
    case SqlDialect::mysql: {
      const std::string text = fmt::format("{}", value);
      return text.find('e') == std::string::npos ? text + "e0" : text;
    }
    case SqlDialect::postgresql:
      return fmt::format("'{}'::float8", value);
    case SqlDialect::duckdb:
      break;
  }
  return fmt::format("'{}'::DOUBLE", value);
}

std::string Dialect::power_of_ten(int exponent) const {
  const std::string text = fmt::format("1e{}", exponent);
  if (which_ == SqlDialect::postgresql) return "'" + text + "'::float8";
  return which_ == SqlDialect::duckdb ? "'" + text + "'::DOUBLE" : text;
}

std::string Dialect::text(std::string_view text) const {
  check_text(text);
  if (which_ == SqlDialect::mysql && !plain(text)) return "CONVERT(" + hexadecimal(text) + " USING utf8mb4)";
  if (which_ == SqlDialect::postgresql && text.find('\\') != std::string_view::npos) {
    std::string escaped;
    for (const char c : text) escaped += c == '\\' ? "\\\\" : std::string(1, c);
    return "E" + doubled(escaped, '\'');
  }
  return doubled(text, '\'');
}

std::string Dialect::name(std::string_view name) const {
  check_text(name);
  if (name.empty()) refuse_text(name, "is no name of a column", "name the column");
  if (which_ != SqlDialect::mysql) return doubled(name, '"');
  if (name.back() == ' ')
    refuse_text(name, "ends with a blank, as no column of MariaDB and MySQL may", "rename the column");
  return doubled(name, '`');
}

std::string Dialect::table(std::string_view name) const {
  std::string result, part;
  bool quoted = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '"' && quoted && i + 1 < name.size() && name[i + 1] == '"') {
      part += name[++i];
    } else if (name[i] == '"' && (quoted || part.empty())) {
      quoted = !quoted;
    } else if (name[i] == '.' && !quoted) {
      result += this->name(part) + ".";
      part.clear();
    } else {
      part += name[i];
    }
  }
  return result + this->name(part);
}

std::string Dialect::cell(const std::string& column) const {
  switch (which_) {
    case SqlDialect::postgresql:  // as COPY writes it, while a cast writes true for t, and cuts the blanks of char(n)
      return "concat(" + column + ") COLLATE \"C\"";
    case SqlDialect::sqlite:
      return "coalesce(CAST(" + column + " AS TEXT), '') COLLATE BINARY";
    case SqlDialect::mysql:
      return "coalesce(CAST(CONVERT(" + column + " USING utf8mb4) AS BINARY), X'')";
    case SqlDialect::duckdb:
      break;
  }
  return "coalesce(CAST(" + column + " AS VARCHAR), '')";
}

std::string Dialect::same_text(std::string_view text) const {
  check_text(text);
  return which_ == SqlDialect::mysql ? hexadecimal(text) : this->text(text);
}

std::string Dialect::as_double(const std::string& column) const {
  switch (which_) {
    case SqlDialect::sqlite:
      return "CAST(" + column + " AS REAL)";
    case SqlDialect::mysql:
      return "(" + column + " + 0e0)";
    case SqlDialect::postgresql:
    case SqlDialect::duckdb:
      break;
  }
  return "CAST(" + column + " AS DOUBLE PRECISION)";
}

std::string Dialect::extreme(bool most, const std::vector<std::string>& of) const {
  constexpr std::size_t most_arguments = 50;
  if (of.size() == 1) return of.front();
  if (of.size() > most_arguments) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < of.size(); i += most_arguments) {
      const auto begin = of.begin() + static_cast<std::ptrdiff_t>(i);
      parts.push_back(
          extreme(most, {begin, begin + static_cast<std::ptrdiff_t>(std::min(most_arguments, of.size() - i))}));
    }
    return extreme(most, parts);
  }
  const bool sqlite = which_ == SqlDialect::sqlite;
  std::string text = most ? (sqlite ? "max(" : "greatest(") : (sqlite ? "min(" : "least(");
  for (std::size_t i = 0; i < of.size(); ++i) text += (i == 0 ? "" : ", ") + of[i];
  return text + ")";
}

std::string Dialect::fence_before() const {
  return which_ == SqlDialect::sqlite || which_ == SqlDialect::duckdb ? "AS MATERIALIZED " : "AS ";
}

std::string Dialect::fence_after() const {
  return which_ == SqlDialect::postgresql ? " OFFSET 0"
         : which_ == SqlDialect::mysql    ? " LIMIT 18446744073709551615"
                                          : "";
}

}  // namespace halfspace::model
