// Parts of bytes in one, with a kind and a checksum: tasks, results and saved jobs.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "halfspace/base/error.h"

namespace halfspace::jobs {

using Part = std::vector<std::uint8_t>;

// Returns the error for bytes of a task, a result, a job.
Error damaged(const std::string& what);

Part packed(char kind, const std::vector<Part>& parts);
// Throws Error(data), which names `what`, for damaged bytes and for those of another kind.
std::vector<Part> unpacked(std::span<const std::uint8_t> bytes, char kind, const char* what);

// A number, or a text, as a part. Throw Error(data) for a part that is none.
Part part_of(std::uint64_t number);
std::uint64_t number_of(const Part& part);
Part part_of(const std::string& text);
std::string text_of(const Part& part);

std::uint64_t fingerprint_of(const Part& part);

}  // namespace halfspace::jobs
