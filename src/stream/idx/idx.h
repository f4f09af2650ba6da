// The idx files of MNIST: images (magic 00000803) and their labels (00000801), big-endian headers, one byte a pixel.
//
// Images and labels become one stream of records, each a label byte and the pixels of its image, which the pipeline
// splits and parses like text. Features are pixels in row-major order, named r{row}c{column} from r0c0; zeros are not
// stored. Without a label file (only if labels are optional) there is no label byte.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "halfspace/stream/reader.h"
#include "stream/formats/parser.h"
#include "stream/source/source.h"

namespace halfspace::stream {

bool recognise_idx(std::string_view first_bytes);  // images or labels

struct IdxShape {
  std::uint32_t count = 0, rows = 0, columns = 0;
  bool labelled = false;

  std::size_t record_bytes() const noexcept { return std::size_t{rows} * columns + (labelled ? 1 : 0); }
};

struct IdxData {
  std::unique_ptr<Source> records;
  IdxShape shape;
};

// Returns the name of the label file that belongs to these images; empty if their name implies none.
std::string labels_beside_images(const std::string& path);
// Takes over the image source and opens the label file next to it. Throws Error: data, no_input, input_output.
IdxData open_idx(const ReadOptions& options, std::unique_ptr<Source> images);
std::unique_ptr<Format> make_idx(const ReadOptions& options, const IdxShape& shape);

}  // namespace halfspace::stream
