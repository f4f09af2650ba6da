// Parses lines of Vowpal Wabbit text: `[label [importance]] ['tag]|namespace[:scale] name[:value] ... |...`.
//
// docs/formats/vw.md has the grammar, and the differences from Vowpal Wabbit's own reader.
//
// Thread-safety: one VwRowReader per thread; the rules are shared and constant.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stream/columns/cell_names.h"
#include "stream/columns/hashed_names.h"
#include "stream/formats/parser.h"
#include "stream/labels/label_inference.h"
#include "stream/names/cell_dictionary.h"
#include "stream/names/known_names.h"
#include "stream/text/separators.h"
#include "stream/vw/names.h"
#include "stream/vw/products.h"

namespace halfspace::stream {

// Provisional numbers of names and of products within their chunk: above every feature.
inline constexpr std::uint32_t first_provisional_name = 0x80000000;
inline constexpr std::uint32_t first_provisional_product = 0xc0000000;

// On the fast path, which no products are on, a canonical whole number is no entry of the chunk's names: it is encoded as integer_name | namespace
// << integer_bits | number.
inline constexpr std::uint32_t integer_name = 0xc0000000;
inline constexpr unsigned integer_bits = 27;  // of the greatest of 8 digits
inline constexpr std::uint32_t integer_spaces = 8;

// Memory of parse in a chunk, for commit and for the next parse.
struct VwScratch {
  Separators separators;
  CellDictionary spaces;                                    // the namespaces
  std::vector<std::uint64_t> seed;                          // of each: that of its names' hashes
  std::vector<std::uint32_t> column;                        // of each, as far as it is known
  std::vector<std::uint8_t> left_out;                       // of each: 1 if its features are left out
  std::vector<std::uint8_t> roles;                          // of each, for each product: bit f if it is of factor f
  ChunkNames names;                                         // that were unknown when the chunk was begun
  ChunkProducts products;                                   // likewise
  std::vector<std::array<std::uint32_t, 2>> factor_spaces;  // of each product of two names: the namespaces
  TextStore made;                                           // names that differ from the text
  ChunkLabels labels;
  std::vector<std::uint8_t> rest;  // numbers of a row that are not plain
  bool integers = false;           // rows came from the fast path
  HashedChunk hashed;
  std::vector<std::uint8_t> multiplied;  // of each product, where names are hashed: 1 if a row has it

  // The row at hand: its names, in the order of its values once they are resolved; their numbers.
  struct RowName {
    std::uint64_t hash;
    std::string_view text;
    std::uint32_t space;
    std::uint32_t begin;  // in the text
    double value;
  };
  std::vector<RowName> row;
  std::vector<std::uint32_t> numbers;
  RowNames in_row;
  RowNamesBy<std::uint64_t> hashes_in_row;

  void clear();
};

// The first words of multi-line examples for learners that are not supported here.
inline constexpr std::array<std::string_view, 4> vw_heads = {"shared", "ccb", "ca", "slates"};

// Returns whether a label is a list: 0,3,7 as in multilabel learning.
bool lists_labels(std::string_view label);

struct VwRules {
  VwNamespaces namespaces;
  std::vector<std::uint64_t> product_seeds;  // of each product, where names are hashed
  Labels labels;
  bool labels_open = true;     // a label that is not among them may be new
  bool ignore_labels = false;  // rows may have any, or none
  std::size_t line_limit = 0;
  const ReadOptions* options = nullptr;     // for what to do about a label that is none
  const KnownNames* known = nullptr;        // of the pass; null while the schema is inferred
  const KnownProducts* products = nullptr;  // likewise
  const SpaceColumns* columns = nullptr;
  const NameHasher* hasher = nullptr;  // of the pass, if names are hashed
};

class VwRowReader {
 public:
  VwRowReader(const VwRules& rules, ParsedChunk& chunk);

  // Reads whole lines into the chunk, up to and including the first bad one if `stop_at_bad`.
  void read(std::string_view text, bool stop_at_bad);

 private:
  enum class Outcome : std::uint8_t { row, bad, nothing };  // nothing: a blank line

  // The words before the first bar.
  struct Head {
    std::string_view label;  // empty: none
    double importance = 1;
  };

  bool read_quickly();
  void remember(std::string_view label, std::int32_t class_of);
  Outcome read_line();
  Outcome read_head(Head& head);
  Outcome read_words(const std::vector<std::string_view>& words, Head& head);
  Outcome read_namespaces();
  Outcome read_namespace();
  Outcome read_feature(std::size_t begin);
  Outcome read_value(std::size_t begin, double& value);
  Outcome read_category(std::size_t begin, std::string_view name);
  Outcome add(std::size_t begin, std::string_view name, double value);
  Outcome check(std::size_t begin, std::string_view name, double value);
  Outcome resolve_names();
  // Of hashed names.
  void hash_integers(std::size_t count, const std::uint32_t* at, std::uint32_t* index);
  Outcome hash_names();
  Outcome hash_products();
  Outcome hash_pairs();
  Outcome hash_product(std::span<const std::size_t> chosen);

  bool add_value(std::uint32_t index, double value);
  Outcome add_products();
  Outcome add_pairs(std::size_t product);
  Outcome multiply(std::size_t product);
  Outcome choose(std::size_t product);
  Outcome add_product(std::size_t product);
  std::string full_name(const VwScratch::RowName& name) const;
  std::uint32_t number_of_space(std::string_view name);
  Outcome find_class(std::string_view text, std::int32_t& label);
  Outcome refuse(std::size_t at, std::string reason, std::string hint);
  Outcome refuse_head(std::string_view word);
  Outcome refuse_separator();

  bool at_blank() const { return *kind_ == ' ' || *kind_ == '\t'; }
  bool at_bar() const { return *kind_ == '|'; }
  bool at_end() const { return *kind_ == '\n' || (*kind_ == '\r' && kind_[1] == '\n' && at_[1] == at_[0] + 1); }
  void next_separator() {
    ++at_;
    ++kind_;
  }

  const VwRules& rules_;
  ParsedChunk& chunk_;
  VwScratch& scratch_;

  // The current line, whose text extends beyond it; the current separator, and the number of those left.
  std::string_view text_;
  std::size_t begin_ = 0, end_ = 0;
  const std::uint32_t* at_ = nullptr;
  const char* kind_ = nullptr;
  // The namespace at hand.
  std::uint32_t space_ = 0;
  std::uint64_t seed_ = 0;
  double scale_ = 1;
  bool left_out_ = false;
  std::uint32_t unnamed_ = 0;  // features without a name so far
  std::vector<std::string_view> words_;
  std::vector<std::uint8_t> roles_;  // of the row's values, in the product at hand
  std::vector<std::size_t> chosen_;  // values, one a factor
  std::size_t product_at_hand_ = 0;  // where names are hashed
  std::string product_;              // its name, likewise
  KnownNames::Snapshot known_names_;
  KnownProducts::Snapshot known_products_;
  bool valid_text_ = false;   // all of it is UTF-8; where names are hashed
  bool label_alone_ = false;  // before the first bar

  // The beginning of lines on the fast path: one of these labels, and the last namespace.
  struct Known {
    std::string_view label;
    std::int32_t class_of;
  };
  std::array<Known, 4> known_{};
  std::size_t known_count_ = 0;
  std::string_view space_name_;
  bool space_known_ = false;

  // The namespaces of the line before: mostly those of this one.
  std::vector<std::uint32_t> usual_spaces_;
  std::size_t spaces_in_line_ = 0;
};

// What a line's tag is called among the columns that are kept.
inline constexpr std::string_view vw_tag = "tag";

// Returns the tag of a line, without the quote before it; empty: none.
std::string_view tag_of_vw(std::string_view line);

}  // namespace halfspace::stream
