// Writes texts and names in C, and the functions that every row of a kind needs.
#include "model/c_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "halfspace/base/error.h"

namespace halfspace::model {
namespace {

// The keywords of C99 to C23, among them the names of types.
constexpr std::string_view c_keywords =
    " alignas alignof asm auto bool break case char complex const constexpr continue default do double else enum "
    "extern "
    "false float for fortran goto if imaginary inline int long noreturn nullptr register restrict return short signed "
    "sizeof static static_assert struct switch thread_local true typedef typeof typeof_unqual union unsigned void "
    "volatile while ";

// What the standard library declares: types, macros and functions.
constexpr std::string_view c_library =
    " FILE NAN NULL EOF INFINITY div_t fenv_t fexcept_t fpos_t imaxdiv_t jmp_buf ldiv_t lldiv_t max_align_t mbstate_t "
    "nullptr_t ptrdiff_t sig_atomic_t size_t time_t clock_t tm va_list wchar_t wctrans_t wctype_t wint_t lconv "
    "double_t float_t errno assert main offsetof setjmp longjmp stdin stdout stderr signal raise "
    "abort abs atexit atof atoi atol atoll bsearch calloc div exit free getenv labs ldiv llabs lldiv malloc mblen "
    "mbstowcs mbtowc qsort rand realloc srand strtod strtof strtol strtold strtoll strtoul strtoull system wcstombs "
    "wctomb aligned_alloc quick_exit at_quick_exit memalignment imaxabs imaxdiv strtoimax strtoumax "
    "clearerr fclose feof ferror fflush fgetc fgetpos fgets fopen fprintf fputc fputs fread freopen fscanf fseek "
    "fsetpos ftell fwrite getc getchar gets perror printf putc putchar puts remove rename rewind scanf setbuf setvbuf "
    "snprintf sprintf sscanf tmpfile tmpnam ungetc vfprintf vfscanf vprintf vscanf vsnprintf vsprintf vsscanf "
    "memchr memcmp memcpy memmove memset strcat strchr strcmp strcoll strcpy strcspn strerror strlen strncat strncmp "
    "strncpy strpbrk strrchr strspn strstr strtok strxfrm "
    "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper "
    "asctime clock ctime difftime gmtime localtime mktime strftime time timespec localeconv setlocale "
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma "
    "fmax fmin fmod fpclassify frexp hypot ilogb isfinite isgreater isgreaterequal isinf isless islessequal "
    "islessgreater isnan isnormal isunordered ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf "
    "nan nearbyint nextafter nexttoward pow remainder remquo rint round scalbln scalbn signbit sin sinh sqrt tan tanh "
    "tgamma trunc j0 j1 jn y0 y1 yn gamma signgam ";

bool is_word_of(std::string_view list, std::string_view word) {
  return list.find(" " + std::string(word) + " ") != std::string_view::npos;
}

// Returns whether the name is of the library; functions of <math.h> have twins for float and long double.
bool is_of_library(std::string_view name) {
  if (is_word_of(c_library, name)) return true;
  const bool twin = name.size() > 1 && (name.back() == 'f' || name.back() == 'l');
  if (twin && is_word_of(c_library.substr(c_library.find(" acos ")), name.substr(0, name.size() - 1))) return true;
  const std::string_view integer = name.starts_with('u') ? name.substr(1) : name;
  return integer.starts_with("int") && integer.ends_with("_t");
}

}  // namespace

std::string c_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const bool plain = c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '?';
    result += plain ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return result + '"';
}

std::string in_comment(std::string_view text) {
  std::string shown = c_string(text);
  for (std::size_t at = 0; (at = shown.find_first_of("*/", at)) != std::string::npos; ++at)
    shown.replace(at, 1, shown[at] == '*' ? "\\052" : "\\057");
  return shown;
}

std::string c_number(double value) { return fmt::format("{:a}", value); }

std::string c_labels(const std::string& name, const std::vector<std::string>& labels) {
  std::string text = fmt::format("const char *const {}_labels[{}] = {{", name, labels.size());
  for (std::size_t k = 0; k < labels.size(); ++k) text += (k == 0 ? "" : ", ") + c_string(labels[k]);
  return text + "};\n\n";
}

std::string c_weights(const std::vector<double>& weights) {
  std::string text = fmt::format("  static const double weight[{}] = {{", weights.size());
  for (std::size_t j = 0; j < weights.size(); ++j)
    text += (j == 0 ? "\n      " : j % 4 == 0 ? ",\n      " : ", ") + c_number(weights[j]);
  return text + "};\n";
}

void check_c_name(const std::string& name) {
  const auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const bool first = !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0;
  const auto refuse = [&](const std::string& why, const char* fix) {
    throw Error(ErrorKind::usage, "'" + name + "' " + why).fix(fix);
  };
  if (!first || !std::all_of(name.begin(), name.end(), in_name))
    refuse("is no name of a function in C", "use letters, digits and underscores, such as credit");
  if (name.front() == '_') refuse("is kept by C for the compiler: it begins with an underscore", "begin with a letter");
  if (is_word_of(c_keywords, name)) refuse("is a word of C itself", "use another name, such as credit");
  if (is_of_library(name)) refuse("is a name of C's library", "use another name, such as credit");
}

std::string c_norm_function(const std::string& name) {
  constexpr std::string_view text = R"(static double NAME_squares(const double *value, int count) {
  double lane[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  int i;
  for (i = 0; i < count; ++i) lane[i % 8] = fma(value[i], value[i], lane[i % 8]);
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* Divides a row by its norm. */
static void NAME_divide(double *value, int count) {
  double norm = NAME_squares(value, count), largest = 0;
  int i;
  if (!(norm > 1e-200 && norm < 1e200)) {
    for (i = 0; i < count; ++i) largest = fmax(largest, fabs(value[i]));
    if (largest == 0) return;
    const int exponent = ilogb(largest);
    for (i = 0; i < count; ++i) value[i] = ldexp(value[i], -exponent);
    norm = NAME_squares(value, count);
  }
  norm = sqrt(norm);
  for (i = 0; i < count; ++i) value[i] /= norm;
}

)";
  std::string code(text);
  for (std::size_t at = 0; (at = code.find("NAME", at)) != std::string::npos; at += name.size())
    code.replace(at, 4, name);
  return code;
}

std::string c_weekday_function(const std::string& name) {
  return fmt::format(
      "/* Returns 0 for Monday to 6 for Sunday, -1 for what is no day of the calendar. */\n"
      "static int {}_weekday(double year, double month, double day) {{\n"
      "  static const int days[12] = {{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}};\n"
      "  static const int shift[12] = {{0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4}};\n"
      "  if (!(year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= 31)) return -1;\n"
      "  const int y = (int)year, m = (int)month, d = (int)day;\n"
      "  const int leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);\n"
      "  if (year != y || month != m || day != d || d > days[m - 1] + (m == 2 && leap ? 1 : 0)) return -1;\n"
      "  const int from = m < 3 ? y - 1 : y;\n"
      "  return (from + from / 4 - from / 100 + from / 400 + shift[m - 1] + d + 6) % 7;\n}}\n\n",
      name);
}

}  // namespace halfspace::model
