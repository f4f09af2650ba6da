// Parses the header of an ARFF file: the attributes, their types and values.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace halfspace::stream {

struct ArffAttribute {
  enum class Type : std::uint8_t { numeric, nominal, text };  // text: string and date
  std::string name;
  Type type = Type::numeric;
  std::vector<std::string> values;  // of a nominal one, in their order
  std::uint64_t line = 0;           // of its declaration, from 1

  bool same_as(const ArffAttribute& other) const {
    return name == other.name && type == other.type && values == other.values;
  }
};

struct ArffHeader {
  std::string relation;  // its line
  std::uint64_t relation_line = 0;
  std::vector<ArffAttribute> attributes;
  std::string output;  // the attribute to predict, as KEEL declares it; empty: none is declared
  std::uint64_t output_line = 0;
  std::vector<std::string> inputs;  // as KEEL declares them
  std::size_t bytes = 0;            // up to the end of the @data line
  bool complete = false;            // it ended within the text
};

// Parses the lines up to @data. `file` is for errors. Throws Error(data) with line and column.
ArffHeader read_arff_header(std::string_view text, const std::string& file);

// Throws Error(data) if the output that the header declares is no attribute.
void refuse_unknown_output(const ArffHeader& header, const std::string& file);

// Returns whether a text begins as ARFF does: with @relation or @attribute, after comments and blank
// lines.
bool begins_arff(std::string_view text);

}  // namespace halfspace::stream
