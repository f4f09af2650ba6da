// The LIBSVM text format: labels learned from the first rows, then lines to rows in parallel.

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/labels/label_inference.h"
#include "stream/libsvm/labels_alone.h"
#include "stream/libsvm/libsvm_row.h"
#include "stream/parser.h"
#include "stream/source/raw_file.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

class Libsvm final : public Format {
 public:
  explicit Libsvm(const ReadOptions& options) : options_(options) {
    rules_.ignore_labels = options.labels.ignore;
    rules_.line_limit = options.line_limit;
    rules_.options = &options_;
  }

  std::size_t infer_schema(std::string_view text, bool whole, const std::function<std::string_view()>& more,
                           Schema& schema) override {
    schema.format = DataFormat::libsvm;
    schema.labels.are = LabelsAre::numbers;
    if (options_.schema != nullptr && options_.zero_based && !schema.zero_based) {
      throw Error(ErrorKind::usage, "the model counts indices from 1, and the options count from 0")
          .at(shown_name(options_.path))
          .fix("leave " + option("zero-based") + " out: the model has it");
    }
    if (options_.schema == nullptr) {
      schema.zero_based = options_.zero_based;
    } else if (!options_.grow) {
      rules_.feature_limit = schema.features;
    }
    rules_.zero_based = schema.zero_based;
    rules_.bare_labels = !options_.labels.ignore;
    if (!rules_.bare_labels && options_.schema != nullptr)
      refuse_labels_alone(shown_name(options_.path), text, &schema.labels);
    if (schema.labels.names.empty() && !options_.labels.ignore) {
      RowRules rules = rules_;
      rules.feature_limit = ~std::uint64_t{0};
      const LabelTable learning;
      schema.labels = learn_labels(
          options_, LabelsAre::numbers, text, whole, more,
          [&](std::string_view lines, ParsedChunk& chunk) { RowReader(rules, learning, chunk).read(lines, false); });
    }
    final_ = !has_nameless_class(schema.labels);
    table_ = LabelTable(schema.labels, !final_);
    return 0;
  }

  std::size_t split(std::string_view text) const override {
    const std::size_t last = text.rfind('\n');
    return last == std::string_view::npos ? 0 : last + 1;
  }

  void parse(std::string_view text, bool stop_at_bad, ParsedChunk& chunk) const override {
    RowReader(rules_, table_, chunk).read(text, stop_at_bad);
  }

  // Only when a class has no name yet: the first label that is new names it.
  void commit(ParsedChunk& chunk, Schema& schema) override {
    const Labels& labels = schema.labels;
    for (const auto& [i, text] : commit_new_labels(chunk, schema.labels)) {
      if (!chunk.late_label) chunk.late_label = text;
      BadRow bad;
      bad.line = chunk.line_of_row[i];
      bad.row = chunk.rows.row_numbers()[i];
      bad.text = line_at(chunk.text, bad.line);
      bad.column = bad.text.find_first_not_of(" \t") + 1;
      bad.reason = quote(text) + " is not a label of this data";
      bad.hint = hint_for_unknown(text, labels, options_);
      chunk.bad.push_back(std::move(bad));
    }
  }

  bool final_after_parse(const ParsedChunk&) const override { return final_; }

 private:
  ReadOptions options_;
  RowRules rules_;
  LabelTable table_;
  bool final_ = false;
};

}  // namespace

std::unique_ptr<Format> make_libsvm(const ReadOptions& options) {
  return std::make_unique<Libsvm>(options);
}

}  // namespace halfspace::stream
