// Which arrays of an .npz are the rows, and which the labels.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/nearest.h"
#include "halfspace/base/error.h"
#include "stream/npy/npy.h"
#include "stream/source/raw_file.h"
#include "stream/source/zip.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::string_view array_ending = ".npy";

// The first of which both are there are taken; in any case of letters.
constexpr std::pair<std::string_view, std::string_view> default_pairs[] = {
    {"x", "y"},
    {"x_train", "y_train"},
    {"train_x", "train_y"},
    {"data", "labels"},
    {"data", "label"},
    {"data", "target"},
    {"x", "labels"},
    {"x", "label"},
    {"x", "target"},
    {"features", "labels"},
    {"features", "target"},
    {"images", "labels"},
    {"inputs", "targets"},
    {"train_data", "train_labels"},
    {"train_images", "train_labels"},
};
constexpr std::string_view default_labels[] = {"y", "labels", "label", "target", "targets"};

class Npz {
 public:
  explicit Npz(const ReadOptions& options)
      : options_(options), shown_(shown_name(options.path)), archive_(options.path) {
    for (const ZipArchive::Member& member : archive_.members()) {
      if (!member.name.ends_with(array_ending)) continue;
      arrays_.push_back(&member);
      names_.push_back(member.name.substr(0, member.name.size() - array_ending.size()));
    }
  }

  NpzData open() const {
    NpzData data;
    if (find("indptr") || (find("format") && find("shape"))) {
      data.sparse = open_matrix();
    } else {
      data.dense = open_dense();
    }
    return data;
  }

 private:
  using Place = std::optional<std::size_t>;  // in arrays_

  Place find(std::string_view name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names_.begin());
  }

  // In any case of letters; nothing where two are called so.
  Place find_alike(std::string_view lower) const {
    Place found;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::string& name = names_[i];
      const bool alike = std::equal(name.begin(), name.end(), lower.begin(), lower.end(), [](char a, char b) {
        return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
      });
      if (alike && found) return std::nullopt;
      if (alike) found = i;
    }
    return found;
  }

  NpyFile file(std::size_t place) const {
    const std::string name = shown_ + "[" + quote(names_[place]) + "]";
    return {name, archive_.open(*arrays_[place], name)};
  }

  // All arrays with their types and shapes, as far as they are sound.
  std::string list() const {
    constexpr std::size_t most = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, names_.size()); ++i) {
      text += (i == 0 ? "" : ", ") + quote(names_[i]);
      try {
        const NpyFile array = file(i);
        text += " " + describe_npy(*array.source, array.name);
      } catch (const Error&) {
        text += " (damaged)";
      }
    }
    if (names_.size() > most) text += " and " + std::to_string(names_.size() - most) + " more";
    return text;
  }

  std::size_t named(std::string name) const {
    if (name.ends_with(array_ending) && !find(name)) name.resize(name.size() - array_ending.size());
    if (const Place place = find(name)) return *place;
    const std::string near = did_you_mean(name, names_);
    throw Error(ErrorKind::usage, option("arrays") + ": there is no array " + quote(name))
        .at(shown_)
        .fix(near.empty() ? "the arrays are " + list() : near);
  }

  NpyData open_dense() const {
    const auto [values, labels] = choose();
    std::optional<NpyFile> beside;
    if (labels) {
      beside = file(*labels);
    } else if (options_.arrays.size() < 2) {
      beside = open_labels_beside(options_);
    }
    return join_arrays(file(values), std::move(beside));
  }

  // The rows, and the labels where they are in the archive, too.
  std::pair<std::size_t, Place> choose() const {
    if (options_.arrays.size() > 2) {
      throw Error(ErrorKind::usage, option("arrays") + " names one array of rows, and one of labels")
          .at(shown_)
          .fix("such as " + option("arrays", "X,y"));
    }
    const bool needed = options_.columns.label.empty();
    if (!options_.arrays.empty()) {
      const std::size_t values = named(options_.arrays.front());
      Place labels;
      if (options_.arrays.size() == 2) labels = named(options_.arrays.back());
      if (labels && !needed) {
        throw Error(ErrorKind::usage, "the labels are an array, and a column, too")
            .at(shown_)
            .fix("leave out " + option("label") + ", or the second of " + option("arrays"));
      }
      return {values, labels};
    }
    if (names_.size() == 1) return {0, std::nullopt};
    for (const auto& [x, y] : default_pairs) {
      const Place values = find_alike(x), labels = find_alike(y);
      if (!values || (!labels && needed && !options_.labels.ignore)) continue;
      const Place taken = needed ? labels : Place();
      tell_others(*values, taken);
      return {*values, taken};
    }
    throw Error(ErrorKind::data, "which of the arrays are the rows, and which the labels? " + list())
        .at(shown_)
        .fix("name them with " + option("arrays", "X,y") + ", or with " + option("arrays", "TABLE") +
             " an array whose last column is the label");
  }

  void tell_others(std::size_t values, Place labels) const {
    if (!options_.on_note) return;
    std::string others;
    std::size_t count = 0;
    constexpr std::size_t most = 4;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (i == values || (labels && i == *labels)) continue;
      if (++count <= most) others += (count == 1 ? "" : ", ") + quote(names_[i]);
    }
    if (count == 0) return;
    if (count > most) others += " and " + std::to_string(count - most) + " more";
    options_.on_note({quote(names_[values]) + (labels ? " and " + quote(names_[*labels]) + " are" : " is") +
                          " read of the archive, and not " + others,
                      option("arrays", "X,y") + " names the rows and the labels"});
  }

  Error no_matrix(std::string reason, std::string fix) const {
    return Error(ErrorKind::data, std::move(reason)).at(shown_).fix(std::move(fix));
  }

  // The bytes of an array that is a few of them.
  std::string small(std::size_t place, NpyHeader& header) const {
    constexpr std::uint64_t most = 1024;
    NpyFile array = file(place);
    header = read_npy_array(*array.source, array.name);
    const std::uint64_t values = std::min(most, header.rows) * header.columns;
    std::string bytes(static_cast<std::size_t>(std::min(most, values * header.type.size)), '\0');
    read_exactly(*array.source, array.name, bytes.data(), bytes.size());
    array.expect_end();
    return bytes;
  }

  void refuse_other_forms() const {
    const Place format = find("format");
    if (!format) throw no_matrix("a sparse matrix without its format", "write it with scipy.sparse.save_npz");
    NpyHeader header;
    const std::string bytes = small(*format, header);
    std::string form;
    if (!header.type.is_number() && bytes.size() == header.type.size) header.type.write(bytes.data(), form);
    if (form == "csr") return;
    throw no_matrix("a sparse matrix of the form " + quote(form) + ", and csr is read",
                    "scipy.sparse.save_npz('NAME.npz', scipy.sparse.load_npz('FILE.npz').tocsr())");
  }

  CsrData open_matrix() const {
    if (!options_.arrays.empty()) {
      throw Error(ErrorKind::usage, option("arrays") + " names arrays, and this is a sparse matrix made of several")
          .at(shown_)
          .fix("leave it out");
    }
    refuse_other_forms();
    std::array<std::size_t, 4> parts{};
    constexpr std::string_view names[] = {"shape", "indptr", "indices", "data"};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Place place = find(names[i]);
      if (!place) {
        throw no_matrix("a sparse matrix without " + quote(names[i]), "write it with scipy.sparse.save_npz");
      }
      parts[i] = *place;
    }
    CsrArrays arrays;
    read_shape(parts[0], arrays);
    arrays.indptr = file(parts[1]);
    arrays.indices = file(parts[2]);
    arrays.data = file(parts[3]);
    for (const std::string_view name : default_labels) {
      const Place labels = find_alike(name);
      if (labels && !arrays.labels) arrays.labels = file(*labels);
    }
    if (!arrays.labels) arrays.labels = open_labels_beside(options_);
    if (!arrays.labels && !options_.labels.ignore && options_.columns.label.empty()) {
      throw Error(ErrorKind::data,
                  "where are the labels of these rows? There is no array 'y' in it, and y.npy is "
                  "looked for beside files called X")
          .at(shown_)
          .fix("call it X.npz and put y.npy there; X_train.npz and y_train.npy go together, too");
    }
    return join_csr(std::move(arrays));
  }

  void read_shape(std::size_t place, CsrArrays& arrays) const {
    NpyHeader header;
    const std::string bytes = small(place, header);
    if (header.shape != std::vector<std::uint64_t>{2} || !header.type.is_integer())
      throw no_matrix("a sparse matrix whose shape is not two whole numbers", "write it with scipy.sparse.save_npz");
    const std::int64_t rows = header.type.integer(bytes.data()),
                       columns = header.type.integer(bytes.data() + header.type.size);
    constexpr std::int64_t most_csr_columns = 0x7fffffff;
    if (rows < 1 || columns < 1 || columns > most_csr_columns) {
      throw no_matrix("a matrix of " + std::to_string(rows) + " rows and " + std::to_string(columns) +
                          " columns: at least one of both, and at most 2147483647 columns are read",
                      "is it the right file?");
    }
    arrays.rows = static_cast<std::uint64_t>(rows);
    arrays.columns = static_cast<std::uint64_t>(columns);
  }

  const ReadOptions& options_;
  std::string shown_;
  ZipArchive archive_;
  std::vector<const ZipArchive::Member*> arrays_;
  std::vector<std::string> names_;  // theirs
};

}  // namespace

bool recognise_npz(std::string_view first_bytes) { return first_zip_name(first_bytes).ends_with(array_ending); }

bool recognise_npz_file(const std::string& path) {
  RawFile file(path, nullptr);  // a regular file never waits
  std::string first(1024, '\0');
  std::size_t size = 0;
  for (std::size_t got = 1; got != 0 && size < first.size(); size += got)
    got = file.read(first.data() + size, first.size() - size);
  return recognise_npz(std::string_view(first).substr(0, size));
}

NpzData open_npz(const ReadOptions& options) { return Npz(options).open(); }

}  // namespace halfspace::stream
