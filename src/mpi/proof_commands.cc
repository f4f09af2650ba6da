// Proofs about rows that the workers of an MPI job read.
#include "mpi/proof_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/whole_file.h"
#include "cli/commands.h"
#include "cli/report_flags.h"
#include "cli/terminal.h"
#include "halfspace/model/model_file.h"
#include "halfspace/proof/certify_settings.h"
#include "mpi/engine.h"
#include "proof/certify/proof_text.h"

namespace halfspace::mpi {
namespace {

using namespace cli;

struct CertifyFlags : CertifySettings {
  std::string output;
  bool json = false, quiet = false;
  double time_out = 60;
};

struct VerifyFlags {
  std::string certificate;
  std::vector<std::string> data;
  bool json = false;
  double time_out = 60;
};

Row time_out_option(double& seconds) {
  return {"--time-out", "SECONDS", "how long a worker may give no sign of life (default 60)", &seconds,
          takes::above(0)};
}

// Returns the options of a question that workers decide.
std::vector<Option> shared_options(CertifySettings& settings) {
  constexpr std::array<std::string_view, 5> shared = {"bias", "bias-scale", "seconds", "extra-seconds", "memory"};
  const auto is_shared = [&](std::string_view name) {
    return std::find(shared.begin(), shared.end(), name) != shared.end();
  };
  std::vector<Option> options = question_options(settings);
  std::erase_if(options, [&](const Option& option) { return !is_shared(option.name); });
  for (Option& option : options) {
    std::erase_if(option.idle, [&](const Option::Idle& idle) { return !is_shared(idle.flag); });
    if (option.name == "seconds")
      option.help = "limit for everything, including reading and checking the proof (default: no limit)";
    if (option.name == "memory") option.help = "limit for the search, on worker 0 (default 4G)";
  }
  return options;
}

// Does a job about files that every worker can read. Returns it, done, on worker 0.
std::optional<jobs::Job> done_by(Workers& workers, double time_out, bool shows,
                                 const std::function<jobs::Order()>& order) {
  workers.set_time_out(time_out);
  workers.set_interrupt(&interrupted());
  Engine engine(workers, {}, &interrupted(), temporary_folder());
  if (!workers.leads()) {
    engine.run(nullptr);
    return std::nullopt;
  }
  Progress progress(shows);
  const Clock::time_point begun = Clock::now();
  jobs::Job job(order());
  engine.run(&job, [&, shown = std::size_t{0}]() mutable {
    show_notes(job, shown);
    if (progress.due()) progress.show(fmt::format("{}, {}", job.step(), duration(seconds_since(begun))));
  });
  progress.clear();
  return job;
}

// Texts are plain: mpirun gives worker 0 a pseudo-terminal, whatever its own output is.
int certify(Workers& workers, const CertifyFlags& flags, const Given& given) {
  const std::optional<jobs::Job> job = done_by(workers, flags.time_out, !flags.quiet && !flags.json, [&] {
    CertifySettings settings;
    return jobs::Order{.kind = jobs::Kind::certify, .options = {flags.data.paths, given.options(options_of(settings))}};
  });
  if (!job) return 0;
  const CertifyResult& result = job->certified();
  if (!flags.output.empty() && result.certified) {
    const std::string text = proof::encode_certificate(result.certificate);
    write_atomically(flags.output, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, &interrupted());
  }
  if (flags.json) {
    report::Json j = run_json("certify", {});
    j["workers"] = workers.size();
    j.update(report::Json::parse(job->json()));
    print_result(dumped(j));
  } else {
    print_result(proof::certify_text(
        result, {.seconds = flags.seconds, .output = flags.output, .data = data_words(flags.data)}));
  }
  return result.verdict == proof::Verdict::separable ? 0 : result.verdict == proof::Verdict::not_separable ? 1 : 3;
}

int verify(Workers& workers, const VerifyFlags& flags) {
  std::string text;
  const std::optional<jobs::Job> job = done_by(workers, flags.time_out, false, [&] {
    text = whole_file(flags.certificate, &interrupted());
    proof::decode_certificate(text, flags.certificate);  // whose errors name the file
    return jobs::Order{.kind = jobs::Kind::verify, .options = {flags.data, {}}, .certificate = text};
  });
  if (!job) return 0;
  const proof::Verification& result = job->verified();
  print_result(flags.json ? report::Json::parse(job->json()).dump(2) + "\n"
                          : proof::verification_text(proof::decode_certificate(text, flags.certificate), result));
  return result.valid ? 0 : 1;
}

}  // namespace

Command certify_command(Workers& workers) {
  auto flags = std::make_shared<CertifyFlags>();
  Command command("certify", "decide linear separability, with proof: each worker reads whole files",
                  {{"mpirun -n 2 halfspace-mpi certify data/part-* -o parts.proof", "the same proof for any number"},
                   {"halfspace verify parts.proof data/part-*", "checks it on one machine"}});
  command.program = "halfspace-mpi";
  command.exits = {{1, "not separable"}, {3, "undecided"}};
  command.add({data_row(flags->data, "LIBSVM, CSV or idx, as one set; a file is with one worker"),
               {"-o,--output", "CERT", "write the certificate here", &flags->output, output_file()},
               time_out_option(flags->time_out)});
  command.add(shared_options(*flags));
  command.add(kOutputGroup, {json_row(flags->json), quiet_row(flags->quiet)});
  add_data_flags(command, flags->data, true);
  command.run = [flags, &workers](const Given& given) { return certify(workers, *flags, given); };
  return command;
}

Command verify_command(Workers& workers) {
  auto flags = std::make_shared<VerifyFlags>();
  Command command("verify", "check a proof of separability: each worker reads whole files",
                  {{"mpirun -n 2 halfspace-mpi verify parts.proof data/part-*", "the files in the same order"}});
  command.program = "halfspace-mpi";
  command.exits = {{1, "the certificate is not valid"}};
  command.add({required({"CERT", "", "the certificate, as certify wrote it", &flags->certificate, input_file()}),
               required({"DATA", "", "the certified data, in order", &flags->data, data_files()}),
               time_out_option(flags->time_out)});
  command.add(kOutputGroup, {json_row(flags->json)});
  command.run = [flags, &workers](const Given&) { return verify(workers, *flags); };
  return command;
}

}  // namespace halfspace::mpi
