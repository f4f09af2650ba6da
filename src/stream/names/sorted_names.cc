// Encodes and decodes sorted names.
#include "stream/names/sorted_names.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "base/huge_pages.h"
#include "base/utf8.h"

namespace halfspace::stream {
namespace {

constexpr unsigned escape = 15;  // of half a byte: more follows

std::size_t shared_bytes(std::string_view a, std::string_view b) {
  const std::size_t most = std::min(a.size(), b.size());
  return static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(most), b.begin()).first - a.begin());
}

// Returns 8 bytes from `at` on, so that their order is that of the names, as far as they differ.
std::uint64_t head_of_name(std::string_view name, std::size_t at) {
  std::array<unsigned char, 8> bytes{};
  if (at < name.size()) std::memcpy(bytes.data(), name.data() + at, std::min(bytes.size(), name.size() - at));
  std::uint64_t head = 0;
  for (const unsigned char byte : bytes) head = head << 8 | byte;
  return head;
}

// Names and their features, sorted by bytes. Names are far apart in memory, so they are first copied to parts of the
// order, which are delimited by the heads of a sample: a part is sorted in the processor's cache.
class NamesInOrder {
 public:
  NamesInOrder(const NameList& names, std::span<const std::uint32_t> features) {
    std::string_view first = names.empty() ? std::string_view() : names[0];
    for (const std::string_view name : names) first = first.substr(0, shared_bytes(first, name));
    shared_ = first.size();
    divide(names);
    std::vector<std::uint16_t> part;
    part.reserve(names.size());
    end_.resize(bounds_.size() + 2);
    for (const std::string_view name : names) {
      part.push_back(part_of(head_of_name(name, shared_)));
      end_[part.back() + 1U] += sizeof(Sizes) + name.size();
    }
    std::partial_sum(end_.begin(), end_.end(), end_.begin());
    reserve_huge(records_, end_.back());
    records_.resize(end_.back());
    std::size_t k = 0;
    for (const std::string_view name : names) {
      char* const to = records_.data() + end_[part[k]];
      end_[part[k]] += sizeof(Sizes) + name.size();
      const Sizes sizes{features[k++], static_cast<std::uint32_t>(name.size())};
      std::memcpy(to, &sizes, sizeof(sizes));
      if (!name.empty()) std::memcpy(to + sizeof(sizes), name.data(), name.size());
    }
  }

  // Returns the bytes of the names, and 8 more for each.
  std::size_t bytes() const { return records_.size(); }
  // Calls each(name, feature) in order. The names stay where they are.
  template <class Each>
  void visit(const Each& each) {
    const char* at = records_.data();
    for (std::size_t part = 0; part <= bounds_.size(); ++part) {
      keys_.clear();
      for (const char* const end = records_.data() + end_[part]; at != end; at += sizeof(Sizes) + text_of(at).size()) {
        const std::string_view name = text_of(at);
        keys_.push_back({head_of_name(name, shared_), head_of_name(name, shared_ + 8), at});
      }
      std::sort(keys_.begin(), keys_.end(), [](const Key& a, const Key& b) {
        if (a.first != b.first) return a.first < b.first;
        return a.second != b.second ? a.second < b.second : text_of(a.record) < text_of(b.record);
      });
      for (const Key& key : keys_) each(text_of(key.record), sizes_of(key.record).feature);
    }
  }

 private:
  struct Sizes {  // before the text of a record
    std::uint32_t feature, text;
  };
  struct Key {
    std::uint64_t first, second;
    const char* record;
  };
  static Sizes sizes_of(const char* record) {
    Sizes sizes;
    std::memcpy(&sizes, record, sizeof(sizes));
    return sizes;
  }
  static std::string_view text_of(const char* record) { return {record + sizeof(Sizes), sizes_of(record).text}; }

  // Finds the bounds of parts of about 2048 names, 2^n - 1 of them.
  void divide(const NameList& names) {
    constexpr std::size_t names_a_part = 2048, most_parts = 4096, sampled = 16;
    const std::size_t parts = std::bit_floor(std::clamp<std::size_t>(names.size() / names_a_part, 1, most_parts));
    std::vector<std::uint64_t> sample;
    for (std::size_t i = 0; parts > 1 && i < parts * sampled; ++i)
      sample.push_back(head_of_name(names[i * names.size() / (parts * sampled)], shared_));
    std::sort(sample.begin(), sample.end());
    for (std::size_t part = 1; part < parts; ++part) bounds_.push_back(sample[part * sampled]);
  }
  std::uint16_t part_of(std::uint64_t head) const {
    std::size_t part = 0;
    for (std::size_t step = (bounds_.size() + 1) / 2; step > 0; step /= 2)
      part += bounds_[part + step - 1] <= head ? step : 0;
    return static_cast<std::uint16_t>(part);
  }

  std::size_t shared_ = 0;             // bytes that all names begin with
  std::vector<std::uint64_t> bounds_;  // the least heads of all parts but the first
  std::vector<std::size_t> end_;       // of each part in the records
  std::vector<char> records_;
  std::vector<Key> keys_;  // of a part
};

void put_more(std::vector<std::uint8_t>& bytes, std::size_t value) {
  if (value < escape) return;
  for (value -= escape; value >= 0x80; value >>= 7) bytes.push_back(static_cast<std::uint8_t>(value | 0x80));
  bytes.push_back(static_cast<std::uint8_t>(value));
}

// The rank of each of a set of numbers.
class Ranks {
 public:
  // Returns false if a number is there twice; that is numbers[flaw].
  bool set(std::span<const std::uint32_t> numbers, std::size_t& flaw) {
    if (numbers.empty()) return true;
    const auto [least, greatest] = std::minmax_element(numbers.begin(), numbers.end());
    least_ = *least;
    const std::size_t words = (*greatest - least_) / 64 + std::size_t{1};
    if (words > numbers.size() + 16) return sort(numbers, flaw);
    words_.assign(words, {});
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::uint32_t place = numbers[i] - least_;
      std::uint64_t& bits = words_[place / 64].bits;
      const std::uint64_t bit = std::uint64_t{1} << place % 64;
      flaw = i;
      if ((bits & bit) != 0) return false;
      bits |= bit;
    }
    std::uint32_t before = 0;
    for (Word& word : words_) {
      word.before = before;
      before += static_cast<std::uint32_t>(std::popcount(word.bits));
    }
    return true;
  }
  std::uint32_t of(std::uint32_t number) const {
    if (words_.empty()) {
      return static_cast<std::uint32_t>(std::lower_bound(sorted_.begin(), sorted_.end(), number) - sorted_.begin());
    }
    const std::uint32_t place = number - least_;
    const Word& word = words_[place / 64];
    return word.before + static_cast<std::uint32_t>(std::popcount(word.bits & ((std::uint64_t{1} << place % 64) - 1)));
  }

 private:
  struct Word {
    std::uint64_t bits = 0;
    std::uint32_t before = 0;
  };
  // Numbers that are far apart.
  bool sort(std::span<const std::uint32_t> numbers, std::size_t& flaw) {
    sorted_.assign(numbers.begin(), numbers.end());
    std::sort(sorted_.begin(), sorted_.end());
    const auto twice = std::adjacent_find(sorted_.begin(), sorted_.end());
    if (twice == sorted_.end()) return true;
    flaw = numbers.size() - 1 -
           static_cast<std::size_t>(std::find(numbers.rbegin(), numbers.rend(), *twice) - numbers.rbegin());
    return false;
  }
  std::uint32_t least_ = 0;
  std::vector<Word> words_;
  std::vector<std::uint32_t> sorted_;
};

// Walks over encoded texts.
class EncodedTexts {
 public:
  explicit EncodedTexts(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  // Reads the sizes of the next name; its own bytes follow. Returns what is wrong, or null.
  const char* next() {
    entry_ = at_;
    if (at_ == bytes_.size()) return "the texts end before their count";
    const std::uint8_t both = bytes_[at_++];
    shared_ = both >> 4;
    own_ = both & escape;
    if ((shared_ == escape && !more(shared_)) || (own_ == escape && !more(own_))) return "no size of a text";
    if (own_ > bytes_.size() - at_) return "the text is longer than the bytes left";
    return nullptr;
  }
  std::size_t entry() const { return entry_; }  // where the current name begins
  std::size_t shared() const { return shared_; }
  std::span<const std::uint8_t> own() {
    const std::span<const std::uint8_t> text = bytes_.subspan(at_, own_);
    at_ += own_;
    return text;
  }
  std::size_t size() const { return shared_ + own_; }
  bool done() const { return at_ == bytes_.size(); }
  std::size_t at() const { return at_; }

 private:
  // Adds what follows, in groups of 7 bits, the last of which is not 0 unless it is the first.
  bool more(std::size_t& value) {
    std::uint64_t rest = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
      if (at_ == bytes_.size()) return false;
      const std::uint8_t byte = bytes_[at_++];
      rest |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte >= 0x80) continue;
      value += rest;
      return (byte != 0 || shift == 0) && value <= std::numeric_limits<std::uint32_t>::max() / 2;
    }
    return false;
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0, entry_ = 0;
  std::size_t shared_ = 0, own_ = 0;
};

bool has_high_bytes(std::span<const std::uint8_t> text) {
  std::uint8_t any = 0;
  for (const std::uint8_t byte : text) any |= byte;
  return any >= 0x80;
}

// Returns what is wrong with a name after the one before, or null.
const char* check_order(std::string_view before, std::size_t shared, std::span<const std::uint8_t> own, bool restart) {
  if (!restart) {
    const bool ascends =
        !own.empty() && (shared == before.size() || own[0] > static_cast<unsigned char>(before[shared]));
    return ascends ? nullptr : "the texts do not ascend, or share more than they say";
  }
  const std::string_view text(reinterpret_cast<const char*>(own.data()), own.size());
  return before.data() == nullptr || before < text ? nullptr : "the texts do not ascend";
}

}  // namespace

std::optional<SortedNames> sort_names(const NameList& names, std::span<const std::uint32_t> features) {
  if (std::adjacent_find(features.begin(), features.end(), std::greater_equal<>()) != features.end())
    return std::nullopt;
  NamesInOrder order(names, features);
  SortedNames sorted;
  reserve_huge(sorted.features, names.size());
  reserve_huge(sorted.texts, order.bytes());
  std::string_view before;
  bool alike = false;
  order.visit([&](std::string_view text, std::uint32_t feature) {
    const std::size_t i = sorted.features.size();
    alike = alike || (i > 0 && text == before);
    const std::size_t shared = i % names_a_restart == 0 ? 0 : shared_bytes(before, text);
    const std::size_t own = text.size() - shared;
    sorted.texts.push_back(
        static_cast<std::uint8_t>(std::min<std::size_t>(shared, escape) << 4 | std::min<std::size_t>(own, escape)));
    put_more(sorted.texts, shared);
    put_more(sorted.texts, own);
    sorted.texts.insert(sorted.texts.end(), text.begin() + static_cast<std::ptrdiff_t>(shared), text.end());
    sorted.features.push_back(feature);
    before = text;
  });
  if (alike) return std::nullopt;
  return sorted;
}

std::optional<NamesFlaw> read_sorted_names(std::span<const std::uint8_t> texts, std::vector<std::uint32_t>& features,
                                           NameList& names) {
  Ranks ranks;
  std::size_t flaw = 0;
  if (!ranks.set(features, flaw)) return NamesFlaw{true, flaw, std::to_string(features[flaw]) + " is there twice"};
  std::vector<std::uint32_t> place(features.size());
  std::vector<std::uint32_t> ascending(features.size());
  for (std::size_t i = 0; i < features.size(); ++i) {
    place[i] = ranks.of(features[i]);
    ascending[place[i]] = features[i];
  }
  std::vector<std::uint32_t> sizes(features.size());
  EncodedTexts walk(texts);
  std::size_t size = 0;  // of the text before: no text is longer than the bytes of its restart
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (const char* const problem = walk.next()) return NamesFlaw{false, walk.entry(), problem};
    if (walk.shared() > (i % names_a_restart == 0 ? 0 : size))
      return NamesFlaw{false, walk.entry(), "more bytes are shared than the text before has"};
    walk.own();
    size = walk.size();
    sizes[place[i]] = static_cast<std::uint32_t>(size);
  }
  if (!walk.done()) return NamesFlaw{false, walk.at(), "more texts than their count"};
  std::vector<char*> where;
  NameList list(sizes, where);
  walk = EncodedTexts(texts);
  std::string_view before;
  bool high = false;  // a byte since the last restart is not ASCII
  for (std::size_t i = 0; i < features.size(); ++i) {
    walk.next();
    const std::span<const std::uint8_t> own = walk.own();
    const bool restart = i % names_a_restart == 0;
    if (const char* const problem = check_order(before, walk.shared(), own, restart))
      return NamesFlaw{false, walk.entry(), problem};
    char* const text = where[place[i]];
    std::copy_n(before.data(), walk.shared(), text);
    std::copy(own.begin(), own.end(), text + walk.shared());
    before = {text, walk.size()};
    high = (high && !restart) || has_high_bytes(own);
    if (high && !valid_utf8(before)) return NamesFlaw{false, walk.entry(), "the text is not valid UTF-8"};
  }
  names = std::move(list);
  features = std::move(ascending);
  return std::nullopt;
}

std::shared_ptr<const EncodedNames> EncodedNames::read(std::span<const std::uint8_t> texts,
                                                       std::vector<std::uint32_t>& features,
                                                       std::shared_ptr<const void> owner) {
  Ranks ranks;
  std::size_t flaw = 0;
  if (!ranks.set(features, flaw)) return nullptr;
  auto encoded = std::make_shared<EncodedNames>();
  encoded->texts_ = texts;
  encoded->owner_ = std::move(owner);
  encoded->features_ = features;
  EncodedTexts walk(texts);
  std::string before;
  bool high = false;  // a byte since the last restart is not ASCII
  for (std::size_t i = 0; i < features.size(); ++i) {
    const bool restart = i % names_a_restart == 0;
    if (walk.next() != nullptr || walk.shared() > (restart ? 0 : before.size())) return nullptr;
    if (restart) encoded->restarts_.push_back(walk.entry());
    const std::span<const std::uint8_t> own = walk.own();
    if (i > 0 && check_order(before, walk.shared(), own, restart) != nullptr) return nullptr;
    before.resize(walk.shared());
    before.append(reinterpret_cast<const char*>(own.data()), own.size());
    high = (high && !restart) || has_high_bytes(own);
    if (high && !valid_utf8(before)) return nullptr;
  }
  if (!walk.done()) return nullptr;
  for (const std::uint32_t feature : encoded->features_) features[ranks.of(feature)] = feature;
  return encoded;
}

std::uint32_t EncodedNames::find(std::string_view name) const {
  const auto after = std::partition_point(restarts_.begin(), restarts_.end(), [&](std::size_t at) {
    EncodedTexts first(texts_.subspan(at));
    first.next();
    const std::span<const std::uint8_t> text = first.own();
    return std::string_view(reinterpret_cast<const char*>(text.data()), text.size()) <= name;
  });
  if (after == restarts_.begin()) return none;
  EncodedTexts walk(texts_.subspan(*(after - 1)));
  std::string text;
  std::size_t i = static_cast<std::size_t>(after - 1 - restarts_.begin()) * names_a_restart;
  for (const std::size_t end = std::min(i + names_a_restart, size()); i < end; ++i) {
    walk.next();
    const std::span<const std::uint8_t> own = walk.own();
    text.resize(walk.shared());
    text.append(reinterpret_cast<const char*>(own.data()), own.size());
    if (text == name) return features_[i];
  }
  return none;
}

const NameList& EncodedNames::names() const {
  std::call_once(decoded_, [&] {
    std::vector<std::uint32_t> features = features_;
    read_sorted_names(texts_, features, names_);
  });
  return names_;
}

}  // namespace halfspace::stream
