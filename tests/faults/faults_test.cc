// Every call to the system that a command makes while it writes goes wrong once: what is left is the old or the new.
#include "faults/faults.h"

#include <sys/stat.h>

#include <functional>

#include "base/log/storage.h"
#include "cli/commands.h"
#include "service/live_chooser.h"

namespace halfspace::fault_tests {
namespace {

// Every command that writes a file, with every flag that names one.
const std::vector<Line>& writing_lines() {
  static const std::vector<Line> lines{
      {"train",
       words("train d.svm --threads 1 -o m --report r.html --save-run r.json --json --passes 2 --order cyclic")},
      {"watched",
       words("train d.svm --threads 1 -o m --log l.jsonl --trace t.jsonl --order shuffled --passes 2"),
       "",
       {"l.jsonl", "t.jsonl"}},
      {"checkpoints",
       words("train d.svm --threads 1 -q -o m --checkpoint 40rows --order shuffled --passes 4"),
       "",
       {},
       {"m"}},
      {"resumed", words("train d.svm --threads 1 -q --resume old.model -o m")},
      {"rejects", words("train bad.svm --threads 1 -q --on-error skip --rejects x.csv -o m")},
      {"spilled", words("train wide.svm --threads 1 -q --memory 64K --order shuffled --passes 2 -o m")},
      {"cached", words("train d.cache --threads 1 -q -o m")},
      {"threshold", words("train d.svm --threads 1 -q --holdout 0.3 --metric f1 --threshold auto -o m --json")},
      {"folds", words("train d.svm --threads 1 -q --folds 3 --calibrate platt -o m --json --report r.html")},
      {"predict", words("predict old.model d.svm --threads 1 -o p.txt")},
      {"predict-table",
       words("predict old.model bad.svm --threads 1 --as csv --on-error skip --rejects x.csv -o p.txt")},
      {"predict-lines", words("predict old.model d.svm --threads 1 --scores")},
      {"convert", words("convert bad.svm c.cache --threads 1 --on-error skip --rejects x.csv")},
      {"convert-to", words("convert d.svm --threads 1 -o c.cache")},
      {"certify", words("certify few.svm --threads 1 -o c.json --report r.html --save-run r.json")},
      {"certify-pairs", words("certify three.svm --threads 1 --pairs --one-against-rest -o proofs/more")},
      {"train-certify", words("train few.svm --threads 1 -q --certify -o m")},
      {"minimum", words("train few.svm --threads 1 -q --objective svm --certificate c.json -o m")},
      {"check", words("check bad.svm --threads 1 --on-error skip --rejects x.csv")},
      {"evaluate",
       words(
           "evaluate old.model bad.svm --threads 1 --on-error skip --rejects x.csv --report r.html --save-run r.json")},
      {"explain",
       words("explain old.model bad.svm --threads 1 --row 1 --on-error skip --rejects x.csv --report r.html --save-run "
             "r.json")},
      {"audit",
       words("audit old.model d.svm --threads 1 --holdout 0.3 --calibrate platt --on-error skip --rejects x.csv "
             "--receipt r.json")},
      {"onnx", words("export old.model -o e.onnx")},
      {"pmml", words("export old.model -o e.pmml")},
      {"sql", words("export table.model -o e.sql --dialect sqlite --view v")},
      {"c", words("export table.model -o e.c --function credit")},
      {"report", words("report run.json -o r.html")},
      {"report-stdin", words("report - -o r.html"), "run.json"},
      {"experts", words("experts losses.csv --losses --json --report r.html --save-run r.json")},
      {"bandit", words("bandit losses.csv --algorithm exp3 --report r.html --save-run r.json")},
      {"logged", words("bandit log.csv --logged --report r.html")},
      {"live", words("bandit --live --arms 3 --state s --sync"), "asks.txt", {}, {"s"}},
      {"ingest", words("serve --log t --ingest rows.jsonl"), "", {}, {"t"}},
      {"export-choices", words("choose --log choices --export e.jsonl")},
      {"compare", words("compare d.svm --test few.svm --rules averaged,pa1 --report r.html --save-run r.json")},
      {"lab", words("lab tightness --report r.html --save-run r.json")},
  };
  return lines;
}

// And those that only read, with every flag that names a file.
const std::vector<Line>& reading_lines() {
  static const std::vector<Line> lines{
      {"inspect", words("inspect old.model")},
      {"evaluate-all", words("evaluate old.model d.svm")},
      {"explain-within",
       words("explain old.model d.svm --row 1 --limits limits.csv --costs costs.csv --codes codes.csv")},
      {"audit-by", words("audit old.model d.svm --by by.json")},
      {"verify", words("verify few.proof few.svm")},
      {"certify-on", words("certify few.svm --resume few.proof")},
      {"learn-on", words("train d.svm -q --resume old.model")},
      {"packed", words("check d.svm.gz")},
      {"table", words("check losses.csv d.svm --label c")},
      {"ldim", words("lab ldim losses.csv")},
      {"serve", words("serve old.model --log live --port 0 --token-file few.svm --access-log access.jsonl")},
      {"serve-lines", words("serve old.model --log live --ingest few.svm")},
      {"serve-like", words("serve --like few.svm --log live --ingest few.svm")},
      {"choose", words("choose --log live --port 0 --token-file few.svm --access-log access.jsonl")},
  };
  return lines;
}

// And what runs other commands, in processes of their own: too long a run to break at every call, and what it runs is
// broken above.
const std::vector<Line>& leading_lines() {
  static const std::vector<Line> lines{{"demo", words("demo -o shown")},
                                       {"plane", words("lab plane xor --n 40 -o rows.csv")}};
  return lines;
}

std::vector<Line> together(std::vector<Line> lines, const std::vector<Line>& more) {
  lines.insert(lines.end(), more.begin(), more.end());
  return lines;
}

// Where a line names a file: the word, and the row that takes it.
struct FileWord {
  std::size_t at;
  const cli::Row* row;
};

std::vector<FileWord> file_words(const cli::Command& command, const Line& line) {
  std::vector<const cli::Row*> positionals;
  for (const cli::Row& row : command.rows) {
    if (row.positional()) positionals.push_back(&row);
  }
  std::vector<FileWord> found;
  std::vector<std::size_t> places;  // of positionals
  for (std::size_t i = 1; i < line.arguments.size(); ++i) {
    const std::string& word = line.arguments[i];
    if (!word.starts_with("-") || word == "-") {
      places.push_back(i);
      continue;
    }
    const cli::Row* row = word[1] == '-' ? command.flag(std::string_view(word).substr(2)) : command.flag(word[1]);
    if (row->takes_value()) ++i;
    if (row->takes_file()) found.push_back({i, row});
  }
  // One row of them may take several words, as many as the others leave.
  const std::size_t several = places.size() - std::min(places.size(), positionals.size());
  std::size_t next = 0;
  for (const cli::Row* row : positionals) {
    for (std::size_t k = 0; k < (row->repeats() ? several + 1 : 1) && next < places.size(); ++k, ++next) {
      if (row->takes_file() && line.arguments[places[next]] != "-") found.push_back({places[next], row});
    }
  }
  return found;
}

const cli::Command& command_of(const Line& line) {
  static const std::vector<cli::Command> commands = cli::every_command();
  return *std::find_if(commands.begin(), commands.end(),
                       [&](const cli::Command& command) { return command.name == line.arguments.front(); });
}

// Writes a log of a few choices and their rewards.
void make_choices(const fs::path& folder) {
  const auto storage = log::open_folder(folder.string());
  const ChooserSettings settings;
  service::DurableChooser chooser(*storage, &settings, {});
  for (const std::string id : {"v1", "v2", "v3"}) {
    chooser.rank(R"({"actions": [{"id": "a", "features": [{"long": true}]}, {"id": "b"}]})", id, 1000);
    chooser.reward(id, 0.5, 2000);
  }
  chooser.commit();
}

// What every line may read, and what stands where it writes.
void furnish(const Command& command) {
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(command.folder() / name, std::ios::binary) << text;
  };
  // Two digits of four pixels, in the way of MNIST.
  const std::string images("\0\0\x08\x03\0\0\0\4\0\0\0\2\0\0\0\2\1\2\3\4\4\3\2\1\1\1\3\4\4\4\1\1", 32),
      labels("\0\0\x08\x01\0\0\0\4\0\1\0\1", 12);
  fs::create_directories(command.folder() / "digits");
  for (const char* set : {"train", "t10k"}) {
    write(std::string("digits/") + set + "-images-idx3-ubyte", images);
    write(std::string("digits/") + set + "-labels-idx1-ubyte", labels);
  }
  std::string noise, wide, few, three, bad, table = "x,kind,label\n", losses = "a,b,c\n",
                                            log = "action,reward,propensity\n", asks;
  unsigned state = 1;
  for (int i = 0; i < 120; ++i) {
    state = state * 1664525U + 1013904223U;
    const std::string sign = state >> 31 != 0 ? "+1" : "-1", value = std::to_string(state % 977);
    noise += sign + " 1:" + value + " 2:" + std::to_string(i % 13) + "\n";
    bad += i % 20 == 7 ? sign + " 1:x\n" : sign + " 1:" + value + "\n";
    if (i < 40) table += value + "," + (i % 3 != 0 ? "u" : "v") + (state >> 31 != 0 ? ",yes\n" : ",no\n");
    if (i < 30) losses += std::to_string(i % 2) + "," + std::to_string(i % 3 / 2) + ",0.5\n";
    if (i < 30) log += std::to_string(i % 3) + "," + std::to_string(i % 2) + ",0.5\n";
    if (i < 12) few += (i % 2 != 0 ? "+1 1:" : "-1 1:-") + std::to_string(1 + i % 5) + " 2:" + std::to_string(i) + "\n";
    if (i < 12) three += std::to_string(i % 3) + " " + std::to_string(1 + i % 3) + ":1\n";
    asks += i % 3 != 2 ? "{\"ask\":true}\n" : "{\"ticket\":" + std::to_string(i / 3 * 2 + 1) + ",\"loss\":0.5}\n";
  }
  for (int i = 0; i < 3000; ++i) {
    wide += i % 2 != 0 ? "+1" : "-1";
    for (int j = 1; j < 12; ++j) wide += " " + std::to_string(j * 7) + ":" + std::to_string((i * j) % 89);
    wide += "\n";
  }
  for (const auto& [name, text] : {std::pair<const char*, const std::string&>{"d.svm", noise},
                                   {"wide.svm", wide},
                                   {"few.svm", few},
                                   {"three.svm", three},
                                   {"bad.svm", bad},
                                   {"table.csv", table},
                                   {"losses.csv", losses},
                                   {"log.csv", log},
                                   {"asks.txt", asks}})
    write(name, text);
  ASSERT_EQ(command.run(words("train d.svm -q --holdout 0.3 --calibrate platt -o old.model")).code, 0);
  ASSERT_EQ(command.run(words("train table.csv -q -o table.model")).code, 0);
  write("limits.csv", "column,least,most\n1,0,\n");
  write("costs.csv", "column,cost\n1,2\n");
  write("codes.csv", "column,code,text\n1,R1,First\n2,R2,Second\n");
  const std::string audited = "audit old.model d.svm --holdout 0.3 --calibrate platt --receipt by.json";
  ASSERT_EQ(command.run(words(audited)).code, 0);
  ASSERT_EQ(command.run(words("convert d.svm d.cache")).code, 0);
  fs::copy_file(command.folder() / "d.cache", command.folder() / "c.cache");
  const Ended run = command.run(words("train d.svm --passes 2 --json --figures"));
  ASSERT_EQ(run.code, 0) << run.err;
  write("run.json", run.out);
  ASSERT_EQ(command.run(words("bandit --live --arms 3 --state s"), "asks.txt").code, 0);
  std::string learned;
  for (int i = 0; i < 40; ++i) learned += R"({"learn": ")" + std::string(i % 2 == 0 ? "+" : "-") + "1 1:1 2:-1\"}\n";
  write("rows.jsonl", learned);
  ASSERT_EQ(command.run(words("serve old.model --log t --ingest rows.jsonl")).code, 0);
  make_choices(command.folder() / "choices");
  for (const char* name : {"m", "r.html", "r.json", "l.jsonl", "t.jsonl", "x.csv", "p.txt", "c.json", "e.onnx",
                           "e.pmml", "e.sql", "e.c", "e.jsonl"})
    write(name, std::string("what was in ") + name + "\n");
}

// What a call may do wrong. Only what its manual page knows of interruptions is interrupted.
std::vector<std::string> kinds_of(const std::string& call) {
  const auto among = [&](std::initializer_list<const char*> names) {
    return std::find(names.begin(), names.end(), call) != names.end();
  };
  const std::string io = std::to_string(EIO), full = std::to_string(ENOSPC), interrupted = std::to_string(EINTR),
                    memory = std::to_string(ENOMEM), many = std::to_string(EMFILE);
  if (among({"write", "pwrite", "writev"})) return {io, full, interrupted, "short", "kill", "killed"};
  if (among({"read", "pread"})) return {io, interrupted, "short", "kill"};
  if (among({"open", "mkostemp", "mkstemp", "fopen", "fopen64"}))
    return {io, full, many, interrupted, "kill", "killed"};
  if (among({"fsync", "fdatasync", "ftruncate", "flock"})) return {io, full, interrupted, "kill", "killed"};
  if (call == "close" || call == "fclose") return {io, full, interrupted, "kill"};
  if (call == "mmap") return {memory, "kill"};
  return {io, full, "kill", "killed"};
}

bool only_reads(const std::string& call) {
  for (const char* name : {"read", "pread", "stat", "lstat", "fstat", "lseek", "mmap", "close", "fclose"}) {
    if (call == name) return true;
  }
  return false;
}

// A state whose truth is a log: the command that goes on with it, a request for its counts, and what tells of an event
// in the answers and of events in the counts; and how many furnish() has made.
struct Logged {
  std::string folder;
  std::vector<std::string> command;
  std::string request, answer, count;
  std::size_t before;
};

const std::vector<Logged>& logged_states() {
  static const std::vector<Logged> states{
      {"s", words("bandit --live --arms 3 --state s"), R"({"status": true})", R"("arm")", R"("asks":)", 80},
      {"t", words("serve --log t --ingest -"), R"({"ledger": true})", R"("rows":1)", R"("learned":)", 40}};
  return states;
}

// The state holds what was acknowledged.
void expect_acknowledged(const Command& command, const Logged& state, const std::string& replies,
                         const std::string& what) {
  std::size_t acknowledged = 0;
  for (std::size_t at = replies.find(state.answer); at != std::string::npos; at = replies.find(state.answer, at + 1))
    ++acknowledged;
  std::ofstream(command.folder() / "status.txt") << state.request << "\n";
  const Ended status = command.run(state.command, "status.txt");
  ASSERT_EQ(status.code, 0) << what << status.err;
  const std::size_t at = status.out.find(state.count);
  ASSERT_NE(at, std::string::npos) << what << status.out;
  EXPECT_GE(std::stoul(status.out.substr(at + state.count.size())), state.before + acknowledged) << what << status.out;
}

class Trial {
 public:
  Trial(const Command& command, const Line& line, const Files& before)
      : command_(command), line_(line), before_(before) {
    put_back(command_.folder(), before_);
    whole_ = command_.run(line_.arguments, line_.input, {}, "", true);
    after_ = files_below(command_.folder());
    calls_ = command_.calls();
  }

  const Ended& whole() const { return whole_; }
  const std::vector<std::string>& calls() const { return calls_; }
  bool writes() const { return after_ != before_; }

  void expect_old_or_new(const Fault& fault, const Streams& streams = "") const {
    put_back(command_.folder(), before_);
    const Ended run = command_.run(line_.arguments, line_.input, fault, streams);
    const std::string call = fault.at > 0 ? calls_[static_cast<std::size_t>(fault.at) - 1] : "";
    const std::string what = line_.name + ": call " + std::to_string(fault.at) + " " + call + " " + fault.kind +
                             (fault.for_ever ? " for ever" : "") + streams + ", code " + std::to_string(run.code) +
                             "\n" + run.err;
    if (fault.kills()) {  // with several threads there may be fewer calls than the time before
      ASSERT_TRUE(run.code == 128 + SIGKILL || run.code == whole_.code) << what;
    } else if (fault.kind == std::to_string(EINTR) || fault.kind == "short") {
      if (!fault.for_ever) {
        ASSERT_EQ(run.code, whole_.code) << what;
      }
    } else if (fault.at > 0 && run.code != whole_.code) {
      ASSERT_TRUE(run.code == 74 || run.code == 66) << what;
    }
    if (fault.at > 0 && run.code == whole_.code && call != "stat" &&  // of which the size of a file is told
        line_.name != "ingest") {                                     // which answers what fails, and goes on
      EXPECT_TRUE(alike("out.json", run.out, whole_.out)) << what << run.out;
    }
    expect_files(files_below(command_.folder()), run, fault, call, what);
    for (const Logged& state : logged_states()) {
      if (line_.kept_up.contains(state.folder)) expect_acknowledged(command_, state, run.out, what);
    }
  }

 private:
  void expect_files(const Files& now, const Ended& run, const Fault& fault, const std::string& call,
                    const std::string& what) const {
    const auto text_of = [](const Files& files, const std::string& name) {
      const auto found = files.find(name);
      return found == files.end() ? std::string("\x01none") : found->second;
    };
    Files all = now;
    all.insert(before_.begin(), before_.end());
    all.insert(after_.begin(), after_.end());
    for (const auto& [name, any] : all) {
      const std::string is = text_of(now, name), was = text_of(before_, name), will = text_of(after_, name);
      if (alike(name, is, will) || (is == was && run.code != whole_.code)) continue;
      if (run.code != whole_.code && line_.growing.contains(name) && grown(is, will, fault.kills())) continue;
      if (line_.keeps_up(name) && (name != "m" || command_.run({"inspect", name}).code == 0)) continue;
      const bool aside = name.find(".halfspace-") != std::string::npos || name.starts_with("tmp/halfspace-");
      if (aside && (fault.kills() || call == "unlink" || fault.for_ever)) continue;
      ADD_FAILURE() << what << "\n" << name << " holds " << is.substr(0, 400);
    }
  }

  // The first lines of the new one; after a kill the last may be cut.
  static bool grown(const std::string& is, const std::string& will, bool killed) {
    if (!is.empty() && is.back() != '\n' && !killed) return false;
    return without_numbers(will).starts_with(without_numbers(is));
  }

  const Command& command_;
  const Line& line_;
  const Files& before_;
  Ended whole_;
  Files after_;
  std::vector<std::string> calls_;
};

class Faults : public ::testing::TestWithParam<Line> {};

TEST_P(Faults, LeaveTheOldOrTheNew) {
  if (sanitized) GTEST_SKIP() << "a preloaded library comes before the sanitizer's own";
  const Command command(fault_folder());
  furnish(command);
  const Files before = files_below(command.folder());
  const Trial trial(command, GetParam(), before);
  ASSERT_EQ(trial.whole().code, 0) << trial.whole().err;
  int tried = 0, reads = 0;
  const std::size_t stride = 1 + trial.calls().size() / 100;
  for (std::size_t i = 0; i < trial.calls().size(); ++i) {
    const std::string& call = trial.calls()[i];
    const std::vector<std::string> kinds = kinds_of(call);
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      if (!exhaustive() && ((i + k) % stride != 0 || (only_reads(call) && reads++ % 11 != 0))) continue;
      for (const bool for_ever : {false, true}) {
        if (for_ever && (!exhaustive() || kinds[k] == std::to_string(EINTR) || kinds[k].starts_with("kill"))) continue;
        trial.expect_old_or_new({static_cast<long>(i) + 1, kinds[k], for_ever});
        ++tried;
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GT(tried, 10);
  RecordProperty("calls", static_cast<int>(trial.calls().size()));
  RecordProperty("faults", tried);
}

// Each read, also of what is compressed: certify reads its data by code of its own.
TEST(FaultsOfReading, ASignalBreaksOffNoProof) {
  if (sanitized) GTEST_SKIP() << "a preloaded library comes before the sanitizer's own";
  const Command command(fault_folder());
  furnish(command);
  ASSERT_EQ(std::system(("gzip -nk '" + (command.folder() / "few.svm").string() + "'").c_str()), 0);
  const Files before = files_below(command.folder());
  const Line line{"proof", words("certify few.svm.gz --threads 1 -o c.json")};
  const Trial trial(command, line, before);
  ASSERT_EQ(trial.whole().code, 0) << trial.whole().err;
  int tried = 0;
  for (std::size_t i = 0; i < trial.calls().size(); ++i) {
    if (!trial.calls()[i].starts_with("read")) continue;
    trial.expect_old_or_new({static_cast<long>(i) + 1, std::to_string(EINTR), false});
    ++tried;
  }
  EXPECT_GT(tried, 3);
}

// Closed, full, or without a reader: no message strays into a file, and 0 is said of what is whole.
TEST_P(Faults, OfTheStandardStreamsAreTold) {
  if (sanitized) GTEST_SKIP() << "a preloaded library comes before the sanitizer's own";
  const Command command(fault_folder());
  furnish(command);
  const Files before = files_below(command.folder());
  const Trial trial(command, GetParam(), before);
  for (const char* streams : {"<", ">", "2", "<>", "<2", ">2", "<>2", "f", "p", "f2", "p2", "f<"}) {
    put_back(command.folder(), before);
    const Ended run = command.run(GetParam().arguments, GetParam().input, {}, streams);
    const bool no_input = std::string(streams).find('<') != std::string::npos && !GetParam().input.empty();
    const bool heard = std::string(streams).find_first_of(">f") == std::string::npos || trial.whole().out.empty();
    EXPECT_EQ(run.code, no_input || !heard ? 74 : 0) << GetParam().name << " " << streams << "\n" << run.err;
    trial.expect_old_or_new({}, streams);
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, Faults, ::testing::ValuesIn(writing_lines()), [](const auto& line) {
  std::string name = line.param.name;
  std::erase(name, '-');
  return name;
});

// A pipe of which nobody has the other end, in the place of each file that a command names.
TEST(Pipes, WithoutAnotherEndAreLeftForASignal) {
  const Command command(fault_folder());
  furnish(command);
  ASSERT_EQ(command.run(words("certify few.svm --threads 1 -o few.proof")).code, 0);
  ASSERT_EQ(std::system(("gzip -nk '" + (command.folder() / "d.svm").string() + "'").c_str()), 0);
  ASSERT_EQ(::mkfifo((command.folder() / "pipe").c_str(), 0600), 0);
  const Files before = files_below(command.folder());
  const std::string pipe = "pipe";
  int waited = 0;
  std::set<std::string> walked;
  for (const Line& line : together(together(writing_lines(), reading_lines()), leading_lines())) {
    for (const FileWord& word : file_words(command_of(line), line)) {
      if (!walked
               .insert(line.arguments.front() + " " + word.row->name +
                       (word.row->takes.form == cli::Takes::Form::input ? line.name : ""))
               .second)
        continue;
      std::vector<std::string> arguments = line.arguments;
      arguments[word.at] = pipe;
      put_back(command.folder(), before);
      const Ended run = command.run_until(SIGTERM, arguments, line.input);
      EXPECT_TRUE(run.code == 128 + SIGTERM || run.code == 2 || run.code == 65 || run.code == 66 || run.code == 74)
          << line.name << " " << cli::flag_name(*word.row) << ": " << run.code << run.err;
      waited += run.code == 128 + SIGTERM;
    }
  }
  EXPECT_GT(waited, 30);
  for (const cli::Command& each : cli::every_command()) {
    for (const cli::Row& row : each.rows) {
      if (!row.takes_file() || (each.name == "certify" && row.name == "rejects")) continue;
      const std::string name = each.name + " " + row.name;
      EXPECT_TRUE(std::any_of(walked.begin(), walked.end(), [&](const auto& one) { return one.starts_with(name); }))
          << name;
    }
  }
}

// The same of what is read beside a file, and of standard input.
TEST(Pipes, ThatNoFlagNamesAreLeftForASignal) {
  const Command command(fault_folder());
  furnish(command);
  const fs::path folder = command.folder();
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  ASSERT_EQ(command.run(words("certify digits/train-images-idx3-ubyte -o images.proof")).code, 0);
  fs::remove(folder / "digits/train-labels-idx1-ubyte");
  ASSERT_EQ(::mkfifo((folder / "digits/train-labels-idx1-ubyte").c_str(), 0600), 0);
  std::string head = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }";
  head.resize(117, ' ');
  std::ofstream(folder / "X.npy", std::ios::binary) << std::string("\x93NUMPY\1\0\x76\0", 10) << head << "\n"
                                                    << std::string(16, '\0');
  ASSERT_EQ(::mkfifo((folder / "y.npy").c_str(), 0600), 0);
  for (const char* line :
       {"check digits/train-images-idx3-ubyte", "certify digits/train-images-idx3-ubyte -o c.json",
        "verify images.proof digits/train-images-idx3-ubyte", "certify digits/train-images-idx3-ubyte --pairs",
        "train X.npy -q -o m", "predict old.model X.npy", "convert X.npy c.cache"}) {
    const Ended run = command.run_until(SIGTERM, words(line));
    EXPECT_TRUE(run.code == 128 + SIGTERM || run.code == 2 || run.code == 65) << line << ": " << run.code << run.err;
  }
  for (const char* line :
       {"train - -q -o m", "predict old.model -", "check -", "evaluate old.model -", "report - -o r.html",
        "experts - --losses", "bandit -", "convert - c.cache", "verify - few.svm", "inspect -"}) {
    const Ended run = command.run_until(SIGTERM, words(line), "pipe");
    EXPECT_EQ(run.code, 128 + SIGTERM) << line << run.err;
  }
  EXPECT_EQ(command.run_until(SIGTERM, words("bandit --live --arms 3 --state s"), "pipe").code, 128 + SIGTERM);
}

TEST(Rounding, ThatDoesNothingIsToldOf) {
  const Command command(fault_folder());
  std::ofstream(command.folder() / "few.svm") << "+1 1:1\n-1 1:-1\n";
  EXPECT_EQ(command.run(words("train few.svm -q")).code, 0);
  const Ended run = command.run(words("train few.svm -q -o m"), "", {.at = 1, .kind = "rounding"});
  EXPECT_EQ(run.code, 74);
  EXPECT_NE(run.err.find("does not round up"), std::string::npos) << run.err;
  EXPECT_FALSE(fs::exists(command.folder() / "m"));
}

// Outputs that cannot be written are told before any input is looked at: here it would never come.
TEST(Outputs, AreProvedBeforeTheWork) {
  const Command command(fault_folder());
  furnish(command);
  ASSERT_EQ(::mkfifo((command.folder() / "pipe").c_str(), 0600), 0);
  const Files before = files_below(command.folder());
  int proved = 0;
  for (const Line& line : together(writing_lines(), leading_lines())) {
    const std::vector<FileWord> files = file_words(command_of(line), line);
    std::vector<std::string> arguments = line.arguments;
    for (const FileWord& word : files) {
      if (word.row->takes.form == cli::Takes::Form::input) arguments[word.at] = "pipe";
    }
    for (const FileWord& word : files) {
      if (word.row->takes.form == cli::Takes::Form::input) continue;
      const bool folder = word.row->takes.folder || line.name == "certify-pairs";
      for (const char* closed : {"gone/x", "d.svm/x", "digits"}) {
        if (folder && std::string(closed) != "d.svm/x") continue;
        std::vector<std::string> changed = arguments;
        changed[word.at] = closed;
        const Ended run = command.run(changed, line.input);
        EXPECT_EQ(run.code, 74) << line.name << " " << cli::flag_name(*word.row) << " " << closed << run.err;
        EXPECT_NE(run.err.find("fix: "), std::string::npos) << run.err;
        EXPECT_TRUE(files_below(command.folder()) == before)
            << line.name << " " << cli::flag_name(*word.row) << " " << closed;
        ++proved;
      }
    }
  }
  EXPECT_GT(proved, 60);
}

// A flag that names a file to write, and that no line above has, is missing there.
TEST(FaultLines, HaveEveryFlagThatWrites) {
  const std::vector<Line> lines = together(writing_lines(), leading_lines());
  int flags = 0;
  for (const cli::Command& command : cli::every_command()) {
    for (const cli::Row& row : command.rows) {
      if (row.takes.form != cli::Takes::Form::output) continue;
      if (command.name == "certify" && row.name == "rejects") continue;  // refused: a proof is about every row
      if (row.name == "access-log") continue;                            // grows line by line: it is never whole
      const bool given = std::any_of(lines.begin(), lines.end(), [&](const Line& line) {
        if (line.arguments.front() != command.name) return false;
        return row.positional() || std::any_of(line.arguments.begin(), line.arguments.end(), [&](const auto& word) {
                 return word == "--" + row.name || (row.letter != 0 && word == std::string("-") + row.letter);
               });
      });
      EXPECT_TRUE(given) << command.name << " " << cli::flag_name(row);
      ++flags;
    }
  }
  EXPECT_GT(flags, 15);
}

}  // namespace
}  // namespace halfspace::fault_tests
