// The meaning of the data's columns: labels, features, and how text becomes numbers.
//
// A Schema is learned from the first rows of the data, grows as new categories appear, is stored in the model, and is
// then what later data must agree with. Nothing in it depends on the order of the rows but the numbering of categories.
//
// Thread-safety: value types.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/base/names.h"

namespace halfspace {

// The formats that others are told apart from by name here. Each has an entry in the table of formats, and so have those
// that are not named here: format_named() gives them.
enum class DataFormat : std::uint8_t {
  automatic = 0,
  libsvm = 1,
  csv = 2,
  idx = 3,
  vw = 4,
  arff = 5,
  jsonl = 6,
  npy = 7,
  csr = 8
};

// Returns the format's name: "jsonl"; "auto" for any other number. format_named() is the way back.
std::string_view name_of(DataFormat format);
std::optional<DataFormat> format_named(std::string_view name);

// What a token of a text column is worth in a row.
enum class TextValues : std::uint8_t { counts = 0, binary = 1, tf_idf = 2 };

template <>
struct NamesOf<TextValues> {
  static constexpr Name<TextValues> table[] = {
      {TextValues::counts, "counts", "how often it comes (default)"},
      {TextValues::binary, "binary", "1 where it comes"},
      {TextValues::tf_idf, "tf-idf", "how often it comes, times 1 + ln((1 + rows) / (1 + rows with it))"}};
};

// What is a token of a text column.
enum class TextTokens : std::uint8_t { words = 0, characters = 1 };

template <>
struct NamesOf<TextTokens> {
  static constexpr Name<TextTokens> table[] = {
      {TextTokens::words, "words", "a run of letters and digits (default)"},
      {TextTokens::characters, "characters", "each letter and digit: of texts without blanks between words"}};
};

// What quotes are in CSV.
enum class Quote : std::uint8_t { none = 0, double_quote = 1, single_quote = 2 };

template <>
struct NamesOf<Quote> {
  static constexpr Name<Quote> table[] = {
      {Quote::none, "none", "text as any other: a line is a row"},
      {Quote::double_quote, "double", "around values: \"a, b\" is one, and \"\" in it a quote"},
      {Quote::single_quote, "single",
       "the same with ', and double quotes are text: 'a, b' is one, and '' in it a quote"}};
};

// What a date begins with.
enum class DateOrder : std::uint8_t { ymd = 0, dmy = 1, mdy = 2 };

template <>
struct NamesOf<DateOrder> {
  static constexpr Name<DateOrder> table[] = {{DateOrder::ymd, "ymd", "2026-11-22, 2026/11/22, 20261122"},
                                              {DateOrder::dmy, "dmy", "22/11/2026, 22.11.26"},
                                              {DateOrder::mdy, "mdy", "11/22/2026, 11-22-26"}};
};

// The classes of the data. Class numbers are positions in `names`; in a binary problem 0 is the negative class and 1
// the positive one.
//
// Which label is positive never depends on row order: of the number pairs {-1,+1}, {0,1}, {1,2} and of any two numbers
// the larger; of two names the one that sorts last, unless the two are a known pair (no/yes, false/true, n/y, f/t, -/+,
// neg/pos, negative/positive, bad/good, ham/spam: the second is positive); `--positive NAME` overrides. More than two:
// numbers by value, then names alphabetically.
struct Labels {
  std::vector<std::string> names;

  // Returns the class of a label's text. Numbers are compared by value: 1, +1 and 1.0 are one label, named as first
  // spelled. In a binary problem over {-1,+1} a 0 reads as -1, and over {0,1} a -1 reads as 0.
  std::optional<std::int32_t> find(std::string_view text) const;

  bool binary() const noexcept { return names.size() <= 2; }

  // Orders distinct label texts by the rule above. `positive` empty: by convention. Throws Error(usage) when `positive`
  // is not among exactly two (one: it becomes the positive class, and the other has no name yet).
  static Labels from(std::vector<std::string> distinct, const std::string& positive);

  bool operator==(const Labels&) const = default;
};

struct Column {
  enum class Kind : std::uint8_t {
    numeric = 0,
    categorical = 1,
    label = 2,
    identifier = 3,
    weight = 4,
    dropped = 5,
    text = 6,
    product = 7,
    date = 8
  };

  std::string name;
  Kind kind = Kind::numeric;
  // The feature numbers this column owns. Numeric: `feature` is the value, `missing_feature` the indicator of a missing
  // value. Categorical: features[k] is the indicator of categories[k]; `missing_feature` that of a missing one.
  // Of Vowpal Wabbit's text a column is a namespace: categorical, but features[k] is the value of the name categories[k].
  // So is the last column of JSON Lines when it has no name: members that are no columns (docs/formats/jsonl.md).
  // no_feature where there is none yet: features are numbered in order of first appearance.
  static constexpr std::uint32_t no_feature = 0xffffffff;
  std::uint32_t feature = no_feature;
  std::uint32_t missing_feature = no_feature;
  std::vector<std::string> categories;
  std::vector<std::uint32_t> features;

  // Text: categories[k] is a token or so many adjacent ones, words with a blank between them; features[k] has what `text_values`
  // says. With tf-idf factors[k] is what categories[k] is multiplied by, and unseen_factor what one is that the counted
  // rows did not have: no other factor is as large. 0: nothing is counted yet.
  std::uint32_t ngrams = 1;
  TextValues text_values = TextValues::counts;
  TextTokens text_tokens = TextTokens::words;
  std::vector<double> factors{};
  double unseen_factor = 0;

  // Product: which of the schema's columns, numeric or categorical, are multiplied; products stand behind all columns of
  // the file. Of two numbers `feature` is the product. Else features[k] is the number where there is one, or 1, for
  // categories[k]: a category, or two, of which the first has a backslash before its colons and backslashes, with
  // `:name of the second=` between them.
  std::uint32_t first = no_feature, second = no_feature;

  // Date: `feature` is the year, the next two are month and day; categories are `weekday=Mon` to `weekday=Sun`, 1 where
  // it is, and `seconds`, since midnight, where there is a time.
  DateOrder date_order = DateOrder::ymd;

  // Tells whether columns of a kind give features.
  static constexpr bool gives_features(Kind kind) noexcept {
    return kind == Kind::numeric || kind == Kind::categorical || kind == Kind::text || kind == Kind::date;
  }

  bool operator==(const Column&) const = default;
};

// Returns the texts that stand for a missing value, beside the empty one, unless others are named: -, ?, N/A, NA, NaN,
// None, nan and null.
std::vector<std::string> usual_missing();

struct Schema {
  DataFormat format = DataFormat::automatic;
  bool zero_based = false;            // LIBSVM: feature number = index in the file, instead of index - 1
  char delimiter = ',';               // CSV; a space: runs of blanks
  char decimal = '.';                 // CSV: the mark in numbers, a point or a comma
  char thousands = '\0';              // CSV: stands between groups of three digits; NUL: nothing does
  Quote quote = Quote::double_quote;  // CSV
  std::uint64_t skip_lines = 0;       // CSV: lines of each file before the table
  // CSV: a line whose first byte behind blanks is one of these is no row. Ascending.
  std::string comment;
  bool header = true;  // CSV
  // CSV: the texts that stand for a missing value; an empty cell does, too. Ascending by their bytes, none is empty.
  std::vector<std::string> missing = usual_missing();
  std::uint32_t features = 0;  // how many features have been seen: 1 + the largest feature number
  // CSV, ARFF and JSON Lines: in file order; idx: the pixels; VW: the namespaces; LIBSVM has none.
  std::vector<Column> columns;
  Labels labels;
  // Normalisation by column: value * 2^exponent[feature]; empty when not in use. Powers of two lose nothing.
  std::vector<std::int16_t> exponents;
  bool row_normalised = false;  // each row divided by its norm
  bool single = false;          // values rounded to float on purpose

  // The name of feature j: LIBSVM the index as the file writes it; CSV, ARFF and JSON Lines `age`, `age=?` (missing),
  // `colour=red`, `note^good` or `note^very good` of a text, `age:size`, `age:colour=red`, `colour=red:age` and
  // `colour=red:shape=flat` of a product, `when.year` and `when.weekday=Mon` of a date; idx `r3c7`; VW `namespace^name`,
  // or the name alone where there is no namespace. O(columns); `feature_names` gives them all at once.
  std::vector<std::string> feature_names() const;

  // Forgets the categories and missing indicators whose feature number is not below `features` (the numeric columns
  // stay), and namespaces without a name left: the schema as it stood when so many features had been seen.
  void trim(std::uint32_t features);

  bool operator==(const Schema&) const = default;
};

}  // namespace halfspace
