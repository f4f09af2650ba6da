// halfspace export: writes a linear model in the formats of other programs.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>
#include <span>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/model/export.h"
#include "halfspace/model/model_file.h"

namespace halfspace::cli {
namespace {

struct ExportFlags {
  std::string model, output, format, function = "halfspace";
  SqlOptions sql;
};

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Returns the format that the flags or the file's ending name.
std::string format_of(const ExportFlags& flags) {
  if (!flags.format.empty()) return flags.format;
  static constexpr std::array<std::pair<const char*, const char*>, 5> endings = {
      {{".onnx", "onnx"}, {".pmml", "pmml"}, {".xml", "pmml"}, {".sql", "sql"}, {".c", "c"}}};
  const std::string ending = std::filesystem::path(flags.output).extension().string();
  for (const auto& [known, format] : endings) {
    if (ending == known) return format;
  }
  throw Error(ErrorKind::usage, "the ending of '" + flags.output + "' names no format")
      .fix("add --format onnx, --format pmml, --format sql or --format c");
}

void write_sql(const ExportFlags& flags, const Model& model) {
  const SqlText sql = to_sql(model, flags.sql);
  write_atomically(flags.output, bytes_of(sql.text), &interrupted());
  if (!sql.same_bits && !flags.sql.plain) {
    print_message(
        "note: scores of the query may differ from those of predict in their last digits\n"
        "  fix: docs/formats/sql.md has the bound, and which models have the same bits\n");
  }
}

void write_format(const ExportFlags& flags, const Model& model, const std::string& format) {
  if (format == "sql") {
    write_sql(flags, model);
  } else if (format == "c") {
    write_atomically(flags.output, bytes_of(to_c(model, flags.function)), &interrupted());
  } else {
    write_atomically(flags.output, format == "onnx" ? to_onnx(model) : to_pmml(model), &interrupted());
  }
}

int export_model(const Given& given, const ExportFlags& flags) {
  const std::string format = format_of(flags);
  for (const char* const flag : {"dialect", "table", "view", "keep", "plain"}) {
    if (given(flag) && format != "sql")
      throw Error(ErrorKind::usage, "--" + std::string(flag) + " is of SQL, and the format is " + format)
          .fix("leave it out, or add --format sql");
  }
  if (given("function") && format != "c")
    throw Error(ErrorKind::usage, "--function is of C, and the format is " + format)
        .fix("leave it out, or add --format c");
  const Model model = load_model_to_predict(flags.model, &interrupted());
  try {
    write_format(flags, model, format);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    throw Error(ErrorKind::usage, error.message()).at(flags.model).fix(error.hint());
  }
  if (format == "pmml" && probability_curves(model).fitted() && model.weights.classes > 2)
    print_message(
        "note: multiclass probabilities are not exported: PMML has only their labels and scores\n"
        "  fix: export to ONNX, which has all three\n");
  if (stderr_is_terminal()) {
    print_message(fmt::format("{} to {}, as {}\n", counted(model.schema.features, "feature"), printable(flags.output),
                              format == "onnx"   ? "ONNX"
                              : format == "pmml" ? "PMML"
                              : format == "sql"  ? "SQL"
                                                 : "C"));
  }
  return 0;
}

}  // namespace

Command export_command() {
  auto flags = std::make_shared<ExportFlags>();
  Command command(
      "export", "a linear model as ONNX, PMML, SQL or C",
      {{"halfspace export a9a.model -o a9a.onnx", "one column a feature, in the order of the data's columns"},
       {"halfspace export credit.model -o credit.pmml", "the CSV file's columns, with categories and missing values"},
       {"halfspace export credit.model -o credit.sql --table applicants", "a query that predicts a row of a table"},
       {"halfspace export credit.model -o credit.c", "a function in C99 that allocates nothing"}});
  command.add(
      {required({"MODEL", "", "a model that train wrote; not one with --keep vote", &flags->model, input_file()}),
       required({"-o,--output", "FILE", "write here, atomically", &flags->output, output_file()}),
       {"--format", "FORMAT", "the format (default: by the file's ending)", &flags->format,
        one_of({{"onnx", "for ONNX runtimes; a vector of features in"},
                {"pmml", "for PMML scorers; the table's columns in"},
                {"sql", "for databases; the table's columns in"},
                {"c", "C99; the table's columns in"}})}});
  command.add("SQL",
              {{"--dialect", "NAME", "the database", by_name(flags->sql.dialect), one_of(choices_of<SqlDialect>())},
               {"--table", "NAME", "the table of the rows, or SCHEMA.TABLE (default: data)", &flags->sql.table},
               {"--view", "NAME", "define a view with this name", &flags->sql.view},
               {"--keep", "COL,COL...", "columns to select with the predictions (default: that of train --id)",
                &flags->sql.columns, commas()},
               {"--plain", "", "a shorter query, whose scores may differ in their last digits", &flags->sql.plain}});
  command.add("C", {{"--function", "NAME", "the name of the function (default: halfspace)", &flags->function}});
  command.run = [flags](const Given& given) { return export_model(given, *flags); };
  return command;
}

}  // namespace halfspace::cli
