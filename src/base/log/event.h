// The events of a learner's log as records of bytes (docs/formats/log.md).
//
//   event = kind:u8 [sequence] fields     forget: number:u64 ...     others: id label text
//   sequence = number:u64 source, if 128 is added to the kind
//   learn, ask, truth: text is the line, of truth the one with its label; label is empty, or of ask the prediction that
//   was served, of truth the class. model: text is the model's bytes.
//   A text is its size:u32 and its bytes; the last one takes the rest. Little endian.
//
// Thread-safety: value types, whose texts are views of the record.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace halfspace::log {

enum class EventKind : std::uint8_t { learn = 1, ask = 2, truth = 3, forget = 4, model = 5 };

// The number that a source of requests gave to one; its numbers never decrease.
struct Sequence {
  std::string_view source;
  std::uint64_t number = 0;
  bool operator==(const Sequence&) const = default;
};

struct Event {
  EventKind kind = EventKind::learn;
  std::optional<Sequence> sequence{};  // of the request that the event came with
  std::string_view id{}, label{};      // of learn both may be empty
  std::string_view text{};             // the line; the model's bytes
  std::set<std::uint64_t> numbers{};   // forget
};

std::string record_of(const Event& event);
// Throws Error(data) for bytes that are no event.
Event event_of(std::string_view record);

}  // namespace halfspace::log
