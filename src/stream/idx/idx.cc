// idx image and label files (MNIST's format) as one stream of records.
#include "stream/idx/idx.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/labels/label_inference.h"
#include "stream/source/pieces.h"
#include "stream/source/raw_file.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::uint32_t image_magic = 0x00000803, label_magic = 0x00000801;
constexpr std::uint64_t most_pixels = std::uint64_t{1} << 24;

std::uint32_t big_endian(const char* p) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(p[i]);
  return value;
}

// One of the two files: exactly `size` bytes at a time, and nothing after the last.
class IdxFile {
 public:
  IdxFile(std::string path, std::unique_ptr<Source> source) : path_(std::move(path)), source_(std::move(source)) {}

  void read_exactly(char* to, std::size_t size) {
    for (std::size_t have = 0; have < size;) {
      const std::size_t got = source_->read(to + have, size - have);
      if (got == 0) {
        throw Error(ErrorKind::data,
                    "the idx file ends too early, at byte " + std::to_string(position_ + have) + " of its content")
            .at(path_)
            .fix("fetch the file again");
      }
      have += got;
    }
    position_ += size;
  }

  void expect_end() {
    char extra = 0;
    if (source_->read(&extra, 1) == 0) return;
    throw Error(ErrorKind::data, "the idx file is longer than its header states, from byte " +
                                     std::to_string(position_) + " of its content on")
        .at(path_)
        .fix("fetch the file again");
  }

  std::uint32_t read_number() {
    std::array<char, 4> bytes;
    read_exactly(bytes.data(), bytes.size());
    return big_endian(bytes.data());
  }

  void start() { position_ = 0; }

  const std::string& path() const { return path_; }
  Source& source() { return *source_; }

 private:
  std::string path_;
  std::unique_ptr<Source> source_;
  std::uint64_t position_ = 0;
};

class IdxRecords final : public JoinedRecords {
 public:
  IdxRecords(IdxFile images, std::unique_ptr<IdxFile> labels) : images_(std::move(images)), labels_(std::move(labels)) {
    join({&images_.source(), labels_ ? &labels_->source() : nullptr});
  }

  const IdxShape& shape() const { return shape_; }

 private:
  std::uint64_t read_headers() override {
    images_.start();
    if (labels_) labels_->start();
    if (images_.read_number() != image_magic) {
      throw Error(ErrorKind::data, "an idx file of labels, not of images")
          .at(images_.path())
          .fix("name the image file");
    }
    shape_.count = images_.read_number();
    shape_.rows = images_.read_number();
    shape_.columns = images_.read_number();
    const std::uint64_t pixels = std::uint64_t{shape_.rows} * shape_.columns;
    if (pixels == 0 || pixels > most_pixels) {
      throw Error(ErrorKind::data, "images of " + std::to_string(shape_.rows) + " × " + std::to_string(shape_.columns) +
                                       " pixels: a number of pixels from 1 to " + std::to_string(most_pixels) +
                                       " is supported")
          .at(images_.path());
    }
    shape_.labelled = labels_ != nullptr;
    if (!labels_) return shape_.count;
    if (labels_->read_number() != label_magic) {
      throw Error(ErrorKind::data, "is not an idx file of labels (magic 00000801)").at(labels_->path());
    }
    const std::uint32_t labels = labels_->read_number();
    if (labels != shape_.count) {
      throw Error(ErrorKind::data, std::to_string(labels) + " labels for the " + std::to_string(shape_.count) +
                                       " images of " + images_.path())
          .at(labels_->path())
          .fix("take the label file that belongs to the images");
    }
    return shape_.count;
  }

  void read_record(std::string& record) override {
    record.resize(shape_.record_bytes());
    if (labels_) labels_->read_exactly(record.data(), 1);
    const std::size_t first = labels_ ? 1 : 0;
    images_.read_exactly(record.data() + first, record.size() - first);
  }

  void expect_ends() override {
    images_.expect_end();
    if (labels_) labels_->expect_end();
  }

  IdxFile images_;
  std::unique_ptr<IdxFile> labels_;
  IdxShape shape_;
};

class Idx final : public Format {
 public:
  Idx(const ReadOptions& options, const IdxShape& shape) : options_(options), shape_(shape) { classes_.fill(-1); }

  std::size_t infer_schema(std::string_view text, bool whole, const std::function<std::string_view()>& more,
                           Schema& schema) override {
    describe_pixels(schema);
    if (schema.labels.names.empty() && shape_.labelled && !options_.labels.classes.empty()) {
      schema.labels = named_labels(options_, LabelsAre::texts);
    } else if (schema.labels.names.empty() && shape_.labelled) {
      std::array<bool, 256> present{};
      std::uint64_t seen = 0, distinct = 0;
      const auto add = [&](std::string_view records) {
        for (std::size_t at = 0; at + shape_.record_bytes() <= records.size(); at += shape_.record_bytes()) {
          if (!options_.labels.scan_all && seen >= options_.inference_rows && distinct > 1) return;
          bool& known = present[static_cast<unsigned char>(records[at])];
          distinct += !known;
          known = true;
          ++seen;
        }
      };
      add(text);
      while (!whole && more && (options_.labels.scan_all || seen < options_.inference_rows || distinct < 2)) {
        const std::string_view next = more();
        whole = next.empty();
        add(next);
      }
      std::vector<std::string> names;
      for (std::size_t value = 0; value < present.size(); ++value) {
        if (present[value]) names.push_back(std::to_string(value));
      }
      const std::string positive =
          names.size() == 1 && options_.labels.positive.empty() ? names.front() : options_.labels.positive;
      schema.labels = Labels::from(std::move(names), positive, LabelsAre::texts);
    }
    labels_ = schema.labels;
    for (std::size_t value = 0; value < classes_.size(); ++value) {
      classes_[value] = schema.labels.find(std::to_string(value)).value_or(-1);
    }
    return 0;
  }

  std::size_t split(std::string_view text) const override { return text.size() - text.size() % shape_.record_bytes(); }

  void parse(std::string_view text, bool stop_at_bad, ParsedChunk& chunk) const override {
    const std::size_t first = shape_.labelled ? 1 : 0;
    for (; text.size() >= shape_.record_bytes(); text.remove_prefix(shape_.record_bytes())) {
      const std::string_view record = text.substr(0, shape_.record_bytes());
      const unsigned char value = static_cast<unsigned char>(record[0]);
      const std::int32_t label = shape_.labelled && !options_.labels.ignore ? classes_[value] : -1;
      if (shape_.labelled && label < 0 && !options_.labels.ignore) {
        if (!chunk.late_label) chunk.late_label = std::to_string(value);
        BadRow bad;
        bad.line = chunk.lines;
        bad.row = chunk.data_rows;
        bad.reason = quote(std::to_string(value)) + " is not a label of this data";
        bad.hint = hint_for_unknown(std::to_string(value), labels_, options_);
        chunk.bad.push_back(std::move(bad));
      } else {
        for (std::size_t pixel = first; pixel < record.size(); ++pixel) {
          const unsigned char grey = static_cast<unsigned char>(record[pixel]);
          if (grey != 0) chunk.rows.add(static_cast<std::uint32_t>(pixel - first), grey);
        }
        chunk.rows.end_row(label, chunk.data_rows);
        chunk.line_of_row.push_back(chunk.lines);
      }
      ++chunk.lines;
      ++chunk.data_rows;
      if (stop_at_bad && !chunk.bad.empty()) return;
    }
  }

  void commit(ParsedChunk&, Schema&) override {}
  bool final_after_parse(const ParsedChunk&) const override { return true; }

 private:
  void describe_pixels(Schema& schema) const {
    std::vector<Column> columns(std::size_t{shape_.rows} * shape_.columns);
    for (std::size_t pixel = 0; pixel < columns.size(); ++pixel) {
      columns[pixel].name = "r" + std::to_string(pixel / shape_.columns) + "c" + std::to_string(pixel % shape_.columns);
      columns[pixel].feature = static_cast<std::uint32_t>(pixel);
    }
    if (options_.schema != nullptr && schema.columns != columns) {
      throw Error(ErrorKind::data, "the images are " + std::to_string(shape_.rows) + " × " +
                                       std::to_string(shape_.columns) +
                                       " pixels, and the model's are not: its last pixel is " +
                                       (schema.columns.empty() ? std::string("unknown") : schema.columns.back().name))
          .at(shown_name(options_.path))
          .fix("use images of the size the model was trained on");
    }
    schema.format = DataFormat::idx;
    schema.features = static_cast<std::uint32_t>(columns.size());
    schema.columns = std::move(columns);
  }

  ReadOptions options_;
  IdxShape shape_;
  Labels labels_;
  std::array<std::int32_t, 256> classes_;  // by label byte; -1: not a class
};

}  // namespace

bool recognise_idx(std::string_view first) {
  if (first.size() < 4) return false;
  const std::uint32_t magic = big_endian(first.data());
  return magic == image_magic || magic == label_magic;
}

std::string labels_beside_images(const std::string& path) {
  const std::string_view from = "images-idx3", to = "labels-idx1";
  const std::size_t place = path.rfind(from);
  if (place == std::string::npos || path.find('/', place) != std::string::npos) return {};
  return std::string(path).replace(place, from.size(), to);
}

IdxData open_idx(const ReadOptions& options, std::unique_ptr<Source> images) {
  std::unique_ptr<IdxFile> labels;
  if (const std::string path = labels_beside_images(options.path); !path.empty()) {
    try {
      labels = std::make_unique<IdxFile>(path, open_source(path, options.interrupt));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::no_input || !options.labels.ignore) throw;
    }
  } else if (!options.labels.ignore) {
    throw Error(ErrorKind::no_input, "where are the labels of these images?")
        .at(shown_name(options.path))
        .fix("name the files …images-idx3… and …labels-idx1…, side by side");
  }
  IdxFile image_file(shown_name(options.path), std::move(images));
  auto records = std::make_unique<IdxRecords>(std::move(image_file), std::move(labels));
  const IdxShape shape = records->shape();
  return {std::move(records), shape};
}

std::unique_ptr<Format> make_idx(const ReadOptions& options, const IdxShape& shape) {
  return std::make_unique<Idx>(options, shape);
}

}  // namespace halfspace::stream
