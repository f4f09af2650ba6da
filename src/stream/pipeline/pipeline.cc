// One pass: cut (serial), parse (parallel), commit and consume (serial, in file order).
#include "stream/pipeline/pipeline.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/parallel.h"
#include "halfspace/base/error.h"
#include "stream/formats/format_entry.h"
#include "stream/pipeline/ordered_pipeline.h"
#include "stream/pipeline/transform.h"
#include "stream/source/raw_file.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t most_threads = 256;  // more would only wait for the cutting thread

struct Chunk {
  TextBuffer text;
  std::uint64_t done = 0;      // bytes of the source read when the chunk was cut
  Source::Part part;           // the text's part
  std::exception_ptr failure;  // the source or the parse failed here
  ParsedChunk parsed;
  Block block;
  RowTexts texts;  // when asked for
  std::uint64_t nonzeros = 0;
};

class Run final : private Stages {
 public:
  Run(const Pass& pass, const std::function<bool(const Block&)>& consume)
      : pass_(pass),
        consume_(consume),
        stop_at_bad_(pass.options.on_error == OnError::stop),
        transforms_{pass.schema.exponents, pass.schema.row_normalised, pass.schema.single,
                    entry_of(pass.schema.format).lines},
        file_(pass.chunks.part().file),
        name_(shown_name(pass.options.path)),
        lines_(pass.chunks.part().counts_lines ? 0 : pass.lines_before) {
    pass.report.class_rows.assign(pass.schema.labels.names.size(), 0);
  }

  bool operator()() {
    const std::size_t wanted = pass_.options.threads == 0 ? processors() : pass_.options.threads;
    const std::size_t threads = std::clamp(wanted, std::size_t{1}, most_threads);
    chunks_.resize(2 * threads + 1);
    return run_stages(*this, threads, chunks_.size());
  }

 private:
  Cut cut(std::size_t place) noexcept override {
    Chunk& chunk = chunks_[place];
    chunk.failure = nullptr;
    try {
      if (!pass_.chunks.next(pass_.format, chunk.text)) return Cut::nothing;
    } catch (...) {
      chunk.failure = std::current_exception();
    }
    chunk.done = pass_.source.done();
    chunk.part = pass_.chunks.part();
    return chunk.failure || pass_.chunks.exhausted() ? Cut::last : Cut::more;
  }

  void parse(std::size_t place) noexcept override {
    Chunk& chunk = chunks_[place];
    chunk.parsed.clear();
    if (chunk.failure) return;
    try {
      chunk.parsed.text = chunk.text.view();
      pass_.format.parse(chunk.parsed.text, stop_at_bad_, chunk.parsed);
      if (pass_.options.on_rows) chunk.texts.collect(chunk.parsed, pass_.format);
      if (pass_.format.final_after_parse(chunk.parsed)) prepare(chunk);
    } catch (...) {
      chunk.failure = std::current_exception();
    }
  }

  // Builds a block from rows with final numbers.
  void prepare(Chunk& chunk) const {
    chunk.block = finish_rows(transforms_, pass_.class_factors, stop_at_bad_, chunk.parsed);
    chunk.nonzeros = chunk.block.stored() - chunk.parsed.rows.zeros();
  }

  bool deliver(std::size_t place) override {
    Chunk& chunk = chunks_[place];
    if (chunk.failure) std::rethrow_exception(chunk.failure);
    if (chunk.part.file != file_) begin_file(chunk.part);
    part_ = chunk.part;
    commit(chunk);
    const bool stopped = chunk.block.rows != 0 && !consume_(chunk.block);
    if (!stopped) {
      if (pass_.options.on_rows)
        chunk.texts.give(chunk.parsed.bad, stop_at_bad_, {name_, rows_, lines_ + lines_of_file()},
                         pass_.options.on_rows);
      report_bad(chunk.parsed);
      lines_ += chunk.parsed.lines;
      rows_ += chunk.parsed.data_rows;
    }
    if (pass_.options.progress) pass_.options.progress(chunk.done, pass_.source.total());
    return !stopped;
  }

  void begin_file(const Source::Part& part) {
    file_ = part.file;
    name_ = *part.file;
    lines_ = part.lines_before;
  }

  void commit(Chunk& chunk) {
    ParsedChunk& parsed = chunk.parsed;
    if (!pass_.format.final_after_parse(parsed)) {
      pass_.format.commit(parsed, pass_.schema);
      prepare(chunk);
    }
    if (parsed.late_label && pass_.options.labels.stop_at_late && pass_.options.labels.classes.empty() &&
        pass_.source.rewindable()) {
      throw LateLabel("the label " + quote(*parsed.late_label) + " is not among those of the first rows", name_);
    }
    for (std::uint64_t& row : parsed.rows.row_numbers()) row += rows_ + 1;
    pass_.schema.features = std::max(pass_.schema.features, chunk.block.features);

    ReadReport& report = pass_.report;
    report.rows += chunk.block.rows;
    report.stored += chunk.block.stored();
    report.nonzeros += chunk.nonzeros;
    report.unknown_features += parsed.unknown_features;
    report.bytes += chunk.text.size();
    report.class_rows.resize(std::max(report.class_rows.size(), pass_.schema.labels.names.size()));
    for (const std::int32_t label : parsed.rows.labels()) {
      if (label >= 0) ++report.class_rows[static_cast<std::size_t>(label)];
    }
  }

  // Returns the lines of the file before its part, which are counted when they are first needed.
  std::uint64_t lines_of_file() {
    if (!part_.counts_lines) return 0;
    if (counted_ != part_.file) {
      lines_before_part_ = pass_.source.lines_before(part_);
      counted_ = part_.file;
    }
    return lines_before_part_;
  }

  void report_bad(const ParsedChunk& parsed) {
    for (const BadRow& bad : parsed.bad) {
      const std::uint64_t line = lines_of_file() + lines_ + bad.line + 1;
      if (stop_at_bad_) {
        throw Error(ErrorKind::data, bad.reason)
            .at(name_, line, bad.column)
            .showing(bad.text)
            .fix(bad.hint)
            .note(option("on-error", "skip") + " skips such rows");
      }
      ++pass_.report.rejected;
      pass_.report.bad_quotes += bad.quote ? 1 : 0;
      if (pass_.rejects != nullptr) pass_.rejects->write(name_, line, bad.column, bad.reason, bad.text);
      if (pass_.options.on_reject) {
        pass_.options.on_reject(
            Error(ErrorKind::data, bad.reason).at(name_, line, bad.column).showing(bad.text).fix(bad.hint));
      }
    }
  }

  const Pass& pass_;
  const std::function<bool(const Block&)>& consume_;
  const bool stop_at_bad_;
  const Transforms transforms_;
  const std::string* file_;  // of the chunk being delivered
  Source::Part part_;
  const std::string* counted_ = nullptr;  // the part whose lines before it are known
  std::uint64_t lines_before_part_ = 0;
  std::string name_;
  std::uint64_t lines_, rows_ = 0;  // before it, in its file and in all
  std::vector<Chunk> chunks_;       // by slot
};

}  // namespace

bool run_pass(const Pass& pass, const std::function<bool(const Block&)>& consume) {
  pass.format.begin_pass(pass.schema);
  return Run(pass, consume)();
}

}  // namespace halfspace::stream
