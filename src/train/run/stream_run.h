// One pass: trains on rows as they come, in constant memory.
//
// A small stream is kept whole, to be evaluated at the end. Of a longer one only the rows that changed the weights are
// kept; if even those are too many, the bound of the mistakes so far is computed and a new segment begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "train/run/run.h"

namespace halfspace::training {

class StreamRun {
 public:
  StreamRun(Run& run, KeptRows& kept);

  // Throws Error(data) if a resumed run's data differ from those it was interrupted in. Notes when a finished run
  // continues.
  void play();
  // Does the same in parts, for rows of the caller: begin(), take() until it returns false, end(). `whole`: not ended
  // by the interrupt flag.
  void begin();
  bool take(const Block& whole);
  void end(bool whole);
  // Returns the model as if the run ended here.
  Model model() const;

 private:
  Block split(const Block& whole, std::size_t from);
  Block numbered(const Block& block);
  std::size_t play(const Block& block);
  void keep(const Block& block, std::size_t played);
  void keep_only_moved();
  void close_segment();
  std::uint64_t longest_segment(std::uint32_t features) const;
  void stop(Stopped why, const Block& whole, const Block& block, std::size_t played);
  void emit_checkpoint();
  void finish();
  std::size_t skip_taken(const Block& whole);
  void note_ended_run() const;
  Rows few_rows() const;
  Schema schema_so_far() const;

  Run& run_;
  KeptRows& kept_;
  const std::uint64_t skip_;    // rows of the source taken before the run was interrupted
  const std::uint64_t offset_;  // rows of earlier sources
  std::uint64_t last_;          // number of the last row taken
  bool found_;                  // the last row to skip was found, or there is none
  std::string last_row_;        // digest of the last row taken by this run
  Stopped stopped_ = Stopped::end;
  std::uint32_t seen_ = 0;            // features of the rows taken
  std::vector<std::uint32_t> moved_;  // positions in the block at hand
  BlockBuffer learned_, held_;
  std::vector<std::uint64_t> numbers_;  // of rows, over all sources
};

}  // namespace halfspace::training
