// Counts whole numbers with leading zeros, and reports them.
#include "stream/columns/leading_zeros.h"

#include "halfspace/base/error.h"
#include "stream/text/text.h"

namespace halfspace::stream {

void LeadingZeros::add(std::size_t column, std::string_view text) {
  constexpr std::size_t shortest = 3;
  Codes& its = columns_[column];
  if (its.others) return;
  its.others = text.find_first_not_of("0123456789") != std::string_view::npos;
  if (its.others) return;
  if (its.rows++ == 0) {
    its.first = text;
    its.width = text.size();
  }
  its.differ = its.differ || text != its.first;
  if (its.width != text.size()) its.width = 0;
  if (text.size() >= shortest && text.front() == '0' && its.padded++ == 0) its.example = text;
}

void LeadingZeros::note(const ReadOptions& options, const Schema& schema) const {
  constexpr std::uint64_t fewest = 2;
  constexpr std::size_t most_named = 50;
  if (!options.on_note) return;
  std::string names, example;
  std::size_t count = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const Codes& its = columns_[i];
    if (its.others || !its.differ || its.padded < fewest || (its.width == 0 && its.padded * 10 < its.rows)) continue;
    if (schema.columns[i].kind != Column::Kind::numeric || ++count > most_named) continue;
    const std::string& name = schema.columns[i].name;
    names += (count == 1 ? "" : ",") + (name.find(',') == std::string::npos ? name : std::to_string(i + 1));
    if (count == 1) example = quote(its.example) + " in column " + quote(name);
  }
  if (count == 0) return;
  options.on_note({"whole numbers with leading zeros may be codes, and are read as numbers: " + example +
                       (count == 1 ? "" : " and so on, " + std::to_string(count) + " columns"),
                   option("categorical", names) + " reads codes as categories; " + option("numeric", names) +
                       " confirms that they are numbers"});
}

}  // namespace halfspace::stream
