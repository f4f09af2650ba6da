// Counts the tokens of a cell.
#include "stream/columns/text_cells.h"

#include <algorithm>
#include <cstring>

#include "stream/columns/category_numbers.h"

namespace halfspace::stream {

std::string_view TextStore::keep(std::string_view text) {
  constexpr std::size_t usual_piece = std::size_t{64} << 10;
  while (piece_ < pieces_.size() && pieces_[piece_].size - used_ < text.size()) {
    ++piece_;
    used_ = 0;
  }
  if (piece_ == pieces_.size()) {
    const std::size_t size = std::max(usual_piece, text.size());
    pieces_.push_back({std::make_unique_for_overwrite<char[]>(size), size});
  }
  char* const begin = pieces_[piece_].bytes.get() + used_;
  std::memcpy(begin, text.data(), text.size());
  used_ += text.size();
  return {begin, text.size()};
}

void TextCells::add(const ColumnPlan::Feature& feature, std::string_view cell, CellDictionary& dictionary,
                    BlockBuffer& rows) {
  ++cells_;
  tokens_.read(cell, feature.tokens);
  for (std::size_t first = 0; first < tokens_.size(); ++first) {
    const std::size_t most = std::min<std::size_t>(feature.ngrams, tokens_.longest_run(first));
    for (std::size_t count = 1; count <= most; ++count) {
      const std::string_view text = tokens_.run(first, count);
      const auto [number, inserted] = dictionary.find_or_insert(feature.column, text);
      if (inserted) dictionary.rebind(number, store_.keep(text));
      if (number >= marks_.size()) marks_.resize(number + std::size_t{1});
      Mark& mark = marks_[number];
      if (mark.cell != cells_) {
        mark = {cells_, rows.indices().size()};
        rows.add(first_provisional + number, 1.0);
      } else if (!feature.binary) {
        rows.values()[mark.place] += 1.0;
      }
    }
  }
}

void TextCells::add_hashed(const ColumnPlan::Feature& feature, std::string_view cell, const NameHasher& hasher,
                           HashedChunk& hashed, ParsedChunk& chunk) {
  BlockBuffer& rows = chunk.rows;
  in_cell_.clear();
  tokens_.read(cell, feature.tokens);
  const std::size_t begin = rows.indices().size();
  for (std::size_t first = 0; first < tokens_.size(); ++first) {
    const std::size_t most = std::min<std::size_t>(feature.ngrams, tokens_.longest_run(first));
    in_cell_.expect(most);
    for (std::size_t count = 1; count <= most; ++count) {
      const std::string_view text = tokens_.run(first, count);
      const std::uint64_t hash = hasher.hash(feature.column, text);
      const std::uint32_t before =
          in_cell_.find_or_insert(hash, static_cast<std::uint32_t>(rows.indices().size() - begin));
      if (before == RowNames::none) {
        rows.add(hasher.feature(hash), 1.0);
        if (hashed.wants_names()) hashed.note(chunk, feature.column, hasher.feature(hash), store_.keep(text));
      } else if (!feature.binary) {
        rows.values()[begin + before] += 1.0;
      }
    }
  }
}

}  // namespace halfspace::stream
