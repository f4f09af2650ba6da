// Maps the rows and weights of a certificate to members and integer coordinates.
#include "proof/large/resume.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <tuple>

#include "halfspace/base/error.h"

namespace halfspace::proof {
namespace {

// Compares the description of the data without the names of its files.
Data without_names(Data data) {
  for (DataSource& source : data.sources) {
    for (DataFile& file : source.files) file.name.clear();
  }
  return data;
}

bool same_text(const Data& a, const Data& b) {
  if (a.sources.size() != b.sources.size()) return false;
  for (std::size_t s = 0; s < a.sources.size(); ++s) {
    const auto same = [](const DataFile& one, const DataFile& other) { return one.sha256 == other.sha256; };
    const std::vector<DataFile>&one = a.sources[s].files, &other = b.sources[s].files;
    if (!std::equal(one.begin(), one.end(), other.begin(), other.end(), same)) return false;
  }
  return true;
}

[[noreturn]] void refuse(const std::string& what, const std::string& fix) {
  throw Error(ErrorKind::usage, "the certificate to resume is of " + what).fix(fix);
}

std::uint32_t member_of_term(const Term& term, std::size_t combination, const Points& rows, const Kesler* many) {
  // Rows ascend by source and number.
  std::size_t low = 0, high = rows.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (std::tuple(rows.source(middle), rows.row(middle)) < std::tuple(term.source, term.row)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const bool found = low < rows.size() && rows.source(low) == term.source && rows.row(low) == term.row;
  if (!found || (many != nullptr && static_cast<std::uint32_t>(rows.klass(low)) != term.klass)) {
    throw Error(ErrorKind::data, "the certificate to resume is wrong: combination " + std::to_string(combination) +
                                     " has a term of row " + std::to_string(term.row) +
                                     ", which the data do not have in this class");
  }
  const auto row = static_cast<std::uint32_t>(low);
  if (many == nullptr) return row;
  // Members are row by row, one for each rival.
  return row * (many->classes - 1) + term.rival - (term.rival > term.klass ? 1 : 0);
}

WeightedMembers members_of_combination(const Combination& combination, std::size_t position, const Points& rows,
                                       const Kesler* many) {
  WeightedMembers members;
  members.reserve(combination.terms.size());
  for (const Term& term : combination.terms)
    members.push_back({member_of_term(term, position, rows, many), mpz_class(term.weight)});
  return members;
}

// Integer coordinate = data coordinate / unit, so the weight is w * unit, times the factor that makes all whole.
std::vector<mpz_class> integer_weights(const Separator& separator, const Problem& problem, const Points& rows,
                                       const Kesler* many) {
  const std::uint32_t width = rows.features() + 1;
  std::vector<mpq_class> scaled(problem.dimension());
  mpz_class common = 1;
  for (std::uint32_t j = 0; j < scaled.size(); ++j) {
    // The features of Kesler points: a copy of the coordinates for each class, the bias last.
    const std::uint32_t own_width = many != nullptr ? rows.features() + (many->biased ? 1 : 0) : width;
    const std::uint32_t place = many != nullptr ? problem.points->feature(j) : j;
    const WeightVector& vector = separator.vectors[place / own_width];
    const std::uint32_t own = place % own_width;
    const std::string& weight = own == rows.features() ? vector.bias : vector.weights[rows.feature(own)];
    if (weight == "0") continue;
    scaled[j] = mpq_class(mpz_class(weight)) * problem.unit(j);
    mpz_lcm(common.get_mpz_t(), common.get_mpz_t(), scaled[j].get_den_mpz_t());
  }
  std::vector<mpz_class> v(scaled.size());
  for (std::size_t j = 0; j < v.size(); ++j) {
    if (scaled[j] != 0) v[j] = mpq_class(scaled[j] * common).get_num();
  }
  return v;
}

void used_combinations(const ErrorTree& tree, std::vector<std::uint32_t>& used) {
  used.insert(used.end(), tree.packing.begin(), tree.packing.end());
  if (tree.witness) used.push_back(*tree.witness);
  for (const ErrorTree& then : tree.then) used_combinations(then, used);
}

std::uint64_t whole_count(const Claim& claim) {
  std::uint64_t count = 0;
  std::from_chars(claim.count.data(), claim.count.data() + claim.count.size(), count);
  return count;
}

}  // namespace

void refuse_other_question(const Certificate& resumed, const Certificate& own) {
  if (resumed.minimum) refuse("a minimum, not of separability", "leave out " + option("resume"));
  if (!same_text(resumed.data, own.data))
    refuse("other data: their SHA-256 differs", "give the file that it was made of, or leave out " + option("resume"));
  if (resumed.question != own.question)
    refuse("another question, about two classes or about more", "ask as when it was made: check the labels");
  if (resumed.data.bias != own.data.bias || resumed.data.bias_scale != own.data.bias_scale)
    refuse("another bias",
           "give the " + option("bias") + " and the " + option("bias-scale") + " that it was made with");
  if (without_names(resumed.data) != without_names(own.data))
    refuse("the same text read in another way", "read columns, labels and missing values as when it was made");
}

Known known_of(const Certificate& resumed, const Problem& problem, const Points& rows, const Kesler* many) {
  Known known;
  for (const Separator& separator : resumed.separators)
    known.separators.push_back(integer_weights(separator, problem, rows, many));
  for (std::size_t k = 0; k < resumed.combinations.size(); ++k)
    known.combinations.push_back(members_of_combination(resumed.combinations[k], k, rows, many));
  return known;
}

std::optional<std::uint32_t> claimed(const Certificate& resumed, ClaimKind kind) {
  for (const Claim& claim : resumed.claims) {
    if (claim.kind == kind) return claim.by;
  }
  return std::nullopt;
}

std::vector<RowPosition> rows_of(const Certificate& resumed) {
  std::vector<RowPosition> rows;
  for (const Combination& combination : resumed.combinations) {
    for (const Term& term : combination.terms) rows.push_back({term.source, term.row});
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

Start start_of(const Certificate& resumed, const Known& known) {
  Start start;
  std::vector<std::pair<mpq_class, std::uint32_t>> near;
  for (const Claim& claim : resumed.claims) {
    if (claim.kind == ClaimKind::separable) start.separator = known.separators[claim.by];
    if (claim.kind == ClaimKind::not_separable) start.witness = known.combinations[claim.by];
    if (claim.kind == ClaimKind::margin_at_most)
      near.emplace_back(mpq_class(resumed.combinations[claim.by].squared_distance), claim.by);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [square, position] : near) start.near.push_back(known.combinations[position]);
  return start;
}

KnownErrors known_errors(const Certificate& resumed, const Known& known) {
  KnownErrors errors;
  for (const Claim& claim : resumed.claims) {
    if (claim.kind == ClaimKind::errors_at_most) errors.weights.push_back(known.separators[claim.by]);
    if (claim.kind != ClaimKind::errors_at_least) continue;
    for (const std::uint32_t position : claim.tree.packing) errors.packing.push_back(known.combinations[position]);
  }
  return errors;
}

void keep_lower_bound(const Certificate& resumed, const Known& known, ErrorRule tie, FewestErrors& fewest) {
  for (const Claim& claim : resumed.claims) {
    if (claim.kind != ClaimKind::errors_at_least || claim.tie != tie) continue;
    const std::uint64_t lower = whole_count(claim);
    if (lower <= fewest.lower) continue;
    std::vector<std::uint32_t> used;
    used_combinations(claim.tree, used);
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    fewest.lower = lower;
    fewest.tree = claim.tree;
    fewest.witnesses.clear();
    std::vector<std::uint32_t> position(known.combinations.size());
    for (std::uint32_t k = 0; k < used.size(); ++k) {
      position[used[k]] = k;
      fewest.witnesses.push_back(known.combinations[used[k]]);
    }
    renumber(fewest.tree, position);
  }
}

}  // namespace halfspace::proof
