// halfspace serve --ingest: the requests of the service as JSON Lines, from a file, a pipe or standard input.
//
//   {"learn": "1 3:0.5"}                        a row with its label; "id" optionally
//   {"predict": "3:0.5", "id": "case-17"}       with an id, the row waits for its label
//   {"truth": "1", "id": "case-17"}             the label
//   {"forget": "case-17"}                       forgets its rows
//   {"ledger": true}                            the counts
//
// A source may number its lines, and say who it is: {"offset": 17, "partition": 0, "learn": "1 3:0.5"}.
//
// Each line is answered by a line on standard output, as HTTP would; a prediction sees all lines before it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "service/answers.h"

namespace halfspace::cli {

// The names of the members that number a line, and that name its source; empty: there are none.
struct SequenceFields {
  std::string sequence, source;
};

// Returns the request that a line describes. Throws Error(data) for another, and for one without these members.
service::Request request_of_line(std::string_view line, const SequenceFields& fields);

// Serves the lines until they end, or a signal arrives. Lines that one read returns are committed together. Throws
// Error for a file that cannot be read.
void serve_lines(const std::string& path, service::LiveLearner& learner, const SequenceFields& fields,
                 std::size_t longest_line);

}  // namespace halfspace::cli
