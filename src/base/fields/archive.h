// Walks over the fields of a file (a model, the index of a cache), to write or to read them: the common part of Writer
// and Reader.
//
// Fields are described once (model/fields.h, schema_fields.h, cache.cc); a Writer walks over them to encode, a Reader
// to decode. Every field is checked in both directions, so nothing is written that would be rejected. A check is a
// function of the value that returns what is wrong with it, or an empty string.
//
// Thread-safety: one thread a walk.
#pragma once

#include <algorithm>
#include <any>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/huge_pages.h"
#include "base/utf8.h"
#include "halfspace/base/error.h"

namespace halfspace::fields {

// Returns the bits of a value as an unsigned number of the same size.
template <class T>
auto bits_of(const T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    static_assert(sizeof(T) == 8);
    return std::bit_cast<std::uint64_t>(value);
  } else if constexpr (sizeof(T) == 1) {
    return static_cast<std::uint8_t>(value);
  } else {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}

// Returns the error for a file of a later format version than `known`. A change of any field of a file is a new version,
// and readers know all earlier ones.
inline Error later_version(const std::string& file, std::uint64_t version, std::uint64_t known) {
  return Error(ErrorKind::data, "the " + file + " has format version " + std::to_string(version) +
                                    ", and this Halfspace reads up to version " + std::to_string(known))
      .fix("use a newer Halfspace, or make the " + file + " again with this one");
}

// A check may also have holds(), which returns whether a value passes: many at a time are then checked by vector code.
struct Anything {
  static constexpr bool holds(const auto&) { return true; }
  std::string operator()(const auto&) const { return {}; }
};
inline constexpr Anything anything;

// Returns true if all values pass a check that has holds(); false: each must be checked.
template <class Check, class T>
bool all_hold(const Check& check, std::span<const T> values) {
  if constexpr (requires { check.holds(values[0]); }) {
    bool all = true;
    for (const T value : values) all &= check.holds(value);
    return all;
  } else {
    return false;
  }
}

inline constexpr std::size_t slice_of_array = 1024;  // numbers that are written or read, and checked, at a time

template <class Derived>
class Archive {
 public:
  // Describes a field of fixed width: an integer, or the bits of a double.
  template <class T, class Check>
  void value(const char* name, T& value, Check&& check) {
    const Step step(*this, name);
    self().transfer(value);
    demand(check(std::as_const(value)));
  }
  // Describes a number that the model has only implicitly: writes `own`, returns the file's.
  template <class T, class Check>
  T implied(const char* name, T own, Check&& check) {
    T stored = own;
    value(name, stored, std::forward<Check>(check));
    return stored;
  }

  template <class Flag, class Check = Anything>
  void flag(const char* name, Flag& value, const Check& check = {}) {
    const auto stored = implied<std::uint8_t>(name, value, [&](std::uint8_t number) {
      return number <= 1 ? check(number == 1) : std::to_string(number) + " is neither 0 nor 1";
    });
    if constexpr (!std::is_const_v<Flag>) value = stored != 0;
  }

  // Describes one of `count` choices; `kind` is for the message: "9 is not a rule".
  template <class Choice>
  void choice(const char* name, Choice& value, std::uint8_t count, const char* kind) {
    const auto stored = implied(name, static_cast<std::uint8_t>(value), [&](std::uint8_t number) {
      return number < count ? std::string() : std::to_string(number) + " is not " + kind;
    });
    if constexpr (!std::is_const_v<Choice>) value = static_cast<Choice>(stored);
  }

  template <class Optional, class Check>
  void optional(const char* name, Optional& value, Check&& check) {
    const Step step(*this, name);
    bool present = value.has_value();
    flag("present", present);
    if (!present) return;
    if constexpr (!std::is_const_v<Optional>) {
      if (!value) value.emplace();
    }
    this->value("value", *value, std::forward<Check>(check));
  }

  template <class Text>
  void text(const char* name, Text& value) {
    const Step step(*this, name);
    self().transfer_text(value);
    if (!valid_utf8(value)) refuse("the text is not valid UTF-8");
  }

  // Describes a counted list of things that each take at least `least_bytes` in the file. The count has its own check.
  template <class List, class CountCheck, class Each>
  void list(const char* name, List& values, std::size_t least_bytes, CountCheck&& count_check, Each&& each) {
    const Step step(*this, name);
    const std::uint64_t count = counted(values.size(), least_bytes, count_check);
    if constexpr (!std::is_const_v<List>) values.clear();
    for (std::uint64_t i = 0; i < count; ++i) {
      const Step at(*this, i);
      if constexpr (!std::is_const_v<List>) values.emplace_back();
      each(values[i], i);
      end_field();
    }
  }
  // Describes a counted list of texts, which may store them in its own way.
  template <class List>
  void names(const char* name, List& values) {
    const Step step(*this, name);
    const std::uint64_t count = counted(values.size(), 4, anything);
    if constexpr (Derived::reads) {
      values.clear();
      for (std::uint64_t i = 0; i < count; ++i) {
        const Step at(*this, i);
        std::string stored;
        text("name", stored);
        values.push_back(stored);
      }
    } else {
      std::uint64_t i = 0;
      for (const std::string_view stored : values) {
        const Step at(*this, i++);
        text("name", stored);
        end_field();
      }
    }
  }
  // Describes a counted list of numbers, whose check may also use the position in the list.
  template <class List, class CountCheck, class Check>
  void numbers(const char* name, List& values, CountCheck&& count_check, Check&& check) {
    const Step step(*this, name);
    array_here(values, counted(values.size(), sizeof(values[0]), count_check), check);
    end_field();
  }
  // Describes `count` numbers; the count is stored elsewhere.
  template <class List, class Check>
  void array(const char* name, List& values, std::uint64_t count, Check&& check) {
    const Step step(*this, name);
    self().room_for(count, sizeof(values[0]));
    array_here(values, count, check);
    end_field();
  }

  template <class Body>
  void group(const char* name, Body&& body) {
    const Step step(*this, name);
    body();
  }

  // Describes a section: a tag, its length, its fields.
  template <class Body>
  void section(std::uint32_t tag, const char* name, Body&& body) {
    const Step step(*this, name);
    implied("tag", tag, [&](std::uint32_t stored) {
      return stored == tag ? std::string()
                           : "section " + std::to_string(tag) + " begins here, not " + std::to_string(stored);
    });
    self().section_body(body);
    end_field();
  }

  const char* file = "model";  // its kind, for messages

  void demand(const std::string& problem) {
    if (!problem.empty()) refuse(problem);
  }
  [[noreturn]] void refuse(const std::string& problem) const { throw_at(field_, problem); }
  // Throws with an offset in the file that is not that of the current field.
  [[noreturn]] void refuse_at(std::size_t offset, const std::string& problem) const { throw_at(offset, problem); }

 protected:
  struct Component {
    const char* name;  // null: the number
    std::uint64_t number;
  };

  class Step {
   public:
    Step(Archive& archive, const char* name) : Step(archive, Component{name, 0}) {}
    Step(Archive& archive, std::uint64_t number) : Step(archive, Component{nullptr, number}) {}
    ~Step() { --archive_.depth_; }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    Step(Archive& archive, Component component) : archive_(archive) {
      archive.path_[archive.depth_++] = component;
      archive.field_ = archive.self().at();
    }
    Archive& archive_;
  };

  // Returns the path, as "schema.columns[3].name"
  std::string path() const {
    std::string field;
    for (std::size_t i = 0; i < depth_; ++i) {
      if (path_[i].name == nullptr) {
        field += "[" + std::to_string(path_[i].number) + "]";
      } else {
        field += (field.empty() ? "" : ".") + std::string(path_[i].name);
      }
    }
    return field;
  }
  [[noreturn]] void throw_at(std::size_t offset, const std::string& problem) const {
    throw Error(ErrorKind::data,
                std::string(file) + " field '" + path() + "' at byte " + std::to_string(offset) + ": " + problem);
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }

  void end_field() {
    if constexpr (requires(Derived & derived) { derived.end_piece(); }) self().end_piece();
  }

  template <class Check>
  std::uint64_t counted(std::uint64_t own, std::size_t least_bytes, Check& check) {
    std::uint64_t count = own;
    self().transfer(count);
    self().room_for(count, least_bytes);
    demand(check(std::as_const(count)));
    return count;
  }
  template <class List, class Check>
  void array_here(List& values, std::uint64_t count, Check& check) {
    using Number = typename List::value_type;
    if constexpr (!std::is_const_v<List>) {
      if constexpr (requires { values.reserve(count); }) reserve_huge(values, count);
      values.resize(count);
    }
    for (std::uint64_t begin = 0; begin < count; begin += slice_of_array) {
      const std::span slice(values.data() + begin, std::min<std::uint64_t>(slice_of_array, count - begin));
      const std::size_t at = self().at();
      self().transfer_all(slice);
      if (!all_hold(check, std::span<const Number>(slice))) check_each(values, begin, slice.size(), at, check);
      end_field();
    }
  }
  template <class List, class Check>
  void check_each(List& values, std::uint64_t begin, std::uint64_t count, std::size_t at, Check& check) {
    for (std::uint64_t i = begin; i < begin + count; ++i) {
      std::string problem;
      if constexpr (std::is_invocable_v<Check&, decltype(values[i]), std::uint64_t>) {
        problem = check(std::as_const(values[i]), i);
      } else {
        problem = check(std::as_const(values[i]));
      }
      if (problem.empty()) continue;
      const Step step(*this, i);
      throw_at(at + (i - begin) * sizeof(values[i]), problem);
    }
  }

  static constexpr std::size_t kDeepest = 8;
  std::array<Component, kDeepest> path_{};
  std::size_t depth_ = 0;
  std::size_t field_ = 0;  // where the current field begins
};

class Writer : public Archive<Writer> {
 public:
  static constexpr bool reads = false;
  using Sink = std::function<void(std::span<const std::uint8_t>)>;

  Writer() = default;
  // Passes the bytes on by pieces, so that not all are in memory at once; the last piece by pass_on().
  explicit Writer(Sink sink) : sink_(std::move(sink)) {}

  // What is not passed on yet.
  std::vector<std::uint8_t>& bytes() noexcept { return bytes_; }
  std::size_t at() const noexcept { return passed_on_ + bytes_.size() + counted_; }
  void pass_on() {
    sink_(bytes_);
    passed_on_ += bytes_.size();
    bytes_.clear();
  }
  void end_piece() {
    if (sink_ && bytes_.size() >= kPiece) pass_on();
  }

  template <class T>
  void transfer(const T& value) {
    const auto bits = bits_of(value);
    std::array<std::uint8_t, sizeof(T)> little;
    for (std::size_t i = 0; i < sizeof(T); ++i) little[i] = static_cast<std::uint8_t>(bits >> (8 * i));
    append(little);
  }
  template <class T>
  void transfer_all(std::span<T> values) {
    if constexpr (std::endian::native == std::endian::little) {
      append({reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()});
    } else {
      for (const T& value : values) transfer(value);
    }
  }
  void transfer_text(std::string_view text) {
    if (text.size() > std::numeric_limits<std::uint32_t>::max()) refuse("the text is longer than 4294967295 bytes");
    transfer(static_cast<std::uint32_t>(text.size()));
    append({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  }
  void append(std::span<const std::uint8_t> bytes) {
    if (counting_) {
      counted_ += bytes.size();
    } else if (sink_ && bytes.size() >= kPiece) {
      pass_on();
      sink_(bytes);
      passed_on_ += bytes.size();
    } else {
      bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    }
  }
  // Returns what make() returns, which is called once, although a section may be walked over twice.
  template <class Make>
  auto once(const Make& make) {
    if (counting_) return std::any_cast<decltype(make())>(made_.emplace_back(make()));
    if (made_.empty()) return make();
    auto made = std::any_cast<decltype(make())>(std::move(made_.front()));
    made_.pop_front();
    return made;
  }
  void room_for(std::uint64_t count, std::size_t bytes_each) {
    if (sink_) return;
    const std::uint64_t size = bytes_.size() + count * bytes_each;
    if (size > bytes_.capacity()) bytes_.reserve(std::max<std::uint64_t>(size, bytes_.capacity() * 3 / 2));
  }

  // Sections are not within others. Pieces are passed on before a section ends: its bytes are counted beforehand.
  template <class Body>
  void section_body(Body& body) {
    if (sink_) {
      counting_ = true;
      body();
      counting_ = false;
      transfer(std::exchange(counted_, 0));
      return body();
    }
    const std::size_t position = bytes_.size();
    transfer(std::uint64_t{0});
    const std::size_t begin = bytes_.size();
    body();
    std::uint64_t length = bytes_.size() - begin;
    for (std::size_t i = 0; i < 8; ++i, length >>= 8) bytes_[position + i] = static_cast<std::uint8_t>(length);
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 20;

  std::vector<std::uint8_t> bytes_;
  Sink sink_;
  std::size_t passed_on_ = 0;
  bool counting_ = false;
  std::uint64_t counted_ = 0;  // bytes of the section that is being counted
  std::deque<std::any> made_;  // for the second walk over a section
};

class Reader : public Archive<Reader> {
 public:
  static constexpr bool reads = true;

  // Reads bytes [begin, bytes.size()).
  Reader(std::span<const std::uint8_t> bytes, std::size_t begin) : bytes_(bytes), at_(begin), end_(bytes.size()) {}

  std::size_t at() const noexcept { return at_; }

  // Set, it owns the bytes, and what is read may refer to them.
  std::shared_ptr<const void> owner;
  bool without_learner = false;  // of a model

  template <class T>
  void transfer(T& value) {
    need(sizeof(T));
    decltype(bits_of(value)) bits = 0;
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(&bits, bytes_.data() + at_, sizeof(T));
    } else {
      for (std::size_t i = 0; i < sizeof(T); ++i) {
        bits = static_cast<decltype(bits)>(bits | static_cast<decltype(bits)>(bytes_[at_ + i]) << (8 * i));
      }
    }
    at_ += sizeof(T);
    if constexpr (std::is_floating_point_v<T>) {
      value = std::bit_cast<T>(bits);
    } else {
      value = static_cast<T>(bits);
    }
  }
  template <class T>
  void transfer_all(std::span<T> values) {
    need(values.size_bytes());
    if constexpr (std::endian::native == std::endian::little) {
      if (!values.empty()) std::memcpy(values.data(), bytes_.data() + at_, values.size_bytes());
      at_ += values.size_bytes();
    } else {
      for (T& value : values) transfer(value);
    }
  }
  void transfer_text(std::string& text) {
    std::uint32_t length = 0;
    transfer(length);
    need(length);
    text.assign(reinterpret_cast<const char*>(bytes_.data()) + at_, length);
    at_ += length;
  }
  // Returns the next bytes.
  std::span<const std::uint8_t> take(std::uint64_t count) {
    need(count);
    at_ += count;
    return bytes_.subspan(at_ - count, count);
  }
  void room_for(std::uint64_t count, std::size_t bytes_each) const {
    if (count > (end_ - at_) / bytes_each) {
      refuse(std::to_string(count) + " entries do not fit the " + std::to_string(end_ - at_) + " bytes left");
    }
  }

  template <class Body>
  void section_body(Body& body) {
    const std::size_t outer = end_;
    std::uint64_t length = 0;
    value("length", length, [&](std::uint64_t stored) {
      return stored <= outer - at_
                 ? std::string()
                 : std::to_string(stored) + " bytes, but " + std::to_string(outer - at_) + " are left in the file";
    });
    end_ = at_ + length;
    body();
    finish("section");
    end_ = outer;
  }
  // Throws if bytes follow the last field.
  void finish(const char* what) const {
    if (at_ != end_) throw_at(at_, std::to_string(end_ - at_) + " bytes too many before the end of the " + what);
  }

 private:
  void need(std::uint64_t count) const {
    if (count > end_ - at_) {
      refuse("the field needs " + std::to_string(count) + " bytes, but " + std::to_string(end_ - at_) + " are left");
    }
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t at_;
  std::size_t end_;  // of the current section
};

}  // namespace halfspace::fields
