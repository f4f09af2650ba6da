// Three stages over a stream of chunks: cut (serial) → parse (parallel) → deliver (serial, in order).
//
// The caller's thread delivers, and it alone: what it learns stays in its core's cache for the whole pass. While the
// next chunk is not ready it cuts and parses as the other threads do; with one thread it does everything. Helpers are
// started one by one as chunks come: a short text is done before a thread would have begun.
//
// At most `places` chunks are on the way; a place is used again once its chunk is delivered. Every chunk that was cut
// is delivered, in the order of cutting, unless deliver ends the run.
//
// Thread-safety: cut is called by one thread at a time, deliver by the caller's alone, parse by many at once, each on a
// place of its own; what one stage has written in a place the next one sees.
#pragma once

#include <cstddef>
#include <cstdint>

namespace halfspace::stream {

class Stages {
 public:
  enum class Cut : std::uint8_t { more, last, nothing };  // a chunk; the last one; none, the text has ended

  virtual Cut cut(std::size_t place) noexcept = 0;
  virtual void parse(std::size_t place) noexcept = 0;
  // Delivers what stands in a place; false ends the run.
  virtual bool deliver(std::size_t place) = 0;

 protected:
  ~Stages() = default;
};

// Runs the stages; returns whether all was delivered, false when deliver ended it. `threads` and `places` are at least
// 1. What deliver throws passes through. No stage runs any more when it returns or throws.
bool run_stages(Stages& stages, std::size_t threads, std::size_t places);

}  // namespace halfspace::stream
