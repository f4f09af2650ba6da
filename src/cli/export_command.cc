// halfspace export: writes a linear model in the formats of other programs.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/model/export.h"
#include "halfspace/model/model_file.h"

namespace halfspace::cli {
namespace {

struct ExportFlags {
  std::string model, output, format;
};

int export_model(const ExportFlags& flags) {
  std::string format = flags.format;
  if (format.empty()) {
    const std::string ending = std::filesystem::path(flags.output).extension().string();
    format = ending == ".onnx" ? "onnx" : ending == ".pmml" || ending == ".xml" ? "pmml" : "";
    if (format.empty()) {
      throw Error(ErrorKind::usage, "the ending of '" + flags.output + "' names no format")
          .fix("add --format onnx or --format pmml");
    }
  }
  const Model model = load_model_to_predict(flags.model, &interrupted());
  try {
    write_atomically(flags.output, format == "onnx" ? to_onnx(model) : to_pmml(model), &interrupted());
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
                              format == "onnx" ? "ONNX" : "PMML"));
  }
  return 0;
}

}  // namespace

Command export_command() {
  auto flags = std::make_shared<ExportFlags>();
  Command command(
      "export", "a linear model as ONNX or PMML",
      {{"halfspace export a9a.model -o a9a.onnx", "one column a feature, in the order of the data's columns"},
       {"halfspace export credit.model -o credit.pmml", "the CSV file's columns, with categories and missing values"}});
  command.add(
      {required({"MODEL", "", "a model that train wrote; not one with --keep vote", &flags->model, input_file()}),
       required({"-o,--output", "FILE", "write here, atomically", &flags->output, output_file()}),
       {"--format", "FORMAT", "the format (default: by the file's ending)", &flags->format,
        one_of({{"onnx", "for ONNX runtimes; a vector of features in"},
                {"pmml", "for PMML scorers; the table's columns in"}})}});
  command.run = [flags](const Given&) { return export_model(*flags); };
  return command;
}

}  // namespace halfspace::cli
