// The table of data formats: one entry per format; all code that depends on formats uses it.
//
// Recognition, error texts, flags, surveys, feature names and proofs read it. A new format is a folder of src/stream
// with its Format (parser.h) and an entry.cc whose function in namespace formats, named like the folder, returns its
// entries; the build collects them.
//
// Thread-safety: immutable once constructed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"
#include "stream/formats/given_options.h"
#include "stream/formats/parser.h"
#include "stream/source/source.h"

namespace halfspace::stream {

// The rows of a binary file, as a stream of records for the pipeline.
struct Records {
  DataFormat format = DataFormat::automatic;
  std::string_view words;  // what the file is: "an .npz of arrays"
  std::unique_ptr<Source> source;
  std::unique_ptr<Format> parser;
  std::size_t record_bytes = 0;  // of the longest; longer lines are read, too
};

// A kind of binary file.
struct FileKind {
  std::string_view words;                     // "a NumPy array"
  DataFormat format = DataFormat::automatic;  // automatic: Records::format holds it once open
  bool (*recognise)(std::string_view first_bytes) = nullptr;
  // Returns whether this is such a file, if it must be an uncompressed regular file; null: any source will do.
  bool (*lies_there)(Source& source, const std::string& path) = nullptr;
  std::string_view elsewhere{}, elsewhere_fix{};  // the error for one that is not
  // Opens it. Throws Error: data, usage, no_input, input_output.
  Records (*open)(const ReadOptions& options, std::unique_ptr<Source> source) = nullptr;
  bool has_arrays = false;  // selected by ReadOptions::arrays
};

// An option of a single format: a text in ReadOptions::of_format.
struct FormatOption {
  std::string_view name, value, help;  // as a flag has them: "table", "NAME", a line
};

// What kind of columns a schema has.
enum class ColumnsAre : std::uint8_t { none, columns, namespaces, pixels };

// How well the first lines of a text fit a format.
struct Likeness {
  double share = 0;      // of the lines; a half for those that may be of another format as well
  std::string evidence;  // "40 of 40 lines are JSON objects"
};
// `unsure`: lines that may be of another format as well.
Likeness likeness_of_lines(std::size_t sure, std::size_t unsure, std::size_t lines, std::string_view what);

struct FormatEntry {
  DataFormat id{};          // stored in models and caches: never reuse a number
  std::string_view name;    // as the command line and JSON write it
  std::string_view words;   // in a sentence: "this is Vowpal Wabbit"
  std::string_view title;   // as a title: "idx images"
  std::string_view listed;  // in lists of formats; empty: another entry represents it
  std::string_view help;    // one line
  // What rows for a model must look like; the second for columns without names, if that differs.
  std::string_view rows_are, nameless_rows_are{};

  ColumnsAre columns = ColumnsAre::none;
  LabelsAre labels = LabelsAre::texts;
  bool lines = true;                    // a row is a line of text
  bool counts_features = false;         // a row refers to features by number
  bool sparse_columns = false;          // a row may omit columns, which are 0 then
  bool columns_by_position = false;     // in addition to their names; the last may be the label
  bool rest_in_last_column = false;     // members that are no columns are categories of a column without a name
  bool columns_are_surveyed = false;    // notes report on their values
  bool declares_itself = false;         // its first lines define how to read it
  unsigned takes = 0;                   // which options of reading: about_... of given_options.h
  std::string_view tag{};               // what can be kept of a row without columns
  std::vector<FormatOption> options{};  // of its own

  // Text: how well it fits by its first lines. Of formats that fit equally the one of the least `turn` wins.
  int turn = 0;
  Likeness (*likeness)(std::string_view text) = nullptr;
  // Returns whether all first lines look like it, not only the first; null: the first decides. `delimiter`: of a table
  // that it may be instead.
  bool (*in_all_lines)(std::string_view text, char delimiter) = nullptr;
  // Returns whether a text that looks like `other` may be of this format; null: only an empty one.
  bool (*may_be)(std::string_view text, const FormatEntry& other, char delimiter) = nullptr;
  // Returns what a text of this format looks like if another is expected; null: "looks like" and its words.
  std::string (*looks_like)(std::string_view text) = nullptr;
  // Rejects text that was recognised by its look alone. Throws Error(data). Null: accepts it.
  void (*check_look)(const std::string& file, std::string_view text) = nullptr;
  std::unique_ptr<Format> (*make)(const ReadOptions& options) = nullptr;  // null: it is no text

  std::vector<FileKind> files{};  // binary files of this format
  // Returns the companion files that reading `path` may open, by name alone.
  std::vector<std::string> (*files_beside)(const std::string& path) = nullptr;

  bool takes_all(unsigned about) const noexcept { return (takes & about) == about; }
  bool has_option(std::string_view option) const noexcept {
    for (const FormatOption& each : options) {
      if (each.name == option) return true;
    }
    return false;
  }
};

// Returns every format, by number.
std::span<const FormatEntry> all_formats();
// Returns null for an unknown number, and for DataFormat::automatic.
const FormatEntry* find_format(DataFormat format);
// Returns the entry of a format; a mostly empty one for DataFormat::automatic.
const FormatEntry& entry_of(DataFormat format);
// Returns the first format that takes these options.
const FormatEntry& format_that_takes(unsigned about);

// Returns a format's name in errors: "LIBSVM".
std::string format_words(DataFormat format);
// Returns text such as "CSV, ARFF and JSON Lines": the formats that take the options.
std::string formats_that_take(unsigned about);
// Returns the same for formats with an option of their own of this name.
std::string formats_with_option(std::string_view name);
// Returns the names of all formats as a list: text first.
std::string list_of_formats();

}  // namespace halfspace::stream
