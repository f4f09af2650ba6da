// Escapes shortened text and JSON.
#include "report/figures/html.h"

#include <algorithm>
#include <vector>

#include "report/results/json.h"

namespace halfspace::report {
namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

std::string escaped_short(std::string_view text, std::size_t width) {
  const std::string whole = utf8(std::string(text));
  std::vector<std::size_t> begins;  // the start of each character
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (!continues(whole[i])) begins.push_back(i);
  }
  if (begins.size() <= width) return escaped(whole);
  const std::size_t tail = (width - 1) / 2, head = width - 1 - tail;
  return escaped(whole.substr(0, begins[head])) + "…" + escaped(whole.substr(begins[begins.size() - tail]));
}

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !continues(c); }));
}

std::string inert_json(std::string_view json) {
  // JSON has neither character outside of its strings, so the escape is always inside one.
  std::string result;
  result.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      result += "\\u003c";
    } else if (c == '>') {
      result += "\\u003e";
    } else {
      result += c;
    }
  }
  return result;
}

std::string missing_html(const std::string& text) { return "<p class=\"missing\">" + text + "</p>\n"; }

}  // namespace halfspace::report
