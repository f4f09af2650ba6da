// A look at rows here and there in files of text, before they are read: do the classes lie about evenly?
//
// From 16 places, even distances apart, up to 64 KiB are read each, as whole lines; a file as small is seen whole. Text
// that is compressed, comes through a pipe or has no lines is not looked at. Of rows in memory 16 blocks are.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "halfspace/stream/reader.h"

namespace halfspace::stream {

// How often each class came in each place.
class ClassesByPlace {
 public:
  explicit ClassesByPlace(std::vector<std::vector<std::uint64_t>> rows) : rows_(std::move(rows)) {}

  // Tells whether two rows of one place are of one class so much more often than any two are that it matters, and is no
  // chance: their intraclass correlation is above 0.03 (of rows that resemble their nearest neighbours alone it falls
  // with the size of a place), and chi^2 above five times what homogeneous places would give. Donner and Koval,
  // Biometrics 36 (1980).
  bool differ() const;
  // The class whose share differs most, and its shares in the places where it is rarest and most frequent.
  struct Extremes {
    std::size_t class_number = 0;
    double least = 0, most = 0;
  };
  Extremes extremes() const;

 private:
  std::vector<std::vector<std::uint64_t>> rows_;  // [place][class]
};

// Reads them as `options` say, whose schema is known. Empty where nothing can be seen.
std::optional<ClassesByPlace> look_at_places(const ReadOptions& options);

}  // namespace halfspace::stream
