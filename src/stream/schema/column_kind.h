// What a column is called in results: its use, as flags name it. Thread-safety: pure.
#pragma once

#include <string_view>

#include "halfspace/detail/base/names.h"
#include "halfspace/stream/schema.h"
#include "stream/formats/format_entry.h"

template <>
struct halfspace::NamesOf<halfspace::Column::Kind> {
  using Kind = Column::Kind;
  static constexpr Name<Kind> table[] = {{Kind::numeric, "numeric", ""}, {Kind::categorical, "categorical", ""},
                                         {Kind::label, "label", ""},     {Kind::identifier, "identifier", ""},
                                         {Kind::weight, "weight", ""},   {Kind::dropped, "dropped", ""},
                                         {Kind::text, "text", ""},       {Kind::product, "product", ""},
                                         {Kind::date, "date", ""}};
};

namespace halfspace::stream {

inline std::string_view kind_name(const Schema& schema, const Column& column) {
  const FormatEntry& format = entry_of(schema.format);
  if (format.columns == ColumnsAre::namespaces) return column.name == "|" ? "other namespaces" : "namespace";
  if (format.rest_in_last_column && column.name.empty()) return "other members";
  return column.is_logarithm() ? "logarithm" : name_of(column.kind);
}

}  // namespace halfspace::stream
