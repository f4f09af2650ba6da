// Slabs of memory; what is reserved and never touched costs nothing.
#include "stream/rows/slabs.h"

#include <sys/mman.h>

#include <algorithm>
#include <memory>
#include <new>

namespace halfspace::stream {
namespace {

constexpr std::size_t line = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t slab_bytes = std::size_t{64} << 20;

}  // namespace

Slabs::~Slabs() {
  for (const Slab& slab : slabs_) ::munmap(slab.mapping, slab.bytes);
}

std::byte* Slabs::take(std::size_t bytes, [[maybe_unused]] bool huge) {
  const std::size_t wanted = (bytes + line - 1) / line * line;
  if (wanted > left_) {
    const std::size_t room = std::max(wanted, slab_bytes), mapped = room + huge_page;
    slabs_.reserve(slabs_.size() + 1);
    void* const mapping =
        ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) throw std::bad_alloc();
    slabs_.push_back({mapping, mapped});
    void* begin = mapping;
    std::size_t space = mapped;
    std::align(huge_page, room, begin, space);
#ifdef MADV_HUGEPAGE
    if (huge) ::madvise(begin, room, MADV_HUGEPAGE);  // a wish: without it everything works, slower
#endif
    next_ = static_cast<std::byte*>(begin);
    left_ = room;
  }
  std::byte* const taken = next_;
  next_ += wanted;
  left_ -= wanted;
  size_ += bytes;
  return taken;
}

}  // namespace halfspace::stream
