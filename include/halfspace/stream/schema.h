// The meaning of the data's columns: labels, features, and how text becomes numbers.
//
// A Schema is inferred from the first rows of the data, grows as new categories appear, is stored in the model, and
// must match later data. Only the numbering of categories depends on the order of the rows.
//
//   Reader reader(ReadOptions{.path = "examples/credit.csv"});
//   const Schema& schema = reader.schema();  // a model's is model.schema; ReadOptions::schema reads by one
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/detail/base/names.h"
#include "halfspace/detail/stream/name_list.h"

namespace halfspace {

// The formats that code refers to by name. Each has an entry in the table of formats, as have those without a name
// here: format_named() returns them.
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

// Returns the format's name, such as "jsonl"; "auto" for an unknown number. The inverse of format_named().
std::string_view name_of(DataFormat format);
std::optional<DataFormat> format_named(std::string_view name);

// The value of a token of a text column in a row.
enum class TextValues : std::uint8_t { counts = 0, binary = 1, tf_idf = 2 };

template <>
struct NamesOf<TextValues> {
  static constexpr Name<TextValues> table[] = {
      {TextValues::counts, "counts", "how often it occurs (default)"},
      {TextValues::binary, "binary", "1 where it occurs"},
      {TextValues::tf_idf, "tf-idf", "how often it occurs, times 1 + ln((1 + rows) / (1 + rows with it))"}};
};

// What a token of a text column is.
enum class TextTokens : std::uint8_t { words = 0, characters = 1 };

template <>
struct NamesOf<TextTokens> {
  static constexpr Name<TextTokens> table[] = {
      {TextTokens::words, "words", "a run of letters and digits (default)"},
      {TextTokens::characters, "characters", "each letter and digit: of texts without blanks between words"}};
};

// What counts as a quote in CSV.
enum class Quote : std::uint8_t { none = 0, double_quote = 1, single_quote = 2 };

template <>
struct NamesOf<Quote> {
  static constexpr Name<Quote> table[] = {
      {Quote::none, "none", "text as any other: a line is a row"},
      {Quote::double_quote, "double", "around values: \"a, b\" is one, and \"\" in it a quote"},
      {Quote::single_quote, "single",
       "the same with ', and double quotes are text: 'a, b' is one, and '' in it a quote"}};
};

// The order of day, month and year.
enum class DateOrder : std::uint8_t { ymd = 0, dmy = 1, mdy = 2 };

template <>
struct NamesOf<DateOrder> {
  static constexpr Name<DateOrder> table[] = {{DateOrder::ymd, "ymd", "2026-11-22, 2026/11/22, 20261122"},
                                              {DateOrder::dmy, "dmy", "22/11/2026, 22.11.26"},
                                              {DateOrder::mdy, "mdy", "11/22/2026, 11-22-26"}};
};

// What the labels of a format are. Texts: 1, 1.0 and +1 are three labels. Numbers: they are one, equal exactly and not
// merely as doubles; a label that is no number is a text.
enum class LabelsAre : std::uint8_t { texts, numbers };

// The classes of the data. Class numbers index `names`; in a binary problem 0 is the negative class and 1 the positive
// one.
//
// The positive label never depends on row order: of two numbers ({-1,+1}, {0,1}, {1,2} or any) it is the larger; of two
// names the one that sorts last, unless they are a known pair (no/yes, false/true, n/y, f/t, -/+, neg/pos,
// negative/positive, bad/good, ham/spam: the second is positive); `--positive NAME` overrides. More than two classes:
// numbers by value, then names alphabetically.
struct Labels {
  std::vector<std::string> names;    // numbers: as first spelled
  LabelsAre are = LabelsAre::texts;  // by the format of the data

  // Returns the class of a label's text.
  std::optional<std::int32_t> find(std::string_view text) const;
  // Returns the class of a label that is a number where it is written, whatever the names are: the only one whose name
  // is that number. In a binary problem over {-1,+1} a 0 reads as -1, and over {0,1} a -1 reads as 0.
  std::optional<std::int32_t> find_number(std::string_view text) const;

  bool binary() const noexcept { return names.size() <= 2; }

  // Orders distinct label texts by the rule above. `positive` empty: by convention. Throws Error(usage) if `positive`
  // is not one of exactly two labels (of one: it becomes the positive class, and the other has no name yet).
  static Labels from(std::vector<std::string> distinct, const std::string& positive, LabelsAre are);

  bool operator==(const Labels& other) const { return names == other.names; }
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
  // The feature numbers of this column. Numeric: `feature` is the value, `missing_feature` the indicator of a missing
  // value. Categorical: features[k] is the indicator of categories[k]; `missing_feature` that of a missing one. In
  // Vowpal Wabbit text a column is a namespace: like a categorical one, but features[k] is the value of the name
  // categories[k]; so is the last column of JSON Lines if it has no name: it holds the members that are no columns
  // (docs/formats/jsonl.md). no_feature where there is none yet: features are numbered in order of first appearance.
  static constexpr std::uint32_t no_feature = 0xffffffff;
  std::uint32_t feature = no_feature;
  std::uint32_t missing_feature = no_feature;
  NameList categories;
  std::vector<std::uint32_t> features;

  // Vowpal Wabbit text, two or three namespaces multiplied: there are no categories, and features[k] is the product of
  // the features products[n * k] to products[n * k + n - 1], where n = factors_of_product(name).
  std::vector<std::uint32_t> products{};

  // Text: categories[k] is a token or several adjacent tokens, words separated by a blank; features[k] has the value
  // that `text_values` defines. With tf-idf factors[k] multiplies categories[k], and unseen_factor any token that the
  // counted rows lack: no factor is larger. 0: not counted yet.
  std::uint32_t ngrams = 1;
  TextValues text_values = TextValues::counts;
  TextTokens text_tokens = TextTokens::words;
  std::vector<double> factors{};
  double unseen_factor = 0;

  // Product: the columns that are multiplied, numeric or categorical; products follow all columns of the file.
  // `feature` is the product of two numbers. Otherwise features[k] is the number, or 1 without one, for categories[k]:
  // a category, or two joined by `:name of the second=`, with a backslash before each colon and backslash of the first.
  std::uint32_t first = no_feature, second = no_feature;
  // Without a second column: the logarithm of the first, ln(1 + (x - least) / unit), 0 below `least`. The unit is a power
  // of two.
  double least = 0, unit = 1;

  // Date: `feature` is the year, the next two are month and day; categories are `weekday=Mon` to `weekday=Sun`, with
  // the value 1, and `seconds` since midnight if there is a time.
  DateOrder date_order = DateOrder::ymd;

  bool is_logarithm() const noexcept { return kind == Kind::product && second == no_feature; }
  // Returns whether columns of this kind have features.
  static constexpr bool gives_features(Kind kind) noexcept {
    return kind == Kind::numeric || kind == Kind::categorical || kind == Kind::text || kind == Kind::date;
  }

  bool operator==(const Column&) const = default;
};

// Returns how many namespaces a column of Vowpal Wabbit text multiplies, such as 2 for user:item; 1: it is a namespace.
std::size_t factors_of_product(std::string_view column) noexcept;
// Names hashed to a table of 2^bits features instead of having one each (docs/formats/model.md): those of categories,
// of the tokens of texts, of Vowpal Wabbit's features, and of products of such names. The table is the last of the
// schema's features and does not grow. Names that fall on one feature share it; in one row, their values are added.
struct HashedNames {
  static constexpr std::uint32_t most_bits = 30;
  static constexpr std::uint64_t default_kept = 10'000;

  std::uint32_t bits = 0;     // 0: names are not hashed
  std::uint64_t to_keep = 0;  // as many names are kept, the first of the rows
  // Kept names, in order of first appearance, as Schema::feature_names writes them; features[k] is that of names[k].
  NameList names;
  std::vector<std::uint32_t> features;

  bool operator==(const HashedNames&) const = default;
};

// Returns the default texts of a missing value, besides the empty one: -, ?, N/A, NA, NaN, None, nan and null.
std::vector<std::string> default_missing();

struct Schema {
  DataFormat format = DataFormat::automatic;
  bool zero_based = false;            // LIBSVM: feature number = index in the file, instead of index - 1
  char delimiter = ',';               // CSV; a space: runs of blanks
  char decimal = '.';                 // CSV: the mark in numbers, a point or a comma
  char thousands = '\0';              // CSV: separates groups of three digits; NUL: nothing does
  Quote quote = Quote::double_quote;  // CSV
  std::uint64_t skip_lines = 0;       // CSV: lines of each file before the table
  // CSV: lines whose first nonblank byte is one of these are comments. Ascending.
  std::string comment;
  bool header = true;  // CSV
  // CSV: the texts of a missing value, besides the empty cell. In ascending byte order, none is empty.
  std::vector<std::string> missing = default_missing();
  std::uint32_t features = 0;  // the number of features seen: 1 + the largest feature number
  // CSV, ARFF and JSON Lines: in file order; idx: the pixels; VW: the namespaces; LIBSVM has none.
  std::vector<Column> columns;
  HashedNames hashed;  // CSV, ARFF, JSON Lines, SQLite and VW
  Labels labels;
  // Normalisation by column: value * 2^exponent[feature]; empty if not used. Powers of two are exact.
  std::vector<std::int16_t> exponents;
  bool row_normalised = false;  // each row divided by its norm
  bool single = false;          // values deliberately rounded to float

  // Returns the name of feature j. LIBSVM: the index as in the file. CSV, ARFF and JSON Lines: `age`, `age=?`
  // (missing), `colour=red`; `note^good` or `note^very good` of a text; `age:size`, `age:colour=red`, `colour=red:age`
  // and `colour=red:shape=flat` of a product; `log(age)`; `when.year` and `when.weekday=Mon` of a date. idx: `r3c7`. VW:
  // `namespace^name`, or the name alone without a namespace. A hashed feature: its names that are kept, with ` or `
  // between them, else `hash:17`, its number in the table. O(columns); `feature_names` returns all at once.
  std::vector<std::string> feature_names() const;

  // Returns the first feature of the table of hashed names; `features` without one.
  std::uint32_t first_hashed() const noexcept {
    return hashed.bits == 0 ? features : features - (std::uint32_t{1} << hashed.bits);
  }

  // Removes categories and missing indicators with feature numbers of at least `features` (numeric columns stay), and
  // namespaces left without names: restores the schema as of that number of features. Hashed names have theirs from
  // the start, and stay.
  void trim(std::uint32_t features);

  bool operator==(const Schema&) const = default;
};

}  // namespace halfspace
