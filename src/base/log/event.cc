// Events to bytes and back.
#include "base/log/event.h"

#include "base/little_endian.h"
#include "halfspace/base/error.h"

namespace halfspace::log {

namespace {

constexpr unsigned has_sequence = 0x80;

void put_text(std::string& record, std::string_view text) {
  put_little_endian(record, text.size(), 4);
  record += text;
}

}  // namespace

std::string record_of(const Event& event) {
  const auto kind = static_cast<unsigned>(event.kind);
  std::string record(1, static_cast<char>(event.sequence ? kind | has_sequence : kind));
  if (event.sequence) {
    put_little_endian(record, event.sequence->number, 8);
    put_text(record, event.sequence->source);
  }
  if (event.kind == EventKind::forget) {
    for (const std::uint64_t number : event.numbers) put_little_endian(record, number, 8);
    return record;
  }
  put_text(record, event.id);
  put_text(record, event.label);
  record += event.text;
  return record;
}

Event event_of(std::string_view record) {
  const auto refuse = [] {
    throw Error(ErrorKind::data, "the log has an event that this version cannot read")
        .fix("use the version that wrote it");
  };
  const auto take = [&](std::size_t size) {
    if (record.size() < size) refuse();
    const std::string_view taken = record.substr(0, size);
    record.remove_prefix(size);
    return taken;
  };
  const auto number = [&](std::size_t size) { return little_endian(take(size).data(), size); };
  const std::uint64_t first = number(1), kind = first & ~std::uint64_t{has_sequence};
  if (kind < 1 || kind > static_cast<std::uint64_t>(EventKind::model)) refuse();
  Event event;
  event.kind = static_cast<EventKind>(kind);
  if (first != kind) {
    Sequence& sequence = event.sequence.emplace();
    sequence.number = number(8);
    sequence.source = take(number(4));
  }
  if (event.kind == EventKind::forget) {
    while (!record.empty()) event.numbers.insert(number(8));
    return event;
  }
  event.id = take(number(4));
  event.label = take(number(4));
  event.text = record;
  return event;
}

}  // namespace halfspace::log
