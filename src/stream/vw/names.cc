// Maps names to numbers by open addressing over precomputed hashes.
#include "stream/vw/names.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "halfspace/base/error.h"
#include "stream/source/raw_file.h"
#include "stream/text/number.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t fewest_integers = 1024;
constexpr std::size_t most_for_each = 16;  // table entries for each name

constexpr std::size_t most_factors = 3;
constexpr std::string_view all_others = "|";

VwProduct product_named(const std::string& name) {
  VwProduct product{name, {}};
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t colon = std::min(name.find(':', at), name.size());
    product.factors.push_back(name.substr(at, colon - at));
    at = colon + 1;
  }
  return product;
}

// Returns whether a namespace can have this name, or begin with what follows the bar.
bool is_rule(std::string_view rule) {
  if (rule.starts_with('|')) rule.remove_prefix(1);
  return std::none_of(rule.begin(), rule.end(), [](char c) {
    return c == ':' || c == '|' || static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
  });
}

void add_rule(Schema& schema, const std::string& name, Column::Kind kind) {
  const bool again = std::any_of(schema.columns.begin(), schema.columns.end(),
                                 [&](const Column& column) { return column.name == name && column.kind == kind; });
  if (again) return;
  Column rule;
  rule.name = name;
  rule.kind = kind;
  schema.columns.push_back(std::move(rule));
}

void check_rule(const char* flag, const std::string& rule) {
  if (is_rule(rule) && rule != all_others) return;
  throw Error(ErrorKind::usage, option(flag) + ": " + quote(rule) + " is no name of a namespace")
      .fix("write names, such as " + option(flag, "user") + ", or '|u' for all namespaces that begin with u");
}

void check_product(const VwProduct& product) {
  const bool good = product.factors.size() >= 2 && product.factors.size() <= most_factors &&
                    std::all_of(product.factors.begin(), product.factors.end(), is_rule);
  if (good) return;
  throw Error(ErrorKind::usage, option("interactions") + ": " + quote(product.name) + " is no pair of namespaces" +
                                    (product.factors.size() > 2 ? ", and no triple" : ""))
      .fix("write two or three names with colons between them, such as " + option("interactions", "user:item") +
           ", or first letters: " + option("quadratic", "ui"));
}

bool holds(const std::vector<std::string>& rules, const std::string& rule) {
  return std::find(rules.begin(), rules.end(), rule) != rules.end();
}

}  // namespace

std::uint64_t seed_of_space(std::string_view space) { return hash_of_name(space, seed_of_names()); }

std::uint32_t SpaceColumns::find(std::string_view space) const {
  const std::lock_guard lock(mutex_);
  const auto found = columns_.find(std::string(space));
  return found == columns_.end() ? Column::no_feature : found->second;
}

void SpaceColumns::insert(std::string_view space, std::uint32_t column) {
  const std::lock_guard lock(mutex_);
  columns_.emplace(space, column);
}

std::optional<std::uint32_t> IntegerNames::integer(std::string_view name) {
  if (name.empty() || name.size() > 8 || (name.front() == '0' && name.size() > 1)) return std::nullopt;
  std::uint32_t value = 0;
  for (const char c : name) {
    if (!is_digit(c)) return std::nullopt;
    value = value * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return value;
}

void IntegerNames::take(const Column& column) {
  const std::size_t from = taken_;
  for (; taken_ < column.categories.size(); ++taken_) {
    const std::optional<std::uint32_t> number = integer(column.categories[taken_]);
    if (!number) continue;
    ++integers_;
    greatest_ = std::max(greatest_, *number);
  }
  const std::size_t wanted = std::min(std::bit_ceil(std::size_t{greatest_} + 1),
                                      std::bit_floor(std::max(fewest_integers, most_for_each * integers_)));
  const bool grows = wanted > features_.size();
  if (grows) features_.resize(wanted, Column::no_feature);
  for (std::size_t i = grows ? 0 : from; i < taken_; ++i) {
    const std::optional<std::uint32_t> number = integer(column.categories[i]);
    if (number && *number < features_.size()) features_[*number] = column.features[i];
  }
}

void know_vw_names(const Schema& schema, KnownNames& known, bool grow) {
  known.reserve(count_names(schema, grow));
  for (std::uint32_t c = 0; c < schema.columns.size(); ++c) {
    const std::uint64_t seed = seed_of_space(schema.columns[c].name);
    const auto hash = [seed](std::string_view name) { return hash_of_name(name, seed); };
    grow ? known.insert_all(c, schema.columns[c], hash) : known.defer(c, schema.columns[c], hash);
  }
}

bool is_of_namespaces(std::string_view rule, std::string_view space) {
  return rule.starts_with('|') ? space.starts_with(rule.substr(1)) : space == rule;
}

bool VwProduct::of_two_names() const {
  return factors.size() == 2 && !factors[0].starts_with('|') && !factors[1].starts_with('|');
}

bool VwNamespaces::leave_out(std::string_view space) const {
  const auto is_of = [&](const std::string& rule) { return is_of_namespaces(rule, space); };
  return std::any_of(ignored.begin(), ignored.end(), is_of) ||
         (only_these && std::none_of(only.begin(), only.end(), is_of));
}

VwNamespaces namespaces_of(const Schema& schema) {
  VwNamespaces rules;
  std::size_t declared = schema.columns.size();
  while (declared > 0 && schema.columns[declared - 1].kind != Column::Kind::dropped) --declared;
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    const Column& column = schema.columns[c];
    if (column.kind == Column::Kind::dropped) {
      if (column.name == all_others) {
        rules.only_these = true;
      } else {
        rules.ignored.push_back(column.name);
      }
    } else if (column.name.find(':') != std::string::npos) {
      rules.products.push_back(product_named(column.name));
    } else if (c < declared) {
      rules.only.push_back(column.name);
    }
  }
  return rules;
}

// The dropped columns come last: Schema::trim() removes no column before them.
void declare_namespaces(const ReadOptions& options, Schema& schema) {
  const ColumnOptions& columns = options.columns;
  for (const std::string& name : columns.interactions) {
    check_product(product_named(name));
    add_rule(schema, name, Column::Kind::categorical);
  }
  for (const std::string& rule : columns.only) {
    check_rule("only", rule);
    add_rule(schema, rule, Column::Kind::categorical);
  }
  for (const std::string& rule : columns.ignore) {
    check_rule("ignore", rule);
    if (holds(columns.only, rule)) {
      throw Error(ErrorKind::usage, option("ignore") + " and " + option("only") + " both name " + quote(rule))
          .fix("name it once");
    }
    add_rule(schema, rule, Column::Kind::dropped);
  }
  if (!columns.only.empty()) add_rule(schema, std::string(all_others), Column::Kind::dropped);
  const VwNamespaces rules = namespaces_of(schema);
  for (const VwProduct& product : rules.products) {
    for (const std::string& factor : product.factors) {
      if (factor.starts_with('|') || !rules.leave_out(factor)) continue;
      throw Error(ErrorKind::usage, option("interactions") + ": the namespace " + quote(factor) + " of " +
                                        quote(product.name) + " is ignored")
          .fix("leave the product out, or read the namespace");
    }
  }
}

void check_namespaces(const ReadOptions& options, const VwNamespaces& model) {
  for (const std::string& name : options.columns.interactions) {
    if (std::any_of(model.products.begin(), model.products.end(),
                    [&](const VwProduct& product) { return product.name == name; }))
      continue;
    throw Error(ErrorKind::usage, option("interactions") + ": the model has no products " + quote(name))
        .at(shown_name(options.path))
        .fix("leave the " + std::string(std::count(name.begin(), name.end(), ':') > 1 ? "triple" : "pair") +
             " out: a model keeps its own products");
  }
  const auto check = [&](const char* flag, const std::vector<std::string>& given, const std::vector<std::string>& own) {
    if (std::all_of(given.begin(), given.end(), [&](const std::string& rule) { return holds(own, rule); })) return;
    throw Error(ErrorKind::usage, option(flag) + ": the model was trained with other namespaces")
        .at(shown_name(options.path))
        .fix("leave out " + option(flag) + ": a model reads its own namespaces");
  };
  check("ignore", options.columns.ignore, model.ignored);
  check("only", options.columns.only, model.only_these ? model.only : std::vector<std::string>());
}

std::string list_of_namespaces(const std::vector<std::string>& rules) {
  std::string text;
  for (std::size_t i = 0; i < rules.size(); ++i)
    text += (i == 0 ? "" : i + 1 == rules.size() ? " and " : ", ") + quote(rules[i]);
  return text;
}

}  // namespace halfspace::stream
