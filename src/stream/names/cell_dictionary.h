// The distinct texts of one chunk, numbered in order of first appearance: one lookup per field, allocates only to grow.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace halfspace::stream {

class CellDictionary {
 public:
  void clear();

  static std::uint64_t hash(std::uint32_t column, std::string_view text);

  struct Entry {
    std::uint64_t hash;
    std::uint32_t column;
    std::string_view text;  // not owned
    bool valid;             // UTF-8
  };

  // The number of (column, text), and whether it is new.
  struct Found {
    std::uint32_t number;
    bool inserted;
  };
  Found find_or_insert(std::uint32_t column, std::string_view text);

  // Redirects an entry to the same text elsewhere.
  void rebind(std::uint32_t number, std::string_view text) { entries_[number].text = text; }

  const Entry& operator[](std::uint32_t number) const { return entries_[number]; }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  void grow();

  std::vector<Entry> entries_;
  // Half a hash, and 1 + the number of an entry; 0: free. A power of two, at most half full.
  std::vector<std::uint64_t> slots_;
};

}  // namespace halfspace::stream
