// The nearest rows, against a sort of all rows, in any order of them.
#include <algorithm>
#include <limits>
#include <numeric>

#include "reasons/explanation_words.h"
#include "reasons/nearest_rows.h"
#include "reasons/reasons_support.h"

namespace halfspace {
namespace {

using namespace testing_reasons;
using reasons::NearestCounts;

struct Neighbour {
  double distance;
  bool otherwise;
};

// What NearestCounts counts, by the definition.
NearestRows by_sorting(std::vector<Neighbour> all, std::uint64_t most) {
  std::sort(all.begin(), all.end(), [](const Neighbour& a, const Neighbour& b) { return a.distance < b.distance; });
  NearestRows result;
  if (all.empty()) return result;
  result.within = all[std::min<std::size_t>(most, all.size()) - 1].distance;
  for (const Neighbour& one : all) {
    if (one.distance > result.within) break;
    ++result.rows;
    result.otherwise += one.otherwise ? 1 : 0;
  }
  return result;
}

void expect_same(const std::optional<NearestRows>& found, const NearestRows& expected) {
  ASSERT_EQ(found.has_value(), expected.rows > 0);
  if (!found) return;
  EXPECT_EQ(found->rows, expected.rows);
  EXPECT_EQ(found->otherwise, expected.otherwise);
  EXPECT_EQ(found->within, expected.within);
}

template <class Item>
void shuffle(std::vector<Item>& items, Generator& draws) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(draws, i)]);
}

TEST(Nearest, CountsAreThoseOfASortInAnyOrder) {
  Generator draws(31);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Neighbour> all(below(draws, 60));
    const std::size_t distances = 1 + below(draws, 40);
    for (Neighbour& one : all) one = {static_cast<double>(below(draws, distances)) / 8, draws.next() < 0.3};
    for (const std::uint64_t most : {1U, 2U, 7U, 100U}) {
      shuffle(all, draws);
      NearestCounts counts(most);
      for (const Neighbour& one : all) counts.add(one.distance, one.otherwise);
      expect_same(counts.result(), by_sorting(all, most));
    }
  }
}

std::int32_t predicted(const Model& model, const Block& block, double& lead) {
  Predictor predictor(model);
  std::vector<std::int32_t> labels;
  std::vector<double> scores;
  predictor.score_all(block, labels, scores);
  lead = scores[0];
  if (scores.size() == 1) return labels[0];
  const auto label = static_cast<std::size_t>(labels[0]);
  double next = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (k != label) next = std::max(next, scores[k]);
  }
  lead = scores[label] - next;
  return labels[0];
}

NearestRows by_definition(const RandomModel& of, const std::vector<FoundRow>& rows,
                          const std::vector<std::string>& labels, std::size_t at, std::uint64_t most) {
  double own = 0;
  const std::int32_t label = predicted(of.model, rows[at].block, own);
  std::vector<Neighbour> all;
  for (std::size_t j = 0; j < rows.size(); ++j) {
    double lead = 0;
    const bool same = predicted(of.model, rows[j].block, lead) == label;
    if (j == at || (of.kind.classes > 2 && !same)) continue;
    all.push_back({std::abs(lead - own), labels[j] != of.model.schema.labels.names[static_cast<std::size_t>(label)]});
  }
  return by_sorting(std::move(all), most);
}

// The lines of a table: its header, and those of the rows, each with its label.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

Explanation explained(const RandomModel& of, const std::string& path, std::size_t row, std::uint64_t most) {
  ExplainSettings settings;
  settings.data.paths = {path};
  settings.row = std::to_string(row);
  settings.nearest = most;
  return explain(of.model, settings, read_options(settings.data));
}

TEST(Nearest, RowsOfAFileAreThoseOfTheDefinition) {
  Generator draws(32);
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const RandomModel of(seed, kind_of(seed));
    const std::vector<FoundRow> rows = of.found(of.rows);
    std::vector<std::string> lines = lines_of(of.text_of(of.rows, &draws));
    std::vector<std::string> labels;
    for (std::size_t i = 1; i < lines.size(); ++i) labels.push_back(lines[i].substr(lines[i].rfind(',') + 1));
    const std::size_t at = below(draws, rows.size());
    for (const std::uint64_t most : {1U, 9U, 1000U}) {
      const NearestRows expected = by_definition(of, rows, labels, at, most);
      std::vector<std::size_t> order(rows.size());
      std::iota(order.begin(), order.end(), 0);
      for (int round = 0; round < 3; ++round) {
        std::vector<std::string> shown{lines[0]};
        for (const std::size_t i : order) shown.push_back(lines[i + 1]);
        const std::string path = of.folder.write("shuffled.csv", joined(shown));
        const auto where = std::find(order.begin(), order.end(), at) - order.begin();
        expect_same(explained(of, path, static_cast<std::size_t>(where) + 1, most).nearest, expected);
        shuffle(order, draws);
      }
    }
  }
}

TEST(Nearest, NothingIsSaidWithoutLabels) {
  Generator draws(33);
  const RandomModel of(1, {});
  std::vector<std::string> lines = lines_of(of.text_of(of.rows, &draws));
  const std::string labelled = of.folder.write("labelled.csv", joined(lines));
  EXPECT_TRUE(explained(of, labelled, 1, 10).nearest);
  EXPECT_FALSE(explained(of, labelled, 1, 0).nearest);
  std::vector<std::string> others = lines;
  for (std::size_t i = 1; i < others.size(); ++i) others[i] = lines[i].substr(0, lines[i].rfind(',')) + ",new";
  EXPECT_FALSE(explained(of, of.folder.write("others.csv", joined(others)), 1, 10).nearest)
      << "classes of another model";
  for (std::string& line : lines) line.resize(line.rfind(','));
  const Explanation without = explained(of, of.folder.write("unlabelled.csv", joined(lines)), 1, 10);
  EXPECT_FALSE(without.nearest);
  EXPECT_FALSE(reasons::explanation_json(without).contains("nearest"));
  EXPECT_EQ(reasons::explanation_text(without, 5, {}).find("nearest"), std::string::npos);
}

TEST(Nearest, RowsOfTheTrainingDataAreNamedSo) {
  Generator draws(34);
  RandomModel of(1, {});
  const std::string own = of.folder.path("d.csv");
  const Explanation trained = explained(of, own, 1, 10);
  ASSERT_TRUE(trained.nearest);
  EXPECT_TRUE(trained.nearest->learned_from);
  EXPECT_NE(reasons::explanation_text(trained, 5, {}).find("the model was trained on them"), std::string::npos);
  const std::string other = of.folder.write("other.csv", of.text_of(of.rows, &draws));
  EXPECT_FALSE(explained(of, other, 1, 10).nearest->learned_from);
}

}  // namespace
}  // namespace halfspace
