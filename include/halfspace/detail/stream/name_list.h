// A list of names in few bytes: those of a column's categories, tokens, or features.
//
// Names are stored one after the other in pieces of memory that never move, each behind its length; every eighth is
// found directly, the others from there. A copy shares the pieces, so that copying costs about a byte a name; what is
// added to it goes to a piece of its own. Memory: the bytes of the names, and two more bytes each.
//
// A list of encoded names decodes them when one is asked for; copies share what is decoded.
//
// Thread-safety: as a value type's, although copies share memory: no piece changes where a copy may read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halfspace {

namespace stream {
class EncodedNames;
}

class NameList {
 public:
  using value_type = std::string_view;

  class const_iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    using pointer = const std::string_view*;
    using reference = std::string_view;

    const_iterator() = default;
    std::string_view operator*() const { return text_of(record_); }
    const_iterator& operator++();
    const_iterator operator++(int) {
      const const_iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const const_iterator& other) const { return at_ == other.at_; }

   private:
    friend class NameList;
    const_iterator(const NameList& list, std::size_t at) : list_(&list), at_(at) {
      if (at < list.size_) record_ = list.record(at);
    }
    const NameList* list_ = nullptr;
    std::size_t at_ = 0;
    const char* record_ = nullptr;
  };
  using iterator = const_iterator;

  NameList() = default;
  NameList(std::initializer_list<std::string_view> names) : NameList(names.begin(), names.end()) {}
  template <class Iterator>
  NameList(Iterator first, Iterator last) {
    for (; first != last; ++first) push_back(*first);
  }
  NameList(const std::vector<std::string>& names) : NameList(names.begin(), names.end()) {}
  // Makes room for names of these sizes, each less than 4 GiB. The caller writes name k to texts[k] before anything else.
  NameList(std::span<const std::uint32_t> sizes, std::vector<char*>& texts);
  explicit NameList(std::shared_ptr<const stream::EncodedNames> encoded);
  NameList(const NameList& other);
  NameList(NameList&& other) noexcept;
  NameList& operator=(NameList other) noexcept;
  ~NameList() = default;

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  // The text stays where it is as long as the list, or a copy, has it.
  std::string_view operator[](std::size_t k) const { return text_of(decoded().record(k)); }
  const_iterator begin() const { return {decoded(), 0}; }
  const_iterator end() const { return {*this, size_}; }
  // Null: the names are not encoded.
  const std::shared_ptr<const stream::EncodedNames>& encoded() const noexcept { return encoded_; }

  // Adds a name of less than 4 GiB, and returns the stored text.
  std::string_view push_back(std::string_view name);
  void pop_back();
  void clear() noexcept { *this = NameList(); }

  bool operator==(const NameList& other) const;

  // Returns the text that a list stores at this address.
  static std::string_view stored_at(const char* text) noexcept;

 private:
  static constexpr std::size_t group = 8;
  static constexpr unsigned char is_long = 255;  // the length follows in 4 bytes, and then this byte again

  static std::string_view text_of(const char* record) noexcept;
  static const char* next(const char* record) noexcept {
    const std::string_view text = text_of(record);
    return text.data() + text.size();
  }
  const NameList& decoded() const;
  const char* record(std::size_t k) const noexcept;
  void make_room(std::size_t bytes);
  static std::size_t head_of(std::size_t size) noexcept;
  static char* put_head(char* record, std::uint32_t size) noexcept;

  std::vector<std::shared_ptr<char[]>> pieces_;
  std::vector<const char*> groups_;  // records 0, 8, 16, ...
  std::size_t size_ = 0;
  char* end_ = nullptr;         // where the next record goes, in the last piece
  std::size_t room_ = 0;        // bytes left there; 0 if a copy may use them
  std::size_t last_piece_ = 0;  // its size
  std::shared_ptr<const stream::EncodedNames> encoded_;
};

}  // namespace halfspace
