// Converts models to bytes and back: the frame (magic, version, checksum) around the fields that fields.h describes.

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <optional>
#include <string>

#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/rule_entry.h"
#include "model/fields.h"
#include "model/format.h"
#include "stream/foreign/foreign.h"

namespace halfspace {
namespace model {

namespace {

Checksum bytes_of(XXH128_hash_t hash) {
  Checksum sum;
  for (std::size_t i = 0; i < 8; ++i) {
    sum[i] = static_cast<std::uint8_t>(hash.low64 >> (8 * i));
    sum[8 + i] = static_cast<std::uint8_t>(hash.high64 >> (8 * i));
  }
  return sum;
}

}  // namespace

Checksum checksum(std::span<const std::uint8_t> bytes) { return bytes_of(XXH3_128bits(bytes.data(), bytes.size())); }

namespace {

constexpr const char* kTrainAgain = "restore the model from a copy, or train it again";

Error field_error(const char* field, std::size_t at, const std::string& problem) {
  return Error(ErrorKind::data,
               std::string("model field '") + field + "' at byte " + std::to_string(at) + ": " + problem);
}

// Checks the magic, or the part of it that the file has.
void check_magic(std::span<const std::uint8_t> bytes) {
  const std::size_t length = std::min(bytes.size(), kMagic.size());
  if (length == 0 || !std::equal(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length), kMagic.begin())) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::optional<stream::Foreign> foreign = stream::recognise_foreign(text);
    throw Error(ErrorKind::data,
                std::string("not a Halfspace model") + (bytes.empty() ? ": the file is empty"
                                                        : foreign     ? ": this is " + std::string(foreign->name)
                                                                      : ""))
        .fix("give a file that halfspace train wrote; the model comes before the data");
  }
  if (bytes.size() < kHeaderBytes + kChecksumBytes) {
    throw field_error(length < kMagic.size()        ? "magic"
                      : bytes.size() < kHeaderBytes ? "version"
                                                    : "checksum",
                      bytes.size(), "the file is truncated here");
  }
}

Model decode_fields(std::span<const std::uint8_t> bytes) {
  check_magic(bytes);
  const std::size_t end = bytes.size() - kChecksumBytes;
  const Checksum sum = checksum(bytes.first(end));
  const bool whole = std::equal(sum.begin(), sum.end(), bytes.begin() + static_cast<std::ptrdiff_t>(end));
  try {
    Reader reader(bytes.first(end), kMagic.size());
    const auto version = reader.implied("version", kFormatVersion, [&](std::uint32_t stored) {
      return stored == kFormatVersion || (whole && stored > kFormatVersion)
                 ? std::string()
                 : std::to_string(stored) + " is not a version";
    });
    if (version > kFormatVersion) throw fields::later_version("model", version, kFormatVersion);
    Model model;
    describe(reader, model);
    reader.finish("file");
    if (whole) return model;
  } catch (const Error& error) {
    if (whole) throw;
    throw Error(ErrorKind::data, "the file is damaged (wrong checksum): " + error.message());
  }
  throw field_error("checksum", end, "the file is damaged: wrong checksum, although every field is in range");
}

// Writes all but the checksum.
void write_fields(fields::Writer& writer, const Model& model) {
  writer.append(kMagic);
  writer.transfer(kFormatVersion);
  describe(writer, model);
}

}  // namespace

void encode_by_pieces(const Model& model, const std::function<void(std::span<const std::uint8_t>)>& write) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  fields::Writer writer([&](std::span<const std::uint8_t> piece) {
    XXH3_128bits_update(&state, piece.data(), piece.size());
    write(piece);
  });
  write_fields(writer, model);
  writer.pass_on();
  write(bytes_of(XXH3_128bits_digest(&state)));
}

}  // namespace model

std::vector<std::uint8_t> encode(const Model& model) {
  fields::Writer writer;
  model::write_fields(writer, model);
  std::vector<std::uint8_t>& bytes = writer.bytes();
  const model::Checksum sum = model::checksum(bytes);
  bytes.insert(bytes.end(), sum.begin(), sum.end());
  return std::move(bytes);
}

Model decode(std::span<const std::uint8_t> bytes, const std::string& name) {
  try {
    return model::decode_fields(bytes);
  } catch (const Error& error) {
    throw Error(error.kind(), error.message()).at(name).fix(error.hint().empty() ? model::kTrainAgain : error.hint());
  }
}

}  // namespace halfspace
