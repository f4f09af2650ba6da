// Every request of a command for memory is refused once, and once with all that follow: the command ends in words, and
// what was there is there, or what an undisturbed run leaves.
#include <random>
#include <utility>

#include "faults/faults.h"
#include "stream/stream_support.h"

namespace halfspace::fault_tests {
namespace {

const std::vector<Line>& memory_lines() {
  static const std::vector<Line> lines{
      {"train",
       words(
           "train t.csv --text remark --passes 3 --threads 2 -o m --report r.html --checkpoint 100rows --log l.jsonl"),
       "",
       {"l.jsonl"},
       {"m"}},
      {"train-chunks", words("train long.svm -q --threads 3 -o m")},
      {"train-shuffled", words("train long.svm -q --threads 2 --order shuffled --passes 2 -o m")},
      {"train-gzip", words("train t.csv.gz -q -o m")},
      {"train-xz", words("train t.csv.xz -q -o m")},
      {"train-zstd", words("train t.csv.zst -q -o m")},
      {"train-bzip2", words("train t.csv.bz2 -q -o m")},
      {"train-lines", words("train t.jsonl -q -o m")},
      {"train-vw", words("train t.vw -q -o m")},
      {"train-kernel", words("train few.svm -q --rule kernel --passes 2 -o m")},
      {"train-folds", words("train few.svm -q --folds 3 --calibrate platt -o m")},
      {"train-cache", words("train few.cache -q --passes 2 -o m")},
      {"resume", words("train few.svm -q --resume old.model -o m")},
      {"predict", words("predict table.model t.csv --threads 2 --as csv -o p.txt")},
      {"evaluate", words("evaluate table.model t.csv --threads 2 --json")},
      {"certify", words("certify few.svm -o c.json --report r.html")},
      {"certify-inseparable", words("certify mixed.svm.gz -o c.json")},
      {"minimum", words("train few.svm --objective svm --certificate c.json -o m")},
      {"certify-xz", words("certify few.svm.xz -o c.json")},
      {"certify-zstd", words("certify few.svm.zst -o c.json")},
      {"certify-bzip2", words("certify few.svm.bz2 -o c.json")},
      {"certify-pairs", words("certify three.svm --pairs --threads 2 -o proofs")},
      {"verify", words("verify few.json few.svm")},
      {"experts", words("experts losses.csv --losses --report r.html")},
      {"bandit", words("bandit losses.csv --algorithm exp3 --report r.html")},
      {"live", words("bandit --live --arms 3 --state s"), "asks.txt", {}, {"s"}},
      {"convert", words("convert t.csv c.cache --threads 2")},
      {"check", words("check bad.svm --on-error skip --rejects x.csv")},
      {"onnx", words("export old.model -o e.onnx")},
      {"report", words("report run.json -o r.html")},
  };
  return lines;
}

// What every line may read, and what stands where it writes.
void furnish_for_memory(const Command& command) {
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(command.folder() / name, std::ios::binary) << text;
  };
  std::string table = "label,size,colour,remark\n", objects, spaces, few, mixed, three, bad, longer, asks;
  std::string losses = "a,b,c\n";
  std::minstd_rand draw;
  for (int i = 0; i < 200; ++i) {
    const std::string sign = draw() % 2 != 0 ? "+1" : "-1", number = std::to_string(draw() % 1000);
    const std::string colour = i % 3 == 0 ? "red" : i % 3 == 1 ? "green" : "blue";
    table += (sign == "+1" ? "yes," : "no,") + number + "," + colour + ",\"rain " + number + " " + colour + "\"\n";
    objects += "{\"label\":\"" + sign + "\",\"a\":" + number + ",\"b\":\"" + colour + "\"}\n";
    spaces += sign + " |a x:" + number + " |b " + colour + "\n";
    bad += sign + (i % 20 == 7 ? " 1:x\n" : " 1:" + number + "\n");
    if (i < 30) losses += std::to_string(i % 2) + "," + std::to_string(i % 3 / 2) + ",0.5\n";
    if (i < 20) mixed += sign + " 1:" + number + " 2:0." + std::to_string(i) + "\n";
    if (i < 12) few += (i % 2 != 0 ? "+1 1:" : "-1 1:-") + std::to_string(1 + i % 5) + " 2:" + std::to_string(i) + "\n";
    if (i < 12) three += std::to_string(i % 3) + " " + std::to_string(1 + i % 3) + ":1\n";
    if (i < 60)
      asks += i % 3 != 2 ? "{\"ask\":true}\n" : "{\"ticket\":" + std::to_string(i / 3 * 2 + 1) + ",\"loss\":0.5}\n";
  }
  for (int i = 0; i < 5000; ++i) {  // several blocks of text, and of rows in a shuffled pass
    longer += draw() % 2 != 0 ? "+1" : "-1";
    for (int j = 1; j <= 32; ++j) longer += " " + std::to_string(j) + ":" + std::to_string(draw() % 10);
    longer += "\n";
  }
  for (const auto& [name, text] : {std::pair<const char*, const std::string&>{"t.csv", table},
                                   {"t.jsonl", objects},
                                   {"t.vw", spaces},
                                   {"few.svm", few},
                                   {"mixed.svm", mixed},
                                   {"three.svm", three},
                                   {"bad.svm", bad},
                                   {"long.svm", longer},
                                   {"losses.csv", losses},
                                   {"asks.txt", asks}})
    write(name, text);
  write("t.csv.gz", testing_stream::gzip(table));
  write("t.csv.xz", testing_stream::xz(table));
  write("t.csv.zst", testing_stream::zstd(table));
  write("t.csv.bz2", testing_stream::bzip2(table));
  write("mixed.svm.gz", testing_stream::gzip(mixed));
  write("few.svm.xz", testing_stream::xz(few));
  write("few.svm.zst", testing_stream::zstd(few));
  write("few.svm.bz2", testing_stream::bzip2(few));
  for (const char* line :
       {"train few.svm -q --holdout 0.3 --calibrate platt -o old.model", "train t.csv -q --text remark -o table.model",
        "convert few.svm few.cache", "certify few.svm -o few.json"})
    ASSERT_EQ(command.run(words(line)).code, 0) << line;
  const Ended run = command.run(words("train few.svm --passes 2 --json --figures"));
  ASSERT_EQ(run.code, 0) << run.err;
  write("run.json", run.out);
  fs::copy_file(command.folder() / "few.cache", command.folder() / "c.cache");
  for (const char* name : {"m", "r.html", "l.jsonl", "x.csv", "p.txt", "c.json", "e.onnx"})
    write(name, std::string("what was in ") + name + "\n");
}

// The largest requests, which are those that find no memory, and some all along the run.
std::vector<std::uint64_t> some_requests(const std::vector<std::uint64_t>& sizes) {
  constexpr std::size_t most_large = 4, most_spread = 6;
  std::vector<std::uint64_t> numbers(sizes.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i + 1;
  if (exhaustive() || numbers.size() <= most_large + most_spread) return numbers;
  std::vector<std::uint64_t> chosen{1, 2};
  std::minstd_rand draw;
  for (std::size_t k = 0; k < most_spread; ++k) {
    const std::size_t begin = numbers.size() * k / most_spread, end = numbers.size() * (k + 1) / most_spread;
    chosen.push_back(numbers[begin + draw() % (end - begin)]);
  }
  // Copies of a temporary name would be asked for when its file is there, and would leave it behind.
  constexpr std::size_t most_names = 4, size_of_name = sizeof "./.halfspace-0123456789abcdef-0.tmp";
  for (std::size_t i = sizes.size(), names = 0; i-- > 0 && names < most_names;) {
    if (sizes[i] != size_of_name) continue;
    chosen.push_back(i + 1);
    ++names;
  }
  std::partial_sort(numbers.begin(), numbers.begin() + most_large, numbers.end(),
                    [&](std::uint64_t a, std::uint64_t b) { return sizes[a - 1] > sizes[b - 1]; });
  chosen.insert(chosen.end(), numbers.begin(), numbers.begin() + most_large);
  return chosen;
}

class Memory : public ::testing::TestWithParam<Line> {
 protected:
  void expect_in_words(const Command& command, const Fault& fault) {
    const Line& line = GetParam();
    put_back(command.folder(), before_);
    const Ended run = command.run(line.arguments, line.input, fault);
    const std::string what = line.name + ": request " + std::to_string(fault.request) +
                             (fault.for_ever ? " and all behind it" : "") + ", code " + std::to_string(run.code) +
                             "\n" + run.err;
    if (run.code != whole_.code) {  // what can be done without is done without
      ASSERT_EQ(run.code, 74) << what;
      EXPECT_NE(run.err.find("memory"), std::string::npos) << what;
      EXPECT_NE(run.err.find("\n  fix: "), std::string::npos) << what;
    } else {
      EXPECT_TRUE(alike("out.json", run.out, whole_.out)) << what;
    }
    const Files now = files_below(command.folder());
    std::set<std::string> names;
    for (const Files* files : {&std::as_const(before_), &std::as_const(after_), &now}) {
      for (const auto& [name, text] : *files) names.insert(name);
    }
    for (const std::string& name : names) expect_old_or_new(name, now, run, what);
  }

  void expect_old_or_new(const std::string& name, const Files& now, const Ended& run, const std::string& what) {
    static const std::string none("\x01none");
    const auto text_of = [&](const Files& files) -> const std::string& {
      const auto found = files.find(name);
      return found == files.end() ? none : found->second;
    };
    const std::string& is = text_of(now);
    if (alike(name, is, text_of(after_)) || GetParam().keeps_up(name)) return;
    if (run.code != whole_.code && is == text_of(before_)) return;
    if (run.code != whole_.code && GetParam().growing.contains(name) && is.ends_with("\n") &&
        without_numbers(text_of(after_)).starts_with(without_numbers(is)))
      return;
    ADD_FAILURE() << what << "\n" << name << " holds " << is.substr(0, 400);
  }

  Files before_, after_;
  Ended whole_;
};

TEST_P(Memory, ThatEndsIsToldAndCostsNothing) {
  if (sanitized) GTEST_SKIP() << "a preloaded library comes before the sanitizer's own";
  const Command command(fault_folder());
  furnish_for_memory(command);
  before_ = files_below(command.folder());
  whole_ = command.run(GetParam().arguments, GetParam().input, {}, "", true);
  ASSERT_TRUE(whole_.code == 0 || whole_.code == 1) << whole_.err;
  after_ = files_below(command.folder());
  const std::vector<std::uint64_t> sizes = command.requests();
  ASSERT_GT(sizes.size(), 30U);
  RecordProperty("requests", static_cast<int>(sizes.size()));
  int tried = 0;
  for (const std::uint64_t request : some_requests(sizes)) {
    for (const bool for_ever : {false, true}) {
      if (for_ever && !exhaustive() && ++tried % 3 != 0) continue;
      expect_in_words(command, {0, "", for_ever, request});
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, Memory, ::testing::ValuesIn(memory_lines()), [](const auto& line) {
  std::string name = line.param.name;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace halfspace::fault_tests
