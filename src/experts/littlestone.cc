// Decides "is Ldim(V) >= d?" recursively, with results cached by version space.
#include "halfspace/detail/experts/littlestone.h"

#include <algorithm>
#include <bit>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/stop.h"
#include "halfspace/base/error.h"

namespace halfspace {
namespace {

constexpr int deepest_tree = 20;

std::size_t bits(const std::uint64_t* set, std::size_t words) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < words; ++w) count += static_cast<std::size_t>(std::popcount(set[w]));
  return count;
}

int floor_log2(std::size_t count) { return static_cast<int>(std::bit_width(count)) - 1; }

}  // namespace

FiniteClass::FiniteClass(const std::vector<std::vector<std::uint8_t>>& rows)
    : points_(rows.empty() ? 0 : rows[0].size()) {
  std::unordered_set<std::string> seen;  // hypotheses as text
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].size() != points_) throw Error(ErrorKind::usage, "the hypotheses are over different points");
    std::string spelled;
    for (const std::uint8_t label : rows[row]) spelled += label != 0 ? '1' : '0';
    if (seen.insert(std::move(spelled)).second) row_of_.push_back(row);
  }
  words_ = (row_of_.size() + 63) / 64;
  ones_.assign(points_ * words_, 0);
  for (std::size_t h = 0; h < row_of_.size(); ++h) {
    for (std::size_t x = 0; x < points_; ++x) {
      if (rows[row_of_[h]][x] != 0) ones_[x * words_ + h / 64] |= std::uint64_t{1} << (h % 64);
    }
  }
}

Hypotheses FiniteClass::all() const {
  Hypotheses set(words_, ~std::uint64_t{0});
  if (size() % 64 != 0) set.back() = (std::uint64_t{1} << (size() % 64)) - 1;
  return set;
}

Hypotheses FiniteClass::consistent(const Hypotheses& from, std::size_t point, int label) const {
  Hypotheses set(words_);
  const auto ones = predicting_one(point);
  for (std::size_t w = 0; w < words_; ++w) set[w] = from[w] & (label != 0 ? ones[w] : ~ones[w]);
  return set;
}

std::size_t count(const Hypotheses& set) { return bits(set.data(), set.size()); }

bool shatters(const std::vector<std::vector<std::uint8_t>>& rows, const MistakeTree& tree) {
  if (tree.depth < 0 || tree.depth > deepest_tree) return false;
  const std::size_t leaves = std::size_t{1} << tree.depth;
  if (tree.point.size() != leaves - 1 || tree.row.size() != leaves) return false;
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    if (tree.row[leaf] >= rows.size()) return false;
    const auto& hypothesis = rows[tree.row[leaf]];
    std::size_t node = 0;
    for (int level = tree.depth - 1; level >= 0; --level) {
      const std::size_t label = leaf >> level & 1;
      const std::size_t point = tree.point[node];
      if (point >= hypothesis.size() || (hypothesis[point] != 0 ? 1U : 0U) != label) return false;
      node = 2 * node + 1 + label;
    }
  }
  return true;
}

class Littlestone::Search {
 public:
  struct Spent {};

  Search(const FiniteClass& of, std::uint64_t budget, const std::atomic<bool>* interrupt)
      : class_(of), words_(of.words()), budget_(budget), interrupt_(interrupt), table_(64, empty) {}

  bool at_least(const std::uint64_t* set, int depth) {
    const std::size_t size = bits(set, words_);
    if (depth <= 0) return depth < 0 || size > 0;
    if (floor_log2(size) < depth) return false;
    if (depth == 1) return true;  // two distinct hypotheses differ at some point
    const std::size_t entry = find(set, size);
    if (lower_[entry] >= depth) return true;
    if (upper_[entry] < depth) return false;
    Level& level = level_of(depth);
    level.order.clear();  // unchanged by the recursion, which is about smaller depths
    const std::size_t needed = std::size_t{1} << (depth - 1);
    for (std::size_t x = 0; x < class_.points(); ++x) {
      const std::uint64_t* ones = class_.predicting_one(x).data();
      std::size_t yes = 0;
      for (std::size_t w = 0; w < words_; ++w) yes += static_cast<std::size_t>(std::popcount(set[w] & ones[w]));
      const std::size_t smaller = std::min(yes, size - yes);
      if (smaller >= needed) level.order.emplace_back(smaller, x);
    }
    // Tries even splits first: they are the likeliest roots of a deep tree.
    std::stable_sort(level.order.begin(), level.order.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [smaller, x] : level.order) {
      if (splits(level, set, x, depth)) {
        lower_[entry] = static_cast<std::int8_t>(depth);
        return true;
      }
    }
    upper_[entry] = static_cast<std::int8_t>(depth - 1);
    return false;
  }

  // Returns true if both parts at x still have depth - 1; leaves them in the level's memory.
  bool splits(const std::uint64_t* set, std::size_t x, int depth) { return splits(level_of(depth), set, x, depth); }
  const Hypotheses& part(int depth, int label) { return level_of(depth).part[label]; }

  std::uint64_t visited() const noexcept { return lower_.size(); }

 private:
  struct Level {
    std::vector<std::pair<std::size_t, std::size_t>> order;  // size of the smaller part, point
    Hypotheses part[2];
  };

  bool splits(Level& level, const std::uint64_t* set, std::size_t x, int depth) {
    const std::uint64_t* ones = class_.predicting_one(x).data();
    for (std::size_t w = 0; w < words_; ++w) {
      level.part[1][w] = set[w] & ones[w];
      level.part[0][w] = set[w] & ~ones[w];
    }
    const int first = count(level.part[1]) < count(level.part[0]) ? 1 : 0;  // the smaller part is more likely to fail
    return at_least(level.part[first].data(), depth - 1) && at_least(level.part[1 - first].data(), depth - 1);
  }

  Level& level_of(int depth) {
    auto& level = levels_[static_cast<std::size_t>(depth)];
    if (!level) {
      level = std::make_unique<Level>();
      level->part[0].resize(words_);
      level->part[1].resize(words_);
    }
    return *level;
  }

  std::size_t slot(const std::uint64_t* set) const {
    std::uint64_t hash = 0x9e3779b97f4a7c15;
    for (std::size_t w = 0; w < words_; ++w) {
      hash = (hash ^ set[w]) * 0xbf58476d1ce4e5b9;
      hash ^= hash >> 31;
    }
    std::size_t at = hash & (table_.size() - 1);
    while (table_[at] != empty && !same(set, table_[at])) at = (at + 1) & (table_.size() - 1);
    return at;
  }

  bool same(const std::uint64_t* set, std::size_t entry) const {
    const std::uint64_t* const key = keys_.data() + entry * words_;
    for (std::size_t w = 0; w < words_; ++w) {
      if (set[w] != key[w]) return false;
    }
    return true;
  }

  // Returns the entry of a version space, inserting a new one.
  std::size_t find(const std::uint64_t* set, std::size_t size) {
    std::size_t at = slot(set);
    if (table_[at] != empty) return table_[at];
    if (lower_.size() >= budget_) throw Spent{};
    stop_if(interrupt_);
    if (2 * lower_.size() >= table_.size()) {
      table_.assign(2 * table_.size(), empty);
      for (std::size_t k = 0; k < lower_.size(); ++k)
        table_[slot(keys_.data() + k * words_)] = static_cast<std::uint32_t>(k);
      at = slot(set);
    }
    table_[at] = static_cast<std::uint32_t>(lower_.size());
    keys_.insert(keys_.end(), set, set + words_);
    lower_.push_back(1);
    upper_.push_back(static_cast<std::int8_t>(floor_log2(size)));
    return lower_.size() - 1;
  }

  static constexpr std::uint32_t empty = 0xffffffff;

  const FiniteClass& class_;
  std::size_t words_;
  std::uint64_t budget_;
  const std::atomic<bool>* interrupt_;
  std::unique_ptr<Level> levels_[65];
  std::vector<std::uint32_t> table_;  // of entries, by hash; a power of two, at most half full
  std::vector<std::uint64_t> keys_;
  std::vector<std::int8_t> lower_, upper_;
};

Littlestone::Littlestone(const FiniteClass& of, std::uint64_t budget, const std::atomic<bool>* interrupt)
    : class_(of), search_(std::make_unique<Search>(of, std::min<std::uint64_t>(budget, 0xfffffffe), interrupt)) {}
Littlestone::~Littlestone() = default;

Littlestone::Answer Littlestone::dimension(const Hypotheses& version_space) {
  const std::size_t size = count(version_space);
  Answer answer{-1, floor_log2(size)};
  if (size == 0) return {-1, -1};
  answer.lower = 0;
  try {
    while (answer.lower < answer.upper && search_->at_least(version_space.data(), answer.lower + 1)) ++answer.lower;
    answer.upper = answer.lower;
  } catch (const Search::Spent&) {
  }
  return answer;
}

Littlestone::Answer Littlestone::dimension() { return dimension(class_.all()); }

MistakeTree Littlestone::tree(const Hypotheses& version_space, int depth) {
  if (depth < 0 || depth > deepest_tree) throw Error(ErrorKind::usage, "a mistake tree has a depth of 0 to 20");
  MistakeTree tree;
  tree.depth = depth;
  const std::size_t leaves = std::size_t{1} << depth;
  tree.point.resize(leaves - 1);
  tree.row.resize(leaves);
  std::vector<std::pair<std::size_t, Hypotheses>> open{{0, version_space}};
  try {
    while (!open.empty()) {
      const auto [node, set] = std::move(open.back());
      open.pop_back();
      const int left = depth - floor_log2(node + 1);
      if (left == 0) {
        std::size_t h = 0;
        while (h < class_.size() && (set[h / 64] >> (h % 64) & 1) == 0) ++h;
        if (h == class_.size()) throw Error(ErrorKind::usage, "the class does not shatter a tree of this depth");
        tree.row[node + 1 - leaves] = class_.row_of(h);
        continue;
      }
      std::size_t x = 0;
      while (x < class_.points() && !search_->splits(set.data(), x, left)) ++x;
      if (x == class_.points()) throw Error(ErrorKind::usage, "the class does not shatter a tree of this depth");
      tree.point[node] = x;
      for (const int label : {0, 1})
        open.emplace_back(2 * node + 1 + static_cast<std::size_t>(label), search_->part(left, label));
    }
  } catch (const Search::Spent&) {
    throw Error(ErrorKind::usage, "the budget of version spaces is spent before the mistake tree is found")
        .fix("raise the budget");
  }
  return tree;
}

std::uint64_t Littlestone::visited() const noexcept { return search_->visited(); }

}  // namespace halfspace
