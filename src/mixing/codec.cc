// Plans, sums and states as bytes: described once, for writing and reading, with a checksum at the end.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <string>

#include "base/fields/archive.h"
#include "base/fields/checks.h"
#include "base/fields/sparse_array.h"
#include "halfspace/mixing/mixing.h"
#include "stream/schema/schema_fields.h"
#include "train/predict/spread_fields.h"

namespace halfspace {
namespace {

using fields::anything;

constexpr std::uint8_t mixing_version = 1;
constexpr std::size_t checksum_bytes = 8;

template <class Describe>
std::vector<std::uint8_t> written(char kind, const char* file, const Describe& describe) {
  fields::Writer writer;
  writer.file = file;
  auto first = static_cast<std::uint8_t>(kind);
  writer.value("kind", first, anything);
  writer.implied("version", mixing_version, anything);
  describe(writer);
  std::vector<std::uint8_t> bytes = std::move(writer.bytes());
  const std::uint64_t sum = XXH3_64bits(bytes.data(), bytes.size());
  for (std::size_t i = 0; i < checksum_bytes; ++i) bytes.push_back(static_cast<std::uint8_t>(sum >> (8 * i)));
  return bytes;
}

template <class Describe>
void read(const std::vector<std::uint8_t>& bytes, char kind, const char* file, const Describe& describe) {
  const std::size_t size = bytes.size() < checksum_bytes ? 0 : bytes.size() - checksum_bytes;
  std::uint64_t stored = 0;
  for (std::size_t i = 0; size != 0 && i < checksum_bytes; ++i) stored |= std::uint64_t{bytes[size + i]} << (8 * i);
  if (size == 0 || XXH3_64bits(bytes.data(), size) != stored)
    throw Error(ErrorKind::data, std::string(file) + " is damaged: its checksum does not fit").fix("make it again");
  fields::Reader reader(std::span(bytes.data(), size), 0);
  reader.file = file;
  auto first = static_cast<std::uint8_t>(kind);
  reader.value("kind", first, [&](std::uint8_t found) {
    return found == static_cast<std::uint8_t>(kind) ? std::string()
                                                    : "these are not the bytes of a " + std::string(file);
  });
  const auto version = reader.implied("version", mixing_version, fields::at_least_one);
  if (version > mixing_version) throw fields::later_version(file, version, mixing_version);
  describe(reader);
  reader.finish(file);
}

template <class A, class V>
void describe_vector(A& archive, const char* name, V& v) {
  archive.group(name, [&] {
    archive.value("classes", v.classes, anything);
    const auto features =
        archive.implied("features", static_cast<std::uint64_t>(v.classes == 0 ? 0 : v.w.size() / v.classes),
                        fields::at_most(std::uint64_t{1} << 31, "the largest number of features"));
    fields::describe_sparse_array(archive, "w", v.w, features * v.classes, fields::finite);
    archive.array("bias", v.bias, v.classes, fields::finite);
  });
}

template <class A, class R>
void describe_records(A& archive, R& records) {
  archive.list("records", records, 40, anything, [&](auto& record, std::uint64_t) {
    archive.value("rounds", record.rounds, anything);
    archive.value("mistakes", record.mistakes, fields::at_most(record.rounds, "the rounds"));
    archive.value("updates", record.updates, fields::at_most(record.rounds, "the rounds"));
    archive.value("errors", record.errors, fields::sum_of_positives);
    archive.value("weight", record.weight, fields::sum_of_positives);
  });
}

template <class A, class L>
void describe_counts(A& archive, L& ledger) {
  archive.value("rounds", ledger.rounds, anything);
  archive.value("mistakes", ledger.mistakes, anything);
  archive.value("updates", ledger.updates, anything);
  archive.value("passes", ledger.passes, anything);
  archive.choice("stopped", ledger.stopped, 9, "a reason to stop");
  archive.list("pass", ledger.pass, 48, anything, [&](auto& pass, std::uint64_t) {
    archive.value("rounds", pass.rounds, anything);
    archive.value("mistakes", pass.mistakes, anything);
    archive.value("updates", pass.updates, anything);
    archive.value("criterion", pass.criterion, fields::sum_of_positives);
    archive.value("errors", pass.errors, fields::sum_of_positives);
    archive.value("weight", pass.weight, fields::sum_of_positives);
  });
  archive.value("largest_squared_norm", ledger.largest_squared_norm, fields::sum_of_positives);
  archive.value("largest_row", ledger.largest_row, anything);
  archive.value("update_steps", ledger.update_steps, fields::sum_of_positives);
  archive.value("update_squares", ledger.update_squares, fields::sum_of_positives);
  archive.value("smallest_mistake_weight", ledger.smallest_mistake_weight, fields::sum_of_positives);
  archive.value("constant_errors", ledger.constant_errors, fields::sum_of_positives);
  archive.value("previous_errors", ledger.previous_errors, fields::sum_of_positives);
  archive.value("first_pass_rounds", ledger.first_pass_rounds, anything);
  archive.value("first_pass_mistakes", ledger.first_pass_mistakes, anything);
  archive.numbers("class_weight", ledger.class_weight, anything, fields::sum_of_positives);
  archive.value("previous_label", ledger.previous_label, anything);
  archive.value("last_update_round", ledger.last_update_round, anything);
  archive.value("next_row", ledger.next_row, anything);
  archive.choice("new_rows", ledger.new_rows, 6, "a note on new rows");
}

template <class A, class F>
void describe_files(A& archive, F& files) {
  archive.list("files", files, 22, anything, [&](auto& file, std::uint64_t) {
    archive.text("path", file.path);
    archive.value("end", file.end, anything);
    archive.value("begin", file.begin, anything);
    archive.flag("compressed", file.compressed);
    archive.flag("cached", file.cached);
    if (!file.compressed && file.begin > file.end) archive.refuse("the file ends before its rows begin");
  });
}

template <class A, class P>
void describe_plan(A& archive, P& plan) {
  archive.value("shards", plan.shards, [](std::uint32_t shards) {
    return std::has_single_bit(shards) && shards <= most_shards ? std::string() : "not a power of two within the limit";
  });
  archive.value("range_size", plan.range_size, anything);
  describe_files(archive, plan.files);
  archive.text("before", plan.before);
  fields::describe_schema(archive, plan.schema);
  std::uint64_t shards = 0;
  archive.numbers("shards_of_file", plan.shards_of_file, anything, [&](std::uint32_t count) {
    shards += count;
    return count > 0 && shards <= plan.shards ? std::string() : "more shards than there are, or none";
  });
  if (!plan.shards_of_file.empty() && plan.shards_of_file.size() != plan.files.size())
    archive.refuse("it has shards of " + std::to_string(plan.shards_of_file.size()) + " files, not of all");
}

// Describes the spread of a sum or a state, if it has one.
template <class A, class S>
void describe_spread_of(A& archive, S& of) {
  bool present = of.spread.has_value();
  archive.flag("has_spread", present);
  if (!present) return;
  if constexpr (A::reads) of.spread.emplace();
  archive.group("spread", [&] { fields::describe_spread(archive, *of.spread, FeatureSpread::most_features); });
}

template <class A, class S>
void describe_sum(A& archive, S& sum) {
  archive.value("first", sum.first, fields::at_most(most_shards, "the shards"));
  describe_records(archive, sum.records);
  archive.value("rejected", sum.rejected, anything);
  describe_vector(archive, "weights", sum.weights);
  describe_vector(archive, "means", sum.means);
  describe_counts(archive, sum.ledger);
  describe_spread_of(archive, sum);
}

template <class A, class S>
void describe_state(A& archive, S& state) {
  archive.choice("mixing", state.mixing, 2, "a way to mix");
  archive.value("epoch", state.epoch, anything);
  describe_vector(archive, "weights", state.weights);
  describe_vector(archive, "means", state.means);
  describe_counts(archive, state.ledger);
  archive.list("epochs", state.records, 8, fields::exactly(state.epoch, "the number of epochs"),
               [&](auto& records, std::uint64_t) { describe_records(archive, records); });
  describe_spread_of(archive, state);
}

template <class A, class M>
void describe_margins(A& archive, M& margins) {
  const auto at_least_minus_infinity = [](double margin) { return std::isnan(margin) ? "no number" : std::string(); };
  archive.value("rows", margins.rows, anything);
  archive.value("errors", margins.errors, fields::at_most(margins.rows, "the rows"));
  archive.value("smallest_margin", margins.smallest_margin, at_least_minus_infinity);
  archive.value("largest_squared_norm", margins.largest_squared_norm, fields::sum_of_positives);
  archive.flag("weighted", margins.weighted);
  archive.flag("of_updates", margins.of_updates);
  const auto whole_epochs = [](std::uint64_t count) {
    return count % ShardMargins::scales == 0 ? std::string() : "not a number for each scale";
  };
  archive.numbers("hinges", margins.hinges, whole_epochs, fields::sum_of_positives);
  archive.numbers("distance_sums", margins.distance_sums,
                  fields::exactly(margins.hinges.size() / ShardMargins::scales, "the sums of hinges"), anything);
}

}  // namespace

std::vector<std::uint8_t> encode(const ShardMargins& margins) {
  return written('M', "margins", [&](auto& archive) { describe_margins(archive, margins); });
}
ShardMargins decode_margins(const std::vector<std::uint8_t>& bytes) {
  ShardMargins margins;
  read(bytes, 'M', "margins", [&](auto& archive) { describe_margins(archive, margins); });
  return margins;
}

std::vector<std::uint8_t> encode(const ShardPlan& plan) {
  return written('P', "plan", [&](auto& archive) { describe_plan(archive, plan); });
}
ShardPlan decode_plan(const std::vector<std::uint8_t>& bytes) {
  ShardPlan plan;
  read(bytes, 'P', "plan", [&](auto& archive) { describe_plan(archive, plan); });
  return plan;
}

std::vector<std::uint8_t> encode_files(const std::vector<FileRows>& files) {
  return written('L', "list of files", [&](auto& archive) { describe_files(archive, files); });
}
std::vector<FileRows> decode_files(const std::vector<std::uint8_t>& bytes) {
  std::vector<FileRows> files;
  read(bytes, 'L', "list of files", [&](auto& archive) { describe_files(archive, files); });
  return files;
}

std::vector<std::uint8_t> encode_schema(const Schema& schema) {
  return written('C', "schema", [&](auto& archive) { fields::describe_schema(archive, schema); });
}
Schema decode_schema(const std::vector<std::uint8_t>& bytes) {
  Schema schema;
  read(bytes, 'C', "schema", [&](auto& archive) { fields::describe_schema(archive, schema); });
  return schema;
}

std::vector<std::uint8_t> encode(const PartialSum& sum) {
  return written('S', "sum", [&](auto& archive) { describe_sum(archive, sum); });
}
PartialSum decode_sum(const std::vector<std::uint8_t>& bytes) {
  PartialSum sum;
  read(bytes, 'S', "sum", [&](auto& archive) { describe_sum(archive, sum); });
  return sum;
}

std::vector<std::uint8_t> encode(const MixState& state) {
  return written('T', "state", [&](auto& archive) { describe_state(archive, state); });
}
MixState decode_state(const std::vector<std::uint8_t>& bytes) {
  MixState state;
  read(bytes, 'T', "state", [&](auto& archive) { describe_state(archive, state); });
  return state;
}

}  // namespace halfspace
