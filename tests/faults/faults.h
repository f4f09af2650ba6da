// Runs the built command in a folder of its own while calls to the system go wrong, and holds what it leaves behind
// against what was there before and what an undisturbed run leaves.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace halfspace::fault_tests {

namespace fs = std::filesystem;

// HALFSPACE_FAULTS=all: every call, every fault, transient and for ever. Else the calls that write, and some that read;
// every request for memory, else some.
inline bool exhaustive() {
  const char* wanted = std::getenv("HALFSPACE_FAULTS");
  return wanted != nullptr && std::string(wanted) == "all";
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

inline std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

inline std::string fault_folder() {
  // In memory where that can be: a disk takes its time to sync.
  const bool memory = ::access("/dev/shm", W_OK) == 0 && std::getenv("TMPDIR") == nullptr;
  std::string pattern = (fs::path(memory ? "/dev/shm" : fs::temp_directory_path()) / "halfspace-faults-XXXXXX");
  return ::mkdtemp(pattern.data());
}

// Every file below a folder, by its path from there.
using Files = std::map<std::string, std::string>;

inline std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::string text(file ? static_cast<std::size_t>(file.tellg()) : 0, '\0');
  file.seekg(0).read(text.data(), static_cast<std::streamsize>(text.size()));
  return text;
}

inline Files files_below(const fs::path& folder) {
  Files files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files[fs::relative(entry.path(), folder).string()] = slurp(entry.path());
  }
  return files;
}

inline void put_back(const fs::path& folder, const Files& files) {
  const Files now = files_below(folder);
  for (const auto& [name, text] : now) {
    if (!files.contains(name)) fs::remove(folder / name);
  }
  for (const auto& [name, text] : files) {
    const auto found = now.find(name);
    if (found != now.end() && found->second == text) continue;
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary | std::ios::trunc) << text;
  }
}

// A text without its numbers and the units of times, in which two runs may differ.
inline std::string without_numbers(const std::string& text) {
  std::string rest;
  for (const char c : text) {
    if (std::string_view("0123456789.,+-eE ms\xc2\xa0").find(c) == std::string_view::npos) rest += c;
  }
  return rest;
}

// Of pages, which draw what took how long, that they are whole must do.
inline bool is_page(const std::string& text) {
  const std::string_view end = "</html>\n";
  return text.starts_with("<!DOCTYPE html>") && text.find(end) + end.size() == text.size();
}

inline bool alike(const std::string& name, const std::string& a, const std::string& b) {
  if (a == b) return true;
  const std::string ending = fs::path(name).extension().string();
  if (ending == ".html") return is_page(a) && is_page(b);
  return (ending == ".json" || ending == ".jsonl") && without_numbers(a) == without_numbers(b);
}

// A command line, and how its outputs are kept.
struct Line {
  std::string name;
  std::vector<std::string> arguments;
  std::string input{};              // a file for standard input
  std::set<std::string> growing{};  // hold the first lines of the new one after a failure
  std::set<std::string> kept_up{};  // files or folders that change while the command runs

  bool keeps_up(const std::string& file) const { return kept_up.contains(file.substr(0, file.find('/'))); }
};
inline void PrintTo(const Line& line, std::ostream* out) { *out << line.name; }

// What goes wrong.
struct Fault {
  long at = 0;       // the number of the call; 0: nothing
  std::string kind;  // as the injector reads it
  bool for_ever = false;
  std::uint64_t request = 0;  // the number of the request for memory that is refused
  bool kills() const { return kind.starts_with("kill"); }
};

struct Ended {
  int code = -1;  // of the process; 128 and a signal's number
  std::string out, err;
};

// How the standard streams are given: '<' ">" and "2" closed, 'f' a full device and 'p' a pipe without a reader behind
// standard output.
using Streams = std::string;

class Command {
 public:
  explicit Command(fs::path folder) : folder_(std::move(folder)), beside_(folder_.string() + ".run") {
    fs::create_directories(folder_ / "tmp");
    fs::create_directories(beside_);
  }
  ~Command() {
    fs::remove_all(folder_);
    fs::remove_all(beside_);
  }
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  const fs::path& folder() const { return folder_; }

  Ended run(const std::vector<std::string>& arguments, const std::string& input = "", const Fault& fault = {},
            const Streams& streams = "", bool traced = false) const {
    std::vector<std::string> environment{"TMPDIR=" + (folder_ / "tmp").string(), "PATH=/usr/bin:/bin"};
    if (traced) {
      fs::remove(beside_ / "trace");
      environment.push_back("FAULT_TRACE=" + (beside_ / "trace").string());
      std::ofstream(beside_ / "requests").close();
      fs::resize_file(beside_ / "requests", (most_requests + 1) * sizeof(std::uint64_t));
      environment.push_back("FAULT_REQUESTS=" + (beside_ / "requests").string());
    }
    if (fault.at > 0) {
      environment.push_back("FAULT_AT=" + std::to_string(fault.at));
      environment.push_back("FAULT_KIND=" + fault.kind);
    }
    if (fault.request > 0) environment.push_back("FAULT_REQUEST=" + std::to_string(fault.request));
    if (fault.for_ever) environment.emplace_back("FAULT_FOR_EVER=1");
    if (traced || fault.at > 0 || fault.request > 0) environment.emplace_back("LD_PRELOAD=" HALFSPACE_FAULT_INJECTOR);
    const ::pid_t child = ::fork();
    if (child == 0) begin(arguments, environment, input, streams);
    return ended(child);
  }

  // Lets it run until it ends or waits, but no longer than a second; then it gets the signal.
  Ended run_until(int signal, const std::vector<std::string>& arguments, const std::string& input = "") const {
    const ::pid_t child = ::fork();
    if (child == 0) begin(arguments, {"TMPDIR=" + (folder_ / "tmp").string(), "PATH=/usr/bin:/bin"}, input, "");
    int asleep = 0;
    for (int look = 0; look < 100 && asleep < 4; ++look) {
      ::usleep(10'000);
      const std::string state = slurp("/proc/" + std::to_string(child) + "/stat");
      const char letter = state.empty() ? 'Z' : state[std::min(state.rfind(')') + 2, state.size() - 1)];
      asleep = letter == 'S' ? asleep + 1 : 0;
      if (letter == 'Z') break;
    }
    ::kill(child, signal);
    return ended(child);
  }

  // The names of the calls of the last traced run, in order.
  std::vector<std::string> calls() const {
    std::ifstream trace(beside_ / "trace");
    std::vector<std::string> names;
    for (std::string name, detail; trace >> name >> detail;) names.push_back(name);
    return names;
  }

  // The sizes of the requests for memory of the last traced run, in order.
  std::vector<std::uint64_t> requests() const {
    std::ifstream file(beside_ / "requests", std::ios::binary);
    std::uint64_t count = 0;
    file.read(reinterpret_cast<char*>(&count), sizeof count);
    std::vector<std::uint64_t> sizes(std::min(count, most_requests));
    file.read(reinterpret_cast<char*>(sizes.data()), static_cast<std::streamsize>(sizes.size() * sizeof count));
    return sizes;
  }

 private:
  static constexpr std::uint64_t most_requests = std::uint64_t{1} << 20;

  Ended ended(::pid_t child) const {
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), slurp(beside_ / "out"),
            slurp(beside_ / "err")};
  }

  // The child's part.
  [[noreturn]] void begin(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
                          const std::string& input, const Streams& streams) const {
    const auto open = [](int stream, const std::string& path, int flags) {
      const int file = ::open(path.c_str(), flags, 0600);
      ::dup2(file, stream);
      ::close(file);
    };
    if (::chdir(folder_.c_str()) != 0) ::_exit(99);
    open(0, input.empty() ? "/dev/null" : (folder_ / input).string(), input == "pipe" ? O_RDWR : O_RDONLY);
    open(1, (beside_ / "out").string(), O_WRONLY | O_CREAT | O_TRUNC);
    open(2, (beside_ / "err").string(), O_WRONLY | O_CREAT | O_TRUNC);
    for (const char stream : streams) {
      if (stream == 'f') open(1, "/dev/full", O_WRONLY);
      if (stream == 'p') {
        int ends[2];
        if (::pipe(ends) != 0) ::_exit(99);
        ::close(ends[0]);
        ::dup2(ends[1], 1);
        ::close(ends[1]);
      }
      if (stream == '<') ::close(0);
      if (stream == '>') ::close(1);
      if (stream == '2') ::close(2);
    }
    ::alarm(30);  // kills what hangs: the alarm outlives exec
    std::vector<std::string> words{HALFSPACE_COMMAND};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv, envp;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    for (const std::string& text : environment) envp.push_back(const_cast<char*>(text.c_str()));
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    ::execve(argv[0], argv.data(), envp.data());
    ::_exit(99);
  }

  fs::path folder_, beside_;
};

}  // namespace halfspace::fault_tests
