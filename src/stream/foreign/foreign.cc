// The table of first bytes, and the few formats that take more than a comparison.
#include "stream/foreign/foreign.h"

#include <algorithm>
#include <cstddef>

#include "base/utf8.h"
#include "halfspace/base/error.h"
#include "stream/foreign/foreign_slips.h"
#include "stream/formats/format_entry.h"
#include "stream/formats/recognise.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::size_t at;
  std::string_view bytes;
  Foreign format;
};

constexpr std::string_view by_libreoffice = "open it in LibreOffice and save it as CSV, or: ssconvert FILE NAME.csv";
constexpr std::string_view by_excel_reader =
    "python3 -c \"import pandas; pandas.read_excel('FILE').to_csv('NAME.csv', index=False)\"";
constexpr std::string_view by_feather_reader =
    "python3 -c \"import pandas; pandas.read_feather('FILE').to_csv('NAME.csv', index=False)\"";
constexpr std::string_view by_arrow_stream_reader =
    "python3 -c \"import pyarrow; pyarrow.ipc.open_stream('FILE').read_pandas().to_csv('NAME.csv', index=False)\"";
constexpr std::string_view by_parquet_reader =
    "python3 -c \"import pandas; pandas.read_parquet('FILE').to_csv('NAME.csv', index=False)\"";
constexpr std::string_view by_orc_reader =
    "python3 -c \"import pandas; pandas.read_orc('FILE').to_csv('NAME.csv', index=False)\"";
constexpr std::string_view by_avro_reader =
    "python3 -c \"import fastavro, pandas; pandas.DataFrame(fastavro.reader(open('FILE', 'rb'))).to_csv('NAME.csv', "
    "index=False)\"";
constexpr std::string_view by_pickle_reader =
    "reading one may run any program; where it is trusted: python3 -c \"import pandas; "
    "pandas.read_pickle('FILE').to_csv('NAME.csv', index=False)\"";
constexpr std::string_view by_joblib =
    "reading one may run any program; where it is trusted: python3 -c \"import joblib, numpy; numpy.save('NAME.npy', "
    "joblib.load('FILE'))\"";
constexpr std::string_view by_hdf5_reader =
    "python3 -c \"import pandas; pandas.read_hdf('FILE').to_csv('NAME.csv', index=False)\", or with h5py: "
    "numpy.savez('NAME.npz', X=h5py.File('FILE')['X'][:])";
constexpr std::string_view by_mat73_reader =
    "its arrays, say X and y: python3 -c \"import h5py, numpy; f = h5py.File('FILE'); numpy.savez('NAME.npz', "
    "X=f['X'][:].T, y=f['y'][:].ravel())\"";
constexpr std::string_view by_mat_reader =
    "its arrays, say X and y: python3 -c \"import scipy.io, numpy; m = scipy.io.loadmat('FILE'); "
    "numpy.savez('NAME.npz', X=m['X'], y=m['y'].ravel())\"";
constexpr std::string_view by_netcdf_reader =
    "python3 -c \"import xarray; xarray.open_dataset('FILE').to_dataframe().to_csv('NAME.csv')\"";
constexpr std::string_view by_duckdb = "write a table as CSV: duckdb -csv FILE 'select * from NAME' >NAME.csv";
constexpr std::string_view by_r_load =
    "write its table, say NAME: Rscript -e \"load('FILE'); write.csv(NAME, 'NAME.csv', row.names = FALSE)\"";
constexpr std::string_view by_r_read = "Rscript -e \"write.csv(readRDS('FILE'), 'NAME.csv', row.names = FALSE)\"";
constexpr std::string_view by_stata_reader =
    "python3 -c \"import pandas; pandas.read_stata('FILE').to_csv('NAME.csv', index=False)\"";
constexpr std::string_view by_spss_reader =
    "python3 -c \"import pandas; pandas.read_spss('FILE').to_csv('NAME.csv', index=False)\"";
constexpr std::string_view by_sas_reader =
    "python3 -c \"import pandas; pandas.read_sas('FILE', format='sas7bdat', encoding='utf-8').to_csv('NAME.csv', "
    "index=False)\"";
constexpr std::string_view by_xport_reader =
    "python3 -c \"import pandas; pandas.read_sas('FILE', format='xport').to_csv('NAME.csv', index=False)\"";
constexpr std::string_view by_lmdb_reader =
    "see what its values are: python3 -c \"import lmdb; print(next(iter(lmdb.open('FILE', subdir=False, "
    "lock=False).begin().cursor())))\"";
constexpr std::string_view by_tensorflow =
    "an object a line: python3 -c \"import tensorflow as tf; from google.protobuf.json_format import MessageToJson as "
    "j; "
    "[print(j(tf.train.Example.FromString(r.numpy()), indent=None)) for r in tf.data.TFRecordDataset('FILE')]\"";
constexpr std::string_view by_tar =
    "see what is in it, and read that: tar -tf FILE; tar -xOf FILE MEMBER | halfspace ... -";
constexpr std::string_view by_unzip = "unpack it first: unzip FILE";
constexpr std::string_view by_pillow =
    "write the pixels as numbers, and y.npy beside them: python3 -c \"import numpy, PIL.Image; numpy.save('X.npy', "
    "[numpy.ravel(PIL.Image.open(name)) for name in ['FILE']])\"";
constexpr std::string_view by_html_reader =
    "is it a page that says where the file is? its table: python3 -c \"import pandas; "
    "pandas.read_html('FILE')[0].to_csv('NAME.csv', index=False)\"";
constexpr std::string_view by_xml_reader =
    "python3 -c \"import pandas; pandas.read_xml('FILE').to_csv('NAME.csv', index=False)\"";
constexpr std::string_view by_pdf_reader = "write the table in it as CSV; its text: pdftotext -layout FILE";
constexpr std::string_view by_iconv = "convert it: iconv -f UTF-16 -t UTF-8 FILE >NAME";
constexpr std::string_view by_mmread =
    "python3 -c \"import scipy.io, scipy.sparse; scipy.sparse.save_npz('X.npz', "
    "scipy.sparse.csr_matrix(scipy.io.mmread('FILE')))\", and y.npy beside it";
constexpr std::string_view by_unpacking =
    "unpack it once on the way, by what packed it last: zcat FILE | halfspace ... -, or xzcat, bzcat, zstdcat";
constexpr std::string_view by_dbase_reader =
    "open it in LibreOffice and save it as CSV, or: python3 -c \"import dbfread, pandas; "
    "pandas.DataFrame(dbfread.DBF('FILE')).to_csv('NAME.csv', index=False)\"";
constexpr std::string_view by_yaml_reader =
    "python3 -c \"import pandas, yaml; pandas.json_normalize(yaml.safe_load(open('FILE'))).to_csv('NAME.csv', "
    "index=False)\"";
constexpr std::string_view by_r_dget = "Rscript -e \"write.csv(dget('FILE'), 'NAME.csv', row.names = FALSE)\"";
constexpr std::string_view by_literals =
    "write JSON: python3 -c \"import ast, json; [print(json.dumps(ast.literal_eval(row))) for row in open('FILE') if "
    "row.strip()]\" >NAME.jsonl";
constexpr std::string_view by_list_of_literals =
    "write JSON: python3 -c \"import ast, json; [print(json.dumps(row)) for row in "
    "ast.literal_eval(open('FILE').read())]\" >NAME.jsonl";
constexpr std::string_view by_bandit =
    "no row has a class to learn; a log for halfspace bandit: jq -rn '[\"action\", \"reward\", \"propensity\"], "
    "(inputs | "
    "[._label_Action, 0 - ._label_cost, ._label_probability]) | @csv' FILE >NAME.csv";
constexpr std::string_view by_tuples =
    "python3 -c \"import ast, csv, sys; csv.writer(sys.stdout).writerows(ast.literal_eval(row.strip().rstrip(',')) for "
    "row in open('FILE') if row.strip())\" >NAME.csv";
constexpr std::string_view by_header =
    "write its header above: @relation NAME, a line @attribute NAME TYPE for each column, and @data";
constexpr std::string_view by_spss_portable_reader =
    "python3 -c \"import pyreadstat; pyreadstat.read_por('FILE')[0].to_csv('NAME.csv', index=False)\"";
constexpr std::string_view by_rows_of_labels =
    "no row has one class to learn: decisions in several slots, and actions that are numbers, are not supported";
// The members of an object are the features of a namespace, and those left out are 0.
constexpr std::string_view by_namespaces =
    R"~(write its text: jq -r 'def w: tostring | gsub("[ |:]"; "_"); def f: [to_entries[] | )~"
    R"~(select(.value != null and .value != false) | "\(.key | w):\(.value | w)"] | join(" "); "\(._label)" + )~"
    R"~(([del(._label) | to_entries[] | if (.value | type) == "object" then " |\(.key | w) " + (.value | f) else )~"
    R"~(" | " + ([.] | from_entries | f) end] | join(""))' FILE >NAME.vw)~";
// In Vowpal Wabbit's text a word may hold neither ':' nor '|'.
constexpr std::string_view by_label_prefix =
    "write it as Vowpal Wabbit text, with the first label of a line: sed -E 's/ __label__[^ ]+//g; s/[:|]+( |$)/ /g; "
    "s/[:|]+/_/g; s/^ *__label__([^ ]+)/\\1 |w/' FILE >NAME.vw";
constexpr std::string_view by_label_suffix =
    "write it as Vowpal Wabbit text: sed -E 's/[:|]+( |$)/ /g; s/[:|]+/_/g; s/^(.*) __label__([^ ]+) *$/\\2 |w \\1/' "
    "FILE >NAME.vw";
constexpr std::string_view by_xgboost =
    "python3 -c \"import numpy, scipy.sparse, xgboost; d = xgboost.DMatrix('FILE'); scipy.sparse.save_npz('X.npz', "
    "d.get_data()); numpy.save('y.npy', d.get_label())\", and then X.npz, with y.npy beside it";
constexpr std::string_view right_file = "is it the right file?";
constexpr std::string_view rows_instead = "is it the right file? give the rows that it was trained on";

// In the order in which they are tried.
constexpr Magic by_bytes[] = {
    {0,
     "\x89HSM\r\n\x1a\n",
     {"a Halfspace model", "a model stands before the data: halfspace predict MODEL DATA", Foreign::Kind::own}},
    {0,
     "\x89HSC\r\n\x1a\n",
     {"a Halfspace cache", "give it where data are expected: halfspace train CACHE", Foreign::Kind::own}},
    {0,
     "{\"format\": \"halfspace certificate\"",
     {"a Halfspace certificate", "check it against its data: halfspace verify CERT DATA", Foreign::Kind::own}},
    {0, "PK\x05\x06", {"an empty zip or .npz", right_file}},
    {0, "\x1f\x8b\x08", {"packed twice (gzip)", by_unpacking}},
    {0, "\x28\xb5\x2f\xfd", {"packed twice (zstd)", by_unpacking}},
    {0, "\xfd\x37zXZ\0"sv, {"packed twice (xz)", by_unpacking}},
    {0, "7z\xbc\xaf\x27\x1c", {"7z", "unpack it on the way: 7z e -so FILE | halfspace ... -"}},
    {0, "Rar!\x1a\x07", {"rar", "unpack it first: unrar x FILE"}},
    {0, "\x04\x22\x4d\x18", {"lz4", "unpack it on the way: lz4 -dc FILE | halfspace ... -"}},
    {0, "\x1f\x9d", {"compress (.Z)", "unpack it on the way: zcat FILE | halfspace ... -"}},
    {0, "\xff\x06\0\0sNaPpY"sv, {"snappy", "unpack it on the way: snzip -dc FILE | halfspace ... -"}},
    {0, "\x78\x9c", {"joblib, or other data packed by zlib", by_joblib}},
    {0, "\x78\xda", {"joblib, or other data packed by zlib", by_joblib}},
    {0, "\x78\x01", {"joblib, or other data packed by zlib", by_joblib}},
    {0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", {"Excel (.xls), or another of Microsoft's old files", by_libreoffice}},
    {0, "ARROW1", {"Arrow (Feather version 2)", by_feather_reader}},
    {0, "\xff\xff\xff\xff", {"a stream of Arrow", by_arrow_stream_reader}},
    {0, "Obj\x01", {"Avro", by_avro_reader}},
    {16, "\xde\xc0\xef\xbe", {"LMDB's database", by_lmdb_reader}},
    {0, "MATLAB 7.3 MAT-file", {"MATLAB (.mat 7.3, in HDF5)", by_mat73_reader}},
    {0, "MATLAB 5.0 MAT-file", {"MATLAB (.mat)", by_mat_reader}},
    {0, "\x89HDF\r\n\x1a\n", {"HDF5", by_hdf5_reader}},
    {512, "\x89HDF\r\n\x1a\n", {"HDF5", by_hdf5_reader}},
    {0, "CDF\x01", {"netCDF", by_netcdf_reader}},
    {0, "CDF\x02", {"netCDF", by_netcdf_reader}},
    {0, "CDF\x05", {"netCDF", by_netcdf_reader}},
    {0, "RDX2\n", {"R's data (.RData)", by_r_load}},
    {0, "RDX3\n", {"R's data (.RData)", by_r_load}},
    {0, "RDA2\n", {"R's data (.RData)", by_r_load}},
    {0, "RDA3\n", {"R's data (.RData)", by_r_load}},
    {0, "X\n\0\0\0\2"sv, {"R's object (.rds)", by_r_read}},
    {0, "X\n\0\0\0\3"sv, {"R's object (.rds)", by_r_read}},
    {0, "B\n\2\0\0\0"sv, {"R's object (.rds)", by_r_read}},
    {0, "B\n\3\0\0\0"sv, {"R's object (.rds)", by_r_read}},
    {0, "<stata_dta>", {"Stata (.dta)", by_stata_reader}},
    {0, "$FL2@(#)", {"SPSS (.sav)", by_spss_reader}},
    {0, "$FL3@(#)", {"SPSS (.zsav)", by_spss_reader}},
    {0, "ASCII SPSS PORT FILE", {"SPSS (.por)", by_spss_portable_reader}},
    {0, "HEADER RECORD*******LIBRARY HEADER", {"SAS (transport)", by_xport_reader}},
    {0,
     "\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\0\x09\xc7\x31\x8c\x18\x1f\x10\x11"sv,
     {"SAS (.sas7bdat)", by_sas_reader}},
    {0, "\xac\xed\0\5"sv, {"an object of Java, as Weka's models are", right_file}},
    {0, "\x01\xab\xff\xffversion:", {"XGBoost's data (DMatrix.save_binary)", by_xgboost}},
    {0, "{L\0\0\0\0\0\0\0\x07learner{"sv, {"an XGBoost model (.ubj)", rows_instead}},
    {0, "{\"learner\":{\"attributes\":{", {"an XGBoost model (.json)", rows_instead}},
    {0, "%PDF-", {"PDF", by_pdf_reader}},
    {0, "%!PS", {"PostScript", "write the table in it as CSV"}},
    {0, "{\\rtf", {"RTF", "write the table in it as CSV"}},
    {0, "\x89PNG\r\n\x1a\n", {"an image (PNG)", by_pillow}},
    {0, "\xff\xd8\xff", {"an image (JPEG)", by_pillow}},
    {0, "GIF87a", {"an image (GIF)", by_pillow}},
    {0, "GIF89a", {"an image (GIF)", by_pillow}},
    {0, "II*\0"sv, {"an image (TIFF)", by_pillow}},
    {0, "MM\0*"sv, {"an image (TIFF)", by_pillow}},
    {0,
     "\x7f"
     "ELF",
     {"a program", right_file}},
    {0,
     "version https://git-lfs",
     {"a note that stands for a file kept elsewhere (git-lfs)", "fetch the file: git lfs pull"}},
    {0, "%%MatrixMarket", {"Matrix Market", by_mmread}},
    {0, "\xff\xfe\0\0"sv, {"UTF-32", "convert it: iconv -f UTF-32 -t UTF-8 FILE >NAME"}},
    {0, "\xff\xfe", {"UTF-16", by_iconv}},
    {0, "\xfe\xff", {"UTF-16", by_iconv}},
};

// Magic bytes that are letters: text may begin with them, too, but never with the bytes after them.
constexpr Magic by_letters[] = {
    {0, "PAR1", {"Parquet", by_parquet_reader}},
    {0, "PARE", {"Parquet, encrypted", by_parquet_reader}},
    {0, "FEA1", {"Feather (version 1)", by_feather_reader}},
    {0, "ORC", {"ORC", by_orc_reader}},
    {0, "LZIP", {"lzip", "unpack it on the way: lzip -dc FILE | halfspace ... -"}},
    {0, "binf", {"an XGBoost model", rows_instead}},
    {0, "BM", {"an image (BMP)", by_pillow}},
    {8, "WEBP", {"an image (WebP)", by_pillow}},
    {8, "WAVEfmt ", {"sound (WAV)", right_file}},
    {8, "DUCK", {"DuckDB's database", by_duckdb}},
    {0, "HSSC", {"the state of a Halfspace bandit", "halfspace bandit goes on with it", Foreign::Kind::own}},
};

bool has(std::string_view text, std::size_t at, std::string_view bytes) {
  return text.size() >= at + bytes.size() && text.substr(at, bytes.size()) == bytes;
}

std::uint8_t byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<std::uint8_t>(text[at]) : 0;
}

// The text ends there, or a byte of the next few is one that no text has.
bool binary_behind(std::string_view text, std::size_t at) {
  constexpr std::size_t looked_at = 8;
  const std::string_view next = text.substr(at, looked_at);
  return next.empty() || std::any_of(next.begin(), next.end(), [](char c) {
           return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\x1b';
         });
}

// Zip archives store the name of each member before its data.
std::optional<Foreign> recognise_zip(std::string_view text) {
  if (!text.starts_with("PK\x03\x04")) return std::nullopt;
  const auto holds = [&](std::string_view name) { return text.find(name) != std::string_view::npos; };
  if (holds("xl/workbook") || holds("xl/worksheets")) return Foreign{"Excel (.xlsx)", by_excel_reader};
  if (holds("application/vnd.oasis.opendocument.spreadsheet")) return Foreign{"LibreOffice (.ods)", by_libreoffice};
  if (holds("word/document")) return Foreign{"Word (.docx)", "write the table in it as CSV"};
  if (holds("Index/Document.iwa")) return Foreign{"Numbers", "export it as CSV"};
  if (holds("/data.pkl")) return Foreign{"PyTorch (.pt)", by_pickle_reader};
  return Foreign{"zip", by_unzip};
}

// A byte that no text has, and one that is no UTF-8 before it, within the first few.
bool begins_as_no_text(std::string_view text) {
  constexpr std::size_t looked_at = 16;
  const std::string_view begin = text.substr(0, looked_at);
  const auto control = std::find_if(begin.begin(), begin.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && std::string_view("\t\n\r\f\x1b").find(c) == std::string_view::npos;
  });
  return control != begin.end() && !valid_utf8(begin.substr(0, static_cast<std::size_t>(control - begin.begin())));
}

// A header of 512 bytes that holds the sum of its bytes, its own taken for blanks, in octal digits.
bool is_tar(std::string_view text) {
  constexpr std::size_t size = 512, sum_at = 148, sum_size = 8;
  if (text.size() < size || text[0] == '\0') return false;
  std::uint64_t sum = 0, stored = 0;
  bool digits = false;
  for (std::size_t i = 0; i < size; ++i)
    sum += i >= sum_at && i < sum_at + sum_size ? std::uint64_t{' '} : byte_at(text, i);
  for (const char c : text.substr(sum_at, sum_size)) {
    if (c >= '0' && c <= '7') {
      stored = 8 * stored + static_cast<std::uint64_t>(c - '0');
      digits = true;
    } else if (c != ' ' && c != '\0') {
      return false;
    }
  }
  return digits && stored == sum;
}

// Protocols 2 to 5 of pickle, and what 0 begins a dictionary, a list or an object with.
bool is_pickle(std::string_view text) {
  if (text.starts_with("(dp0\n") || text.starts_with("(lp0\n") || text.starts_with("ccopy_reg\n")) return true;
  const std::uint8_t protocol = byte_at(text, 1);
  return byte_at(text, 0) == 0x80 && protocol >= 2 && protocol <= 5 && text.size() > 2;
}

std::optional<Foreign> recognise_pickle(std::string_view text) {
  if (!is_pickle(text)) return std::nullopt;
  if (text.substr(0, 4096).find("joblib") != std::string_view::npos)
    return Foreign{"joblib (a pickle of Python)", by_joblib};
  return Foreign{"a pickle of Python", by_pickle_reader};
}

// Versions before 117 have no name in front: version, byte order, type, 0.
bool is_old_stata(std::string_view text) {
  constexpr std::uint8_t versions[] = {104, 105, 108, 110, 111, 113, 114, 115};
  const std::uint8_t version = byte_at(text, 0);
  const bool known = std::find(std::begin(versions), std::end(versions), version) != std::end(versions);
  // The oldest versions left the next byte undefined.
  return text.size() > 4 && known && (text[1] == 1 || text[1] == 2) && text[2] == 1 && (text[3] == 0 || version < 110);
}

// A version, a date, the number of records, the lengths of the header (fields of 32 bytes each) and of a record.
bool is_dbase(std::string_view text) {
  constexpr std::uint8_t versions[] = {0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x83, 0x8b, 0x8c, 0xf5};
  constexpr std::size_t field = 32;
  if (std::find(std::begin(versions), std::end(versions), byte_at(text, 0)) == std::end(versions)) return false;
  if (text.size() < 2 * field || byte_at(text, 2) < 1 || byte_at(text, 2) > 12 || byte_at(text, 3) < 1 ||
      byte_at(text, 3) > 31)
    return false;
  const std::size_t header = byte_at(text, 8) + std::size_t{256} * byte_at(text, 9);
  const std::size_t record = byte_at(text, 10) + std::size_t{256} * byte_at(text, 11);
  return header > 2 * field && record > 1 && header <= text.size() && (header - 1) % field <= 8 &&
         std::string_view("CNDLFMBGITY@O+").find(text[field + 11]) != std::string_view::npos;
}

// Bytes that no text has, but Hive's delimiter: more than one in ten of the first.
bool is_no_text(std::string_view text) {
  constexpr std::size_t looked_at = 512, fewest = 16;
  text = text.substr(0, looked_at);
  const auto strange = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && std::string_view("\1\t\n\r\f\x1b").find(c) == std::string_view::npos;
  }));
  return text.size() >= fewest && strange * 10 > text.size();
}

// Each TensorFlow record begins with its length in 8 bytes and their masked CRC-32C.
bool is_tfrecord(std::string_view text) {
  constexpr std::size_t length = 8;
  if (text.size() < length + 8) return false;
  std::uint32_t crc = ~std::uint32_t{0}, stored = 0;
  for (std::size_t i = 0; i < length; ++i) {
    crc ^= byte_at(text, i);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82f63b78u : 0u);
  }
  crc = ~crc;
  for (std::size_t i = 0; i < 4; ++i) stored |= std::uint32_t{byte_at(text, length + i)} << 8 * i;
  return stored == (crc >> 15 | crc << 17) + 0xa282ead8u;
}

std::optional<Foreign> recognise_binary(std::string_view text) {
  if (const auto zip = recognise_zip(text)) return zip;
  if (const auto pickle = recognise_pickle(text)) return pickle;
  if (is_tar(text)) return Foreign{"a tar", by_tar};
  if (is_old_stata(text)) return Foreign{"Stata (.dta)", by_stata_reader};
  if (is_dbase(text)) return Foreign{"dBase (.dbf)", by_dbase_reader};
  if (is_tfrecord(text)) return Foreign{"TensorFlow's records (TFRecord)", by_tensorflow};
  for (const Magic& magic : by_letters) {
    if (has(text, magic.at, magic.bytes) && binary_behind(text, magic.at + magic.bytes.size())) return magic.format;
  }
  const bool letters = text.size() >= 4 && text[0] > 0x1f && text[2] > 0x1f;
  if (letters && text[1] == '\0' && text[3] == '\0')
    return Foreign{"UTF-16 without a mark of its byte order", "convert it: iconv -f UTF-16LE -t UTF-8 FILE >NAME"};
  if (text.size() >= 4 && text[0] == '\0' && text[2] == '\0' && text[1] > 0x1f && text[3] > 0x1f)
    return Foreign{"UTF-16 without a mark of its byte order", "convert it: iconv -f UTF-16BE -t UTF-8 FILE >NAME"};
  return std::nullopt;
}

std::string_view first_line_with_words(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin != std::string_view::npos) return line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
  }
  return {};
}

bool begins_in_any_case(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() && std::equal(lower.begin(), lower.end(), text.begin(), [](char l, char c) {
           return l == (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
         });
}

// Column names may be written in < and >.
std::optional<Foreign> recognise_markup(std::string_view text, std::string_view line) {
  if (begins_in_any_case(line, "<?xml")) {
    if (text.substr(0, 4096).find("Excel.Sheet") != std::string_view::npos)
      return Foreign{"Excel (XML of 2003)", by_libreoffice, Foreign::Kind::text};
    return Foreign{"XML", by_xml_reader, Foreign::Kind::text};
  }
  for (const std::string_view tag : {"<!doctype", "<html", "<head", "<body", "<table"}) {
    if (begins_in_any_case(line, tag)) return Foreign{"HTML", by_html_reader, Foreign::Kind::text};
  }
  if (begins_in_any_case(line, "<svg")) return Foreign{"an image (SVG)", right_file, Foreign::Kind::text};
  return std::nullopt;
}

// A line of dashes, with marks where the columns meet.
bool rules_off(std::string_view line) {
  line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  return line.find("--") != std::string_view::npos && line.find_first_of("|+") != std::string_view::npos &&
         line.find_first_not_of("|+-: ") == std::string_view::npos;
}

// Tables that people and the shells of databases write, and the statements that fill one.
std::optional<Foreign> recognise_drawn(std::string_view text, std::string_view line) {
  constexpr auto kind = Foreign::Kind::text;
  constexpr std::string_view by_marks =
      "grep '^ *|' FILE | grep -v -- '--' | sed 's/^ *| *//; s/ *| *$//; s/ *| */\\t/g' >NAME.tsv";
  const std::size_t at = static_cast<std::size_t>(line.data() - text.data());
  const std::string_view next = line.empty() ? line : line_at(text.substr(at), 1);
  if (rules_off(line)) return Foreign{"a table drawn with lines", by_marks, kind};
  if (line.starts_with('|') && rules_off(next)) return Foreign{"a table of Markdown", by_marks, kind};
  if (line.find('|') != std::string_view::npos && rules_off(next))
    return Foreign{"a table drawn with lines", "sed '2d; /^(/d; s/^ *//; s/ *| */\\t/g' FILE >NAME.tsv", kind};
  for (const std::string_view begin :
       {"insert into ", "create table ", "drop table ", "-- mysql dump", "-- postgresql"}) {
    if (begins_in_any_case(line, begin))
      return Foreign{"SQL", "let the database write the table: select * from NAME, as CSV", kind};
  }
  return std::nullopt;
}

// fastText's words with labels among them.
std::optional<Foreign> recognise_labelled_words(std::string_view line) {
  constexpr std::string_view prefix = "__label__", name = "fastText's labels and words";
  if (line.starts_with(prefix)) return Foreign{name, by_label_prefix, Foreign::Kind::text};
  const std::size_t at = line.rfind(prefix);
  if (at == std::string_view::npos || line[at - 1] != ' ' || line.find(' ', at) != std::string_view::npos)
    return std::nullopt;
  return Foreign{name, by_label_suffix, Foreign::Kind::text};
}

// A list of members, or three dashes above it.
bool is_yaml(std::string_view text, std::string_view line) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  if (line == "---") {
    const std::size_t end = std::min(text.find('\n', static_cast<std::size_t>(line.data() - text.data())), text.size());
    text = text.substr(end);
    line = first_line_with_words(text);
  } else if (line != "-" && !line.starts_with("- ")) {
    return false;
  }
  if (line == "-") {
    const std::size_t end = std::min(text.find('\n', static_cast<std::size_t>(line.data() - text.data())), text.size());
    line = first_line_with_words(text.substr(end));
  } else if (line.starts_with("- ")) {
    line.remove_prefix(2);
    if (line.starts_with('{') && line.ends_with('}')) line.remove_prefix(1);
  }
  const std::size_t colon = line.find_first_not_of(letters);
  if (colon == std::string_view::npos || colon == 0 || line[colon] != ':') return false;
  return colon + 1 == line.size() || line[colon + 1] == ' ';
}

// Returns whether one of the first lines of objects has a word of Python where JSON has true, false or null.
bool has_words_of_python(std::string_view text) {
  text = text.substr(0, std::size_t{64} << 10);
  for (const std::string_view word : {": True", ": False", ": None"}) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
      const std::size_t end = at + word.size();
      if (at > 0 && text[at - 1] == '"' && end < text.size() && (text[end] == ',' || text[end] == '}')) return true;
    }
  }
  return false;
}

// Decisions, their costs and probabilities, as Vowpal Wabbit's --dsjson and --json log and read them.
std::optional<Foreign> recognise_decisions(std::string_view line) {
  const auto has_member = [&](std::string_view name) { return line.find(name) != std::string_view::npos; };
  constexpr std::string_view name = "logged decisions of a bandit (JSON of Vowpal Wabbit's decision service)";
  if (has_member("\"_label_cost\":") && has_member("\"_label_probability\":") && !has_member("\"_outcomes\":"))
    return Foreign{name, by_bandit, Foreign::Kind::text};
  for (const std::string_view member :
       {"\"_multi\":", "\"_slots\":", "\"_outcomes\":", "\"_labelIndex\":", "\"_label_ca\":"}) {
    if (has_member(member)) return Foreign{name, by_rows_of_labels, Foreign::Kind::text};
  }
  if (has_member("\"_label\":") && line.find('{', 1) != std::string_view::npos)
    return Foreign{"JSON of Vowpal Wabbit", by_namespaces, Foreign::Kind::text};
  return std::nullopt;
}

// Returns whether an array has a value that is none in JSON or Python: a word without quotes.
bool has_bare_word(std::string_view array) {
  array = array.substr(1, array.size() - 2);
  if (array.find_first_of("\"'([{") != std::string_view::npos) return false;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = array.find(',');
    std::string_view value = array.substr(0, end);
    value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
    value = value.substr(0, value.find_last_not_of(" \t") + 1);
    if (value.find_first_not_of("0123456789+-.eE") != std::string_view::npos &&
        value.find("true") == std::string_view::npos && value.find("false") == std::string_view::npos &&
        value.find("null") == std::string_view::npos && value.find("None") == std::string_view::npos &&
        value.find("True") == std::string_view::npos && value.find("False") == std::string_view::npos)
      return true;
    if (end != std::string_view::npos) array.remove_prefix(end + 1);
  }
  return false;
}

std::optional<Foreign> recognise_json(std::string_view text, std::string_view line) {
  constexpr auto kind = Foreign::Kind::text;
  constexpr std::string_view dictionaries = "dictionaries of Python, not JSON";
  if (line.starts_with("{'")) return Foreign{dictionaries, by_literals, kind};
  if (line.starts_with("[{'")) return Foreign{dictionaries, by_list_of_literals, kind};
  const char second = line.size() > 1 ? line[1] : '\0';
  if (line.starts_with('{') && line.ends_with('}') && second >= '0' && second <= '9' && line.find(' ') < line.find(','))
    return Foreign{"sparse rows of ARFF without a header", by_header, kind};
  const bool closed = line.ends_with(')') || line.ends_with("),");
  if (line.starts_with('(') && closed && line.rfind('(') == 0 && line.find(',') + 2 < line.size() &&
      !has_bare_word(line.substr(0, line.rfind(')') + 1)))
    return Foreign{"tuples of Python", by_tuples, kind};
  if (line.starts_with('[') && line.ends_with(']') && line.find('\'') != std::string_view::npos &&
      line.find('"') == std::string_view::npos && line.find_first_of("[{", 1) == std::string_view::npos)
    return Foreign{"lists of Python", by_tuples, kind};
  if (line.starts_with("{\"")) {
    if (const auto decisions = recognise_decisions(line)) return decisions;
    if (has_words_of_python(text)) return Foreign{dictionaries, by_literals, kind};
  }
  constexpr std::size_t front = 256;
  if (line.starts_with('{') && text.substr(0, front).find("\"cells\"") != std::string_view::npos &&
      text.find("\"nbformat\"") != std::string_view::npos) {
    return Foreign{"a notebook of Jupyter",
                   "it holds no rows: write its table from it, with pandas: table.to_csv('NAME.csv', index=False)",
                   kind};
  }
  if (line.starts_with('#') || line.starts_with("//") || (line.starts_with("/*") && line.ends_with("*/"))) {
    const std::string_view next = line_at(text.substr(static_cast<std::size_t>(line.data() - text.data())), 1);
    if (next.starts_with("{\""))
      return Foreign{"JSON Lines below another line", "leave that out: grep '^ *{' FILE >NAME", kind};
  }
  if (line.starts_with('[')) {
    // The line is followed by the others.
    const std::string_view all = text.substr(static_cast<std::size_t>(line.data() - text.data()));
    const std::size_t next = all.find_first_not_of(" \t\r\n", 1);
    const char first = next == std::string_view::npos ? '{' : all[next];
    if (first == '[')
      return Foreign{"a JSON array of arrays", "write an array a line as CSV: jq -r '.[] | @csv' FILE", kind};
    if (first == '{') return Foreign{"a JSON array", "write an object a line: jq -c '.[]' FILE", kind};
    const bool value = std::string_view("-+.0123456789\"tfn").find(first) != std::string_view::npos;
    if (line.ends_with(']') && value && !has_bare_word(line))
      return Foreign{"JSON arrays", "write an array a line as CSV: jq -r @csv FILE", kind};
  }
  if (line == "{") return Foreign{"JSON that goes over several lines", "write an object a line: jq -c . FILE", kind};
  return std::nullopt;
}

}  // namespace

std::optional<Foreign> recognise_foreign(std::string_view text) {
  for (const Magic& magic : by_bytes) {
    if (has(text, magic.at, magic.bytes)) return magic.format;
  }
  if (const auto binary = recognise_binary(text)) return binary;
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const std::string_view line = first_line_with_words(text);
  if (const auto markup = recognise_markup(text, line)) return markup;
  if (const auto json = recognise_json(text, line)) return json;
  if (const auto drawn = recognise_drawn(text, line)) return drawn;
  if (const auto labelled = recognise_labelled_words(line)) return labelled;
  if (line.starts_with("structure(list(")) return Foreign{"R's dput", by_r_dget, Foreign::Kind::text};
  if (is_yaml(text, line)) return Foreign{"YAML", by_yaml_reader, Foreign::Kind::text};
  const bool zeros = line.find('\0') != std::string_view::npos;
  if ((zeros && line.find_first_not_of('\0') != std::string_view::npos && is_no_text(text)) || begins_as_no_text(text))
    return Foreign{"no text, and no format that is known here", "is it the right file? write its table as CSV"};
  if (line.find('\0') != std::string_view::npos && line.find_first_not_of('\0') == std::string_view::npos)
    return Foreign{"no text, as it begins with bytes of value 0", "is it the right file, and whole?"};
  const std::size_t end = text.find('\n') == std::string_view::npos ? text.find('\r') : std::string_view::npos;
  if (end != std::string_view::npos && text.find_first_not_of("\r \t", end) != std::string_view::npos)
    return Foreign{"text whose lines end in CR alone", "end them in LF: tr '\\r' '\\n' <FILE >NAME"};
  if (const std::size_t first = text.find('\n');
      first != std::string_view::npos && first > 1 && text.substr(first - 2, 2) == "\r\r")
    return Foreign{"text whose lines end in CR, CR and LF", "end them in LF: tr -d '\\r' <FILE >NAME"};
  return std::nullopt;
}

void refuse_foreign(std::string_view text, const std::string& file, bool format_named) {
  const auto refuse = [&](const Slip& slip) {
    throw Error(ErrorKind::data, slip.what)
        .at(file, slip.line, 1)
        .showing(slip.text)
        .fix(slip.fix + "; is it a table all the same? set its " + option("delimiter"));
  };
  const std::optional<Foreign> foreign = recognise_foreign(text);
  if (!format_named && (!foreign || foreign->kind == Foreign::Kind::text)) {
    std::string_view lines = text;
    if (lines.starts_with(byte_order_mark)) lines.remove_prefix(byte_order_mark.size());
    auto other = find_json_document(lines);
    if (!other && !foreign) other = find_drawn_rows(lines);
    if (other) throw Error(ErrorKind::data, other->what).at(file, other->line, 1).showing(other->text).fix(other->fix);
    if (const auto rows = find_foreign_rows(lines)) refuse(*rows);
    for (const auto find : {find_wrapped_rows, find_broken_rows}) {
      const auto rows = foreign ? std::nullopt : find(lines);
      if (rows && recognise_text(lines) == DataFormat::csv) refuse(*rows);
    }
  }
  if (!foreign || (format_named && foreign->kind == Foreign::Kind::text)) return;
  throw Error(ErrorKind::data, "this is " + std::string(foreign->name) +
                                   (foreign->kind == Foreign::Kind::own ? ", where data are expected"
                                                                        : ", and what is read is " + list_of_formats()))
      .at(file)
      .fix(std::string(foreign->fix));
}

}  // namespace halfspace::stream
