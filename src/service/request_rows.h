// The rows of a request as lines of the model's format: as they were sent, or made of JSON.
//
// A model of CSV also takes JSON objects, whose members are columns by name: a line that is an object. A body of the
// type application/json is one object or several, in an array or one after the other, with line breaks anywhere.
//
// Thread-safety: pure functions. Memory: O(the body).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "service/answers.h"

namespace halfspace::service {

struct RequestRows {
  std::string_view sent;            // of the request, which must outlive this
  std::string made;                 // the lines, if they were made of JSON
  bool is_made = false;             // an object that is no row is an empty line
  std::vector<RefusedRow> refused;  // these, at most LiveLearner::most_refused, ascending
  std::uint64_t more = 0;           // objects after the last of these, of which none was read

  std::string_view lines() const { return is_made ? std::string_view(made) : sent; }
};

RequestRows rows_of(const Schema& schema, const Request& request);

}  // namespace halfspace::service
