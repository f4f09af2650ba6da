// A store of texts whose addresses are stable.
//
// Thread-safety: one thread per object. Memory: kept by clear().
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace halfspace::stream {

class TextStore {
 public:
  void clear() noexcept { piece_ = used_ = 0; }
  std::string_view keep(std::string_view text);

 private:
  struct Piece {
    std::unique_ptr<char[]> bytes;
    std::size_t size;
  };
  std::vector<Piece> pieces_;
  std::size_t piece_ = 0, used_ = 0;  // position of the next text
};

}  // namespace halfspace::stream
