// Replays a corpus without libFuzzer: gives every file of the folder to the fuzz target it is linked with.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: replay FOLDER\n";
    return 2;
  }
  std::size_t inputs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(arguments[1])) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    std::cout << entry.path().string() << std::endl;  // flushed: after a crash the last line names the input
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    ++inputs;
  }
  std::cout << inputs << " inputs replayed\n";
  return inputs == 0 ? 1 : 0;
}
