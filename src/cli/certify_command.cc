// halfspace certify: decides linear separability, with proof.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <tuple>

#include "base/clock.h"
#include "cli/commands.h"
#include "cli/report_flags.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/proof/certify_settings.h"
#include "proof/certify/certify_figures.h"
#include "proof/certify/proof_json.h"
#include "proof/certify/proof_text.h"
#include "report/results/json.h"

namespace halfspace::cli {
namespace {

struct CertifyFlags : CertifySettings {
  std::string output;
  bool json = false;
  ReportFlags report;
};

void write_certificate_file(const proof::Certificate& certificate, const std::string& path) {
  const std::string text = proof::encode_certificate(certificate);
  write_atomically(path, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, &interrupted());
}

bool safe_in_file_names(const std::string& name) {
  return !name.empty() && name.size() <= 60 && name[0] != '.' && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '+' ||
           c == '.';
  });
}

// Returns the number of rows of the witness; 0 without a witness.
std::size_t witness_rows(const PairwiseAnswer& answer) {
  return answer.verdict == proof::Verdict::not_separable ? answer.certificate.combinations.front().terms.size() : 0;
}

// Decides multiclass data two classes at a time: a table of verdicts, and a folder of certificates.
class CertifyPairs {
 public:
  explicit CertifyPairs(const CertifyFlags& flags) : flags_(flags), progress_(true) {}

  // Returns exit code 0 if every question was decided, else 3.
  int run() {
    PairwiseOptions options = pairwise_options(flags_);
    attend(options.read);
    options.memory.folder = temporary_folder();
    options.interrupt = &interrupted();
    options.on_answer = [this](const PairwiseAnswer& answer) { keep(answer); };
    if (!flags_.output.empty()) make_folder();
    const auto begin = Clock::now();
    pairwise(options, [this](const std::vector<std::string>& classes) { return questions(classes); });
    progress_.clear();
    seconds_ = seconds_since(begin);
    finish(
        flags_.json, flags_.report, [this] { return json(); }, [this] { return text(); });
    return decided_ == asked_ ? 0 : 3;
  }

 private:
  void make_folder() const {
    std::error_code error;
    std::filesystem::create_directories(flags_.output, error);
    if (error) throw Error(ErrorKind::input_output, "cannot make this folder: " + error.message()).at(flags_.output);
  }

  std::vector<PairwiseQuestion> questions(const std::vector<std::string>& classes) {
    classes_ = classes;
    names_are_safe_ = std::all_of(classes.begin(), classes.end(), safe_in_file_names);
    std::vector<PairwiseQuestion> all = questions_of(flags_, classes);
    asked_ = all.size();
    return all;
  }

  void keep(const PairwiseAnswer& answer) {
    const std::string mark = answer.verdict == proof::Verdict::separable       ? "yes"
                             : answer.verdict == proof::Verdict::not_separable ? std::to_string(witness_rows(answer))
                                                                               : "?";
    cells_[{answer.question.positive, answer.question.negative}] = mark;
    if (answer.verdict != proof::Verdict::undecided) ++decided_;
    search_ += answer.search_seconds;
    verify_ += answer.verify_seconds;
    const std::string certificate = flags_.output.empty() ? "" : file_of(answer.question);
    if (!certificate.empty()) write_certificate_file(answer.certificate, certificate);
    const bool rest = answer.question.negative.empty();
    report::Json line;
    line["positive"] = report::utf8(answer.question.positive);
    line["negative"] = rest ? report::Json(nullptr) : report::Json(report::utf8(answer.question.negative));
    line["verdict"] = name_of(answer.verdict);
    line["rows"] = answer.rows;
    line["witness_rows"] = witness_rows(answer);
    line["margin"] = {{"lower", answer.margin_lower}, {"upper", answer.margin_upper}};
    if (!certificate.empty()) line["certificate"] = report::utf8(certificate);
    line["seconds"] = {{"search", answer.search_seconds}, {"verify", answer.verify_seconds}};
    answers_[{rest, position(answer.question.positive), rest ? 0 : position(answer.question.negative)}] =
        std::move(line);
    if (progress_.due()) progress_.show(fmt::format("{} of {} questions decided", decided_, asked_));
  }

  std::size_t position(const std::string& name) const {
    return static_cast<std::size_t>(std::find(classes_.begin(), classes_.end(), name) - classes_.begin());
  }

  // Names classes by name, or by number if a name cannot be part of a file name.
  std::string file_of(const PairwiseQuestion& question) const {
    const auto name = [this](const std::string& klass) {
      return names_are_safe_ ? klass : fmt::format("class{}", position(klass) + 1);
    };
    const std::string file = fmt::format("{}-{}.json", name(question.positive),
                                         question.negative.empty() ? "against-rest" : name(question.negative));
    return (std::filesystem::path(flags_.output) / file).string();
  }

  report::Json json() const {
    report::Json j = run_json("certify", flags_.report);
    j["questions"] = asked_;
    j["decided"] = decided_;
    j["answers"] = report::Json::array();
    for (const auto& [key, answer] : answers_) j["answers"].push_back(answer);
    j["seconds"] = {{"total", seconds_}, {"search", search_}, {"verify", verify_}};
    return j;
  }

  std::string text() const {
    std::string result =
        "  Which classes can a hyperplane separate? yes: separable; a number: rows of the witness that proves the "
        "opposite.\n\n";
    result += table();
    if (!flags_.output.empty()) result += dim(fmt::format("\n  certificates in {}", printable(flags_.output)));
    return result +
           fmt::format("\n  Search {}, verification {}, total {}.\n", duration(search_), duration(verify_),
                       duration(seconds_)) +
           "  " + bold(fmt::format("{} of {} questions decided", decided_, asked_)) +
           ", each by a proof checked in exact arithmetic.\n";
  }

  // A cell is "yes" for separable, the number of rows of the witness for not separable, "?" for undecided, empty for
  // not asked.
  std::string table() const {
    constexpr std::size_t width = 12;
    const auto cell = [this](const std::string& a, const std::string& b) {
      const auto found = cells_.find({a, b});
      return found == cells_.end() ? std::string() : found->second;
    };
    Table table(std::vector<bool>(classes_.size() + 2, false));
    std::vector<std::string> head = {""};
    for (const std::string& name : classes_) head.push_back(shortened(name, width));
    head.emplace_back("rest");
    table.add(head);
    for (const std::string& a : classes_) {
      std::vector<std::string> row = {shortened(a, width)};
      for (const std::string& b : classes_) row.push_back(cell(a, b));
      row.push_back(cell(a, ""));
      table.add(row);
    }
    return table.text();
  }

  const CertifyFlags& flags_;
  Progress progress_;
  std::map<std::pair<std::string, std::string>, std::string> cells_;  // an empty name stands for the rest
  std::vector<std::string> classes_;
  bool names_are_safe_ = true;
  std::map<std::tuple<bool, std::size_t, std::size_t>, report::Json> answers_;  // in the order of the questions
  std::size_t asked_ = 0, decided_ = 0;
  double seconds_ = 0, search_ = 0, verify_ = 0;
};

class CertifyCommand {
 public:
  explicit CertifyCommand(const CertifyFlags& flags) : flags_(flags) {}

  int run() {
    if (flags_.asks_many()) return CertifyPairs(flags_).run();
    CertifyOptions options = certify_options(flags_, &interrupted());
    attend(options.read);
    options.memory.folder = temporary_folder();
    Progress progress(true);
    options.record = flags_.report.wanted();
    options.on_progress = [this, &progress](const CertifyProgress& now) {
      if (flags_.report.wanted()) bracket_.add(now);
      if (!progress.due()) return;
      progress.show(now.upper > 0 ? fmt::format("{}: margin in [{}, {}], {}", now.stage, rounded_down(now.lower, 3),
                                                rounded_up(now.upper, 3), duration(now.seconds))
                                  : fmt::format("{}, {}", now.stage, duration(now.seconds)));
    };
    result_ = certify(options);
    progress.clear();
    if (!flags_.output.empty() && result_.certified) write_certificate_file(result_.certificate, flags_.output);
    finish(
        flags_.json, flags_.report, [this] { return json(); },
        [this] {
          return proof::certify_text(result_,
                                     {.seconds = flags_.seconds,
                                      .coefficients = flags_.coefficients,
                                      .hints = flags_.data.paths.size() == 1,
                                      .output = flags_.output,
                                      .data = data_words(flags_.data)},
                                     style_of());
        });
    return result_.verdict == proof::Verdict::separable ? 0 : result_.verdict == proof::Verdict::not_separable ? 1 : 3;
  }

 private:
  report::Json json() const {
    report::Json j = run_json("certify", flags_.report);
    j.update(proof::certify_result(result_));
    if (flags_.report.wanted()) j["figures"] = proof::certify_figures(result_, bracket_);
    return j;
  }

  const CertifyFlags& flags_;
  CertifyResult result_;
  proof::BracketRecord bracket_;
};

}  // namespace

Command certify_command() {
  auto flags = std::make_shared<CertifyFlags>();
  Command command("certify", "decide linear separability, with proof",
                  {{"halfspace certify credit.csv -o credit.proof", "prints the verdict and writes its proof"},
                   {"halfspace certify part-1.svm part-2.svm -o parts.proof", "several files are one question"},
                   {"halfspace verify credit.proof credit.csv", "checks the proof against the data"},
                   {"halfspace certify digits.svm --pairs --one-against-rest -o proofs",
                    "a table of verdicts for every pair of classes"}});
  command.common = {"help", "output", "seconds", "label", "id", "pairs", "bias", "report"};
  command.exits = {{1, "not separable"}, {3, "undecided; with --pairs or --one-against-rest, in some questions"}};
  command.add(
      {required({"DATA", "",
                 "LIBSVM, CSV or idx, plain or compressed, as one set; no ARFF, VW, JSON Lines, .npy, .npz or cache",
                 &flags->data.paths, data_files()}),
       {"-o,--output", "CERT", "write the certificate here; for many questions, into this folder", &flags->output,
        output_file_or_folder({"pairs", "one-against-rest"})}});
  command.add(question_options(*flags));
  command.add(kOutputGroup, {json_row(flags->json)});
  command.add(kOutputGroup, report_rows(flags->report));
  add_data_flags(command, flags->data, true);
  command.run = [flags](const Given&) { return CertifyCommand(*flags).run(); };
  return command;
}

}  // namespace halfspace::cli
