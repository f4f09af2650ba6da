// Writes, maps and checks caches.
#include "stream/cache/cache.h"

#define XXH_INLINE_ALL
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include "base/fields/archive.h"
#include "base/retried.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/kernels/kernels.h"
#include "halfspace/stream/cache.h"
#include "halfspace/stream/rows.h"
#include "kernels/packed.h"
#include "stream/schema/schema_fields.h"
#include "stream/source/raw_file.h"

static_assert(std::endian::native == std::endian::little, "blocks are mapped as they were written: little endian");

namespace halfspace::stream {
namespace {

constexpr std::array<std::uint8_t, 8> cache_magic{0x89, 'H', 'S', 'C', '\r', '\n', 0x1a, '\n'};
constexpr std::uint32_t cache_version = 1;
constexpr std::size_t head_bytes = 64;     // magic, version, zeros
constexpr std::size_t trailer_bytes = 32;  // offset and length of the index, checksum
constexpr std::size_t alignment = 64;      // of blocks

constexpr std::uint64_t round_up(std::uint64_t bytes, std::uint64_t to) { return (bytes + to - 1) / to * to; }

std::size_t value_bytes(CachedValues type) {
  switch (type) {
    case CachedValues::ones:
      return 0;
    case CachedValues::float64:
      return sizeof(double);
    case CachedValues::float32:
    case CachedValues::decimal:
      break;
  }
  return sizeof(float);
}
std::size_t index_bytes(IndexWidth width) {
  return width == IndexWidth::none ? 0 : width == IndexWidth::bits16 ? 2 : 4;
}

// The offsets of a block's arrays within the block.
struct BlockLayout {
  explicit BlockLayout(const CachedBlock& block) {
    offset = 0;
    row = offset + (std::uint64_t{block.rows} + 1) * 8;
    weight = row + std::uint64_t{block.rows} * 8;
    value = weight + (block.weighted ? std::uint64_t{block.rows} * 8 : 0);
    label = round_up(value + block.stored * value_bytes(block.value_type), 8);
    index = label + std::uint64_t{block.rows} * 4;
    size = round_up(index + block.stored * index_bytes(block.index_width), alignment);
  }
  std::uint64_t offset, row, weight, value, label, index, size;
};

// The index of a cache, in file order, as docs/formats/cache.md describes it. `end`: the end of the blocks.
template <class A, class S, class R, class B>
void describe(A& archive, S& schema, R& report, B& blocks, std::uint64_t end) {
  using fields::anything;
  using fields::shown;
  archive.group("schema", [&] { fields::describe_schema(archive, schema); });
  std::uint64_t rows = 0, stored = 0;
  archive.group("report", [&] {
    archive.value("rows", report.rows, anything);
    archive.value("rejected", report.rejected, anything);
    archive.value("stored", report.stored, anything);
    archive.value("nonzeros", report.nonzeros, fields::at_most(report.stored, "what is stored"));
    archive.numbers("class_rows", report.class_rows, anything, anything);
    archive.value("bytes", report.bytes, anything);
    archive.text("fingerprint", report.fingerprint);
    archive.text("compression", report.compression);
  });
  std::uint64_t at = head_bytes;
  archive.list("blocks", blocks, 35, anything, [&](auto& block, std::uint64_t) {
    archive.value("at", block.at, fields::exactly(at, "the block before"));
    archive.value("rows", block.rows, [&](std::uint32_t count) {
      return count > 0 && count <= Rows::block_rows ? std::string()
                                                    : shown(std::uint64_t{count}) + " is no number of rows of a block";
    });
    archive.value("stored", block.stored, fields::at_most(end, "the bytes of the file"));
    archive.value("features", block.features, fields::at_most(schema.features, "the features"));
    archive.choice("value_type", block.value_type, 4, "a type of values");
    archive.choice("index_width", block.index_width, 3, "a width of indices");
    archive.flag("weighted", block.weighted);
    archive.value("checksum", block.checksum, anything);
    const BlockLayout layout(block);
    if (layout.size > end - at) {
      archive.refuse("the block needs " + shown(layout.size) + " bytes, and " + shown(end - at) + " are left");
    }
    at += layout.size;
    rows += block.rows;
    stored += block.stored;
  });
  if (at != end) archive.refuse("the blocks end at byte " + shown(at) + ", and the index begins at " + shown(end));
  if (rows != report.rows) archive.refuse("the blocks have " + shown(rows) + " rows, not " + shown(report.rows));
  if (stored != report.stored) {
    archive.refuse("the blocks have " + shown(stored) + " values, not " + shown(report.stored));
  }
}

// The checksum of everything but the blocks, which have their own.
class Checksum {
 public:
  Checksum() { XXH3_128bits_reset(&state_); }
  void add(const std::uint8_t* bytes, std::size_t size) { XXH3_128bits_update(&state_, bytes, size); }
  XXH128_hash_t sum() const { return XXH3_128bits_digest(&state_); }

 private:
  XXH3_state_t state_;
};

std::array<std::uint8_t, head_bytes> head() {
  std::array<std::uint8_t, head_bytes> bytes{};
  std::copy(cache_magic.begin(), cache_magic.end(), bytes.begin());
  std::memcpy(bytes.data() + cache_magic.size(), &cache_version, sizeof cache_version);
  return bytes;
}

}  // namespace

bool recognise_cache(std::string_view first_bytes) {
  return first_bytes.size() >= cache_magic.size() &&
         std::memcmp(first_bytes.data(), cache_magic.data(), cache_magic.size()) == 0;
}

std::uint64_t bytes_of(const CachedBlock& block) { return BlockLayout(block).size; }

CacheWriter::CacheWriter(const std::string& path, const std::atomic<bool>* interrupt)
    : file_(path, interrupt), at_(head_bytes) {
  file_.write(head());
}

void CacheWriter::append(const Block& block) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    open_.append(block, i);
    if (open_.rows() == Rows::block_rows) write_block();
  }
}

void CacheWriter::write_block() {
  const Block block = open_.finish();
  CachedBlock entry;
  entry.at = at_;
  entry.rows = static_cast<std::uint32_t>(block.rows);
  entry.stored = block.stored();
  entry.features = block.features;
  if (block.value_type == ValueType::float32) entry.value_type = CachedValues::float32;
  if (block.value_type == ValueType::float64) {
    decimal_.resize(entry.stored);
    const bool packs = kernels::pack_decimals(static_cast<const double*>(block.value), entry.stored, decimal_.data());
    entry.value_type = packs ? CachedValues::decimal : CachedValues::float64;
  }
  entry.index_width = block.dense                  ? IndexWidth::none
                      : block.features <= 0x1'0000 ? IndexWidth::bits16
                                                   : IndexWidth::bits32;
  entry.weighted = block.weight != nullptr;
  const BlockLayout layout(entry);
  bytes_.assign(layout.size, 0);
  const auto put = [&](std::uint64_t place, const void* data, std::size_t bytes) {
    if (bytes != 0) std::memcpy(bytes_.data() + place, data, bytes);
  };
  put(layout.offset, block.offset, (block.rows + 1) * 8);
  put(layout.row, block.row, block.rows * 8);
  if (entry.weighted) put(layout.weight, block.weight, block.rows * 8);
  const bool decimals = entry.value_type == CachedValues::decimal;
  put(layout.value, decimals ? decimal_.data() : block.value, entry.stored * value_bytes(entry.value_type));
  put(layout.label, block.label, block.rows * 4);
  if (entry.index_width == IndexWidth::bits32) put(layout.index, block.index, entry.stored * 4);
  if (entry.index_width == IndexWidth::bits16) {
    std::uint8_t* const to = bytes_.data() + layout.index;
    for (std::uint64_t k = 0; k < entry.stored; ++k) {
      const auto narrow = static_cast<std::uint16_t>(block.index[k]);
      std::memcpy(to + 2 * k, &narrow, sizeof narrow);
    }
  }
  entry.checksum = XXH3_64bits(bytes_.data(), bytes_.size());
  file_.write(bytes_);
  at_ += layout.size;
  blocks_.push_back(entry);
  open_.clear();
}

void CacheWriter::commit(const Schema& schema, const ReadReport& report) {
  if (open_.rows() != 0) write_block();
  Checksum checksum;
  checksum.add(head().data(), head_bytes);
  fields::Writer writer([&](std::span<const std::uint8_t> piece) {
    checksum.add(piece.data(), piece.size());
    file_.write(piece);
  });
  writer.file = "cache";
  describe(writer, schema, report, std::as_const(blocks_), at_);
  writer.pass_on();
  std::array<std::uint8_t, trailer_bytes> trailer{};
  const std::uint64_t place[2] = {at_, writer.at()};
  std::memcpy(trailer.data(), place, sizeof place);
  checksum.add(trailer.data(), sizeof place);
  const XXH128_hash_t sum = checksum.sum();
  const std::uint64_t halves[2] = {sum.low64, sum.high64};
  std::memcpy(trailer.data() + sizeof place, halves, sizeof halves);
  file_.write(trailer);
  file_.commit();
}

Cache::Cache(const std::string& path) : path_(path) {
  const auto fail = [&](ErrorKind kind, const char* what) {
    throw Error(kind, std::string(what) + ": " + std::generic_category().message(errno)).at(path);
  };
  const int file = retried([&] { return ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC); });
  if (file < 0) fail(ErrorKind::no_input, "cannot open");
  struct stat status {};
  void* mapped = MAP_FAILED;
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    size_ = static_cast<std::size_t>(status.st_size);
    mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
  }
  const int problem = errno;
  ::close(file);
  if (mapped == MAP_FAILED) {
    throw Error(ErrorKind::input_output, "cannot map the cache: " + std::generic_category().message(problem))
        .at(path)
        .fix("give more memory (ulimit -v), or the text that the cache was made from");
  }
  base_ = static_cast<const std::uint8_t*>(mapped);
  try {
    read_index();
  } catch (const Error& error) {
    ::munmap(mapped, size_);
    base_ = nullptr;
    if (!error.file().empty()) throw;
    refuse(error.message());
  } catch (...) {
    ::munmap(mapped, size_);
    throw;
  }
}

Cache::~Cache() {
  if (base_ != nullptr) ::munmap(const_cast<std::uint8_t*>(base_), size_);
}

Error Cache::unfit(std::string problem) const {
  return Error(ErrorKind::data, std::move(problem))
      .at(path_)
      .fix("make the cache again from the text: halfspace convert");
}

void Cache::refuse(const std::string& problem) const { throw unfit(problem); }

void Cache::read_index() {
  if (!recognise_cache({reinterpret_cast<const char*>(base_), std::min<std::size_t>(size_, cache_magic.size())})) {
    refuse("not a Halfspace cache");
  }
  if (size_ < head_bytes + trailer_bytes) refuse("the cache is cut off at byte " + std::to_string(size_));
  const std::uint8_t* const trailer = base_ + size_ - trailer_bytes;
  std::uint64_t place[4];
  std::memcpy(place, trailer, sizeof place);
  const std::uint64_t most = size_ - trailer_bytes;
  std::uint32_t stored_version = 0;
  std::memcpy(&stored_version, base_ + cache_magic.size(), sizeof stored_version);
  const bool tiles = place[0] >= head_bytes && place[0] <= most && place[1] == most - place[0];
  bool whole = false;
  if (tiles) {
    Checksum checksum;
    checksum.add(base_, head_bytes);
    checksum.add(base_ + place[0], place[1]);
    checksum.add(trailer, trailer_bytes / 2);
    const XXH128_hash_t sum = checksum.sum();
    whole = sum.low64 == place[2] && sum.high64 == place[3];
  }
  if (whole && stored_version > cache_version)
    throw fields::later_version("cache", stored_version, cache_version).at(path_);
  if (!tiles) {
    refuse("cache field 'trailer' at byte " + std::to_string(most) +
           ": the index it points to is not in the file: the cache is damaged or cut off");
  }
  if (!whole) refuse("the cache is damaged: its checksum does not fit");
  if (!std::equal(base_, base_ + head_bytes, head().begin()))
    refuse("cache field 'version' at byte 8: " + std::to_string(stored_version) + " is not a version");
  fields::Reader reader({base_, static_cast<std::size_t>(place[0] + place[1])}, place[0]);
  reader.file = "cache";
  describe(reader, schema_, report_, blocks_, place[0]);
  reader.finish("index");
  if (schema_.labels.names.empty() || report_.class_rows.size() > schema_.labels.names.size()) {
    refuse("cache field 'report.class_rows': there are fewer labels than counts");
  }
}

namespace {

// Leaves the rows [from, to), with offsets of their own, from 0 on. Returns the number of values before them.
std::uint64_t cut(Block& block, std::size_t from, std::size_t to, std::uint64_t stored, SourceBuffer& buffer) {
  const std::uint64_t before = std::min(block.offset[from], stored);
  buffer.offset.resize(to - from + 1);
  for (std::size_t r = 0; r <= to - from; ++r) buffer.offset[r] = block.offset[from + r] - before;
  block.rows = to - from;
  block.offset = buffer.offset.data();
  block.row += from;
  block.label += from;
  if (block.weight != nullptr) block.weight += from;
  return before;
}

// Returns whether all values are finite.
bool square_norms(Block& block, SourceBuffer& buffer) {
  bool finite = true;
  buffer.squared_norm.resize(block.rows);
  block.with_storage([&]<class Value, bool dense>() {
    for (std::size_t r = 0; r < block.rows; ++r) {
      const std::size_t size = block.offset[r + 1] - block.offset[r];
      double& norm = buffer.squared_norm[r];
      if constexpr (std::is_same_v<Value, One>) {
        norm = static_cast<double>(size);
      } else {
        const Value* const values = static_cast<const Value*>(block.value) + block.offset[r];
        for (std::size_t k = 0; k < size; ++k) finite &= std::abs(values[k]) <= std::numeric_limits<Value>::max();
        norm = kernels::squared_norm(values, size);
      }
    }
  });
  block.squared_norm = buffer.squared_norm.data();
  return finite;
}

}  // namespace

Block Cache::block(std::size_t i, SourceBuffer& buffer) const { return rows_of_block(i, 0, blocks_[i].rows, buffer); }

Block Cache::rows_of_block(std::size_t i, std::size_t from, std::size_t to, SourceBuffer& buffer) const {
  const CachedBlock& entry = blocks_[i];
  const BlockLayout layout(entry);
  const std::uint8_t* const bytes = base_ + entry.at;
  const auto wrong = [&](const std::string& problem) {
    refuse("block " + std::to_string(i + 1) + " at byte " + std::to_string(entry.at) + ": " + problem);
  };
  if (XXH3_64bits(bytes, layout.size) != entry.checksum) wrong("it is damaged: its checksum does not fit");
  const auto at = [&]<class T>(std::uint64_t place, const T*) { return reinterpret_cast<const T*>(bytes + place); };
  Block block;
  block.rows = entry.rows;
  block.features = entry.features;
  block.dense = entry.index_width == IndexWidth::none;
  block.offset = at(layout.offset, block.offset);
  block.row = at(layout.row, block.row);
  if (entry.weighted) block.weight = at(layout.weight, block.weight);
  if (entry.value_type == CachedValues::float32) block.value_type = ValueType::float32;
  if (entry.value_type >= CachedValues::float64) block.value_type = ValueType::float64;
  block.label = at(layout.label, block.label);

  const auto classes = static_cast<std::int32_t>(std::max<std::size_t>(2, schema_.labels.names.size()));
  if (block.dense && entry.value_type == CachedValues::ones) wrong("ones are stored without their indices");
  if (block.offset[0] != 0 || block.offset[entry.rows] != entry.stored) wrong("its offsets do not fit its values");
  const std::uint64_t before = from == 0 && to == entry.rows ? 0 : cut(block, from, to, entry.stored, buffer);
  for (std::size_t r = 0; r < block.rows; ++r) {
    const std::uint64_t begin = block.offset[r], end = block.offset[r + 1];
    if (end < begin || end - begin > std::numeric_limits<std::uint32_t>::max() || end > entry.stored - before) {
      wrong("its offsets do not ascend");
    }
    if (block.dense && end - begin > entry.features) wrong("a row has more values than there are features");
    if (block.label[r] < 0 || block.label[r] >= classes) wrong("a label is no class");
    if (block.row[r] == 0 || (r > 0 && block.row[r] <= block.row[r - 1])) wrong("its row numbers do not ascend");
    if (entry.weighted && !is_weight(block.weight[r])) wrong(what_a_weight_is);
  }

  const std::uint64_t stored = block.offset[block.rows];
  if (entry.value_type == CachedValues::decimal) {
    block.decimal = at(layout.value, block.decimal) + before;
    buffer.decimal.resize(stored);
    kernels::unpack_decimals(block.decimal, stored, buffer.decimal.data());
    block.value = buffer.decimal.data();
  } else if (entry.value_type != CachedValues::ones) {
    block.value = bytes + layout.value + before * value_bytes(entry.value_type);
  }
  if (entry.index_width == IndexWidth::bits32) {
    block.index = at(layout.index, block.index) + before;
  } else {
    buffer.index.resize(stored);
    if (block.dense) {
      for (std::size_t r = 0; r < block.rows; ++r) {
        std::uint32_t j = 0;
        for (std::uint64_t k = block.offset[r]; k < block.offset[r + 1]; ++k) buffer.index[k] = j++;
      }
    } else {
      const std::uint16_t* const narrow = at(layout.index, static_cast<const std::uint16_t*>(nullptr)) + before;
      std::copy(narrow, narrow + stored, buffer.index.begin());
      block.narrow_index = narrow;
    }
    block.index = buffer.index.data();
  }
  if (!block.dense) {
    for (std::size_t r = 0; r < block.rows; ++r) {
      const std::uint32_t* const first = block.index + block.offset[r];
      const std::uint32_t* const last = block.index + block.offset[r + 1];
      bool ascends = true;
      for (const std::uint32_t* k = first; k != last; ++k) {
        if (*k >= entry.features) wrong("an index is beyond the features");
        ascends &= k == first || k[-1] < *k;
      }
      if (ascends) continue;
      buffer.order.assign(first, last);
      std::sort(buffer.order.begin(), buffer.order.end());
      if (std::adjacent_find(buffer.order.begin(), buffer.order.end()) != buffer.order.end()) {
        wrong("a row has an index twice");
      }
    }
  }

  if (!square_norms(block, buffer)) wrong("a value is not finite");
  return block;
}

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
      if (from < to)
        pieces_.push_back({block, static_cast<std::size_t>(from - before), static_cast<std::size_t>(to - before)});
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

namespace halfspace {

ReadReport convert(const ReadOptions& options, const std::string& path) {
  if (options.row_normalised || options.single || !options.labels.class_weights.empty()) {
    throw Error(ErrorKind::usage, "a cache holds the data as they are: normalisation and weights of classes come later")
        .fix("leave them out here, and give them to train");
  }
  if (path == "-")
    throw Error(ErrorKind::usage, "a cache is mapped when it is read: it needs a file of its own").fix("name a file");
  const auto replaces = [&](const std::string& read) {
    std::error_code none;
    return read != "-" && std::filesystem::equivalent(read, path, none);
  };
  if (options.rows == nullptr &&
      (replaces(options.path) || std::any_of(options.more.begin(), options.more.end(), replaces))) {
    throw Error(ErrorKind::usage, "the cache would replace the data it is made from").at(path).fix("name another file");
  }
  ReadOptions read = options;
  read.labels.scan_all = true;
  Reader reader(read);
  stream::CacheWriter writer(path, options.interrupt);
  reader.read([&](const Block& block) {
    writer.append(block);
    return true;
  });
  writer.commit(reader.schema(), reader.report());
  return reader.report();
}

bool is_cache(const std::string& path) {
  if (path == "-") return false;
  std::error_code problem;
  const std::filesystem::file_status status = std::filesystem::status(path, problem);
  if (status.type() == std::filesystem::file_type::none) {
    throw Error(ErrorKind::input_output, "cannot be examined: " + problem.message())
        .at(path)
        .fix("check the disk and the permissions");
  }
  return std::filesystem::is_regular_file(status) &&
         stream::recognise_cache(stream::RawFile(path, nullptr).next_chunk());
}

}  // namespace halfspace
