// Three stages over a stream of chunks: cut (serial) → parse (parallel) → deliver (serial, in order).
//
// Only the caller's thread delivers: its training state stays in its core's cache for the whole pass. While the next
// chunk is not ready, it cuts and parses like the other threads; with one thread it does everything. Helpers start one
// by one as chunks come: a short text is done before a thread would have started.
//
// At most `places` chunks are in flight; a place is a slot that is reused once its chunk is delivered. Every chunk that
// was cut is delivered, in order, unless deliver ends the run.
//
// Thread-safety: cut is called by one thread at a time, deliver by the caller's thread only, parse by many at once,
// each on its own slot; what one stage writes to a slot is visible to the next.
#pragma once

#include <cstddef>
#include <cstdint>

namespace halfspace::stream {

class Stages {
 public:
  enum class Cut : std::uint8_t { more, last, nothing };  // a chunk; the last one; none, the text has ended

  virtual Cut cut(std::size_t place) noexcept = 0;
  virtual void parse(std::size_t place) noexcept = 0;
  // Delivers the chunk in a slot; returns false to end the run.
  virtual bool deliver(std::size_t place) = 0;

 protected:
  ~Stages() = default;
};

// Runs the stages; returns whether everything was delivered, false if deliver ended the run. `threads` and `places` are
// at least 1. Exceptions of deliver propagate. No stage runs once this returns or throws.
bool run_stages(Stages& stages, std::size_t threads, std::size_t places);

}  // namespace halfspace::stream
