// Merges the proposals of many notes into one command line.
#include "cli/proposals.h"

#include <algorithm>

#include "cli/report_flags.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"

namespace halfspace::cli {
namespace {

std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    parts.push_back(list.substr(at, comma - at));
    at = comma + 1;
  }
  return parts;
}

// Flags that assign roles to columns: each column has one role.
bool gives_a_role(const std::string& name) {
  constexpr std::string_view roles[] = {"label", "id", "weight", "drop", "categorical", "numeric", "text", "dates"};
  return std::find(std::begin(roles), std::end(roles), name) != std::end(roles);
}

}  // namespace

bool Proposals::fits(const std::string& name, const std::string& value) const {
  const Row* const row = command_.flag(name);
  if (row == nullptr || (row->takes_value() && value.empty())) return false;
  if (!row->repeats() && row->takes_value() && given_(name)) return false;
  if (!row->repeats()) {
    return std::all_of(flags_.begin(), flags_.end(),
                       [&](const auto& flag) { return flag.first != name || flag.second == value; });
  }
  const std::vector<std::string> columns = parts_of(value);
  return !gives_a_role(name) || std::none_of(columns.begin(), columns.end(), [&](const std::string& column) {
    return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
  });
}

void Proposals::add(std::string_view fix) {
  const std::vector<NamedOption> options = proposed_options(fix);
  if (std::all_of(options.begin(), options.end(),
                  [&](const NamedOption& option_of) { return fits(option_of.name, option_of.value); })) {
    for (const NamedOption& option_of : options) add_flag(option_of.name, option_of.value);
  }
}

void Proposals::add_flag(const std::string& name, const std::string& value) {
  if (!fits(name, value)) return;
  if (gives_a_role(name)) {
    for (std::string& column : parts_of(value)) columns_.push_back(std::move(column));
  }
  const auto same = std::find_if(flags_.begin(), flags_.end(), [&](const auto& flag) { return flag.first == name; });
  if (same == flags_.end()) {
    flags_.emplace_back(name, value);
  } else if (command_.flag(name)->repeats()) {
    same->second += "," + value;
  }
}

std::string Proposals::line() const {
  std::string line = invocation();
  for (const auto& [name, value] : flags_) line += " " + as_flag(name, value);
  return line;
}

}  // namespace halfspace::cli
