// The exact reader on any text, as LIBSVM and as CSV by each delimiter: rows keep to what the certificate says of them,
// or the text is refused with its place. The first byte chooses.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "proof/verify/exact_reader.h"

namespace {

using namespace halfspace;
using Role = proof::CsvColumn::Role;

proof::Data data_for(std::uint8_t choice) {
  proof::Data data;
  data.features = 4;
  data.zero_based = (choice & 4) != 0;
  if ((choice & 3) == 0) return data;
  data.format = proof::TextFormat::csv;
  data.delimiter = ",;\t"[(choice & 3) - 1];
  data.header = (choice & 8) != 0;
  data.columns = {{data.header ? "a" : "1", Role::numeric, 0, 1, {}, {}},
                  {data.header ? "b" : "2", Role::categorical, {}, {}, {"red", "blue"}, {3, 2}},
                  {data.header ? "y" : "3", Role::label, {}, {}, {}, {}}};
  return data;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const proof::Data data = data_for(bytes[0]);
  std::string path = (std::filesystem::temp_directory_path() / "halfspace-exact-reader-XXXXXX").string();
  const int file = mkstemp(path.data());
  if (file < 0 || write(file, bytes + 1, size - 1) != static_cast<ssize_t>(size - 1)) std::abort();
  close(file);
  try {
    proof::ExactReader reader(data, path);
    proof::ExactRow row;
    std::uint64_t rows = 0;
    while (reader.next(row)) {
      if (row.number != ++rows || row.label.empty()) std::abort();
      std::set<std::uint32_t> coordinates;
      for (const auto& entry : row.entries) {
        if (entry.coordinate >= data.features || entry.value.zero() || !coordinates.insert(entry.coordinate).second)
          std::abort();
      }
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) std::abort();
  }
  unlink(path.c_str());
  return 0;
}
