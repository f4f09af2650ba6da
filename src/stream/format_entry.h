// The table of data formats: an entry a format, and everything that asks about formats walks over it.
//
// Recognition, refusals, flags, surveys, feature names and proofs read it. A new format is a folder of src/stream with its
// Format (parser.h) and a file entry.cc, whose function in namespace formats, named as the folder, returns its entries; the
// build gathers them.
//
// Thread-safety: the table is made once and constant.
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
#include "stream/given_options.h"
#include "stream/parser.h"
#include "stream/source/source.h"

namespace halfspace::stream {

// The rows of a file that is no text, as a stream of records for the pipeline.
struct Records {
  DataFormat format = DataFormat::automatic;
  std::string_view words;  // what the file is: "an .npz of arrays"
  std::unique_ptr<Source> source;
  std::unique_ptr<Format> parser;
  std::size_t record_bytes = 0;  // of the longest; longer lines are read, too
};

// A kind of file that is no text.
struct FileKind {
  std::string_view words;                     // "a NumPy array"
  DataFormat format = DataFormat::automatic;  // automatic: Records::format tells when it is open
  bool (*recognise)(std::string_view first_bytes) = nullptr;
  // Tells whether this is such a file, where it has to lie on a disk, unpacked; null: any source will do.
  bool (*lies_there)(Source& source, const std::string& path) = nullptr;
  std::string_view elsewhere{}, elsewhere_fix{};  // the refusal of one that does not
  // Opens it. Throws Error: data, usage, no_input, input_output.
  Records (*open)(const ReadOptions& options, std::unique_ptr<Source> source) = nullptr;
  bool has_arrays = false;  // that ReadOptions::arrays names
};

// An option that a format has alone: a text in ReadOptions::of_format.
struct FormatOption {
  std::string_view name, value, help;  // as a flag has them: "table", "NAME", a line
};

// What the columns of a schema are.
enum class ColumnsAre : std::uint8_t { none, columns, namespaces, pixels };

struct FormatEntry {
  DataFormat id{};          // as models and caches hold it: never reuse a number
  std::string_view name;    // as the command line and JSON write it
  std::string_view words;   // as a sentence does: "this is Vowpal Wabbit"
  std::string_view title;   // as a page has it: "idx images"
  std::string_view listed;  // as lists of formats have it; empty: another entry stands for it there
  std::string_view help;    // one line
  // What rows for a model look like; where its columns have no names, if that differs.
  std::string_view rows_are, nameless_rows_are{};

  ColumnsAre columns = ColumnsAre::none;
  bool lines = true;                    // a row is a line of text
  bool counts_features = false;         // a row names its features by their numbers
  bool sparse_columns = false;          // a row may leave columns out, which are 0 then
  bool columns_by_position = false;     // besides their names; the last may be the label
  bool rest_in_last_column = false;     // members that are no columns are the categories of one without a name
  bool columns_are_surveyed = false;    // notes tell of their values
  bool declares_itself = false;         // its first lines say how it is to be read
  unsigned takes = 0;                   // which options of reading: about_... of given_options.h
  std::string_view tag{};               // what may be kept of a row though it has no columns
  std::vector<FormatOption> options{};  // of its own

  // Text: recognition by the first lines. Formats are asked by their `turn`, and the first to accept the text has it.
  int turn = 0;
  bool (*recognise)(std::string_view text) = nullptr;
  // Tells whether all first lines look like it, and not just the first; null: the first tells. `delimiter`: of a table
  // that it may be instead.
  bool (*in_all_lines)(std::string_view text, char delimiter) = nullptr;
  // Tells whether a text that looks like `other` may be of this format; null: only an empty one.
  bool (*may_be)(std::string_view text, const FormatEntry& other, char delimiter) = nullptr;
  // What a text of it that is expected to be another looks like; null: "looks like" and its words.
  std::string (*looks_like)(std::string_view text) = nullptr;
  // Refuses what its look alone has told to be of this format. Throws Error(data). Null: it may be.
  void (*check_look)(const std::string& file, std::string_view text) = nullptr;
  std::unique_ptr<Format> (*make)(const ReadOptions& options) = nullptr;  // null: it is no text

  std::vector<FileKind> files{};  // what it comes in when it is no text
  // Returns the files that reading `path` may open as well, by its name alone.
  std::vector<std::string> (*files_beside)(const std::string& path) = nullptr;

  bool takes_all(unsigned about) const noexcept { return (takes & about) == about; }
  bool has_option(std::string_view option) const noexcept {
    for (const FormatOption& each : options) {
      if (each.name == option) return true;
    }
    return false;
  }
};

// Every format, by number.
std::span<const FormatEntry> all_formats();
// Null for a number that no format has, and for DataFormat::automatic.
const FormatEntry* find_format(DataFormat format);
// The entry of a format; of DataFormat::automatic one that says little.
const FormatEntry& entry_of(DataFormat format);
// The first format that takes these options.
const FormatEntry& format_that_takes(unsigned about);

// Returns a format as errors call it: "LIBSVM".
std::string format_words(DataFormat format);
// Returns "CSV, ARFF and JSON Lines": those that take the options.
std::string formats_that_take(unsigned about);
// Returns the same of those that have an option of their own of this name.
std::string formats_with_option(std::string_view name);
// Returns the names of all, as a list: texts, then others.
std::string list_of_formats();

}  // namespace halfspace::stream
