// Names in few bytes of a file: sorted by their bytes, each without what it shares with the one before, and their
// features in that order (docs/formats/model.md).
//
// A list of names has one encoding, and decoding accepts no other. Cost: sorting to encode; O(bytes) to decode.
//
// Thread-safety: pure functions of their arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "halfspace/detail/stream/name_list.h"

namespace halfspace::stream {

struct SortedNames {
  std::vector<std::uint8_t> texts;
  std::vector<std::uint32_t> features;
};

// Every so many names, one shares nothing with the one before.
inline constexpr std::size_t names_a_restart = 32;

// Returns the encoding of names, or nothing if two are alike or the features do not ascend.
std::optional<SortedNames> sort_names(const NameList& names, std::span<const std::uint32_t> features);

// Where decoding has stopped: at a byte of the texts, or at a feature.
struct NamesFlaw {
  bool in_features;
  std::size_t at;
  std::string problem;
};

// Decodes as many names as there are features, in the order of these; sorts the features. Returns what is wrong, if
// anything is.
std::optional<NamesFlaw> read_sorted_names(std::span<const std::uint8_t> texts, std::vector<std::uint32_t>& features,
                                           NameList& names);

// Sorted names that stay encoded: a few are found by binary search, all are decoded once they are listed.
//
// Thread-safety: constant members are safe.
class EncodedNames {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  // Checks what read_sorted_names checks, and sorts the features. Returns null if anything is wrong. `owner` has the
  // texts.
  static std::shared_ptr<const EncodedNames> read(std::span<const std::uint8_t> texts,
                                                  std::vector<std::uint32_t>& features,
                                                  std::shared_ptr<const void> owner);

  std::size_t size() const noexcept { return features_.size(); }
  // Returns the feature of a name, or none.
  std::uint32_t find(std::string_view name) const;
  // Returns the names in the order of their features.
  const NameList& names() const;

 private:
  std::span<const std::uint8_t> texts_;
  std::shared_ptr<const void> owner_;
  std::vector<std::uint32_t> features_;  // in the order of the names
  std::vector<std::size_t> restarts_;    // where each begins in the texts
  mutable std::once_flag decoded_;
  mutable NameList names_;
};

}  // namespace halfspace::stream
