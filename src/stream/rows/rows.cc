// Keeps rows in blocks of 4096, in memory while they fit, then in a mapped temporary file.
#include "halfspace/stream/rows.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <numeric>
#include <span>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/retried.h"
#include "halfspace/base/error.h"
#include "kernels/packed.h"

namespace halfspace::stream {
namespace {

// Memory for kept rows: allocated in large chunks that the system may back with huge pages, so that filling and
// scanning them causes few page faults. Freed all at once.
//
// Thread-safety: one thread.

class Slabs {
 public:
  Slabs() = default;
  ~Slabs();
  Slabs(const Slabs&) = delete;
  Slabs& operator=(const Slabs&) = delete;

  // Returns uninitialized memory, aligned to 64. Throws std::bad_alloc.
  std::byte* take(std::size_t bytes);
  // Frees everything, and keeps the first chunk for reuse.
  void clear();
  // Returns the allocated bytes.
  std::uint64_t size() const noexcept { return size_; }

 private:
  struct Slab {
    void* mapping;
    std::size_t bytes;
  };

  void begin(const Slab& slab);

  std::vector<Slab> slabs_;
  std::byte* next_ = nullptr;  // free from here
  std::size_t left_ = 0;
  std::uint64_t size_ = 0;
};

constexpr std::size_t cache_line = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;
// Pages that are not used take no memory; where pointers have 32 bits they take the address space.
constexpr std::size_t slab_bytes = std::size_t{sizeof(void*) < 8 ? 1 : 64} << 20;

Slabs::~Slabs() {
  for (const Slab& slab : slabs_) ::munmap(slab.mapping, slab.bytes);
}

// Frees all of a slab.
void Slabs::begin(const Slab& slab) {
  void* begin = slab.mapping;
  std::size_t space = slab.bytes;
  left_ = slab.bytes - huge_page;
  std::align(huge_page, left_, begin, space);
  next_ = static_cast<std::byte*>(begin);
}

void Slabs::clear() {
  while (slabs_.size() > 1) {
    ::munmap(slabs_.back().mapping, slabs_.back().bytes);
    slabs_.pop_back();
  }
  size_ = left_ = 0;
  if (!slabs_.empty()) begin(slabs_.front());
}

std::byte* Slabs::take(std::size_t bytes) {
  const std::size_t wanted = (bytes + cache_line - 1) / cache_line * cache_line;
  if (wanted > left_) {
    const std::size_t room = std::max(wanted, slab_bytes), mapped = room + huge_page;
    slabs_.reserve(slabs_.size() + 1);
    void* const mapping =
        ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) throw std::bad_alloc();
    slabs_.push_back({mapping, mapped});
    begin(slabs_.back());
#ifdef MADV_HUGEPAGE
    ::madvise(next_, left_, MADV_HUGEPAGE);  // a hint: without it everything works, slower
#endif
  }
  std::byte* const taken = next_;
  next_ += wanted;
  left_ -= wanted;
  size_ += bytes;
  return taken;
}

// A temporary file without a name: written at its end, then mapped.
//
// Thread-safety: one thread writes; the mapping may be read by many. The file is unlinked at once: nothing remains
// however the process ends.

class SpillFile {
 public:
  explicit SpillFile(const std::string& folder);  // throws Error(input_output)
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  // Returns the offset of the bytes. Throws Error(input_output), for instance if the disk is full.
  std::uint64_t append(const void* data, std::size_t size);
  // Maps everything written; invalidates pointers into an earlier mapping.
  const std::byte* map();
  // Hints that the mapped bytes [begin, begin + size) are not needed for now, so the system may reclaim their memory.
  // They can still be read.
  void release(std::uint64_t begin, std::uint64_t size) const noexcept;
  std::uint64_t size() const noexcept { return size_; }

 private:
  void unmap() noexcept;
  [[noreturn]] void fail(const char* what, int error) const;

  std::string folder_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  void* mapping_ = nullptr;
  std::size_t mapped_ = 0;
};

SpillFile::SpillFile(const std::string& folder) : folder_(folder) {
#ifdef O_TMPFILE
  descriptor_ = retried([&] { return ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); });
#endif
  if (descriptor_ < 0) {  // not every file system has files without a name
    std::string path;
    descriptor_ = retried([&] { return ::mkostemp((path = folder + "/halfspace-XXXXXX").data(), O_CLOEXEC); });
    if (descriptor_ < 0) fail("cannot make a temporary file", errno);
    ::unlink(path.c_str());
  }
}

SpillFile::~SpillFile() {
  unmap();
  ::close(descriptor_);
}

std::uint64_t SpillFile::append(const void* data, std::size_t size) {
  const std::uint64_t begin = size_;
  for (std::size_t written = 0; written < size;) {
    const ssize_t count = retried([&] {
      return ::pwrite(descriptor_, static_cast<const char*>(data) + written, size - written,
                      static_cast<off_t>(begin + written));
    });
    if (count <= 0) fail("cannot write rows to a temporary file", count < 0 ? errno : ENOSPC);
    written += static_cast<std::size_t>(count);
  }
  size_ += size;
  return begin;
}

const std::byte* SpillFile::map() {
  if (mapped_ != size_) {
    unmap();
    void* const mapping = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, descriptor_, 0);
    if (mapping == MAP_FAILED) fail("cannot map a temporary file", errno);
    mapping_ = mapping;
    mapped_ = size_;
  }
  return static_cast<const std::byte*>(mapping_);
}

void SpillFile::release(std::uint64_t begin, std::uint64_t size) const noexcept {
  if (mapping_ == nullptr) return;
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t first = begin / page * page;
  const std::uint64_t last = std::min<std::uint64_t>(begin + size, mapped_);
  if (first < last) ::madvise(static_cast<std::byte*>(mapping_) + first, last - first, MADV_DONTNEED);
}

void SpillFile::unmap() noexcept {
  if (mapping_ != nullptr) ::munmap(mapping_, mapped_);
  mapping_ = nullptr;
  mapped_ = 0;
}

void SpillFile::fail(const char* what, int error) const {
  throw Error(ErrorKind::input_output, std::string(what) + ": " + std::generic_category().message(error))
      .at(folder_)
      .fix("give more memory, or name a folder with room for temporary files");
}

}  // namespace
}  // namespace halfspace::stream

namespace halfspace {
namespace {

std::size_t value_bytes(ValueType type) {
  return type == ValueType::ones ? 0 : type == ValueType::float32 ? sizeof(float) : sizeof(double);
}

// The storage types of values, each wider than the one before.
enum class Width : std::uint8_t { ones, floats, decimals, doubles };

// A block being filled. Rows arrive in their storage type and are copied in runs; indices and values are widened when a
// run needs it.
class OpenBlock {
 public:
  explicit OpenBlock(bool packed) : packed_(packed) {}

  std::size_t rows() const noexcept { return label_.size(); }
  std::uint64_t stored() const noexcept { return offset_.back(); }

  // Clears the block, and keeps its memory.
  void clear() {
    offset_.resize(1);
    row_.clear();
    index_.clear();
    narrow_index_.clear();
    floats_.clear();
    decimals_.clear();
    doubles_.clear();
    weight_.clear();
    squared_norm_.clear();
    label_.clear();
    width_ = Width::ones;
    places_ = packed_ ? Places::follow : Places::full;
    dense_ = false;
    features_ = 0;
  }

  // Rows [from, from + count) of a block.
  void append(const Block& block, std::size_t from, std::size_t count) {
    const std::uint64_t begin = block.offset[from], end = block.offset[from + count];
    std::uint32_t features = block.features;
    const std::uint32_t* const index = indices_of(block, from, count);
    if (count != block.rows) features = begin == end ? 0 : *std::max_element(index, index + (end - begin)) + 1;
    copy_values(block, begin, end, count == block.rows ? block.value_type : smallest_type(block, begin, end));
    dense_ = block.dense && (dense_ || rows() == 0);
    copy_indices(index, end - begin, features);
    if (block.weight != nullptr && weight_.empty()) weight_.assign(rows(), 1.0);
    if (block.weight != nullptr) {
      weight_.insert(weight_.end(), block.weight + from, block.weight + from + count);
    } else if (!weight_.empty()) {
      weight_.resize(weight_.size() + count, 1.0);
    }
    const std::uint64_t shift = stored() - begin;
    for (std::size_t i = from; i < from + count; ++i) offset_.push_back(block.offset[i + 1] + shift);
    row_.insert(row_.end(), block.row + from, block.row + from + count);
    squared_norm_.insert(squared_norm_.end(), block.squared_norm + from, block.squared_norm + from + count);
    label_.insert(label_.end(), block.label + from, block.label + from + count);
    features_ = std::max(features_, features);
  }

  // Checked first: a block of ones is never dense, so its rows need their indices.
  void commit() {
    if (width_ == Width::ones && places_ == Places::follow) write_indices(features_);
  }

  Block view() const noexcept {
    Block block;
    block.rows = rows();
    block.features = features_;
    block.value_type = width_ == Width::ones     ? ValueType::ones
                       : width_ == Width::floats ? ValueType::float32
                                                 : ValueType::float64;
    block.dense = dense_ && width_ != Width::ones;
    block.offset = offset_.data();
    if (places_ == Places::full) block.index = index_.data();
    if (places_ == Places::narrow) block.narrow_index = narrow_index_.data();
    if (width_ == Width::floats) block.value = floats_.data();
    if (width_ == Width::decimals) block.decimal = decimals_.data();
    if (width_ == Width::doubles) block.value = doubles_.data();
    block.label = label_.data();
    block.weight = weight_.empty() ? nullptr : weight_.data();
    block.squared_norm = squared_norm_.data();
    block.row = row_.data();
    return block;
  }

 private:
  // The storage of indices: implicit (dense rows), narrow, full.
  enum class Places : std::uint8_t { follow, narrow, full };
  template <class T>
  using Numbers = std::vector<T, DefaultInitAllocator<T>>;

  // Returns the smallest type for these values of a block, which as a whole may have needed a wider one.
  static ValueType smallest_type(const Block& block, std::uint64_t begin, std::uint64_t end) {
    return block.with_storage([&]<class Value, bool>() {
      if constexpr (!std::is_same_v<Value, One>) {
        const Value* const values = static_cast<const Value*>(block.value);
        const auto is_one = [](Value x) { return x == 1; };
        const auto is_float = [](Value x) {
          return static_cast<double>(static_cast<float>(x)) == static_cast<double>(x);
        };
        if (!std::all_of(values + begin, values + end, is_one)) {
          return std::all_of(values + begin, values + end, is_float) ? ValueType::float32 : ValueType::float64;
        }
      }
      return ValueType::ones;
    });
  }

  // Returns the indices of these rows: the block's, or generated ones for dense rows.
  const std::uint32_t* indices_of(const Block& block, std::size_t from, std::size_t count) {
    const std::uint64_t begin = block.offset[from];
    if (block.index != nullptr) return block.index + begin;
    ordinals_.resize(block.offset[from + count] - begin);
    for (std::size_t i = from; i < from + count; ++i)
      std::iota(ordinals_.begin() + static_cast<std::ptrdiff_t>(block.offset[i] - begin),
                ordinals_.begin() + static_cast<std::ptrdiff_t>(block.offset[i + 1] - begin), 0U);
    return ordinals_.data();
  }

  // Returns the values of the block as doubles: its own, or a copy.
  const double* as_doubles(const Block& block, std::uint64_t begin, std::uint64_t end) {
    return block.with_storage([&]<class Value, bool>() -> const double* {
      if constexpr (std::is_same_v<Value, One>) {
        scratch_.assign(end - begin, 1.0);
      } else if constexpr (std::is_same_v<Value, float>) {
        const float* const values = static_cast<const float*>(block.value);
        scratch_.assign(values + begin, values + end);
      } else {
        return static_cast<const double*>(block.value) + begin;
      }
      return scratch_.data();
    });
  }

  static bool add_decimals(Numbers<std::uint32_t>& decimals, const double* values, std::size_t count) {
    const std::size_t before = decimals.size();
    decimals.resize(before + count);
    if (kernels::pack_decimals(values, count, decimals.data() + before)) return true;
    decimals.resize(before);
    return false;
  }

  // Widens what is stored so far. Returns false, without a change, if that is impossible.
  bool widen(Width to) {
    const std::size_t count = stored();
    if (to == Width::floats) floats_.assign(count, 1.0F);
    if (to == Width::decimals) {
      width_ == Width::ones ? scratch_.assign(count, 1.0) : scratch_.assign(floats_.begin(), floats_.end());
      if (!add_decimals(decimals_, scratch_.data(), count)) return false;
    }
    if (to == Width::doubles && width_ == Width::ones) doubles_.assign(count, 1.0);
    if (to == Width::doubles && width_ == Width::floats) doubles_.assign(floats_.begin(), floats_.end());
    if (to == Width::doubles && width_ == Width::decimals) {
      doubles_.resize(count);
      kernels::unpack_decimals(decimals_.data(), count, doubles_.data());
    }
    if (to != Width::floats) floats_.clear();
    if (to != Width::decimals) decimals_.clear();
    width_ = to;
    return true;
  }

  void copy_values(const Block& block, std::uint64_t begin, std::uint64_t end, ValueType type) {
    if (type == ValueType::float32 && width_ == Width::ones) widen(Width::floats);
    if (type == ValueType::float64 && width_ < Width::decimals && !(packed_ && widen(Width::decimals))) {
      widen(Width::doubles);
    }
    if (width_ == Width::ones) return;
    if (width_ == Width::floats) return copy_floats(block, begin, end);
    const double* const values = as_doubles(block, begin, end);
    if (width_ == Width::decimals) {
      if (add_decimals(decimals_, values, end - begin)) return;
      widen(Width::doubles);
    }
    doubles_.insert(doubles_.end(), values, values + (end - begin));
  }
  void copy_floats(const Block& block, std::uint64_t begin, std::uint64_t end) {
    block.with_storage([&]<class Value, bool>() {
      const std::size_t at = floats_.size();
      floats_.resize(at + (end - begin));
      float* const to = floats_.data() + at;
      if constexpr (std::is_same_v<Value, One>) {
        std::fill_n(to, end - begin, 1.0F);
      } else {  // the doubles are floats from a mixed block
        const Value* const values = static_cast<const Value*>(block.value);
        std::transform(values + begin, values + end, to, [](Value x) { return static_cast<float>(x); });
      }
    });
  }

  void copy_indices(const std::uint32_t* index, std::size_t count, std::uint32_t features) {
    if (places_ == Places::follow) {
      if (dense_) return;
      write_indices(std::max(features, features_));
    }
    if (places_ == Places::narrow && features > most_narrow) widen_indices();
    if (places_ == Places::full) {
      index_.insert(index_.end(), index, index + count);
    } else {
      const std::size_t at = narrow_index_.size();
      narrow_index_.resize(at + count);
      kernels::narrow(index, count, narrow_index_.data() + at);
    }
  }
  // Generates indices for the dense rows so far.
  void write_indices(std::uint32_t features) {
    const auto write = [&]<class T>(Numbers<T>& index) {
      index.resize(stored());
      for (std::size_t i = 0; i < rows(); ++i)
        std::iota(index.data() + offset_[i], index.data() + offset_[i + 1], T{0});
    };
    places_ = features <= most_narrow ? Places::narrow : Places::full;
    places_ == Places::narrow ? write(narrow_index_) : write(index_);
  }
  void widen_indices() {
    index_.assign(narrow_index_.begin(), narrow_index_.end());
    narrow_index_.clear();
    places_ = Places::full;
  }

  static constexpr std::uint32_t most_narrow = 0x1'0000;  // features

  bool packed_;
  std::vector<std::uint64_t> offset_{0}, row_;
  Numbers<std::uint32_t> index_, decimals_, ordinals_;
  Numbers<std::uint16_t> narrow_index_;
  Numbers<float> floats_;
  Numbers<double> doubles_;
  std::vector<double> weight_, squared_norm_, scratch_;  // weight_: empty when all are 1
  std::vector<std::int32_t> label_;
  Width width_ = Width::ones;
  Places places_ = packed_ ? Places::follow : Places::full;
  bool dense_ = false;
  std::uint32_t features_ = 0;
};

bool lies_in(const Mapping& memory, const void* place) {
  const auto* const at = static_cast<const std::byte*>(place);
  return std::any_of(memory.bytes.begin(), memory.bytes.end(), [&](std::span<const std::byte> bytes) {
    return at >= bytes.data() && at < bytes.data() + bytes.size();
  });
}

// A closed block is one run of bytes, in memory or in the temporary file: its arrays one after the other, each aligned
// for its type, except those that stay in borrowed memory.
class Layout {
 public:
  Layout(const Block& block, const Mapping& borrowed) {
    const auto parts = parts_of(block);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      place_[i] = stays;
      if (parts[i].from == nullptr || lies_in(borrowed, parts[i].from)) continue;
      place_[i] = size_;
      size_ += (parts[i].bytes + 7) / 8 * 8;
    }
  }

  std::size_t size() const noexcept { return size_; }

  void write(const Block& block, std::byte* base) const {
    const auto parts = parts_of(block);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (place_[i] != stays) std::memcpy(base + place_[i], parts[i].from, parts[i].bytes);
    }
  }

  // Returns the block with its arrays at `base`.
  Block placed(Block block, const std::byte* base) const {
    std::size_t i = 0;
    const auto put = [&]<class T>(const T*& array) {
      if (place_[i] != stays) array = reinterpret_cast<const T*>(base + place_[i]);
      ++i;
    };
    put(block.offset);
    put(block.row);
    put(block.squared_norm);
    put(block.weight);
    if (const std::size_t values = i++; place_[values] != stays) block.value = base + place_[values];
    put(block.decimal);
    put(block.index);
    put(block.narrow_index);
    put(block.label);
    return block;
  }

 private:
  struct Part {
    const void* from;
    std::size_t bytes;
  };
  static std::array<Part, 9> parts_of(const Block& block) {
    const auto stored = static_cast<std::size_t>(block.stored());
    return {{{block.offset, (block.rows + 1) * sizeof *block.offset},
             {block.row, block.rows * sizeof *block.row},
             {block.squared_norm, block.rows * sizeof *block.squared_norm},
             {block.weight, block.rows * sizeof *block.weight},
             {block.value, stored * value_bytes(block.value_type)},
             {block.decimal, stored * sizeof *block.decimal},
             {block.index, stored * sizeof *block.index},
             {block.narrow_index, stored * sizeof *block.narrow_index},
             {block.label, block.rows * sizeof *block.label}}};
  }

  static constexpr std::size_t stays = SIZE_MAX;
  std::array<std::size_t, 9> place_;
  std::size_t size_ = 0;
};

}  // namespace

struct Rows::Impl {
  explicit Impl(RowsOptions given) : options(std::move(given)), open(options.packed) {}

  // The open block stays open after seal, so that appending can continue.
  void append(const Block& block, std::size_t from, std::size_t count) {
    sealed = false;
    const bool whole =
        count == block_rows && count == block.rows && open.rows() == 0 && (options.packed || block.index != nullptr);
    if (whole && (!options.packed || lies_in(borrowed, block.value) || lies_in(borrowed, block.label)))
      return close(block);
    while (count != 0) {
      const std::size_t now = std::min(count, block_rows - open.rows());
      open.append(block, from, now);
      from += now;
      count -= now;
      if (open.rows() < block_rows) continue;
      open.commit();
      close(open.view());
      open.clear();
    }
  }

  void close(Block block) {
    block.ordinal = nullptr;
    if (options.packed) {  // the smaller of the two forms
      if (block.dense || block.narrow_index != nullptr) block.index = nullptr;
      if (block.decimal != nullptr) block.value = nullptr;
    } else {
      block.narrow_index = nullptr;
      block.decimal = nullptr;
    }
    const Layout layout(block, borrowed);
    features = std::max(features, block.features);
    if (!spill && slabs.size() + layout.size() > options.memory) {
      spill = std::make_unique<stream::SpillFile>(options.folder.empty() ? "/tmp" : options.folder);
    }
    if (spill) {
      scratch.resize(layout.size());
      layout.write(block, scratch.data());
      closed.push_back({block, layout, true, spill->append(scratch.data(), layout.size())});
    } else {
      std::byte* const base = slabs.take(layout.size());
      layout.write(block, base);
      closed.push_back({layout.placed(block, base), layout, false, 0});
    }
  }

  void clear() {
    closed.clear();
    open.clear();
    slabs.clear();
    spill.reset();
    features = 0;
    sealed = false;
  }

  void seal() {
    if (sealed) return;
    if (spill) {
      const std::byte* const base = spill->map();
      for (Closed& part : closed) {
        if (part.spilled) part.block = part.layout.placed(part.block, base + part.place);
      }
    }
    open.commit();
    features = std::max(features, open.view().features);
    sealed = true;
  }

  struct Closed {
    Block block;  // points nowhere until a spilled part is mapped
    Layout layout;
    bool spilled;
    std::uint64_t place;  // offset in the file
  };

  RowsOptions options;
  Mapping borrowed;
  std::vector<Closed> closed;  // block_rows rows each
  OpenBlock open;
  stream::Slabs slabs;
  std::unique_ptr<stream::SpillFile> spill;
  std::vector<std::byte> scratch;
  std::uint32_t features = 0;
  bool sealed = false;
};

Rows::Rows(RowsOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Rows::~Rows() = default;
Rows::Rows(Rows&&) noexcept = default;
Rows& Rows::operator=(Rows&&) noexcept = default;

void Rows::borrow(Mapping mapping) { impl_->borrowed = std::move(mapping); }
void Rows::clear() { impl_->clear(); }
void Rows::append(const Block& block) { impl_->append(block, 0, block.rows); }
void Rows::append(const Block& block, std::size_t i) { impl_->append(block, i, 1); }
void Rows::seal() { impl_->seal(); }

std::uint64_t Rows::size() const noexcept {
  return std::uint64_t{impl_->closed.size()} * block_rows + impl_->open.rows();
}
std::uint64_t Rows::bytes() const noexcept {
  return impl_->slabs.size() + (impl_->spill ? impl_->spill->size() : 0) + Layout(impl_->open.view(), {}).size();
}
bool Rows::spilled() const noexcept { return impl_->spill != nullptr; }
std::uint32_t Rows::features() const noexcept { return impl_->features; }
std::size_t Rows::blocks() const noexcept { return impl_->closed.size() + (impl_->open.rows() != 0 ? 1 : 0); }
void Rows::release(std::size_t i) const noexcept {
  if (i >= impl_->closed.size() || !impl_->closed[i].spilled) return;
  const Impl::Closed& part = impl_->closed[i];
  impl_->spill->release(part.place, part.layout.size());
}
Block Rows::block(std::size_t i) const {
  return i < impl_->closed.size() ? impl_->closed[i].block : impl_->open.view();
}

}  // namespace halfspace
