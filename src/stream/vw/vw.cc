// The text format of Vowpal Wabbit: infers labels from the first rows, parses lines in parallel, maps names to
// features.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "halfspace/base/error.h"
#include "stream/columns/hashed_names.h"
#include "stream/formats/parser.h"
#include "stream/labels/label_inference.h"
#include "stream/source/raw_file.h"
#include "stream/text/text.h"
#include "stream/vw/names.h"
#include "stream/vw/products.h"
#include "stream/vw/vw_row.h"

namespace halfspace::stream {
namespace {

constexpr std::uint32_t unresolved_name = 0xfffffffe;

// Reports rules that apply to none of the first rows.
void report_unused(const ReadOptions& options, const VwNamespaces& unused) {
  if (!options.on_note) return;
  const std::string behind_a_bar = "a namespace is what stands right behind a '|'; check the names";
  for (const VwProduct& product : unused.products) {
    options.on_note({"none of the first rows has features in " +
                         std::string(product.factors.size() == 2 ? "both" : "all") + " of the namespaces " +
                         list_of_namespaces(product.factors) + ", whose products are asked for",
                     behind_a_bar});
  }
  const auto report = [&](const char* flag, const std::vector<std::string>& rules) {
    if (rules.empty()) return;
    options.on_note(
        {"none of the first rows has a namespace " + list_of_namespaces(rules) + ", named by " + option(flag),
         behind_a_bar + ", or write '|u' for all that begin with u"});
  };
  report("ignore", unused.ignored);
  report("only", unused.only);
}

// Rejects rows whose label exceeds the class limit. Returns which they are; nothing if there are none.
std::vector<bool> refuse_labels(const ReadOptions& options, ParsedChunk& chunk, Schema& schema) {
  std::vector<bool> bad_row;
  for (const RefusedLabel& refused : commit_new_labels(chunk, schema.labels)) {
    if (!chunk.late_label) chunk.late_label = refused.text;
    LabelProblem problem = describe_unknown(refused.text, schema.labels, options);
    const std::string_view row_text = line_at(chunk.text, chunk.line_of_row[refused.row]);
    chunk.bad.push_back({chunk.line_of_row[refused.row], chunk.rows.row_numbers()[refused.row],
                         row_text.find_first_not_of(' ') + 1, std::move(problem.reason), std::move(problem.hint),
                         std::string(row_text)});
    bad_row.resize(chunk.rows.rows());
    bad_row[refused.row] = true;
  }
  return bad_row;
}

class Vw final : public Format {
 public:
  explicit Vw(const ReadOptions& options) : options_(options) {
    rules_.ignore_labels = options.labels.ignore;
    rules_.line_limit = options.line_limit;
    rules_.options = &options_;
  }

  std::size_t infer_schema(std::string_view text, bool whole, const std::function<std::string_view()>& more,
                           Schema& schema) override {
    schema.format = DataFormat::vw;
    schema.labels.are = LabelsAre::numbers;
    find_namespaces(schema);
    if (schema.labels.names.empty() && !options_.labels.ignore) {
      VwNamespaces unused = rules_.namespaces;
      schema.labels = learn_labels(
          options_, LabelsAre::numbers, text, whole, more, [&](std::string_view lines, ParsedChunk& chunk) {
            VwRowReader(rules_, chunk).read(lines, false);
            const auto& scratch = chunk.scratch<VwScratch>();
            for (const ChunkProducts::Entry& entry : scratch.products.entries())
              std::erase(unused.products, rules_.namespaces.products[entry.product]);
            for (std::size_t p = 0; p < scratch.multiplied.size(); ++p) {
              if (scratch.multiplied[p] != 0) std::erase(unused.products, rules_.namespaces.products[p]);
            }
            for (const CellDictionary::Entry& space : scratch.spaces.entries()) {
              const auto is_of = [&](const std::string& rule) { return is_of_namespaces(rule, space.text); };
              std::erase_if(unused.ignored, is_of);
              std::erase_if(unused.only, is_of);
            }
          });
      report_unused(options_, unused);
    }
    rules_.labels = schema.labels;
    rules_.labels_open = has_nameless_class(schema.labels);
    known_.clear();
    know_vw_names(schema, known_, options_.schema == nullptr || options_.grow);
    known_.publish();
    product_column_.clear();
    for (std::uint32_t c = 0; c < schema.columns.size(); ++c) {
      const Column& column = schema.columns[c];
      columns_.insert(column.name, c);
      if (column.kind != Column::Kind::dropped && factors_of_product(column.name) > 1) product_column_.push_back(c);
    }
    products_.know(schema);
    rules_.known = &known_;
    rules_.products = &products_;
    rules_.columns = &columns_;
    return 0;
  }

  std::vector<std::string> kept_names() const override {
    if (options_.columns.keep.empty()) return {};
    return {std::string(vw_tag)};
  }
  void keep(std::span<const std::string_view> records, KeptTexts& kept) const override {
    if (options_.columns.keep.empty()) return;
    for (const std::string_view text : records)
      kept.texts.push_back(tag_of_vw(text.substr(0, std::min(text.find('\n'), options_.line_limit))));
  }

  void parse(std::string_view text, bool stop_at_bad, ParsedChunk& chunk) const override {
    VwRowReader(rules_, chunk).read(text, stop_at_bad);
    if (hasher_.on()) chunk.scratch<VwScratch>().hashed.finish(hasher_, chunk);
  }

  void commit(ParsedChunk& chunk, Schema& schema) override {
    const std::vector<bool> bad_row = refuse_labels(options_, chunk, schema);
    if (hasher_.on()) return keep_hashed(chunk, !bad_row.empty(), schema);
    look_up(chunk, schema);
    const auto& scratch = chunk.scratch<VwScratch>();
    std::uint64_t ignored = 0;
    const std::span<const std::uint64_t> offset = chunk.rows.offsets();
    const std::span<std::uint32_t> indices = chunk.rows.indices();
    for (std::size_t i = 0; i < chunk.rows.rows(); ++i) {
      if (!bad_row.empty() && bad_row[i]) continue;  // only what a good row holds becomes a feature
      const std::span<std::uint32_t> row = indices.subspan(offset[i], offset[i + 1] - offset[i]);
      if (row.empty()) continue;
      ignored += row[0] >= integer_name ? resolve_integers(scratch, row, schema) : resolve_names(scratch, row, schema);
    }
    known_.publish();
    if (!scratch.products.entries().empty()) products_.publish(schema.features);
    chunk.unknown_features += ignored;
    if (ignored > 0) chunk.rows.remove_values(Column::no_feature);
  }

  bool final_after_parse(const ParsedChunk& chunk) const override {
    const auto& scratch = chunk.scratch<VwScratch>();
    const bool known = scratch.names.entries().empty() && scratch.products.entries().empty() &&
                       scratch.hashed.names().empty() && !scratch.integers;
    return (known || chunk.rows.stored() == 0) && chunk.new_labels.empty();
  }

 private:
  // A model keeps its own rules.
  void find_namespaces(Schema& schema) {
    if (options_.schema == nullptr) declare_namespaces(options_, schema);
    rules_.namespaces = namespaces_of(schema);
    if (options_.schema != nullptr) {
      check_namespaces(options_, rules_.namespaces);
      check_hashing(options_, schema);
    } else {
      hash_names(options_, schema);
    }
    hasher_.know(schema, options_);
    rules_.hasher = hasher_.on() ? &hasher_ : nullptr;
    rules_.product_seeds.clear();
    for (const VwProduct& product : rules_.namespaces.products)
      rules_.product_seeds.push_back(seed_of_hashed(product.name));
  }

  void keep_hashed(const ParsedChunk& chunk, bool bad_rows, Schema& schema) {
    const auto& scratch = chunk.scratch<VwScratch>();
    Column column;
    column.kind = Column::Kind::categorical;
    hasher_.keep(
        scratch.hashed, chunk, bad_rows,
        [&](std::uint32_t space, std::string_view text) {
          column.name = scratch.spaces[space].text;
          return category_name(schema, column, text);
        },
        schema);
  }

  // Returns the features of the chunk's names, as far as they are known.
  void look_up(const ParsedChunk& chunk, const Schema& schema) {
    const auto& scratch = chunk.scratch<VwScratch>();
    const std::vector<ChunkNames::Entry>& names = scratch.names.entries();
    column_of_space_.resize(scratch.spaces.entries().size());
    integers_.resize(schema.columns.size());
    for (std::uint32_t space = 0; space < column_of_space_.size(); ++space) {
      const std::uint32_t column = columns_.find(scratch.spaces[space].text);
      column_of_space_[space] = column;
      if (scratch.integers && column != Column::no_feature && space < integer_spaces)
        integers_[column].take(schema.columns[column]);
    }
    resolved_products_.assign(scratch.products.entries().size(), unresolved_name);
    resolved_.resize(names.size());
    known_.find_all(
        names.size(),
        [&](std::size_t i) {
          return NameKey{names[i].hash, column_of_space_[names[i].column], names[i].text};
        },
        resolved_.data());
    std::replace(resolved_.begin(), resolved_.end(), Column::no_feature, unresolved_name);
  }

  // Replaces a row's names by features. Returns how many are dropped.
  std::uint64_t resolve_names(const VwScratch& scratch, std::span<std::uint32_t> row, Schema& schema) {
    std::uint64_t ignored = 0;
    for (std::uint32_t& index : row) {
      if (index < first_provisional_name) continue;
      if (index >= first_provisional_product) {
        index = resolve_product(scratch, index - first_provisional_product, schema);
        ignored += index == Column::no_feature ? 1 : 0;
        continue;
      }
      std::uint32_t& feature = resolved_[index - first_provisional_name];
      if (feature == unresolved_name) {
        const std::size_t number = index - first_provisional_name, ahead = number + 8;
        const ChunkNames::Entry& name = scratch.names.entries()[number];
        if (ahead < resolved_.size()) known_.view().prefetch(scratch.names.entries()[ahead].hash);
        feature = resolve(scratch, name.column, name.text, name.hash, schema);
      }
      index = feature;
      ignored += index == Column::no_feature ? 1 : 0;
    }
    return ignored;
  }

  // Does the same for a row from the fast path: its names are ascending whole numbers of one namespace.
  std::uint64_t resolve_integers(const VwScratch& scratch, std::span<std::uint32_t> row, Schema& schema) {
    constexpr std::uint32_t mask = (std::uint32_t{1} << integer_bits) - 1;
    const std::uint32_t space = (row[0] - integer_name) >> integer_bits;
    const std::uint32_t column = column_of_space_[space];
    const std::span<const std::uint32_t> known =
        column < integers_.size() ? integers_[column].features() : std::span<const std::uint32_t>();
    std::size_t resolved = 0;
    if ((row.back() & mask) < known.size()) {
      for (; resolved < row.size(); ++resolved) {
        const std::uint32_t feature = known[row[resolved] & mask];
        if (feature == Column::no_feature) break;
        row[resolved] = feature;
      }
    }
    std::uint64_t ignored = 0;
    for (std::uint32_t& index : row.subspan(resolved)) {
      const std::uint32_t integer = index & mask;
      index = integer < known.size() ? known[integer] : Column::no_feature;
      if (index == Column::no_feature) index = resolve_integer(scratch, space, integer, schema);
      ignored += index == Column::no_feature ? 1 : 0;
    }
    return ignored;
  }

  // Returns the feature of a number that its table lacks.
  std::uint32_t resolve_integer(const VwScratch& scratch, std::uint32_t space, std::uint32_t integer, Schema& schema) {
    std::array<char, 8> digits;
    const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), integer).ptr;
    const std::string_view name(digits.data(), static_cast<std::size_t>(end - digits.data()));
    return resolve(scratch, space, name, hash_of_name(name, scratch.seed[space]), schema);
  }

  // Returns the feature of a name that may have become known since the chunk's names were looked up; adds a new one.
  std::uint32_t resolve(const VwScratch& scratch, std::uint32_t space, std::string_view name, std::uint64_t hash,
                        Schema& schema) {
    if (const std::uint32_t known = column_of_space_[space]; known != Column::no_feature) {
      const std::uint32_t feature = known_.feature(known, hash, name);
      if (feature != Column::no_feature) return feature;
    }
    if (options_.schema != nullptr && !options_.grow) return Column::no_feature;
    refuse_too_many(schema);
    std::uint32_t& column = column_of_space_[space];
    if (column == Column::no_feature) {
      column = static_cast<std::uint32_t>(schema.columns.size());
      Column made;
      made.name = scratch.spaces[space].text;
      made.kind = Column::Kind::categorical;
      columns_.insert(made.name, column);
      schema.columns.push_back(std::move(made));
    }
    Column& names = schema.columns[column];
    known_.insert(column, names.categories.push_back(name), schema.features, hash);
    names.features.push_back(schema.features);
    return schema.features++;
  }

  // Returns the feature of a product in a row, whose factors are resolved; adds a new one.
  std::uint32_t resolve_product(const VwScratch& scratch, std::size_t number, Schema& schema) {
    std::uint32_t& feature = resolved_products_[number];
    if (feature != unresolved_name) return feature;
    const std::vector<ChunkProducts::Entry>& entries = scratch.products.entries();
    if (const std::size_t ahead = number + 8; ahead < entries.size())
      products_.view().prefetch(entries[ahead].product, resolved(entries[ahead].factors));
    const Factors factors = resolved(entries[number].factors);
    const std::size_t product = entries[number].product;
    feature = products_.view().find(product, factors);
    if (feature != Column::no_feature || (options_.schema != nullptr && !options_.grow)) return feature;
    refuse_too_many(schema);
    feature = schema.features++;
    add_product(schema.columns[product_column_[product]], factors, feature);
    products_.insert(product, factors, feature);
    return feature;
  }

  // Returns factors with features instead of provisional numbers, as far as these are resolved.
  Factors resolved(Factors factors) const {
    for (std::uint32_t& factor : factors)
      if (factor >= first_provisional_name) factor = resolved_[factor - first_provisional_name];
    return factors;
  }

  void refuse_too_many(const Schema& schema) const {
    if (schema.features < first_provisional_name - 1) return;
    throw Error(ErrorKind::data, "more than 2147483647 features")
        .at(shown_name(options_.path))
        .fix("use fewer names: numbers of rows or of persons, for instance, are no features");
  }

  ReadOptions options_;
  VwRules rules_;

  NameHasher hasher_;

  // commit's own.
  KnownNames known_;
  KnownProducts products_;
  SpaceColumns columns_;                          // of the schema
  std::vector<std::uint32_t> product_column_;     // of each product
  std::vector<IntegerNames> integers_;            // of the columns
  std::vector<std::uint32_t> column_of_space_;    // by namespace of the chunk
  std::vector<std::uint32_t> resolved_;           // features, by name of the chunk
  std::vector<std::uint32_t> resolved_products_;  // likewise
};

}  // namespace

std::unique_ptr<Format> make_vw(const ReadOptions& options) { return std::make_unique<Vw>(options); }

// Hashed names in rows of Vowpal Wabbit text: no dictionary, and products without a text.

// Replaces whole numbers of the fast path by features: their texts are before each second separator.
void VwRowReader::hash_integers(std::size_t count, const std::uint32_t* at, std::uint32_t* index) {
  const NameHasher& hasher = *rules_.hasher;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = at[2 * i] + std::size_t{1};
    const std::string_view name = text_.substr(begin, at[2 * i + 1] - begin);
    const std::uint64_t hash = hash_of_name(name, seed_);
    index[i] = hasher.feature(hash);
    if (scratch_.hashed.wants(hash)) scratch_.hashed.note(chunk_, space_, hash, name);
  }
}

// Adds the values of the row. Where names are multiplied, each is there once.
VwRowReader::Outcome VwRowReader::hash_names() {
  std::vector<VwScratch::RowName>& row = scratch_.row;
  const bool multiplies = !rules_.namespaces.products.empty();
  if (multiplies) {
    scratch_.hashes_in_row.clear();
    scratch_.hashes_in_row.expect(row.size());
  }
  std::size_t kept = 0;
  for (const VwScratch::RowName& name : row) {
    if (!valid_text_ && !valid_utf8(name.text))
      return refuse(name.begin, "the feature " + quote(name.text) + " is not valid UTF-8", to_utf8);
    double value = name.value;
    std::uint32_t before = RowNames::none;
    if (multiplies) before = scratch_.hashes_in_row.find_or_insert(name.hash, static_cast<std::uint32_t>(kept));
    if (before != RowNames::none) value = chunk_.rows.values()[chunk_.rows.offsets().back() + before] += name.value;
    if (!std::isfinite(value)) {
      return refuse(name.begin, "the value of " + quote(name.text) + " is too large for a double",
                    "scale the feature down");
    }
    if (before != RowNames::none) continue;
    chunk_.rows.add(rules_.hasher->feature(name.hash), value);
    if (scratch_.hashed.wants(name.hash)) scratch_.hashed.note(chunk_, name.space, name.hash, name.text);
    row[kept++] = name;
  }
  row.resize(kept);
  return Outcome::row;
}

// Multiplies what the row holds by now.
VwRowReader::Outcome VwRowReader::hash_products() {
  const std::span<const VwProduct> products = rules_.namespaces.products;
  const std::vector<VwScratch::RowName>& row = scratch_.row;
  roles_.resize(row.size());
  for (product_at_hand_ = 0; product_at_hand_ < products.size(); ++product_at_hand_) {
    for (std::size_t k = 0; k < row.size(); ++k)
      roles_[k] = scratch_.roles[row[k].space * products.size() + product_at_hand_];
    const bool of_two = products[product_at_hand_].factors.size() == 2;
    const Outcome outcome = of_two ? hash_pairs() : multiply(product_at_hand_);
    if (outcome != Outcome::row) return outcome;
  }
  return Outcome::row;
}

// Does what multiply(2) does.
VwRowReader::Outcome VwRowReader::hash_pairs() {
  const auto is = [&](std::size_t k, unsigned factor) { return (roles_[k] >> factor & 1) != 0; };
  for (std::size_t i = 0; i < roles_.size(); ++i) {
    if (!is(i, 0)) continue;
    for (std::size_t j = 0; j < roles_.size(); ++j) {
      if (!is(j, 1) || (j < i && is(j, 0) && is(i, 1))) continue;
      const std::array<std::size_t, 2> pair = {i, j};
      const Outcome outcome = hash_product(pair);
      if (outcome != Outcome::row) return outcome;
    }
  }
  return Outcome::row;
}

// Adds the product of some values of the row. Its text is made only to be kept.
VwRowReader::Outcome VwRowReader::hash_product(std::span<const std::size_t> chosen) {
  const std::vector<VwScratch::RowName>& row = scratch_.row;
  const std::size_t begin = chunk_.rows.offsets().back();
  std::array<std::uint64_t, 3> hashes;
  double value = 1;
  std::size_t factors = 0;
  for (const std::size_t k : chosen) {
    hashes[factors++] = row[k].hash;
    value *= chunk_.rows.values()[begin + k];
  }
  const std::span<const std::uint64_t> of_factors(hashes.data(), factors);
  const std::uint64_t hash = hash_of_hashes(of_factors, rules_.product_seeds[product_at_hand_]);
  scratch_.multiplied[product_at_hand_] = 1;
  const auto name = [&] {
    product_.clear();
    for (const std::size_t k : chosen) {
      if (!product_.empty()) product_ += '*';
      product_ += full_name(row[k]);
    }
    return std::string_view(product_);
  };
  if (!std::isfinite(value)) {
    return refuse(begin_, "the value of " + quote(name()) + " is too large for a double", "scale the feature down");
  }
  chunk_.rows.add(rules_.hasher->feature(hash), value);
  if (scratch_.hashed.wants(hash)) {
    const std::uint32_t space = number_of_space(rules_.namespaces.products[product_at_hand_].name);
    scratch_.hashed.note(chunk_, space, hash, scratch_.made.keep(name()));
  }
  return Outcome::row;
}

}  // namespace halfspace::stream
