// Commands that rewrite numbers in a file.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace halfspace::stream {

// The cells of a table that a command rewrites.
struct RewrittenCells {
  char delimiter = '\0';             // NUL: of JSON Lines or ARFF
  bool quoted = true;                // double quotes enclose cells
  std::vector<std::size_t> columns;  // from 1; none: parts of lines are rewritten, wherever they are
};

// Returns the expression for the delimiter between cells.
std::string delimiter_expression(char delimiter);

// Returns the command that applies edits, such as s/a/b/g, to cells. `tool`: what applies them to lines.
std::string edit_command(const std::string& edits, const RewrittenCells& cells, std::string_view tool = "sed -E");

// Returns a command that does what the first does and then the second.
std::string in_turn(const std::string& first, const std::string& second);

}  // namespace halfspace::stream
