// Recognises name:value.
#include "stream/text/pairs.h"

#include "stream/text/first_lines.h"
#include "stream/text/shapes.h"

namespace halfspace::stream {

bool is_pair(std::string_view word) {
  constexpr std::string_view marks = ":=";
  const std::size_t colon = word.find_first_of(marks);
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == word.size() ||
      word.find_first_of(marks, colon + 1) != std::string_view::npos)
    return false;
  const char next = word[colon + 1];
  // One comma within digits may be a decimal mark.
  const std::size_t comma = word.find_first_of(",;", colon);
  const bool decimal =
      comma == std::string_view::npos ||
      (comma + 1 < word.size() && word.find_first_not_of("0123456789", comma + 1) == std::string_view::npos);
  return next != '/' && next != '\\' && word.find_first_of("\"'{[(") == std::string_view::npos &&
         word.find_first_of(",;") > colon && decimal;
}

void Pairs::add(std::string_view value, bool first) {
  bool empty = true, pair = false, time = false;
  for (std::string_view word; !pair && !(word = next_word(value)).empty(); empty = false) {
    pair = is_pair(word);
    const std::string_view value_alone = word.substr(0, word.find(','));
    time = pair && (looks_like_time(value_alone) || looks_like_date(value_alone));
  }
  lines_ += first ? 1 : 0;
  line_has_one_ = line_has_one_ && !first;
  lines_with_pairs_ += pair && !line_has_one_ ? 1 : 0;
  line_has_one_ = line_has_one_ || pair;
  values_ += pair || (!first && !empty) ? 1 : 0;
  pairs_ += pair ? 1 : 0;
  times_ += time ? 1 : 0;
}

}  // namespace halfspace::stream
