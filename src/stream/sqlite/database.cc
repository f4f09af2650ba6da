// Reads the rows of a table through SQLite's library, and formats them as CSV.
#include "stream/sqlite/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/source/pieces.h"
#include "stream/source/raw_file.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

using namespace std::string_view_literals;

constexpr int steps_between_looks = 1 << 16;  // of SQLite's machine, between checks of the interrupt flag

struct Closer {
  void operator()(sqlite3* database) const noexcept { sqlite3_close(database); }
  void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Closer>;

// Quotes a name for SQL.
std::string in_sql(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

class Database {
 public:
  explicit Database(const ReadOptions& options) : name_(shown_name(options.path)), interrupt_(options.interrupt) {
    // Makes the path absolute: SQLite gives a meaning to names such as :memory:.
    const std::string path = std::filesystem::absolute(options.path).string();
    sqlite3* opened = nullptr;
    const int result = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
    database_.reset(opened);
    if (result != SQLITE_OK) fail();
    // The schema of an untrusted file must not reach beyond it.
    sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    if (interrupt_ != nullptr) sqlite3_progress_handler(opened, steps_between_looks, is_interrupted, this);
    run("BEGIN");  // one snapshot of the rows for all passes
  }

  Statement prepare(const std::string& sql) const {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) fail();
    return Statement(statement);
  }

  // Moves to the next row; returns false at the end.
  bool step(sqlite3_stmt* statement) const {
    const int result = sqlite3_step(statement);
    if (result != SQLITE_ROW && result != SQLITE_DONE) fail();
    return result == SQLITE_ROW;
  }

  // Returns the names that a query of one column selects.
  std::vector<std::string> names(const std::string& sql) const {
    std::vector<std::string> all;
    const Statement statement = prepare(sql);
    while (step(statement.get())) all.emplace_back(text_of(statement.get(), 0));
    return all;
  }

  static std::string_view text_of(sqlite3_stmt* row, int column) {
    const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
    return {text == nullptr ? "" : text, static_cast<std::size_t>(sqlite3_column_bytes(row, column))};
  }

  const std::string& name() const noexcept { return name_; }

 private:
  static int is_interrupted(void* self) { return static_cast<const Database*>(self)->interrupt_->load() ? 1 : 0; }

  void run(const char* sql) const {
    if (sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  }

  [[noreturn]] void fail() const {
    const int code = sqlite3_errcode(database_.get()) & 0xff;
    const std::string reason = sqlite3_errmsg(database_.get());
    if (code == SQLITE_INTERRUPT) throw Interrupted(name_);
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED || code == SQLITE_CANTOPEN) {
      throw Error(ErrorKind::input_output, "SQLite cannot read the database now: " + reason)
          .at(name_)
          .fix("close the program that writes to it, or copy it: sqlite3 FILE '.backup NAME'");
    }
    throw Error(ErrorKind::data, "SQLite cannot read the database: " + reason)
        .at(name_)
        .fix("see what is wrong with it: sqlite3 FILE 'pragma integrity_check'");
  }

  std::string name_;
  const std::atomic<bool>* interrupt_;
  std::unique_ptr<sqlite3, Closer> database_;
};

std::string list_of_tables(const std::vector<std::string>& tables) {
  constexpr std::size_t most = 10;
  std::string list;
  for (std::size_t i = 0; i < std::min(most, tables.size()); ++i) list += (i == 0 ? "" : ", ") + quote(tables[i]);
  return list + (tables.size() > most ? " and more" : "");
}

// Returns what rows are selected from, quoted for SQL.
std::string chosen_table(const Database& database, std::string_view wanted) {
  const std::string of_users = " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";
  const std::vector<std::string> tables =
      database.names("SELECT name FROM sqlite_schema WHERE type = 'table'" + of_users);
  if (wanted.empty() && tables.size() == 1) return in_sql(tables.front()) + " NOT INDEXED";
  if (wanted.empty() && tables.empty())
    throw Error(ErrorKind::data, "no data rows: the database has no table").at(database.name());
  if (wanted.empty()) {
    throw Error(ErrorKind::usage, "the database has the tables " + list_of_tables(tables))
        .at(database.name())
        .fix("name one of them: " + option(table_option, tables.front()));
  }
  // Reads in storage order, whatever indices there are.
  if (std::find(tables.begin(), tables.end(), wanted) != tables.end()) return in_sql(wanted) + " NOT INDEXED";
  const std::vector<std::string> views =
      database.names("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name");
  if (std::find(views.begin(), views.end(), wanted) != views.end()) return in_sql(wanted);
  throw Error(ErrorKind::usage, "the database has no table or view " + quote(wanted))
      .at(database.name())
      .fix(tables.empty() ? "is it the right file?" : "its tables are " + list_of_tables(tables));
}

class TableRows final : public PieceSource {
 public:
  TableRows(const ReadOptions& options, std::string_view table)
      : database_(options),
        path_(options.path),
        statement_(database_.prepare("SELECT * FROM " + chosen_table(database_, table))) {
    rewind();
  }

  bool same_file(const std::string& path) const override {
    // Another open and close of the file would drop SQLite's locks.
    std::error_code ignored;
    return std::filesystem::equivalent(path, path_, ignored);
  }

 private:
  void begin() override {
    sqlite3_reset(statement_.get());
    finished_ = false;
    const int columns = sqlite3_column_count(statement_.get());
    for (int i = 0; i < columns; ++i) add_cell(i, csv_field(sqlite3_column_name(statement_.get(), i)));
    piece_ += '\n';
  }

  // Formats several rows at a time.
  bool make(std::string& piece) override {
    constexpr std::size_t enough = 1 << 16;
    const int columns = sqlite3_column_count(statement_.get());
    while (piece.size() < enough && !finished_) {
      finished_ = !database_.step(statement_.get());  // one more step would restart the query
      if (finished_) break;
      for (int i = 0; i < columns; ++i) add_cell(i, value(i, columns == 1));
      piece += '\n';
    }
    return !piece.empty();
  }

  void add_cell(int column, std::string_view cell) {
    if (column > 0) piece_ += ',';
    piece_ += cell;
  }

  // Formats a value as a cell. `alone`: an empty cell would make a blank line.
  std::string_view value(int column, bool alone) {
    sqlite3_stmt* const row = statement_.get();
    switch (sqlite3_column_type(row, column)) {
      case SQLITE_NULL:
        return alone ? "\"\""sv : ""sv;
      case SQLITE_INTEGER:
        cell_ = fmt::format("{}", sqlite3_column_int64(row, column));
        return cell_;
      case SQLITE_FLOAT:
        cell_ = fmt::format("{}", sqlite3_column_double(row, column));
        return cell_;
      case SQLITE_BLOB:
        cell_ = hexadecimal(row, column);
        return cell_;
    }
    cell_ = csv_field(Database::text_of(row, column));
    return cell_.empty() && alone ? "\"\""sv : std::string_view(cell_);
  }

  // Formats bytes as SQL does.
  static std::string hexadecimal(sqlite3_stmt* row, int column) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto* const bytes = static_cast<const unsigned char*>(sqlite3_column_blob(row, column));
    const int size = sqlite3_column_bytes(row, column);
    std::string text = "X'";
    for (int i = 0; i < size; ++i) {
      text += digits[bytes[i] / 16U];
      text += digits[bytes[i] % 16U];
    }
    return text + "'";
  }

  Database database_;
  std::string path_;
  Statement statement_;
  std::string cell_;
  bool finished_ = false;
};

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
  void begin_pass(const Schema& schema) override { csv_->begin_pass(schema); }
  void parse(std::string_view text, bool stop_at_bad, ParsedChunk& chunk) const override {
    csv_->parse(text, stop_at_bad, chunk);
  }
  void commit(ParsedChunk& chunk, Schema& schema) override { csv_->commit(chunk, schema); }
  bool final_after_parse(const ParsedChunk& chunk) const override { return csv_->final_after_parse(chunk); }

 private:
  std::unique_ptr<Format> csv_;
};

}  // namespace

bool recognise_sqlite(std::string_view first_bytes) { return first_bytes.starts_with("SQLite format 3\0"sv); }

std::unique_ptr<Source> open_table(const ReadOptions& options) {
  const auto given = options.of_format.find(std::string(table_option));
  return std::make_unique<TableRows>(options, given == options.of_format.end() ? std::string_view() : given->second);
}

std::unique_ptr<Format> make_sqlite(const ReadOptions& options) { return std::make_unique<SqliteTable>(options); }

}  // namespace halfspace::stream
