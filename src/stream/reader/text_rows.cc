// Opens text and binary files, infers schemas, and finds where the rows of files begin.
#include "stream/reader/text_rows.h"

#include <algorithm>
#include <utility>

#include "halfspace/base/error.h"
#include "stream/cache/cache.h"
#include "stream/columns/text_cells.h"
#include "stream/foreign/foreign.h"
#include "stream/formats/given_options.h"
#include "stream/formats/recognise.h"
#include "stream/pipeline/pipeline.h"
#include "stream/source/raw_file.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

// Limits the text for schema inference: one row may be megabytes long.
constexpr std::size_t most_survey_text = std::size_t{64} << 20;

void refuse_other_program(std::string_view text, const std::string& file, bool format_named) {
  if (const FileKind* const kind = recognise_file(text); kind != nullptr && !kind->elsewhere.empty())
    throw Error(ErrorKind::data, std::string(kind->elsewhere)).at(file).fix(std::string(kind->elsewhere_fix));
  refuse_foreign(text, file, format_named);
}

// A byte order mark of another file would be a part of a value.
void note_marks_between(const ReadOptions& options, std::string_view text) {
  const std::size_t end = text.find("\n" + std::string(byte_order_mark));
  if (end == std::string_view::npos || !options.on_note) return;
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n') + 2;
  options.on_note(
      {"line " + std::to_string(line) + " begins with the byte order mark of another file", without_byte_order_marks});
}

// Returns the text after the lines before a table and the comments that the options or the model define: there the
// format shows.
std::string_view behind_other_lines(const ReadOptions& options, const Schema& schema, std::string_view text) {
  const auto is_comment = [&](std::string_view line) {
    const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size() - 1);
    return options.table.comment.value_or(schema.comment).find(line[first]) != std::string::npos;
  };
  for (std::uint64_t lines = 0; !text.empty(); ++lines) {
    if (lines >= options.table.skip_lines.value_or(schema.skip_lines) && !is_comment(text)) break;
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  }
  return text;
}

// Returns the first bytes of a file that hold its header, as `size` measures it.
std::uint64_t header_of(Source& file, const std::function<std::optional<std::size_t>(std::string_view, bool)>& size) {
  std::string text;
  for (std::size_t target = std::size_t{16} << 10;; target *= 2) {
    bool whole = false;
    for (std::size_t got = text.size(); !whole && got < target;) {
      text.resize(target);
      const std::size_t more = file.read(text.data() + got, target - got);
      whole = more == 0;
      got += more;
      text.resize(got);
    }
    const std::size_t mark = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    const auto bytes = size(std::string_view(text).substr(mark), whole || target > most_survey_text);
    if (bytes) return mark + *bytes;
  }
}

}  // namespace

const FileKind* kind_of_file(Source& source, const std::string& path, bool several) {
  for (const FormatEntry& entry : all_formats()) {
    for (const FileKind& kind : entry.files) {
      const bool is =
          kind.lies_there == nullptr ? kind.recognise(source.peek()) : !several && kind.lies_there(source, path);
      if (is) return &kind;
    }
  }
  return nullptr;
}

void refuse_among_files(std::string_view what, const std::string& file) {
  throw Error(ErrorKind::usage, "is " + std::string(what) + ", which cannot be combined with other files")
      .at(file)
      .fix("give it by itself, or only the text files");
}

void refuse_division(const std::string& path) {
  throw Error(ErrorKind::usage, "only a cache, and lines of text in regular files, can be divided into shards")
      .at(shown_name(path))
      .fix("write the rows as lines of CSV, JSON Lines, LIBSVM or VW text");
}

TextRows::TextRows(const ReadOptions& options, Schema& schema, std::unique_ptr<Source> source, FileList* list,
                   const FileKind* kind)
    : options_(options), schema_(schema), list_(list), source_(std::move(source)) {
  if (kind != nullptr) {
    open_records(*kind);
  } else {
    open_text();
  }
  try {
    infer_schema();
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    throw placed(error);
  }
  count_documents();
}

// Examines the beginning of a further file. Its look matters only if the first file's format was detected.
std::optional<std::size_t> TextRows::accept(const Format& first, std::string_view text, bool whole,
                                            const std::string& file) const {
  if (recognise_cache(text)) refuse_among_files("a cache", file);
  if (const FileKind* const kind = recognise_file(text)) refuse_among_files(kind->words, file);
  refuse_foreign(text, file, true);
  const std::string_view table = behind_other_lines(options_, schema_, text);
  const bool guessed = options_.format == DataFormat::automatic && !options_.table.delimiter;
  if (guessed && table.find_first_not_of(" \t\r\n") != std::string_view::npos) {
    refuse_foreign(table, file, false);
    if (const auto other = recognise_other(table, read_as_, schema_.delimiter)) {
      throw Error(ErrorKind::data, *other + ", and " + shown_name(options_.path) + " is " + format_words(read_as_) +
                                       ": files read as one stream need one format")
          .at(file)
          .fix("read it by itself, or name the format of all with " + option("format"));
    }
  }
  return first.header_of_file(text, whole, file);
}

// Inference counts lines over all files.
Error TextRows::placed(const Error& error) const {
  if (list_ == nullptr || error.line() == 0 || error.file() != shown_name(options_.path)) return error;
  const auto [file, line] = list_->place(error.line());
  return Error(error).at(file, line, error.column());
}

// Opens a binary file of records.
void TextRows::open_records(const FileKind& kind) {
  const ExpectedFormat expected(options_, schema_);
  const std::string file = shown_name(options_.path);
  if (list_ != nullptr) refuse_among_files(kind.words, file);
  const auto check = [&](DataFormat found, std::string_view words) {
    if (!expected.allows(found)) expected.refuse(file, "is " + std::string(words));
    refuse_options(options_, entry_of(found));
  };
  // Runs before companion files are opened.
  if (kind.format != DataFormat::automatic) check(kind.format, kind.words);
  Records records = kind.open(options_, std::move(source_));
  if (kind.format == DataFormat::automatic) check(records.format, records.words);
  of_bytes_ = true;
  source_ = std::move(records.source);
  format_ = std::move(records.parser);
  chunks_.emplace(*source_, options_.block_bytes, std::max(options_.line_limit, records.record_bytes), false);
}

void TextRows::open_text() {
  const ExpectedFormat expected(options_, schema_);
  DataFormat wanted = expected.format_of_text();
  const std::string file = shown_name(options_.path);
  chunks_.emplace(*source_, options_.block_bytes, options_.line_limit, true);
  bool whole = false;
  const std::string_view text = chunks_->head(options_.inference_rows + 1, most_survey_text, whole);
  if (wanted != DataFormat::automatic && entry_of(wanted).make == nullptr) {
    // Neither images nor arrays, which are expected.
    refuse_other_program(text, file, false);
    expected.refuse(file, recognise_other(text, expected.format(), ',').value_or("is empty"));
  }
  if (text.empty() && options_.parts.empty()) {
    throw Error(ErrorKind::data, "no data rows: the file is empty").at(file).fix("check that it is the right file");
  }
  if (wanted == DataFormat::automatic && options_.table.delimiter) wanted = format_that_takes(about_marks).id;
  if (const FileKind* const kind = recognise_file(text); list_ != nullptr && kind != nullptr)
    refuse_among_files(kind->words, file);
  const std::string_view table = behind_other_lines(options_, schema_, text);
  const bool format_named = wanted != DataFormat::automatic && !expected.of_model();
  refuse_other_program(text, file, format_named || table.size() < text.size());
  refuse_foreign(table, file, format_named);
  expected.check_text(file, table);
  note_marks_between(options_, text);
  if (wanted == DataFormat::automatic) {
    guesses_ = guess_formats(text);
    if (!entry_of(guesses_.front().format).declares_itself && table.size() < text.size())
      guesses_ =
          table.empty() ? std::vector{FormatGuess{format_that_takes(about_marks).id, 0, {}}} : guess_formats(table);
    refuse_unclear(guesses_, table, file);
    wanted = guesses_.front().format;
    if (const auto check = entry_of(wanted).check_look) check(file, table);
  }
  read_as_ = wanted;
  const FormatEntry& found = entry_of(wanted);
  refuse_options(options_, found);
  format_ = found.make(options_);
  if (list_ == nullptr) return;
  format_->begin_files(first_of_file(whole), whole, schema_);
  list_->join(
      [this](std::string_view next, bool all, const std::string& name) { return accept(*format_, next, all, name); });
}

// Returns the first rows, and all that precedes them.
std::string_view TextRows::first_of_file(bool& whole) {
  std::string_view text = chunks_->head(options_.inference_rows + 1, most_survey_text, whole);
  for (std::uint64_t lines = 0; !whole && text.size() < most_survey_text && format_->lines_before_rows(text) > lines;) {
    lines = format_->lines_before_rows(text);
    text = chunks_->head(lines + options_.inference_rows + 1, most_survey_text, whole);
  }
  if (whole) return text;
  std::size_t records = format_->split(text);
  // Binary bytes may look like line ends, so their number is meaningless.
  while (of_bytes_ && records == 0 && !whole && text.size() < most_survey_text) {
    text = chunks_->head(~std::uint64_t{0}, 2 * text.size(), whole);
    records = format_->split(text);
  }
  return records != 0 && !whole ? text.substr(0, records) : text;
}

void TextRows::infer_schema() {
  bool whole = false;
  std::string_view text = first_of_file(whole);
  TextBuffer buffer;
  bool left_head = false;
  const auto more = [&]() -> std::string_view {
    if (!left_head) chunks_->skip(text.size());
    left_head = true;
    if (options_.progress) options_.progress(0, source_->total());
    return chunks_->next(*format_, buffer) ? buffer.view() : std::string_view();
  };
  header_bytes_ =
      format_->infer_schema(text, whole, source_->rewindable() ? more : std::function<std::string_view()>(), schema_);
  if (left_head) {
    chunks_->rewind();
    bool ignored = false;
    text = chunks_->head(~std::uint64_t{0}, header_bytes_ + 3, ignored);
  }
  header_ = text.substr(0, header_bytes_);
  header_lines_ = static_cast<std::uint64_t>(
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(header_bytes_), '\n'));
  chunks_->skip(header_bytes_);
}

// Counts the tf-idf factors before the first row is delivered. Bad rows do not count, and are reported later.
void TextRows::count_documents() {
  if (options_.schema != nullptr || !DocumentCounts::asked_for(schema_)) return;
  if (!source_->rewindable()) {
    throw Error(ErrorKind::usage,
                "tf-idf needs the number of rows with each token before training, and a pipe can be read only once")
        .at(shown_name(options_.path))
        .fix("save it to a file first, or let " + option("text-values") + " be counts or binary");
  }
  ReadOptions quiet = options_;
  quiet.on_error = OnError::skip;
  quiet.labels.stop_at_late = false;
  quiet.on_rows = nullptr;
  quiet.on_reject = nullptr;
  quiet.progress = nullptr;
  DocumentCounts counts;
  begin_pass();
  const std::vector<double> no_factors;
  ReadReport unread;
  run(quiet, no_factors, nullptr, unread, [&](const Block& block) {
    counts.add(block);
    return true;
  });
  counts.finish(schema_);
}

void TextRows::begin_pass() {
  if (passes_++ == 0) return;
  if (!source_->rewindable()) {
    throw Error(ErrorKind::usage, "cannot be read a second time: it is a pipe")
        .at(shown_name(options_.path))
        .fix("save it to a file first");
  }
  go_to_first_row();
}

void TextRows::go_to_first_row() {
  chunks_->rewind();
  bool whole = false;
  chunks_->head(~std::uint64_t{0}, header_bytes_ + 3, whole);
  chunks_->skip(header_bytes_);
}

bool TextRows::run(const ReadOptions& options, const std::vector<double>& class_factors, Rejects* rejects,
                   ReadReport& report, const std::function<bool(const Block&)>& consume) {
  return run_pass({options, *source_, *chunks_, *format_, schema_, class_factors, rejects, header_lines_, report},
                  consume);
}

void TextRows::check_division() const {
  if (of_bytes_ || !source_->rewindable() || options_.table_text != nullptr || !options_.parts.empty())
    refuse_division(options_.path);
}

FileRows TextRows::rows_of(const std::string& path,
                           const std::function<std::optional<std::size_t>(std::string_view, bool)>& size) const {
  const auto file = open_source(path, options_.interrupt);
  FileRows found{path, 0, file->total(), file->compression() != "none"};
  found.begin = header_of(*file, size);
  if (!found.compressed) found.begin = std::min(found.begin, found.end);
  return found;
}

std::vector<FileRows> TextRows::files() const {
  check_division();
  std::vector<FileRows> found;
  const std::vector<std::string> paths = list_ != nullptr ? list_->paths() : std::vector<std::string>{options_.path};
  for (const std::string& path : paths) {
    const bool first = found.empty();
    found.push_back(rows_of(path, [&](std::string_view text, bool whole) {
      return first ? std::optional<std::size_t>(header_.size()) : accept(*format_, text, whole, path);
    }));
  }
  return found;
}

std::vector<FileRows> TextRows::more_files(const std::vector<std::string>& paths) {
  check_division();
  chunks_->rewind();
  bool all = false;
  const std::string_view beginning = first_of_file(all);
  const std::unique_ptr<Format> first = entry_of(read_as_).make(options_);
  first->begin_files(beginning, all, schema_);
  std::vector<FileRows> found;
  found.reserve(paths.size());
  for (const std::string& path : paths) {
    found.push_back(
        rows_of(path, [&](std::string_view text, bool whole) { return accept(*first, text, whole, path); }));
  }
  go_to_first_row();
  return found;
}

}  // namespace halfspace::stream
