// The Reader: opens text, files and rows in memory, and runs passes over them.
#include "halfspace/stream/reader.h"

#include <optional>
#include <utility>

#include "base/log/log_rows.h"
#include "halfspace/stream/row_source.h"
#include "stream/cache/cache.h"
#include "stream/formats/format_entry.h"
#include "stream/pipeline/rejects.h"
#include "stream/pipeline/transform.h"
#include "stream/reader/block_pass.h"
#include "stream/reader/text_rows.h"
#include "stream/source/file_list.h"
#include "stream/source/raw_file.h"
#include "stream/source/source.h"

namespace halfspace {
namespace {

using namespace stream;

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
  Impl(ReadOptions given, std::string_view content) : options(std::move(given)) {
    if (options.path.empty()) options.path = "<text>";
    open_text_or_file(open_memory(content));
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

  void open_text_or_file(std::unique_ptr<Source> source) {
    adopt_schema();
    if (options.on_error == OnError::skip && options.rejects == "-") {
      throw Error(ErrorKind::usage, "rejected rows go to a file").fix("name a file for them");
    }
    if (options.on_error == OnError::skip && !options.rejects.empty() && source->same_file(options.rejects)) {
      throw Error(ErrorKind::usage, "the file for rejected rows is the data itself")
          .at(options.rejects)
          .fix("name another file for them");
    }
    const FileKind* const kind = kind_of_file(*source, options.path, list != nullptr);
    if (!(kind != nullptr && kind->has_arrays) && !options.arrays.empty() && !source->peek().starts_with("PK")) {
      throw Error(ErrorKind::usage, "arrays are selected in an .npz, which this is not")
          .at(shown_name(options.path))
          .fix("leave out " + option("arrays"));
    }
    if (recognise_cache(source->peek())) {
      open_cache(*source);
    } else {
      text.emplace(options, schema, std::move(source), list, kind);
    }
    options.on_reject = [this, told = options.on_reject](const Error& error) {
      if (first_reject.empty()) first_reject = error.message();
      if (told) told(error);
    };
  }

  void open_cache(const Source& source) {
    if (list != nullptr) refuse_among_files("a cache", shown_name(options.path));
    if (!source.rewindable() || source.compression() != "none") {
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
    text->begin_pass();
    report = {};
    report.compression = text->source().compression();
    std::optional<Rejects> rejects;
    if (options.on_error == OnError::skip && !options.rejects.empty())
      rejects.emplace(options.rejects, options.interrupt);
    bool complete = false;
    try {
      complete = text->run(options, factors, rejects ? &*rejects : nullptr, report, consume);
    } catch (const Interrupted&) {  // the rows before it count, rejected ones too
      if (rejects) rejects->finish();
      throw;
    }
    if (rejects) rejects->finish();
    if (!complete) return;
    report.compression = text->source().compression();
    report.bytes = text->chunks().bytes();
    report.fingerprint = text->chunks().fingerprint();
    if (report.rows == 0 && options.parts.empty() && !(options.on_rows && report.rejected > 0)) {
      throw Error(ErrorKind::data, report.rejected == 0 ? std::string("no data rows")
                                                        : "no data rows: all " + std::to_string(report.rejected) +
                                                              " were rejected; the first: " + first_reject)
          .at(shown_name(options.path))
          .fix("check that it is the right file, in the right format");
    }
  }

  std::vector<FileRows> files() const {
    if (cache) return {{.path = options.path, .begin = 0, .end = cache->rows(), .cached = true}};
    if (!text) refuse_division(options.path);
    return text->files();
  }

  ReadOptions options;
  FileList* list = nullptr;  // the source, if there are several files
  Schema schema;
  std::optional<TextRows> text;
  std::shared_ptr<const RowSource> rows;  // instead of text
  std::shared_ptr<const Cache> cache;     // the rows, if they are a whole cache
  std::optional<BlockPass> block_pass;
  std::vector<double> factors;
  ReadReport report;
  std::string first_reject;  // reason
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
const std::vector<FormatGuess>& Reader::format_guesses() const {
  static const std::vector<FormatGuess> none;
  return impl_->text ? impl_->text->guesses() : none;
}
bool Reader::rewindable() const { return impl_->rows != nullptr || impl_->text->source().rewindable(); }
void Reader::read(const std::function<bool(const Block&)>& consume) { impl_->read(consume); }
std::vector<FileRows> Reader::files() const { return impl_->files(); }
std::vector<FileRows> Reader::files(const std::vector<std::string>& more) {
  if (!impl_->text) refuse_division(impl_->options.path);
  return impl_->text->more_files(more);
}
std::string Reader::before_rows() const { return impl_->text ? impl_->text->header() : std::string(); }
std::vector<std::string> Reader::kept() const {
  return impl_->text ? impl_->text->kept_names() : std::vector<std::string>();
}
Mapping Reader::mapping() const {
  if (!impl_->rows) return {};
  Mapping mapping = impl_->rows->mapping();
  mapping.owner = impl_->rows;
  return mapping;
}
const ReadReport& Reader::report() const { return impl_->report; }

}  // namespace halfspace
