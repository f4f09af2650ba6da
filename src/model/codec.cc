// Converts models to bytes and back: the frame (magic, version, checksum) around the fields that fields.h describes.

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/huge_pages.h"
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

// A file of which all bytes are hashed as they are read, and some are kept.
class PartlyKept {
 public:
  using Read = std::function<std::size_t(char*, std::size_t)>;

  PartlyKept(const Read& read, std::uint64_t size) : read_(read), bytes_(new std::uint8_t[size]), left_(size) {
    prefer_huge_pages(bytes_.get(), size);
    XXH3_128bits_reset(&state_);
  }

  // Reads the next bytes, which are there. Returns null if they are not.
  std::uint8_t* keep(std::uint64_t count) {
    std::uint8_t* const to = bytes_.get() + kept_;
    if (!get(to, count)) return nullptr;
    kept_ += count;
    return to;
  }
  bool skip(std::uint64_t count) {
    std::vector<std::uint8_t> piece(std::min<std::uint64_t>(count, std::size_t{1} << 18));
    for (; count > 0; count -= std::min<std::uint64_t>(count, piece.size())) {
      if (!get(piece.data(), std::min<std::uint64_t>(count, piece.size()))) return false;
    }
    return true;
  }
  std::uint64_t left() const { return left_; }
  Checksum sum() const { return bytes_of(XXH3_128bits_digest(&state_)); }
  std::span<const std::uint8_t> kept() const { return {bytes_.get(), kept_}; }
  std::shared_ptr<const void> owner() const { return bytes_; }

 private:
  // Hashes piece by piece, while these are in the processor's cache.
  bool get(std::uint8_t* to, std::uint64_t count) {
    if (count > left_) return false;
    left_ -= count;
    while (count > 0) {
      const std::size_t got = read_(reinterpret_cast<char*>(to), std::min<std::uint64_t>(count, std::size_t{1} << 18));
      if (got == 0) return false;
      XXH3_128bits_update(&state_, to, got);
      to += got;
      count -= got;
    }
    return true;
  }

  const Read& read_;
  std::shared_ptr<std::uint8_t[]> bytes_;
  std::uint64_t left_;
  std::size_t kept_ = 0;
  XXH3_state_t state_;
};

// Returns whether predictions need the state of a learner: section 2 begins with the rule, the order and the keeper.
bool predicts_by_learner(std::span<const std::uint8_t> composition) {
  if (composition.size() < 3) return true;
  const RuleEntry* const rule = find_rule(RuleName{composition[0]});
  return rule == nullptr || rule->support_vectors || static_cast<KeepName>(composition[2]) == KeepName::vote;
}

// Keeps all but the fields of the learner's section, whose length is 0 then. Returns false if that cannot be.
bool keep_sections(PartlyKept& file, bool& without_learner) {
  constexpr std::uint64_t head_bytes = 12;
  bool by_learner = true;
  while (file.left() > kChecksumBytes) {
    std::uint8_t* const head = file.keep(head_bytes);
    if (head == nullptr) return false;
    Reader reader({head, head_bytes}, 0);
    std::uint32_t tag = 0;
    std::uint64_t length = 0;
    reader.transfer(tag);
    reader.transfer(length);
    if (length > file.left()) return false;
    if (tag == 4 && !by_learner) {
      without_learner = true;
      std::fill_n(head + sizeof(tag), sizeof(length), std::uint8_t{0});
      if (!file.skip(length)) return false;
      continue;
    }
    const std::uint8_t* const body = file.keep(length);
    if (body == nullptr) return false;
    if (tag == 2) by_learner = predicts_by_learner({body, static_cast<std::size_t>(length)});
  }
  return true;
}

// Writes all but the checksum.
void write_fields(fields::Writer& writer, const Model& model) {
  writer.append(kMagic);
  writer.transfer(kFormatVersion);
  describe(writer, model);
}

}  // namespace

std::optional<Model> decode_to_predict(const std::function<std::size_t(char*, std::size_t)>& read, std::uint64_t size) {
  if (size < kHeaderBytes + kChecksumBytes) return std::nullopt;
  PartlyKept file(read, size);
  const std::uint8_t* const header = file.keep(kHeaderBytes);
  if (header == nullptr || !std::equal(kMagic.begin(), kMagic.end(), header)) return std::nullopt;
  bool without_learner = false;
  if (!keep_sections(file, without_learner)) return std::nullopt;
  const Checksum sum = file.sum();
  const std::span<const std::uint8_t> fields = file.kept();
  const std::uint8_t* const stored = file.keep(kChecksumBytes);
  if (stored == nullptr || !std::equal(sum.begin(), sum.end(), stored)) return std::nullopt;
  try {
    Reader reader(fields, kMagic.size());
    reader.owner = file.owner();
    reader.without_learner = without_learner;
    if (reader.implied("version", kFormatVersion, anything) != kFormatVersion) return std::nullopt;
    Model model;
    describe(reader, model);
    reader.finish("file");
    return model;
  } catch (const Error&) {
    return std::nullopt;
  }
}

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
