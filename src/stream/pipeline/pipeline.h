// One pass: cut (serial) → parse (parallel) → commit and consume (serial, in file order), on an ordered pipeline.
//
// The number of chunks in flight is bounded, and their buffers are reused: memory does not grow with the data. The rows
// that consume receives, and the error that ends a pass, are those of reading row by row: good rows before the first
// bad one, then its error.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "halfspace/stream/reader.h"
#include "stream/formats/parser.h"
#include "stream/pipeline/chunks.h"
#include "stream/pipeline/rejects.h"
#include "stream/source/source.h"

namespace halfspace::stream {

struct Pass {
  const ReadOptions& options;
  const Source& source;
  Chunks& chunks;
  Format& format;
  Schema& schema;
  const std::vector<double>& class_factors;  // by class number; empty: all 1
  Rejects* rejects;                          // null: only counted
  std::uint64_t lines_before;                // of the header
  ReadReport& report;
};

// Runs the pass; returns true at the end of the data, false if consume stopped it. Throws as Reader::read does.
bool run_pass(const Pass& pass, const std::function<bool(const Block&)>& consume);

}  // namespace halfspace::stream
