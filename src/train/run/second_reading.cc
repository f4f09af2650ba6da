// Counts margins in buckets while a file is read once more.
#include "train/run/second_reading.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "bounds/weight_evaluator.h"

namespace halfspace::training {
namespace {

// The leading bits of a double that define its bucket: the sign, the exponent and the first bits of the mantissa.
constexpr int margin_shift = 44, norm_shift = 50;

// Returns the largest value with this many bits that is not above the number.
std::int32_t margin_bucket(double margin) {
  const auto bits = std::bit_cast<std::uint64_t>(std::abs(margin));
  if (!std::signbit(margin)) return static_cast<std::int32_t>(bits >> margin_shift);
  return -static_cast<std::int32_t>((bits + (std::uint64_t{1} << margin_shift) - 1) >> margin_shift);
}
double margin_of(std::int32_t bucket) {
  const double size = std::bit_cast<double>(static_cast<std::uint64_t>(std::abs(bucket)) << margin_shift);
  return bucket < 0 ? -size : size;
}
std::int32_t norm_bucket(double squared_norm) {
  return static_cast<std::int32_t>(std::bit_cast<std::uint64_t>(squared_norm) >> norm_shift);
}
// Returns a value whose square, however rounded, is at most that of any row of the bucket.
double length_of(std::int32_t bucket) {
  return std::sqrt(std::bit_cast<double>(static_cast<std::uint64_t>(bucket) << norm_shift)) * (1 - 0x1p-40);
}

void add_up(Evaluation& sum, const Evaluation& part) {
  if (sum.rows == 0) {
    sum = part;
    return;
  }
  sum.rows += part.rows;
  sum.errors += part.errors;
  sum.squares_lost = sum.squares_lost || part.squares_lost;
  sum.smallest_margin = std::min(sum.smallest_margin, part.smallest_margin);
  sum.radius_squared = std::max(sum.radius_squared, part.radius_squared);
  sum.infinity_radius = std::max(sum.infinity_radius, part.infinity_radius);
}

}  // namespace

bool gone_after_one_reading(const std::string& path) {
  if (path == "-") return true;
  std::error_code none;
  const auto status = std::filesystem::status(path, none);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

bool can_be_read_again(const ReadOptions& read) {
  return !gone_after_one_reading(read.path) && std::none_of(read.more.begin(), read.more.end(), gone_after_one_reading);
}

std::size_t MarginBuckets::Hash::operator()(const Key& key) const noexcept {
  const std::uint64_t place = static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.margin)) << 32 |
                              static_cast<std::uint32_t>(key.squared_norm);
  return static_cast<std::size_t>((place ^ std::bit_cast<std::uint64_t>(key.weight)) * 0x9e3779b97f4a7c15 >> 16);
}

bool MarginBuckets::add(const Rows& rows, const EvaluatedMargins& evaluated) {
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    for (std::size_t i = 0; i < block.rows; ++i) {
      const double margin = evaluated.margin[b * Rows::block_rows + i];
      ++buckets_[{margin_bucket(margin), norm_bucket(block.squared_norm[i]),
                  block.weight == nullptr ? 1.0 : block.weight[i]}];
    }
  }
  add_up(evaluation_, evaluated.evaluation);
  return buckets_.size() <= most;
}

MarginBuckets::Counted MarginBuckets::counted() const {
  Counted result;
  result.evaluated.evaluation = evaluation_;
  BlockBuffer buffer;
  std::vector<std::pair<Key, std::uint64_t>> sorted(buckets_.begin(), buckets_.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [key, times] : sorted) {
    if (const double length = length_of(key.squared_norm); length > 0) buffer.add(0, length);
    buffer.end_row(0, buffer.rows() + 1, key.weight);
    result.evaluated.margin.push_back(margin_of(key.margin));
    result.times.push_back(static_cast<double>(times));
  }
  result.rows.append(buffer.finish());
  result.rows.seal();
  return result;
}

namespace {

// Evaluates several weights on rows as they come.
class Margins {
 public:
  Margins(const Run& run, const std::vector<Comparator>& weights)
      : memory_({.memory = UINT64_MAX, .folder = run.options.memory.folder}),
        tie_(run.model.composition.tie),
        buckets_(weights.size()) {
    for (const Comparator& weight : weights)
      evaluators_.emplace_back(*weight.u, run.model.composition.bias, run.model.schema.features);
  }

  void add(const Block& block, std::size_t i) { rows_.append(block, i); }
  std::uint64_t bytes() const noexcept { return rows_.bytes(); }

  // Evaluates the rows since the last call. Returns false if there are too many buckets.
  bool count() {
    bool few = true;
    rows_.seal();
    for (std::size_t k = 0; k < buckets_.size(); ++k)
      few = buckets_[k].add(rows_, evaluators_[k].evaluate(rows_, tie_)) && few;
    rows_ = Rows(memory_);
    return few;
  }
  std::vector<MarginBuckets::Counted> counted() const {
    std::vector<MarginBuckets::Counted> result;
    result.reserve(buckets_.size());
    for (const MarginBuckets& each : buckets_) result.push_back(each.counted());
    return result;
  }

 private:
  RowsOptions memory_;
  Tie tie_;
  Rows rows_{memory_};
  std::vector<WeightEvaluator> evaluators_;
  std::vector<MarginBuckets> buckets_;
};

}  // namespace

std::vector<MarginBuckets::Counted> count_margins(const Run& run, const Rows& rows,
                                                  const std::vector<Comparator>& weights) {
  Margins margins(run, weights);
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    for (std::size_t i = 0; i < block.rows; ++i) margins.add(block, i);
  }
  margins.count();
  return margins.counted();
}

std::vector<MarginBuckets::Counted> read_again(const Run& run, const RowsTaken& taken,
                                               const std::vector<Comparator>& weights) {
  Margins margins(run, weights);
  bool whole = true;
  ReadOptions again = run.read_again();
  again.grow = false;
  Reader reader(again);
  reader.read([&](const Block& block) {
    for (std::size_t i = 0; i < block.rows; ++i) {
      const bool counts = block.weight == nullptr || block.weight[i] > 0;
      if (counts && block.row[i] > taken.first && block.row[i] <= taken.last &&
          !run.held_out(taken.offset + block.row[i]))
        margins.add(block, i);
    }
    if (margins.bytes() > run.options.stream_memory) whole = margins.count() && whole;
    const Stopped pressed = run.pressed();
    whole = whole && pressed != Stopped::interrupted && pressed != Stopped::time;
    run.show_progress();
    return whole && block.row[block.rows - 1] < taken.last;
  });
  whole = margins.count() && whole;
  const std::string& now = reader.report().fingerprint;
  if (!whole || (!now.empty() && now != run.report.fingerprint)) return {};
  return margins.counted();
}

}  // namespace halfspace::training
