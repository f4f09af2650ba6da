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

}  // namespace halfspace::stream
