// The options of reading, each with its topic.
#include "stream/formats/given_options.h"

#include <algorithm>

#include "halfspace/base/error.h"
#include "stream/formats/format_entry.h"
#include "stream/formats/recognise.h"
#include "stream/source/raw_file.h"

namespace halfspace::stream {
namespace {

template <class Is>
bool any_product(const ReadOptions& options, const Is& is) {
  return std::any_of(options.columns.interactions.begin(), options.columns.interactions.end(), is);
}

// Returns how many factors a product of namespaces by first letters has.
std::ptrdiff_t letters_of(const std::string& name) {
  return name.starts_with('|') ? std::count(name.begin(), name.end(), ':') + 1 : 0;
}

}  // namespace

std::vector<std::string_view> given_options(const ReadOptions& o, unsigned about) {
  const struct {
    unsigned about;
    std::string_view name;
    bool given;
  } options[] = {
      {about_header, "header", o.table.header == true},
      {about_header, "no-header", o.table.header == false},
      {about_marks, "delimiter", o.table.delimiter.has_value()},
      {about_marks, "decimal", o.table.decimal.value_or('.') != '.'},
      {about_marks, "thousands", o.table.thousands.value_or('\0') != '\0'},
      {about_marks, "quote", o.table.quote.value_or(Quote::double_quote) != Quote::double_quote},
      {about_marks, "skip-lines", o.table.skip_lines.value_or(0) > 0},
      {about_marks, "comment", !o.table.comment.value_or("").empty()},
      {about_missing, "missing", !o.table.missing.empty()},
      {about_missing, "missing-only", o.table.missing_only.has_value()},
      {about_columns, "label", !o.columns.label.empty()},
      {about_columns, "weight", !o.columns.weight.empty()},
      {about_columns, "drop", !o.columns.drop.empty()},
      {about_columns, "categorical", !o.columns.categorical.empty()},
      {about_columns, "numeric", !o.columns.numeric.empty()},
      {about_names, "id", !o.columns.identifier.empty()},
      {about_keeping, "keep", !o.columns.keep.empty()},
      {about_dates, "dates", !o.columns.dates.empty()},
      {about_products, "interactions", any_product(o, [](const std::string& name) { return name[0] != '|'; })},
      {about_products, "quadratic", any_product(o, [](const std::string& name) { return letters_of(name) == 2; })},
      {about_products, "cubic", any_product(o, [](const std::string& name) { return letters_of(name) == 3; })},
      {about_namespaces, "ignore", !o.columns.ignore.empty()},
      {about_namespaces, "only", !o.columns.only.empty()},
      {about_texts, "text", !o.columns.text.empty()},
      {about_indices, "zero-based", o.zero_based},
      {about_hashing, "hash", o.columns.hash.has_value()},
  };
  std::vector<std::string_view> names;
  for (const auto& each : options) {
    if (each.given && (each.about & about) != 0) names.push_back(each.name);
  }
  if ((about & about_one_format) != 0) {
    for (const auto& [name, value] : o.of_format) names.push_back(name);
  }
  return names;
}

std::string leave_out(const std::vector<std::string_view>& names) {
  std::string text = "leave out ";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + option(names[i]);
  return text;
}

namespace {

[[noreturn]] void refuse(const ReadOptions& options, const std::vector<std::string_view>& given, const std::string& why,
                         const FormatEntry& found, const std::string& more = "") {
  throw Error(ErrorKind::usage, why + ", and this is " + std::string(found.words))
      .at(shown_name(options.path))
      .fix(leave_out(given) + more);
}

// Of a format without named columns.
void refuse_columns(const ReadOptions& options, const FormatEntry& found) {
  const auto is_tag = [&](const std::string& name) { return name == found.tag; };
  const bool has_tag = !found.tag.empty();
  const bool tag_alone = has_tag && !options.columns.keep.empty() &&
                         std::all_of(options.columns.keep.begin(), options.columns.keep.end(), is_tag) &&
                         (options.columns.identifier.empty() || is_tag(options.columns.identifier));
  std::vector<std::string_view> given =
      given_options(options, (about_marks | about_missing | about_columns | about_dates | about_products | about_texts |
                              (tag_alone ? 0U : about_names | about_keeping)) &
                                 ~found.takes);
  if (const auto header = given_options(options, about_header & ~found.takes); !header.empty()) {
    given.insert(given.begin(), header.begin(), header.end());
    refuse(options, given, formats_that_take(about_header) + " data may have a header", found);
  }
  if (given.empty()) return;
  const bool names_rows =
      has_tag && !tag_alone && (!options.columns.identifier.empty() || !options.columns.keep.empty());
  refuse(options, given, "columns can be named in " + formats_that_take(about_columns), found,
         names_rows ? "; the " + std::string(found.tag) + "s are kept with " + option("keep", found.tag) : "");
}

// Of a format with named columns.
void refuse_other_tables(const ReadOptions& options, const FormatEntry& found) {
  const auto given = given_options(options, (about_header | about_marks | about_missing) & ~found.takes);
  if (auto made = given_options(options, (about_dates | about_products | about_texts) & ~found.takes); !made.empty()) {
    made.insert(made.end(), given.begin(), given.end());
    refuse(options, made,
           "texts, dates and products of columns become features in " +
               formats_that_take(about_dates | about_products | about_texts) + " data",
           found, ", or write the table as CSV");
  }
  if (!given.empty()) {
    throw Error(ErrorKind::usage, std::string(found.words) + " defines itself how it is read")
        .at(shown_name(options.path))
        .fix(leave_out(given));
  }
  // The rows of arrays come in their order, and nothing of them is kept as text.
  if (options.columns.keep.empty() || found.takes_all(about_keeping)) return;
  refuse(options, given_options(options, about_names | about_keeping),
         "columns are kept of " + formats_that_take(about_keeping), found, ": the rows are numbered");
}

}  // namespace

void refuse_options(const ReadOptions& options, const FormatEntry& found) {
  if (found.takes_all(about_columns)) {
    refuse_other_tables(options, found);
  } else {
    refuse_columns(options, found);
  }
  const auto indices = given_options(options, about_indices & ~found.takes);
  if (!indices.empty())
    refuse(options, indices, "indices are counted in " + formats_that_take(about_indices) + " data", found);
  const auto namespaces = given_options(options, about_namespaces & ~found.takes);
  if (!namespaces.empty())
    refuse(options, namespaces, formats_that_take(about_namespaces) + " data have namespaces", found);
  const auto hashing = given_options(options, about_hashing & ~found.takes);
  if (!hashing.empty())
    refuse(options, hashing, "names are hashed in " + formats_that_take(about_hashing) + " data", found);
  for (const auto& [name, value] : options.of_format) {
    const std::string formats = formats_with_option(name);
    if (formats.empty()) {
      throw Error(ErrorKind::usage, "no format has the option " + option(name))
          .at(shown_name(options.path))
          .fix("leave it out");
    }
    if (!found.has_option(name)) refuse(options, {name}, option(name) + " is an option of " + formats, found);
  }
}

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
