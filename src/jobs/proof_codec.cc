// Describes each value once, for writing and reading.
#include "jobs/proof_codec.h"

#include <gmpxx.h>

#include <type_traits>
#include <utility>

#include "base/fields/archive.h"
#include "halfspace/mixing/shards.h"

namespace halfspace::jobs {
namespace {

using fields::anything;

// A list that is described instead of another: an archive that writes must not fill it.
template <class A, class T>
using Copied = std::conditional_t<A::reads, T, const T>;

// Texts of the data, of any bytes.
template <class A, class T>
void describe_text(A& archive, T& text) {
  archive.transfer_text(text);
}

// Numbers in base 16, which takes linear time.
template <class A, class T>
void describe_number(A& archive, T& number) {
  std::string digits = A::reads ? std::string() : number.get_str(16);
  archive.transfer_text(digits);
  if constexpr (A::reads) {
    if (number.set_str(digits, 16) != 0) archive.refuse("these are not the digits of a number");
  }
}

template <class A, class T>
void describe_optional_number(A& archive, T& number) {
  bool present = number.has_value();
  archive.flag("present", present);
  if (!present) return;
  if constexpr (A::reads) number.emplace();
  describe_number(archive, *number);
}

template <class A, class T>
void describe_numbers(A& archive, T& numbers) {
  archive.list("numbers", numbers, 4, anything, [&](auto& number, std::uint64_t) { describe_number(archive, number); });
}

template <class A, class T>
void describe_bytes(A& archive, T& bytes) {
  archive.numbers("bytes", bytes, anything, anything);
}

template <class A, class T>
void describe_texts(A& archive, T& texts) {
  archive.list("texts", texts, 4, anything, [&](auto& text, std::uint64_t) { describe_text(archive, text); });
}

template <class A, class T>
void describe_row(A& archive, T& row) {
  archive.value("source", row.position.source, anything);
  archive.value("row", row.position.row, anything);
  archive.value("class", row.klass, anything);
  archive.list("numbers", row.numbers, 16, anything, [&](auto& number, std::uint64_t) {
    archive.value("coordinate", number.coordinate, anything);
    archive.value("exponent", number.exponent, anything);
    archive.value("mantissa", number.mantissa, anything);
  });
  archive.list("long numbers", row.long_numbers, 16, anything, [&](auto& number, std::uint64_t) {
    archive.value("coordinate", number.first, anything);
    archive.value("exponent", number.second.exponent, anything);
    describe_optional_number(archive, number.second.big);
  });
}

template <class A, class T>
void describe_rows(A& archive, T& rows) {
  archive.list("rows", rows, 32, anything, [&](auto& row, std::uint64_t) { describe_row(archive, row); });
}

template <class A, class T>
void describe_separator(A& archive, T& separator) {
  archive.list("vectors", separator.vectors, 8, anything, [&](auto& vector, std::uint64_t) {
    describe_texts(archive, vector.weights);
    describe_text(archive, vector.bias);
  });
  describe_text(archive, separator.squared_norm);
  describe_text(archive, separator.minimum);
}

// The fields of each value. All counts of `archive.list` are checked against the bytes that are left.

template <class A>
void describe(A& archive, std::conditional_t<A::reads, proof::SourceSchema, const proof::SourceSchema>& found) {
  Copied<A, Part> schema = A::reads ? Part() : encode_schema(found.schema);
  describe_bytes(archive, schema);
  if constexpr (A::reads) found.schema = decode_schema(schema);
  describe_texts(archive, found.labels);
  archive.value("rows", found.rows, anything);
}

template <class A>
void describe(A& archive, std::conditional_t<A::reads, proof::SurveyOrder, const proof::SurveyOrder>& order) {
  archive.value("sample bytes", order.sample_bytes, anything);
  archive.value("sample rows", order.sample_rows, anything);
}

template <class A>
void describe(A& archive, std::conditional_t<A::reads, proof::SourceSurvey, const proof::SourceSurvey>& found) {
  archive.list("files", found.scanned.source.files, 16, anything, [&](auto& file, std::uint64_t) {
    describe_text(archive, file.name);
    describe_text(archive, file.sha256);
    archive.value("bytes", file.bytes, anything);
  });
  archive.value("rows", found.scanned.source.rows, anything);
  archive.list("classes", found.scanned.classes, 16, anything, [&](auto& group, std::uint64_t) {
    describe_texts(archive, group.labels);
    archive.value("rows", group.rows, anything);
  });
  Copied<A, std::vector<std::string>> missing(found.scanned.missing.begin(), found.scanned.missing.end());
  describe_texts(archive, missing);
  if constexpr (A::reads) found.scanned.missing = {missing.begin(), missing.end()};
  describe_number(archive, found.largest_square);
  describe_rows(archive, found.wanted);
  describe_rows(archive, found.sample);
}

template <class A>
void describe(A& archive, std::conditional_t<A::reads, proof::PriceOrder, const proof::PriceOrder>& order) {
  describe_separator(archive, order.separator);
  archive.value("classes", order.asked.classes, anything);
  archive.value("positive", order.asked.positive, anything);
  archive.flag("biased", order.asked.biased);
  describe_number(archive, order.asked.bias_scale);
  archive.value("most bytes", order.most_bytes, anything);
  archive.value("most rows", order.most_rows, anything);
}

template <class A>
void describe(A& archive, std::conditional_t<A::reads, proof::SourcePrices, const proof::SourcePrices>& found) {
  describe_optional_number(archive, found.facts.least);
  archive.value("wrong", found.facts.wrong, anything);
  archive.value("zero negative", found.facts.zero_negative, anything);
  archive.value("zero positive", found.facts.zero_positive, anything);
  archive.list("worst", found.worst, 40, anything, [&](auto& rated, std::uint64_t) {
    archive.value("agreement", rated.agreement, anything);
    describe_row(archive, rated.row);
  });
}

template <class A>
void describe(A& archive, std::conditional_t<A::reads, proof::SourceUnits, const proof::SourceUnits>& found) {
  archive.value("features", found.features, anything);
  archive.numbers("exponents", found.exponent, anything, anything);
}

template <class A>
void describe(A& archive, std::conditional_t<A::reads, proof::Scale, const proof::Scale>& scale) {
  archive.numbers("exponents", scale.exponent, anything, anything);
  archive.value("least", scale.least, anything);
  describe_number(archive, scale.bias);
}

template <class A, class T>
void describe_sum(A& archive, T& sum) {
  describe_number(archive, sum.total);
  archive.list("sums", sum.sums, 8, anything, [&](auto& by_coordinate, std::uint64_t) {
    Copied<A, std::vector<std::pair<std::uint32_t, mpz_class>>> entries(by_coordinate.begin(), by_coordinate.end());
    archive.list("coordinates", entries, 8, anything, [&](auto& entry, std::uint64_t) {
      archive.value("coordinate", entry.first, anything);
      describe_number(archive, entry.second);
    });
    if constexpr (A::reads) by_coordinate = {entries.begin(), entries.end()};
  });
  describe_numbers(archive, sum.bias_sums);
}

template <class A, class T>
void describe_minimum(A& archive, T& sums) {
  describe_numbers(archive, sums.losses);
  describe_numbers(archive, sums.duals);
  describe_numbers(archive, sums.squared_duals);
  describe_numbers(archive, sums.features);
  describe_number(archive, sums.signs);
}

template <class A>
void describe(A& archive, std::conditional_t<A::reads, proof::SourceMeasures, const proof::SourceMeasures>& found) {
  archive.value("features", found.features, anything);
  archive.numbers("rows", found.rows, anything, anything);
  archive.value("excluded rows", found.excluded_rows, anything);
  archive.list("facts", found.facts, 28, anything, [&](auto& facts, std::uint64_t) {
    describe_number(archive, facts.squared_norm);
    describe_optional_number(archive, facts.minimum);
    archive.value("wrong", facts.wrong, anything);
    archive.value("zero negative", facts.zero_negative, anything);
    archive.value("zero positive", facts.zero_positive, anything);
  });
  archive.list("sums", found.sums, 20, anything, [&](auto& sum, std::uint64_t) { describe_sum(archive, sum); });
  archive.list("minima", found.minima, 20, anything,
               [&](auto& sums, std::uint64_t) { describe_minimum(archive, sums); });
  describe_optional_number(archive, found.longest);
}

template <class T>
Part written(const T& value) {
  fields::Writer writer;
  writer.file = "message";
  describe(writer, value);
  return std::move(writer.bytes());
}

}  // namespace

template <class T>
T decode_as(const Part& bytes) {
  fields::Reader reader(bytes, 0);
  reader.file = "message";
  T value;
  describe(reader, value);
  reader.finish("message");
  return value;
}

Part encode(const proof::SourceSchema& found) { return written(found); }
Part encode(const proof::SurveyOrder& order) { return written(order); }
Part encode(const proof::SourceSurvey& found) { return written(found); }
Part encode(const proof::PriceOrder& order) { return written(order); }
Part encode(const proof::SourcePrices& found) { return written(found); }
Part encode(const proof::SourceUnits& found) { return written(found); }
Part encode(const proof::Scale& scale) { return written(scale); }
Part encode(const proof::SourceMeasures& found) { return written(found); }

template proof::SourceSchema decode_as<proof::SourceSchema>(const Part&);
template proof::SurveyOrder decode_as<proof::SurveyOrder>(const Part&);
template proof::SourceSurvey decode_as<proof::SourceSurvey>(const Part&);
template proof::PriceOrder decode_as<proof::PriceOrder>(const Part&);
template proof::SourcePrices decode_as<proof::SourcePrices>(const Part&);
template proof::SourceUnits decode_as<proof::SourceUnits>(const Part&);
template proof::Scale decode_as<proof::Scale>(const Part&);
template proof::SourceMeasures decode_as<proof::SourceMeasures>(const Part&);

}  // namespace halfspace::jobs
