// What tests of surveys share: the notes on a table as one text, and tables drawn at random.
#pragma once

#include "halfspace/stream/survey.h"
#include "stream/stream_support.h"

namespace halfspace::testing_survey {

// Every note, text and fix, a line each.
inline std::string said_of(const std::string& table, ReadOptions options = {}, const SurveyLimits& limits = {}) {
  const testing_stream::Folder folder;
  options.path = folder.write("table.csv", table);
  options.labels.scan_all = true;
  options.on_error = OnError::skip;
  std::string all;
  for (const std::size_t block : {std::size_t{1} << 18, std::size_t{64}}) {
    options.block_bytes = block;
    options.threads = block == 64 ? 3 : 1;
    Reader reader(options);
    Survey survey(limits);
    reader.read([&](const Block& rows) {
      survey.add(rows);
      return true;
    });
    std::string now;
    bool grave = true;
    for (const SurveyNote& note : survey.notes(reader.schema(), options)) {
      EXPECT_TRUE(grave || !note.grave) << "grave ones come first";
      grave = note.grave;
      now += std::string(note.grave ? "! " : "  ") + note.text + "; " + note.fix + "\n";
    }
    EXPECT_TRUE(all.empty() || all == now) << "blocks and threads make no difference\n" << all << now;
    all = now;
  }
  return all;
}

// A table of two columns that are drawn at random, a third by `cell`, and a label by `label`.
template <class Cell, class Label>
std::string table_of(int rows, const std::string& header, Cell&& cell, Label&& label) {
  std::mt19937 random(7);
  std::string text = header;
  for (int i = 0; i < rows; ++i) {
    text += std::to_string(random() % 90) + "," + std::to_string(random() % 9) + "," + cell(i) + "," +
            label(i, random() % 2 == 0) + "\n";
  }
  return text;
}

inline std::string a_or_b(int, bool a) { return a ? "a" : "b"; }

inline void expect_said(const std::string& said, const std::string& text, const std::string& flag) {
  const std::size_t at = said.find(text);
  ASSERT_NE(at, std::string::npos) << "not said: " << text << "\nof\n" << said;
  const std::string line = said.substr(at, said.find('\n', at) - at);
  EXPECT_TRUE(has(line, flag));
}

}  // namespace halfspace::testing_survey
