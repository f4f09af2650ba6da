// What the formats of tables share: the uses of columns, and categories that get their numbers in file order.
//
// `Scratch` is what a chunk's parse leaves for commit: `names`, the cells' CellNames, and `new_label_rows`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stream/columns/cell_names.h"
#include "stream/columns/column_plan.h"
#include "stream/columns/logarithms.h"
#include "stream/formats/parser.h"

namespace halfspace::stream {

template <class Scratch>
class TableFormat : public Format {
 public:
  explicit TableFormat(const ReadOptions& options) : options_(options) {}

  std::vector<std::string> kept_names() const final {
    std::vector<std::string> names;
    for (const std::uint32_t field : plan_.kept) names.push_back(plan_.names[field]);
    return names;
  }
  void begin_pass(const Schema& schema) final {
    categories_.begin_pass(schema);
    logarithms_ = Logarithms(schema, false);
  }
  void commit(ParsedChunk& chunk, Schema& schema) override {
    if (final_after_parse(chunk)) return;
    const auto& scratch = chunk.scratch<Scratch>();
    categories_.commit(chunk, scratch.names, refuse_new_labels(chunk, scratch.new_label_rows, options_, schema),
                       options_, schema);
  }
  bool final_after_parse(const ParsedChunk& chunk) const final {
    return chunk.scratch<Scratch>().names.resolved() && chunk.new_labels.empty();
  }

 protected:
  // Ends the row whose values are there.
  void end_row(std::int32_t label, double weight, Scratch& scratch, ParsedChunk& chunk) const {
    logarithms_.add_to_row(chunk.rows);
    chunk.rows.end_row(label, chunk.data_rows, weight);
    scratch.names.end_row(chunk.rows);
  }

  ReadOptions options_;
  ColumnPlan plan_;
  CategoryNumbers categories_;  // of commit
  Logarithms logarithms_;
};

}  // namespace halfspace::stream
