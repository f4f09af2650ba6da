// Cuts files into ranges and deals them to shards; collects names.
#include "halfspace/mixing/shards.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/stream/rows.h"
#include "stream/formats/format_entry.h"

namespace halfspace {
namespace {

// Ranges are so large that reading them is fast, and so many that each shard gets a sample of the whole file, of a small
// one, too: a row or so. The checksum of a cache's block is checked once a range: of these there are fewer.
constexpr std::uint64_t least_range = 16, most_range = std::uint64_t{1} << 20, ranges_a_shard = 16;
constexpr std::uint64_t least_rows = 1, most_rows = Rows::block_rows, row_ranges_a_shard = 4;

std::uint64_t ranges_of(const FileRows& file, std::uint64_t range_size) {
  if (file.compressed) return 1;
  return (file.end - file.begin + range_size - 1) / range_size;
}

std::uint64_t range_size_of(const std::vector<FileRows>& files, std::uint64_t shards) {
  std::uint64_t total = 0;
  for (const FileRows& file : files) total += file.compressed ? 0 : file.end - file.begin;
  const bool cached = !files.empty() && files.front().cached;
  return std::bit_floor(cached ? std::clamp(total / (shards * row_ranges_a_shard), least_rows, most_rows)
                               : std::clamp(total / (shards * ranges_a_shard), least_range, most_range));
}

void check_shards(std::uint32_t shards) {
  if (std::has_single_bit(shards) && shards <= most_shards) return;
  throw Error(ErrorKind::usage, option("shards", std::to_string(shards)) + " is not a power of two from 1 to " +
                                    std::to_string(most_shards))
      .fix("use " + option("shards", "64"));
}

// The ranges that a shard gets of a file: every `step`-th from `first` on.
struct Deal {
  std::uint64_t first = 0, step = 0;
};

// Returns no step for a file of which the shard has nothing.
Deal deal_of(const ShardPlan& plan, std::uint32_t shard, std::size_t file, std::uint64_t ranges_before,
             std::uint32_t shards_before) {
  if (plan.shards_of_file.empty())
    return {(shard + plan.shards - ranges_before % plan.shards) % plan.shards, plan.shards};
  const std::uint32_t count = plan.shards_of_file[file];
  if (shard < shards_before || shard >= shards_before + count) return {};
  return {shard - shards_before, count};
}

}  // namespace

ShardPlan plan_shards(const ReadOptions& read, std::uint32_t shards) {
  check_shards(shards);
  const Reader reader(read);
  ShardPlan plan{.shards = shards, .files = reader.files(), .before = reader.before_rows(), .schema = reader.schema()};
  plan.range_size = range_size_of(plan.files, shards);
  return plan;
}

ShardPlan plan_by_file(const ShardPlan& first, std::vector<FileRows> files, std::uint32_t shards) {
  const auto fewest = static_cast<std::uint32_t>(std::bit_ceil(std::min<std::size_t>(files.size(), most_shards + 1)));
  if (files.size() > most_shards || (shards != 0 && shards < files.size())) {
    throw Error(ErrorKind::usage, "each of " + std::to_string(files.size()) + " files needs a shard of its own")
        .fix(files.size() > most_shards ? "combine files: at most " + std::to_string(most_shards)
                                        : "use " + option("shards", std::to_string(fewest)) + " or more");
  }
  if (shards == 0) shards = fewest;
  check_shards(shards);
  ShardPlan plan = first;
  plan.shards = shards;
  plan.files = std::move(files);
  plan.range_size = range_size_of(plan.files, shards);
  plan.shards_of_file.assign(plan.files.size(), 1);
  const auto larger_shards = [&](std::size_t a, std::size_t b) {  // than those of b
    const auto size = [&](std::size_t i) {
      const FileRows& file = plan.files[i];
      const bool divisible = ranges_of(file, plan.range_size) > plan.shards_of_file[i];
      return divisible ? (file.end - file.begin) / plan.shards_of_file[i] : 0;
    };
    return size(a) > size(b);
  };
  for (auto left = shards - static_cast<std::uint32_t>(plan.files.size()); left > 0; --left) {
    std::size_t largest = 0;
    for (std::size_t i = 1; i < plan.files.size(); ++i) largest = larger_shards(i, largest) ? i : largest;
    if (ranges_of(plan.files[largest], plan.range_size) <= plan.shards_of_file[largest]) break;
    ++plan.shards_of_file[largest];
  }
  return plan;
}

std::size_t file_of_shard(const ShardPlan& plan, std::uint32_t shard) {
  std::uint32_t end = 0;
  for (std::size_t file = 0; file < plan.shards_of_file.size(); ++file) {
    end += plan.shards_of_file[file];
    if (shard < end) return file;
  }
  return plan.files.size();
}

std::vector<FilePart> parts_of_shard(const ShardPlan& plan, std::uint32_t shard) {
  std::vector<FilePart> parts;
  std::uint64_t before = 0;  // ranges
  std::uint32_t shards_before = 0;
  for (std::size_t i = 0; i < plan.files.size(); ++i) {
    const FileRows& file = plan.files[i];
    const std::uint64_t ranges = ranges_of(file, plan.range_size);
    const Deal deal = deal_of(plan, shard, i, before, shards_before);
    for (std::uint64_t r = deal.first; deal.step != 0 && r < ranges; r += deal.step) {
      const std::uint64_t begin = file.begin + r * plan.range_size;
      const std::uint64_t end = file.compressed ? file.end : std::min(begin + plan.range_size, file.end);
      if (!parts.empty() && parts.back().path == file.path && parts.back().end == begin) {
        parts.back().end = end;  // of one shard all ranges are adjacent
      } else {
        parts.push_back({file.path, begin, end, file.cached});
      }
    }
    before += ranges;
    shards_before += plan.shards_of_file.empty() ? 0 : plan.shards_of_file[i];
  }
  return parts;
}

std::vector<FilePart> slice_of(const std::vector<FileRows>& files, std::uint32_t number, std::uint32_t count) {
  const auto size = [](const FileRows& file) { return file.compressed ? file.end : file.end - file.begin; };
  std::uint64_t total = 0;
  for (const FileRows& file : files) total += size(file);
  const auto border = [&](std::uint64_t i) { return total / count * i + total % count * i / count; };
  const std::uint64_t first = border(number), last = border(number + std::uint64_t{1});
  std::vector<FilePart> parts;
  std::uint64_t before = 0;
  for (const FileRows& file : files) {
    const std::uint64_t begin = before, end = before + size(file);
    before = end;
    if (file.compressed) {
      if (begin >= first && begin < last) parts.push_back({file.path, file.begin, file.end, file.cached});
      continue;
    }
    const std::uint64_t from = std::max(begin, first), to = std::min(end, last);
    if (from < to) parts.push_back({file.path, file.begin + (from - begin), file.begin + (to - begin), file.cached});
  }
  return parts;
}

ReadOptions options_of_shard(const ShardPlan& plan, const ReadOptions& read, std::uint32_t shard, bool grow) {
  ReadOptions options = read;
  options.parts = parts_of_shard(plan, shard);
  options.before_parts = plan.before;
  options.more.clear();
  options.schema = &plan.schema;
  options.grow = grow;
  options.labels.stop_at_late = false;
  options.row_normalised = plan.schema.row_normalised;
  options.single = plan.schema.single;
  options.on_note = nullptr;
  constexpr std::uint64_t enough = 64;  // the plan has looked at the columns and the classes
  options.inference_rows = std::min(options.inference_rows, enough);
  return options;
}

bool has_open_names(const ShardPlan& plan) {
  const Schema& schema = plan.schema;
  if (schema.hashed.bits != 0 || (!plan.files.empty() && plan.files.front().cached)) return false;
  if (stream::entry_of(schema.format).columns == stream::ColumnsAre::namespaces) return true;
  return std::any_of(schema.columns.begin(), schema.columns.end(),
                     [](const Column& column) { return Column::gives_features(column.kind); });
}

Schema names_of_shard(const ShardPlan& plan, const ReadOptions& read, std::uint32_t shard) {
  ReadOptions options = options_of_shard(plan, read, shard, true);
  if (options.parts.empty()) return plan.schema;
  options.on_error = OnError::skip;  // bad rows are told by the first epoch
  options.rejects.clear();
  options.on_reject = nullptr;
  Reader reader(std::move(options));
  try {
    reader.read([](const Block&) { return true; });
  } catch (const Error& error) {
    if (reader.report().rows != 0 || reader.report().rejected == 0) throw;
  }
  return reader.schema();
}

namespace {

// Returns product k of a column as text that tells it from others.
std::string key_of_product(const std::vector<std::uint32_t>& factors) {
  std::string key;
  for (const std::uint32_t factor : factors) key += std::to_string(factor) + "*";
  return key;
}

std::vector<std::uint32_t> product(const Column& column, std::size_t k) {
  const std::size_t count = factors_of_product(column.name);
  const auto first = column.products.begin() + static_cast<std::ptrdiff_t>(k * count);
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

MergedNames::MergedNames(Schema schema)
    : schema_(std::move(schema)), columns_(schema_.columns.size()), features_(schema_.features) {
  for (const Column& column : schema_.columns) {
    auto& names = names_.emplace_back();
    std::size_t k = 0;
    for (const std::string_view name : column.categories) names.emplace(name, column.features[k++]);
    for (k = 0; !column.products.empty() && k < column.features.size(); ++k)
      names.emplace(key_of_product(product(column, k)), column.features[k]);
  }
}

std::uint32_t MergedNames::column_of(const Schema& of_shard, std::size_t column) {
  if (column < columns_) return static_cast<std::uint32_t>(column);
  const Column& theirs = of_shard.columns[column];
  const auto [found, is_new] = further_.emplace(theirs.name, static_cast<std::uint32_t>(schema_.columns.size()));
  if (is_new) {
    Column ours = theirs;
    ours.categories.clear();
    ours.features.clear();
    ours.products.clear();
    schema_.columns.push_back(std::move(ours));
    names_.emplace_back();
  }
  return found->second;
}

void MergedNames::add(const Schema& of_shard) {
  struct Named {
    std::uint32_t feature;
    std::size_t column, name;  // `missing`: of a missing value
  };
  constexpr std::size_t missing = ~std::size_t{0};
  std::vector<Named> fresh;
  for (std::size_t c = 0; c < of_shard.columns.size(); ++c) {
    const Column& column = of_shard.columns[c];
    if (column.missing_feature != Column::no_feature && column.missing_feature >= features_)
      fresh.push_back({column.missing_feature, c, missing});
    for (std::size_t k = column.features.size(); k > 0 && column.features[k - 1] >= features_; --k)
      fresh.push_back({column.features[k - 1], c, k - 1});
  }
  std::sort(fresh.begin(), fresh.end(), [](const Named& a, const Named& b) { return a.feature < b.feature; });
  std::unordered_map<std::uint32_t, std::uint32_t> here;  // the shard's fresh features, which precede products of them
  for (const Named& named : fresh) {
    const std::uint32_t c = column_of(of_shard, named.column);
    Column& ours = schema_.columns[c];
    const Column& theirs = of_shard.columns[named.column];
    if (named.name == missing) {
      if (ours.missing_feature == Column::no_feature) ours.missing_feature = schema_.features++;
      here.emplace(named.feature, ours.missing_feature);
      continue;
    }
    std::vector<std::uint32_t> factors;
    if (!theirs.products.empty()) {
      factors = product(theirs, named.name);
      for (std::uint32_t& factor : factors) factor = factor < features_ ? factor : here.at(factor);
    }
    const std::string name = factors.empty() ? std::string(theirs.categories[named.name]) : key_of_product(factors);
    const auto [found, is_new] = names_[c].emplace(name, schema_.features);
    here.emplace(named.feature, found->second);
    if (!is_new) continue;
    if (factors.empty()) ours.categories.push_back(name);
    ours.products.insert(ours.products.end(), factors.begin(), factors.end());
    ours.features.push_back(schema_.features++);
  }
  if (fresh.empty()) schema_.features = std::max(schema_.features, of_shard.features);
}

}  // namespace halfspace
