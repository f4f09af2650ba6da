
#include "stream_support.h"

namespace halfspace {
namespace {

using namespace testing_stream;

std::string big_endian(std::uint32_t value) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(value >> shift & 255);
  return text;
}

std::string images(std::uint32_t count, std::uint32_t rows, std::uint32_t columns, std::string_view pixels) {
  return big_endian(0x803) + big_endian(count) + big_endian(rows) + big_endian(columns) + std::string(pixels);
}

std::string idx_labels(std::uint32_t count, std::string_view bytes) {
  return big_endian(0x801) + big_endian(count) + std::string(bytes);
}

const std::string three_images(
    "\x00\x01\x00\xff\x02\x00"
    "\x00\x00\x00\x00\x00\x00"
    "\xef\xbb\xbf\x0a\x0d\x0a",
    18);
const std::string three_labels("\x05\x09\x05", 3);

Reading read_idx(const std::string& image_bytes, const std::string& label_bytes, ReadOptions options = {}) {
  const Folder folder;
  options.path = folder.write("t-images-idx3-ubyte", image_bytes);
  folder.write("t-labels-idx1-ubyte", label_bytes);
  return read_all(options);
}

const char* const expected_rows =
    "1 0 0x1p+0 0x1.fc0cp+15 1:0x1p+0 3:0x1.fep+7 4:0x1p+1\n"
    "2 1 0x1p+0 0x0p+0\n"
    "3 0 0x1p+0 0x1.f7acp+16 0:0x1.dep+7 1:0x1.76p+7 2:0x1.7ep+7 3:0x1.4p+3 4:0x1.ap+3 5:0x1.4p+3\n";

TEST(Idx, ImagesAndLabelsBecomeRows) {
  for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{10}, std::size_t{1} << 20}) {
    for (const bool compressed : {false, true}) {
      ReadOptions options{.block_bytes = block_bytes};
      const std::string image_bytes = images(3, 2, 3, three_images), label_bytes = idx_labels(3, three_labels);
      const Reading outcome =
          read_idx(compressed ? gzip(image_bytes) : image_bytes, compressed ? zstd(label_bytes) : label_bytes, options);
      ASSERT_FALSE(outcome.failed) << outcome.error.what();
      EXPECT_EQ(outcome.rows, expected_rows);
      EXPECT_EQ(outcome.schema.format, DataFormat::idx);
      EXPECT_EQ(outcome.schema.labels.names, (Names{"5", "9"}));
      EXPECT_EQ(outcome.schema.features, 6u);
      EXPECT_EQ(outcome.schema.feature_names(), (Names{"r0c0", "r0c1", "r0c2", "r1c0", "r1c1", "r1c2"}));
    }
  }
}

TEST(Idx, TwoPasses) {
  const Folder folder;
  ReadOptions options{.path = folder.write("images-idx3", images(3, 2, 3, three_images))};
  folder.write("labels-idx1", idx_labels(3, three_labels));
  Reader reader(options);
  for (int pass = 0; pass < 2; ++pass) {
    std::string rows;
    reader.read([&](const Block& block) {
      dump(block, rows);
      return true;
    });
    EXPECT_EQ(rows, expected_rows);
  }
}

TEST(Idx, TruncationAtEveryByteAndExtraBytes) {
  const std::string image_bytes = images(3, 2, 3, three_images), label_bytes = idx_labels(3, three_labels);
  for (std::size_t length = 4; length < image_bytes.size(); ++length) {
    const Reading outcome = read_idx(image_bytes.substr(0, length), label_bytes);
    EXPECT_EQ(outcome.error.kind(), ErrorKind::data);
    EXPECT_EQ(outcome.error.message(),
              "the idx file ends too early, at byte " + std::to_string(length) + " of its content");
  }
  for (std::size_t length = 0; length < label_bytes.size(); ++length) {
    const Reading outcome = read_idx(image_bytes, label_bytes.substr(0, length));
    EXPECT_EQ(outcome.error.kind(), ErrorKind::data);
    EXPECT_TRUE(has(outcome.error.file(), "labels-idx1"));
  }
  EXPECT_TRUE(read_idx(image_bytes + "x", label_bytes).failed);
  EXPECT_TRUE(read_idx(image_bytes, label_bytes + "x").failed);
}

TEST(Idx, HeadersAreNotBelieved) {
  const auto refused = [](const std::string& image_bytes, const std::string& label_bytes) {
    const Reading outcome = read_idx(image_bytes, label_bytes);
    EXPECT_TRUE(outcome.failed);
    EXPECT_EQ(outcome.error.kind(), ErrorKind::data);
    return outcome.error.message();
  };
  EXPECT_EQ(refused(images(3, 2, 3, three_images), idx_labels(2, "ab")).substr(0, 24), "2 labels for the 3 image");
  EXPECT_TRUE(
      has(refused(images(4'294'967'295u, 65536, 65536, ""), idx_labels(4'294'967'295u, "")), "number of pixels"));
  EXPECT_TRUE(has(refused(images(1, 0, 7, ""), idx_labels(1, "a")), "number of pixels"));
  EXPECT_TRUE(has(refused(images(4'294'967'295u, 4096, 4096, "abc"), idx_labels(4'294'967'295u, "abc")), "too early"));
  EXPECT_EQ(refused(idx_labels(3, three_labels), idx_labels(3, three_labels)), "an idx file of labels, not of images");
  EXPECT_EQ(refused(images(3, 2, 3, three_images), images(3, 2, 3, three_images)),
            "is not an idx file of labels (magic 00000801)");
  EXPECT_EQ(refused(images(0, 2, 3, ""), idx_labels(0, "")), "no data rows");
}

TEST(Idx, WithoutLabels) {
  const Folder folder;
  ReadOptions options{.path = folder.write("images-idx3", images(3, 2, 3, three_images))};
  EXPECT_EQ(read_all(options).error.kind(), ErrorKind::no_input);
  options.labels.ignore = true;
  const Reading outcome = read_all(options);
  ASSERT_FALSE(outcome.failed) << outcome.error.what();
  EXPECT_EQ(outcome.report.rows, 3u);
  EXPECT_TRUE(has(outcome.rows, "2 -1 0x1p+0"));
}

TEST(Idx, AModelOfOtherImagesOrClasses) {
  ReadOptions options;
  Schema model = read_idx(images(3, 2, 3, three_images), idx_labels(3, three_labels)).schema;
  options.schema = &model;
  EXPECT_FALSE(read_idx(images(3, 2, 3, three_images), idx_labels(3, three_labels), options).failed);
  const Reading shape = read_idx(images(3, 3, 2, three_images), idx_labels(3, three_labels), options);
  EXPECT_TRUE(has(shape.error.message(), "3 × 2"));
  const Reading unknown = read_idx(images(3, 2, 3, three_images), idx_labels(3, "\x05\x09\x07"), options);
  EXPECT_EQ(unknown.error.line(), 3u);
  EXPECT_EQ(unknown.report.rows, 2u);
  options.labels.ignore = true;
  EXPECT_EQ(read_idx(images(3, 2, 3, three_images), idx_labels(3, "\x05\x09\x07"), options).report.rows, 3u);
}

}  // namespace
}  // namespace halfspace
