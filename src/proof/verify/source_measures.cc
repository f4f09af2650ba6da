// Reads the rows of a source for the verifier.
#include "proof/verify/source_measures.h"

#include <algorithm>
#include <map>

#include "proof/verify/exact_reader.h"

namespace halfspace::proof {
namespace {

constexpr std::uint32_t excluded = 0xffffffff;

// Maps a row's label to its group.
class LabelMap {
 public:
  explicit LabelMap(const Data& data) : numbers_(data.labels_are_numbers()) {
    for (std::uint32_t k = 0; k < data.classes.size(); ++k) add(data.classes[k], k);
    add(data.excluded, excluded);
  }

  std::optional<std::uint32_t> find(const std::string& label) {
    const auto known = by_text_.find(label);
    if (known != by_text_.end()) return known->second;
    const std::optional<Decimal> number = number_of(label);
    if (!number) return std::nullopt;
    const auto equal = by_number_.find(number->value());
    if (equal == by_number_.end()) return std::nullopt;
    if (by_text_.size() < most_spellings) by_text_.emplace(label, equal->second);
    return equal->second;
  }

 private:
  static constexpr std::size_t most_spellings = 100'000;

  std::optional<Decimal> number_of(const std::string& label) const {
    return numbers_ ? parse_decimal(label) : std::nullopt;
  }

  void add(const LabelGroup& group, std::uint32_t k) {
    for (const std::string& label : group.labels) {
      require(!find(label), "the label '" + label + "' is given twice");
      by_text_.emplace(label, k);
      if (const std::optional<Decimal> number = number_of(label)) by_number_.emplace(number->value(), k);
    }
  }

  bool numbers_;
  std::map<std::string, std::uint32_t> by_text_;
  std::map<mpq_class, std::uint32_t> by_number_;
};

class SourceReader {
 public:
  SourceReader(const Certificate& certificate, const std::string& path, std::uint32_t source,
               const std::function<void()>& on_rows)
      : data_(certificate.data), path_(path), source_(source), on_rows_(on_rows), labels_(data_) {}

  // Calls f(row, class) for each row, and checks that the files are those of the certificate. Returns the number of
  // features.
  template <class F>
  std::uint32_t read(F&& f) {
    ExactReader reader(data_, path_);
    ExactRow row;
    std::uint64_t rows = 0;
    while (reader.next(row)) {
      rows = row.number;
      if (rows % 1024 == 0) on_rows_();
      const std::optional<std::uint32_t> klass = labels_.find(row.label);
      if (!klass) {
        throw Error(ErrorKind::data, "row " + std::to_string(rows) + " has the label '" + row.label +
                                         "', which the certificate does not mention")
            .at(path_);
      }
      f(row, *klass);
    }
    check_files(reader.files());
    const std::uint64_t stated = data_.sources[source_].rows;
    require(rows == stated,
            path_ + " has " + plain_count(rows, "row") + ", the certificate states " + std::to_string(stated));
    return reader.features();
  }

 private:
  void check_files(const std::vector<DataFile>& files) const {
    const std::vector<DataFile>& stated = data_.sources[source_].files;
    for (std::size_t i = 0; i < files.size(); ++i) {
      require(files[i].sha256 == stated[i].sha256 && files[i].bytes == stated[i].bytes,
              path_ + " is not the certified file: its " + (i == 1 ? "label file has" : "text has") + " SHA-256 " +
                  files[i].sha256 + " in " + std::to_string(files[i].bytes) + " bytes, that of the certificate " +
                  stated[i].sha256 + " in " + std::to_string(stated[i].bytes));
    }
  }

  const Data& data_;
  const std::string& path_;
  std::uint32_t source_;
  const std::function<void()>& on_rows_;
  LabelMap labels_;
};

// A term of a combination in this source.
struct UsedRow {
  std::uint64_t row;
  std::uint32_t combination;
  const Term* term;
};

std::vector<UsedRow> rows_used(const Certificate& certificate, std::uint32_t source) {
  std::vector<UsedRow> used;
  for (std::uint32_t i = 0; i < certificate.combinations.size(); ++i) {
    for (const Term& term : certificate.combinations[i].terms) {
      if (term.source == source) used.push_back({term.row, i, &term});
    }
  }
  std::stable_sort(used.begin(), used.end(), [](const UsedRow& a, const UsedRow& b) { return a.row < b.row; });
  return used;
}

}  // namespace

void require(bool holds, const std::string& otherwise) {
  if (!holds) throw NotValid{otherwise};
}

void require_nothing(const std::string& wrong) { require(wrong.empty(), wrong); }

std::string plain_count(std::uint64_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

SourceUnits units_of(const Certificate& certificate, const std::string& path, std::uint32_t source,
                     const std::function<void()>& on_rows) {
  SourceUnits units;
  // Allocates only what the data confirm.
  if (certificate.data.format == TextFormat::idx) {
    ExactRow first;
    ExactReader(certificate.data, path).next(first);
    return units;
  }
  std::vector<std::int64_t>& exponent = units.exponent;
  units.features = SourceReader(certificate, path, source, on_rows).read([&](const ExactRow& row, std::uint32_t klass) {
    if (klass == excluded) return;
    for (const ExactRow::Entry& entry : row.entries) {
      if (entry.coordinate >= exponent.size()) exponent.resize(entry.coordinate + std::size_t{1}, SourceUnits::none);
      exponent[entry.coordinate] = std::min(exponent[entry.coordinate], entry.value.exponent);
    }
  });
  return units;
}

SourceMeasures measures_of(const Certificate& certificate, const std::string& path, std::uint32_t source,
                           const Scale& scale, CoefficientsCheck* coefficients, const std::function<void()>& on_rows) {
  SourceMeasures found;
  std::vector<SeparatorMeter> separators;
  for (const Separator& separator : certificate.separators)
    separators.emplace_back(separator, certificate.question, scale);
  std::vector<CombinationMeter> combinations(certificate.combinations.size(), {certificate.question, scale});
  const bool radius = std::any_of(certificate.claims.begin(), certificate.claims.end(),
                                  [](const Claim& claim) { return claim.kind == ClaimKind::mistakes_at_most; });
  RadiusMeter radius_meter(scale);
  const std::vector<UsedRow> used = rows_used(certificate, source);
  auto next = used.begin();
  MinimaMeter minima(certificate, source, scale);
  found.rows.assign(certificate.data.classes.size(), 0);
  ScaledRow scaled;
  const auto measure = [&](const ExactRow& row, std::uint32_t klass) {
    if (klass == excluded) {
      ++found.excluded_rows;
      require(next == used.end() || next->row != row.number,
              "row " + std::to_string(row.number) + " is excluded by its label, yet used");
      require_nothing(minima.skip(row.number));
      return;
    }
    ++found.rows[klass];
    scaled.assign(row, klass, scale);
    for (SeparatorMeter& meter : separators) meter.add(scaled);
    if (coefficients != nullptr) {
      require_nothing(coefficients->add(scaled, {source, row.number}, separators));
    }
    require_nothing(minima.add(scaled, row.number));
    if (radius) radius_meter.add(scaled);
    for (; next != used.end() && next->row == row.number; ++next) {
      const Term& term = *next->term;
      require(term.klass == klass, "row " + std::to_string(row.number) + " is of class " + std::to_string(klass) +
                                       ", but a combination states " + std::to_string(term.klass));
      combinations[next->combination].add(scaled, term);
    }
  };
  found.features = SourceReader(certificate, path, source, on_rows).read(measure);
  require(next == used.end(), "a combination uses a row that the data do not have");
  require_nothing(minima.finish());
  found.minima = minima.sums();
  for (const SeparatorMeter& meter : separators) found.facts.push_back(meter.facts());
  for (const CombinationMeter& meter : combinations) found.sums.push_back(meter.sum());
  found.longest = radius_meter.most();
  return found;
}

void LocalMeasurer::units(const std::function<void(const SourceUnits&)>& take) {
  for (std::uint32_t s = 0; s < paths_.size(); ++s) take(units_of(certificate_, paths_[s], s, on_rows_));
}

void LocalMeasurer::measures(const Scale& scale, CoefficientsCheck* coefficients,
                             const std::function<void(const SourceMeasures&)>& take) {
  for (std::uint32_t s = 0; s < paths_.size(); ++s)
    take(measures_of(certificate_, paths_[s], s, scale, coefficients, on_rows_));
}

std::string other_count(const Certificate& certificate, std::size_t files) {
  const std::size_t sources = certificate.data.sources.size();
  if (files == sources) return "";
  return "the certificate covers " + plain_count(sources, "file") + " of data, and " + plain_count(files, "file") +
         " were given";
}

std::optional<std::string> other_file(const Certificate& certificate, const std::string& path, std::uint32_t source) {
  try {
    const std::vector<DataFile> files = describe_files(certificate.data.format, path);
    for (std::size_t k = 0; k < files.size(); ++k) {
      const DataFile& stated = certificate.data.sources[source].files[k];
      if (files[k].sha256 != stated.sha256)
        return path + " is not the certified file: its SHA-256 is " + files[k].sha256 + ", not " + stated.sha256;
    }
  } catch (const Error& other) {
    if (other.kind() != ErrorKind::data) throw;
  }
  return std::nullopt;
}

std::string unreadable(const Error& error) {
  return std::string("the data do not match the certificate's description: ") + error.what();
}

}  // namespace halfspace::proof
