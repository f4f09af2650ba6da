// The idx files of images in the table of formats.
#include <utility>
#include <vector>

#include "stream/formats/format_entry.h"
#include "stream/idx/idx.h"

namespace halfspace::stream::formats {
namespace {

Records open_images(const ReadOptions& options, std::unique_ptr<Source> source) {
  IdxData data = open_idx(options, std::move(source));
  return {.format = DataFormat::idx,
          .words = "an idx file",
          .source = std::move(data.records),
          .parser = make_idx(options, data.shape),
          .record_bytes = data.shape.record_bytes()};
}

std::vector<std::string> labels_of_images(const std::string& path) {
  std::string labels = labels_beside_images(path);
  return labels.empty() ? std::vector<std::string>() : std::vector{std::move(labels)};
}

}  // namespace

std::vector<FormatEntry> idx() {
  return {{
      .id = DataFormat::idx,
      .name = "idx",
      .words = "idx",
      .title = "idx images",
      .listed = "idx",
      .help = "images and their labels, as MNIST is distributed",
      .rows_are = "name an idx file of images (magic 00000803)",
      .columns = ColumnsAre::pixels,
      .lines = false,
      .files = {{.words = "an idx file", .format = DataFormat::idx, .recognise = recognise_idx, .open = open_images}},
      .files_beside = labels_of_images,
  }};
}

}  // namespace halfspace::stream::formats
