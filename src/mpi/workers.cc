// Messages between workers over MPI, point to point.
#include "mpi/workers.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

namespace halfspace::mpi {
namespace {

constexpr int sign_tag = 1, failure_tag = 2, first_tag = 16;
constexpr std::size_t piece_bytes = std::size_t{1} << 30;  // MPI counts in an int
constexpr double between_signs = 1;
constexpr std::chrono::microseconds pause{100};

std::string received_text(const MPI_Status& status) {
  int count = 0;
  MPI_Get_count(&status, MPI_CHAR, &count);
  std::string text(static_cast<std::size_t>(count), '\0');
  MPI_Recv(text.data(), count, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return text;
}

}  // namespace

Workers::Workers(int& argc, char**& argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  told_ = Clock::now();
  seen_.assign(static_cast<std::size_t>(size_), {told_, task_});
}

Workers::~Workers() {
  flush();
  MPI_Finalize();
}

void Workers::send(int to, int tag, Bytes bytes) {
  forget_sent();
  Sent& sent = sent_.emplace_back();
  sent.bytes = std::move(bytes);
  const std::uint64_t size = sent.bytes.size();
  Bytes head;
  put_number(head, size);
  sent.bytes.insert(sent.bytes.begin(), head.begin(), head.end());
  bytes_sent_ += sent.bytes.size();
  const auto post = [&](std::size_t begin, std::size_t count) {
    MPI_Isend(sent.bytes.data() + begin, static_cast<int>(count), MPI_BYTE, to, first_tag + tag, MPI_COMM_WORLD,
              &sent.requests.emplace_back());
  };
  post(0, sizeof size);
  for (std::size_t at = sizeof size; at < sent.bytes.size(); at += piece_bytes)
    post(at, std::min(piece_bytes, sent.bytes.size() - at));
}

Bytes Workers::receive(int from, int tag) {
  const auto piece = [&](std::uint8_t* to, std::size_t count) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(to, static_cast<int>(count), MPI_BYTE, from, first_tag + tag, MPI_COMM_WORLD, &request);
    for (int done = 0;;) {
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (done != 0) break;
      tick();
      check_alive(leads() ? from : 0);
      std::this_thread::sleep_for(pause);
    }
  };
  Bytes head(8);
  piece(head.data(), head.size());
  const std::uint64_t size = number_at(head, 0);
  Bytes bytes(size);
  for (std::size_t at = 0; at < bytes.size(); at += piece_bytes)
    piece(bytes.data() + at, std::min(piece_bytes, bytes.size() - at));
  return bytes;
}

// Along a binomial tree, so that the leader sends log2(size) times.
Bytes Workers::broadcast(Bytes bytes) {
  constexpr int tag = 0;
  int low = 1;
  while (low < size_ && (rank_ & low) == 0) low <<= 1;
  if (!leads()) bytes = receive(rank_ & ~low, tag);
  for (int step = (leads() ? low : low) >> 1; step > 0; step >>= 1) {
    if ((rank_ | step) < size_ && (rank_ & (2 * step - 1)) == 0) send(rank_ | step, tag, bytes);
  }
  return bytes;
}

void Workers::forget_sent() {
  while (!sent_.empty()) {
    int done = 0;
    MPI_Testall(static_cast<int>(sent_.front().requests.size()), sent_.front().requests.data(), &done,
                MPI_STATUSES_IGNORE);
    if (done == 0) return;
    sent_.pop_front();
  }
}

void Workers::flush() {
  for (forget_sent(); !sent_.empty() && !failing_; forget_sent()) {
    tick();
    std::this_thread::sleep_for(pause);
  }
}

void Workers::tick() {
  if (interrupt_ != nullptr && interrupt_->load(std::memory_order_relaxed))
    throw Error(ErrorKind::input_output, "interrupted while at " + task_)
        .fix("start again; training goes on by " + option("resume") + " where there is a checkpoint");
  if (seconds_since(told_) >= between_signs) {
    told_ = Clock::now();
    const int first = leads() ? 1 : 0, last = leads() ? size_ : 1;
    for (int other = first; other < last; ++other) {
      Sent& sent = sent_.emplace_back();
      sent.bytes.assign(task_.begin(), task_.end());
      MPI_Isend(sent.bytes.data(), static_cast<int>(sent.bytes.size()), MPI_CHAR, other, sign_tag, MPI_COMM_WORLD,
                &sent.requests.emplace_back());
    }
    forget_sent();
  }
  take_signs();
  take_failures();
  for (int other = 1; leads() && other < size_; ++other) check_alive(other);
}

void Workers::take_signs() {
  for (int there = 1; there != 0;) {
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, sign_tag, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return;
    const int from = status.MPI_SOURCE;
    seen_[static_cast<std::size_t>(from)] = {Clock::now(), received_text(status)};
  }
}

void Workers::take_failures() {
  if (!leads()) return;
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, failure_tag, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return;
  const std::string text = received_text(status);
  end_all(text.substr(1), text[0]);
}

void Workers::check_alive(int other) {
  const Seen& seen = seen_[static_cast<std::size_t>(other)];
  if (other == rank_ || seconds_since(seen.at) < time_out_) return;
  leader_lost_ = other == 0;
  throw Error(ErrorKind::input_output, "worker " + std::to_string(other) + " has given no sign of life for " +
                                           std::to_string(static_cast<int>(time_out_)) + " seconds; it was at " +
                                           seen.task)
      .fix("look after its machine, then start again, with " + option("resume") + " if there is a checkpoint; " +
           option("time-out") + " waits longer");
}

void Workers::end_all(const std::string& message, int code) {
  std::fputs(message.c_str(), stderr);
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

void Workers::fail(const std::string& message, int code) {
  failing_ = true;
  if (leads()) end_all(message, code);
  const std::string text = std::string(1, static_cast<char>(code)) + message;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, failure_tag, MPI_COMM_WORLD, &request);
  // The leader looks for failures between blocks of rows; where it does not, it is lost itself.
  const Clock::time_point began = Clock::now();
  while (!leader_lost_ && seconds_since(began) < time_out_) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  end_all(message, code);
}

}  // namespace halfspace::mpi
