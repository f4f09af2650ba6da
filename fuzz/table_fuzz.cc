// Any text as a table: refused with its place, or cells that are the same again when the table is written with every
// cell in quotes.

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/csv/table.h"

namespace {

using namespace halfspace;

using Cells = std::vector<std::string>;

void demand(bool holds) {
  if (!holds) std::abort();
}

class File {
 public:
  explicit File(std::string_view text)
      : path((std::filesystem::temp_directory_path() / "halfspace-table-XXXXXX").string()) {
    const int file = mkstemp(path.data());
    demand(file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    close(file);
  }
  ~File() { unlink(path.c_str()); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  std::string path;
};

void look_at_cells(const stream::TableReader& reader) {
  for (std::size_t column = 0; column < reader.columns().size(); ++column) {
    double value = 0;
    const bool number = reader.is_number(column, value);
    demand(!(number && reader.missing(column)));
    try {
      demand(reader.number(column) == value && number);
    } catch (const Error& error) {
      demand(!number && error.kind() == ErrorKind::data && error.line() > reader.row() && error.column() > 0);
    }
  }
}

// The header and the records, or nothing when the text is refused.
std::optional<std::vector<Cells>> read(std::string_view text) {
  const File file(text);
  try {
    TableFileOptions options;
    options.path = file.path;
    options.table.header = true;
    options.table.delimiter = ',';
    stream::TableReader reader(options);
    std::vector<Cells> table{reader.columns()};
    while (reader.next()) {
      demand(reader.row() == table.size());
      look_at_cells(reader);
      Cells& cells = table.emplace_back();
      for (std::size_t column = 0; column < reader.columns().size(); ++column) cells.push_back(reader.text(column));
    }
    return table;
  } catch (const Error& error) {
    demand(error.kind() == ErrorKind::data && !error.hint().empty());
    return {};
  }
}

std::string written(const std::vector<Cells>& table) {
  std::string text;
  for (const Cells& cells : table) {
    char before = 0;
    for (const std::string& cell : cells) {
      if (before != 0) text += before;
      text += '"';
      for (const char c : cell) text.append(c == '"' ? 2 : 1, c);
      text += '"';
      before = ',';
    }
    text += '\n';
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto table = read({reinterpret_cast<const char*>(data), size});
  if (!table) return 0;
  const auto reread = read(written(*table));
  // Bytes that no text holds may make a file of another kind of it, quoted or not.
  const bool text = std::none_of(data, data + size, [](std::uint8_t byte) { return byte < '\t'; });
  demand(reread ? *reread == *table : !text);
  return 0;
}
