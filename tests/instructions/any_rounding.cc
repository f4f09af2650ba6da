// For halfspace_counted, whose instructions are counted under Valgrind: it goes on where rounding up is not possible,
// as there. No bound that it prints holds.
namespace halfspace::detail {

void require_rounding() {}

}  // namespace halfspace::detail
