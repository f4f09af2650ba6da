// Lists the terms of a row in the order of the CSV reader, which is that of Predictor's sum.
#include "model/row_terms.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "halfspace/base/error.h"
#include "stream/formats/format_entry.h"
#include "stream/text/text.h"

namespace halfspace::model {
namespace {

using Kind = Column::Kind;

[[noreturn]] void refuse_columns(const std::string& format, const std::string& why) {
  throw Error(ErrorKind::usage, "cannot export this model to " + format + ": " + why)
      .fix("export it as ONNX, which takes features by number");
}

void refuse_other_data(const Model& model, const std::string& format, bool dates) {
  const Schema& schema = model.schema;
  if (schema.columns.empty() || stream::entry_of(schema.format).columns != stream::ColumnsAre::columns)
    refuse_columns(format, "its data have no columns");
  if (schema.hashed.bits != 0) refuse_columns(format, "it hashes names to features");
  for (const Column& column : schema.columns) {
    if (column.kind == Kind::text) refuse_columns(format, "it derives features from " + stream::quote(column.name));
    if (column.kind == Kind::date && !dates) {
      throw Error(ErrorKind::usage, "cannot export this model to " + format + ": it reads dates from " +
                                        stream::quote(column.name) + ", and each database writes dates in its own way")
          .fix("export it as C, or give the parts of the date as columns of numbers and train again");
    }
    if (column.kind == Kind::categorical && column.name.empty())
      refuse_columns(format, "it has features that are no columns");
  }
}

// Splits the name of a product of two categories: a backslash is before each colon and backslash of the first.
TermCase pair_of(std::string_view name, const std::string& second, std::uint32_t feature) {
  TermCase pair{"", "", feature};
  std::size_t at = 0;
  for (; at < name.size() && name[at] != ':'; ++at) {
    if (name[at] == '\\') ++at;
    if (at < name.size()) pair.first += name[at];
  }
  pair.second = name.substr(std::min(name.size(), at + 1 + second.size() + 1));
  return pair;
}

RowTerm term_of(const Schema& schema, std::uint32_t number) {
  const Column& column = schema.columns[number];
  RowTerm term;
  term.column = term.first = number;
  term.missing = column.missing_feature;
  term.feature = column.feature;
  if (column.kind == Kind::categorical) {
    term.kind = RowTerm::Kind::category;
  } else if (column.kind == Kind::date) {
    term.kind = RowTerm::Kind::date;
  } else if (column.is_logarithm()) {
    term.kind = RowTerm::Kind::logarithm;
    term.first = column.first;
  } else if (column.kind == Kind::product) {
    term.first = column.first;
    term.second = column.second;
    const bool first = schema.columns[term.first].kind == Kind::numeric;
    const bool second = schema.columns[term.second].kind == Kind::numeric;
    if (!first && second) std::swap(term.first, term.second);
    term.kind = first && second   ? RowTerm::Kind::product
                : first || second ? RowTerm::Kind::by_category
                                  : RowTerm::Kind::pair;
  }
  for (std::size_t k = 0; k < column.categories.size(); ++k) {
    if (column.features[k] == Column::no_feature) continue;
    const std::string_view name = column.categories[k];
    term.cases.push_back(term.kind == RowTerm::Kind::pair
                             ? pair_of(name, schema.columns[term.second].name, column.features[k])
                             : TermCase{std::string(name), "", column.features[k]});
  }
  return term;
}

}  // namespace

std::vector<RowTerm> row_terms(const Model& model, const std::string& format, bool dates) {
  refuse_other_data(model, format, dates);
  const Schema& schema = model.schema;
  std::vector<RowTerm> terms;
  const auto add = [&](auto&& wanted) {
    for (std::uint32_t i = 0; i < schema.columns.size(); ++i) {
      if (wanted(schema.columns[i])) terms.push_back(term_of(schema, i));
    }
  };
  add([](const Column& column) { return Column::gives_features(column.kind); });
  add([](const Column& column) { return column.kind == Kind::product && !column.is_logarithm(); });
  // The logarithms of a row are in the order of the columns they are taken of.
  for (std::uint32_t of = 0; of < schema.columns.size(); ++of)
    add([&](const Column& column) { return column.is_logarithm() && column.first == of; });
  return terms;
}

std::vector<std::uint32_t> columns_of_terms(const std::vector<RowTerm>& terms) {
  std::vector<std::uint32_t> columns;
  for (const RowTerm& term : terms) {
    if (!term.derived()) columns.push_back(term.column);
  }
  return columns;
}

}  // namespace halfspace::model
