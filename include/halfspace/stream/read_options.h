// What a Reader (reader.h) reads, and how. By default the format, the columns and the classes are inferred from the
// first rows, or come from the schema of a model.
//
//   ReadOptions options;
//   options.path = "credit.csv";
//   options.columns.identifier = "applicant";
//   options.labels.positive = "bad";
//   options.table.delimiter = ';';
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/stream/schema.h"

namespace halfspace {

class RowSource;
class TableText;

enum class OnError : std::uint8_t { stop, skip };

// An assumption made when data were opened, and the option that overrides it.
struct ReadNote {
  std::string text, fix;
  bool on_label = false;  // the label column hardly looks like classes; may be reported again after all rows
  bool grave = false;     // the model is useless; else a hint
};

// A data row as text, good or bad.
struct RowText {
  std::uint64_t row = 0;                     // number, as in Block::row
  std::string_view file{};                   // name, as in errors; empty for a cache
  std::uint64_t line = 0;                    // first line in the file, 1-based; 0 for a cache, which has no lines
  std::uint64_t column = 0;                  // first bad byte of the row, 1-based; 0: the whole row
  std::string_view reason{};                 // why the row is bad; empty for a good one
  std::span<const std::string_view> kept{};  // texts of the columns in Reader::kept(); may be empty for a bad row
};

// How delimited text (CSV) is split into cells, and which cells are missing values. An option that is not given has
// the value of the model's data; without a model, the one that its comment names.
struct TableOptions {
  // The character that delimits cells; a space means runs of blanks. Without a model, or if the model's does not fit:
  // inferred from the first lines.
  std::optional<char> delimiter{};
  // The decimal mark, '.' or ','; without a model '.'. If the comma also delimits cells, numbers with one are quoted.
  std::optional<char> decimal{};
  // The mark between groups of three digits, as in 1,234.5: a comma, point, space or apostrophe; NUL: no mark, the
  // default without a model.
  std::optional<char> thousands{};
  std::optional<Quote> quote{};  // without a model: double quotes
  // The number of lines before the table in each file; errors still count them. Without a model: 0. If given, the first
  // lines are not checked for text that precedes a table.
  std::optional<std::uint64_t> skip_lines{};
  // A line whose first non-blank byte is one of these is a comment. Without a model: no line is.
  std::optional<std::string> comment{};
  std::optional<bool> header{};  // whether the first line names the columns; none: inferred from the lines below it
  // More texts, matched exactly, that mean a missing value, as the empty cell and default_missing() do; `missing_only`
  // replaces default_missing(). In the label column the - of default_missing() is a class. A model brings its own texts.
  std::vector<std::string> missing{};
  std::optional<std::vector<std::string>> missing_only{};
};

// The logarithm of a numeric column, as a feature beside it (Column).
struct LogarithmOf {
  std::string column{};
  double least = 0, unit = 1;
  bool operator==(const LogarithmOf&) const = default;
};

// What the columns of CSV, ARFF, JSON Lines, SQLite and .npy are for. A column is named by its header or its 1-based
// position, a member of JSON by its dotted name.
struct ColumnOptions {
  // Empty: the column named label, class, target or y (in any case), else the last one; JSON members have no last one.
  std::string label{};
  std::string identifier{}, weight{};  // empty: none
  std::vector<std::string> drop{}, categorical{}, numeric{};
  // Text columns: each token is a feature, and so is each run of up to `ngrams` adjacent tokens. tf-idf takes a pass
  // over all rows when the Reader is made, and is rejected for a pipe. A model brings its own `ngrams`, `text_values`
  // and `text_tokens`.
  std::vector<std::string> text{};
  std::optional<std::uint32_t> ngrams{};  // 1 to 16; none: 1
  std::optional<TextValues> text_values{};
  std::optional<TextTokens> text_tokens{};
  // Date columns of CSV and SQLite, and the order of day, month and year; none: inferred from the first rows. A model
  // brings its own.
  std::vector<std::string> dates{};
  std::optional<DateOrder> date_order{};
  // Pairs `age:size` whose products are features, too: of numeric and categorical columns of CSV and SQLite, or of
  // Vowpal Wabbit's namespaces (each feature of one with each of the other), which may be three. `|u` stands for all
  // namespaces that begin with u. A model brings its own.
  std::vector<std::string> interactions{};
  // Logarithms of numeric columns of tables, which the plan chooses. A model brings its own.
  std::vector<LogarithmOf> logarithms{};
  // Vowpal Wabbit: namespaces without features, and, if not empty, those that alone have some; by name or as `|u`. A
  // model brings its own.
  std::vector<std::string> ignore{}, only{};
  // Hashes names to 2^hash features (HashedNames), 1 to 30 bits, and keeps the first `hash_names` of them (none: 10,000); none:
  // each name has a feature of its own. A model brings its own.
  std::optional<std::uint32_t> hash{};
  std::optional<std::uint64_t> hash_names{};
  // Columns whose texts ReadOptions::on_rows receives, whatever else they are for; a model need not know them. Of
  // Vowpal Wabbit's text only "tag"; of .npy none.
  std::vector<std::string> keep{};
};

// Which classes there are, and how labels are checked. Without `classes` or a model, classes are inferred from the
// first ReadOptions::inference_rows good rows, or those in the first 64 MiB. A file, unlike a pipe, is scanned further
// while only one class has been seen, and to its end with `scan_all`. A label outside these classes is bad input.
struct LabelOptions {
  std::string positive{};  // empty: the larger number, the later name
  // All classes, at least two: nothing is inferred, so one of them may come late in a pipe, or never.
  std::vector<std::string> classes{};
  // Accepts each value as a class. Otherwise, and without `classes`, a label column is Error(data) if it has more than
  // 100 values that look like quantities (numbers, amounts, dates, times of day), or a new value in every other row;
  // fewer are noted.
  bool any_value = false;
  bool scan_all = false;  // scans the whole file for classes, as more than two are wanted
  // Throws LateLabel, whatever on_error is, at a label in a file that is not among the classes: the caller can start
  // again with scan_all.
  bool stop_at_late = false;
  bool ignore = false;                 // ignores labels and weights, which may be absent: for prediction
  bool ignore_weights = false;         // ignores weights alone, which may be absent
  bool weights_may_be_absent = false;  // of a model's column of weights: then every row has weight 1
  std::vector<std::pair<std::string, double>> class_weights{};  // class name, factor
  bool balanced = false;  // class_weights are still to be made of the frequencies: balance_classes() of train.h
};

// The rows of a file whose first byte is in [begin, end), or of a cache those whose number is, from 0. The text of
// compressed files counts, not their bytes.
struct FilePart {
  std::string path{};
  std::uint64_t begin = 0, end = 0;
  bool cached = false;
};

struct ReadOptions {
  std::string path{};                     // "-": standard input
  std::vector<std::string> more{};        // files that follow, all as one stream
  std::vector<FilePart> parts{};          // instead of the path: parts of files, which may lack rows, or of a cache,
  std::string before_parts{};             // and the text before the rows of the first file: Reader::files()
  const RowSource* rows = nullptr;        // instead of the path: rows in memory (row_source.h); must outlive the Reader
  const TableText* table_text = nullptr;  // instead of the path: set by TableText::read()
  DataFormat format = DataFormat::automatic;
  unsigned threads = 0;               // 0: as many as the process may run at once
  std::size_t block_bytes = 1 << 19;  // text per block; results do not depend on it
  std::size_t line_limit = 64 << 20;  // a longer line is bad input
  OnError on_error = OnError::stop;
  std::string rejects{};  // with skip: the CSV file for bad rows: file,line,column,reason,text

  std::function<void(const Error&)> on_reject{};   // with skip: receives each error that `stop` would have thrown
  std::function<void(const ReadNote&)> on_note{};  // called while the Reader is made

  bool zero_based = false;  // LIBSVM: indices begin at 0
  TableOptions table{};
  ColumnOptions columns{};
  LabelOptions labels{};
  std::uint64_t inference_rows = 10'000;  // rows from which columns and classes are inferred

  // Options of a single format, by name, such as {{"table", "customers"}}.
  std::map<std::string, std::string> of_format{};
  // .npz: the array of rows, and, if present, the array of labels. Empty: chosen by name.
  std::vector<std::string> arrays{};

  bool row_normalised = false;
  bool single = false;

  // The columns, categories and classes of a model or a resumed run. With `grow`, a new category or LIBSVM index is
  // added; otherwise it is ignored and counted, as its weight is zero. Data without one of the schema's columns are
  // Error(data). Null: the schema is learned. Must live until the Reader is made.
  const Schema* schema = nullptr;
  bool grow = true;

  // Receives all rows of a block, good and bad, in file order, after `consume` has had the good ones, if any. Bad rows
  // end the pass or are among the rows, as on_error decides. The texts are valid during the call.
  std::function<void(std::span<const RowText> rows)> on_rows{};

  // Bytes of the source read so far, and in all (0: unknown, a pipe).
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};

  // When set, ends a wait for a pipe, a terminal or anything else but a regular file: the Reader delivers the complete
  // rows read so far, then throws Interrupted. Not owned.
  const std::atomic<bool>* interrupt = nullptr;
};

}  // namespace halfspace
