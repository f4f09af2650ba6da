// Any bytes that begin as a zip archive, as an .npz. The first byte chooses the options.
#include <string_view>

#include "reads_alike.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (size < 5 || text.substr(1, 4) != "PK\x03\x04") return 0;
  return halfspace::fuzzing::reads_alike(data, size, halfspace::DataFormat::automatic);
}
