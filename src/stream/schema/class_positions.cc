// Reads samples of files as if they were one file.
#include "stream/schema/class_positions.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "base/retried.h"
#include "halfspace/base/error.h"
#include "halfspace/stream/row_source.h"
#include "halfspace/stream/table_text.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t kPlaces = 16, kPlace = 64 << 10;

class OpenFile {
 public:
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int descriptor() const noexcept { return descriptor_; }

  // Returns the file's size; 0 unless it is a regular file.
  std::uint64_t size() const {
    struct stat about {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &about) != 0 || !S_ISREG(about.st_mode)) return 0;
    return static_cast<std::uint64_t>(about.st_size);
  }
  std::string text(std::uint64_t offset, std::size_t size) const {
    std::string text(size, '\0');
    std::size_t got = 0;
    while (got < size) {
      const ssize_t more = retried(
          [&] { return ::pread(descriptor_, text.data() + got, size - got, static_cast<off_t>(offset + got)); });
      if (more <= 0) break;
      got += static_cast<std::size_t>(more);
    }
    text.resize(got);
    return text;
  }

 private:
  int descriptor_;
};

// Returns the complete lines of a piece; the first piece begins with a line.
std::string whole_lines(std::string piece, bool first) {
  piece.resize(piece.rfind('\n') + 1);
  if (!first) piece.erase(0, std::min(piece.find('\n'), piece.size() - 1) + 1);
  return piece;
}

struct Pieces {
  std::string text;
  std::vector<std::uint64_t> lines;  // of each piece
};

std::optional<Pieces> pieces_of(const std::string& path) {
  const OpenFile file(retried([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
  const std::uint64_t size = file.size(), apart = size / kPlaces;
  Pieces pieces;
  for (std::size_t p = 0; p < kPlaces; ++p) {
    const std::string piece = file.text(p * apart, std::min<std::uint64_t>(kPlace, apart));
    if (piece.find('\0') != std::string::npos || piece.find('\n') == std::string::npos) return std::nullopt;
    const std::string lines = whole_lines(piece, p == 0);
    pieces.lines.push_back(static_cast<std::uint64_t>(std::count(lines.begin(), lines.end(), '\n')));
    pieces.text += lines;
  }
  return pieces;
}

// Takes such pieces of a table's text.
std::optional<Pieces> pieces_of(const TableText& table) {
  Pieces pieces;
  for (std::uint64_t p = 0, next = 0; p < kPlaces; ++p) {
    std::string lines;
    if (p == 0) table.append_header(lines);
    next = table.append_rows(std::max(next, p * table.rows() / kPlaces), kPlace, lines);
    pieces.lines.push_back(static_cast<std::uint64_t>(std::count(lines.begin(), lines.end(), '\n')));
    pieces.text += lines;
  }
  return pieces;
}

}  // namespace

bool ClassesByPosition::differ() const {
  std::vector<std::uint64_t> of_class;
  std::uint64_t all = 0;
  for (const auto& place : rows_) {
    of_class.resize(std::max(of_class.size(), place.size()));
    for (std::size_t k = 0; k < place.size(); ++k) {
      of_class[k] += place[k];
      all += place[k];
    }
  }
  double chi_squared = 0, places = 0, classes = 0;
  for (const std::uint64_t rows : of_class) classes += rows > 0;
  for (const auto& place : rows_) {
    double rows = 0;
    for (const std::uint64_t count : place) rows += static_cast<double>(count);
    if (rows == 0) continue;
    places += 1;
    for (std::size_t k = 0; k < of_class.size(); ++k) {
      if (of_class[k] == 0) continue;
      const double expected = rows * static_cast<double>(of_class[k]) / static_cast<double>(all);
      const double seen = k < place.size() ? static_cast<double>(place[k]) : 0.0;
      chi_squared += (seen - expected) * (seen - expected) / expected;
    }
  }
  if (places < 2 || classes < 2) return false;
  const double excess = chi_squared / ((places - 1) * (classes - 1));
  const double rows_of_a_place = static_cast<double>(all) / places;
  return excess > 5 && (excess - 1) / (rows_of_a_place - 1) > 0.03;
}

ClassesByPosition::Extremes ClassesByPosition::extremes() const {
  Extremes found;
  std::size_t classes = 0;
  for (const auto& place : rows_) classes = std::max(classes, place.size());
  for (std::size_t k = 0; k < classes; ++k) {
    double least = 1, most = 0;
    for (const auto& place : rows_) {
      double rows = 0;
      for (const std::uint64_t count : place) rows += static_cast<double>(count);
      if (rows == 0) continue;
      const double share = (k < place.size() ? static_cast<double>(place[k]) : 0.0) / rows;
      least = std::min(least, share);
      most = std::max(most, share);
    }
    if (most - least > found.most - found.least) found = {k, least, most};
  }
  return found;
}

namespace {

// Counts classes in evenly spaced blocks of rows in memory.
ClassesByPosition classes_in_blocks(const RowSource& source, const Labels& labels) {
  const std::vector<std::string>& names = source.schema().labels.names;
  std::vector<std::vector<std::uint64_t>> rows(std::min(kPlaces, source.blocks()));
  SourceBuffer buffer;
  for (std::size_t place = 0; place < rows.size(); ++place) {
    rows[place].resize(labels.names.size());
    const Block block = source.block(place * source.blocks() / rows.size(), buffer);
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (block.label[i] < 0) continue;
      if (const auto label = labels.find(names[static_cast<std::size_t>(block.label[i])]))
        ++rows[place][static_cast<std::size_t>(*label)];
    }
  }
  return ClassesByPosition(std::move(rows));
}

}  // namespace

std::optional<ClassesByPosition> sample_classes(const ReadOptions& options) {
  if (options.rows != nullptr) return classes_in_blocks(*options.rows, options.schema->labels);
  if (options.path == "-" || !options.more.empty()) return std::nullopt;
  const std::optional<Pieces> pieces =
      options.table_text != nullptr ? pieces_of(*options.table_text) : pieces_of(options.path);
  if (!pieces) return std::nullopt;
  ReadOptions read = options;
  read.table_text = nullptr;
  read.on_error = OnError::skip;  // a piece may begin within a row of several lines
  read.threads = 1;
  std::vector<std::vector<std::uint64_t>> rows(kPlaces);
  std::size_t place = 0;
  std::uint64_t end = pieces->lines[0];
  try {
    Reader(read, pieces->text).read([&](const Block& block) {
      for (std::size_t i = 0; i < block.rows; ++i) {
        while (block.row[i] > end && place + 1 < kPlaces) end += pieces->lines[++place];
        const auto label = static_cast<std::size_t>(block.label[i]);
        if (label >= rows[place].size()) rows[place].resize(label + 1);
        ++rows[place][label];
      }
      return true;
    });
  } catch (const Error&) {
    return std::nullopt;
  }
  return ClassesByPosition(std::move(rows));
}

}  // namespace halfspace::stream
