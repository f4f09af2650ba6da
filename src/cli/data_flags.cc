// The flags that say how data are read.
#include <array>
#include <cmath>
#include <cstdlib>

#include "cli/commands.h"
#include "halfspace/base/error.h"

namespace halfspace::cli {

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& purpose,
                      const std::vector<std::pair<std::string, std::string>>& examples) {
  CLI::App* command = app.add_subcommand(name, purpose);
  std::string footer = "Examples:\n";
  for (const auto& [line, what] : examples) footer += "  " + line + "\n      " + what + "\n";
  command->footer(footer);
  command->get_formatter()->column_width(34);
  return command;
}

CLI::Validator one_of(std::vector<std::string> names) {
  return CLI::IsMember(std::move(names)).description("");
}
CLI::Validator at_least_one() {
  return CLI::Range(std::uint64_t{1}, UINT64_MAX).description("");
}

void add_data_flags(CLI::App* command, DataFlags& flags, bool learning) {
  ReadOptions& read = flags.read;
  const std::string group = "Data";
  command->add_option("--format", flags.format, "auto, libsvm, csv or idx (auto looks at the content)")
      ->check(one_of({"auto", "libsvm", "csv", "idx"}))
      ->group(group);
  command->add_flag("--zero-based", read.zero_based, "LIBSVM indices begin at 0")->group(group);
  command->add_flag("--no-header", flags.no_header, "CSV without a header: columns are 1, 2, 3 ...")->group(group);
  command
      ->add_option("--label", read.label,
                   "CSV label column, by name or position (default: label, class, target or y, else the last)")
      ->type_name("COL")
      ->group(group);
  command->add_option("--id", read.identifier, "CSV column that names the rows: not learned from")
      ->type_name("COL")
      ->group(group);
  command->add_option("--drop", read.drop, "CSV columns to leave out")->type_name("COL")->delimiter(',')->group(group);
  command->add_option("--on-error", flags.on_error, "stop at a bad row, or skip it and count it")
      ->check(one_of({"stop", "skip"}))
      ->group(group);
  command
      ->add_option("--rejects", read.rejects, "with --on-error skip: write the bad rows, with place and reason, here")
      ->type_name("FILE")
      ->group(group);
  command->add_option("--threads", read.threads, "threads for reading (default: all cores); never changes a result")
      ->type_name("N")
      ->group(group);
  if (!learning) return;
  command->add_option("--categorical", read.categorical, "CSV columns to one-hot encode although they look numeric")
      ->type_name("COL")
      ->delimiter(',')
      ->group(group);
  command->add_option("--numeric", read.numeric, "CSV columns to read as numbers: a non-number is then an error")
      ->type_name("COL")
      ->delimiter(',')
      ->group(group);
  command->add_option("--positive", read.positive, "the positive class (default: the larger number, the later name)")
      ->type_name("NAME")
      ->group(group);
}

ReadOptions read_options(const DataFlags& flags) {
  ReadOptions read = flags.read;
  read.header = !flags.no_header;
  read.format = flags.format == "libsvm" ? DataFormat::libsvm
                : flags.format == "csv"  ? DataFormat::csv
                : flags.format == "idx"  ? DataFormat::idx
                                         : DataFormat::automatic;
  read.on_error = flags.on_error == "skip" ? OnError::skip : OnError::stop;
  if (!read.rejects.empty() && read.on_error == OnError::stop) {
    throw Error(ErrorKind::usage, "--rejects needs --on-error skip").fix("add --on-error skip, or leave out --rejects");
  }
  for (const std::string& text : flags.class_weights) {
    const std::size_t equals = text.rfind('=');
    char* end = nullptr;
    const double weight = equals == std::string::npos ? -1 : std::strtod(text.c_str() + equals + 1, &end);
    if (equals == std::string::npos || equals == 0 || end == text.c_str() + equals + 1 || *end != '\0' ||
        !std::isfinite(weight) || weight < 0) {
      throw Error(ErrorKind::usage, "--class-weight takes NAME=WEIGHT with a weight of at least 0, not '" + text + "'")
          .fix("such as --class-weight +1=2, which doubles what the rows of +1 weigh");
    }
    read.class_weights.emplace_back(text.substr(0, equals), weight);
  }
  return read;
}

std::uint64_t parse_size(const std::string& text, const char* flag) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  double factor = 0;
  const std::string unit(end);
  for (const auto& [name, value] : std::array<std::pair<const char*, double>, 8>{
           {{"", 1}, {"B", 1}, {"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"kB", 1e3}}}) {
    if (unit == name || unit == std::string(name) + "B") factor = value;
  }
  if (end == text.c_str() || factor == 0 || !(number >= 0) || number * factor > 1e18) {
    throw Error(ErrorKind::usage, std::string(flag) + " takes a size such as 512M or 4G, not '" + text + "'")
        .fix("give a number and one of the units k, M, G and T, or a number of bytes");
  }
  return static_cast<std::uint64_t>(number * factor);
}

}  // namespace halfspace::cli
