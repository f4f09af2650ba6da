// Describes the schema for a certificate, and converts decimals to points.
#include "proof/decide/load.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <unordered_map>

#include "base/clock.h"
#include "halfspace/stream/cache.h"
#include "halfspace/stream/survey.h"
#include "proof/verify/exact_reader.h"
#include "stream/csv/scan.h"
#include "stream/formats/widest_row.h"
#include "stream/labels/label_inference.h"
#include "stream/text/text.h"

namespace halfspace::proof {
namespace {

// Exact decimals are read by the verifier's reader, which shares no code with that of training and reads fewer formats.
TextFormat text_format(const Schema& schema, const std::string& path) {
  if (const auto format = text_format_named(name_of(schema.format))) return *format;
  throw Error(ErrorKind::usage, "cannot certify data in the format " + std::string(name_of(schema.format)))
      .at(path)
      .fix("write the rows as LIBSVM, a label and then index:value, or as CSV, and certify that file");
}

// The verifier's reader does not derive features from columns.
void refuse_made_features(const Schema& schema, const std::string& path) {
  const auto refuse = [&](const Column& column, const char* what, const char* flag) {
    throw Error(ErrorKind::usage,
                "cannot certify " + std::string(what) + ", as in column " + stream::quote(column.name))
        .at(path)
        .fix("leave out " + option(flag) + ", or write the features as LIBSVM and certify that file");
  };
  if (schema.hashed.bits != 0) {
    throw Error(ErrorKind::usage, "cannot certify hashed names: the verifier reads features by name")
        .at(path)
        .fix("leave out " + option("hash") + ", or write the features as LIBSVM and certify that file");
  }
  for (const Column& column : schema.columns) {
    if (column.kind == Column::Kind::text) refuse(column, "the tokens of a text", "text");
    if (column.is_logarithm()) {
      throw Error(ErrorKind::usage, "cannot certify the logarithm of a column, " + stream::quote(column.name))
          .at(path)
          .fix("name what to train by, as with " + option("objective", "logistic") + ": columns then stay as they are");
    }
    if (column.kind == Column::Kind::product) refuse(column, "a product of columns", "interactions");
    if (column.kind == Column::Kind::date) refuse(column, "the parts of dates", "dates");
  }
}

std::optional<std::uint32_t> coordinate(std::uint32_t feature) {
  if (feature == Column::no_feature) return std::nullopt;
  return feature;
}

std::vector<CsvColumn> csv_columns(const Schema& schema) {
  std::vector<CsvColumn> columns;
  for (const Column& column : schema.columns) {
    CsvColumn described;
    described.name = column.name;
    switch (column.kind) {
      case Column::Kind::label:
        described.role = CsvColumn::Role::label;
        break;
      case Column::Kind::numeric:
        described.role = CsvColumn::Role::numeric;
        described.coordinate = coordinate(column.feature);
        described.missing = coordinate(column.missing_feature);
        break;
      case Column::Kind::categorical:
        described.role = CsvColumn::Role::categorical;
        described.missing = coordinate(column.missing_feature);
        for (const std::string_view text : column.categories) described.categories.emplace_back(text);
        described.coordinates = column.features;
        break;
      case Column::Kind::text:  // rejected above
      case Column::Kind::product:
      case Column::Kind::date:
      case Column::Kind::identifier:
      case Column::Kind::weight:
      case Column::Kind::dropped:
        described.role = CsvColumn::Role::ignored;
    }
    columns.push_back(std::move(described));
  }
  return columns;
}

// Adds a label that the group does not have.
void add_label(LabelGroup& group, const std::string& text, bool numbers) {
  const auto same = [&](const std::string& other) {
    if (text == other || !numbers) return text == other;
    const auto a = parse_decimal(text), b = parse_decimal(other);
    return a && b && a->value() == b->value();
  };
  if (std::none_of(group.labels.begin(), group.labels.end(), same)) group.labels.push_back(text);
}

// Returns the class of a label's text, and the texts of each class.
class Classes {
 public:
  Classes(const Labels& labels, std::vector<LabelGroup>& groups) : labels_(labels), groups_(groups) {}

  std::int32_t of(const std::string& text) {
    const auto known = seen_.find(text);
    if (known != seen_.end()) return count(known->second);
    const auto klass = labels_.find(text);
    if (!klass) throw Error(ErrorKind::data, "the label '" + text + "' is not a class of the data");
    add_label(groups_[static_cast<std::size_t>(*klass)], text, labels_.are == LabelsAre::numbers);
    seen_.emplace(text, *klass);
    return count(*klass);
  }

 private:
  std::int32_t count(std::int32_t klass) {
    ++groups_[static_cast<std::size_t>(klass)].rows;
    return klass;
  }

  const Labels& labels_;
  std::vector<LabelGroup>& groups_;
  std::unordered_map<std::string, std::int32_t> seen_;
};

void refuse_skipped_rows(const ReadOptions& read) {
  if (read.on_error != OnError::skip) return;
  throw Error(ErrorKind::usage, "a proof needs every row, so bad rows cannot be skipped")
      .fix("correct the rows, or remove them from the file");
}

void stop_if_over(const Budget& budget) {
  if (budget.interrupt != nullptr && budget.interrupt->load(std::memory_order_relaxed))
    throw Error(ErrorKind::input_output, "interrupted: the data were not read to their end");
  budget.check();
}

// Checks the memory of weights: a certificate has a weight for every feature, including those that do not occur.
void refuse_too_many_features(const Block& block, const std::string& path, const RowsOptions& memory) {
  constexpr std::uint64_t bytes_each = 128, of_no_account = std::uint64_t{64} << 20;
  const std::uint64_t needed = block.features * bytes_each;
  if (needed <= std::max(memory.memory, of_no_account)) return;
  throw Error(ErrorKind::data, "row " + std::to_string(stream::widest_row(block)) +
                                   " raises the number of features to " + std::to_string(block.features) +
                                   ": their proof takes about " + std::to_string(needed >> 20) + " MiB, and " +
                                   option("memory") + " allows " + std::to_string(memory.memory >> 20) + " MiB")
      .at(path)
      .fix("number the features closely, from 1 on, or check whether that number is a mistake; or raise " +
           option("memory"));
}

// Calls f(row) for the rows of a file.
template <class F>
void each_row(ExactReader& reader, const Budget& budget, F&& f) {
  ExactRow row;
  while (reader.next(row)) {
    if (row.number % 1024 == 0) stop_if_over(budget);
    f(row);
  }
}

void read_exactly(Loaded& loaded, const std::vector<std::string>& paths, const Budget& budget) {
  Points& points = *loaded.points;
  const Clock::time_point begin = Clock::now();
  std::vector<ScannedSource> scanned;
  for (std::uint32_t source = 0; source < paths.size(); ++source) {
    const auto take = [&](const ExactRow& row, std::int32_t klass) {
      add_entries(points, row);
      points.end_row(source, row.number, klass);
      loaded.rows_read = points.size();
      if (points.size() == std::numeric_limits<std::uint32_t>::max()) {
        throw Error(ErrorKind::usage, "the data have too many rows for one proof")
            .at(paths[source])
            .fix("certify a part of the rows");
      }
    };
    scanned.push_back(scan(loaded.data, loaded.schema.labels, paths[source], budget, take));
  }
  complete(loaded.data, std::move(scanned));
  loaded.exact_seconds = seconds_since(begin);
  if (!points.outgrown()) return;
  // The buffer exceeded its memory before the scales were known: reads again.
  points.begin_again(loaded.data.features);
  for (std::size_t s = 0; s < paths.size(); ++s) {
    ExactReader reader(loaded.data, paths[s]);
    each_row(reader, budget, [&](const ExactRow& row) {
      add_entries(points, row);
      points.end_row(static_cast<std::uint32_t>(s), row.number, 0);
    });
  }
}

}  // namespace

void refuse_unreadable(const std::string& path) {
  if (path == "-") {
    throw Error(ErrorKind::usage, "a proof needs data that can be read again, not standard input")
        .fix("save the data to a file first");
  }
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw Error(ErrorKind::usage, "a proof needs data that can be read again, and this is not a file")
        .at(path)
        .fix("save the data to a file first");
  }
  if (is_cache(path)) {
    throw Error(ErrorKind::usage, "a proof needs decimal text, and a cache holds the nearest doubles")
        .at(path)
        .fix("give the cache's original text");
  }
}

void refuse_unprovable(const ReadOptions& read, const Schema& schema, const std::string& path) {
  refuse_skipped_rows(read);
  text_format(schema, path);
  refuse_made_features(schema, path);
}

void add_entries(Points& points, const ExactRow& row) {
  for (const ExactRow::Entry& entry : row.entries) {
    const auto exponent = static_cast<std::int32_t>(entry.value.exponent);
    if (entry.value.big) {
      points.add(entry.coordinate, *entry.value.big, exponent);
    } else {
      points.add(entry.coordinate, entry.value.mantissa, exponent);
    }
  }
}

ScannedSource scan(const Data& data, const Labels& labels, const std::string& path, const Budget& budget,
                   const TakeRow& take) {
  ScannedSource scanned;
  scanned.classes.resize(labels.names.size());
  for (std::size_t k = 0; k < scanned.classes.size(); ++k) scanned.classes[k].labels = {labels.names[k]};
  Classes classes(labels, scanned.classes);
  ExactReader reader(data, path);
  each_row(reader, budget, [&](const ExactRow& row) {
    take(row, classes.of(row.label));
    ++scanned.source.rows;
  });
  scanned.source.files = reader.files();
  scanned.missing = reader.missing_met();
  return scanned;
}

void complete(Data& data, std::vector<ScannedSource> sources) {
  std::set<std::string> missing;
  data.classes.clear();
  for (std::size_t s = 0; s < sources.size(); ++s) {
    ScannedSource& scanned = sources[s];
    data.sources[s] = std::move(scanned.source);
    data.classes.resize(scanned.classes.size());
    for (std::size_t k = 0; k < data.classes.size(); ++k) {
      data.classes[k].rows += scanned.classes[k].rows;
      for (const std::string& label : scanned.classes[k].labels)
        add_label(data.classes[k], label, data.labels_are_numbers());
    }
    missing.merge(scanned.missing);
  }
  // Omits defaults, so that earlier programs accept the certificate if they would read the same.
  const std::vector<std::string> defaults = default_missing_texts();
  missing.erase("");
  if (std::includes(data.missing.begin(), data.missing.end(), defaults.begin(), defaults.end()) &&
      std::includes(defaults.begin(), defaults.end(), missing.begin(), missing.end()))
    data.missing = defaults;
}

SourceSchema read_as_training(const ReadOptions& read, const std::string& path, const Schema* columns, bool notes,
                              const RowsOptions& memory, const Budget& budget, std::uint64_t& rows_read) {
  refuse_skipped_rows(read);
  refuse_unreadable(path);
  ReadOptions options = read;
  options.path = path;
  options.more.clear();
  options.rows = nullptr;
  options.interrupt = budget.interrupt;
  options.labels.scan_all = true;
  options.labels.any_value = true;  // any label value is allowed
  Schema known;
  if (budget.on_check != nullptr) options.progress = [&budget](std::uint64_t, std::uint64_t) { (*budget.on_check)(); };
  if (columns != nullptr) {
    known = *columns;
    known.labels = {};
    options.schema = &known;
    // The certificate has one description of how all files are read.
    if (known.format == DataFormat::csv) options.table.header = known.header;
  }
  Reader reader(options);
  refuse_unprovable(read, reader.schema(), path);
  Survey survey({.rows = 10'000, .values = 250'000, .features = 100'000});
  reader.read([&](const Block& block) {
    stop_if_over(budget);
    rows_read += block.rows;
    refuse_too_many_features(block, path, memory);
    if (notes) survey.add(block);
    return true;
  });
  SourceSchema found{reader.schema(), {}, reader.report().rows};
  const std::vector<std::uint64_t>& rows = reader.report().class_rows;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k] > 0) found.labels.push_back(found.schema.labels.names[k]);
  }
  // A proof about a column that numbers the rows, or about a quantity taken as the label, is true and worthless.
  if (notes && read.on_note) {
    for (const SurveyNote& note : survey.notes(found.schema, read))
      if (note.grave && note.about != SurveyNote::About::order) read.on_note(note);
  }
  return found;
}

Schema columns_at_beginning(const ReadOptions& read, const std::string& path) {
  refuse_unreadable(path);
  ReadOptions options = read;
  options.path = path;
  options.more.clear();
  options.labels.any_value = true;
  return Reader(options).schema();
}

Labels classes_of(const ReadOptions& read, const std::vector<std::string>& labels, LabelsAre are) {
  if (!read.labels.classes.empty()) return stream::named_labels(read, are);
  return stream::labels_of_all(labels, read.labels.positive, are);
}

void describe(Loaded& loaded, std::size_t sources) {
  const Schema& schema = loaded.schema;
  Data& data = loaded.data;
  data.format = *text_format_named(name_of(schema.format));
  data.features = schema.features;
  data.zero_based = schema.zero_based;
  data.delimiter = schema.delimiter;
  data.header = schema.header;
  data.decimal = schema.decimal;
  data.quote = stream::mark_of(schema.quote);
  data.thousands = schema.thousands;
  data.skip_lines = schema.skip_lines;
  data.comment = schema.comment;
  if (data.format == TextFormat::csv) data.missing = schema.missing;
  if (data.format == TextFormat::csv) data.columns = csv_columns(schema);
  data.sources.resize(sources);
}

void load(const ReadOptions& read, const std::vector<std::string>& paths, const RowsOptions& memory,
          const Budget& budget, Loaded& loaded) {
  std::vector<std::string> labels;
  for (const std::string& path : paths) {
    const bool first = &path == &paths.front();
    SourceSchema found =
        read_as_training(read, path, first ? nullptr : &loaded.schema, first, memory, budget, loaded.rows_read);
    loaded.schema = std::move(found.schema);
    labels.insert(labels.end(), found.labels.begin(), found.labels.end());
  }
  if (paths.size() > 1) loaded.schema.labels = classes_of(read, labels, loaded.schema.labels.are);
  describe(loaded, paths.size());
  loaded.points = std::make_unique<Points>(memory);
  read_exactly(loaded, paths, budget);
  loaded.points->finish(loaded.data.features);
}

}  // namespace halfspace::proof
