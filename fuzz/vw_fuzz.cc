// Any bytes as Vowpal Wabbit's text. The first byte chooses the options.
#include "reads_alike.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return halfspace::fuzzing::reads_alike(data, size, halfspace::DataFormat::vw);
}
