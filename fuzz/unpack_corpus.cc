// Writes the inputs of a fuzz target into a folder, a file each, as libFuzzer reads them.

#include <iostream>

#include "support/corpus_table.h"

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: unpack_corpus TABLE FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = arguments[2];
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (const auto& [name, bytes] : halfspace::testing::read_corpus(arguments[1])) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
  }
}
