// The dictionary of a pass and the names of a chunk against std::map, on any names in any order of calls.
//
// The input is a list of calls: a byte with the call and the column, one with the length, and the name. Hashes have few
// bits for some inputs, so that they collide.

#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "halfspace/detail/stream/name_list.h"
#include "stream/names/cell_dictionary.h"
#include "stream/names/known_names.h"

using namespace halfspace;
using namespace halfspace::stream;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

using Name = std::pair<std::uint32_t, std::string>;

// A pass over chunks, and what it should know.
class PassOfNames {
 public:
  explicit PassOfNames(std::uint64_t mask) : mask_(mask) { begin_chunk(); }

  // Meets a name in the chunk.
  void meet(std::uint32_t column, std::string_view text) {
    const NameKey key = key_of(column, text);
    const Name name(column, text);
    const auto known = features_.find(name);
    const bool in_snapshot = known != features_.end() && known->second < snapshot_features_;
    require(snapshot_.find(key) == (in_snapshot ? known->second : KnownNames::none));
    require(known_.feature(column, key.hash, text) == (known != features_.end() ? known->second : KnownNames::none));
    const auto [number, inserted] = cells_.find_or_insert(column, text);
    const auto cell = in_cells_.emplace(name, in_cells_.size());
    require(inserted == cell.second && number == cell.first->second);
    if (in_snapshot) return;
    std::uint32_t in_chunk = chunk_.find(key);
    const auto expected = in_chunk_.find(name);
    require((in_chunk == ChunkNames::none) == (expected == in_chunk_.end()));
    if (in_chunk == ChunkNames::none) {
      const auto [stored, unused] = in_chunk_.emplace(name, in_chunk_.size());
      in_chunk = chunk_.insert_last(column, key.hash, stored->first.second);
      cells_.rebind(number, cell.first->first.second);
    }
    require(in_chunk == in_chunk_.at(name));
  }

  // Commits the chunk, and begins another.
  void commit(bool publish) {
    std::vector<NameKey> keys;
    for (const ChunkNames::Entry& entry : chunk_.entries()) keys.push_back({entry.hash, entry.column, entry.text});
    std::vector<std::uint32_t> found(keys.size());
    known_.view().find_all(
        keys.size(), [&](std::size_t i) { return keys[i]; }, found.data());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const NameKey& key = keys[i];
      const auto [known, added] = features_.emplace(Name(key.column, key.text), next_feature_);
      require(found[i] == (added ? KnownNames::none : known->second));
      if (!added) continue;
      known_.insert(key.column, lists_[key.column].push_back(key.text), next_feature_, key.hash);
      next_feature_ += 1 + static_cast<std::uint32_t>(key.text.size() % 2);
    }
    if (publish) {
      known_.publish();
      published_features_ = next_feature_;
    }
    begin_chunk();
  }

  void finish() {
    commit(true);
    for (const auto& [name, feature] : features_) require(snapshot_.find(key_of(name.first, name.second)) == feature);
    // Each list holds the names of its column by ascending feature.
    std::map<std::uint32_t, std::map<std::uint32_t, std::string>> by_feature;
    for (const auto& [name, feature] : features_) by_feature[name.first][feature] = name.second;
    for (const auto& [column, names] : by_feature) {
      require(lists_[column].size() == names.size());
      auto stored = lists_[column].begin();
      for (const auto& [feature, name] : names) require(*stored++ == name);
    }
  }

 private:
  NameKey key_of(std::uint32_t column, std::string_view text) const {
    return {hash_of_name(text, seed_of_names(column)) & mask_, column, text};
  }
  void begin_chunk() {
    chunk_.clear();
    in_chunk_.clear();
    cells_.clear();
    in_cells_.clear();
    snapshot_ = known_.snapshot();
    snapshot_features_ = published_features_;
  }

  std::uint64_t mask_;
  KnownNames known_;
  std::map<std::uint32_t, NameList> lists_;
  std::map<Name, std::uint32_t> features_;
  std::uint32_t next_feature_ = 0, published_features_ = 0, snapshot_features_ = 0;
  KnownNames::Snapshot snapshot_;
  ChunkNames chunk_;
  CellDictionary cells_;
  std::map<Name, std::size_t> in_chunk_, in_cells_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const auto take = [&]() -> unsigned {
    if (rest.empty()) return 0;
    const auto byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    return byte;
  };
  constexpr std::uint64_t masks[] = {~std::uint64_t{0}, 0xf0000000ffffffff, 0x1000000000000003, 0};
  constexpr std::uint32_t columns[] = {0, 1, 4094, 4095, 4096, 100000, 7, 255};
  PassOfNames pass(masks[take() % 4]);
  std::string long_name;
  while (!rest.empty()) {
    const unsigned call = take();
    if (call >= 0xf0) {
      pass.commit(call % 2 == 0);
      continue;
    }
    const unsigned length = take();
    const std::string_view text = rest.substr(0, length);
    rest.remove_prefix(text.size());
    if (call < 0xe0) {
      pass.meet(columns[call % 8], text);
    } else {  // longer than a byte tells
      long_name.clear();
      for (unsigned i = 0; i < 300 && !text.empty(); ++i) long_name += text;
      pass.meet(columns[call % 8], long_name);
    }
  }
  pass.finish();
  return 0;
}
