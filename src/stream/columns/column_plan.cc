// Decides which columns a CSV file has and what each is for: header, names and positions, the model's columns.
#include "stream/columns/column_plan.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/nearest.h"
#include "halfspace/base/error.h"
#include "halfspace/stream/table_text.h"
#include "stream/columns/hashed_names.h"
#include "stream/columns/logarithms.h"
#include "stream/formats/parser.h"
#include "stream/source/raw_file.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

using Kind = Column::Kind;

std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t most = 10;
  std::string list;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) list += (i == 0 ? "" : ", ") + quote(names[i]);
  if (names.size() > most) list += " and " + std::to_string(names.size() - most) + " more";
  return list;
}

std::string count_columns(std::size_t count) { return std::to_string(count) + (count == 1 ? " column" : " columns"); }

// Finds the column with this name, else at this 1-based position.
std::optional<std::uint32_t> look_up(const std::vector<std::string>& names, const std::string& wanted) {
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
  std::uint32_t position = 0;
  const auto [end, problem] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), position);
  if (problem != std::errc() || end != wanted.data() + wanted.size()) return std::nullopt;
  if (position == 0 || position > names.size()) return std::nullopt;
  return position - 1;
}

// Returns the names to propose: of rows in memory without those of the label and the weight, which nobody gave.
std::vector<std::string> given_names(const ReadOptions& options, const std::vector<std::string>& names) {
  if (options.table_text == nullptr) return names;
  std::vector<std::string> given;
  for (const TableText::Field& field : options.table_text->fields()) given.push_back(field.name);
  return given;
}

std::uint32_t look_up_or_throw(const ReadOptions& options, const std::vector<std::string>& names,
                               const std::string& wanted, const char* name_of_option) {
  if (const std::optional<std::uint32_t> field = look_up(names, wanted)) return *field;
  const std::vector<std::string> given = given_names(options, names);
  std::string hint = did_you_mean(wanted, given);
  if (hint.empty()) hint = "the columns are " + list_names(given);
  throw Error(ErrorKind::usage, option(name_of_option) + ": there is no column " + quote(wanted)).fix(std::move(hint));
}

// The roles that the options give to each column of the file, by field.
class Wishes {
 public:
  Wishes(const ReadOptions& options, const std::vector<std::string>& names)
      : options_(options), names_(names), wish_(names.size()) {
    if (!options.columns.label.empty()) ask(options.columns.label, "label", Kind::label);
    if (!options.columns.weight.empty()) ask(options.columns.weight, "weight", Kind::weight);
    if (!options.columns.identifier.empty()) ask(options.columns.identifier, "id", Kind::identifier);
    for (const std::string& name : options.columns.drop) ask(name, "drop", Kind::dropped);
    for (const std::string& name : options.columns.categorical) ask(name, "categorical", Kind::categorical);
    for (const std::string& name : options.columns.numeric) ask(name, "numeric", Kind::numeric);
    for (const std::string& name : options.columns.text) ask(name, "text", Kind::text);
    for (const std::string& name : options.columns.dates) ask(name, "dates", Kind::date);
  }

  const std::optional<Kind>& operator[](std::size_t field) const { return wish_[field].kind; }
  std::string option_of(std::size_t field) const { return option(wish_[field].option_name); }

 private:
  struct Wish {
    std::optional<Kind> kind;
    const char* option_name = nullptr;
  };

  void ask(const std::string& name, const char* name_of_option, Kind kind) {
    const std::uint32_t field = look_up_or_throw(options_, names_, name, name_of_option);
    Wish& wish = wish_[field];
    if (wish.kind && *wish.kind != kind) {
      throw Error(ErrorKind::usage, "column " + quote(names_[field]) + " cannot be " + option(wish.option_name) +
                                        " and " + option(name_of_option))
          .fix("give each column one role");
    }
    wish = {kind, name_of_option};
  }

  const ReadOptions& options_;
  const std::vector<std::string>& names_;
  std::vector<Wish> wish_;
};

bool equal_in_any_case(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; });
}

void refuse_another_order(const ReadOptions& options, const Schema& schema) {
  for (const Column& column : schema.columns) {
    if (column.kind != Kind::date || options.columns.date_order.value_or(column.date_order) == column.date_order)
      continue;
    throw Error(ErrorKind::usage,
                "the model reads the dates of " + quote(column.name) + " as " + std::string(name_of(column.date_order)))
        .at(shown_name(options.path))
        .fix("leave out " + option("date-order"));
  }
}

// Splits a pair a:b into two columns; a column name may contain a colon.
std::pair<std::uint32_t, std::uint32_t> look_up_pair(const ReadOptions& options, const std::vector<std::string>& names,
                                                     const std::string& pair) {
  for (std::size_t colon = pair.find(':'); colon != std::string::npos; colon = pair.find(':', colon + 1)) {
    const auto first = look_up(names, pair.substr(0, colon)), second = look_up(names, pair.substr(colon + 1));
    if (first && second) return {*first, *second};
  }
  const std::size_t colon = pair.find(':');
  if (colon == std::string::npos) {
    throw Error(ErrorKind::usage, option("interactions") + ": " + quote(pair) + " is no pair of columns")
        .fix("write two names with a colon between them, such as " + option("interactions", "age:size"));
  }
  look_up_or_throw(options, names, pair.substr(0, colon), "interactions");
  look_up_or_throw(options, names, pair.substr(colon + 1), "interactions");
  throw Error(ErrorKind::internal, "a pair of columns was looked up twice");
}

// Adds the column of a product to a new schema whose kinds are known.
void declare_product(const ReadOptions& options, const std::string& pair, const std::vector<std::string>& names,
                     Schema& schema) {
  const auto [first, second] = look_up_pair(options, names, pair);
  for (const std::uint32_t factor : {first, second}) {
    const Column& column = schema.columns[factor];
    if (column.kind == Kind::numeric || column.kind == Kind::categorical) continue;
    throw Error(ErrorKind::usage,
                option("interactions") + ": column " + quote(column.name) + " gives neither numbers nor categories")
        .fix("multiply columns that are learned from, and neither texts nor dates");
  }
  const bool numbers = schema.columns[first].kind == Kind::numeric && schema.columns[second].kind == Kind::numeric;
  if (first == second && !numbers) {
    throw Error(ErrorKind::usage, option("interactions") + ": the categories of " + quote(names[first]) +
                                      " times themselves give the same categories")
        .fix("leave the pair out");
  }
  Column product;
  product.name = names[first] + ":" + names[second];
  const auto same = std::find_if(schema.columns.begin(), schema.columns.end(),
                                 [&](const Column& column) { return column.name == product.name; });
  if (same != schema.columns.end()) {
    throw Error(ErrorKind::usage, option("interactions") + ": there is a column " + quote(product.name) + " already")
        .fix("ask for it once, or rename the column");
  }
  product.kind = Kind::product;
  product.first = first;
  product.second = second;
  if (numbers) product.feature = schema.features++;
  schema.columns.push_back(std::move(product));
}

// Finds the factors of the schema's products among the features.
void plan_products(const Schema& schema, ColumnPlan& plan) {
  const auto rank_of = [&](std::uint32_t column) {
    const auto found = std::find_if(plan.features.begin(), plan.features.end(),
                                    [&](const ColumnPlan::Feature& feature) { return feature.column == column; });
    return static_cast<std::uint32_t>(found - plan.features.begin());
  };
  plan.products.clear();
  for (std::uint32_t i = 0; i < schema.columns.size(); ++i) {
    const Column& column = schema.columns[i];
    if (column.kind != Kind::product || column.is_logarithm()) continue;
    plan.products.push_back({i, column.feature, rank_of(column.first), rank_of(column.second)});
  }
}

void refuse_other_products(const ReadOptions& options, const std::vector<std::string>& names, const Schema& schema) {
  for (const std::string& pair : options.columns.interactions) {
    const auto [first, second] = look_up_pair(options, names, pair);
    const std::string name = names[first] + ":" + names[second];
    if (std::any_of(schema.columns.begin(), schema.columns.end(),
                    [&](const Column& column) { return column.kind == Kind::product && column.name == name; }))
      continue;
    throw Error(ErrorKind::usage, option("interactions") + ": the model has no product " + quote(name))
        .at(shown_name(options.path))
        .fix("leave the pair out: a model keeps its own products");
  }
}

std::optional<std::size_t> choose_label(const std::vector<std::string>& names, const Wishes& wishes,
                                        const std::vector<bool>& empty) {
  for (std::size_t field = 0; field < names.size(); ++field) {
    if (wishes[field] == Kind::label) return field;
  }
  for (const std::string_view usual : {"label", "class", "target", "y"}) {
    for (std::size_t field = 0; field < names.size(); ++field) {
      if (!wishes[field] && equal_in_any_case(names[field], usual)) return field;
    }
  }
  std::optional<std::size_t> last;
  for (std::size_t field = names.size(); field-- > 0;) {
    if (wishes[field]) continue;
    if (field >= empty.size() || !empty[field]) return field;
    last = last.value_or(field);
  }
  return last;
}

ColumnPlan::Feature plan_of(std::uint32_t field, std::uint32_t column_number, const Column& column) {
  const bool text = column.kind == Kind::text;
  return {field,
          column_number,
          column.feature,
          column.kind == Kind::numeric,
          text ? column.ngrams : 0,
          text && column.text_values == TextValues::binary,
          column.text_tokens,
          column.kind == Kind::date ? std::optional(column.date_order) : std::nullopt};
}

void refuse_text_of_another_making(const ReadOptions& options, const Schema& schema) {
  for (const Column& column : schema.columns) {
    if (column.kind != Kind::text) continue;
    if (options.columns.ngrams.value_or(column.ngrams) == column.ngrams &&
        options.columns.text_values.value_or(column.text_values) == column.text_values &&
        options.columns.text_tokens.value_or(column.text_tokens) == column.text_tokens)
      continue;
    throw Error(ErrorKind::usage, "the model makes features of the text " + quote(column.name) + " in its own way")
        .at(shown_name(options.path))
        .fix("leave out " + option("ngrams") + ", " + option("text-values") + " and " + option("text-tokens"));
  }
}

// Returns the schema column of each field of the file; no_field: none.
std::vector<std::uint32_t> match_by_name(const std::vector<std::string>& names, const Schema& schema) {
  std::unordered_map<std::string_view, std::uint32_t> known;
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    if (schema.columns[i].kind == Kind::product) continue;
    known.emplace(schema.columns[i].name, static_cast<std::uint32_t>(i));
  }
  std::vector<std::uint32_t> column(names.size(), no_field);
  for (std::size_t field = 0; field < names.size(); ++field) {
    if (const auto found = known.find(names[field]); found != known.end()) column[field] = found->second;
  }
  return column;
}

std::vector<std::uint32_t> match_by_position(const ReadOptions& options, std::size_t fields, const Schema& schema) {
  std::vector<std::uint32_t> column;
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    if (schema.columns[i].kind != Kind::product) column.push_back(static_cast<std::uint32_t>(i));
  }
  const std::size_t wanted = column.size();
  const auto leave_out = [&](bool ignored, Kind kind) {
    if (!ignored || fields >= column.size()) return;
    std::erase_if(column, [&](std::uint32_t i) { return schema.columns[i].kind == kind; });
  };
  leave_out(options.labels.ignore, Kind::label);
  leave_out(ignores_weights(options.labels) || options.labels.weights_may_be_absent, Kind::weight);
  if (column.size() != fields) {
    throw Error(ErrorKind::data,
                "the data has " + count_columns(fields) + ", the model was learned from " + std::to_string(wanted))
        .at(shown_name(options.path))
        .fix("without a header the columns must be the model's, in its order");
  }
  return column;
}

}  // namespace

std::vector<std::uint32_t> kept_fields(const ReadOptions& options, const std::vector<std::string>& names) {
  std::vector<std::uint32_t> kept;
  for (const std::string& name : options.columns.keep) {
    const std::uint32_t field = look_up_or_throw(options, names, name, "keep");
    if (std::find(kept.begin(), kept.end(), field) == kept.end()) kept.push_back(field);
  }
  return kept;
}

std::vector<std::uint32_t> assign_new_columns(const ReadOptions& options, const std::vector<std::string>& names,
                                              Schema& schema, const std::vector<bool>& empty) {
  const Wishes wishes(options, names);
  if (options.columns.ngrams && (*options.columns.ngrams < 1 || *options.columns.ngrams > most_ngrams)) {
    throw Error(ErrorKind::usage, option("ngrams") + " is " + std::to_string(*options.columns.ngrams))
        .fix("from 1 to " + std::to_string(most_ngrams) + " adjacent tokens are a feature");
  }
  const std::optional<std::size_t> label = choose_label(names, wishes, empty);
  if (!label) throw Error(ErrorKind::usage, "no column is left for the label").fix("name it with " + option("label"));
  std::vector<std::uint32_t> open;
  schema.columns.clear();
  for (std::size_t field = 0; field < names.size(); ++field) {
    Column column;
    column.name = names[field];
    if (field == *label) {
      column.kind = Kind::label;
    } else if (wishes[field]) {
      column.kind = *wishes[field];
      if (column.kind == Kind::text) {
        column.ngrams = options.columns.ngrams.value_or(1);
        column.text_values = options.columns.text_values.value_or(TextValues::counts);
        column.text_tokens = options.columns.text_tokens.value_or(TextTokens::words);
      }
    } else {
      open.push_back(static_cast<std::uint32_t>(field));
    }
    schema.columns.push_back(std::move(column));
  }
  return open;
}

ColumnPlan number_new_features(const ReadOptions& options, std::vector<std::string> names, Schema& schema) {
  ColumnPlan plan;
  plan.names = std::move(names);
  schema.features = 0;
  for (std::uint32_t field = 0; field < schema.columns.size(); ++field) {
    Column& column = schema.columns[field];
    if (column.kind == Kind::numeric || column.kind == Kind::date) column.feature = schema.features++;
    if (column.kind == Kind::date) schema.features += 2;  // month and day
    if (Column::gives_features(column.kind)) plan.features.push_back(plan_of(field, field, column));
    if (column.kind == Kind::label) plan.label = field;
    if (column.kind == Kind::weight) plan.weight = field;
  }
  for (const std::string& pair : options.columns.interactions) declare_product(options, pair, plan.names, schema);
  declare_logarithms(options.columns.logarithms, schema);
  plan_products(schema, plan);
  hash_names(options, schema);
  return plan;
}

namespace {

// Throws Error(data) if the data lack columns that the model was trained on.
void refuse_missing(const ReadOptions& options, const Schema& schema, const std::vector<bool>& present, bool labelled,
                    bool weighted) {
  std::vector<std::string> missing;
  std::string label;
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    const Kind kind = schema.columns[i].kind;
    const bool lacks = Column::gives_features(kind) ? !present[i]
                       : kind == Kind::label        ? !labelled && !options.labels.ignore
                       : kind == Kind::weight
                           ? !weighted && !ignores_weights(options.labels) && !options.labels.weights_may_be_absent
                           : false;
    if (lacks && kind == Kind::label) label = quote(schema.columns[i].name) + " (the label)";
    if (lacks && kind != Kind::label) missing.push_back(schema.columns[i].name);
  }
  if (missing.empty() && label.empty()) return;
  std::string fix = "add them (a value may be left empty), or train a model without them";
  if (!label.empty()) {
    const std::string name_it =
        "name the column of the labels with " + option("label") + " (rows without labels: halfspace predict)";
    fix = missing.empty() ? name_it : name_it + ", and " + fix;
  }
  const std::string both = missing.empty() || label.empty() ? "" : ", ";
  throw Error(ErrorKind::data, "the data lacks " + count_columns(missing.size() + (label.empty() ? 0 : 1)) +
                                   " the model was learned from: " + list_names(missing) + both + label)
      .at(shown_name(options.path))
      .fix(std::move(fix));
}

// Unknown columns do not change a prediction, but a resumed run might have been meant to train on them.
void ignore_or_refuse(const ReadOptions& options, const std::vector<std::string>& extra) {
  if (extra.empty()) return;
  const std::string found = count_columns(extra.size()) + " the model does not know: " + list_names(extra);
  if (options.grow)
    throw Error(ErrorKind::data, "the data has " + found)
        .at(shown_name(options.path))
        .fix("leave them out with " + option("drop"));
  if (!options.on_note) return;
  std::string word;
  for (const std::string& name : extra) word += (word.empty() ? "" : ",") + name;
  options.on_note(
      {"ignored " + found, option("drop", extra.size() > 10 ? "" : word) + " leaves them out without a note"});
}

}  // namespace

ColumnPlan match_columns(const ReadOptions& options, bool header, std::vector<std::string> names,
                         const Schema& schema) {
  const bool by_name = header && schema.header;
  const std::vector<std::uint32_t> column_of =
      by_name ? match_by_name(names, schema) : match_by_position(options, names.size(), schema);
  if (!by_name) {
    for (std::size_t field = 0; field < names.size(); ++field) names[field] = schema.columns[column_of[field]].name;
  }
  const Wishes wishes(options, names);
  refuse_text_of_another_making(options, schema);
  refuse_another_order(options, schema);
  refuse_other_products(options, names, schema);
  check_hashing(options, schema);

  ColumnPlan plan;
  plan.kept = kept_fields(options, names);
  std::vector<std::string> extra;
  std::vector<bool> present(schema.columns.size());
  bool weighted = false, labelled = false;
  for (std::uint32_t field = 0; field < names.size(); ++field) {
    const std::uint32_t column = column_of[field];
    const std::optional<Kind> known = column == no_field ? std::nullopt : std::optional(schema.columns[column].kind);
    const std::optional<Kind>& wish = wishes[field];
    if (wish && Column::gives_features(*wish) && known && Column::gives_features(*known) && *wish != *known) {
      throw Error(ErrorKind::usage,
                  wishes.option_of(field) + ": the model knows column " + quote(names[field]) + " as another kind")
          .fix("leave the flag out");
    }
    if (wish == Kind::identifier && known && Column::gives_features(*known)) {
      throw Error(ErrorKind::usage, wishes.option_of(field) + ": the model learned from column " + quote(names[field]))
          .fix("name it with " + option("keep") + ", which leaves it a feature, where rows are predicted");
    }
    // A label or weight named on the command line replaces the model's.
    std::optional<Kind> kind = wish && !Column::gives_features(*wish) ? wish : known;
    if (kind == Kind::label && !options.columns.label.empty() && wish != Kind::label) kind = Kind::dropped;
    if (kind == Kind::weight && !options.columns.weight.empty() && wish != Kind::weight) kind = Kind::dropped;
    if (!kind) {
      if (std::find(plan.kept.begin(), plan.kept.end(), field) == plan.kept.end()) extra.push_back(names[field]);
    } else if (Column::gives_features(*kind)) {
      present[column] = true;
      plan.features.push_back(plan_of(field, column, schema.columns[column]));
    } else if (*kind == Kind::label) {
      plan.label = field;
      labelled = true;
    } else if (*kind == Kind::weight) {
      plan.weight = field;
      weighted = true;
    }
  }
  refuse_missing(options, schema, present, labelled, weighted);
  ignore_or_refuse(options, extra);
  std::sort(plan.features.begin(), plan.features.end(),
            [](const ColumnPlan::Feature& a, const ColumnPlan::Feature& b) { return a.column < b.column; });
  plan_products(schema, plan);
  plan.names = std::move(names);
  return plan;
}

}  // namespace halfspace::stream
