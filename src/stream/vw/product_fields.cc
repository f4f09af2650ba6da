// Checks the products of a file, and converts those of earlier files.
#include "stream/vw/product_fields.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "stream/text/text.h"
#include "stream/vw/namespaces.h"
#include "stream/vw/products.h"

namespace halfspace::stream {
namespace {

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

// Finds the factors in the texts of products.
class ProductTexts {
 public:
  explicit ProductTexts(const Schema& schema) : schema_(schema) {
    for (std::uint32_t c = 0; c < schema.columns.size(); ++c) {
      const Column& column = schema.columns[c];
      if (multiplies(schema, column)) continue;
      const std::string prefix = column.name.empty() ? "" : column.name + "^";
      for (std::size_t k = 0; k < column.categories.size(); ++k)
        features_[prefix + std::string(column.categories[k])].emplace_back(c, column.features[k]);
    }
  }

  // Sets the factors that the text has from factor f on. Returns whether it has them.
  bool read(std::string_view text, const std::vector<std::string>& rules, std::size_t f, std::uint32_t before,
            Factors& factors) const {
    const bool last = f + 1 == rules.size();
    for (std::size_t end = last ? text.size() : text.find('*'); end != std::string_view::npos;
         end = last ? std::string_view::npos : text.find('*', end + 1)) {
      const auto found = features_.find(std::string(text.substr(0, end)));
      if (found == features_.end()) continue;
      for (const auto& [column, feature] : found->second) {
        if (feature >= before || !is_of_namespaces(rules[f], schema_.columns[column].name)) continue;
        factors[f] = feature;
        if (last || read(text.substr(end + 1), rules, f + 1, before, factors)) return true;
      }
    }
    return false;
  }

 private:
  const Schema& schema_;
  std::unordered_map<std::string, std::vector<std::pair<std::uint32_t, std::uint32_t>>> features_;  // by whole names
};

}  // namespace

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

std::string number_products(Schema& schema) {
  const auto has_texts = [&](const Column& column) { return multiplies(schema, column) && !column.categories.empty(); };
  if (std::none_of(schema.columns.begin(), schema.columns.end(), has_texts)) return {};
  const ProductTexts texts(schema);
  for (Column& column : schema.columns) {
    if (!has_texts(column)) continue;
    const std::vector<std::string> rules = factor_rules(column.name);
    const std::vector<std::uint32_t> features = std::exchange(column.features, {});
    std::size_t k = 0;
    for (const std::string_view text : column.categories) {
      Factors factors{};
      if (!texts.read(text, rules, 0, features[k], factors))
        return quote(text) + " is no product of features of " + quote(column.name);
      add_product(column, factors, features[k++]);
    }
    column.categories.clear();
  }
  return check_products(schema);
}

}  // namespace halfspace::stream
