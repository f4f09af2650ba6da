// The part of the model file that is the same in every version: its beginning and its end (docs/formats/model.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "halfspace/train/model.h"

namespace halfspace::model {

// The first byte is not ASCII and the line ends differ, so a transfer in text mode is detected at once.
inline constexpr std::array<std::uint8_t, 8> kMagic{0x89, 'H', 'S', 'M', '\r', '\n', 0x1a, '\n'};
inline constexpr std::uint32_t kFormatVersion = 1;
inline constexpr std::size_t kHeaderBytes = kMagic.size() + sizeof(kFormatVersion);
inline constexpr std::size_t kChecksumBytes = 16;

using Checksum = std::array<std::uint8_t, kChecksumBytes>;
// Returns the XXH3-128 of the bytes: the low half, then the high half, little endian.
Checksum checksum(std::span<const std::uint8_t> bytes);

// Returns a model to predict with, or nothing if load_model must read the file: it is damaged, for instance, or its
// learner's state is needed. `read` reads up to so many bytes of a file of `size`.
std::optional<Model> decode_to_predict(const std::function<std::size_t(char*, std::size_t)>& read, std::uint64_t size);

// Writes what encode() returns, by pieces: they are not all in memory at once.
void encode_by_pieces(const Model& model, const std::function<void(std::span<const std::uint8_t>)>& write);

}  // namespace halfspace::model
