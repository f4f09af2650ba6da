// What other programs make of LIBSVM text, line by line, before it is handed to them.
//
// The facts are those of the table of docs/formats/libsvm.md, which tools/elsewhere/libsvm measures; each is of the
// version that is named. A line is classified by its text alone, independently of how Halfspace reads it.
//
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/flags.h"

namespace halfspace::cli {

// Returns the programs, as values of a flag.
std::vector<FlagChoice> elsewhere_programs();

// Lines that a program does not read as they are meant.
struct ElsewhereLines {
  std::string_view what, then;  // "a blank line", "refuses the file"
  std::string file{};           // of the first line
  std::uint64_t line = 0;       // 0: it is about the file as a whole
  std::uint64_t lines = 0;      // or files
};

struct ElsewhereReading {
  std::string_view program;  // with its version
  std::string_view how;      // ", as 32-bit floats": what holds for every line
  std::vector<ElsewhereLines> lines;
};

// Returns whether the files can be read twice and the first row is LIBSVM text, with a qid or weight, too. Throws Error
// as any source.
bool is_for_elsewhere(const std::vector<std::string>& files);

// Reads regular files of LIBSVM text, decompressed. `program`: of elsewhere_programs(). Throws Error: usage for what is
// no file of text, and as any source.
ElsewhereReading read_elsewhere(std::string_view program, const std::vector<std::string>& files);

}  // namespace halfspace::cli
