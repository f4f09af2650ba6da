// Dates and times of day as tables write them.
//
// Thread-safety: pure functions. Cost O(bytes).
#pragma once

#include <cstdint>
#include <string_view>

#include "halfspace/stream/schema.h"

namespace halfspace::stream {

struct Date {
  int year = 0, month = 0, day = 0;
  int weekday = 0;     // 0: Monday
  bool timed = false;  // has a time of day
  double seconds = 0;  // since midnight, as written: no offset is added
};

// Parses 2026-11-22, 2026/11/22, 2026.11.22 and 20261122 (ymd), 22/11/2026, 22-11-26 and 22.11.2026 (dmy), 11/22/2026
// and 11-22-26 (mdy), optionally followed by T or a blank and a time: 10:00, 10:00:00.5, 10:00 PM, with Z or an offset
// such as +01:00. Two-digit years are 1969 to 2068. Returns whether the text is such a date of the calendar; else
// `date` is undefined.
bool read_date(std::string_view text, DateOrder order, Date& date);

}  // namespace halfspace::stream
