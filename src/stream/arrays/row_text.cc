// Writes rows in memory as text, digit for digit.
#include "stream/arrays/row_text.h"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "base/atomic_file.h"
#include "stream/arrays/blocks.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

bool is_table(const Schema& schema) { return schema.header && !schema.columns.empty(); }

void refuse_label(const std::string& label) {
  if (label.empty() || stream::label_of_libsvm(label)) return;  // empty: of a class without rows
  throw Error(ErrorKind::usage, "a row of LIBSVM text cannot have the label " + stream::quote(label))
      .fix("give a name without blanks, : and #");
}

template <class Row>
void write_row(std::string& text, const Row& x, const std::string& label, const Schema& schema) {
  const auto to = std::back_inserter(text);
  if (is_table(schema)) {
    std::uint32_t k = 0;
    for (const Column& column : schema.columns) {
      if (&column != &schema.columns.front()) text += ',';
      if (column.kind == Column::Kind::label) {
        text += stream::csv_field(label);
      } else {
        fmt::format_to(to, "{}", x.value_at(k++));
      }
    }
  } else {
    text += label;
    for (std::uint32_t k = 0; k < x.size; ++k) {
      if (x.value_at(k) != 0) fmt::format_to(to, " {}:{}", std::uint64_t{x.index[k]} + 1, x.value_at(k));
    }
  }
  text += '\n';
}

}  // namespace

void write_text(const RowSource& source, const std::string& path) {
  const Schema& schema = source.schema();
  const std::vector<std::string>& names = schema.labels.names;
  if (!source.labelled())
    throw Error(ErrorKind::usage, "the rows have no labels").at(source.name()).fix("give their classes");
  std::string text;
  if (is_table(schema)) {
    for (const Column& column : schema.columns) text += (text.empty() ? "" : ",") + stream::csv_field(column.name);
    text += '\n';
  } else {
    for (const std::string& name : names) refuse_label(name);
  }
  AtomicFile file(path, nullptr);
  SourceBuffer buffer;
  for (std::size_t i = 0; i < source.blocks(); ++i) {
    const Block block = source.block(i, buffer);
    for (std::size_t r = 0; r < block.rows; ++r) {
      const std::string& label = names[static_cast<std::size_t>(block.label[r])];
      block.with_example(r, [&](const auto& x) { write_row(text, x, label, schema); });
    }
    file.write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    text.clear();
  }
  file.commit();
}

namespace stream {

ReadOptions read_text_of(const RowSource& source, const std::string& path, ReadOptions options) {
  options.rows = nullptr;
  options.path = path;
  if (!is_table(source.schema())) {
    options.format = DataFormat::libsvm;
    options.zero_based = false;
    return options;
  }
  options.format = DataFormat::csv;
  options.table.delimiter = ',';
  options.table.header = true;
  for (const Column& column : source.schema().columns) {
    if (column.kind == Column::Kind::label) {
      options.columns.label = column.name;
    } else {
      options.columns.numeric.push_back(column.name);
    }
  }
  return options;
}

}  // namespace stream
}  // namespace halfspace
