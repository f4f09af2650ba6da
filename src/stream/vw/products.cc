// Products of namespaces by the numbers of their factors.
#include "stream/vw/products.h"

#include <algorithm>

#include "stream/names/known_names.h"
#include "stream/text/text.h"
#include "stream/vw/names.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t fewest_buckets = 16;
constexpr std::size_t fewest_product_slots = 1024;

// Nobody who writes data knows the seed, and so cannot choose numbers that collide.
std::uint64_t hash_of_numbers(std::uint64_t first, std::uint64_t second) {
  static const std::uint64_t seed = seed_of_names(1);
  return hash_of_pair(first, second, seed);
}

std::vector<std::string> factor_rules(const std::string& column) {
  std::vector<std::string> rules;
  for (std::size_t at = 0; at <= column.size();) {
    const std::size_t colon = std::min(column.find(':', at), column.size());
    rules.push_back(column.substr(at, colon - at));
    at = colon + 1;
  }
  return rules;
}

// The columns of all features.
class FeatureOwners {
 public:
  explicit FeatureOwners(const Schema& schema) {
    std::uint64_t names = 0;
    for (const Column& column : schema.columns) names += column.features.size();
    if (names != schema.features) {
      problem_ = std::to_string(names) + " names and products for " + std::to_string(schema.features) + " features";
      return;
    }
    owner_.assign(schema.features, Column::no_feature);
    for (std::uint32_t c = 0; c < schema.columns.size(); ++c) {
      for (const std::uint32_t feature : schema.columns[c].features) {
        if (feature >= owner_.size() || owner_[feature] != Column::no_feature) {
          problem_ = "feature " + std::to_string(feature) + " has two names";
          return;
        }
        owner_[feature] = c;
      }
    }
  }
  const std::string& problem() const { return problem_; }
  std::uint32_t operator[](std::uint32_t feature) const { return owner_[feature]; }

 private:
  std::vector<std::uint32_t> owner_;
  std::string problem_;
};

// Returns what is wrong with the factors of a column's products.
std::string check_factors(const Schema& schema, const Column& column, const FeatureOwners& owners) {
  const std::vector<std::string> rules = factor_rules(column.name);
  std::vector<std::vector<bool>> fits;  // of each factor: which columns have it
  for (const std::string& rule : rules) {
    std::vector<bool>& one = fits.emplace_back();
    for (const Column& space : schema.columns)
      one.push_back(!multiplies(schema, space) && is_of_namespaces(rule, space.name));
  }
  for (std::size_t k = 0; k < column.features.size(); ++k) {
    for (std::size_t f = 0; f < rules.size(); ++f) {
      const std::uint32_t factor = column.products[k * rules.size() + f];
      if (factor >= column.features[k] || !fits[f][owners[factor]])
        return "feature " + std::to_string(factor) + " is no factor " + quote(rules[f]) + " of feature " +
               std::to_string(column.features[k]);
    }
  }
  return {};
}

std::string check_distinct(const Schema& schema) {
  KnownProducts known;
  for (const Column& column : schema.columns) {
    if (!multiplies(schema, column)) continue;
    const std::size_t product = known.add_column(factors_of_product(column.name), column.features.size());
    for (std::size_t k = 0; k < column.features.size(); ++k) {
      const Factors factors = factors_of(column, k);
      if (known.view().find(product, factors) != Column::no_feature)
        return "feature " + std::to_string(column.features[k]) + " is a product that an earlier one is";
      known.insert(product, factors, column.features[k]);
    }
  }
  return {};
}

}  // namespace

// At most four fifths full.
PairTable::PairTable(std::size_t pairs)
    : size_(std::max(fewest_buckets, pairs / 4 + 1)), most_(size_ * 4), buckets_(new Bucket[size_]()) {}

std::size_t PairTable::home(std::uint64_t key) const {
  __extension__ using Product = unsigned __int128;
  return static_cast<std::size_t>(Product{hash_of_numbers(key, key)} * size_ >> 64);
}

std::uint32_t PairTable::find(std::uint32_t first, std::uint32_t second, std::uint32_t bound) const {
  const std::uint64_t wanted = key_of(first, second);
  for (std::size_t at = home(wanted);; at = at + 1 == size_ ? 0 : at + 1) {
    const Bucket& bucket = buckets_[at];
    for (std::size_t i = 0; i < ways; ++i) {
      const std::uint64_t key = bucket.key[i].load(std::memory_order_acquire);
      if (key == 0) return none;
      if (key != wanted) continue;
      const std::uint32_t number = bucket.number[i].load(std::memory_order_relaxed);
      return number < bound ? number : none;
    }
  }
}

void PairTable::prefetch(std::uint32_t first, std::uint32_t second) const {
  __builtin_prefetch(&buckets_[home(key_of(first, second))]);
}

void PairTable::insert(std::uint32_t first, std::uint32_t second, std::uint32_t number) {
  put(key_of(first, second), number);
}

void PairTable::put(std::uint64_t key, std::uint32_t number) {
  for (std::size_t at = home(key);; at = at + 1 == size_ ? 0 : at + 1) {
    Bucket& bucket = buckets_[at];
    for (std::size_t i = 0; i < ways; ++i) {
      if (bucket.key[i].load(std::memory_order_relaxed) != 0) continue;
      bucket.number[i].store(number, std::memory_order_relaxed);
      bucket.key[i].store(key, std::memory_order_release);
      ++count_;
      return;
    }
  }
}

std::shared_ptr<PairTable> PairTable::grown() const {
  auto larger = std::make_shared<PairTable>(most_ + most_ / 2);
  for (std::size_t at = 0; at < size_; ++at) {
    for (std::size_t i = 0; i < ways; ++i) {
      const std::uint64_t key = buckets_[at].key[i].load(std::memory_order_relaxed);
      if (key != 0) larger->put(key, buckets_[at].number[i].load(std::memory_order_relaxed));
    }
  }
  return larger;
}

std::uint32_t KnownProducts::View::find(std::size_t product, const Factors& factors) const {
  const Tables& tables = tables_[product];
  if (!tables.triples) return tables.outer->find(factors[0], factors[1], features_);
  const std::uint32_t inner = tables.inner->find(factors[0], factors[1], tables.inners);
  return inner == PairTable::none ? Column::no_feature : tables.outer->find(inner, factors[2], features_);
}

void KnownProducts::View::prefetch(std::size_t product, const Factors& factors) const {
  const Tables& tables = tables_[product];
  (tables.triples ? tables.inner : tables.outer)->prefetch(factors[0], factors[1]);
}

void KnownProducts::know(const Schema& schema) {
  tables_.clear();
  for (const Column& column : schema.columns) {
    if (column.kind == Column::Kind::dropped || factors_of_product(column.name) == 1) continue;
    const std::size_t product = add_column(factors_of_product(column.name), column.features.size());
    for (std::size_t k = 0; k < column.features.size(); ++k)
      insert(product, stream::factors_of(column, k), column.features[k]);
  }
  publish(schema.features);
}

std::size_t KnownProducts::add_column(std::size_t factors, std::size_t products) {
  tables_.push_back({std::make_shared<PairTable>(products), nullptr, 0, factors == 3});
  if (tables_.back().triples) tables_.back().inner = std::make_shared<PairTable>(0);
  return tables_.size() - 1;
}

void KnownProducts::insert(std::size_t product, const Factors& factors, std::uint32_t feature) {
  const auto add = [](std::shared_ptr<PairTable>& table, std::uint32_t first, std::uint32_t second,
                      std::uint32_t number) {
    if (table->full()) table = table->grown();
    table->insert(first, second, number);
  };
  Tables& tables = tables_[product];
  if (!tables.triples) {
    add(tables.outer, factors[0], factors[1], feature);
    return;
  }
  std::uint32_t inner = tables.inner->find(factors[0], factors[1], tables.inners);
  if (inner == PairTable::none) {
    inner = tables.inners++;
    add(tables.inner, factors[0], factors[1], inner);
  }
  add(tables.outer, inner, factors[2], feature);
}

void KnownProducts::publish(std::uint32_t features) {
  const std::lock_guard lock(mutex_);
  published_ = tables_;
  published_features_ = features;
}

KnownProducts::Snapshot KnownProducts::snapshot() const {
  Snapshot snapshot;
  const std::lock_guard lock(mutex_);
  snapshot.held_ = published_;
  snapshot.tables_ = snapshot.held_;
  snapshot.features_ = published_features_;
  return snapshot;
}

KnownProducts::View KnownProducts::view() const {
  View view;
  view.tables_ = tables_;
  view.features_ = Column::no_feature;
  return view;
}

void ChunkProducts::clear() {
  entries_.clear();
  std::fill(slots_.begin(), slots_.end(), 0);
}

std::uint32_t ChunkProducts::find_or_insert(const Entry& entry) {
  if (2 * (entries_.size() + 1) > slots_.size()) grow();
  const std::uint64_t hash = hash_of_entry(entry);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const std::uint64_t slot = slots_[at];
    if (slot == 0) {
      entries_.push_back(entry);
      slots_[at] = hash >> 32 << 32 | entries_.size();
      return static_cast<std::uint32_t>(entries_.size()) - 1;
    }
    const std::uint32_t number = static_cast<std::uint32_t>(slot) - 1;
    if (slot >> 32 == hash >> 32 && entries_[number] == entry) return number;
  }
}

std::uint64_t ChunkProducts::hash_of_entry(const Entry& entry) {
  return hash_of_numbers(std::uint64_t{entry.factors[0]} << 32 | entry.factors[1],
                         std::uint64_t{entry.factors[2]} << 32 | entry.product);
}

void ChunkProducts::grow() {
  slots_.assign(std::max(fewest_product_slots, slots_.size() * 2), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const std::uint64_t hash = hash_of_entry(entries_[i]);
    std::size_t at = hash & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = hash >> 32 << 32 | (i + 1);
  }
}

Factors factors_of(const Column& column, std::size_t k) {
  const std::size_t count = factors_of_product(column.name);
  Factors factors{};
  std::copy_n(column.products.begin() + static_cast<std::ptrdiff_t>(k * count), std::min(count, factors.size()),
              factors.begin());
  return factors;
}

void add_product(Column& column, const Factors& factors, std::uint32_t feature) {
  column.products.insert(column.products.end(), factors.begin(),
                         factors.begin() + static_cast<std::ptrdiff_t>(factors_of_product(column.name)));
  column.features.push_back(feature);
}

bool multiplies(const Schema& schema, const Column& column) {
  return schema.format == DataFormat::vw && column.kind != Column::Kind::dropped && factors_of_product(column.name) > 1;
}

bool has_products(const Schema& schema) {
  return std::any_of(schema.columns.begin(), schema.columns.end(),
                     [](const Column& column) { return !column.products.empty(); });
}

std::string check_products(const Schema& schema) {
  if (!has_products(schema)) return {};
  const FeatureOwners owners(schema);
  if (!owners.problem().empty()) return owners.problem();
  for (const Column& column : schema.columns) {
    if (!multiplies(schema, column)) continue;
    std::string problem = check_factors(schema, column, owners);
    if (!problem.empty()) return problem;
  }
  return check_distinct(schema);
}

}  // namespace halfspace::stream
