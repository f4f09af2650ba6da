// Rows packed: indices below 65536 in 16 bits, and doubles that are short decimals in 32. Text data are mostly such:
// six bytes a value where twelve were, unpacked row by row in the time that memory takes to give twelve.
//
// A decimal is a sign (the top bit), a number of places k (4 bits) and digits m (27 bits): the double nearest to
// +-m / 10^k. What packs is what unpacks to the same bits; every number of up to 7 digits with at most 15 digits
// after the point does.
//
// Thread-safety: pure functions. Unpacking rounds to nearest in whatever mode the caller computes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace halfspace::kernels {

// Packs values; returns false when one of the values is no such decimal; `decimal` then holds nothing of use.
bool pack_decimals(const double* value, std::size_t count, std::uint32_t* decimal);
void unpack_decimals(const std::uint32_t* decimal, std::size_t count, double* value);

// Indices that are all below 65536.
void narrow(const std::uint32_t* index, std::size_t count, std::uint16_t* narrow);

// One row; either array may be null, and what it would fill is left alone. `index` and `value` have room for
// row_padding numbers more, whose content is unspecified then. Prefetches what is `ahead` values further.
inline constexpr std::size_t row_padding = 16;
void unpack_row(const std::uint16_t* narrow, const std::uint32_t* decimal, std::size_t count, std::size_t ahead,
                std::uint32_t* index, double* value);

}  // namespace halfspace::kernels
