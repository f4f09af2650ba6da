// Several passes over rows that are kept; in the order of the file the first is played while they are read.
#pragma once

#include "train/run.h"

namespace halfspace::training {

class KeptRun {
 public:
  KeptRun(Run& run, PlayedRows& played) : run_(run), played_(played) {}

  // Throws Error(data) when a resumed run is given other data than before.
  void play();

 private:
  void read(bool overlap);
  void hand_out_checkpoint(const Block& whole);
  Block split(const Block& whole);
  void scale_columns();
  void show_rows() const;
  void check_source();
  void play_passes();

  Run& run_;
  PlayedRows& played_;
  Stopped stopped_ = Stopped::running;
  bool complete_ = true;  // all rows were read
  BlockBuffer learned_;
};

}  // namespace halfspace::training
