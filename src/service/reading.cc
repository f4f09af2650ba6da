// Names the options.
#include "service/reading.h"

#include "base/json.h"

namespace halfspace::service {

std::string reading_of(const Schema& schema) {
  using Kind = Column::Kind;
  Json j = {{"format", std::string(name_of(schema.format))}};
  if (schema.format == DataFormat::libsvm && schema.zero_based) j["zero-based"] = true;
  const bool table = schema.format == DataFormat::csv;
  if (table) {
    const auto mark = [](char c) { return c == '\0' ? std::string() : std::string(1, c); };
    j["delimiter"] = mark(schema.delimiter);
    j["decimal"] = mark(schema.decimal);
    j["thousands"] = mark(schema.thousands);
    j["quote"] = std::string(name_of(schema.quote));
    j["comment"] = schema.comment;
    j["missing"] = Json::array();
    for (const std::string& text : schema.missing) j["missing"].push_back(text);
    for (const char* const list : {"drop", "numeric", "categorical"}) j[list] = Json::array();
  }
  for (const Column& column : schema.columns) {
    if (column.kind == Kind::label) j["label"] = column.name;
    if (column.kind == Kind::identifier) j["id"] = column.name;
    if (column.kind == Kind::weight) j["weight"] = column.name;
    if (table && column.kind == Kind::dropped) j["drop"].push_back(column.name);
    if (table && column.kind == Kind::numeric) j["numeric"].push_back(column.name);
    if (table && column.kind == Kind::categorical) j["categorical"].push_back(column.name);
  }
  return j.dump() + "\n";
}

}  // namespace halfspace::service
