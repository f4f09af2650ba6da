// Some rows of a cache, as a source of blocks.
//
// Thread-safety: as RowSource.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "halfspace/stream/read_options.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/row_source.h"
#include "stream/cache/cache.h"

namespace halfspace::stream {

class CacheParts final : public RowSource {
 public:
  // `parts`: at least one, in the order of rows. Throws Error(usage) for parts of several files, or with no rows of this
  // cache.
  CacheParts(std::shared_ptr<const Cache> cache, const std::vector<FilePart>& parts);

  const Schema& schema() const noexcept override { return cache_->schema(); }
  // Returns the number of rows: what else is known is known of all rows.
  const ReadReport& report() const noexcept { return report_; }
  std::uint64_t rows() const noexcept override { return report_.rows; }
  std::size_t blocks() const noexcept override { return pieces_.size(); }
  Block block(std::size_t i, SourceBuffer& buffer) const override;
  Mapping mapping() const override { return cache_->mapping(); }
  std::string name() const override { return cache_->name(); }
  Error unfit(std::string problem) const override { return cache_->unfit(std::move(problem)); }

 private:
  struct Piece {
    std::size_t block, begin, end;  // rows of the block
  };

  std::shared_ptr<const Cache> cache_;
  std::vector<Piece> pieces_;
  ReadReport report_;
};

}  // namespace halfspace::stream
