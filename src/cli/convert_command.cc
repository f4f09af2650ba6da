// halfspace convert: parses text once and keeps it as a binary cache.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/stream/cache.h"

namespace halfspace::cli {
namespace {

struct ConvertFlags {
  DataFlags data;
  std::string output;
};

int convert_data(const ConvertFlags& flags) {
  ReadOptions read = options_to_read(flags.data);
  if (read.more.empty() && is_cache(read.path)) {
    throw Error(ErrorKind::usage, "already a cache").at(read.path).fix("copy the file, or convert its original text");
  }
  if (std::filesystem::is_regular_file(flags.output) && std::filesystem::file_size(flags.output) > 0 &&
      !is_cache(flags.output)) {
    throw Error(ErrorKind::usage, "exists and is not a cache: not replaced")
        .at(flags.output)
        .fix("name the cache last, or with -o; or remove this file");
  }
  Progress progress(true);
  read.progress = [&](std::uint64_t done, std::uint64_t total) {
    if (interrupted()) throw Error(ErrorKind::input_output, "interrupted: no cache was written");
    if (progress.due() && total > 0) {
      progress.show(fmt::format("{:.0f} %", 100 * static_cast<double>(done) / static_cast<double>(total)));
    }
  };
  const ReadReport report = convert(read, flags.output);
  progress.clear();
  // The size is unknown if the cache goes into a pipe.
  std::error_code unknown;
  const std::uint64_t size = std::filesystem::file_size(flags.output, unknown);
  print_result(fmt::format("{}, {}: {} of text{}\n", counted(report.rows, "row"), counted(report.stored, "value"),
                           byte_size(report.bytes), unknown ? "" : ", " + byte_size(size) + " of cache"));
  if (report.rejected > 0) {
    print_message(
        fmt::format("{} skipped, not in the cache: {}\n", bold("note:", false), counted(report.rejected, "bad row")));
  }
  return 0;
}

}  // namespace

Command convert_command() {
  auto flags = std::make_shared<ConvertFlags>();
  Command command("convert", "convert text to the binary cache, which needs no parsing",
                  {{"halfspace convert big.svm.gz big.cache", "parse and check once; the cache replaces the text"},
                   {"halfspace train big.cache --passes 10 -o m", "the same model, bit for bit, as from big.svm.gz"},
                   {"halfspace convert sales.csv sales.cache --label won --weight days",
                    "the cache stores the roles of the columns"}});
  command.common = {"help", "output", "label", "id", "format"};
  command.add(
      {data_row(flags->data, kAnyFormat),
       or_by_flag("output", required({"CACHE", "",
                                      "the cache to write, the last name; a complete cache replaces an existing one "
                                      "of that name",
                                      &flags->output, output_file()})),
       {"-o,--output", "CACHE", "write the cache here, instead of the last name", &flags->output, output_file()}});
  add_data_flags(command, flags->data, true);
  command.add(kDataGroup, {{"--weight", "COL", "column with the rows' weights, which the cache keeps",
                            &flags->data.read.columns.weight}});
  command.run = [flags](const Given&) { return convert_data(*flags); };
  return command;
}

}  // namespace halfspace::cli
