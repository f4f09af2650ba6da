// Tells the format from the first line.
#include "stream/recognise.h"

namespace halfspace::stream {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view next_word(std::string_view& line) {
  const std::size_t begin = line.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  line.remove_prefix(begin);
  const std::string_view word = line.substr(0, line.find_first_of(blanks));
  line.remove_prefix(word.size());
  return word;
}

// An index that is out of range or a value that is no number is LIBSVM all the same, with a mistake in it.
bool looks_like_feature(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos || colon == 0 || word.find_first_of(",;\"") != std::string_view::npos)
    return false;
  std::string_view index = word.substr(0, colon);
  if (index == "qid") return true;
  if (index.size() > 1 && index.front() == '-') index.remove_prefix(1);
  return index.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

DataFormat recognise_text(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    line = line.substr(0, line.find('#'));
    const std::string_view first = next_word(line);
    if (first.empty()) continue;
    const std::string_view second = next_word(line);
    if (second.empty() && first.find_first_of(",;\"") == std::string_view::npos) return DataFormat::libsvm;
    return looks_like_feature(first) || looks_like_feature(second) ? DataFormat::libsvm : DataFormat::csv;
  }
  return DataFormat::libsvm;
}

}  // namespace halfspace::stream
