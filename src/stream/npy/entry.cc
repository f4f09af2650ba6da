// NumPy's arrays and SciPy's sparse matrices in the table of formats.
#include <utility>
#include <vector>

#include "stream/formats/format_entry.h"
#include "stream/npy/header.h"
#include "stream/npy/npy.h"

namespace halfspace::stream::formats {
namespace {

Records dense_records(const ReadOptions& options, NpyData data, std::string_view words) {
  return {.format = DataFormat::npy,
          .words = words,
          .source = std::move(data.records),
          .parser = make_npy(options, data.shape),
          .record_bytes = data.shape.record_bytes()};
}

Records open_array(const ReadOptions& options, std::unique_ptr<Source> source) {
  return dense_records(options, open_npy(options, std::move(source)), "a NumPy array");
}

Records open_archive(const ReadOptions& options, std::unique_ptr<Source>) {
  NpzData data = open_npz(options);
  if (data.dense) return dense_records(options, std::move(*data.dense), "an .npz of arrays");
  return {.format = DataFormat::csr,
          .words = "an .npz of a sparse matrix",
          .source = std::move(data.sparse->records),
          .parser = make_csr(options, data.sparse->shape),
          .record_bytes = data.sparse->shape.record_bytes()};
}

bool is_archive_there(Source& source, const std::string& path) {
  return source.rewindable() && source.compression() == "none" && source.peek().starts_with("PK\x03\x04") &&
         recognise_npz_file(path);
}

}  // namespace

std::vector<FormatEntry> npy() {
  return {
      {
          .id = DataFormat::npy,
          .name = "npy",
          .words = "NumPy",
          .title = "NumPy",
          .listed = "NumPy's arrays",
          .help = "NumPy's arrays: X.npy with y.npy beside it, or one whose last column is the label; "
                  "in an .npz, too",
          .rows_are = "save the rows with numpy.save(NAME, X)",
          .columns = ColumnsAre::columns,
          .lines = false,
          .columns_by_position = true,
          .takes = about_missing | about_columns | about_names,
          .files =
              {{.words = "a NumPy array", .format = DataFormat::npy, .recognise = recognise_npy, .open = open_array},
               {.words = "an .npz",
                .recognise = recognise_npz,
                .lies_there = is_archive_there,
                .elsewhere = "the arrays of an .npz are read in parallel: it must be an uncompressed regular file",
                .elsewhere_fix = "save it uncompressed to a file, and name that",
                .open = open_archive,
                .has_arrays = true}},
          .files_beside = labels_beside_array,
      },
      {
          .id = DataFormat::csr,
          .name = "csr",
          .words = "SciPy's CSR",
          .title = "SciPy CSR",
          .listed = "",
          .help = "SciPy's sparse matrix: X.npz by save_npz, with y.npy beside it",
          .rows_are = "save the rows with scipy.sparse.save_npz(NAME, X)",
          .lines = false,
          .counts_features = true,
      }};
}

}  // namespace halfspace::stream::formats
