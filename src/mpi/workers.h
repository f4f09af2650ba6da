// The workers of one MPI job: messages of any size between them, and a time-out on every wait.
//
// Worker 0 leads. While a worker works or waits it calls tick(), which sends a sign of life once a second (to worker 0;
// worker 0 to all), takes those of others, and takes failures. A worker that waits for another which has given no sign
// for the time-out, and worker 0 at any tick, throws Lost; a failure of any worker reaches worker 0, which ends all.
//
// Messages are bytes. Sums of numbers are never left to MPI, whose order of additions depends on the number of workers.
//
// Thread-safety: the thread that made it.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "base/clock.h"
#include "halfspace/base/error.h"

namespace halfspace::mpi {

using Bytes = std::vector<std::uint8_t>;

// Numbers in messages, 8 bytes each: appends one, and returns the one at a byte. Throws std::out_of_range.
inline void put_number(Bytes& bytes, std::uint64_t number) {
  for (std::size_t i = 0; i < 8; ++i) bytes.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
}
inline std::uint64_t number_at(const Bytes& bytes, std::size_t at) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < 8; ++i) number |= std::uint64_t{bytes.at(at + i)} << (8 * i);
  return number;
}

class Workers {
 public:
  // Begins the job.
  Workers(int& argc, char**& argv);
  // Ends it; collective.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  bool leads() const noexcept { return rank_ == 0; }
  void set_time_out(double seconds) noexcept { time_out_ = seconds; }
  // Lets the flag end the job: tick() throws once it is set. Not owned.
  void set_interrupt(const std::atomic<bool>* interrupt) noexcept { interrupt_ = interrupt; }
  // What this worker is doing, for messages: "shard 17".
  void set_task(std::string task) { task_ = std::move(task); }

  // Sends without waiting; the bytes are kept until they are gone.
  void send(int to, int tag, Bytes bytes);
  // Waits for a message. Throws Error(input_output) for a worker without signs of life.
  Bytes receive(int from, int tag);
  // Sends worker 0's bytes to all; returns them.
  Bytes broadcast(Bytes bytes);
  // Waits until everything sent is gone.
  void flush();
  // The bytes of all messages that this worker sent, signs of life apart.
  std::uint64_t bytes_sent() const noexcept { return bytes_sent_; }

  // Gives and takes signs of life. Throws as receive() does; on worker 0, ends all if another worker has failed.
  void tick();

  // Ends all workers. Worker 0 prints the message; another sends it to worker 0 and waits to be ended.
  [[noreturn]] void fail(const std::string& message, int code);

 private:
  struct Sent {
    Bytes bytes;
    std::vector<MPI_Request> requests;
  };
  struct Seen {
    Clock::time_point at;
    std::string task;
  };

  void take_signs();
  void take_failures();
  void check_alive(int other);
  void forget_sent();
  [[noreturn]] void end_all(const std::string& message, int code);

  int rank_ = 0, size_ = 1;
  double time_out_ = 60;
  const std::atomic<bool>* interrupt_ = nullptr;
  std::uint64_t bytes_sent_ = 0;
  std::string task_ = "its beginning";
  std::deque<Sent> sent_;
  std::vector<Seen> seen_;  // of each worker
  Clock::time_point told_;  // when this worker last gave a sign
  bool failing_ = false, leader_lost_ = false;
};

}  // namespace halfspace::mpi
