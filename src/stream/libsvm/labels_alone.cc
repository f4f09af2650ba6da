// Distinguishes LIBSVM from text with a single word in each line.
#include "stream/libsvm/labels_alone.h"

#include <cstdint>

#include "halfspace/base/error.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

// Returns whether a colon follows the leading digits of a word, or qid.
bool has_a_feature(std::string_view text) {
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':', colon + 1)) {
    const std::string_view before = text.substr(0, colon);
    const std::string_view word = before.substr(before.find_last_of(" \t\r\n") + 1);
    const bool digits = word.find_first_not_of("0123456789", word.starts_with('-') ? 1 : 0) == std::string_view::npos;
    if (word == "qid" || (digits && !word.empty() && word != "-")) return true;
  }
  return false;
}

}  // namespace

void refuse_labels_alone(const std::string& file, std::string_view text, const Labels* known) {
  if (has_a_feature(text)) return;
  std::uint64_t rows = 0;
  bool labels = known != nullptr;
  std::string other;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    line = line.substr(0, line.find('#'));
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) continue;
    line = line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
    ++rows;
    // Rows without a label are often given one all the same.
    if (!labels || line == "0" || known->find(line)) continue;
    labels = false;
    other = line;
  }
  if (rows == 0 || labels) return;
  throw Error(ErrorKind::data, known == nullptr
                                   ? "no row has a feature: this looks like text, or a table of one column"
                                   : "no row has a feature, and " + quote(other) +
                                         " is no label of the model, which was trained on LIBSVM data: this looks "
                                         "like text, or a table of one column")
      .at(file)
      .fix("rows of LIBSVM are a label and index:value, such as +1 3:0.5");
}

}  // namespace halfspace::stream
