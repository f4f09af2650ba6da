// Formats an Error: file, line and column, the message, the line with a caret, the fix.

#include "halfspace/base/error.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/printable.h"

namespace halfspace {
namespace {

// Returns a window of a line, which may be megabytes long, around the column, with the caret under the column. Control
// bytes and invalid UTF-8, which would move the caret or the terminal, are shown as dots.
std::string window_with_caret(const std::string& text, std::uint64_t column) {
  constexpr std::size_t before = 40;
  constexpr std::size_t width = 100;
  const std::size_t offset = column == 0 ? 0 : std::min<std::size_t>(column - 1, text.size());
  const std::size_t begin = offset > before ? offset - before : 0;
  const std::size_t end = std::min(text.size(), begin + width);
  std::string line = begin > 0 ? "…" : "";
  std::size_t caret = begin > 0 ? 1 : 0;
  for (std::size_t i = begin; i < end; ++i) {
    const unsigned char byte = static_cast<unsigned char>(text[i]);
    line += byte >= 0x20 && byte < 0x7f ? text[i] : (byte == '\t' ? ' ' : '.');
    if (i < offset) ++caret;
  }
  if (end < text.size()) line += "…";
  std::string shown = "    " + line;
  if (column != 0) shown += "\n    " + std::string(caret, ' ') + "^";
  return shown;
}

// Encloses an option within a text: a control byte, which users' text never contains in an error (it is shown as a
// dot).
constexpr char kMark = '\x1f';

// An option in a text, and the text before it.
struct FoundOption {
  std::string_view before, name, value;
};
// Finds the next option, and moves `text` to its end.
std::optional<FoundOption> next_option(std::string_view& text) {
  const std::size_t begin = text.find(kMark);
  const std::size_t middle = begin == std::string_view::npos ? begin : text.find(kMark, begin + 1);
  const std::size_t end = middle == std::string_view::npos ? middle : text.find(kMark, middle + 1);
  if (end == std::string_view::npos) return std::nullopt;
  const FoundOption found{text.substr(0, begin), text.substr(begin + 1, middle - begin - 1),
                          text.substr(middle + 1, end - middle - 1)};
  text.remove_prefix(end + 1);
  return found;
}

}  // namespace

std::string option(std::string_view name, std::string_view value) {
  std::string text(1, kMark);
  text.append(name).append(1, kMark).append(value).append(1, kMark);
  return text;
}

std::string render_options(std::string_view text, const OptionStyle& style) {
  std::string rendered;
  while (const auto found = next_option(text)) {
    rendered.append(found->before);
    if (style) {
      rendered += style(found->name, found->value);
    } else {
      rendered.append(found->name).append(found->value.empty() ? "" : " ").append(found->value);
    }
  }
  return rendered.append(text);
}

std::vector<NamedOption> proposed_options(std::string_view fix) {
  std::vector<NamedOption> options;
  while (const auto found = next_option(fix)) {
    if (!options.empty() && found->before != " ") break;
    options.push_back({std::string(found->name), std::string(found->value)});
  }
  return options;
}

Error::Error(ErrorKind kind, std::string message) : kind_(kind), message_(std::move(message)) { render(); }

Error&& Error::at(std::string file, std::uint64_t line, std::uint64_t column) && {
  file_ = std::move(file);
  line_ = line;
  column_ = column;
  render();
  return std::move(*this);
}

Error&& Error::showing(std::string text) && {
  text_ = std::move(text);
  render();
  return std::move(*this);
}

Error&& Error::fix(std::string hint) && {
  hint_ = std::move(hint);
  render();
  return std::move(*this);
}

Error&& Error::note(std::string note) && {
  note_ = std::move(note);
  render();
  return std::move(*this);
}

std::string Error::what(const OptionStyle& style) const {
  std::string rendered;
  if (!file_.empty()) {
    rendered += printable(file_);
    if (line_ != 0) rendered += ":" + std::to_string(line_);
    if (line_ != 0 && column_ != 0) rendered += ":" + std::to_string(column_);
    rendered += ": ";
  }
  rendered += printable(render_options(message_, style));
  if (!text_.empty()) rendered += "\n" + window_with_caret(text_, column_);
  if (!hint_.empty()) rendered += "\n  fix: " + printable(render_options(hint_, style));
  if (!note_.empty()) rendered += "\n  " + printable(render_options(note_, style));
  return rendered;
}

void Error::render() { rendered_ = what(OptionStyle{}); }

Interrupted::Interrupted(std::string file)
    : Error(Error(ErrorKind::input_output, "interrupted while waiting for it").at(std::move(file))) {}

}  // namespace halfspace
