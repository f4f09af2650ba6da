// A log of any bytes: it is refused, or opens, and then what it has and what is added are there the next time.
//
// The input is one segment, or two: the first two bytes say where it is divided.

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log/event.h"
#include "base/log/event_log.h"
#include "halfspace/base/error.h"
#include "memory_storage.h"

using namespace halfspace;
using namespace halfspace::log;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

std::optional<std::vector<std::string>> events_of(MemoryStorage& storage, bool add) {
  std::vector<std::string> events;
  try {
    EventLog log(storage, 100);
    log.open(1, [&](std::uint64_t number, std::string_view record) {
      require(number == events.size() + 1);
      events.emplace_back(record);
    });
    require(log.committed() == events.size());
    std::size_t read = 0;
    log.read(1, [&](std::uint64_t, std::string_view record) { return record == events.at(read++); });
    require(read == events.size());
    if (!add) return events;
    for (const std::string record : {"", "more"}) {
      require(log.append(record) == events.size() + 1);
      events.push_back(record);
    }
    log.commit();
  } catch (const Error&) {
    return std::nullopt;
  }
  return events;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t divided = static_cast<std::size_t>(data[0] + 256 * data[1]);
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  MemoryStorage storage;
  storage.files["00000000000000000001.log"] = text.substr(0, divided);
  if (divided < text.size()) storage.files["00000000000000000003.log"] = text.substr(divided);
  const auto events = events_of(storage, true);
  if (!events) return 0;
  const auto again = events_of(storage, false);
  require(again && *again == *events);
  for (const std::string& record : *events) {
    try {
      event_of(record);
    } catch (const Error&) {
    }
  }
  return 0;
}
