// Any JSON as a run: a page within its limits that holds no markup of the data's, or Error(data).
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "halfspace/base/error.h"
#include "report/pages/page.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace halfspace;
  try {
    const std::string html = report::page(report::parse_run({reinterpret_cast<const char*>(data), size}, "run.json"));
    if (html.size() > 2'000'000 || html.find("<img") != std::string::npos) std::abort();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) std::abort();
  }
  return 0;
}
