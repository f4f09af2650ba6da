// What is proved of a minimum, as lines of the ledger and as JSON.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "halfspace/train/train.h"

namespace halfspace::report {

using MinimumLine = std::function<void(std::string_view key, const std::string& value, const std::string& note)>;

void minimum_lines(const TrainResult& result, const MinimumLine& line);

Json minimum(const TrainResult& result);

}  // namespace halfspace::report
