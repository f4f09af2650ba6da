// halfspace explain: why a model gives one row its label, and what would change it.
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/report_flags.h"
#include "cli/terminal.h"
#include "halfspace/model/model_file.h"
#include "halfspace/reasons/explanation.h"
#include "reasons/explanation_words.h"

namespace halfspace::cli {
namespace {

struct ExplainFlags : ExplainSettings {
  std::string model;
  std::uint64_t most = 10;
  bool json = false;
  ReportFlags report;
};

int explain_row(const ExplainFlags& flags) {
  const Model model = load_model_to_predict(flags.model, &interrupted());
  const Explanation why = explain(model, flags, options_to_read(flags.data));
  finish(
      flags.json, flags.report,
      [&] {
        Json j = run_json("explain", flags.report);
        j.update(reasons::explanation_json(why));
        return j;
      },
      [&] { return reasons::explanation_text(why, flags.most, style_of()); });
  return 0;
}

}  // namespace

Command explain_command() {
  auto flags = std::make_shared<ExplainFlags>();
  Command command(
      "explain", "why one row has its label, and what would change it",
      {{"halfspace explain credit.model new.csv --row A0007", "the columns behind its label, and the cheapest change"},
       {"halfspace explain credit.model new.csv --row A0007 --fixed age --limits limits.csv",
        "a change that leaves the age as it is, and others within limits"},
       {"halfspace explain credit.model new.csv --row A0007 --codes codes.csv", "with the reasons of a letter"},
       {"halfspace explain credit.model new.csv --row A0007 --report A0007.html", "a page of the row"}});
  command.common = {"help", "row", "against", "fixed", "limits", "json", "report", "id"};
  command.add({required({"MODEL", "", "a model that train wrote, of one weight vector or one a class", &flags->model,
                         input_file()}),
               data_row(flags->data, "rows; - is standard input")});
  command.add(explain_options(*flags));
  command.add({{"columns", "N", "list so many columns in the text (default: 10)", &flags->most}});
  command.add(kOutputGroup, {json_row(flags->json)});
  command.add(kOutputGroup, report_rows(flags->report));
  add_data_flags(command, flags->data, false);
  command.run = [flags](const Given&) { return explain_row(*flags); };
  return command;
}

}  // namespace halfspace::cli
