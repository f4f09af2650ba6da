// halfspace audit: whether a model is what this program makes of these rows.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/whole_file.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/train/audit.h"
#include "proof/verify/sha256.h"
#include "report/results/json.h"

namespace halfspace::cli {
namespace {

struct AuditFlags : TrainSettings {
  std::string model, receipt, by;
  bool json = false;
};

std::vector<Option> training_options(AuditFlags& flags) {
  std::vector<Option> all = options_of(flags);
  all.push_back(search_option(flags.search));
  return all;
}

// Returns the SHA-256 of a file's bytes.
std::string sha256_of(const std::string& path) {
  proof::Sha256 hash;
  each_piece(path, &interrupted(), [&](std::string_view piece) {
    hash.add(piece);
    return true;
  });
  return hash.finish();
}

Json hash_of(const std::string& path) {
  return {{"name", utf8(std::filesystem::path(path).filename().string())}, {"sha256", sha256_of(path)}};
}

// Throws Error(data) if a file is not the one of the receipt.
void check_hash(const Json& recorded, const std::string& path) {
  if (recorded.at("sha256").get<std::string>() == sha256_of(path)) return;
  throw Error(ErrorKind::data, "is not the file of the receipt: its SHA-256 is another")
      .at(path)
      .fix("give the file '" + printable(recorded.at("name").get<std::string>()) + "' as it was");
}

// Sets the options that a receipt states, and checks the files by its hashes.
std::vector<std::pair<std::string, std::string>> follow_receipt(AuditFlags& flags) {
  std::vector<std::pair<std::string, std::string>> options;
  try {
    std::string repeated;
    const Json receipt = Json::parse(whole_file(flags.by, &interrupted()), {.repeated_key = &repeated});
    if (!repeated.empty())
      throw Error(ErrorKind::data, "the receipt has '" + printable(repeated) + "' twice")
          .at(flags.by)
          .fix("give the receipt as audit wrote it");
    check_hash(receipt.at("model"), flags.model);
    const Json& data = receipt.at("data");
    if (data.size() != flags.data.paths.size()) {
      throw Error(ErrorKind::usage, fmt::format("the receipt is of {}", counted(data.size(), "file")))
          .at(flags.by)
          .fix("give as many, in the same order");
    }
    for (std::size_t i = 0; i < data.size(); ++i) check_hash(data[i], flags.data.paths[i]);
    if (receipt.at("command").get<std::string>() != "audit") throw Json::exception("another command");
    for (const auto& [name, value] : receipt.at("options").items()) {
      if (!value.is_array()) throw Json::exception("no list");
      for (const Json& text : value) options.emplace_back(name, text.get<std::string>());
    }
  } catch (const Json::exception&) {
    throw Error(ErrorKind::data, "is no receipt of halfspace audit").at(flags.by).fix("write one with --receipt");
  }
  const std::vector<Option> all = training_options(flags);
  for (const auto& [name, text] : options) set_option(all, name, text);
  return options;
}

Json receipt_of(const AuditFlags& flags, const std::vector<std::pair<std::string, std::string>>& options,
                const AuditResult& result) {
  Json j = {{"command", "audit"}, {"version", result.again.provenance.version}, {"equal", result.equal()}};
  j["model"] = hash_of(flags.model);
  j["data"] = Json::array();
  for (const std::string& path : flags.data.paths) j["data"].push_back(hash_of(path));
  j["options"] = Json::object();
  for (const auto& [name, text] : options) j["options"][name].push_back(text);
  j["composition"] = report::composition(result.again.composition);
  j["fingerprints"] = Json::array();
  for (const std::string& digest : result.again.provenance.fingerprints) j["fingerprints"].push_back(digest);
  j["differences"] = Json::array();
  for (const AuditDifference& d : result.differences) {
    Json item = {{"what", utf8(d.what)}};
    item["model"] = utf8(d.of_model);
    item["again"] = utf8(d.again);
    j["differences"].push_back(std::move(item));
  }
  return j;
}

std::string text_of(const AuditFlags& flags, const AuditResult& result) {
  std::string text;
  for (const AuditDifference& d : result.differences) {
    const std::string values =
        d.of_model.empty() && d.again.empty()
            ? "differs"
            : fmt::format("{} in the model, {} now", shortened(d.of_model, 40), shortened(d.again, 40));
    text += fmt::format("  {:<24} {}\n", shortened(d.what, 40), values);
  }
  const std::string model = printable(flags.model), version = result.again.provenance.version;
  if (result.equal()) {
    return text + bold(fmt::format("{} is what Halfspace {} makes of {}: every bit is the same\n", model, version,
                                   counted(result.again.position.rows, "row")));
  }
  return text + dim("  a run from a pipe, or continued with --resume, is another run than one from files\n") +
         bold(fmt::format("{} is not what Halfspace {} makes of these rows with these flags\n", model, version));
}

// Throws Error(data) if the receipt states another result than this one.
void check_result(const AuditFlags& flags, const Json& found) {
  const Json stated = Json::parse(whole_file(flags.by, &interrupted()));
  for (const auto& [name, value] : found.items()) {
    if (stated.contains(name) && stated.at(name) == value) continue;
    throw Error(ErrorKind::data, "the receipt's '" + name + "' is another than this audit's")
        .at(flags.by)
        .fix("see this audit's with --receipt FILE, without --by");
  }
}

int audit_model(AuditFlags& flags, std::vector<std::pair<std::string, std::string>> options) {
  if (std::find(flags.data.paths.begin(), flags.data.paths.end(), "-") != flags.data.paths.end()) {
    throw Error(ErrorKind::usage, "audit reads the rows twice, and standard input can be read once")
        .fix("save the rows in a file");
  }
  if (!flags.by.empty()) {
    if (!options.empty()) {
      throw Error(ErrorKind::usage, "--by takes the flags of training from the receipt")
          .fix("leave out --" + options.front().first);
    }
    options = follow_receipt(flags);
  }
  attend(flags.data.read);
  flags.interrupt = &interrupted();
  const Model model = load_model(flags.model, &interrupted());
  const AuditResult result = audit(model, flags);
  if (interrupted()) throw Error(ErrorKind::input_output, "interrupted: nothing was compared");
  const Json receipt = receipt_of(flags, options, result);
  if (!flags.by.empty()) check_result(flags, receipt);
  if (!flags.receipt.empty()) {
    const std::string text = receipt.dump(2) + "\n";
    write_atomically(flags.receipt, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, &interrupted());
  }
  print_result(flags.json ? receipt.dump(2) + "\n" : text_of(flags, result));
  return result.equal() ? 0 : 1;
}

}  // namespace

Command audit_command() {
  auto flags = std::make_shared<AuditFlags>();
  Command command(
      "audit", "whether a model is what its rows make: train again, compare every bit",
      {{"halfspace audit credit.model credit.csv --id applicant", "with the flags that it was trained with"},
       {"halfspace audit credit.model credit.csv --receipt audit.json", "and write what others can check"},
       {"halfspace audit credit.model credit.csv --by audit.json", "check it: hashes, then the training"}});
  command.common = {"help", "receipt", "by", "json", "label", "id", "rule", "passes"};
  command.exits = {{1, "the model is another"}};
  command.add({required({"MODEL", "", "a model that train wrote from files", &flags->model, input_file()}),
               data_row(flags->data, "the rows it learned from"),
               {"--receipt", "FILE", "write hashes of data and model, flags, composition and result as JSON",
                &flags->receipt, output_file()},
               {"--by", "FILE", "take the flags from this receipt, and check its hashes", &flags->by, input_file()},
               json_row(flags->json)});
  command.add("Flags of training, as they were", training_options(*flags));
  command.run = [flags](const Given& given) { return audit_model(*flags, given.options(training_options(*flags))); };
  return command;
}

}  // namespace halfspace::cli
