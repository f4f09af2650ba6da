// A store of texts.
#include "stream/columns/text_store.h"

#include <algorithm>
#include <cstring>

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
  if (!text.empty()) std::memcpy(begin, text.data(), text.size());
  used_ += text.size();
  return {begin, text.size()};
}

}  // namespace halfspace::stream
