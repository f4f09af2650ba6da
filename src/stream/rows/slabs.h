// Memory for kept rows: allocated in large chunks that the system may back with huge pages, so that filling and
// scanning them causes few page faults. Freed all at once.
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

}  // namespace halfspace::stream
