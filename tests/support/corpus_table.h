// The inputs of a fuzz target, fuzz/corpus/TARGET.txt: a line for each, its name, a blank and its bytes; \\, \0, \n, \r, \t
// and \xHH stand for bytes as in Python.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

namespace halfspace::testing {

using Corpus = std::map<std::string, std::string>;

inline std::string bytes_of_corpus_line(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      bytes += text[i];
      continue;
    }
    const char escaped = text.at(++i);
    if (escaped == 'x') {
      bytes += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      bytes += escaped == '0' ? '\0' : escaped == 'n' ? '\n' : escaped == 'r' ? '\r' : escaped == 't' ? '\t' : escaped;
    }
  }
  return bytes;
}

inline std::string corpus_line_of(const std::string& bytes) {
  static const std::string named = "\\\n\r\t";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    const bool trailing_blank = byte == ' ' && i + 1 == bytes.size();
    if (const auto k = named.find(bytes[i]); k != std::string::npos) {
      text += {'\\', "\\nrt"[k]};
    } else if (byte == 0) {
      text += "\\0";
    } else if (byte < ' ' || byte > '~' || trailing_blank) {
      text += {'\\', 'x', "0123456789abcdef"[byte / 16], "0123456789abcdef"[byte % 16]};
    } else {
      text += bytes[i];
    }
  }
  return text;
}

inline Corpus read_corpus(const std::filesystem::path& table) {
  Corpus corpus;
  std::ifstream file(table);
  for (std::string line; std::getline(file, line);) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string::npos) throw std::runtime_error("no blank behind the name: " + line);
    corpus[line.substr(0, blank)] = bytes_of_corpus_line(line.substr(blank + 1));
  }
  return corpus;
}

inline void write_corpus(const std::filesystem::path& table, const Corpus& corpus) {
  std::ofstream file(table);
  for (const auto& [name, bytes] : corpus) file << name << ' ' << corpus_line_of(bytes) << '\n';
}

}  // namespace halfspace::testing
