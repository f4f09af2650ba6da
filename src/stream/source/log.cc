// Serves the rows of a learner's log as text.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <string>
#include <system_error>

#include "base/json.h"
#include "base/log/log_rows.h"
#include "base/whole_file.h"
#include "halfspace/base/error.h"
#include "halfspace/stream/read_options.h"
#include "stream/source/pieces.h"

namespace halfspace::stream {
namespace {

class LogSource final : public PieceSource {
 public:
  explicit LogSource(const std::string& path) : path_(path), rows_(path) {}

  std::string_view peek() override {
    constexpr std::size_t looked_at = 16;
    while (piece_.size() < looked_at && make(piece_)) continue;
    return std::string_view(piece_).substr(0, looked_at);
  }
  std::uint64_t done() const override { return done_; }
  std::uint64_t total() const override { return rows_.total(); }
  bool same_file(const std::string& path) const override { return path == path_; }

 private:
  void begin() override {
    done_ = 0;
    rows_.rewind();
  }
  bool make(std::string& piece) override {
    if (!rows_.next(piece)) return false;
    done_ = rows_.done();
    return true;
  }

  std::string path_;
  log::LogRows rows_;
  std::atomic<std::uint64_t> done_{0};
};

// Takes the options that are not given from the log, if it has them.
void take_options(const std::string& path, ReadOptions& options) {
  const std::string name = path + "/" + log::reading_name;
  std::error_code none;
  if (options.schema != nullptr || !std::filesystem::is_regular_file(name, none)) return;
  try {
    const Json json = Json::parse(whole_file(name, options.interrupt));
    const auto text = [&](const char* key) { return json.contains(key) ? json.at(key).text() : std::string(); };
    const auto take = [&](const char* key, auto& option, auto&& value) {
      if (!option && json.contains(key)) option = value;
    };
    const auto mark = [&](const char* key) { return text(key).empty() ? '\0' : text(key)[0]; };
    const auto texts = [&](const char* key) {
      std::vector<std::string> list;
      if (json.contains(key)) {
        for (const Json& each : json.at(key)) list.push_back(each.text());
      }
      return list;
    };
    TableOptions& table = options.table;
    ColumnOptions& columns = options.columns;
    if (options.format == DataFormat::automatic) options.format = format_named(text("format")).value_or(options.format);
    options.zero_based = options.zero_based || json.contains("zero-based");
    take("delimiter", table.delimiter, mark("delimiter"));
    take("decimal", table.decimal, mark("decimal"));
    take("thousands", table.thousands, mark("thousands"));
    take("quote", table.quote, value_named<Quote>(text("quote")).value_or(Quote::double_quote));
    take("comment", table.comment, text("comment"));
    if (table.missing.empty()) take("missing", table.missing_only, texts("missing"));
    if (columns.label.empty()) columns.label = text("label");
    if (columns.identifier.empty()) columns.identifier = text("id");
    if (columns.weight.empty()) columns.weight = text("weight");
    if (columns.drop.empty() && columns.numeric.empty() && columns.categorical.empty()) {
      columns.drop = texts("drop");
      columns.numeric = texts("numeric");
      columns.categorical = texts("categorical");
    }
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::data, "the file is damaged").at(name).fix("restore it from a copy, or remove it");
  }
}

}  // namespace

std::unique_ptr<Source> open_log(const std::string& path, ReadOptions& options) {
  take_options(path, options);
  return std::make_unique<LogSource>(path);
}

}  // namespace halfspace::stream
