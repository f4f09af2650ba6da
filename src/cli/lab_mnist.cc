// The lab of MNIST: decides which digits are linearly separable. Every pair and every digit against the rest, on the
// training images, the test images and both together.
#include <fmt/format.h>

#include <filesystem>

#include "base/clock.h"
#include "cli/commands.h"
#include "cli/labs.h"
#include "cli/pair_table.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/proof/pairwise.h"
#include "report/json.h"

namespace halfspace::cli {
namespace {

constexpr const char* set_names[] = {"train", "test", "both"};

std::string image_file(const std::string& folder, const std::string& stem) {
  for (const char* ending : {"-images-idx3-ubyte", "-images-idx3-ubyte.gz", "-images-idx3-ubyte.zst"}) {
    const std::filesystem::path path = std::filesystem::path(folder) / (stem + ending);
    if (std::filesystem::exists(path)) return path.string();
  }
  throw Error(ErrorKind::no_input, fmt::format("no {}-images-idx3-ubyte in {}", stem, folder))
      .fix("give the folder that holds MNIST's four idx files, plain or gzip");
}

std::size_t set_of(const PairwiseQuestion& question) {
  return question.sources.size() == 2 ? 2 : question.sources.front();
}

class MnistLab {
 public:
  explicit MnistLab(const LabFlags& flags) : flags_(flags), progress_(true) {}

  int run() {
    PairwiseOptions options;
    options.paths = {image_file(flags_.data, "train"), image_file(flags_.data, "t10k")};
    options.seconds = flags_.seconds;
    options.threads = flags_.threads;
    options.memory = {std::uint64_t{4} << 30, temporary_folder()};
    options.interrupt = &interrupted();
    options.on_answer = [this](const PairwiseAnswer& answer) { keep(answer); };
    if (!flags_.output.empty()) std::filesystem::create_directories(flags_.output);
    const auto begin = Clock::now();
    pairwise(options, [this](const std::vector<std::string>& classes) {
      classes_ = classes;
      std::vector<PairwiseQuestion> questions;
      for (const std::vector<std::uint32_t>& sources : {std::vector<std::uint32_t>{0, 1}, {0}, {1}}) {
        for (PairwiseQuestion& question : pairwise_questions(classes, sources))
          questions.push_back(std::move(question));
      }
      asked_ = questions.size();
      return questions;
    });
    progress_.clear();
    seconds_ = seconds_since(begin);
    finish(
        flags_.json, flags_.report, [this] { return json(); }, [this] { return text(); });
    return decided_ == asked_ ? 0 : 3;
  }

 private:
  struct Line {
    std::size_t set;
    PairwiseQuestion question;
    proof::Verdict verdict;
    std::uint64_t rows;
    std::size_t witness;
    double lower, upper, search, verify;
  };

  void keep(const PairwiseAnswer& answer) {
    tables_[set_of(answer.question)].add(answer);
    lines_.push_back({set_of(answer.question), answer.question, answer.verdict, answer.rows, witness_rows(answer),
                      answer.margin_lower, answer.margin_upper, answer.search_seconds, answer.verify_seconds});
    if (answer.verdict != proof::Verdict::undecided) ++decided_;
    if (!flags_.output.empty()) {
      const std::string name =
          fmt::format("{}-{}-{}.json", set_names[set_of(answer.question)], answer.question.positive,
                      answer.question.negative.empty() ? "rest" : answer.question.negative);
      write_certificate(answer, (std::filesystem::path(flags_.output) / name).string());
    }
    if (progress_.due()) progress_.show(fmt::format("{} of {} questions decided", lines_.size(), asked_));
  }

  report::Json json() const {
    report::Json j = run_json("lab", flags_.report);
    j["lab"] = "mnist";
    j["questions"] = asked_;
    j["decided"] = decided_;
    j["answers"] = report::Json::array();
    double search = 0, verify = 0;
    for (const Line& line : lines_) {
      search += line.search;
      verify += line.verify;
      j["answers"].push_back({{"set", set_names[line.set]},
                              {"positive", line.question.positive},
                              {"negative", line.question.negative.empty() ? "rest" : line.question.negative},
                              {"verdict", name_of(line.verdict)},
                              {"rows", line.rows},
                              {"witness_rows", line.witness},
                              {"margin", {{"lower", line.lower}, {"upper", line.upper}}},
                              {"seconds", {{"search", line.search}, {"verify", line.verify}}}});
    }
    j["seconds"] = {{"total", seconds_}, {"search", search}, {"verify", verify}};
    return j;
  }

  // Writes a table for each set.
  std::string text() const {
    std::string result =
        "  Which digits can a hyperplane separate? yes: separable; a number: rows of the witness that proves the "
        "opposite.\n";
    double search = 0, verify = 0;
    for (std::size_t set = 0; set < 3; ++set) {
      for (const Line& line : lines_) {
        if (line.set != set) continue;
        search += line.search;
        verify += line.verify;
      }
      result += fmt::format("\n  {}\n", bold(set_names[set]));
      result += tables_[set].text(classes_);
    }
    std::string open;
    for (const Line& line : lines_) {
      if (line.verdict != proof::Verdict::undecided) continue;
      open +=
          fmt::format("  undecided: {} {} against {}, margin at most {}\n", set_names[line.set], line.question.positive,
                      line.question.negative.empty() ? "rest" : line.question.negative, rounded_up(line.upper, 6));
    }
    result += "\n" + open;
    return result + totals_text({asked_, decided_, search, verify, seconds_});
  }

  const LabFlags& flags_;
  Progress progress_;
  PairTable tables_[3];
  std::vector<std::string> classes_;
  std::vector<Line> lines_;
  std::size_t asked_ = 0, decided_ = 0;
  double seconds_ = 0;
};

}  // namespace

int lab_mnist(const LabFlags& flags) {
  if (flags.plot) throw Error(ErrorKind::usage, "lab mnist has no numbers to plot").fix("leave out --plot");
  return MnistLab(flags).run();
}

}  // namespace halfspace::cli
