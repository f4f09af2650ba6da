// A table of SQLite as a Format: that of its CSV text, with known marks.
#include "stream/sqlite/sqlite.h"

#include <utility>

#include "stream/parser.h"

namespace halfspace::stream {
namespace {

ReadOptions options_of_text(ReadOptions options) {
  options.table.delimiter = ',';
  options.table.decimal = '.';
  options.table.thousands = '\0';
  options.table.quote = Quote::double_quote;
  options.table.skip_lines = 0;
  options.table.comment = "";
  options.table.header = true;
  return options;
}

class SqliteTable final : public Format {
 public:
  explicit SqliteTable(const ReadOptions& options) : csv_(make_csv(options_of_text(options))) {}

  std::vector<std::string> kept_names() const override { return csv_->kept_names(); }
  void keep(std::span<const std::string_view> records, KeptTexts& kept) const override { csv_->keep(records, kept); }
  std::size_t infer_schema(std::string_view text, bool whole, const std::function<std::string_view()>& more,
                           Schema& schema) override {
    const std::size_t header = csv_->infer_schema(text, whole, more, schema);
    schema.format = sqlite_format;
    return header;
  }
  std::size_t split(std::string_view text) const override { return csv_->split(text); }
  void parse(std::string_view text, bool stop_at_bad, ParsedChunk& chunk) const override {
    csv_->parse(text, stop_at_bad, chunk);
  }
  void commit(ParsedChunk& chunk, Schema& schema) override { csv_->commit(chunk, schema); }
  bool final_after_parse(const ParsedChunk& chunk) const override { return csv_->final_after_parse(chunk); }

 private:
  std::unique_ptr<Format> csv_;
};

}  // namespace

std::unique_ptr<Format> make_sqlite(const ReadOptions& options) {
  return std::make_unique<SqliteTable>(options);
}

}  // namespace halfspace::stream
