// Matches a source of blocks to a schema, and passes over the blocks.
#include "stream/reader/block_pass.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/parallel.h"
#include "halfspace/base/error.h"
#include "stream/formats/format_entry.h"
#include "stream/formats/given_options.h"
#include "stream/labels/label_inference.h"
#include "stream/pipeline/ordered_pipeline.h"
#include "stream/text/text.h"
#include "stream/vw/names.h"
#include "stream/vw/products.h"

namespace halfspace::stream {
namespace {

constexpr std::uint32_t left_out = Column::no_feature;
constexpr std::string_view set_aside = "was set aside when this cache was made";

// Hashes the labels, weights, columns and values of a block.
XXH128_hash_t digest(const Block& block) {
  XXH3_state_t* const state = XXH3_createState();
  XXH3_128bits_reset(state);
  const auto add = [&](const void* from, std::size_t bytes) {
    if (from != nullptr && bytes != 0) XXH3_128bits_update(state, from, bytes);
  };
  const std::uint64_t stored = block.stored();
  add(block.label, block.rows * sizeof *block.label);
  add(block.weight, block.weight == nullptr ? 0 : block.rows * sizeof *block.weight);
  add(block.offset, (block.rows + 1) * sizeof *block.offset);
  add(block.index, block.index == nullptr ? 0 : stored * sizeof *block.index);
  if (block.value_type == ValueType::float32) add(block.value, stored * sizeof(float));
  if (block.value_type == ValueType::float64) add(block.value, stored * sizeof(double));
  const XXH128_hash_t sum = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  return sum;
}

class BlockRun final : private Stages {
 public:
  BlockRun(const BlockPass& pass, const RowSource& source, const ReadReport* before, const ReadOptions& options,
           const std::vector<double>& class_factors, Schema& schema, ReadReport* report,
           const std::function<bool(const Block&)>& consume)
      : pass_(pass),
        source_(source),
        before_(before),
        options_(options),
        class_factors_(class_factors),
        schema_(schema),
        report_(report),
        consume_(consume) {}

  bool operator()() {
    constexpr std::size_t most_parsing_threads = 256;
    const std::size_t wanted = options_.threads == 0 ? processors() : options_.threads;
    const std::size_t threads = std::clamp(wanted, std::size_t{1}, most_parsing_threads);
    places_.resize(threads == 1 ? 1 : 2 * threads + 1);
    if (!(threads == 1 ? run_alone() : run_stages(*this, threads, places_.size()))) return false;
    if (options_.on_rows) give_last_rows();
    return true;
  }

  // Returns the digest of all delivered rows, as 32 hex digits.
  std::string fingerprint() const {
    const XXH128_hash_t sum = XXH3_128bits(digests_.data(), digests_.size() * sizeof digests_[0]);
    return fmt::format("{:016x}{:016x}", sum.high64, sum.low64);
  }

 private:
  struct Place {
    std::size_t number = 0;
    SourceBuffer buffer;
    ParsedChunk changed;
    Block block;
    XXH128_hash_t digest{};
    std::uint64_t nonzeros = 0;
    std::exception_ptr failure;
  };

  bool run_alone() {
    while (cut(0) != Cut::nothing) {
      parse(0);
      if (!deliver(0)) return false;
    }
    return true;
  }

  Cut cut(std::size_t place) noexcept override {
    const std::size_t all = parts_ * source_.blocks();
    if (next_ == all) return Cut::nothing;
    places_[place].number = next_++;
    return next_ == all ? Cut::last : Cut::more;
  }

  void parse(std::size_t at) noexcept override {
    Place& place = places_[at];
    place.failure = nullptr;
    try {
      const Block given = parts_ == 1 ? source_.block(place.number, place.buffer)
                                      : source_.quarter(place.number / parts_, place.number % parts_, place.buffer);
      place.block = pass_.adapt(given, class_factors_, place.changed);
      if (report_ == nullptr) return;
      if (before_ == nullptr) place.digest = digest(given);
      place.nonzeros = count_nonzeros(place.block);
    } catch (...) {
      place.failure = std::current_exception();
    }
  }

  // Passes on the rows of a block, and the rejected rows before them that the cache omits.
  void give_rows(std::span<const std::uint64_t> rows) {
    texts_.clear();
    for (const std::uint64_t row : rows) {
      give_missing(row - 1);
      texts_.push_back({.row = ++given_});
    }
    options_.on_rows(texts_);
  }
  void give_last_rows() {
    texts_.clear();
    if (before_ != nullptr) give_missing(before_->rows + before_->rejected);
    if (!texts_.empty()) options_.on_rows(texts_);
  }
  void give_missing(std::uint64_t last) {
    constexpr std::size_t most = 4096;  // at a time: the total comes from the file and is not trusted
    while (given_ < last) {
      texts_.push_back({.row = ++given_, .reason = set_aside});
      if (texts_.size() < most) continue;
      options_.on_rows(texts_);
      texts_.clear();
    }
  }

  bool deliver(std::size_t at) override {
    Place& place = places_[at];
    if (place.failure) std::rethrow_exception(place.failure);
    const Block& block = place.block;
    if (block.rows == 0) return true;
    if (block.row[0] <= last_row_) {
      throw source_.unfit("block " + std::to_string(place.number + 1) + ": its row numbers do not ascend");
    }
    last_row_ = block.row[block.rows - 1];
    if (options_.grow) schema_.features = std::max(schema_.features, block.features);
    if (report_ != nullptr) report(place);
    if (!consume_(block)) return false;
    if (options_.on_rows) give_rows(std::span(block.row, block.rows));
    if (options_.progress) options_.progress(place.number + 1, source_.blocks());
    return true;
  }

  void report(const Place& place) {
    const Block& block = place.block;
    report_->rows += block.rows;
    report_->stored += block.stored();
    report_->unknown_features += place.changed.unknown_features;
    report_->nonzeros += place.nonzeros;
    if (before_ == nullptr) digests_.push_back(place.digest);
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (block.label[i] >= 0) ++report_->class_rows[static_cast<std::size_t>(block.label[i])];
    }
  }

  static std::uint64_t count_nonzeros(const Block& block) {
    return block.with_storage([&]<class Value, bool dense>() -> std::uint64_t {
      if constexpr (std::is_same_v<Value, One>) {
        return block.stored();
      } else {
        const Value* const values = static_cast<const Value*>(block.value);
        return block.stored() - static_cast<std::uint64_t>(std::count(values, values + block.stored(), Value{0}));
      }
    });
  }

  const BlockPass& pass_;
  const RowSource& source_;
  const ReadReport* before_;
  const ReadOptions& options_;
  const std::vector<double>& class_factors_;
  Schema& schema_;
  ReadReport* report_;
  const std::function<bool(const Block&)>& consume_;
  const std::size_t parts_ = report_ == nullptr && source_.has_quarters() ? 4 : 1;  // of a block
  std::vector<Place> places_;
  std::size_t next_ = 0;        // part to cut
  std::uint64_t last_row_ = 0;  // last row delivered
  std::uint64_t given_ = 0;     // rows passed to on_rows
  std::vector<RowText> texts_;
  std::vector<XXH128_hash_t> digests_;  // of blocks, if no text has a fingerprint
};

bool made_alike(const Column& a, const Column& b) {
  return a.kind == b.kind && a.ngrams == b.ngrams && a.text_values == b.text_values && a.text_tokens == b.text_tokens &&
         a.date_order == b.date_order && a.least == b.least && a.unit == b.unit;
}

void refuse_text_options(const ReadOptions& options, const RowSource& source, bool from_text) {
  const std::vector<std::string_view> given = given_options(options, about_everything);
  if (given.empty()) return;  // there are no bad rows to skip
  const Error error(ErrorKind::usage, from_text
                                          ? "options of reading text do not apply to a cache, which is parsed already"
                                          : "options of reading text do not apply to rows in memory");
  const std::string them = given.size() == 1 ? "it" : "them";
  throw Error(error)
      .at(source.name())
      .fix(leave_out(given) + (from_text ? ", or give " + them + " to halfspace convert" : ""));
}

// Adds a column for JSON Lines members that are no columns, which not all data have, to a schema that may grow. Returns
// whether the cache has any.
bool meet_others(const Schema& cached, Schema& schema, bool grow) {
  const auto have = [](const Schema& one) { return !one.columns.empty() && one.columns.back().name.empty(); };
  if (have(cached) && grow && !have(schema)) {
    schema.columns.push_back({.name = "", .kind = Column::Kind::categorical, .categories = {}, .features = {}});
  }
  return have(cached);
}

// Uses all labels, as for a file that is read to its end.
Labels labels_of_texts(const RowSource& source, ReadOptions options) {
  const std::vector<std::string>& names = source.schema().labels.names;
  options.labels.scan_all = true;
  LabelInference inference(options, source.schema().labels.are);
  SourceBuffer buffer;
  ParsedChunk chunk;
  for (std::size_t i = 0; i < source.blocks(); ++i) {
    const Block block = source.block(i, buffer);
    chunk.clear();
    chunk.new_labels.assign(names.begin(), names.end());
    for (std::size_t r = 0; r < block.rows; ++r) chunk.rows.end_row(first_new_label - block.label[r], block.row[r]);
    chunk.lines = chunk.data_rows = block.rows;
    inference.add(chunk);
  }
  return inference.labels(true);
}

// Values in a cache are multiplied already.
void refuse_other_factor(const RowSource& source, const Column& model, std::size_t position, const Column& given,
                         std::size_t k) {
  if (given.factors.empty()) return;
  if (given.factors[k] == (position < model.factors.size() ? model.factors[position] : model.unseen_factor)) return;
  throw Error(ErrorKind::data,
              "the tf-idf of " + quote(given.name) + " in the cache was counted in other rows than the model's")
      .at(source.name())
      .fix("give the text that the cache was made from");
}

// Empties the list if all numbers stay, so that the scan of values is skipped.
void forget_identity(std::vector<std::uint32_t>& features) {
  bool same = true;
  for (std::uint32_t j = 0; j < features.size(); ++j) same &= features[j] == j;
  if (same) features.clear();
}

// Logarithms are computed again unless the cache has them.
bool has_logarithms(const Schema& schema) {
  return std::any_of(schema.columns.begin(), schema.columns.end(),
                     [](const Column& column) { return column.is_logarithm(); });
}

// Returns whether features of the format are numbers alone, so that sparse rows fit a model of LIBSVM text.
bool numbers_features(DataFormat format) { return format == DataFormat::libsvm || format == DataFormat::csr; }

}  // namespace

BlockPass::BlockPass(const RowSource& source, const ReadReport* before, const ReadOptions& options, Schema& schema)
    : source_(source), before_(before), options_(options), schema_(schema) {
  refuse_text_options(options, source, before != nullptr);
  if (!source.labelled() && !options.labels.ignore) {
    throw Error(ErrorKind::usage, "the rows have no labels to learn from").at(source.name()).fix("give their classes");
  }
  if (source.blocks() == 0) throw Error(ErrorKind::data, "no data rows").at(source.name()).fix("give some rows");
  if (options.schema == nullptr) {
    take_schema();
  } else {
    match_schema();
  }
  if (!has_logarithms(source.schema())) logarithms_ = Logarithms(schema_, true);
}

void BlockPass::take_schema() {
  const bool row_normalised = schema_.row_normalised, single = schema_.single;
  schema_ = source_.schema();
  schema_.row_normalised = row_normalised;
  schema_.single = single;
  if (!options_.labels.classes.empty()) {
    schema_.labels = named_labels(options_, schema_.labels.are);
  } else if (source_.labels_are_texts() && !options_.labels.ignore) {
    schema_.labels = labels_of_texts(source_, options_);
  } else if (!options_.labels.positive.empty()) {
    schema_.labels = Labels::from(schema_.labels.names, options_.labels.positive, schema_.labels.are);
  }
  match_labels(schema_.labels);
  insert_logarithms(options_.columns.logarithms, schema_, feature_);
}

void BlockPass::match_labels(const Labels& wanted) {
  const std::vector<std::string>& names = source_.schema().labels.names;
  if (names == wanted.names) return;
  if (options_.labels.ignore) {
    if (source_.labelled()) label_.assign(std::max<std::size_t>(2, names.size()), -1);
    return;
  }
  for (const std::string& name : names) {
    std::optional<std::int32_t> number = wanted.find(name);
    if (!number && source_.schema().labels.are == LabelsAre::numbers) number = wanted.find_number(name);
    if (!number && !name.empty()) {
      throw Error(ErrorKind::data, quote(name) + " is a label of the " + (before_ != nullptr ? "cache" : "rows") +
                                       ", and not among the requested classes")
          .at(source_.name())
          .fix(hint_for_unknown(name, wanted, options_));
    }
    label_.push_back(number.value_or(0));
  }
  label_.resize(std::max<std::size_t>(2, label_.size()), 0);
}

void BlockPass::match_schema() {
  const Schema& given = source_.schema();
  if (schema_.format != DataFormat::automatic && schema_.format != given.format &&
      !(before_ == nullptr && numbers_features(schema_.format) && numbers_features(given.format))) {
    const std::string learned = ", and the model was learned from " + format_words(schema_.format) + " data";
    if (before_ == nullptr)
      throw source_.unfit("the rows in memory are as those of " + format_words(given.format) + " data" + learned);
    throw Error(ErrorKind::data, "this cache was made from " + format_words(given.format) + learned)
        .at(source_.name())
        .fix("make a cache of data that are written as the model's, or learn a model from this one");
  }
  if (before_ != nullptr && schema_.zero_based != given.zero_based)
    throw source_.unfit("this cache counts features from another number than the model's data");
  match_labels(schema_.labels);
  if (!given.columns.empty() && before_ != nullptr && given.missing != schema_.missing)
    throw source_.unfit("other texts stand for missing values in the cache than in the data of the model");
  const bool namespaces = entry_of(given.format).columns == ColumnsAre::namespaces;
  if (namespaces && namespaces_of(given) != namespaces_of(schema_))
    throw source_.unfit("other namespaces are multiplied or ignored in the cache than in the data of the model");
  if (source_.width() != 0 && source_.width() < schema_.features && given.columns.empty()) {
    throw source_.unfit("the matrix has " + std::to_string(source_.width()) +
                        " columns, and the model was trained on at least " + std::to_string(schema_.features));
  }
  if (given.hashed.bits != 0 || schema_.hashed.bits != 0) {
    match_hashed();
  } else if (namespaces) {
    match_names();
  } else if (!given.columns.empty() || !schema_.columns.empty()) {
    match_columns();
  } else if (options_.grow) {
    schema_.features = std::max(schema_.features, given.features);
  } else {
    feature_limit_ = schema_.features;
  }
}

namespace {

bool learned_from(const Column& column) {
  return Column::gives_features(column.kind) || column.kind == Column::Kind::product;
}

auto named(const std::vector<Column>& columns, const std::string& name) {
  return std::find_if(columns.begin(), columns.end(), [&](const Column& column) { return column.name == name; });
}

// Rejects a cache whose columns differ from the model's, or are in another order. `others`: both have members that are
// no columns.
void refuse_other_columns(const Schema& cached, const Schema& schema, bool others, const RowSource& source) {
  const bool computes = !has_logarithms(cached);
  const auto needed = [&](const Column& column) {
    return learned_from(column) && (!column.name.empty() || others) && !(computes && column.is_logarithm());
  };
  std::string missing;
  for (const Column& column : schema.columns) {
    if (!needed(column)) continue;
    const auto found = named(cached.columns, column.name);
    if (found == cached.columns.end() || !made_alike(*found, column))
      missing += (missing.empty() ? "" : ", ") + column.name;
  }
  if (!missing.empty()) throw source.unfit("columns of the model are missing, or are of another kind: " + missing);

  // Text is parsed in the order of the model's columns, which sums and new features follow.
  auto before = cached.columns.begin();
  for (const Column& column : schema.columns) {
    if (!needed(column)) continue;
    const auto found = named(cached.columns, column.name);
    if (found < before) throw source.unfit("the columns are in another order than in the model's data");
    before = found;
  }
}

}  // namespace

// Matches columns and categories by name. What the model lacks is numbered in order of appearance, or dropped.
void BlockPass::match_columns() {
  const Schema& cached = source_.schema();
  Schema& schema = schema_;
  refuse_other_columns(cached, schema, meet_others(cached, schema, options_.grow), source_);
  feature_.assign(cached.features, left_out);
  struct Unseen {
    std::uint32_t feature;
    Column* column;
    std::optional<std::string_view> category;  // none: the column's value; without an address: it is missing
  };
  std::vector<Unseen> unseen;
  for (const Column& column : cached.columns) {
    const auto to = named(schema.columns, column.name);
    if (!learned_from(column) || to == schema.columns.end() || to->kind != column.kind) continue;
    Column* const model = &schema.columns[static_cast<std::size_t>(to - schema.columns.begin())];
    const auto map = [&](std::uint32_t from, std::uint32_t known, std::optional<std::string_view> category) {
      if (from == left_out) return;
      if (known != left_out) {
        feature_[from] = known;
      } else {
        unseen.push_back({from, model, category});
      }
    };
    const std::uint32_t parts = column.kind == Column::Kind::date ? 3 : 1;
    for (std::uint32_t part = 0; part < parts; ++part) map(column.feature + part, to->feature + part, std::nullopt);
    map(column.missing_feature, to->missing_feature, std::string_view());
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t k = 0; k < to->categories.size(); ++k) places.emplace(to->categories[k], k);
    for (std::size_t k = 0; k < column.categories.size(); ++k) {
      const auto known = places.find(column.categories[k]);
      refuse_other_factor(source_, *model, known == places.end() ? model->factors.size() : known->second, column, k);
      map(column.features[k], known == places.end() ? left_out : to->features[known->second], column.categories[k]);
    }
  }
  if (options_.grow) {
    std::sort(unseen.begin(), unseen.end(), [](const Unseen& a, const Unseen& b) { return a.feature < b.feature; });
    for (const Unseen& one : unseen) {
      const std::uint32_t number = schema.features++;
      feature_[one.feature] = number;
      if (!one.category) {
        one.column->feature = number;
      } else if (one.category->data() == nullptr) {
        one.column->missing_feature = number;
      } else {
        one.column->categories.push_back(*one.category);
        one.column->features.push_back(number);
        if (one.column->unseen_factor > 0) one.column->factors.push_back(one.column->unseen_factor);
      }
    }
  }
  forget_identity(feature_);
}

namespace {

// The products of a model, matched with those of a cache by the model's features.
class NamespaceProducts {
 public:
  explicit NamespaceProducts(const Schema& schema) {
    known_.know(schema);
    for (const Column& column : schema.columns)
      if (column.kind != Column::Kind::dropped && factors_of_product(column.name) > 1) names_.push_back(column.name);
  }
  // Returns the model's feature of a cache's product; `features` has those of its factors. A new one is added if the
  // model grows.
  std::uint32_t meet(const Column& cached, std::size_t k, const std::vector<std::uint32_t>& features, Schema& schema,
                     bool grow) {
    const std::size_t count = factors_of_product(cached.name);
    Factors factors = factors_of(cached, k);
    for (std::size_t f = 0; f < count; ++f) {
      factors[f] = features[factors[f]];
      if (factors[f] == left_out) return left_out;
    }
    const auto product =
        static_cast<std::size_t>(std::find(names_.begin(), names_.end(), cached.name) - names_.begin());
    if (product == names_.size()) return left_out;
    const std::uint32_t known = known_.view().find(product, factors);
    if (known != left_out || !grow) return known;
    known_.insert(product, factors, schema.features);
    const auto column = named(schema.columns, cached.name);
    add_product(schema.columns[static_cast<std::size_t>(column - schema.columns.begin())], factors, schema.features);
    return schema.features++;
  }

 private:
  KnownProducts known_;
  std::vector<std::string> names_;  // of the columns
};

}  // namespace
// Matches hashed names: the same names have the same features if the columns before the table are the same.
void BlockPass::match_hashed() {
  const HashedNames& given = source_.schema().hashed;
  HashedNames& own = schema_.hashed;
  const auto words = [](const HashedNames& names) {
    return names.bits == 0 ? std::string("not hashed") : "hashed to 2^" + std::to_string(names.bits) + " features";
  };
  if (given.bits != own.bits)
    throw source_.unfit("names are " + words(given) + " in the cache, and " + words(own) + " in the data of the model");
  const auto features = [](const Schema& schema) {
    std::vector<std::tuple<std::string, Column::Kind, std::uint32_t, std::uint32_t>> columns;
    for (const Column& column : schema.columns) {
      if (learned_from(column)) columns.emplace_back(column.name, column.kind, column.feature, column.missing_feature);
    }
    return columns;
  };
  const bool namespaces = entry_of(schema_.format).columns == ColumnsAre::namespaces;
  if (!namespaces) refuse_other_columns(source_.schema(), schema_, false, source_);
  if (!namespaces && features(source_.schema()) != features(schema_))
    throw source_.unfit("the cache has other columns than the data of the model, and hashed names");
  if (!options_.grow) return;
  std::set<std::string_view> known(own.names.begin(), own.names.end());
  std::size_t k = 0;
  for (const std::string_view name : given.names) {
    if (own.names.size() >= own.to_keep) break;
    const std::uint32_t feature = given.features[k++];
    if (!known.insert(name).second) continue;
    own.names.push_back(name);
    own.features.push_back(feature);
  }
}

// Matches names within namespaces, which need not be in both.
void BlockPass::match_names() {
  const Schema& cached = source_.schema();
  Schema& schema = schema_;
  KnownNames known;
  know_vw_names(schema, known, true);
  std::unordered_map<std::string, std::uint32_t> columns;
  for (std::uint32_t c = 0; c < schema.columns.size(); ++c) columns.emplace(schema.columns[c].name, c);
  NamespaceProducts products(schema);
  struct Name {
    const Column* column = nullptr;
    std::size_t place = 0;
  };
  std::vector<Name> names(cached.features);
  for (const Column& column : cached.columns) {
    for (std::size_t k = 0; k < column.features.size(); ++k) {
      if (column.features[k] != left_out) names[column.features[k]] = {&column, k};
    }
  }
  feature_.assign(cached.features, left_out);
  for (std::uint32_t feature = 0; feature < names.size(); ++feature) {
    const auto [column, place] = names[feature];
    if (column == nullptr) continue;
    if (!column->products.empty()) {
      feature_[feature] = products.meet(*column, place, feature_, schema, options_.grow);
      continue;
    }
    const std::string_view text = column->categories[place];
    const std::uint64_t hash = hash_of_name(text, seed_of_space(column->name));
    const auto to = columns.find(column->name);
    if (to != columns.end()) feature_[feature] = known.feature(to->second, hash, text);
    if (feature_[feature] != left_out || !options_.grow) continue;
    const std::uint32_t c =
        columns.emplace(column->name, static_cast<std::uint32_t>(schema.columns.size())).first->second;
    if (c == schema.columns.size()) {
      schema.columns.push_back(
          {.name = column->name, .kind = Column::Kind::categorical, .categories = {}, .features = {}});
    }
    Column& model = schema.columns[c];
    known.insert(c, model.categories.push_back(text), schema.features, hash);
    model.features.push_back(schema.features);
    feature_[feature] = schema.features++;
  }
  forget_identity(feature_);
}

Block BlockPass::adapt(const Block& block, const std::vector<double>& class_factors, ParsedChunk& changed) const {
  changed.clear();
  const Transforms transforms{schema_.exponents, schema_.row_normalised, schema_.single};
  const bool same = logarithms_.none() && feature_.empty() && label_.empty() && class_factors.empty() &&
                    !transforms.any() && block.features <= feature_limit_;
  return same ? block : change(block, transforms, class_factors, changed);
}

Block BlockPass::change(const Block& block, const Transforms& transforms, const std::vector<double>& class_factors,
                        ParsedChunk& chunk) const {
  BlockBuffer& rows = chunk.rows;
  for (std::size_t i = 0; i < block.rows; ++i) {
    block.with_example(i, [&](const auto& x) {
      for (std::uint32_t k = 0; k < x.size; ++k) {
        const std::uint32_t to = feature_.empty() ? x.index[k] : feature_[x.index[k]];
        if (to >= feature_limit_) {
          ++chunk.unknown_features;
        } else {
          rows.add(to, x.value_at(k));
        }
      }
      logarithms_.add_to_row(rows);
      const auto klass = static_cast<std::size_t>(x.label);
      rows.end_row(label_.empty() || x.label < 0 ? x.label : label_[klass], x.row, x.weight);
    });
    chunk.line_of_row.push_back(i);
  }
  if (transforms.any()) transform_rows(transforms, chunk);
  if (!chunk.bad.empty()) {
    const BadRow& bad = chunk.bad.front();
    throw Error(ErrorKind::data, "data row " + std::to_string(block.row[bad.line]) + ": " + bad.reason)
        .at(source_.name())
        .fix(bad.hint);
  }
  weigh_by_class(class_factors, rows);
  return rows.finish();
}

bool BlockPass::run(const std::vector<double>& class_factors, ReadReport* report,
                    const std::function<bool(const Block&)>& consume) {
  if (report != nullptr) {
    report->compression = before_ == nullptr ? "none" : before_->compression;
    report->class_rows.assign(std::max<std::size_t>(2, schema_.labels.names.size()), 0);
  }
  BlockRun run(*this, source_, before_, options_, class_factors, schema_, report, consume);
  const bool complete = run();
  if (report == nullptr) return complete;
  report->class_rows.resize(std::max<std::size_t>(1, schema_.labels.names.size()));
  if (!complete) return false;
  if (before_ != nullptr) {
    report->rejected = before_->rejected;
    report->bytes = before_->bytes;
  }
  report->fingerprint = before_ == nullptr ? run.fingerprint() : before_->fingerprint;
  return true;
}

}  // namespace halfspace::stream
