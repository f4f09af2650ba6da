// Says of data that are not what is expected what they are, and what is expected.
#include "stream/expected_format.h"

#include "halfspace/base/error.h"
#include "stream/recognise.h"
#include "stream/source/raw_file.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

// What rows for a model look like.
std::string rows_of(DataFormat format, bool named_columns) {
  switch (format) {
    case DataFormat::libsvm:
      return "rows are a label and index:value, numbered as the model's features are (rows in memory: from 1)";
    case DataFormat::csv:
      return named_columns ? "give a table with the model's columns"
                           : "give a table with as many columns as the model's";
    case DataFormat::vw:
      return "rows are [label] |namespace name:value ...";
    case DataFormat::arff:
      return "declare the model's attributes, and write @data before the rows";
    case DataFormat::jsonl:
      return "write an object a line, with the model's members";
    case DataFormat::idx:
      return "name an idx file of images (magic 00000803)";
    case DataFormat::npy:
      return "save the rows with numpy.save(NAME, X)";
    case DataFormat::csr:
      return "save the rows with scipy.sparse.save_npz(NAME, X)";
    case DataFormat::automatic:
      break;
  }
  return "give data of that format";
}

}  // namespace

ExpectedFormat::ExpectedFormat(const ReadOptions& options, const Schema& schema)
    : format_(schema.format == DataFormat::automatic ? options.format : schema.format),
      of_model_(schema.format != DataFormat::automatic && options.format == DataFormat::automatic &&
                !options.delimiter),
      delimiter_(options.delimiter.value_or(schema.delimiter)),
      named_columns_(schema.header) {
  if (options.format == DataFormat::automatic || options.format == format_) return;
  const bool memory = options.data != nullptr;
  throw Error(ErrorKind::usage, std::string("the model was learned from ") + format_words(format_) + " data, and " +
                                    (memory ? "rows in memory have their features by number, as LIBSVM has"
                                            : std::string("this is said to be ") + format_words(options.format)))
      .at(shown_name(options.path))
      .fix(memory ? "predict a row of such a model by the names of its columns, with Predictor, or give it a file"
                  : "leave the format out: the model knows");
}

void ExpectedFormat::refuse(const std::string& file, const std::string& what) const {
  const std::string name = format_words(format_);
  if (!of_model_) {
    throw Error(ErrorKind::data, what + ", where " + name + " data is expected")
        .at(file)
        .fix("name a file of that format");
  }
  throw Error(ErrorKind::data, what + ", and the model was learned from " + name + " data")
      .at(file)
      .fix(rows_of(format_, named_columns_) + "; or learn a model from data such as these");
}

void ExpectedFormat::check_text(const std::string& file, std::string_view text) const {
  if (!of_model_) return;
  if (const auto other = recognise_other(text, format_, delimiter_)) refuse(file, *other);
}

namespace {

// Tells whether a colon stands behind digits that a word begins with, or behind qid.
bool has_a_feature(std::string_view text) {
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':', colon + 1)) {
    const std::string_view before = text.substr(0, colon);
    const std::string_view word = before.substr(before.find_last_of(" \t\r\n") + 1);
    const bool digits = word.find_first_not_of("0123456789", word.starts_with('-') ? 1 : 0) == std::string_view::npos;
    if (word == "qid" || (digits && !word.empty() && word != "-")) return true;
  }
  return false;
}

}  // namespace

void refuse_labels_alone(const std::string& file, std::string_view text, const Labels* known) {
  if (has_a_feature(text)) return;
  std::uint64_t rows = 0;
  bool labels = known != nullptr;
  std::string other;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    line = line.substr(0, line.find('#'));
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) continue;
    line = line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
    ++rows;
    // Rows without a label are often given one all the same.
    if (!labels || line == "0" || known->find(line)) continue;
    labels = false;
    other = line;
  }
  if (rows == 0 || labels) return;
  throw Error(ErrorKind::data, known == nullptr
                                   ? "no row has a feature: this looks like text, or a table of one column"
                                   : "no row has a feature, and " + quote(other) +
                                         " is no label of the model, which was learned from LIBSVM data: this looks "
                                         "like text, or a table of one column")
      .at(file)
      .fix("rows of LIBSVM are a label and index:value, such as +1 3:0.5");
}

}  // namespace halfspace::stream
