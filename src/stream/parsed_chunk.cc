// The result of parsing a chunk, emptied for the next.
#include "stream/parser.h"

namespace halfspace::stream {

void ParsedChunk::clear() {
  text = {};
  rows.clear();
  line_of_row.clear();
  bad.clear();
  lines = data_rows = unknown_features = 0;
  late_label.reset();
  new_labels.clear();
}

}  // namespace halfspace::stream
