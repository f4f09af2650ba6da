// Several passes over kept rows; in file order the first pass runs while they are read.
#pragma once

#include "train/run/run.h"

namespace halfspace::training {

class KeptRun {
 public:
  KeptRun(Run& run, KeptRows& kept) : run_(run), kept_(kept) {}

  // Throws Error(data) if a resumed run is given other data than before.
  void play();

 private:
  void read(bool overlap);
  void emit_checkpoint(const Block& whole);
  Block split(const Block& whole);
  void scale_columns();
  void standardize_columns();
  void show_rows() const;
  void check_source();
  void play_passes();

  Run& run_;
  KeptRows& kept_;
  Stopped stopped_ = Stopped::running;
  bool complete_ = true;  // all rows were read
  BlockBuffer learned_;
};

}  // namespace halfspace::training
