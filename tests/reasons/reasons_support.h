// Random tables of numbers, categories, missing values and products, models of them with random weights, and their scores
// as rationals, computed here from the definitions.
#pragma once

#include <fmt/format.h>
#include <gmpxx.h>

#include "halfspace/base/random.h"
#include "halfspace/model/model_file.h"
#include "halfspace/reasons/explanation.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/stream/reader.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/train.h"
#include "support/test.h"

namespace halfspace::testing_reasons {

using halfspace::testing::TemporaryFolder;
using Names = std::vector<std::string>;
using Cells = std::vector<std::string>;

inline std::size_t below(Generator& draws, std::size_t n) {
  return static_cast<std::size_t>(draws.next() * static_cast<double>(n));
}

// What a random model has.
struct Kind {
  std::uint32_t classes = 2;
  bool whole = false;  // weights and values are small integers: ties are common
  bool products = false, logarithm = false, scaled = false, threshold = false;
  Tie tie = Tie::positive;
};

struct RandomModel {
  TemporaryFolder folder;
  Names columns{"a", "b", "c", "kind", "shape"};
  std::vector<Cells> rows;
  Kind kind;
  Model model;

  RandomModel(std::uint64_t seed, Kind its_kind) : kind(its_kind) {
    Generator draws(seed);
    for (int i = 0; i < 60; ++i) rows.push_back(row(draws));
    TrainOptions options;
    options.read.path = folder.write("d.csv", text_of(rows, &draws));
    options.read.columns.label = "y";
    if (kind.products) options.read.columns.interactions = {"a:b", "a:kind"};
    if (kind.logarithm) options.read.columns.logarithms = {{"c", -2, 2}};
    options.composition.rule = rule::perceptron;
    options.composition.tie = kind.tie;
    options.normalize_columns = kind.scaled;
    options.until.passes = 1;
    if (kind.scaled) options.composition.order = OrderName::cyclic;
    options.spread = true;
    model = train(options).model;
    for (double& w : model.weights.w) w = weight(draws);
    for (double& b : model.weights.bias) b = weight(draws);
    if (kind.threshold) model.threshold = weight(draws);
  }

  double weight(Generator& draws) const {
    return kind.whole ? static_cast<double>(below(draws, 7)) - 3 : gaussian(draws) * std::exp(3 * gaussian(draws));
  }
  std::string number(Generator& draws) const {
    return kind.whole ? fmt::format("{}", static_cast<int>(below(draws, 9)) - 4)
                      : fmt::format("{:.3g}", gaussian(draws) * std::exp(2 * gaussian(draws)));
  }
  Cells row(Generator& draws) const {
    Cells cells{number(draws), number(draws), number(draws), Names{"u", "v", "w"}[below(draws, 3)],
                Names{"round", "flat"}[below(draws, 2)]};
    for (std::size_t c = 1; c < cells.size(); ++c) {
      if (draws.next() < 0.1) cells[c].clear();
    }
    return cells;
  }
  std::string text_of(const std::vector<Cells>& of, Generator* draws) const {
    std::string text = "a,b,c,kind,shape,y\n";
    for (const Cells& cells : of) {
      for (const std::string& cell : cells) text += cell + ",";
      text += fmt::format("k{}\n", draws == nullptr ? 0 : below(*draws, kind.classes));
    }
    return text;
  }

  // Rows with these cells, read for the model.
  std::vector<FoundRow> found(const std::vector<Cells>& of) const {
    ReadOptions read;
    read.path = folder.write("rows.csv", text_of(of, nullptr));
    std::vector<FoundRow> all;
    for (std::size_t i = 0; i < of.size(); ++i) all.push_back(find_row(model, read, std::to_string(i + 1)));
    return all;
  }
  FoundRow found(const Cells& cells) const { return std::move(found(std::vector<Cells>{cells})[0]); }

  // The exact scores of a row, one a vector.
  std::vector<mpq_class> scores(const Block& block) const {
    const ClassWeightVector v = vectors_of_scores(model.weights);
    std::vector<mpq_class> sums;
    for (const double b : v.bias) sums.push_back(mpq_class(b) * mpq_class(model.composition.bias.scale));
    block.with_example(0, [&](const auto& x) {
      for (std::uint32_t k = 0; k < x.size; ++k) {
        for (std::uint32_t c = 0; c < v.classes; ++c)
          sums[c] += mpq_class(v.w[x.index[k] * v.classes + c]) * mpq_class(x.value_at(k));
      }
    });
    return sums;
  }
  std::int32_t label(const Block& block) const {
    const std::vector<mpq_class> s = scores(block);
    const bool last = model.composition.tie == Tie::negative;
    if (s.size() == 1) {
      const mpq_class lead = s[0] - mpq_class(model.threshold.value_or(0));
      return lead > 0 || (lead == 0 && (model.threshold || !last)) ? 1 : 0;
    }
    std::size_t best = 0;
    for (std::size_t k = 1; k < s.size(); ++k) {
      if (s[k] > s[best] || (s[k] == s[best] && last)) best = k;
    }
    return static_cast<std::int32_t>(best);
  }
};

// One of each kind of model, by number.
inline Kind kind_of(std::uint64_t seed) {
  return {.classes = seed % 3 == 2 ? 4U : 2U,
          .whole = seed % 2 == 1,
          .products = seed % 5 == 3,
          .logarithm = seed % 5 == 1,
          .scaled = seed % 4 == 2,
          .threshold = seed % 3 == 1 && seed % 7 < 3,
          .tie = seed % 4 < 2 ? Tie::positive : Tie::negative};
}

}  // namespace halfspace::testing_reasons
