// Encodes and decodes sorted names.
#include "stream/names/sorted_names.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

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
  std::uint64_t head = 0;
  for (std::size_t i = at; i < at + 8; ++i)
    head = head << 8 | (i < name.size() ? static_cast<unsigned char>(name[i]) : 0U);
  return head;
}

// Sorts names by their bytes. Returns the order.
std::vector<std::uint32_t> order_of(const std::vector<std::string_view>& names) {
  std::size_t shared = names.empty() ? 0 : names[0].size();
  for (const std::string_view name : names) shared = shared_bytes(names[0].substr(0, shared), name);
  // Names are far apart in memory: most are told from each other by 16 bytes that are not.
  struct Key {
    std::uint64_t first, second;
    std::uint32_t name;
  };
  std::vector<Key> keys(names.size());
  for (std::size_t k = 0; k < names.size(); ++k) {
    keys[k] = {head_of_name(names[k], shared), head_of_name(names[k], shared + 8), static_cast<std::uint32_t>(k)};
  }
  std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
    if (a.first != b.first) return a.first < b.first;
    return a.second != b.second ? a.second < b.second : names[a.name] < names[b.name];
  });
  std::vector<std::uint32_t> order(names.size());
  std::transform(keys.begin(), keys.end(), order.begin(), [](const Key& key) { return key.name; });
  return order;
}

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
  const std::vector<std::string_view> texts(names.begin(), names.end());
  const std::vector<std::uint32_t> order = order_of(texts);
  SortedNames sorted;
  sorted.features.reserve(order.size());
  std::string_view before;
  constexpr std::size_t ahead = 16;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i + 2 * ahead < order.size()) __builtin_prefetch(&texts[order[i + 2 * ahead]]);
    if (i + ahead < order.size()) __builtin_prefetch(texts[order[i + ahead]].data());
    const std::string_view text = texts[order[i]];
    if (i > 0 && text == before) return std::nullopt;
    const std::size_t shared = i % names_a_restart == 0 ? 0 : shared_bytes(before, text);
    const std::size_t own = text.size() - shared;
    sorted.texts.push_back(
        static_cast<std::uint8_t>(std::min<std::size_t>(shared, escape) << 4 | std::min<std::size_t>(own, escape)));
    put_more(sorted.texts, shared);
    put_more(sorted.texts, own);
    sorted.texts.insert(sorted.texts.end(), text.begin() + static_cast<std::ptrdiff_t>(shared), text.end());
    sorted.features.push_back(features[order[i]]);
    before = text;
  }
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

}  // namespace halfspace::stream
