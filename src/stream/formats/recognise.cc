// Compares how well the first lines fit each format.
#include "stream/formats/recognise.h"

#include <algorithm>
#include <utility>

#include "halfspace/base/error.h"
#include "stream/formats/format_entry.h"
#include "stream/formats/slips.h"
#include "stream/text/first_lines.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

const std::vector<const FormatEntry*>& formats_by_turn() {
  static const std::vector<const FormatEntry*> all = [] {
    std::vector<const FormatEntry*> entries;
    for (const FormatEntry& entry : all_formats()) {
      if (entry.likeness != nullptr) entries.push_back(&entry);
    }
    std::sort(entries.begin(), entries.end(),
              [](const FormatEntry* a, const FormatEntry* b) { return a->turn < b->turn; });
    return entries;
  }();
  return all;
}

std::string_view without_mark(std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return text;
}

// Only shares of lines that fit another format as well are that small.
bool undecided(const std::vector<FormatGuess>& guesses) {
  constexpr double clear = 0.6, near = 0.1;
  return guesses.size() > 1 && guesses[0].share < clear && guesses[1].share > guesses[0].share - near;
}

std::string format_option(DataFormat format) { return option("format", entry_of(format).name); }

}  // namespace

std::vector<FormatGuess> guess_formats(std::string_view text) {
  text = without_mark(text);
  std::vector<FormatGuess> guesses;
  for (const FormatEntry* entry : formats_by_turn()) {
    Likeness likeness = entry->likeness(text);
    if (likeness.share > 0 || entry == formats_by_turn().back())
      guesses.push_back({entry->id, likeness.share, std::move(likeness.evidence)});
  }
  std::stable_sort(guesses.begin(), guesses.end(),
                   [](const FormatGuess& a, const FormatGuess& b) { return a.share > b.share; });
  return guesses;
}

DataFormat recognise_text(std::string_view text) {
  text = without_mark(text);
  for (const FormatEntry* entry : formats_by_turn()) {
    if (entry == formats_by_turn().back() || entry->likeness(text).share == 1) return entry->id;
    if (entry->likeness(text).share > 0) break;
  }
  const std::vector<FormatGuess> guesses = guess_formats(text);
  return undecided(guesses) ? DataFormat::automatic : guesses.front().format;
}

void refuse_unclear(const std::vector<FormatGuess>& guesses, std::string_view text, const std::string& file) {
  const FormatGuess& best = guesses.front();
  constexpr double half = 0.5;
  if (best.share < half) {
    if (const auto slip = find_slip(without_mark(text))) {
      throw Error(ErrorKind::data, slip->what)
          .at(file, slip->line, 1)
          .showing(slip->text)
          .fix(slip->fix + "; " + format_option(format_that_takes(about_marks).id) + " reads a table all the same");
    }
  }
  if (!undecided(guesses)) return;
  const auto words = [](const FormatGuess& guess) { return format_words(guess.format) + ", as " + guess.evidence; };
  const auto reads = [](const FormatGuess& guess) {
    return format_option(guess.format) + " reads " + format_words(guess.format);
  };
  throw Error(ErrorKind::data, "this may be " + words(guesses[0]) + "; or " + words(guesses[1]))
      .at(file)
      .fix(reads(guesses[0]) + ", " + reads(guesses[1]));
}

std::optional<std::string> recognise_other(std::string_view text, DataFormat expected, char delimiter) {
  text = without_mark(text);
  const FormatEntry &found = entry_of(recognise_text(text)), &wanted = entry_of(expected);
  std::string_view rest = text;
  if (found.id == expected || found.id == DataFormat::automatic) return std::nullopt;
  if (wanted.may_be != nullptr ? wanted.may_be(text, found, delimiter) : next_line_with_words(rest).empty())
    return std::nullopt;
  return found.looks_like != nullptr ? found.looks_like(text) : "looks like " + std::string(found.words);
}

const FileKind* recognise_file(std::string_view first_bytes) {
  for (const FormatEntry& entry : all_formats()) {
    for (const FileKind& kind : entry.files) {
      if (kind.recognise(first_bytes)) return &kind;
    }
  }
  return nullptr;
}

}  // namespace halfspace::stream
