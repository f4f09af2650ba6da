// Events to bytes and back.
#include "base/log/event.h"

#include "base/little_endian.h"
#include "halfspace/base/error.h"

namespace halfspace::log {

std::string record_of(EventKind kind, std::string_view id, std::string_view label, std::string_view text) {
  std::string record(1, static_cast<char>(kind));
  for (const std::string_view field : {id, label}) {
    put_little_endian(record, field.size(), 4);
    record += field;
  }
  record += text;
  return record;
}

std::string record_of_forget(const std::set<std::uint64_t>& numbers) {
  std::string record(1, static_cast<char>(EventKind::forget));
  for (const std::uint64_t number : numbers) put_little_endian(record, number, 8);
  return record;
}

Event event_of(std::string_view record) {
  const auto refuse = [] {
    throw Error(ErrorKind::data, "the log has an event that this version cannot read")
        .fix("use the version that wrote it");
  };
  if (record.empty() || record[0] < 1 || record[0] > static_cast<char>(EventKind::model)) refuse();
  Event event;
  event.kind = static_cast<EventKind>(record[0]);
  record.remove_prefix(1);
  if (event.kind == EventKind::forget) {
    if (record.size() % 8 != 0) refuse();
    for (std::size_t at = 0; at < record.size(); at += 8) event.numbers.insert(little_endian(record.data() + at, 8));
    return event;
  }
  for (std::string_view* const field : {&event.id, &event.label}) {
    if (record.size() < 4) refuse();
    const std::size_t size = little_endian(record.data(), 4);
    if (size > record.size() - 4) refuse();
    *field = record.substr(4, size);
    record.remove_prefix(4 + size);
  }
  event.text = record;
  return event;
}

}  // namespace halfspace::log
