// Orders of a distributed certification and their answers as bytes.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/workers.h"
#include "proof/large/row_passes.h"
#include "proof/verify/source_measures.h"

namespace halfspace::mpi {

// What worker 0 asks of all. Without answers: `files`, who has which source; `text`, the schema of all rows;
// `certificate`, the one to be checked. The body of `describe` is the schema of the first rows.
enum class OrderKind : std::uint8_t { stop, files, describe, text, survey, price, certificate, units, measures };

struct Order {
  OrderKind kind = OrderKind::stop;
  double seconds = -1;  // left; negative: no limit
  Bytes body;
};

// The answer for a source.
struct Answer {
  enum class Kind : std::uint8_t { found, gave_up, not_valid };

  Kind kind = Kind::found;
  Bytes body;  // not_valid: the reason
};

struct Owners {
  std::vector<std::int32_t> of_sources;  // the number of a worker
};

// Convert to bytes and back. Throw Error(data) for bytes that are not such a value.
Bytes encode(const Order& order);
Bytes encode(const Answer& answer);
Bytes encode(const Owners& owners);
Bytes encode(const proof::SourceSchema& found);
Bytes encode(const proof::SurveyOrder& order);
Bytes encode(const proof::SourceSurvey& found);
Bytes encode(const proof::PriceOrder& order);
Bytes encode(const proof::SourcePrices& found);
Bytes encode(const proof::SourceUnits& found);
Bytes encode(const proof::Scale& scale);
Bytes encode(const proof::SourceMeasures& found);
template <class T>
T decode_as(const Bytes& bytes);

}  // namespace halfspace::mpi
