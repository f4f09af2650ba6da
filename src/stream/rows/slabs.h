// Memory for rows that are kept: taken in large chunks that the system may back with huge pages, so that neither
// filling it nor walking over it stops at every 4 kB. Given back all at once.
//
// Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace halfspace::stream {

class Slabs {
 public:
  Slabs() = default;
  ~Slabs();
  Slabs(const Slabs&) = delete;
  Slabs& operator=(const Slabs&) = delete;

  // Returns memory whose content means nothing, from a multiple of 64 on. Throws std::bad_alloc.
  std::byte* take(std::size_t bytes);
  // Takes all back, and keeps the first chunk to be taken from again.
  void clear();
  // Returns all that was taken, in bytes.
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

}  // namespace halfspace::stream
