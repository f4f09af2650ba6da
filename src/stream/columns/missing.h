// Which texts of a table stand for a missing value. Thread-safety: immutable once made.
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

  // Tells whether the text stands for a missing value; the empty one does.
  bool operator()(std::string_view text) const {
    if (text.empty()) return true;
    if (text.size() == 1) return alone_[static_cast<unsigned char>(text.front())];
    return text.size() <= longest_ && begins_[static_cast<unsigned char>(text.front())] && named(text);
  }
  // Returns them but for one, as a list on a command line.
  std::string list_without(std::string_view name) const;
  // Tells whether one of them would be read as a number.
  bool any_number() const { return any_number_; }

 private:
  bool named(std::string_view text) const;

  std::vector<std::string> names_;
  std::size_t longest_ = 0;
  std::array<bool, 256> begins_{}, alone_{};  // by first byte; by the only one
  bool any_number_ = false;
};

// Tells whether the options name texts that stand for missing values.
inline bool names_missing(const ReadOptions& options) {
  return !options.table.missing.empty() || options.table.missing_only.has_value();
}

// Gives the schema the texts that stand for missing values as the options have them; a model's stay. Throws Error(usage)
// for one that no cell can hold, and for others than the model's.
void learn_missing(const ReadOptions& options, Schema& schema);

// Returns those of the names that are missing labels. What is a label of the schema is not; and - is the other class of +
// where the options do not name it.
MissingNames missing_labels(const ReadOptions& options, const Schema& schema);

// Says how a text that stands for no value is a label.
std::string fix_of_missing_label(std::string_view text, const MissingNames& missing);

}  // namespace halfspace::stream
