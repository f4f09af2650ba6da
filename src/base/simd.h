// Selects the version of a vector function for this machine. Highway compiles a function once for every instruction
// set; its own selection is in a shared library that calibrates a clock on loading, which takes longer than training on
// a small file. Here the processor is queried once, at load time, and Highway stays header-only.
//
//   HALFSPACE_VERSIONS(sum);                      // after HWY_ONCE, outside the versions' namespaces
//   double sum(const double* x, std::size_t n) { return HALFSPACE_BEST(sum)(x, n); }
//
//   HALFSPACE_VERSIONS_BY_VALUE(sum_of);          // of a function template with one parameter, a type
//   template <class Value> double sum(const Value* x, std::size_t n) { return HALFSPACE_BEST_BY_VALUE(sum_of)(x, n); }
//
// Thread-safety: reading is safe; use() is for tests, while nothing else runs.
#pragma once

#include <hwy/highway.h>

#include <cstddef>
#include <vector>

namespace halfspace::simd {

// A level is an index into a table of versions: best first, the plain code that runs on every machine last.
inline constexpr std::size_t levels = HWY_MAX_DYNAMIC_TARGETS + 1;

// Returns the level in use.
extern std::size_t level;

// Return the levels this machine can run, best first; their names; whether their multiply-add rounds once.
std::vector<std::size_t> runnable();
const char* name_of(std::size_t level);
bool fuses(std::size_t level);
// Uses this level from now on, or (no argument) the best again.
void use(std::size_t level);
void use();

template <class Function>
class Versions {
 public:
  // Takes the compiled versions. A missing version is replaced by the next level below: a machine that can run a level
  // can run those below.
  constexpr explicit Versions(const Function (&compiled)[levels]) {
    Function below = compiled[levels - 1];
    for (std::size_t i = levels; i-- > 0;) {
      if (compiled[i] != nullptr) below = compiled[i];
      of_[i] = below;
    }
  }
  Function operator*() const noexcept { return of_[level]; }

 private:
  Function of_[levels] = {};
};

}  // namespace halfspace::simd

// NOLINTBEGIN(bugprone-macro-parentheses): a name in parentheses is not a name.
#define HALFSPACE_VERSIONS(function)                                                                   \
  constexpr ::halfspace::simd::Versions<decltype(&HWY_STATIC_DISPATCH(function))> function##_versions( \
      {HWY_CHOOSE_TARGET_LIST(function), HWY_CHOOSE_FALLBACK(function)})
#define HALFSPACE_BEST(function) (*function##_versions)

#define HALFSPACE_VERSIONS_BY_VALUE(function)                                                                 \
  template <class Value>                                                                                      \
  constexpr ::halfspace::simd::Versions<decltype(&HWY_STATIC_DISPATCH(function<Value>))> function##_versions( \
      {HWY_CHOOSE_TARGET_LIST(function<Value>), HWY_CHOOSE_FALLBACK(function<Value>)})
#define HALFSPACE_BEST_BY_VALUE(function) (*function##_versions<Value>)
// NOLINTEND(bugprone-macro-parentheses)
