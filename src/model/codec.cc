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
#include "stream/foreign.h"

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

Checksum checksum(std::span<const std::uint8_t> bytes) {
  return bytes_of(XXH3_128bits(bytes.data(), bytes.size()));
}

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

// Only these rules omit zeros: other rules have zeros by chance, and their files stay unchanged.
bool has_sparse_arrays(const Model& model) {
  if (!makes_exact_zeros(model.composition)) return false;
  return is_sparse_array(model.weights.w) || is_sparse_array(model.learner.weights.w) ||
         is_sparse_array(model.learner.kept.w) || is_sparse_array(model.learner.moments) ||
         (model.ledger.losses && is_sparse_array(model.ledger.losses->gradient.w));
}

// Returns the least version that can store the model with its zeros.
std::uint32_t version_with_zeros(const Model& model) {
  if (model.ledger.losses) return kSumsLosses;
  if (quotes_are_text(model.schema)) return kStoresQuotes;
  if (makes_features(model.schema)) return kMakesFeatures;
  return says_how_text_is_read(model.schema) ? kStoresGrammar : 1;
}

// Returns true if the calibration stores more than its curves.
bool states_calibration(const Model& model) {
  const Calibration& calibration = model.calibration;
  return calibration.by_folds || (calibration.method != CalibrationMethod::none && !calibration.fitted());
}

// Returns true if the ledger's note on new rows does not follow from its settings.
bool notes_new_rows(const Model& model) {
  return model.ledger.new_rows != new_rows_by_settings(model) ||
         (model.ledger.watch && model.ledger.watch->error_alarm);
}

// Returns the least version that can store the model without sorting names.
std::uint32_t version_with_texts(const Model& model) {
  if (model.threshold) return kHasThreshold;
  if (model.conformal) return kHasConformalScores;
  if (model.calibration.method == CalibrationMethod::softmax) return kHasSoftmax;
  if (notes_new_rows(model)) return kNotesNewRows;
  if (states_calibration(model)) return kStatesCalibration;
  if (cuts_otherwise(model.schema)) return kCutsOtherwise;
  return has_sparse_arrays(model) ? kStoresSparsely : version_with_zeros(model);
}

// Returns true unless errors and weights are the mistakes and the rounds, as earlier versions take them to be.
bool counts_errors(const Model& model) {
  const Ledger& ledger = model.ledger;
  const auto is_count = [](double sum) { return sum == std::floor(sum) && sum <= 0x1p53; };
  const bool counts = std::all_of(ledger.pass.begin(), ledger.pass.end(), [](const PassRecord& pass) {
    return pass.errors == static_cast<double>(pass.mistakes) && pass.weight == static_cast<double>(pass.rounds);
  });
  const auto first_pass = static_cast<double>(ledger.first_pass_rounds);
  const auto in_first_pass = [&](double sum) { return is_count(sum) && sum <= first_pass; };
  return !counts || !in_first_pass(ledger.constant_errors) || !in_first_pass(ledger.previous_errors) ||
         !std::all_of(ledger.class_weight.begin(), ledger.class_weight.end(), in_first_pass) ||
         ledger.stopped == Stopped::budget || !is_count(errors_of_pocket(model));
}

// Returns the version to write: one encoding for each model, readable by programs as old as possible.
std::uint32_t version_of(const Model& model) {
  if (model.spread) return kHasSpread;
  if (counts_errors(model)) return kCountsErrors;
  if (model.schema.hashed.bits != 0) return kHashesNames;
  return fields::sorts_names(model.schema) ? kSortsNames : version_with_texts(model);
}

Model decode_fields(std::span<const std::uint8_t> bytes) {
  check_magic(bytes);
  const std::size_t end = bytes.size() - kChecksumBytes;
  const Checksum sum = checksum(bytes.first(end));
  const bool whole = std::equal(sum.begin(), sum.end(), bytes.begin() + static_cast<std::ptrdiff_t>(end));
  try {
    Reader reader(bytes.first(end), kMagic.size());
    const auto version = reader.implied("version", kFormatVersion, [&](std::uint32_t stored) {
      return (stored >= 1 && stored <= kFormatVersion) || (whole && stored > kFormatVersion)
                 ? std::string()
                 : std::to_string(stored) + " is not a version";
    });
    if (version > kFormatVersion) {
      throw Error(ErrorKind::data, "the model has format version " + std::to_string(version) +
                                       ", and this Halfspace reads up to version " + std::to_string(kFormatVersion))
          .fix("use a newer Halfspace, or train the model again with this one");
    }
    Model model;
    reader.set_version(version, kFirstVersions);
    describe(reader, model);
    if (!reader.since(Change::new_rows)) model.ledger.new_rows = new_rows_by_settings(model);
    reader.finish("file");
    // Earlier files store every zero and every name, and are written again without.
    const std::uint32_t expected = version < kSortsNames ? version_with_texts(model) : version_of(model);
    if (version != expected && (version >= kStoresSparsely || version != version_with_zeros(model))) {
      throw field_error("version", kMagic.size(),
                        "a model of this content has version " + std::to_string(version_of(model)));
    }
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
  const std::uint32_t version = version_of(model);
  writer.transfer(version);
  writer.set_version(version, kFirstVersions);
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
