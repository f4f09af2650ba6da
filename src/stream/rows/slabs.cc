// Allocates slabs of memory; reserved memory that is never touched costs nothing.
#include "stream/rows/slabs.h"

#include <sys/mman.h>

#include <algorithm>
#include <memory>
#include <new>

namespace halfspace::stream {
namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t slab_bytes = std::size_t{64} << 20;

}  // namespace

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

}  // namespace halfspace::stream
