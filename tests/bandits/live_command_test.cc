// halfspace bandit --live as a process: the protocol, lines that are wrong, and kill -9 at random points.
#include <gtest/gtest.h>

#ifdef HALFSPACE_COMMAND

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/json.h"
#include "halfspace/bandits/live.h"
#include "halfspace/base/random.h"

namespace halfspace {
namespace {

namespace fs = std::filesystem;
// The command with pipes; everything given is written by a thread of its own, so that neither side waits for the other.
class Server {
 public:
  Server(std::vector<std::string> arguments, std::string input) : input_(std::move(input)) {
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    arguments.insert(arguments.begin(), {HALFSPACE_COMMAND, "bandit", "--live"});
    std::vector<char*> words;
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(in[0], 0);
      ::dup2(out[1], 1);
      const int null = ::open("/dev/null", O_WRONLY);
      ::dup2(null, 2);
      ::execv(words[0], words.data());
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    out_ = out[0];
    writer_ = std::thread([this, fd = in[1]] {
      std::size_t at = 0;
      while (at < input_.size()) {
        const ::ssize_t count = ::write(fd, input_.data() + at, std::min<std::size_t>(input_.size() - at, 700));
        if (count <= 0) break;
        at += static_cast<std::size_t>(count);
      }
      ::close(fd);
    });
  }
  // Reads replies; kills after so many lines (0: never). Gives the whole lines and the exit status.
  std::vector<std::string> finish(std::size_t kill_after, int& status) {
    std::vector<std::string> lines;
    std::string text;
    char chunk[512];
    bool killed = false;
    for (::ssize_t count; (count = ::read(out_, chunk, sizeof chunk)) > 0;) {
      text.append(chunk, static_cast<std::size_t>(count));
      for (std::size_t end; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1))
        lines.push_back(text.substr(0, end));
      if (kill_after > 0 && lines.size() >= kill_after && !killed) {
        ::kill(child_, SIGKILL);
        killed = true;
      }
    }
    ::waitpid(child_, &status, 0);
    writer_.join();
    ::close(out_);
    return lines;
  }

 private:
  std::string input_;
  ::pid_t child_;
  int out_;
  std::thread writer_;
};

std::vector<std::string> serve(const std::vector<std::string>& arguments, const std::string& input,
                               std::size_t kill_after = 0) {
  ::signal(SIGPIPE, SIG_IGN);
  int status = 0;
  auto lines = Server(arguments, input).finish(kill_after, status);
  if (kill_after == 0) {
    EXPECT_EQ(status, 0);
  }
  return lines;
}

class LiveCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("halfspace-live-" + std::to_string(::getpid()) + "-" +
                                                ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
    state_ = (folder_ / "state").string();
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
  std::string state_;
};

TEST_F(LiveCommand, AnswersAsksAndLearnsLate) {
  const auto lines =
      serve({"--arms", "red,green,\"blue\"", "--seed", "3"},
            "{\"ask\":true}\n{\"ask\":\"visitor "
            "7\"}\r\n\n{\"ticket\":2,\"loss\":1}\n{\"gain\":0.75,\"ticket\":1}\n{\"status\":true}\n{\"ask\":null}");
  ASSERT_EQ(lines.size(), 6U);
  LiveBandit twin({.name = BanditName::exp3_ix_anytime, .arms = 3, .rounds = 0, .delta = 0.05}, 3);
  const char* const names[] = {"red", "green", "\"blue\""};
  for (const int line : {0, 1}) {
    const auto answer = twin.ask();
    const Json reply = Json::parse(lines[static_cast<std::size_t>(line)]);
    EXPECT_EQ(reply["ticket"], answer.ticket);
    EXPECT_EQ(reply["arm"], names[answer.arm]);
    EXPECT_EQ(reply["p"], answer.probability);
  }
  EXPECT_EQ(Json::parse(lines[1])["ask"], "visitor 7");
  EXPECT_EQ(Json::parse(lines[2]), Json({{"ticket", 2}, {"learned", true}}));
  twin.tell(2, 1);
  twin.tell(1, 0.25);
  EXPECT_EQ(Json::parse(lines[4]), Json({{"asks", 2}, {"learned", 2}, {"open", 0}, {"loss", 1.25}}));
  EXPECT_EQ(Json::parse(lines[5])["p"], twin.ask().probability);  // a last line without its end is a line
}

TEST_F(LiveCommand, MalformedLinesGetAnErrorAndChangeNothing) {
  const std::vector<std::string> wrong{"nonsense",
                                       "{",
                                       "[]",
                                       "7",
                                       "null",
                                       "{}",
                                       "{\"ask\":1,\"ask\":2}",
                                       "{\"ask\":[1]}",
                                       "{\"ask\":1,\"loss\":1}",
                                       "{\"ticket\":1}",
                                       "{\"loss\":1}",
                                       "{\"ticket\":1,\"loss\":2}",
                                       "{\"ticket\":1,\"loss\":-0.1}",
                                       "{\"ticket\":1,\"loss\":\"0\"}",
                                       "{\"ticket\":1,\"loss\":null}",
                                       "{\"ticket\":1,\"loss\":1e999}",
                                       "{\"ticket\":-1,\"loss\":0}",
                                       "{\"ticket\":1.0,\"loss\":0}",
                                       "{\"ticket\":99,\"loss\":0}",
                                       "{\"ticket\":18446744073709551616,\"loss\":0}",
                                       "{\"ticket\":1,\"loss\":0,\"gain\":1}",
                                       "{\"ticket\":1,\"loss\":0,\"x\":1}",
                                       "\xff\xfe",
                                       std::string("{\"ask\":true}\0", 13),
                                       std::string(70'000, '['),
                                       "{\"ask\":" + std::string(80'000, ' ') + "true}"};
  std::string input = "{\"ask\":true}\n";
  for (const std::string& line : wrong) input += line + "\n";
  input += "{\"ticket\":1,\"loss\":0.5}\n{\"ticket\":1,\"loss\":0.5}\n{\"ask\":true}\n{\"status\":true}\n";
  const auto lines = serve({"--arms", "2", "--seed", "4"}, input);
  ASSERT_EQ(lines.size(), wrong.size() + 5);
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    const Json reply = Json::parse(lines[i + 1]);
    EXPECT_TRUE(reply.contains("error")) << wrong[i].substr(0, 60);
    EXPECT_EQ(reply["line"], i + 2) << wrong[i].substr(0, 60);
  }
  EXPECT_TRUE(Json::parse(lines[wrong.size() + 2]).contains("error"));  // answered twice
  LiveBandit twin({.name = BanditName::exp3_ix_anytime, .arms = 2, .rounds = 0, .delta = 0.05}, 4);
  twin.ask();
  twin.tell(1, 0.5);
  const auto answer = twin.ask();
  const Json reply = Json::parse(lines[wrong.size() + 3]);
  EXPECT_EQ(reply["arm"], answer.arm);
  EXPECT_EQ(reply["p"], answer.probability);
  EXPECT_EQ(Json::parse(lines.back())["learned"], 1);
}

// A long session, killed again and again: nothing acknowledged is lost, nothing is played twice, and in the end arms
// and state are those of a session that was never interrupted.
TEST_F(LiveCommand, KilledAtRandomPointsItContinuesBitForBit) {
  constexpr std::size_t events = 30000;
  constexpr BanditOptions options{.name = BanditName::exp3_ix_anytime, .arms = 6, .rounds = 0, .delta = 0.05};
  std::vector<std::string> requests;
  std::vector<std::uint32_t> arms;  // of each ask, uninterrupted
  LiveBandit twin(options, 11);
  Generator draws(2);
  std::vector<std::uint64_t> open;
  while (requests.size() < events) {
    if (open.empty() || draws.next() < 0.55) {
      const auto answer = twin.ask();
      requests.push_back("{\"ask\":true}\n");
      arms.push_back(answer.arm);
      open.push_back(answer.ticket);
    } else {
      const std::size_t at = pick(draws, open.size());
      const double loss = std::floor(draws.next() * 64) / 64;
      requests.push_back("{\"ticket\":" + std::to_string(open[at]) + ",\"loss\":" + Json(loss).dump() + "}\n");
      twin.tell(open[at], loss);
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  const std::vector<std::string> arguments{"--arms", "6", "--seed", "11", "--state", state_};
  const auto compare = [&](const std::vector<std::string>& lines, std::size_t from) {
    for (std::size_t i = from; i < lines.size(); ++i) {
      const Json reply = Json::parse(lines[i]);
      ASSERT_FALSE(reply.contains("error")) << lines[i];
      if (reply.contains("arm")) {
        EXPECT_EQ(reply["arm"], arms[reply["ticket"].get<std::size_t>() - 1]);
      }
    }
  };
  std::size_t done = 0;
  int kills = 0;
  while (done < events && kills < 40) {
    std::string input;
    for (std::size_t i = done; i < events; ++i) input += requests[i];
    const auto lines = serve(arguments, input, 1 + pick(draws, 300));
    compare(lines, 0);
    const auto status = serve(arguments, "{\"status\":true}\n");
    ASSERT_EQ(status.size(), 1U);
    const Json known = Json::parse(status[0]);
    const std::size_t now = known["asks"].get<std::size_t>() + known["learned"].get<std::size_t>();
    ASSERT_GE(now, done + lines.size()) << "an acknowledged line was lost";
    done = now;
    ++kills;
  }
  EXPECT_GT(kills, 5);
  std::string rest;
  for (std::size_t i = done; i < events; ++i) rest += requests[i];
  compare(serve(arguments, rest), 0);
  std::ifstream file(state_ + "/snapshot-00000000000000030000", std::ios::binary);
  const std::string snapshot((std::istreambuf_iterator<char>(file)), {});
  const auto expected = twin.save();
  ASSERT_EQ(snapshot.size(), expected.size() + 24);  // its frame
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), snapshot.begin() + 24,
                         [](std::uint8_t a, char b) { return a == static_cast<std::uint8_t>(b); }));
}

// stderr has a line at the start and at the end, for the log of whatever started the process.
TEST_F(LiveCommand, ItsLogHasWhatWasAskedAndLearned) {
  const std::string log = state_ + ".log";
  const std::string command = std::string("printf '{\"ask\":1}\\n{\"ticket\":1,\"loss\":0.5}\\n{\"ask\":1}\\n' | ") +
                              HALFSPACE_COMMAND + " bandit --live --arms 3 2>" + log + " >/dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream file(log);
  std::string first, last, more;
  ASSERT_TRUE(std::getline(file, first) && std::getline(file, last));
  EXPECT_NE(first.find(" over 3 arms: 0 asks and 0 losses so far, 0 tickets open"), std::string::npos) << first;
  EXPECT_NE(last.find(" over 3 arms: 2 asks and 1 loss so far, 1 ticket open"), std::string::npos) << last;
  EXPECT_FALSE(std::getline(file, more)) << more;
}

}  // namespace
}  // namespace halfspace

#endif
