// The Reader: opens data, detects formats, infers schemas and runs passes.
#include "halfspace/stream/reader.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/log/log_rows.h"
#include "halfspace/stream/row_source.h"
#include "stream/cache/cache.h"
#include "stream/columns/text_cells.h"
#include "stream/foreign/foreign.h"
#include "stream/formats/format_entry.h"
#include "stream/formats/given_options.h"
#include "stream/formats/parser.h"
#include "stream/formats/recognise.h"
#include "stream/pipeline/chunks.h"
#include "stream/pipeline/pipeline.h"
#include "stream/pipeline/rejects.h"
#include "stream/pipeline/transform.h"
#include "stream/reader/block_pass.h"
#include "stream/source/file_list.h"
#include "stream/source/raw_file.h"
#include "stream/source/source.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

using namespace stream;

// Limits the text for schema inference: one row may be megabytes long.
constexpr std::size_t most_survey_text = std::size_t{64} << 20;

std::unique_ptr<Source> open_files(ReadOptions& options, FileList*& list) {
  if (options.table_text != nullptr) return open_table(*options.table_text);
  if (!options.parts.empty()) {
    options.path = options.parts.front().path;
    return std::make_unique<FileParts>(options.parts, options.before_parts, options.interrupt);
  }
  if (options.more.empty() && log::is_log(options.path)) return open_log(options.path, options);
  if (options.more.empty()) return open_source(options.path, options.interrupt);
  std::vector<std::string> paths = {options.path};
  paths.insert(paths.end(), options.more.begin(), options.more.end());
  auto files = std::make_unique<FileList>(paths, options.on_note, options.interrupt);
  options.path = files->first();
  list = files.get();
  return files;
}

// Counts the features of the table of hashed names that rows have. Memory: a bit a feature.
class HashedInUse {
 public:
  explicit HashedInUse(const Schema& schema)
      : first_(schema.first_hashed()), bits_(((std::size_t{1} << schema.hashed.bits) + 63) / 64) {}

  void add(const Block& block) {
    for (std::size_t i = 0; i < block.rows; ++i) {
      block.with_example(i, [&](const auto& x) {
        for (std::uint32_t k = 0; k < x.size; ++k) {
          if (x.index[k] >= first_) add(x.index[k] - first_);
        }
      });
    }
  }
  std::uint64_t count() const noexcept { return count_; }

 private:
  void add(std::uint32_t feature) {
    std::uint64_t& bits = bits_[feature / 64];
    const std::uint64_t bit = std::uint64_t{1} << feature % 64;
    count_ += (bits & bit) == 0 ? 1 : 0;
    bits |= bit;
  }

  std::uint32_t first_;
  std::vector<std::uint64_t> bits_;
  std::uint64_t count_ = 0;
};

}  // namespace

struct Reader::Impl {
  explicit Impl(ReadOptions given) : options(std::move(given)) {
    if (options.rows != nullptr) {
      open_rows(std::shared_ptr<const RowSource>(options.rows, [](const RowSource*) {}), nullptr);
    } else if (!options.parts.empty() && options.parts.front().cached) {
      open_parts_of_cache();
    } else {
      open_text_or_file(open_files(options, list));
    }
    factors = class_factors(options, schema.labels);
  }
  Impl(ReadOptions given, std::string_view text) : options(std::move(given)) {
    if (options.path.empty()) options.path = "<text>";
    open_text_or_file(open_memory(text));
    factors = class_factors(options, schema.labels);
  }

  void adopt_schema() {
    if (options.schema != nullptr) schema = *options.schema;
    schema.row_normalised = options.row_normalised || schema.row_normalised;
    schema.single = options.single || schema.single;
  }

  // Opens a source of blocks. `before`: the report of reading its text, if there was any.
  void open_rows(std::shared_ptr<const RowSource> given, const ReadReport* before) {
    if (!options.more.empty()) {
      throw Error(ErrorKind::usage, "rows in memory cannot be combined with files").fix("read them separately");
    }
    rows = std::move(given);
    options.path = rows->name();
    adopt_schema();
    block_pass.emplace(*rows, before, options, schema);
  }

  void open_text_or_file(std::unique_ptr<Source> given) {
    source = std::move(given);
    adopt_schema();
    if (options.on_error == OnError::skip && options.rejects == "-") {
      throw Error(ErrorKind::usage, "rejected rows go to a file").fix("name a file for them");
    }
    if (options.on_error == OnError::skip && !options.rejects.empty() && source->same_file(options.rejects)) {
      throw Error(ErrorKind::usage, "the file for rejected rows is the data itself")
          .at(options.rejects)
          .fix("name another file for them");
    }
    const FileKind* const kind = file_kind();
    if (!(kind != nullptr && kind->has_arrays) && !options.arrays.empty() && !source->peek().starts_with("PK")) {
      throw Error(ErrorKind::usage, "arrays are selected in an .npz, which this is not")
          .at(shown_name(options.path))
          .fix("leave out " + option("arrays"));
    }
    if (recognise_cache(source->peek())) {
      open_cache();
    } else {
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
    options.on_reject = [this, told = options.on_reject](const Error& error) {
      if (first_reject.empty()) first_reject = error.message();
      if (told) told(error);
    };
  }

  // Inference counts lines over all files.
  Error placed(const Error& error) const {
    if (list == nullptr || error.line() == 0 || error.file() != shown_name(options.path)) return error;
    const auto [file, line] = list->place(error.line());
    return Error(error).at(file, line, error.column());
  }

  [[noreturn]] static void refuse_among_files(std::string_view what, const std::string& file) {
    throw Error(ErrorKind::usage, "is " + std::string(what) + ", which cannot be combined with other files")
        .at(file)
        .fix("give it by itself, or only the text files");
  }

  // Examines the beginning of a further file. Its look matters only if the first file's format was detected.
  std::optional<std::size_t> accept(const Format& first, std::string_view text, bool whole,
                                    const std::string& file) const {
    if (recognise_cache(text)) refuse_among_files("a cache", file);
    if (const FileKind* const kind = recognise_file(text)) refuse_among_files(kind->words, file);
    refuse_foreign(text, file, true);
    const std::string_view table = behind_other_lines(text);
    const bool guessed = options.format == DataFormat::automatic && !options.table.delimiter;
    if (guessed && table.find_first_not_of(" \t\r\n") != std::string_view::npos) {
      refuse_foreign(table, file, false);
      if (const auto other = recognise_other(table, read_as, schema.delimiter)) {
        throw Error(ErrorKind::data, *other + ", and " + shown_name(options.path) + " is " + format_words(read_as) +
                                         ": files read as one stream need one format")
            .at(file)
            .fix("read it by itself, or name the format of all with " + option("format"));
      }
    }
    return first.header_of_file(text, whole, file);
  }

  void open_cache() {
    if (list != nullptr) refuse_among_files("a cache", shown_name(options.path));
    if (!source->rewindable() || source->compression() != "none") {
      throw Error(ErrorKind::data, "a cache is memory-mapped: it must be an uncompressed regular file")
          .at(shown_name(options.path))
          .fix("give the uncompressed file");
    }
    if (options.format != DataFormat::automatic) {
      throw Error(ErrorKind::usage, "a cache stores its own format")
          .at(options.path)
          .fix("leave " + option("format") + " out");
    }
    cache = std::make_shared<const Cache>(options.path);
    open_rows(cache, &cache->report());
  }

  void open_parts_of_cache() {
    const std::string& path = options.parts.front().path;
    if (options.on_rows) {
      throw Error(ErrorKind::usage, "parts of a cache do not tell which rows it lacks")
          .at(path)
          .fix("read the whole cache");
    }
    const auto parts = std::make_shared<const CacheParts>(std::make_shared<const Cache>(path), options.parts);
    open_rows(parts, &parts->report());
  }

  // Returns the kind of a binary file; null for text, including unsupported text.
  const FileKind* file_kind() const {
    for (const FormatEntry& entry : all_formats()) {
      for (const FileKind& kind : entry.files) {
        const bool is = kind.lies_there == nullptr ? kind.recognise(source->peek())
                                                   : list == nullptr && kind.lies_there(*source, options.path);
        if (is) return &kind;
      }
    }
    return nullptr;
  }

  // Opens a binary file of records.
  void open_records(const FileKind& kind) {
    const ExpectedFormat expected(options, schema);
    const std::string file = shown_name(options.path);
    if (list != nullptr) refuse_among_files(kind.words, file);
    const auto check = [&](DataFormat found, std::string_view words) {
      if (!expected.allows(found)) expected.refuse(file, "is " + std::string(words));
      refuse_options(options, entry_of(found));
    };
    // Runs before companion files are opened.
    if (kind.format != DataFormat::automatic) check(kind.format, kind.words);
    Records records = kind.open(options, std::move(source));
    if (kind.format == DataFormat::automatic) check(records.format, records.words);
    of_bytes = true;
    source = std::move(records.source);
    format = std::move(records.parser);
    chunks.emplace(*source, options.block_bytes, std::max(options.line_limit, records.record_bytes), false);
  }

  void open_text() {
    const ExpectedFormat expected(options, schema);
    DataFormat wanted = expected.format_of_text();
    const std::string file = shown_name(options.path);
    if (wanted != DataFormat::automatic && entry_of(wanted).make == nullptr) refuse_no_records(expected, file);
    chunks.emplace(*source, options.block_bytes, options.line_limit, true);
    bool whole = false;
    const std::string_view text = chunks->head(options.inference_rows + 1, most_survey_text, whole);
    if (text.empty() && options.parts.empty()) {
      throw Error(ErrorKind::data, "no data rows: the file is empty").at(file).fix("check that it is the right file");
    }
    if (wanted == DataFormat::automatic && options.table.delimiter) wanted = format_that_takes(about_marks).id;
    if (const FileKind* const kind = recognise_file(text); list != nullptr && kind != nullptr)
      refuse_among_files(kind->words, file);
    const std::string_view table = behind_other_lines(text);
    const bool format_named = wanted != DataFormat::automatic && !expected.of_model();
    refuse_other_program(text, file, format_named || table.size() < text.size());
    refuse_foreign(table, file, format_named);
    expected.check_text(file, table);
    note_marks_between(text);
    if (wanted == DataFormat::automatic) {
      guesses = guess_formats(text);
      if (!entry_of(guesses.front().format).declares_itself && table.size() < text.size())
        guesses =
            table.empty() ? std::vector{FormatGuess{format_that_takes(about_marks).id, 0, {}}} : guess_formats(table);
      refuse_unclear(guesses, table, file);
      wanted = guesses.front().format;
      if (const auto check = entry_of(wanted).check_look) check(file, table);
    }
    read_as = wanted;
    const FormatEntry& found = entry_of(wanted);
    refuse_options(options, found);
    format = found.make(options);
    if (list == nullptr) return;
    format->begin_files(first_of_file(whole), whole, schema);
    list->join(
        [this](std::string_view next, bool all, const std::string& name) { return accept(*format, next, all, name); });
  }

  // A byte order mark of another file would be a part of a value.
  void note_marks_between(std::string_view text) const {
    const std::size_t end = text.find("\n" + std::string(byte_order_mark));
    if (end == std::string_view::npos || !options.on_note) return;
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n') + 2;
    options.on_note({"line " + std::to_string(line) + " begins with the byte order mark of another file",
                     without_byte_order_marks});
  }

  // Rejects what is neither images nor arrays, if those are expected.
  [[noreturn]] void refuse_no_records(const ExpectedFormat& expected, const std::string& file) {
    chunks.emplace(*source, options.block_bytes, options.line_limit, true);
    bool whole = false;
    const std::string_view text = chunks->head(options.inference_rows + 1, most_survey_text, whole);
    refuse_other_program(text, file, false);
    expected.refuse(file, recognise_other(text, expected.format(), ',').value_or("is empty"));
  }

  // Returns the text after the lines before a table and the comments that the options or the model define: there the
  // format shows.
  std::string_view behind_other_lines(std::string_view text) const {
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

  // Returns the first rows, and all that precedes them.
  std::string_view first_of_file(bool& whole) {
    std::string_view text = chunks->head(options.inference_rows + 1, most_survey_text, whole);
    for (std::uint64_t lines = 0;
         !whole && text.size() < most_survey_text && format->lines_before_rows(text) > lines;) {
      lines = format->lines_before_rows(text);
      text = chunks->head(lines + options.inference_rows + 1, most_survey_text, whole);
    }
    if (whole) return text;
    std::size_t records = format->split(text);
    // Binary bytes may look like line ends, so their number is meaningless.
    while (of_bytes && records == 0 && !whole && text.size() < most_survey_text) {
      text = chunks->head(~std::uint64_t{0}, 2 * text.size(), whole);
      records = format->split(text);
    }
    return records != 0 && !whole ? text.substr(0, records) : text;
  }

  static void refuse_other_program(std::string_view text, const std::string& file, bool format_named) {
    if (const FileKind* const kind = recognise_file(text); kind != nullptr && !kind->elsewhere.empty())
      throw Error(ErrorKind::data, std::string(kind->elsewhere)).at(file).fix(std::string(kind->elsewhere_fix));
    refuse_foreign(text, file, format_named);
  }

  void infer_schema() {
    bool whole = false;
    std::string_view text = first_of_file(whole);
    TextBuffer buffer;
    bool left_head = false;
    const auto more = [&]() -> std::string_view {
      if (!left_head) chunks->skip(text.size());
      left_head = true;
      if (options.progress) options.progress(0, source->total());
      return chunks->next(*format, buffer) ? buffer.view() : std::string_view();
    };
    header_bytes =
        format->infer_schema(text, whole, source->rewindable() ? more : std::function<std::string_view()>(), schema);
    if (left_head) {
      chunks->rewind();
      bool ignored = false;
      text = chunks->head(~std::uint64_t{0}, header_bytes + 3, ignored);
    }
    header = text.substr(0, header_bytes);
    header_lines = static_cast<std::uint64_t>(
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(header_bytes), '\n'));
    chunks->skip(header_bytes);
  }

  // Counts the tf-idf factors before the first row is delivered. Bad rows do not count, and are reported later.
  void count_documents() {
    if (options.schema != nullptr || !DocumentCounts::asked_for(schema)) return;
    if (!source->rewindable()) {
      throw Error(ErrorKind::usage,
                  "tf-idf needs the number of rows with each token before training, and a pipe can be read only once")
          .at(shown_name(options.path))
          .fix("save it to a file first, or let " + option("text-values") + " be counts or binary");
    }
    ReadOptions quiet = options;
    quiet.on_error = OnError::skip;
    quiet.labels.stop_at_late = false;
    quiet.on_rows = nullptr;
    quiet.on_reject = nullptr;
    quiet.progress = nullptr;
    DocumentCounts counts;
    begin_pass();
    const std::vector<double> no_factors;
    ReadReport unread;
    run_pass({quiet, *source, *chunks, *format, schema, no_factors, nullptr, header_lines, unread},
             [&](const Block& block) {
               counts.add(block);
               return true;
             });
    counts.finish(schema);
  }

  void begin_pass() {
    if (passes++ == 0) return;
    if (!source->rewindable()) {
      throw Error(ErrorKind::usage, "cannot be read a second time: it is a pipe")
          .at(shown_name(options.path))
          .fix("save it to a file first");
    }
    go_to_first_row();
  }

  void go_to_first_row() {
    chunks->rewind();
    bool whole = false;
    chunks->head(~std::uint64_t{0}, header_bytes + 3, whole);
    chunks->skip(header_bytes);
  }

  void read(const std::function<bool(const Block&)>& consume) {
    if (schema.hashed.bits == 0) return read_rows(consume);
    HashedInUse in_use(schema);
    read_rows([&](const Block& block) {
      in_use.add(block);
      report.hashed_in_use = in_use.count();
      return consume(block);
    });
  }

  void read_rows(const std::function<bool(const Block&)>& consume) {
    if (block_pass) {
      report = {};
      block_pass->run(factors, &report, consume);
      return;
    }
    begin_pass();
    report = {};
    report.compression = source->compression();
    std::optional<Rejects> rejects;
    if (options.on_error == OnError::skip && !options.rejects.empty())
      rejects.emplace(options.rejects, options.interrupt);
    const auto pass = [&] {
      return run_pass(
          {options, *source, *chunks, *format, schema, factors, rejects ? &*rejects : nullptr, header_lines, report},
          consume);
    };
    bool complete = false;
    try {
      complete = pass();
    } catch (const Interrupted&) {  // the rows before it count, rejected ones too
      if (rejects) rejects->finish();
      throw;
    }
    if (rejects) rejects->finish();
    if (!complete) return;
    report.compression = source->compression();
    report.bytes = chunks->bytes();
    report.fingerprint = chunks->fingerprint();
    if (report.rows == 0 && options.parts.empty() && !(options.on_rows && report.rejected > 0)) {
      throw Error(ErrorKind::data, report.rejected == 0 ? std::string("no data rows")
                                                        : "no data rows: all " + std::to_string(report.rejected) +
                                                              " were rejected; the first: " + first_reject)
          .at(shown_name(options.path))
          .fix("check that it is the right file, in the right format");
    }
  }

  // Returns the first bytes of a file that hold its header, as `size` measures it.
  static std::uint64_t header_of(Source& file,
                                 const std::function<std::optional<std::size_t>(std::string_view, bool)>& size) {
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

  void refuse_to_divide() const {
    if (!format || of_bytes || !source->rewindable() || options.table_text != nullptr || !options.parts.empty()) {
      throw Error(ErrorKind::usage, "only a cache, and lines of text in regular files, can be divided into shards")
          .at(shown_name(options.path))
          .fix("write the rows as lines of CSV, JSON Lines, LIBSVM or VW text");
    }
  }

  FileRows rows_of(const std::string& path,
                   const std::function<std::optional<std::size_t>(std::string_view, bool)>& size) const {
    const auto file = open_source(path, options.interrupt);
    FileRows found{path, 0, file->total(), file->compression() != "none"};
    found.begin = header_of(*file, size);
    if (!found.compressed) found.begin = std::min(found.begin, found.end);
    return found;
  }

  std::vector<FileRows> files() const {
    if (cache) return {{.path = options.path, .begin = 0, .end = cache->rows(), .cached = true}};
    refuse_to_divide();
    std::vector<FileRows> files;
    const std::vector<std::string> paths = list != nullptr ? list->paths() : std::vector<std::string>{options.path};
    for (const std::string& path : paths) {
      const bool first = files.empty();
      files.push_back(rows_of(path, [&](std::string_view text, bool whole) {
        return first ? std::optional<std::size_t>(header.size()) : accept(*format, text, whole, path);
      }));
    }
    return files;
  }

  std::vector<FileRows> more_files(const std::vector<std::string>& paths) {
    refuse_to_divide();
    chunks->rewind();
    bool all = false;
    const std::string_view beginning = first_of_file(all);
    const std::unique_ptr<Format> first = entry_of(read_as).make(options);
    first->begin_files(beginning, all, schema);
    std::vector<FileRows> files;
    files.reserve(paths.size());
    for (const std::string& path : paths) {
      files.push_back(
          rows_of(path, [&](std::string_view text, bool whole) { return accept(*first, text, whole, path); }));
    }
    go_to_first_row();
    return files;
  }

  ReadOptions options;
  FileList* list = nullptr;  // the source, if there are several files
  std::unique_ptr<Source> source;
  Schema schema;
  std::unique_ptr<Format> format;
  std::optional<Chunks> chunks;
  std::vector<FormatGuess> guesses;
  bool of_bytes = false;                       // binary records, not lines
  DataFormat read_as = DataFormat::automatic;  // of text
  std::shared_ptr<const RowSource> rows;       // instead of source and format
  std::shared_ptr<const Cache> cache;          // the rows, if they are a whole cache
  std::optional<BlockPass> block_pass;
  std::uint64_t header_bytes = 0, header_lines = 0;
  std::string header;  // the text before the rows of the first file
  std::vector<double> factors;
  ReadReport report;
  std::string first_reject;  // reason
  std::uint64_t passes = 0;
};

std::vector<std::string> files_beside(const std::string& path) {
  std::vector<std::string> beside;
  for (const FormatEntry& entry : all_formats()) {
    if (entry.files_beside == nullptr) continue;
    for (std::string& file : entry.files_beside(path)) beside.push_back(std::move(file));
  }
  return beside;
}

Reader::Reader(ReadOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Reader::Reader(ReadOptions options, std::string_view text) : impl_(std::make_unique<Impl>(std::move(options), text)) {}
Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;

const Schema& Reader::schema() const { return impl_->schema; }
const std::vector<FormatGuess>& Reader::format_guesses() const { return impl_->guesses; }
bool Reader::rewindable() const { return impl_->rows != nullptr || impl_->source->rewindable(); }
void Reader::read(const std::function<bool(const Block&)>& consume) { impl_->read(consume); }
std::vector<FileRows> Reader::files() const { return impl_->files(); }
std::vector<FileRows> Reader::files(const std::vector<std::string>& more) { return impl_->more_files(more); }
std::string Reader::before_rows() const { return impl_->header; }
std::vector<std::string> Reader::kept() const {
  return impl_->format ? impl_->format->kept_names() : std::vector<std::string>();
}
Mapping Reader::mapping() const {
  if (!impl_->rows) return {};
  Mapping mapping = impl_->rows->mapping();
  mapping.owner = impl_->rows;
  return mapping;
}
const ReadReport& Reader::report() const { return impl_->report; }

}  // namespace halfspace
