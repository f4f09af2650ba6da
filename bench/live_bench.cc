// halfspace bandit --live through pipes, to a client that waits for each answer before it asks again: asks a second.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

class Server {
 public:
  explicit Server(std::vector<std::string> arguments) {
    ::signal(SIGPIPE, SIG_IGN);
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
      ::execv(words[0], words.data());
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    to_ = in[1];
    from_ = out[0];
  }
  ~Server() {
    ::close(to_);
    ::waitpid(child_, nullptr, 0);
    ::close(from_);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Writes a line and waits for the one that answers it.
  std::string_view ask(std::string_view line) {
    if (::write(to_, line.data(), line.size()) != static_cast<::ssize_t>(line.size()))
      throw std::runtime_error("the server does not listen");
    std::size_t size = 0;
    do {
      const ::ssize_t got = ::read(from_, reply_ + size, sizeof reply_ - size);
      if (got <= 0) throw std::runtime_error("the server does not answer");
      size += static_cast<std::size_t>(got);
    } while (reply_[size - 1] != '\n');
    const std::string_view reply(reply_, size);
    if (reply.starts_with("{\"error\"")) throw std::runtime_error(std::string(reply));
    return reply;
  }

 private:
  ::pid_t child_;
  int to_, from_;
  char reply_[4096];
};

// A million asks; with `losses`, each is answered by its loss before the next: two lines there and back.
void live(benchmark::State& state, bool kept, bool losses) {
  constexpr std::uint64_t asks = 1'000'000;
  std::string file = (std::filesystem::temp_directory_path() / "halfspace-live-bench-XXXXXX").string();
  std::vector<std::string> arguments{"--arms", "10", "--seed", "1"};
  if (kept) {
    ::close(::mkstemp(file.data()));
    std::filesystem::remove(file);
    arguments.insert(arguments.end(), {"--state", file});
  }
  for (auto _ : state) {
    Server server(arguments);
    for (std::uint64_t ticket = 1; ticket <= asks; ++ticket) {
      benchmark::DoNotOptimize(server.ask("{\"ask\":true}\n"));
      if (losses) benchmark::DoNotOptimize(server.ask("{\"ticket\":" + std::to_string(ticket) + ",\"loss\":0.25}\n"));
    }
  }
  if (kept) {
    std::filesystem::remove(file);
    std::filesystem::remove(file + ".journal");
  }
  state.counters["asks"] = benchmark::Counter(static_cast<double>(asks), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK_CAPTURE(live, asks, false, false)->Unit(benchmark::kSecond)->Iterations(1)->UseRealTime();
BENCHMARK_CAPTURE(live, asks_and_losses_kept, true, true)->Unit(benchmark::kSecond)->Iterations(1)->UseRealTime();

}  // namespace
