#include "proof/certificate_support.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "proof/verify/sha256.h"
#include "support/python.h"
#include "support/test.h"

namespace halfspace::proof {
namespace {

mpq_class value_of(const std::string& decimal) {
  std::string digits;
  long exponent = 0;
  const std::size_t e = decimal.find_first_of("eE");
  bool behind = false;
  for (const char c : decimal.substr(0, e)) {
    if (c == '.') {
      behind = true;
    } else if (c != '+') {
      digits += c;
      exponent -= behind ? 1 : 0;
    }
  }
  if (e != std::string::npos) exponent += std::stol(decimal.substr(e + 1));
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::labs(exponent)));
  mpq_class value{mpz_class(digits, 10)};
  return exponent < 0 ? mpq_class(value / power) : mpq_class(value * power);
}

}  // namespace

Case::Case(std::string case_name, std::vector<std::vector<std::string>> x, std::vector<std::uint32_t> classes,
           BiasPosition bias, std::string scale, Question question)
    : name(std::move(case_name)), values(std::move(x)), klass(std::move(classes)) {
  Data& data = certificate.data;
  certificate.tool = "by hand";
  certificate.question = question;
  data.bias = bias;
  data.bias_scale = std::move(scale);
  data.features = values.empty() ? 0 : static_cast<std::uint32_t>(values[0].size());
  std::uint32_t most = 1;
  for (const std::uint32_t k : klass) most = std::max(most, k);
  for (std::uint32_t k = 0; k <= most; ++k) {
    const std::string label = question == Question::many_classes ? std::to_string(k) : k == 0 ? "-1" : "+1";
    const std::uint64_t rows = static_cast<std::uint64_t>(std::count(klass.begin(), klass.end(), k));
    data.classes.push_back({rows > 0 ? std::vector{label} : std::vector<std::string>{}, rows});
  }
}

std::string Case::libsvm() const {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += certificate.data.classes[klass[i]].labels[0];
    for (std::size_t j = 0; j < values[i].size(); ++j) text += " " + std::to_string(j + 1) + ":" + values[i][j];
    text += "\n";
  }
  return text;
}

std::string Case::csv() const {
  std::string text;
  for (std::uint32_t j = 0; j < certificate.data.features; ++j) text += "x" + std::to_string(j) + ",";
  text += "y\n";
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (const std::string& value : values[i]) text += value + ",";
    text += certificate.data.classes[klass[i]].labels[0] + "\n";
  }
  return text;
}

std::string Case::write_data(const TemporaryFolder& folder, TextFormat format) {
  Data& data = certificate.data;
  data.format = format;
  data.columns.clear();
  if (format == TextFormat::csv) {
    for (std::uint32_t j = 0; j < data.features; ++j) {
      data.columns.push_back({"x" + std::to_string(j), CsvColumn::Role::numeric, j, {}, {}, {}});
    }
    data.columns.push_back({"y", CsvColumn::Role::label, {}, {}, {}, {}});
  }
  const std::string path =
      format == TextFormat::csv ? folder.write(name + ".csv", csv()) : folder.write(name + ".libsvm", libsvm());
  data.sources = {{describe_files(format, path), values.size()}};
  return path;
}

Point Case::point(std::size_t row) const {
  Point x;
  for (const std::string& value : values[row]) x.push_back(value_of(value));
  x.push_back(certificate.data.bias == BiasPosition::none ? mpq_class(0) : mpq_class(certificate.data.bias_scale));
  return x;
}

std::uint32_t Case::add_separator(const std::vector<Point>& vectors) {
  mpz_class common = 1;
  for (const Point& w : vectors) {
    for (const mpq_class& weight : w) common = lcm(common, weight.get_den());
  }
  Separator separator;
  std::vector<Point> whole = vectors;
  mpq_class squares = 0;
  for (Point& w : whole) {
    WeightVector vector;
    for (mpq_class& weight : w) {
      weight *= common;
      squares += weight * weight;
      vector.weights.push_back(weight.get_str());
    }
    vector.bias = vector.weights.back();
    vector.weights.pop_back();
    separator.vectors.push_back(vector);
  }
  separator.squared_norm = squares.get_str();
  std::vector<mpq_class> agreements;
  const auto score = [&](const Point& w, const Point& x) {
    mpq_class sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) sum += w[j] * x[j];
    return sum;
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Point x = point(i);
    mpq_class agreement;
    if (certificate.question == Question::two_classes) {
      agreement = klass[i] == 1 ? score(whole[0], x) : mpq_class(-score(whole[0], x));
      if (agreement == 0) ++(klass[i] == 1 ? separator.zero_positive : separator.zero_negative);
    } else {
      bool first = true;
      for (std::size_t k = 0; k < whole.size(); ++k) {
        if (k == klass[i]) continue;
        const mpq_class lead = score(whole[klass[i]], x) - score(whole[k], x);
        if (first || lead < agreement) agreement = lead;
        first = false;
      }
      if (agreement == 0) ++separator.zero_negative;
    }
    if (agreement < 0) ++separator.wrong;
    agreements.push_back(agreement);
  }
  separator.minimum = agreements.empty() ? "none" : std::min_element(agreements.begin(), agreements.end())->get_str();
  certificate.separators.push_back(separator);
  return static_cast<std::uint32_t>(certificate.separators.size() - 1);
}

std::uint32_t Case::add_combination(const std::vector<std::pair<std::size_t, mpq_class>>& rows) {
  mpz_class common = 1;
  for (const auto& [row, weight] : rows) common = lcm(common, weight.get_den());
  Combination combination;
  mpq_class total = 0;
  Point sum(certificate.data.features + 1);
  for (const auto& [row, weight] : rows) {
    const mpq_class times = weight * common;
    combination.terms.push_back({0, row + 1, klass[row], 0, times.get_str()});
    total += times;
    const Point x = point(row);
    for (std::size_t j = 0; j < x.size(); ++j) sum[j] += (klass[row] == 1 ? times : mpq_class(-times)) * x[j];
  }
  mpq_class length = 0;
  for (const mpq_class& s : sum) length += s * s;
  combination.squared_distance = mpq_class(length / (total * total)).get_str();
  certificate.combinations.push_back(combination);
  return static_cast<std::uint32_t>(certificate.combinations.size() - 1);
}

void Case::claim(ClaimKind kind, std::uint32_t by, const std::string& count, ErrorRule tie) {
  Claim made;
  made.kind = kind;
  made.by = by;
  made.count = count;
  made.tie = tie;
  certificate.claims.push_back(made);
  if (kind == ClaimKind::separable) certificate.verdict = Verdict::separable;
  if (kind == ClaimKind::not_separable) certificate.verdict = Verdict::not_separable;
}

std::string exact_decimal(double value) {
  char text[1200];
  std::snprintf(text, sizeof text, "%.1100e", value);
  std::string digits = text;
  const std::size_t e = digits.find('e');
  std::size_t end = e;
  while (digits[end - 1] == '0') --end;
  return digits.substr(0, end) + digits.substr(e);
}

std::string decimal(const Json& number) {
  return exact_decimal(number.is_string() ? std::strtod(number.get<std::string>().c_str(), nullptr)
                                          : number.get<double>());
}

std::string sealed(std::string text) {
  text.resize(text.rfind("\"checksum\""));
  Sha256 checksum;
  checksum.add(text);
  return text + "\"checksum\": \"" + checksum.finish() + "\"}\n";
}

Outcome run(const std::string& command) {
  Outcome outcome;
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  char piece[4096];
  for (std::size_t got; (got = std::fread(piece, 1, sizeof piece, pipe)) > 0;) outcome.output.append(piece, got);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

std::string checker() { return testing::python() + "'" HALFSPACE_SOURCE_DIR "/tools/verify-certificate'"; }

namespace {

// One interpreter for all that a process asks: it ends with the pipe.
struct PlainChecker {
  TemporaryFolder folder;
  std::FILE *to = nullptr, *from = nullptr;

  PlainChecker() {
    const std::string answers = folder.path("answers");
    const std::string line = testing::python() +
                             "'" HALFSPACE_SOURCE_DIR "/tests/proof/check_all.py' '" HALFSPACE_SOURCE_DIR
                             "/tools/verify-certificate' >'" +
                             answers + "'";
    if (mkfifo(answers.c_str(), 0600) != 0 || (to = popen(line.c_str(), "we")) == nullptr ||
        (from = std::fopen(answers.c_str(), "re")) == nullptr)
      throw std::runtime_error("cannot run " + line);
  }
  ~PlainChecker() {
    pclose(to);
    std::fclose(from);
  }
};

PlainChecker& plain_checker() {
  static PlainChecker one;
  return one;
}

}  // namespace

Outcome plain_check(const std::string& certificate, const std::vector<std::string>& data) {
  const auto& [folder, to, from] = plain_checker();
  std::string task = certificate;
  for (const std::string& file : data) task += "\t" + file;
  std::fprintf(to, "%s\n", task.c_str());
  std::fflush(to);
  Outcome outcome;
  std::size_t bytes = 0;
  if (std::fscanf(from, "%d %zu", &outcome.status, &bytes) != 2 || std::fgetc(from) != '\n')
    throw std::runtime_error("the checker gives no answer");
  outcome.output.resize(bytes);
  if (std::fread(outcome.output.data(), 1, bytes, from) != bytes) throw std::runtime_error("the checker broke off");
  return outcome;
}

void expect_plain(int status, const std::string& text, const std::vector<std::string>& data, const std::string& what) {
  const Outcome outcome = plain_check(plain_checker().folder.write("certificate", text), data);
  EXPECT_EQ(outcome.status, status) << what << "\n" << outcome.output << text;
}

int status_of(const std::string& text, const std::vector<std::string>& data) {
  try {
    const Verification result = verify(decode_certificate(text, "c"), data);
    EXPECT_EQ(result.valid, result.reason.empty());
    return result.valid ? 0 : 1;
  } catch (const Error& error) {
    return static_cast<int>(error.kind());
  }
}

}  // namespace halfspace::proof
