// Arrays as NumPy writes them, and archives of these, byte by byte.
#pragma once

#include <zlib.h>

#include <cstring>
#include <new>

#include "stream/stream_support.h"

namespace halfspace::testing_stream {

inline std::string npy_text(const std::string& dictionary, const std::string& values, int version = 1) {
  std::string header = dictionary;
  while ((header.size() + (version == 1 ? 10 : 12) + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string text = "\x93NUMPY";
  text += static_cast<char>(version);
  text += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) text += static_cast<char>(header.size() >> (8 * i) & 255);
  return text + header + values;
}

inline std::string shaped(const std::string& descr, const std::string& shape, const std::string& values,
                          int version = 1) {
  return npy_text("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }", values, version);
}

template <class T>
std::string npy_bytes(const std::vector<T>& values, bool turned = false) {
  std::string bytes;
  for (const T value : values) {
    std::string one(sizeof(T), '\0');
    std::memcpy(one.data(), &value, sizeof(T));
    if (turned) one = std::string(one.rbegin(), one.rend());
    bytes += one;
  }
  return bytes;
}

inline std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 255);
  return text;
}

// How an archive is written; what is left as it is is what numpy.savez does.
struct ZipForm {
  bool deflate = false;
  bool descriptors = false;  // as into a pipe: sizes behind the member
  bool zip64 = false;        // the directory, too
  std::string comment{};
  // What is changed to be wrong: of the last member.
  std::uint64_t add_to_size = 0, add_to_packed = 0, add_to_header = 0;
  std::uint32_t add_to_crc = 0, flags = 0, method = 0;
};

struct NamedArray {
  std::string name, bytes;
};

inline std::string zip(const std::vector<NamedArray>& members, const ZipForm& form = {}) {
  std::string text, directory;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const bool last = i + 1 == members.size();
    const auto wrong = [&](auto by) { return last ? by : 0; };
    const std::string& bytes = members[i].bytes;
    const std::string packed = form.deflate ? deflated(bytes, -15) : bytes;
    const std::uint64_t size = bytes.size() + wrong(form.add_to_size),
                        packed_size = packed.size() + wrong(form.add_to_packed),
                        header = text.size() + wrong(form.add_to_header);
    const std::uint32_t crc = static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(bytes.data()),
                                                               static_cast<uInt>(bytes.size()))) +
                              wrong(form.add_to_crc);
    const std::string method = little_endian((form.descriptors ? 8u : 0u) | wrong(form.flags), 2) +
                               little_endian(wrong(form.method) != 0 ? form.method
                                             : form.deflate          ? 8
                                                                     : 0,
                                             2) +
                               std::string(4, '\0');
    const std::string extra = little_endian(1, 2) + little_endian(16, 2) +
                              little_endian(form.descriptors ? 0 : size, 8) +
                              little_endian(form.descriptors ? 0 : packed_size, 8);
    const std::string lengths = little_endian(members[i].name.size(), 2);
    text += "PK\x03\x04" + little_endian(45, 2) + method + little_endian(form.descriptors ? 0 : crc, 4) +
            std::string(8, '\xff') + lengths + little_endian(extra.size(), 2) + members[i].name + extra + packed;
    if (form.descriptors)
      text += "PK\x07\x08" + little_endian(crc, 4) + little_endian(packed_size, 8) + little_endian(size, 8);
    const std::string large = little_endian(1, 2) + little_endian(24, 2) + little_endian(size, 8) +
                              little_endian(packed_size, 8) + little_endian(header, 8);
    directory += "PK\x01\x02" + little_endian(45, 2) + little_endian(45, 2) + method + little_endian(crc, 4) +
                 (form.zip64 ? std::string(8, '\xff') : little_endian(packed_size, 4) + little_endian(size, 4)) +
                 lengths + little_endian(form.zip64 ? large.size() : 0, 2) + std::string(10, '\0') +
                 (form.zip64 ? std::string(4, '\xff') : little_endian(header, 4)) + members[i].name +
                 (form.zip64 ? large : "");
  }
  const std::size_t begin = text.size();
  text += directory;
  if (form.zip64) {
    const std::size_t end = text.size();
    text += "PK\x06\x06" + little_endian(44, 8) + little_endian(45, 2) + little_endian(45, 2) + std::string(8, '\0') +
            little_endian(members.size(), 8) + little_endian(members.size(), 8) + little_endian(directory.size(), 8) +
            little_endian(begin, 8);
    text += std::string("PK\x06\x07") + std::string(4, '\0') + little_endian(end, 8) + little_endian(1, 4);
  }
  text += "PK\x05\x06" + std::string(4, '\0');
  text += form.zip64 ? std::string(12, '\xff')
                     : little_endian(members.size(), 2) + little_endian(members.size(), 2) +
                           little_endian(directory.size(), 4) + little_endian(begin, 4);
  return text + little_endian(form.comment.size(), 2) + form.comment;
}

}  // namespace halfspace::testing_stream
