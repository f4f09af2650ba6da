// Reads CSV text through the Format interface as the pipeline does, in chunks of any size, and keeps every row.
#pragma once

#include "stream/formats/parser.h"
#include "stream/stream_support.h"

namespace halfspace::stream {

struct CsvRow {
  std::uint64_t row = 0, line = 0;  // 0-based in the whole text; a header line is counted, a header row is not
  std::int32_t label = 0;
  double weight = 1;
  std::vector<std::pair<std::uint32_t, double>> values;
  bool operator==(const CsvRow&) const = default;
};

struct CsvBad {
  std::uint64_t row = 0, line = 0, column = 0;
  std::string reason, hint, text;
  bool operator==(const CsvBad&) const = default;
  bool operator<(const CsvBad& other) const { return row < other.row; }
};

struct CsvResult {
  Schema schema;
  std::vector<CsvRow> rows;
  std::set<CsvBad> bad;
  std::uint64_t unknown_features = 0, lines = 0, data_rows = 0;
  bool dense = true;  // every block was
  bool operator==(const CsvResult& other) const {
    return schema == other.schema && rows == other.rows && bad == other.bad &&
           unknown_features == other.unknown_features && lines == other.lines && data_rows == other.data_rows;
  }
};

inline void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

// Throws std::logic_error where an invariant of parser.h or of Block is broken.
inline void read_chunk(Format& format, std::string_view text, ParsedChunk& chunk, CsvResult& result) {
  chunk.clear();
  chunk.text = text;
  format.parse(text, false, chunk);
  if (!format.final_after_parse(chunk)) format.commit(chunk, result.schema);
  std::set<std::uint64_t> bad;
  for (const BadRow& row : chunk.bad) {
    require(row.line < chunk.lines && row.row < chunk.data_rows, "a bad row lies in its chunk");
    require(bad.insert(row.row).second, "a row is bad once");
    require(row.column <= row.text.size() + 1, "the column points into the text");
    require(!row.reason.empty() && !row.hint.empty(), "a bad row has a reason and a hint");
    result.bad.insert(
        {result.data_rows + row.row, result.lines + row.line, row.column, row.reason, row.hint, row.text});
  }
  const auto numbers = chunk.rows.row_numbers();
  require(chunk.line_of_row.size() == chunk.rows.rows(), "every good row has its line");
  // The pipeline takes the rows out that turned bad when they committed.
  BlockBuffer rows;
  const Block all = chunk.rows.finish();
  for (std::size_t i = 0; i < all.rows; ++i) {
    if (bad.contains(numbers[i])) continue;
    rows.append(all, i);
    CsvRow row{result.data_rows + numbers[i], result.lines + chunk.line_of_row[i], 0, 1, {}};
    all.with_example(i, [&](const auto& x) {
      row.label = x.label;
      row.weight = x.weight;
      for (std::uint32_t k = 0; k < x.size; ++k) row.values.emplace_back(x.index[k], x.value_at(k));
    });
    std::set<std::uint32_t> indices;
    for (const auto& [index, value] : row.values) {
      require(index < result.schema.features, "every index is a feature");
      require(indices.insert(index).second, "the indices of a row are distinct");
      require(value - value == 0, "every value is finite");
    }
    require(row.weight >= 0 && row.weight - row.weight == 0, "every weight is finite and >= 0");
    require(row.label < static_cast<std::int32_t>(result.schema.labels.names.size()), "every label is a class");
    result.rows.push_back(std::move(row));
  }
  require(chunk.rows.rows() + chunk.bad.size() >= chunk.data_rows, "no row is lost");
  result.dense = result.dense && (rows.rows() == 0 || rows.finish().dense);
  result.unknown_features += chunk.unknown_features;
  result.lines += chunk.lines;
  result.data_rows += chunk.data_rows;
}

// The first whole records of the text, read `chunk_bytes` bytes at a time.
inline std::string_view next_records(const Format& format, std::string_view text, std::size_t chunk_bytes) {
  for (std::size_t length = chunk_bytes; length < text.size(); length += chunk_bytes) {
    const std::size_t size = format.split(text.substr(0, length));
    if (size != 0) return text.substr(0, size);
  }
  return text;
}

// `chunk_bytes`: how many bytes are read at a time. `pipe`: nothing can be looked at beyond the first text.
inline CsvResult read_csv(const std::string& text, ReadOptions options, std::size_t chunk_bytes = std::size_t{1} << 20,
                          bool pipe = false, std::size_t first = ~std::size_t{0}) {
  if (options.path.empty()) options.path = "data.csv";
  const std::unique_ptr<Format> format = make_csv(options);
  const std::string_view all = text;
  const std::size_t seen = first < all.size() ? format->split(all.substr(0, first)) : all.size();
  const std::string_view start = all.substr(0, seen == 0 ? all.size() : seen);
  std::size_t scanned = start.size();
  const auto more = [&]() -> std::string_view {
    const std::string_view next = next_records(*format, all.substr(scanned), chunk_bytes);
    scanned += next.size();
    return next;
  };
  CsvResult result;
  if (options.schema != nullptr) result.schema = *options.schema;
  const std::size_t header = format->infer_schema(start, start.size() == all.size(),
                                                  pipe ? std::function<std::string_view()>() : more, result.schema);
  format->begin_pass(result.schema);
  for (const char c : all.substr(0, header)) result.lines += c == '\n' ? 1 : 0;
  ParsedChunk chunk;
  std::string_view rest = all.substr(header);
  while (!rest.empty()) {
    const std::string_view records = next_records(*format, rest, chunk_bytes);
    read_chunk(*format, records, chunk, result);
    rest.remove_prefix(records.size());
  }
  return result;
}

// The error of text that cannot be read.
inline Error csv_error(const std::string& text, const ReadOptions& options = {}) {
  return testing_stream::error_from([&] { read_csv(text, options); });
}

}  // namespace halfspace::stream
