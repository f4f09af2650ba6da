// Where each field of a model stands in its file: a writer that keeps a note of every field it comes to.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/model/model_file.h"
#include "model/fields.h"
#include "model/format.h"

namespace halfspace::testing {

class Map : public model::Archive<Map> {
 public:
  static constexpr bool reads = false;

  explicit Map(const Model& model) { model::describe(*this, model); }

  struct Place {
    std::size_t at;
    std::size_t bytes;
  };
  // Path to place: of a list its count, of an array its first number, of a text its length.
  const std::map<std::string, Place>& places() const { return places_; }

  std::size_t at() const { return model::kHeaderBytes + writer_.at(); }
  template <class T>
  void transfer(const T& value) {
    note(sizeof(T));
    writer_.transfer(value);
  }
  void transfer_text(std::string_view text) {
    note(4);
    writer_.transfer_text(text);
  }
  template <class T>
  void transfer_all(std::span<T> values) {
    if (!values.empty()) note(sizeof(T));
    writer_.transfer_all(values);
  }
  template <class Make>
  auto once(const Make& make) {
    return make();
  }
  void end_piece() {}
  void append(std::span<const std::uint8_t> bytes) { writer_.append(bytes); }
  void room_for(std::uint64_t, std::size_t) const {}
  template <class Body>
  void section_body(Body& body) {
    group("length", [&] { note(8); });
    writer_.section_body(body);
  }

 private:
  void note(std::size_t bytes) { places_.try_emplace(path(), Place{at(), bytes}); }
  model::Writer writer_;
  std::map<std::string, Place> places_;
};

// The last bytes made right again, so that what was changed before them is looked at.
inline std::vector<std::uint8_t> summed_again(std::vector<std::uint8_t> bytes) {
  if (bytes.size() < model::kChecksumBytes) return bytes;
  bytes.resize(bytes.size() - model::kChecksumBytes);
  const model::Checksum sum = model::checksum(bytes);
  bytes.insert(bytes.end(), sum.begin(), sum.end());
  return bytes;
}

}  // namespace halfspace::testing
