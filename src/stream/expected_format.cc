// Rejects data of an unexpected format, naming both formats.
#include "stream/expected_format.h"

#include "halfspace/base/error.h"
#include "stream/format_entry.h"
#include "stream/recognise.h"
#include "stream/source/raw_file.h"

namespace halfspace::stream {
ExpectedFormat::ExpectedFormat(const ReadOptions& options, const Schema& schema)
    : format_(schema.format == DataFormat::automatic ? options.format : schema.format),
      of_model_(schema.format != DataFormat::automatic && options.format == DataFormat::automatic &&
                !options.table.delimiter),
      delimiter_(options.table.delimiter.value_or(schema.delimiter)),
      named_columns_(schema.header) {
  if (options.format == DataFormat::automatic || options.format == format_) return;
  throw Error(ErrorKind::usage, "the model was learned from " + format_words(format_) + " data, and the options name " +
                                    format_words(options.format))
      .at(shown_name(options.path))
      .fix("leave the format out: the model has it");
}

void ExpectedFormat::refuse(const std::string& file, const std::string& what) const {
  const std::string name = format_words(format_);
  if (!of_model_) {
    throw Error(ErrorKind::data, what + ", where " + name + " data is expected")
        .at(file)
        .fix("name a file of that format");
  }
  const FormatEntry& entry = entry_of(format_);
  const bool nameless = !named_columns_ && !entry.nameless_rows_are.empty();
  throw Error(ErrorKind::data, what + ", and the model was learned from " + name + " data")
      .at(file)
      .fix(std::string(nameless ? entry.nameless_rows_are : entry.rows_are) +
           "; or learn a model from data such as these");
}

void ExpectedFormat::check_text(const std::string& file, std::string_view text) const {
  if (!of_model_) return;
  if (const auto other = recognise_other(text, format_of_text(), delimiter_)) refuse(file, *other);
}

}  // namespace halfspace::stream
