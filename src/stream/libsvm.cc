// The LIBSVM text format: labels learned from the first rows, then lines to rows in parallel.

#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "halfspace/error.h"
#include "stream/libsvm_row.h"
#include "stream/number.h"
#include "stream/parser.h"
#include "stream/raw_file.h"
#include "stream/text.h"

namespace halfspace::stream {
namespace {

void parse_lines(std::string_view text, const RowRules& rules, const LabelTable& table, bool stop_at_bad,
                 ParsedPiece& piece) {
  RowReader reader(rules, table, piece);
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p != end) {
    const void* const found = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
    const char* const line_end = found == nullptr ? end : static_cast<const char*>(found);
    const char* const next = found == nullptr ? end : line_end + 1;
    const char* const stop = line_end != p && line_end[-1] == '\r' ? line_end - 1 : line_end;
    const RowReader::Outcome outcome =
        reader.read({p, static_cast<std::size_t>(stop - p)}, static_cast<std::size_t>(end - stop));
    if (outcome != RowReader::Outcome::nothing) ++piece.data_rows;
    ++piece.lines;
    if (outcome == RowReader::Outcome::bad && stop_at_bad) return;
    p = next;
  }
}

// One label alone says which side it is on when it is one of the usual numbers. 1 without a sign may be the positive
// one of
// {-1,+1} and {0,1} or the negative one of {1,2}.
bool one_label_settles(const std::string& text) {
  double value = 0;
  if (parse_number(text, value) != NumberProblem::none) return false;
  return value == -1 || value == 0 || value == 2 || (value == 1 && text.front() == '+');
}

// Collects the labels of good rows until it knows enough.
class LabelSurvey {
 public:
  LabelSurvey(const ReadOptions& options, const RowRules& rules) : options_(options), rules_(rules) {}

  void add(std::string_view text) {
    piece_.clear();
    parse_lines(text, rules_, learning_, false, piece_);
    any_ |= piece_.data_rows != 0;
    for (const std::int32_t label : piece_.rows.labels()) {
      if (enough()) return;
      ++rows_;
      if (label == LabelTable::not_found) continue;
      const std::string_view name = piece_.new_labels[static_cast<std::size_t>(first_new_label - label)];
      if (!texts_.insert(std::string(name)).second) continue;
      distinct_.emplace_back(name);
      several_ = several_ || Labels::from({distinct_.front(), distinct_.back()}, {}).names.size() > 1;
      if (distinct_.size() == most_classes) {
        throw Error(ErrorKind::data, "more than " + std::to_string(most_classes - 1) + " different labels")
            .at(shown_name(options_.path))
            .fix("the first word of a row must be its class, not a measured number");
      }
    }
  }

  bool enough() const {
    if (options_.all_labels || rows_ < options_.survey_rows) return false;
    if (options_.labels_optional && distinct_.empty()) return true;
    return several_ || (options_.positive.empty() && distinct_.size() == 1 && one_label_settles(distinct_.front()));
  }

  bool any_rows() const { return any_; }

  // `everything`: the survey has seen all rows there are.
  Labels labels(bool everything) const {
    if (several_ || distinct_.empty() || !options_.positive.empty()) return Labels::from(distinct_, options_.positive);
    const std::string& only = distinct_.front();
    double value = 0;
    if (parse_number(only, value) == NumberProblem::none) {
      if (value == -1) return {{only, "+1"}};
      if (value == 0) return {{only, "1"}};
      if (value == 2) return {{"1", only}};
      if (value == 1) return {{"-1", only}};
    }
    if (everything) return Labels::from(distinct_, only);
    throw Error(ErrorKind::data, "the first " + std::to_string(rows_) + " rows of a pipe all have the label " +
                                     quoted(only) + ": which of two classes is it?")
        .at(shown_name(options_.path))
        .fix("name the positive label with --positive NAME, or read from a file");
  }

 private:
  const ReadOptions& options_;
  const RowRules& rules_;
  LabelTable learning_;
  ParsedPiece piece_;
  std::vector<std::string> distinct_;
  std::unordered_set<std::string> texts_;
  std::uint64_t rows_ = 0;
  bool any_ = false;
  bool several_ = false;  // more than one label: two texts may be one number
};

class Libsvm final : public Format {
 public:
  explicit Libsvm(const ReadOptions& options) : options_(options) {
    rules_.labels_optional = options.labels_optional;
    rules_.line_limit = options.line_limit;
  }

  std::size_t survey(std::string_view text, bool whole, const std::function<std::string_view()>& more,
                     Schema& schema) override {
    schema.format = DataFormat::libsvm;
    if (options_.schema == nullptr) {
      schema.zero_based = options_.zero_based;
    } else if (!options_.grow) {
      rules_.feature_limit = schema.features;
    }
    rules_.zero_based = schema.zero_based;
    if (schema.labels.names.empty()) {
      RowRules rules = rules_;
      rules.feature_limit = ~std::uint64_t{0};
      LabelSurvey labels(options_, rules);
      labels.add(text);
      while (!whole && more && !labels.enough()) {
        const std::string_view next = more();
        whole = next.empty();
        labels.add(next);
      }
      if (whole && !labels.any_rows()) {
        throw Error(ErrorKind::data, "no data rows")
            .at(shown_name(options_.path))
            .fix("check that it is the right file");
      }
      schema.labels = labels.labels(whole);
    }
    const auto& names = schema.labels.names;
    final_ = std::find(names.begin(), names.end(), std::string()) == names.end();
    table_ = LabelTable(schema.labels, !final_);
    return 0;
  }

  std::size_t split(std::string_view text) const override {
    const std::size_t last = text.rfind('\n');
    return last == std::string_view::npos ? 0 : last + 1;
  }

  void parse(std::string_view text, bool stop_at_bad, ParsedPiece& piece) const override {
    parse_lines(text, rules_, table_, stop_at_bad, piece);
  }

  // Only when a class has no name yet: the first label that is new names it.
  void settle(ParsedPiece& piece, Schema& schema) override {
    Labels& labels = schema.labels;
    const std::span<std::int32_t> numbers = piece.rows.labels();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] > first_new_label) continue;
      const std::string_view text = piece.new_labels[static_cast<std::size_t>(first_new_label - numbers[i])];
      std::optional<std::int32_t> known = labels.find(text);
      const auto nameless = std::find(labels.names.begin(), labels.names.end(), std::string());
      if (!known && nameless != labels.names.end()) {
        *nameless = text;
        known = static_cast<std::int32_t>(nameless - labels.names.begin());
      }
      if (known) {
        numbers[i] = *known;
        continue;
      }
      BadRow bad;
      bad.line = piece.line_of_row[i];
      bad.row = piece.rows.row_numbers()[i];
      bad.text = line_at(piece.text, bad.line);
      bad.column = bad.text.find_first_not_of(" \t") + 1;
      bad.reason = "the label " + quoted(text) + " is a third one, after " + quoted(labels.names[0]) + " and " +
                   quoted(labels.names[1]);
      bad.hint = "correct it; if it is right, let the whole file be searched for labels";
      piece.bad.push_back(std::move(bad));
    }
  }

  bool final_after_parse() const override { return final_; }

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
