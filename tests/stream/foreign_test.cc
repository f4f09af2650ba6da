// Files of other programs, in a few bytes each: named, with the way to a file that is read.
#include "stream/foreign/foreign.h"

#include <cstdio>

#include "stream/npy_support.h"
#include "stream/stream_support.h"

namespace halfspace {
namespace {

using namespace std::string_view_literals;
using namespace testing_stream;
using stream::Foreign;
using stream::recognise_foreign;

std::string padded(std::string_view text, std::size_t size, char with = '\0') {
  std::string all(text);
  all.resize(size, with);
  return all;
}

// A header of tar, with the sum of its bytes.
std::string tar(bool ustar) {
  std::string header = padded("rows.csv", 100);
  header += "0000644\0000000000\0000000000\00000000000004\00000000000000\0"sv;
  header += std::string(8, ' ') + "0";
  header.resize(512, '\0');
  if (ustar) header.replace(257, 8, "ustar\00000"sv);
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  char digits[8];
  std::snprintf(digits, sizeof digits, "%06o", sum);
  header.replace(148, 7, std::string(digits, 6) + '\0');
  return header + padded("a,b\n", 512);
}

struct Case {
  std::string text;
  std::string_view name, way;  // of the fix
};

std::vector<Case> cases() {
  const std::string sheet = zip({{"[Content_Types].xml", "<x/>"}, {"xl/workbook.xml", "<x/>"}}),
                    ods =
                        zip({{"mimetype", "application/vnd.oasis.opendocument.spreadsheet"}, {"content.xml", "<x/>"}}),
                    torch = zip({{"archive/data.pkl", "\x80\x02"}}), word = zip({{"word/document.xml", "<x/>"}});
  const auto text = [](std::string_view bytes) { return std::string(bytes); };
  return {
      {sheet, "Excel (.xlsx)", "read_excel"},
      {ods, "LibreOffice (.ods)", "ssconvert FILE"},
      {word, "Word (.docx)", "CSV"},
      {torch, "PyTorch (.pt)", "trusted"},
      {text("PK\x03\x04"), "zip", "unzip"},
      {text("PK\x05\x06"), "an empty zip or .npz", "right file"},
      {text("7z\xbc\xaf\x27\x1c"), "7z", "7z e -so"},
      {text("Rar!\x1a\x07\x01"), "rar", "unrar"},
      {text("\x04\x22\x4d\x18"), "lz4", "lz4 -dc"},
      {text("LZIP\x01\x0c"), "lzip", "lzip -dc"},
      {text("\x1f\x9d\x90"), "compress (.Z)", "zcat"},
      {text("\xff\x06\0\0sNaPpY"sv), "snappy", "snzip"},
      {text("\x78\x9c\xed"), "joblib, or other data packed by zlib", "joblib.load"},
      {padded("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 512), "Excel (.xls), or another of Microsoft's old files",
       "ssconvert FILE"},
      {text("PAR1\x15\x04"), "Parquet", "read_parquet"},
      {text("FEA1\0\0\0\0"sv), "Feather (version 1)", "read_feather"},
      {text("ARROW1\0\0"sv), "Arrow (Feather version 2)", "read_feather"},
      {text("\xff\xff\xff\xff\x10\0\0\0"sv), "a stream of Arrow", "open_stream"},
      {text("Obj\x01\x04"), "Avro", "fastavro"},
      {text("ORC\x11\0\0"sv), "ORC", "read_orc"},
      {text("\1\2\3\4\5\6\7\x08"
            "DUCK\x40\0\0\0"sv),
       "DuckDB's database", "duckdb -csv"},
      {std::string(16, '\0') + "\xde\xc0\xef\xbe", "LMDB's database", "lmdb"},
      {padded("MATLAB 5.0 MAT-file, Platform: GLNXA64", 128, ' '), "MATLAB (.mat)", "scipy.io.loadmat"},
      {padded("MATLAB 7.3 MAT-file, Platform: GLNXA64", 512, ' ') + "\x89HDF\r\n\x1a\n", "MATLAB (.mat 7.3, in HDF5)",
       "h5py"},
      {text("\x89HDF\r\n\x1a\n\0"sv), "HDF5", "read_hdf"},
      {padded("", 512) + "\x89HDF\r\n\x1a\n", "HDF5", "read_hdf"},
      {text("CDF\x01\0"sv), "netCDF", "xarray"},
      {text("\x80\x04\x95\x10\0"sv), "a pickle of Python", "read_pickle"},
      {text("\x80\x03"
            "cjoblib.numpy_pickle\n"),
       "joblib (a pickle of Python)", "joblib.load"},
      {text("(dp0\nS'a'\n"), "a pickle of Python", "read_pickle"},
      {text("RDX3\nX\n\0\0\0\3"sv), "R's data (.RData)", "Rscript"},
      {text("X\n\0\0\0\3\0\4"sv), "R's object (.rds)", "readRDS"},
      {text("<stata_dta><header>"), "Stata (.dta)", "read_stata"},
      {text("r\2\1\0\3"sv), "Stata (.dta)", "read_stata"},
      {text("l\1\1d\0\4"sv), "Stata (.dta)", "read_stata"},
      {text("\3\x5f\7\x1a\2\0\0\0\x41\0\5\0"sv) + padded("", 20) + padded("NAME\0\0\0\0\0\0\0C"sv, 32) + "\r a",
       "dBase (.dbf)", "dbfread"},
      {padded("\xd4\xc3\xb2\xa1\2\0\4\0", 40), "no text, and no format that is known here", "right file"},
      {text("\0a\0,\0b\0\n"sv), "UTF-16 without a mark of its byte order", "UTF-16BE"},
      {text("| a | b |\n|---|:-:|\n| 1 | x |\n"), "a table of Markdown", "s/ *| */\\t/g"},
      {text("+---+---+\n| a | b |\n+---+---+\n| 1 | x |\n"), "a table drawn with lines", "grep '^ *|'"},
      {text(" a | b\n---+---\n 1 | x\n(1 row)\n"), "a table drawn with lines", "sed '2d"},
      {text("INSERT INTO t VALUES (1,'x'),\n(2,'y');\n"), "SQL", "as CSV"},
      {text("\xdc\0\5\x88\xa4"
            "fall\xa4"
            "Fell"sv),
       "no text, and no format that is known here", "right file"},
      {text("# made by hand\n{\"a\": 1}\n{\"a\": 2}\n"), "JSON Lines below another line", "grep '^ *{'"},
      {text("- id: 1\n  name: a\n- id: 2\n"), "YAML", "yaml.safe_load"},
      {text("-\n  id: 1\n-\n  id: 2\n"), "YAML", "yaml.safe_load"},
      {text("---\nid: 1\n---\nid: 2\n"), "YAML", "yaml.safe_load"},
      {text("a,b\r\r\n1,2\r\r\n"), "text whose lines end in CR, CR and LF", "tr -d '\\r'"},
      {text("$FL2@(#) SPSS DATA FILE"), "SPSS (.sav)", "read_spss"},
      {text("HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!"), "SAS (transport)", "xport"},
      {text(
           "\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\0\x09\xc7\x31\x8c\x18\x1f\x10\x11\0"sv),
       "SAS (.sas7bdat)", "read_sas"},
      {tar(true), "a tar", "tar -xOf"},
      {tar(false), "a tar", "tar -xOf"},
      // The length 4, and its check sum as TensorFlow writes it.
      {text("\4\0\0\0\0\0\0\0BER\4rows\0\0\0\0"sv), "TensorFlow's records (TFRecord)", "TFRecordDataset"},
      {text("\x01\xab\xff\xffversion:\1\0\0\0\7\0"sv), "XGBoost's data (DMatrix.save_binary)", "d.get_label()"},
      {text("{L\0\0\0\0\0\0\0\7learner{L\0\0\0"sv), "an XGBoost model (.ubj)", "the rows that it was trained on"},
      {text("{\"learner\":{\"attributes\":{},\"feature_names\":[]}}"), "an XGBoost model (.json)", "right file"},
      {text("binf\0\0\0?\4\0\0\0"sv), "an XGBoost model", "right file"},
      {text("%PDF-1.7\n"), "PDF", "pdftotext"},
      {text("{\\rtf1\\ansi"), "RTF", "as CSV"},
      {text("\x89PNG\r\n\x1a\n"), "an image (PNG)", "PIL.Image"},
      {text("\xff\xd8\xff\xe0"), "an image (JPEG)", "PIL.Image"},
      {text("GIF89a\x01\0"sv), "an image (GIF)", "PIL.Image"},
      {text("II*\0\x08"sv), "an image (TIFF)", "PIL.Image"},
      {text("RIFF\x10\0\0\0WEBPVP8 \0"sv), "an image (WebP)", "PIL.Image"},
      {text("BM\x36\0\0\0\0\0\0\0\x36"sv), "an image (BMP)", "PIL.Image"},
      {text("\x7f"
            "ELF\2"),
       "a program", "right file"},
      {text("{\"cells\": [], \"nbformat\": 4}\n"), "a notebook of Jupyter", "to_csv"},
      {text("/* made by hand */\n{\"a\": 1}\n{\"a\": 2}\n"), "JSON Lines below another line", "grep '^ *{'"},
      {text("{\n \"cells\": [{\"source\": []}],\n \"nbformat\": 4\n}\n"), "a notebook of Jupyter", "to_csv"},
      {text("{\n\"a\": 1}\n"), "JSON that goes over several lines", "jq -c . FILE"},
      {text("[{\"a\": 1}]"), "a JSON array", "jq -c '.[]' FILE"},
      {text("[1 , 2]\n[3 , 4]\n"), "JSON arrays", "jq -r @csv"},
      {text("<!DOCTYPE html>\n"), "HTML", "read_html"},
      {text("\n <TABLE border=1>\n"), "HTML", "read_html"},
      {text("<?xml version='1.0'?>\n<rows/>\n"), "XML", "read_xml"},
      {text("<?xml version=\"1.0\"?>\n<?mso-application progid=\"Excel.Sheet\"?>\n"), "Excel (XML of 2003)",
       "ssconvert FILE"},
      {text("%%MatrixMarket matrix coordinate real general\n"), "Matrix Market", "mmread"},
      {text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n"),
       "a note that stands for a file kept elsewhere (git-lfs)", "git lfs pull"},
      {text("\xff\xfe"
            "a\0"sv),
       "UTF-16", "iconv"},
      {text("\xff\xfe\0\0a"sv), "UTF-32", "iconv"},
      {text("a\0,\0b\0\n\0"sv), "UTF-16 without a mark of its byte order", "UTF-16LE"},
      {text("a,b\r1,2\r3,4\r"), "text whose lines end in CR alone", "tr '\\r' '\\n'"},
      {text("{'a': 1, 'b': None}\n"), "dictionaries of Python, not JSON", "ast.literal_eval(row)"},
      {text("[{'a': 1}, {'a': 2}]\n"), "dictionaries of Python, not JSON", "ast.literal_eval(open('FILE').read())"},
      {text("{\"a\": 1, \"b\": \"x\"}\n{\"a\": None, \"b\": \"y\"}\n"), "dictionaries of Python, not JSON",
       "ast.literal_eval(row)"},
      {text("{\"_label_cost\":-1,\"_label_probability\":0.5,\"_label_Action\":2,\"c\":{\"_multi\":[]}}\n"),
       "logged decisions of a bandit (JSON of Vowpal Wabbit's decision service)", "halfspace bandit"},
      {text("{\"c\":{\"_multi\":[],\"_slots\":[]},\"_outcomes\":[]}\n"),
       "logged decisions of a bandit (JSON of Vowpal Wabbit's decision service)", "not supported"},
      {text("{\"_label\":1,\"f\":{\"13\":0.5}}\n"), "JSON of Vowpal Wabbit", ">NAME.vw"},
      {text("__label__neg bad film\n__label__pos good film\n"), "fastText's labels and words", ">NAME.vw"},
      {text("bad film __label__neg\ngood film __label__pos\n"), "fastText's labels and words", ">NAME.vw"},
      {text("(1.5, 'x')\n(2.5, 'y')\n"), "tuples of Python", "csv.writer"},
      {text("[1.5, 'x']\n[2.5, 'y']\n"), "lists of Python", "csv.writer"},
      {text("{0 1.5, 3 x}\n{1 2}\n"), "sparse rows of ARFF without a header", "@attribute"},
      {text("ASCII SPSS PORT FILE"), "SPSS (.por)", "read_por"},
      {text("structure(list(a = 1:2), class = \"data.frame\")\n"), "R's dput", "dget"},
      {text("\xac\xed\0\5sr"sv), "an object of Java, as Weka's models are", "right file"},
      {text("\0\0\0\n"sv), "no text, as it begins with bytes of value 0", "right file"},
  };
}

TEST(Foreign, IsNamedWithTheWayToAFileThatIsRead) {
  for (const Case& one : cases()) {
    const auto found = recognise_foreign(one.text);
    ASSERT_TRUE(found) << one.name;
    EXPECT_EQ(found->name, one.name);
    EXPECT_TRUE(has(found->fix, one.way));
    EXPECT_NE(found->kind, Foreign::Kind::own);
    // The reader says the same, whatever the compression; of what is text by the look of it alone, when no format is named.
    Folder folder;
    ReadOptions options{.path = folder.write("data", one.text), .format = DataFormat::csv};
    const Reading named = read_all(options);
    EXPECT_TRUE(named.failed || found->kind == Foreign::Kind::text) << one.name;
    if (found->kind == Foreign::Kind::binary) {
      EXPECT_TRUE(named.error.message().starts_with("this is " + std::string(one.name))) << named.error.what();
    }
    options.format = DataFormat::automatic;
    options.path = folder.write("data.gz", gzip(one.text));
    const Reading packed = read_all(options);
    EXPECT_TRUE(packed.error.message().starts_with("this is " + std::string(one.name))) << packed.error.what();
  }
}

TEST(Foreign, IsWhatIsPackedTwice) {
  const Reading twice = read_text(gzip(gzip("a,label\n1,x\n2,y\n")));
  EXPECT_TRUE(twice.error.message().starts_with("this is packed twice (gzip)")) << twice.error.what();
  EXPECT_TRUE(has(twice.error.hint(), "zcat FILE | halfspace ... -"));
}

TEST(Foreign, IsNamedAmongFurtherFilesToo) {
  Folder folder;
  ReadOptions options{.path = folder.write("a.csv", "a,b,label\n1,2,x\n3,4,y\n")};
  for (const Case& one : cases()) {
    options.more = {folder.write("b", one.text)};
    const Reading outcome = read_all(options);
    ASSERT_TRUE(outcome.failed) << one.name;
    EXPECT_TRUE(has(outcome.error.file(), "/b")) << outcome.error.what();
  }
}

TEST(Foreign, IsAFileOfHalfspaceInTheWrongPlace) {
  const std::pair<std::string_view, std::string_view> own[] = {
      {"\x89HSM\r\n\x1a\n\1\0\0\0"sv, "a Halfspace model"},
      {"\x89HSC\r\n\x1a\n\1\0\0\0"sv, "a Halfspace cache"},
      {"HSSC\5\0\0\0\0\0\0\0"sv, "the state of a Halfspace bandit"},
      {"{\"format\": \"halfspace certificate\",\n\"version\": 1,\n", "a Halfspace certificate"},
  };
  for (const auto& [text, name] : own) {
    const auto found = recognise_foreign(text);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(found->name, name);
    EXPECT_EQ(found->kind, Foreign::Kind::own);
  }
}

TEST(Foreign, IsNoTableThatBeginsWithTheSameLetters) {
  for (const std::string_view text : {""sv,
                                      "\n\n"sv,
                                      "+1 1:0.5\n-1 1:2\n"sv,
                                      "1\n2\n"sv,
                                      "1 qid:1 1:1\n1 qid:1 1:2\n"sv,
                                      "a,b,label\n1,2,x\n"sv,
                                      "a|b|c\n1|2|3\n"sv,
                                      "a | b,c\n1 | 2,3\n"sv,
                                      "a;b|c\n"sv,
                                      "\"a b\"\n\"c d\"\n"sv,
                                      "my label\nspam\nham\n"sv,
                                      "a\tb\n1\t2\n"sv,
                                      "a b\tc\n1 2\t3\n"sv,
                                      "{x},y\n1,2\n"sv,
                                      "@handle,y\n"sv,
                                      "%,y\n1,2\n"sv,
                                      "1 2 3"sv,
                                      "free text here\nand more text\n"sv,
                                      "x\0y,z\n"sv,
                                      "a,b,y\n\0001,2,x\n3,4,y\n5,6,x\n"sv,
                                      "- 1:0.5\n+ 1:2\n"sv,
                                      "- x y\n+ x z\n"sv,
                                      "---,a\n1,2\n"sv,
                                      "\xc4pfel,\xfc,y\n1,2,x\n"sv,
                                      "# note\na,b,y\n1,2,x\n"sv,
                                      "a|b\n--|++\nx|y\n"sv.substr(0, 4),
                                      "a|b|y\n-1|-2|x\n"sv,
                                      "|a b\n|c d\n"sv,
                                      "{\"a\":{\"x\":{\"0\":1}},\"y\":1}\n"sv,
                                      "{\"a\":1,\"b\":{\"0\":1},\"y\":1}\n"sv,
                                      "insert,into,y\n1,2,x\n"sv,
                                      "l\1;b\n"sv,
                                      "PARENT,y\n1,2\n"sv,
                                      "PAR1,PAR2,y\n1,2,3\n"sv,
                                      "FEA1,FEA2,y\n"sv,
                                      "ORC,ELF,y\n1,2,3\n"sv,
                                      "BMI,age\n31,2\n"sv,
                                      "species\nDUCK\nGOOSE\n"sv,
                                      "HSSC,y\n"sv,
                                      "LZIP,y\n"sv,
                                      "<DATE>,<OPEN>,<CLOSE>\n1,2,3\n"sv,
                                      "hello,i\n"sv,
                                      "quantity,y\r\n1,2\r\n"sv,
                                      "X\n1\n2\n"sv,
                                      "B\n2\n"sv,
                                      "a,b\n\"c\rd\",2\n"sv,
                                      "one line without an end\r"sv,
                                      "GIF,y\n"sv,
                                      "MM,dd\n"sv,
                                      "II,III\n"sv,
                                      "{\"cells\": 3, \"label\": 1}\n"sv,
                                      "r,s,t\n"sv,
                                      "{\"a\":\"_label_cost\",\"y\":1}\n"sv,
                                      "{\"_label\":1,\"a\":2}\n"sv,
                                      "{\"a\":\"x: True\",\"y\":1}\n"sv,
                                      "a\tb\nc\td\nx\ty\n"sv,
                                      "text,label\nmy__label__,x\n"sv,
                                      "(a),(b)\n"sv,
                                      "RDX,y\n"sv,
                                      "$F,L\n"sv,
                                      "Obj,y\n"sv}) {
    EXPECT_FALSE(recognise_foreign(text)) << text << " " << recognise_foreign(text)->name;
  }
}

}  // namespace
}  // namespace halfspace
