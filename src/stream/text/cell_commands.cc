// Commands for sed and perl.
#include "stream/text/cell_commands.h"

namespace halfspace::stream {
namespace {

constexpr std::string_view of_files = " FILE >NAME";

}  // namespace

std::string delimiter_expression(char delimiter) {
  if (delimiter == '\t') return "\\t";
  return delimiter == ',' || delimiter == ';' ? std::string(1, delimiter) : std::string("\\") + delimiter;
}

// Perl counts the cells of a line, and edits those of the columns.
std::string edit_command(const std::string& edits, const RewrittenCells& cells, std::string_view tool) {
  if (cells.columns.empty()) return std::string(tool) + " '" + edits + "'" + std::string(of_files);
  const std::string mark = delimiter_expression(cells.delimiter);
  std::string numbers;
  for (const std::size_t column : cells.columns) numbers += (numbers.empty() ? "" : "|") + std::to_string(column);
  const std::string which = cells.columns.size() == 1 ? "==" + numbers : "=~/^(" + numbers + ")$/";
  const std::string perl(tool.starts_with("perl") ? tool : "perl -pe");
  return perl + " 'my $c=0; s{(?:^|" + mark + ")\\K(" + (cells.quoted ? "\"(?:[^\"]|\"\")*\"|" : "") + "[^" + mark +
         "\\r\\n]*)}{my $x=$1; if (++$c" + which + ") {for ($x) {" + edits + "}} $x}ge'" + std::string(of_files);
}

std::string in_turn(const std::string& first, const std::string& second) {
  if (first.empty()) return second;
  constexpr std::string_view to_file = " >NAME";
  return first.substr(0, first.size() - to_file.size()) + " | " + second.substr(0, second.size() - of_files.size()) +
         std::string(to_file);
}

}  // namespace halfspace::stream
