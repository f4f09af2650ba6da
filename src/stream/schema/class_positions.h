// Samples rows of text files before they are read: are the classes evenly distributed?
//
// Reads up to 64 KiB of whole lines at 16 evenly spaced positions; a file no larger than that is read completely. Does
// not sample text that is compressed, comes through a pipe or has no lines. Of rows in memory it samples 16 blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "halfspace/stream/reader.h"

namespace halfspace::stream {

// The number of rows of each class at each position.
class ClassesByPosition {
 public:
  explicit ClassesByPosition(std::vector<std::vector<std::uint64_t>> rows) : rows_(std::move(rows)) {}

  // Returns whether the class frequencies differ between positions by a relevant and significant amount: the intraclass
  // correlation of two rows at one position exceeds 0.03 (it falls with the sample size if rows only resemble their
  // nearest neighbours), and chi^2 exceeds five times the expectation for homogeneous samples. Donner and Koval,
  // Biometrics 36 (1980).
  bool differ() const;
  // The class whose frequency varies most, with its lowest and highest frequency over the positions.
  struct Extremes {
    std::size_t class_number = 0;
    double least = 0, most = 0;
  };
  Extremes extremes() const;

 private:
  std::vector<std::vector<std::uint64_t>> rows_;  // [position][class]
};

// Samples the files as `options` read them; the schema must be known. Returns nothing if no sample is possible.
std::optional<ClassesByPosition> sample_classes(const ReadOptions& options);

}  // namespace halfspace::stream
