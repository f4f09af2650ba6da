// Finds the blocks of ranges of rows.
#include "stream/cache/cache_parts.h"

#include <algorithm>
#include <utility>

#include "halfspace/base/error.h"

namespace halfspace::stream {

CacheParts::CacheParts(std::shared_ptr<const Cache> cache, const std::vector<FilePart>& parts)
    : cache_(std::move(cache)) {
  std::uint64_t before = 0, last = 0;  // rows before the block; the end of the part before
  std::size_t block = 0;
  for (const FilePart& part : parts) {
    if (part.path != cache_->name() || part.begin >= part.end || part.end > cache_->rows() || part.begin < last) {
      throw Error(ErrorKind::usage, "rows " + std::to_string(part.begin) + " to " + std::to_string(part.end) + " of " +
                                        part.path + " are no part of the cache, in the order of its rows")
          .at(cache_->name())
          .fix("divide the cache as it is now");
    }
    for (;; before += cache_->entry(block++).rows) {
      const std::uint64_t from = std::max(part.begin, before);
      const std::uint64_t to = std::min(part.end, before + cache_->entry(block).rows);
      if (from < to) pieces_.push_back({block, from - before, to - before});
      if (part.end <= before + cache_->entry(block).rows) break;
    }
    last = part.end;
    report_.rows += part.end - part.begin;
  }
  report_.compression = "none";
}

Block CacheParts::block(std::size_t i, SourceBuffer& buffer) const {
  const Piece& piece = pieces_[i];
  return cache_->rows_of_block(piece.block, piece.begin, piece.end, buffer);
}

}  // namespace halfspace::stream
