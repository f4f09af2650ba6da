// Writes weights and dual variables as integers over one denominator; the verifier's meters compute the objectives.
#include "halfspace/proof/minimum.h"

#include <fmt/format.h>
#include <gmpxx.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/version.h"
#include "halfspace/base/error.h"
#include "proof/decide/load.h"
#include "proof/verify/exact_reader.h"
#include "proof/verify/minimum_check.h"
#include "proof/verify/source_measures.h"

namespace halfspace {
namespace {

using proof::Certificate;
using proof::MinimumProof;
using proof::MinimumVector;

std::vector<std::string> paths_of(const ReadOptions& read) {
  std::vector<std::string> paths = {read.path};
  paths.insert(paths.end(), read.more.begin(), read.more.end());
  return paths;
}

// Returns the shortest decimal that reads back as the double, exactly.
mpq_class decimal_of(double number) { return proof::parse_decimal(fmt::format("{}", number)).value().value(); }

mpz_class floor_of(const mpq_class& number) {
  mpz_class whole;
  mpz_fdiv_q(whole.get_mpz_t(), number.get_num_mpz_t(), number.get_den_mpz_t());
  return whole;
}

// Where the rows of the data are: their numbers by source, and their classes in the order of reading.
struct RowsRead {
  std::vector<std::uint64_t> rows_of_source;
  std::vector<std::int32_t> klass;
};

// Returns the description of the data as the model was trained on them.
proof::Data describe_data(const TrainOptions& options, const Model& model, RowsRead& rows) {
  proof::Loaded loaded;
  loaded.schema = model.schema;
  const std::vector<std::string> paths = paths_of(options.read);
  proof::describe(loaded, paths.size());
  proof::Budget budget;
  budget.interrupt = options.interrupt;
  std::vector<proof::ScannedSource> scanned;
  for (const std::string& path : paths) {
    scanned.push_back(proof::scan(loaded.data, model.schema.labels, path, budget,
                                  [&](const proof::ExactRow&, std::int32_t klass) { rows.klass.push_back(klass); }));
    rows.rows_of_source.push_back(scanned.back().source.rows);
  }
  proof::complete(loaded.data, std::move(scanned));
  proof::Data& data = loaded.data;
  for (proof::LabelGroup& group : data.classes) {
    if (group.rows == 0) group.labels.clear();
  }
  if (data.classes.size() < 2) data.classes.resize(2);
  const BiasOptions& bias = model.composition.bias;
  data.bias = bias.position == Bias::none    ? proof::BiasPosition::none
              : bias.position == Bias::first ? proof::BiasPosition::first
                                             : proof::BiasPosition::last;
  if (bias.position != Bias::none) data.bias_scale = decimal_of(bias.scale).get_str();
  return data;
}

// Returns the price of the rows of each class: C, or 1 / (l2 * the weight of all rows), times the weight of the class.
std::vector<mpq_class> costs_of_classes(const TrainOptions& options, const Labels& labels, const proof::Data& data) {
  std::vector<mpq_class> costs(data.classes.size(), 1);
  for (const auto& [name, weight] : options.read.labels.class_weights) {
    const auto klass = labels.find(name);
    if (klass) costs[static_cast<std::size_t>(*klass)] = decimal_of(weight);
  }
  mpq_class price = decimal_of(options.objective->cost);
  if (options.objective->l2) {
    mpq_class all = 0;
    for (std::size_t k = 0; k < costs.size(); ++k) all += costs[k] * mpz_class(std::to_string(data.classes[k].rows));
    price = 1 / (decimal_of(*options.objective->l2) * all);
  }
  for (mpq_class& cost : costs) cost *= price;
  return costs;
}

// Writes the weights of a vector exactly.
void write_weights(const ClassWeightVector& weights, std::size_t k, std::uint32_t features, MinimumVector& vector) {
  std::vector<mpq_class> exact(features + std::size_t{1});
  for (std::size_t j = 0; j < features && j * weights.classes + k < weights.w.size(); ++j)
    exact[j] = weights.w[j * weights.classes + k];
  exact.back() = weights.bias[k];
  mpz_class over = 1;  // a power of two, as all denominators are
  for (const mpq_class& weight : exact) {
    if (weight.get_den() > over) over = weight.get_den();
  }
  for (mpq_class& weight : exact) vector.weights.weights.push_back(mpz_class(weight * over).get_str());
  vector.weights.bias = vector.weights.weights.back();
  vector.weights.weights.pop_back();
  vector.weights_over = over.get_str();
}

// Reduces the dual variables of the side with the larger sum, in proportion, until both sides have the same.
void balance_sides(std::vector<mpz_class>& a, const std::vector<bool>& positive) {
  mpz_class sums[2];
  for (std::size_t i = 0; i < a.size(); ++i) sums[positive[i]] += a[i];
  const bool larger = sums[1] > sums[0];
  mpz_class excess = abs(sums[1] - sums[0]);
  const mpz_class total = sums[larger], first = excess;
  for (std::size_t i = 0; i < a.size() && excess > 0; ++i) {
    if (positive[i] != larger) continue;
    const mpz_class share = a[i] * first / total;
    a[i] -= share;
    excess -= share;
  }
  for (std::size_t i = 0; i < a.size() && excess > 0; ++i) {  // what rounding down has left
    if (positive[i] != larger || a[i] == 0) continue;
    --a[i];
    --excess;
  }
}

// Brings each class's dual variables, a_k on the rows of others, to the same sum as those on its rows: rows of a class that
// has too much for itself take on what is missing to others. `a`: [row][class], 0 for the row's own class. Where rows have
// not enough left all become 0, which is right, and proves little.
void balance_flows(std::vector<std::vector<mpz_class>>& a, const std::vector<std::int32_t>& klass,
                   const std::vector<mpz_class>& most) {
  const std::size_t classes = most.size();
  std::vector<mpz_class> excess(classes), left_of_class(classes), left(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto y = static_cast<std::size_t>(klass[i]);
    mpz_class sum;
    for (std::size_t k = 0; k < classes; ++k) {
      excess[k] += a[i][k];
      sum += a[i][k];
    }
    excess[y] -= sum;
    left[i] = most[y] - sum;
    left_of_class[y] += left[i];
  }
  for (std::size_t k = 0; k < classes; ++k) {
    if (sgn(excess[k]) <= 0) continue;
    if (excess[k] > left_of_class[k]) {
      for (std::vector<mpz_class>& row : a) row.assign(classes, 0);
      return;
    }
    const mpz_class first = excess[k], total = left_of_class[k];
    // In proportion to what is left; then what rounding down has left out.
    for (const bool rest : {false, true}) {
      for (std::size_t i = 0, l = 0; i < a.size() && sgn(excess[k]) > 0; ++i) {
        if (static_cast<std::size_t>(klass[i]) != k) continue;
        mpz_class share = rest ? std::min(left[i], excess[k]) : mpz_class(left[i] * first / total);
        while (sgn(share) > 0) {
          while (sgn(excess[l]) >= 0) ++l;  // excesses add up to 0, so there is one
          const mpz_class part = std::min(share, mpz_class(-excess[l]));
          a[i][l] += part;
          left[i] -= part;
          share -= part;
          excess[k] -= part;
          excess[l] += part;
        }
      }
    }
  }
}

// Writes dual variables, one a row in the order of reading, rounded down.
class DualWriter {
 public:
  DualWriter(const RowsRead& rows, std::vector<mpq_class> costs, const Objective& objective)
      : rows_(rows), costs_(std::move(costs)), objective_(objective) {}

  void write(const std::vector<double>& a, std::int32_t positive, bool biased, MinimumVector& vector) const {
    const mpz_class over = unit_of(a);
    std::vector<mpz_class> whole(a.size());
    std::vector<bool> sides(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      sides[i] = rows_.klass[i] == positive;
      if (!(a[i] > 0)) continue;
      mpq_class exact(a[i]);
      const mpq_class& cost = costs_[static_cast<std::size_t>(rows_.klass[i])];
      if (objective_.loss != MarginLoss::squared_hinge && exact > cost) exact = cost;
      whole[i] = floor_of(exact * over);
    }
    if (biased && !objective_.penalize_bias) balance_sides(whole, sides);
    vector.dual_variables_over = over.get_str();
    add_by_source(whole, vector);
  }

  // Of a multinomial loss: `a` is [row * classes + class], the row's own class with the rest of its cost.
  void write_jointly(const std::vector<double>& a, bool biased, std::vector<MinimumVector>& vectors) const {
    const std::size_t classes = vectors.size();
    const mpz_class over = unit_of(a);
    std::vector<mpz_class> most;
    for (const mpq_class& cost : costs_) most.push_back(floor_of(cost * over));
    std::vector<std::vector<mpz_class>> whole(rows_.klass.size(), std::vector<mpz_class>(classes));
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const auto own = static_cast<std::size_t>(rows_.klass[i]);
      mpz_class rest = most[own];
      for (std::size_t k = 0; k < classes; ++k) {
        if (k == own) continue;
        whole[i][k] = std::min(rest, floor_of(mpq_class(a[i * classes + k]) * over));
        rest -= whole[i][k];
      }
    }
    if (biased && !objective_.penalize_bias) balance_flows(whole, rows_.klass, most);
    std::vector<mpz_class> of_class(whole.size());
    for (std::size_t k = 0; k < classes; ++k) {
      for (std::size_t i = 0; i < whole.size(); ++i) of_class[i] = whole[i][k];
      vectors[k].dual_variables_over = over.get_str();
      add_by_source(of_class, vectors[k]);
    }
  }

 private:
  // Returns a power of two by which all have at most 62 bits, but for numbers that are beyond them anyway.
  static mpz_class unit_of(const std::vector<double>& a) {
    const double largest = a.empty() ? 0 : *std::max_element(a.begin(), a.end());
    constexpr int bits = 62;
    const int power = largest > 0 ? std::max(0, bits - 1 - std::ilogb(largest)) : 0;
    return mpz_class(1) << static_cast<unsigned long>(power);
  }

  void add_by_source(const std::vector<mpz_class>& whole, MinimumVector& vector) const {
    std::size_t i = 0;
    for (const std::uint64_t rows : rows_.rows_of_source) {
      proof::DualVariables& of_source = vector.dual_variables.emplace_back();
      for (std::uint64_t row = 1; row <= rows; ++row, ++i) {
        if (whole[i] == 0) continue;
        of_source.rows.push_back(row);
        of_source.values.push_back(whole[i].get_str());
      }
    }
  }

  const RowsRead& rows_;
  std::vector<mpq_class> costs_;
  const Objective& objective_;
};

proof::MinimumLoss certified_loss(const Objective& objective, std::size_t vectors) {
  const MarginLoss loss = objective.loss;
  if (objective.jointly && vectors > 1) return proof::MinimumLoss::multinomial;
  return loss == MarginLoss::hinge           ? proof::MinimumLoss::hinge
         : loss == MarginLoss::squared_hinge ? proof::MinimumLoss::squared_hinge
                                             : proof::MinimumLoss::logistic;
}

// States the objectives: exactly, or where they are bounds, rounded outward by a thousandth of the gap. Another verifier
// may find bounds that are wider by twice the error of each row: 2^-95 times its cost, and of a multinomial loss that for
// each class.
void state_objectives(const Certificate& certificate, const proof::MinimumValues& values, std::string& primal,
                      std::string& dual) {
  const MinimumProof& proof = *certificate.minimum;
  const bool jointly = proof.loss == proof::MinimumLoss::multinomial;
  if (proof.loss != proof::MinimumLoss::logistic && !jointly) {
    primal = values.primal.get_str();
    dual = values.dual.get_str();
    return;
  }
  mpq_class slack = 0;
  for (std::size_t k = 0; k < proof.costs.size(); ++k)
    slack += mpq_class(proof.costs[k]) * mpz_class(std::to_string(certificate.data.classes[k].rows));
  slack >>= 90;
  if (jointly) slack *= static_cast<unsigned long>(proof.vectors.size());
  const mpq_class gap = values.primal - values.dual + slack;
  const auto bits = [](const mpz_class& number) { return static_cast<long>(mpz_sizeinbase(number.get_mpz_t(), 2)); };
  const auto power = static_cast<unsigned long>(std::max(0L, bits(gap.get_den()) - bits(gap.get_num()) + 11));
  const mpz_class over = mpz_class(1) << power;
  const auto rounded_down = [&](const mpq_class& number) {
    mpq_class rounded(floor_of(number * over), over);
    rounded.canonicalize();
    return rounded;
  };
  primal = mpq_class(-rounded_down(-(values.primal + slack))).get_str();
  dual = rounded_down(values.dual - slack).get_str();
}

void refuse_other_rows(std::size_t trained_on, const RowsRead& rows, const TrainOptions& options) {
  if (trained_on == rows.klass.size()) return;
  throw Error(ErrorKind::data, "the data have changed: " + std::to_string(trained_on) + " rows were trained on, and " +
                                   std::to_string(rows.klass.size()) + " are there now")
      .at(options.read.path)
      .fix("train again");
}

MinimumProof write_proof(const TrainOptions& options, const TrainResult& result, const RowsRead& rows,
                         const proof::Data& data) {
  const Model& model = result.model;
  const std::vector<mpq_class> costs = costs_of_classes(options, model.schema.labels, data);
  MinimumProof proof;
  const std::size_t vectors = data.classes.size() > 2 ? data.classes.size() : 1;
  proof.loss = certified_loss(*options.objective, vectors);
  for (const mpq_class& cost : costs) proof.costs.push_back(cost.get_str());
  const bool biased = data.bias != proof::BiasPosition::none;
  proof.penalize_bias = options.objective->penalize_bias || !biased;
  const DualWriter duals(rows, costs, *options.objective);
  const bool jointly = proof.loss == proof::MinimumLoss::multinomial;
  for (std::size_t k = 0; k < vectors; ++k) {
    MinimumVector& vector = proof.vectors.emplace_back();
    write_weights(model.weights, k, data.features, vector);
    if (!biased) vector.weights.bias = "0";
    if (jointly) continue;
    const std::vector<double>& a = result.minimum->of_vector[k].dual_variables;
    refuse_other_rows(a.size(), rows, options);
    duals.write(a, vectors == 1 ? 1 : static_cast<std::int32_t>(k), biased, vector);
  }
  if (!jointly) return proof;
  const std::vector<double>& a = result.minimum->of_vector[0].dual_variables;
  refuse_other_rows(a.size() / vectors, rows, options);
  duals.write_jointly(a, biased, proof.vectors);
  return proof;
}

void refuse_minimum(bool given, const std::string& why, const std::string& fix) {
  if (given) throw Error(ErrorKind::usage, option("certificate") + " needs " + why).fix(fix);
}

}  // namespace

const proof::MinimumBounds& CertifiedMinimum::widest() const {
  return *std::max_element(bounds.begin(), bounds.end(),
                           [](const proof::MinimumBounds& a, const proof::MinimumBounds& b) { return a.gap < b.gap; });
}

void refuse_unprovable_minimum(const TrainOptions& options) {
  refuse_minimum(!options.objective, "an objective", "add " + option("objective", "svm"));
  refuse_minimum(options.normalize_columns || options.read.row_normalised || options.objective->standard,
                 "the file's own numbers, not normalised ones",
                 "leave out " + option("normalize") + ", or write the scaled columns to a file and train on that");
  refuse_minimum(options.read.single, "the file's own numbers, not rounded ones", "leave out " + option("single"));
  refuse_minimum(options.holdout != 0, "all rows, so it excludes " + option("holdout"),
                 "leave out " + option("holdout") + ", or train on a file without the rows to hold out");
  refuse_minimum(options.read.rows != nullptr || options.read.table_text != nullptr, "rows in a file, not in memory",
                 "write the rows to a file, and train on that");
  const auto& weights = options.read.labels.class_weights;
  refuse_minimum(std::any_of(weights.begin(), weights.end(), [](const auto& one) { return one.second == 0; }),
                 "classes that weigh more than 0", "remove the rows of the class from the file");
  const Schema schema = proof::columns_at_beginning(options.read, options.read.path);
  for (const std::string& path : options.read.more) proof::refuse_unreadable(path);
  proof::refuse_unprovable(options.read, schema, options.read.path);
  const bool weighted = std::any_of(schema.columns.begin(), schema.columns.end(),
                                    [](const Column& column) { return column.kind == Column::Kind::weight; });
  refuse_minimum(weighted, "rows that all weigh the same, or as their class",
                 "leave out " + option("weight") + ", or use " + option("class-weight"));
}

CertifiedMinimum certify_minimum(const TrainOptions& given, const TrainResult& result) {
  const Clock::time_point begin = Clock::now();
  TrainOptions options = given;
  options.read.on_note = nullptr;
  options.read.progress = nullptr;
  balance_classes(options);
  refuse_unprovable_minimum(options);
  if (!result.minimum || result.minimum->of_vector.empty())
    throw Error(ErrorKind::internal, "there is no minimum to certify");
  CertifiedMinimum certified;
  Certificate& certificate = certified.certificate;
  certificate.tool = std::string("halfspace ") + kVersion;
  RowsRead rows;
  certificate.data = describe_data(options, result.model, rows);
  if (certificate.data.classes.size() > 2) certificate.question = proof::Question::many_classes;
  certificate.minimum = write_proof(options, result, rows, certificate.data);
  const std::vector<std::string> paths = paths_of(options.read);
  proof::LocalMeasurer measurer(certificate, paths, [&options] {
    if (options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed))
      throw Interrupted(options.read.path);
  });
  std::vector<proof::MinimumValues> values = proof::measured_minima(certificate, measurer);
  MinimumProof& proof = *certificate.minimum;
  if (proof.loss == proof::MinimumLoss::multinomial &&
      values[0].dual < 0) {  // far from the minimum: 0 is a better bound
    for (MinimumVector& vector : proof.vectors)
      vector.dual_variables.assign(vector.dual_variables.size(), proof::DualVariables());
    values = proof::measured_minima(certificate, measurer);
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    const bool jointly = proof.loss == proof::MinimumLoss::multinomial;
    MinimumVector& vector = proof.vectors[k];
    state_objectives(certificate, values[k], jointly ? proof.primal : vector.primal,
                     jointly ? proof.dual : vector.dual);
  }
  const proof::Verification verification = proof::verify(certificate, measurer);
  if (!verification.valid)
    throw Error(ErrorKind::internal, "a bug in Halfspace: its own certificate was rejected: " + verification.reason);
  certified.bounds = verification.minima;
  certified.seconds = seconds_since(begin);
  return certified;
}

}  // namespace halfspace
