// Frames: records with a number and a checksum, one after the other in a file.
//
// frame = magic:u32 bytes:u32 number:u64 checksum:u64 record     Little endian; the number is the caller's; the checksum
// covers the rest of the frame.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace halfspace {

// Returns the XXH3-64 of the bytes before and after the field that holds it.
std::uint64_t checksum(std::string_view before, std::string_view after);

struct Frame {
  std::uint64_t number;
  std::string_view record;
};

inline constexpr std::size_t frame_header = 4 + 4 + 8 + 8;  // bytes of a frame without a record

// Appends a frame to `bytes`. The record has at most 2^32 - 1 bytes.
void append_frame(std::uint32_t magic, std::uint64_t number, std::string_view record, std::string& bytes);
// Returns the frame at the beginning of the bytes; none if it is not complete, or damaged.
std::optional<Frame> frame_at_front(std::uint32_t magic, std::string_view bytes);

}  // namespace halfspace
