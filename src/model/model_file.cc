// Reads and writes models.
#include "halfspace/model/model_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "base/atomic_file.h"
#include "base/huge_pages.h"
#include "model/format.h"
#include "stream/source/raw_file.h"

namespace halfspace {
namespace {

constexpr std::uintmax_t most_reserved = std::uintmax_t{1} << 26;  // for a file that may be no model

}  // namespace

void write_atomically(const std::string& path, std::span<const std::uint8_t> bytes,
                      const std::atomic<bool>* interrupt) {
  AtomicFile file(path, interrupt);
  file.write(bytes);
  file.commit();
}

void save_model(const Model& model, const std::string& path, const std::atomic<bool>* interrupt) {
  AtomicFile file(path, interrupt);
  model::encode_by_pieces(model, [&](std::span<const std::uint8_t> piece) { file.write(piece); });
  file.commit();
}

Model load_model(const std::string& path, const std::atomic<bool>* interrupt) {
  stream::RawFile file(path, interrupt);
  std::vector<std::uint8_t> bytes;
  std::error_code unknown;
  if (const auto size = std::filesystem::file_size(path, unknown); !unknown)
    reserve_huge(bytes, std::min(size, most_reserved));
  while (true) {
    const std::string_view chunk = file.next_chunk();
    if (chunk.empty()) break;
    bytes.insert(bytes.end(), chunk.begin(), chunk.end());
    // A data file given as a model may be huge: it is rejected without reading it all.
    const std::size_t seen = std::min(bytes.size(), model::kMagic.size());
    if (!std::equal(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(seen), model::kMagic.begin())) break;
  }
  return decode(bytes, file.name());
}

Model load_model_to_predict(const std::string& path, const std::atomic<bool>* interrupt) {
  {
    stream::RawFile file(path, interrupt);
    const auto read = [&](char* to, std::size_t size) { return file.read(to, size); };
    std::optional<Model> model =
        file.regular() && is_model_file(path) ? model::decode_to_predict(read, file.total()) : std::nullopt;
    if (model) return *std::move(model);
  }
  return load_model(path, interrupt);
}

bool is_model_file(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;
  std::array<char, model::kMagic.size()> first{};
  std::ifstream file(path, std::ios::binary);
  file.read(first.data(), first.size());
  return file.good() && std::equal(first.begin(), first.end(), model::kMagic.begin(),
                                   [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
}

}  // namespace halfspace
