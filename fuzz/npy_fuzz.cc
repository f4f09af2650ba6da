// Any bytes as an array of NumPy. The first byte chooses the options.

#include "reads_alike.h"

using namespace halfspace;

namespace {

void choose(std::uint8_t choice, ReadOptions& options) {
  options.format = DataFormat::npy;
  options.inference_rows = choice % 4 == 0 ? 2 : 1000;
  options.ignore_labels = (choice & 8) != 0;
  options.row_normalised = (choice & 16) != 0;
  options.single = (choice & 32) != 0;
  options.all_labels = (choice & 64) != 0;
  options.line_limit = (choice & 128) != 0 ? 40 : 1 << 20;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzzing::reads_alike(data, size, choose, false);
}
