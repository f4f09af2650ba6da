// Detects the processor's features.
#define HWY_WANT_AVX3_DL
#include "base/simd.h"

#include <bit>
#include <cstdint>

namespace halfspace::simd {
namespace {

constexpr std::size_t index_of(std::int64_t target) {
  return static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(target)) -
                                  (HWY_HIGHEST_TARGET_BIT + 1 - HWY_MAX_DYNAMIC_TARGETS));
}

constexpr std::size_t plain = levels - 1;

#if HWY_ARCH_X86
bool has(std::size_t wanted) {
  __builtin_cpu_init();
  if (wanted > index_of(HWY_SSSE3)) return wanted == plain;
  const bool ssse3 = __builtin_cpu_supports("ssse3");
  if (wanted == index_of(HWY_SSSE3)) return ssse3;
  const bool sse4 = ssse3 && __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("sse4.2") &&
                    __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul");
  if (wanted == index_of(HWY_SSE4)) return sse4;
  const bool avx2 = sse4 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  if (wanted == index_of(HWY_AVX2)) return avx2;
  const bool avx3 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                    __builtin_cpu_supports("avx512cd");
  if (wanted == index_of(HWY_AVX3)) return avx3;
  return wanted == index_of(HWY_AVX3_DL) && avx3 && __builtin_cpu_supports("avx512vbmi") &&
         __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bitalg") &&
         __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vnni") &&
         __builtin_cpu_supports("gfni") && __builtin_cpu_supports("vpclmulqdq");
}
#else
// The level that the compiler may assume.
constexpr std::size_t built_for =
    HWY_STATIC_TARGET == HWY_SCALAR || HWY_STATIC_TARGET == HWY_EMU128 ? plain : index_of(HWY_STATIC_TARGET);
bool has(std::size_t wanted) { return wanted == built_for || wanted == plain; }
#endif

std::size_t best() {
  std::size_t wanted = 0;
  while (!has(wanted)) ++wanted;
  return wanted;
}

}  // namespace

std::size_t level = best();

std::vector<std::size_t> runnable() {
  std::vector<std::size_t> result;
  for (std::size_t wanted = 0; wanted < levels; ++wanted) {
    if (has(wanted)) result.push_back(wanted);
  }
  return result;
}

const char* name_of(std::size_t wanted) {
  if (wanted == plain) return "plain";
  return hwy::TargetName(std::int64_t{1} << (wanted + (HWY_HIGHEST_TARGET_BIT + 1 - HWY_MAX_DYNAMIC_TARGETS)));
}

bool fuses(std::size_t wanted) {
#if HWY_ARCH_X86
  return wanted <= index_of(HWY_AVX2);
#else
  return wanted != plain;
#endif
}

void use(std::size_t wanted) { level = wanted; }
void use() { level = best(); }

}  // namespace halfspace::simd
