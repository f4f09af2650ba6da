// Matching a cache to a schema, and playing its blocks.
#include "stream/cache/cache_pass.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <numeric>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/parallel.h"
#include "halfspace/base/error.h"
#include "stream/format_entry.h"
#include "stream/given_options.h"
#include "stream/labels/label_inference.h"
#include "stream/parser.h"
#include "stream/pipeline/ordered_pipeline.h"
#include "stream/pipeline/transform.h"
#include "stream/text/text.h"
#include "stream/vw/names.h"

namespace halfspace::stream {
namespace {

constexpr std::uint32_t left_out = Column::no_feature;
constexpr std::string_view set_aside = "was set aside when this cache was made";

// The changes to the rows of every block.
struct Changes {
  const std::vector<std::uint32_t>& feature;
  const std::vector<std::int32_t>& label;
  const std::vector<double>& class_factors;
  Transforms transforms;

  bool any() const { return !feature.empty() || !label.empty() || !class_factors.empty() || transforms.any(); }
};

class CacheRun final : private Stages {
 public:
  CacheRun(const Cache& cache, const ReadOptions& options, const Changes& changes, ReadReport& report,
           const std::function<bool(const Block&)>& consume)
      : cache_(cache), options_(options), changes_(changes), report_(report), consume_(consume) {}

  bool operator()() {
    constexpr std::size_t most_threads = 256;
    const std::size_t wanted = options_.threads == 0 ? processors() : options_.threads;
    const std::size_t threads = std::clamp(wanted, std::size_t{1}, most_threads);
    places_.resize(2 * threads + 1);
    if (!run_stages(*this, threads, places_.size())) return false;
    if (options_.on_rows) give_last_rows();
    return true;
  }

 private:
  struct Place {
    std::size_t number = 0;
    Cache::Scratch scratch;
    ParsedChunk rows;
    Block block;
    std::exception_ptr failure;
  };

  Cut cut(std::size_t place) noexcept override {
    if (next_ == cache_.blocks()) return Cut::nothing;
    places_[place].number = next_++;
    return next_ == cache_.blocks() ? Cut::last : Cut::more;
  }

  void parse(std::size_t at) noexcept override {
    Place& place = places_[at];
    place.failure = nullptr;
    try {
      place.block = cache_.block(place.number, place.scratch);
      if (changes_.any()) place.block = changed(place.block, place.rows);
    } catch (...) {
      place.failure = std::current_exception();
    }
  }

  // Gives the rows of a block, and those before them that the cache was made without.
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
    give_missing(cache_.report().rows + cache_.report().rejected);
    if (!texts_.empty()) options_.on_rows(texts_);
  }
  void give_missing(std::uint64_t last) {
    constexpr std::size_t most = 4096;  // at a time: how many there are is what the file says
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
    if (block.row[0] <= last_row_) {
      throw Error(ErrorKind::data, "block " + std::to_string(place.number + 1) + ": its row numbers do not ascend")
          .at(options_.path)
          .fix("make the cache again from the text: halfspace convert");
    }
    last_row_ = block.row[block.rows - 1];
    report_.rows += block.rows;
    report_.stored += block.stored();
    report_.unknown_features += place.rows.unknown_features;
    report_.nonzeros += count_nonzeros(block);
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (block.label[i] >= 0) ++report_.class_rows[static_cast<std::size_t>(block.label[i])];
    }
    if (!consume_(block)) return false;
    if (options_.on_rows) give_rows(std::span(block.row, block.rows));
    if (options_.progress) options_.progress(place.number + 1, cache_.blocks());
    return true;
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

  Block changed(const Block& block, ParsedChunk& chunk) const {
    chunk.clear();
    BlockBuffer& rows = chunk.rows;
    for (std::size_t i = 0; i < block.rows; ++i) {
      block.with_example(i, [&](const auto& x) {
        for (std::uint32_t k = 0; k < x.size; ++k) {
          const std::uint32_t to = changes_.feature.empty() ? x.index[k] : changes_.feature[x.index[k]];
          if (to == left_out) {
            ++chunk.unknown_features;
          } else {
            rows.add(to, x.value_at(k));
          }
        }
        const auto klass = static_cast<std::size_t>(x.label);
        rows.end_row(changes_.label.empty() ? x.label : changes_.label[klass], x.row, x.weight);
      });
      chunk.line_of_row.push_back(i);
    }
    if (changes_.transforms.any()) transform_rows(changes_.transforms, chunk);
    if (!chunk.bad.empty()) {
      const BadRow& bad = chunk.bad.front();
      throw Error(ErrorKind::data, "data row " + std::to_string(block.row[bad.line]) + ": " + bad.reason)
          .at(options_.path)
          .fix(bad.hint);
    }
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const auto klass = static_cast<std::size_t>(rows.labels()[i]);
      if (klass < changes_.class_factors.size()) rows.scale_weight(i, changes_.class_factors[klass]);
    }
    return rows.finish();
  }

  const Cache& cache_;
  const ReadOptions& options_;
  const Changes& changes_;
  ReadReport& report_;
  const std::function<bool(const Block&)>& consume_;
  std::vector<Place> places_;
  std::size_t next_ = 0;        // block to cut
  std::uint64_t last_row_ = 0;  // delivered
  std::uint64_t given_ = 0;     // rows that on_rows has been told of
  std::vector<RowText> texts_;
};

Error unfit(const std::string& path, const std::string& problem) {
  return Error(ErrorKind::data, problem).at(path).fix("make the cache again from the text: halfspace convert");
}

bool made_alike(const Column& a, const Column& b) {
  return a.kind == b.kind && a.ngrams == b.ngrams && a.text_values == b.text_values && a.text_tokens == b.text_tokens &&
         a.date_order == b.date_order;
}

void refuse_text_options(const ReadOptions& options) {
  const std::vector<std::string_view> given = given_options(options, about_everything);
  if (given.empty()) return;  // a cache has no bad rows to skip
  throw Error(ErrorKind::usage, "how text is read was committed when this cache was made from it")
      .at(options.path)
      .fix(leave_out(given) + ", or give them to halfspace convert");
}

// Members of JSON Lines that are no columns are not in all data: makes a column of them in a schema that may grow. Tells
// whether the cache has any.
bool meet_others(const Schema& cached, Schema& schema, bool grow) {
  const auto have = [](const Schema& one) { return !one.columns.empty() && one.columns.back().name.empty(); };
  if (have(cached) && grow && !have(schema)) {
    schema.columns.push_back({.name = "", .kind = Column::Kind::categorical, .categories = {}, .features = {}});
  }
  return have(cached);
}

}  // namespace

CachePass::CachePass(const Cache& cache, const ReadOptions& options, Schema& schema)
    : cache_(cache), options_(options), schema_(schema) {
  refuse_text_options(options);
  if (options.schema == nullptr) {
    take_schema(schema);
  } else {
    match_schema(schema);
  }
}

void CachePass::take_schema(Schema& schema) {
  const bool row_normalised = schema.row_normalised, single = schema.single;
  schema = cache_.schema();
  schema.row_normalised = row_normalised;
  schema.single = single;
  if (options_.labels.positive.empty() && options_.labels.classes.empty()) return;
  schema.labels = options_.labels.classes.empty() ? Labels::from(cache_.schema().labels.names, options_.labels.positive)
                                                  : named_labels(options_);
  match_labels(schema.labels);
}

void CachePass::match_labels(const Labels& wanted) {
  const std::vector<std::string>& names = cache_.schema().labels.names;
  if (names == wanted.names) return;
  if (options_.labels.ignore) {
    label_.assign(std::max<std::size_t>(2, names.size()), -1);
    return;
  }
  for (const std::string& name : names) {
    const auto klass = wanted.find(name);
    if (!klass && !name.empty()) {
      throw Error(ErrorKind::data, quote(name) + " is a label of the cache, and none of those wanted")
          .at(options_.path)
          .fix(hint_for_unknown(name, wanted, options_));
    }
    label_.push_back(klass.value_or(0));
  }
  label_.resize(std::max<std::size_t>(2, label_.size()), 0);
}

void CachePass::match_schema(Schema& schema) {
  const Schema& cached = cache_.schema();
  if (schema.format != DataFormat::automatic && schema.format != cached.format) {
    throw Error(ErrorKind::data, "this cache was made from " + format_words(cached.format) +
                                     ", and the model was learned from " + format_words(schema.format) + " data")
        .at(options_.path)
        .fix("make a cache of data that are written as the model's, or learn a model from this one");
  }
  if (schema.zero_based != cached.zero_based) {
    throw unfit(options_.path, "this cache counts features from another number than the model's data");
  }
  match_labels(schema.labels);
  if (!cached.columns.empty() && cached.missing != schema.missing)
    throw unfit(options_.path, "other texts stand for missing values in the cache than in the data of the model");
  const bool namespaces = entry_of(cached.format).columns == ColumnsAre::namespaces;
  if (namespaces && vw_pairs(cached) != vw_pairs(schema))
    throw unfit(options_.path, "other namespaces are multiplied in the cache than in the data of the model");
  if (namespaces) {
    match_names(schema);
  } else if (!cached.columns.empty() || !schema.columns.empty()) {
    match_columns(schema);
  } else if (options_.grow || cached.features <= schema.features) {
    schema.features = std::max(schema.features, cached.features);
  } else {
    feature_.resize(cached.features, left_out);
    std::iota(feature_.begin(), feature_.begin() + static_cast<std::ptrdiff_t>(schema.features), 0U);
  }
}

// Values in a cache are multiplied already.
void CachePass::refuse_other_factor(const Column& model, std::size_t place, const Column& cached, std::size_t k) const {
  if (cached.factors.empty()) return;
  if (cached.factors[k] == (place < model.factors.size() ? model.factors[place] : model.unseen_factor)) return;
  throw Error(ErrorKind::data,
              "the tf-idf of " + quote(cached.name) + " in the cache was counted in other rows than the model's")
      .at(options_.path)
      .fix("give the text that the cache was made from");
}

namespace {

bool learned_from(const Column& column) {
  return Column::gives_features(column.kind) || column.kind == Column::Kind::product;
}

auto named(const std::vector<Column>& columns, const std::string& name) {
  return std::find_if(columns.begin(), columns.end(), [&](const Column& column) { return column.name == name; });
}

// Refuses a cache whose columns are not the model's, in their order. `others`: both have members that are no columns.
void refuse_other_columns(const Schema& cached, const Schema& schema, bool others, const std::string& path) {
  std::string missing;
  for (const Column& column : schema.columns) {
    if (!learned_from(column) || (column.name.empty() && !others)) continue;
    const auto found = named(cached.columns, column.name);
    if (found == cached.columns.end() || !made_alike(*found, column))
      missing += (missing.empty() ? "" : ", ") + column.name;
  }
  if (!missing.empty())
    throw unfit(path, "the cache lacks columns of the model, or has others under their names: " + missing);

  // Text is read in the order of the model's columns, and sums and new features follow it.
  auto before = cached.columns.begin();
  for (const Column& column : schema.columns) {
    if (!learned_from(column) || (column.name.empty() && !others)) continue;
    const auto found = named(cached.columns, column.name);
    if (found < before) throw unfit(path, "the cache has its columns in another order than the model's data");
    before = found;
  }
}

}  // namespace

// Columns go by their names, categories by theirs. What the model has not seen is numbered as it would have appeared,
// or left out.
void CachePass::match_columns(Schema& schema) {
  const Schema& cached = cache_.schema();
  refuse_other_columns(cached, schema, meet_others(cached, schema, options_.grow), options_.path);
  feature_.assign(cached.features, left_out);
  struct Unseen {
    std::uint32_t feature;
    Column* column;
    const std::string* category;  // null: the value of the column; empty: that it is missing
  };
  static const std::string nothing;
  std::vector<Unseen> unseen;
  for (const Column& column : cached.columns) {
    const auto to = named(schema.columns, column.name);
    if (!learned_from(column) || to == schema.columns.end() || to->kind != column.kind) continue;
    Column* const model = &schema.columns[static_cast<std::size_t>(to - schema.columns.begin())];
    const auto map = [&](std::uint32_t from, std::uint32_t known, const std::string* category) {
      if (from == left_out) return;
      if (known != left_out) {
        feature_[from] = known;
      } else {
        unseen.push_back({from, model, category});
      }
    };
    const std::uint32_t parts = column.kind == Column::Kind::date ? 3 : 1;
    for (std::uint32_t part = 0; part < parts; ++part) map(column.feature + part, to->feature + part, nullptr);
    map(column.missing_feature, to->missing_feature, &nothing);
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t k = 0; k < to->categories.size(); ++k) places.emplace(to->categories[k], k);
    for (std::size_t k = 0; k < column.categories.size(); ++k) {
      const auto known = places.find(column.categories[k]);
      refuse_other_factor(*model, known == places.end() ? model->factors.size() : known->second, column, k);
      map(column.features[k], known == places.end() ? left_out : to->features[known->second], &column.categories[k]);
    }
  }
  if (options_.grow) {
    std::sort(unseen.begin(), unseen.end(), [](const Unseen& a, const Unseen& b) { return a.feature < b.feature; });
    for (const Unseen& one : unseen) {
      const std::uint32_t number = schema.features++;
      feature_[one.feature] = number;
      if (one.category == nullptr) {
        one.column->feature = number;
      } else if (one.category == &nothing) {
        one.column->missing_feature = number;
      } else {
        one.column->categories.push_back(*one.category);
        one.column->features.push_back(number);
        if (one.column->unseen_factor > 0) one.column->factors.push_back(one.column->unseen_factor);
      }
    }
  }
  forget_identity();
}

// Names go by their namespaces, and need not be in both.
void CachePass::match_names(Schema& schema) {
  const Schema& cached = cache_.schema();
  KnownNames known = known_vw_names(schema);
  std::unordered_map<std::string, std::uint32_t> columns;
  for (std::uint32_t c = 0; c < schema.columns.size(); ++c) columns.emplace(schema.columns[c].name, c);
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
    const std::string& text = column->categories[place];
    const std::uint64_t hash = ChunkNames::hash(text, ChunkNames::hash(column->name, 0));
    const auto to = columns.find(column->name);
    if (to != columns.end()) feature_[feature] = known.find(schema, to->second, hash, text);
    if (feature_[feature] != left_out || !options_.grow) continue;
    const std::uint32_t c =
        columns.emplace(column->name, static_cast<std::uint32_t>(schema.columns.size())).first->second;
    if (c == schema.columns.size()) {
      schema.columns.push_back(
          {.name = column->name, .kind = Column::Kind::categorical, .categories = {}, .features = {}});
    }
    Column& model = schema.columns[c];
    known.insert(c, static_cast<std::uint32_t>(model.categories.size()), hash);
    model.categories.push_back(text);
    model.features.push_back(schema.features);
    feature_[feature] = schema.features++;
  }
  forget_identity();
}

// Numbers that stay what they are need no look at each value.
void CachePass::forget_identity() {
  bool same = true;
  for (std::uint32_t j = 0; j < feature_.size(); ++j) same &= feature_[j] == j;
  if (same) feature_.clear();
}

bool CachePass::run(const std::vector<double>& class_factors, ReadReport& report,
                    const std::function<bool(const Block&)>& consume) const {
  const Changes changes{feature_, label_, class_factors, {schema_.exponents, schema_.row_normalised, schema_.single}};
  report.compression = cache_.report().compression;
  report.class_rows.assign(std::max<std::size_t>(2, schema_.labels.names.size()), 0);
  const bool complete = CacheRun(cache_, options_, changes, report, consume)();
  report.class_rows.resize(std::max<std::size_t>(1, schema_.labels.names.size()));
  if (!complete) return false;
  report.rejected = cache_.report().rejected;
  report.bytes = cache_.report().bytes;
  report.fingerprint = cache_.report().fingerprint;
  return true;
}

}  // namespace halfspace::stream
