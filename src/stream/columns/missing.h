// Defines which texts of a table are missing values. Thread-safety: immutable once constructed.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"

namespace halfspace::stream {

class MissingNames {
 public:
  MissingNames() = default;
  explicit MissingNames(std::vector<std::string> names);

  // Returns whether the text is a missing value; the empty text is.
  bool operator()(std::string_view text) const {
    if (text.empty()) return true;
    if (text.size() == 1) return alone_[static_cast<unsigned char>(text.front())];
    return text.size() <= longest_ && begins_[static_cast<unsigned char>(text.front())] && named(text);
  }
  // Returns all texts but one, as a list for a command line.
  std::string list_without(std::string_view name) const;
  // Returns whether one of the texts would be parsed as a number.
  bool any_number() const { return any_number_; }

 private:
  bool named(std::string_view text) const;

  std::vector<std::string> names_;
  std::size_t longest_ = 0;
  std::array<bool, 256> begins_{}, alone_{};  // by first byte; by the only one
  bool any_number_ = false;
};

// Returns whether the options name texts for missing values.
inline bool names_missing(const ReadOptions& options) {
  return !options.table.missing.empty() || options.table.missing_only.has_value();
}

// Sets the schema's texts for missing values from the options; a model's are kept. Throws Error(usage) for a text that
// no cell can hold, and for other texts than the model's.
void learn_missing(const ReadOptions& options, Schema& schema);

// Returns the texts that are missing labels: not those that are classes of the schema
// or of the options, nor -, the counterpart of +,
// unless the options name it.
MissingNames missing_labels(const ReadOptions& options, const Schema& schema);

// Returns how to make a class of a text that means a missing value, as the beginning of a fix.
std::string fix_of_missing_label(std::string_view text, const MissingNames& missing);

}  // namespace halfspace::stream
