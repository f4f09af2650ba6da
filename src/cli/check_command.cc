// halfspace check: reports the content and the errors of data. Reads everything, trains nothing.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/elsewhere.h"
#include "cli/proposals.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/survey.h"
#include "report/results/hash_words.h"
#include "report/results/json.h"
#include "report/results/train_notes.h"
#include "stream/formats/format_entry.h"
#include "stream/schema/column_kind.h"

namespace halfspace::cli {
namespace {

struct CheckFlags {
  DataFlags data;
  std::string other;  // the program that is to read the data, too
  bool json = false;
};

// Returns true if the column's values are numbers; those of a date are its year.
bool holds_numbers(const Column& column) {
  return column.kind == Column::Kind::numeric || column.kind == Column::Kind::date ||
         (column.kind == Column::Kind::product && column.feature != Column::no_feature);
}

report::Json elsewhere_json(const ElsewhereReading& elsewhere) {
  report::Json lines = report::Json::array();
  for (const ElsewhereLines& each : elsewhere.lines) {
    lines.push_back({{"what", each.what},
                     {"then", each.then},
                     {"file", report::utf8(each.file)},
                     {"line", each.line},
                     {"lines", each.lines}});
  }
  return {{"program", elsewhere.program}, {"lines", lines}};
}

std::string elsewhere_text(const ElsewhereReading& elsewhere) {
  if (elsewhere.lines.empty())
    return fmt::format("\n  {} reads every line as it is meant{}.\n", elsewhere.program, elsewhere.how);
  std::string text = fmt::format("\n  {} does not read these lines as they are meant:\n", elsewhere.program);
  for (const ElsewhereLines& each : elsewhere.lines) {
    const std::string_view noun = each.line == 0 ? "more file" : "more line";
    const std::string more = each.lines > 1 ? ", and " + counted(each.lines - 1, noun) : "";
    const std::string at = printable(each.file) + (each.line == 0 ? "" : fmt::format(":{}", each.line));
    text += fmt::format("  {}: {}{}\n    {}\n", at, each.what, more, each.then);
  }
  return text;
}

std::string mark_words(char mark) { return mark == '\t' ? "tabs" : mark == ' ' ? "blanks" : fmt::format("'{}'", mark); }

// Returns the table's grammar where it differs from the default.
std::string cut_by(const Schema& schema) {
  if (!stream::entry_of(schema.format).takes_all(stream::about_marks)) return "";
  std::string words;
  const auto add = [&](bool unusual, const std::string& how) { words += unusual ? ", " + how : ""; };
  const bool usual = schema.delimiter == ',' && schema.decimal == '.' && schema.quote == Quote::double_quote;
  add(!usual, mark_words(schema.delimiter) + " between values");
  add(schema.decimal == ',', "decimal comma");
  add(schema.thousands != '\0', mark_words(schema.thousands) + " between thousands");
  add(schema.quote == Quote::none, "quotes are text");
  add(schema.quote == Quote::single_quote, "single quotes");
  add(schema.skip_lines > 0, counted(schema.skip_lines, "line") + " skipped before the table");
  add(!schema.comment.empty(), "comments begin with " + printable(schema.comment));
  return words;
}

report::Json column_json(const Schema& schema, const Column& column, const Survey& survey) {
  report::Json c = {{"name", report::utf8(column.name)}, {"kind", stream::kind_name(schema, column)}};
  if (holds_numbers(column)) {
    const SurveyedFeature range = survey.feature(column.feature);
    c["least"] = report::number(range.least);
    c["most"] = report::number(range.most);
  }
  const bool numbered = schema.hashed.bits == 0;
  if (numbered &&
      (column.kind == Column::Kind::categorical || (column.kind == Column::Kind::product && !holds_numbers(column))))
    c["categories"] = column.features.size();
  if (numbered && column.kind == Column::Kind::text) c["tokens"] = column.categories.size();
  if (column.missing_feature != Column::no_feature) c["missing"] = survey.feature(column.missing_feature).values;
  return c;
}

// `names`: of all features, for products of namespaces.
std::string list_of_categories(const Column& column, const std::vector<std::string>& names) {
  std::string values = fmt::format("{}: ", column.features.size());
  for (std::size_t k = 0; k < column.features.size() && values.size() < 50; ++k) {
    const std::string name = column.products.empty() ? std::string(column.categories[k]) : names[column.features[k]];
    values += (k > 0 ? ", " : "") + shortened(name, 20);
  }
  return values.size() >= 50 ? values + ", …" : values;
}

std::string column_table(const Schema& schema, const Survey& survey) {
  Table table({true, true, true, false});
  table.add({dim("column"), dim("kind"), dim("values"), dim("missing")});
  const std::size_t most = 60;
  std::vector<std::string> names;  // of the features, if there are products
  for (std::size_t c = 0; c < schema.columns.size() && c < most; ++c) {
    const Column& column = schema.columns[c];
    std::string values;
    if (holds_numbers(column)) {
      const SurveyedFeature range = survey.feature(column.feature);
      values = range.values == 0 ? "none" : fmt::format("{} … {}", short_number(range.least), short_number(range.most));
    } else if (column.kind == Column::Kind::categorical || column.kind == Column::Kind::text ||
               column.kind == Column::Kind::product) {
      if (schema.hashed.bits != 0) {
        values = "hashed";
      } else {
        if (!column.products.empty() && names.empty()) names = schema.feature_names();
        values = list_of_categories(column, names);
      }
    } else if (column.kind == Column::Kind::label) {
      for (std::size_t k = 0; k < schema.labels.names.size() && k < 6; ++k) {
        if (!schema.labels.names[k].empty())
          values += (values.empty() ? "" : ", ") + shortened(schema.labels.names[k], 20);
      }
    } else {
      values = "not used";
    }
    const std::uint64_t missing =
        column.missing_feature == Column::no_feature ? 0 : survey.feature(column.missing_feature).values;
    table.add({shortened(column.name, 32), std::string(stream::kind_name(schema, column)), values,
               missing == 0 ? "" : grouped(missing)});
  }
  std::string text = table.text();
  if (schema.columns.size() > most)
    text += dim(fmt::format("  … and {}\n", counted(schema.columns.size() - most, "more column")));
  return text;
}

class CheckCommand {
 public:
  CheckCommand(const CheckFlags& flags, const Given& given) : flags_(flags), given_(given) {}

  int run() {
    read_ = options_to_read(flags_.data);
    if (flags_.other.empty()) return check();
    try {
      return check();
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::data) ask_despite_error();
      throw;
    }
  }

 private:
  // Returns the exit status.
  int check() {
    ReadOptions read = read_;
    const bool stop = flags_.data.read.on_error == OnError::stop;
    // Skips bad rows, to list every error and not only the first.
    read.on_error = OnError::skip;
    read.labels.scan_all = true;
    read.labels.any_value = true;  // the notes report odd labels
    read.on_note = [this, print = read.on_note](const ReadNote& note) {
      decided_.push_back(note);
      if (!flags_.json) print(note);
    };
    read.on_reject = [this](const Error& error) {
      if (problems_.size() < 10) problems_.push_back(error);
    };
    Progress progress(!flags_.json);
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    read.progress = [&](std::uint64_t d, std::uint64_t t) {
      done = d;
      total = t;
    };
    Reader reader(read);
    reader.read([&](const Block& block) {
      survey_.add(block);
      if (progress.due() && total > 0)
        progress.show(fmt::format("{:.0f} % read", 100 * static_cast<double>(done) / static_cast<double>(total)));
      return !interrupted();
    });
    progress.clear();
    if (interrupted()) throw Error(ErrorKind::input_output, "interrupted: the file was not checked to its end");
    const ReadReport& report = reader.report();
    if (!flags_.other.empty()) ask_elsewhere(reader.schema());
    if (flags_.json) {
      print_json(reader.schema(), report, reader.format_guesses());
    } else {
      print_text(reader.schema(), report, reader.format_guesses());
    }
    return report.rejected > 0 && stop ? static_cast<int>(ErrorKind::data) : 0;
  }

  std::vector<std::string> files() const {
    std::vector<std::string> all{read_.path};
    all.insert(all.end(), read_.more.begin(), read_.more.end());
    return all;
  }

  // Prints what the other program reads where Halfspace can use no row: of a qid, of weights.
  void ask_despite_error() {
    if (read_.format != DataFormat::automatic && read_.format != DataFormat::libsvm) return;
    if (!is_for_elsewhere(files())) return;
    elsewhere_ = read_elsewhere(flags_.other, files());
    report::Json j;
    j["for"] = elsewhere_json(elsewhere_);
    print_result(flags_.json ? j.dump(2) + "\n" : elsewhere_text(elsewhere_) + "\n");
  }

  // Throws Error: usage.
  void ask_elsewhere(const Schema& schema) {
    if (schema.format != DataFormat::libsvm) {
      throw Error(ErrorKind::usage,
                  "--for is about LIBSVM text, and this is " + std::string(stream::entry_of(schema.format).words))
          .at(read_.path)
          .fix("leave out --for");
    }
    elsewhere_ = read_elsewhere(flags_.other, files());
  }

  void print_json(const Schema& schema, const ReadReport& report, const std::vector<FormatGuess>& guesses) const {
    report::Json j;
    j["format"] = stream::entry_of(schema.format).title;
    report::Json detected = report::Json::array();
    for (std::size_t i = 0; i < std::min<std::size_t>(guesses.size(), 2); ++i) {
      detected.push_back({{"format", stream::entry_of(guesses[i].format).title},
                          {"share", report::number(guesses[i].share)},
                          {"evidence", report::utf8(guesses[i].evidence)}});
    }
    j["detected"] = detected;
    j["compression"] = report.compression;
    j["rows"] = report.rows;
    j["rejected"] = report.rejected;
    j["features"] = schema.features;
    if (const HashUse use = hash_use(schema, report); use.bits > 0) j["hashed"] = report::hashed(use, true);
    j["stored"] = report.stored;
    j["nonzeros"] = report.nonzeros;
    const std::optional<double> radius = report::radius_of(survey_.largest_squared_norm(), report.nonzeros > 0);
    j["radius"] = radius ? report::number(*radius) : report::Json(nullptr);
    report::Json classes = report::Json::object();
    for (std::size_t k = 0; k < schema.labels.names.size(); ++k) {
      if (schema.labels.names[k].empty()) continue;  // no row has this label
      classes[report::utf8(schema.labels.names[k])] = report.class_rows[k];
    }
    j["classes"] = classes;
    if (schema.labels.names.size() == 2) j["positive"] = report::utf8(schema.labels.names[1]);
    report::Json columns = report::Json::array();
    for (const Column& column : schema.columns) columns.push_back(column_json(schema, column, survey_));
    if (!schema.columns.empty()) j["columns"] = columns;
    report::Json notes = report::notes(decided_, style_of());
    for (const SurveyNote& note : survey_.notes(schema, read_)) {
      notes.push_back({{"text", report::utf8(with_flags(note.text))},
                       {"fix", report::utf8(with_flags(note.fix))},
                       {"grave", note.grave}});
    }
    if (const auto note = note_on_quotes(report)) {
      notes.push_back(
          {{"text", report::utf8(note->text)}, {"fix", report::utf8(with_flags(note->fix))}, {"grave", true}});
    }
    j["notes"] = notes;
    if (const std::string line = line_to_try(schema, report); !line.empty()) j["try"] = report::utf8(line);
    report::Json problems = report::Json::array();
    for (const Error& error : problems_) {
      problems.push_back({{"file", report::utf8(error.file())},
                          {"line", error.line()},
                          {"column", error.column()},
                          {"reason", report::utf8(with_flags(error.message()))},
                          {"text", report::utf8(error.text().substr(0, 1000))}});
    }
    j["problems"] = problems;
    if (!flags_.other.empty()) j["for"] = elsewhere_json(elsewhere_);
    j["bytes"] = report.bytes;
    j["fingerprint"] = report.fingerprint;
    print_result(j.dump(2) + "\n");
  }

  void print_text(const Schema& schema, const ReadReport& report, const std::vector<FormatGuess>& guesses) const {
    std::string text;
    const auto line = [&text](std::string_view key, const std::string& value, const std::string& note = "") {
      text += fmt::format("  {:<12} {}{}\n", key, value, note.empty() ? "" : "   " + dim(note));
    };
    line("format",
         fmt::format("{}{}{}", stream::entry_of(schema.format).title, cut_by(schema),
                     report.compression == "none" ? "" : ", " + report.compression),
         byte_size(report.bytes) + " of text");
    for (std::size_t i = 0; i < std::min<std::size_t>(guesses.size(), 2); ++i) {
      const std::string title(stream::entry_of(guesses[i].format).title);
      line(i == 0 ? "detected" : "not " + title, guesses[i].evidence);
    }
    line("rows", grouped(report.rows), survey_.empty_rows() > 0 ? grouped(survey_.empty_rows()) + " empty" : "");
    const double cells = static_cast<double>(report.rows) * static_cast<double>(schema.features);
    line("features", grouped(schema.features),
         fmt::format("{}, {} of all cells", counted(report.nonzeros, "nonzero"),
                     percent(static_cast<double>(report.nonzeros), cells)));
    if (const HashUse use = hash_use(schema, report); use.bits > 0)
      line("hashed", report::hashed_words(use), report::sharing_words(use));
    std::string classes;
    const auto& names = schema.labels.names;
    for (std::size_t k = 0; k < names.size() && k < 12; ++k) {
      if (names[k].empty()) continue;
      classes +=
          fmt::format("{}{}{} {} ({})", classes.empty() ? "" : ", ", shortened(names[k], 24),
                      names.size() == 2 ? (k == 1 ? " (positive)" : " (negative)") : "", grouped(report.class_rows[k]),
                      percent(static_cast<double>(report.class_rows[k]), static_cast<double>(report.rows)));
    }
    if (names.size() > 12) classes += fmt::format(" and {} more", names.size() - 12);
    line("classes", classes);
    line("radius", report::radius_words(survey_.largest_squared_norm(), report.nonzeros > 0),
         "the largest row norm, without a bias");
    if (!schema.columns.empty()) text += "\n" + column_table(schema, survey_);
    text += advice(schema, report);
    if (!flags_.other.empty()) text += elsewhere_text(elsewhere_);
    text += "\n";
    if (report.rejected == 0) {
      text += "  " + (grave(schema) ? "Check the problems above before training.\n  " : std::string()) +
              bold(fmt::format("No bad rows: all {} can be used.", grouped(report.rows))) + "\n";
    } else {
      for (const Error& error : problems_) text += error.what(as_flag) + "\n\n";
      if (report.rejected > problems_.size())
        text += fmt::format("  … and {} (--rejects FILE --on-error skip lists all)\n\n",
                            counted(report.rejected - problems_.size(), "more bad row"));
      if (const auto note = note_on_quotes(report)) {
        text += fmt::format("  {} {}\n  fix: {}\n\n", bold("look:"), note->text, with_flags(note->fix));
      }
      text += "  " +
              bold(fmt::format("{} of {} {} bad.", grouped(report.rejected),
                               counted(report.rows + report.rejected, "row"), report.rejected == 1 ? "is" : "are")) +
              " train stops at the first; --on-error skip skips them.\n";
    }
    print_result(text);
  }

  // Returns the command line with every flag that the notes propose; empty if they propose none.
  std::string line_to_try(const Schema& schema, const ReadReport& report) const {
    const Command command = check_command();
    Proposals proposals(command, given_);
    if (const auto note = note_on_quotes(report)) proposals.add(note->fix);
    for (const SurveyNote& note : survey_.notes(schema, read_)) {
      if (note.grave) proposals.add(note.fix);
    }
    if (!proposals.empty() && report.rejected > 0) proposals.add_flag("on-error", "skip");
    return proposals.empty() ? "" : proposals.line();
  }

  bool grave(const Schema& schema) const {
    const std::vector<SurveyNote> notes = survey_.notes(schema, read_);
    return !notes.empty() && notes.front().grave;
  }

  // Writes what the values suggest.
  std::string advice(const Schema& schema, const ReadReport& report) const {
    std::string text;
    for (const SurveyNote& note : survey_.notes(schema, read_)) {
      text +=
          fmt::format("\n  {} {}\n  fix: {}\n", note.grave ? bold("look:") : "note:", printable(with_flags(note.text)),
                      printable(with_flags(note.fix)));
    }
    if (const std::string line = line_to_try(schema, report); !line.empty())
      text += "\n  " + bold("try:") + " " + printable(line) + "\n";
    const auto& per_class = report.class_rows;
    if (std::count_if(per_class.begin(), per_class.end(), [](std::uint64_t rows) { return rows > 0; }) < 2)
      text += "\n  warning: one class only: nothing to separate\n";
    if (schema.features == 0) text += "\n  warning: no features: nothing to learn from\n";
    return text;
  }

  const CheckFlags& flags_;
  const Given& given_;
  static constexpr std::uint32_t most_features = 1 << 22;  // a single large feature number must not exhaust memory
  Survey survey_{{.features = most_features}};
  ReadOptions read_;
  ElsewhereReading elsewhere_;
  std::vector<Error> problems_;
  std::vector<ReadNote> decided_;  // when the data were opened
};

}  // namespace

Command check_command() {
  auto flags = std::make_shared<CheckFlags>();
  Command command("check", "report the content of data, and its errors",
                  {{"halfspace check credit.csv", "columns, classes, ranges; bad rows with position and fix"},
                   {"halfspace check log.svm.gz --json", "the same as JSON; exit code 65 if a row is bad"},
                   {"halfspace check log.svm --for liblinear", "also the lines that liblinear-train reads otherwise"}});
  command.common = {"help", "label", "id", "format", "delimiter", "for", "json"};
  command.add({data_row(flags->data, kAnyFormat)});
  command.add(kOutputGroup, {{"--for", "PROGRAM", "of LIBSVM text also report the lines that PROGRAM reads otherwise",
                              &flags->other, one_of(elsewhere_programs())},
                             json_row(flags->json)});
  add_data_flags(command, flags->data, true);
  command.run = [flags](const Given& given) { return CheckCommand(*flags, given).run(); };
  return command;
}

}  // namespace halfspace::cli
