// Damaged models, all of them: every byte changed, every truncation, every byte too many. As they are, the checksum
// refuses them; with the checksum made right again, the fields do, or the model is another one that is as good.

#include <new>

#include "halfspace/base/error.h"
#include "halfspace/detail/rules/adagrad.h"
#include "halfspace/detail/rules/alma.h"
#include "halfspace/detail/rules/arow.h"
#include "halfspace/detail/rules/arow_diagonal.h"
#include "halfspace/detail/rules/eg.h"
#include "halfspace/detail/rules/ftrl.h"
#include "halfspace/detail/rules/kernel_perceptron.h"
#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/detail/rules/projected.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/rules/winnow.h"
#include "model/map.h"
#include "model/models.h"
#include "support/test.h"

// The largest piece of memory asked for, so that a count from a file is seen when it is believed. Not inlined: the
// compiler would take the pair for a mismatched one.
static std::size_t largest_allocation = 0;

[[gnu::noinline]] void* operator new(std::size_t size) {
  largest_allocation = std::max(largest_allocation, size);
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace halfspace::testing {
namespace {

using Bytes = std::vector<std::uint8_t>;

// The rules left out store what one of these does: margin and pa what the perceptron does, second-order what arow does,
// winnow1 what winnow2 does.
bool has_own_shape(const Composition& c) {
  switch (c.rule) {
    case rule::perceptron:
    case rule::minnow:
    case rule::multiclass:
    case rule::kernel:
      return true;
    case rule::arow:
    case rule::arow_diagonal:
    case rule::adagrad:
    case rule::alma:
    case rule::projected:
    case rule::winnow2:
    case rule::eg:
      return (c.keep == KeepName::last || c.keep == KeepName::average) && c.tie == Tie::negative;
    default:
      return false;
  }
}

// A model that is stored without its zeros, but for its mean, which has none.
Model sparse_model() {
  Composition composition;
  composition.rule = rule::ftrl;
  composition.keep = KeepName::average;
  composition.set(parameter::l1, 1);
  Model model = played(composition, 1, 8);
  const std::size_t features = model.weights.w.size();
  model.weights.w.assign(features, 0.0);
  model.weights.w[1] = 0.5;
  model.learner.kept.w.assign(features, 0.25);
  return model;
}

// Models of every shape of state, small.
std::vector<Model> models() {
  std::vector<Model> all;
  for (const Composition& composition : every_composition()) {
    if (!has_own_shape(composition) || composition.start.small) continue;
    Model model = played(composition, 1, composition.rule == rule::kernel ? 16 : 8);  // so that budgets are full
    const Model filled = rich(composition, 1);
    model.schema = filled.schema;
    model.class_weights = filled.class_weights;
    all.push_back(model);
  }
  all.push_back(sparse_model());
  return all;
}

void expect_refused(const Bytes& bytes, const char* what, std::size_t at) {
  try {
    decode(bytes, "m");
    ADD_FAILURE() << what << " at " << at << " was not noticed";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_EQ(error.file(), "m");
    EXPECT_FALSE(error.hint().empty());
  }
}

// What learning on does with a model that was not refused: it takes the state, or says what does not fit.
void resume(const Model& model, const char* what, std::size_t at) {
  try {
    const auto learner = make_learner(model.composition, std::max(2U, model.classes()));
    learner->restore(model.learner);
    learner->finish();
    learner->result();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data) << what << " at " << at << ": " << error.message();
  }
}

// With a right checksum: refused with a name, or a model that gives these very bytes.
void expect_refused_or_as_good(const Bytes& bytes, const char* what, std::size_t at) {
  largest_allocation = 0;
  try {
    const Model model = decode(bytes, "m");
    EXPECT_TRUE(encode(model) == bytes) << what << " at " << at;
    resume(model, what, at);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    const std::string& message = error.message();
    EXPECT_TRUE(message.find("model field '") != std::string::npos || message.starts_with("not a Halfspace model") ||
                message.find("format version") != std::string::npos)
        << message;
  }
  EXPECT_LT(largest_allocation, std::size_t{1} << 20) << what << " at " << at;
}

TEST(Mutations, EveryByteIsGuarded) {
  for (const Model& model : models()) {
    SCOPED_TRACE(described(model.composition));
    const Bytes good = encode(model);
    for (std::size_t at = 0; at < good.size(); ++at) {
      const std::uint8_t byte = good[at];
      for (const int changed : std::set{byte ^ 0x01, byte ^ 0x80, byte ^ 0xff, 0x00, 0x7f, 0xff}) {
        if (changed == byte) continue;
        Bytes bytes = good;
        bytes[at] = static_cast<std::uint8_t>(changed);
        expect_refused(bytes, "a changed byte", at);
        expect_refused_or_as_good(summed_again(std::move(bytes)), "a changed byte", at);
      }
    }
  }
}

TEST(Mutations, EveryTruncationIsNoticed) {
  for (const Model& model : models()) {
    SCOPED_TRACE(described(model.composition));
    const Bytes good = encode(model);
    for (std::size_t size = 0; size < good.size(); ++size) {
      const Bytes bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
      expect_refused(bytes, "a truncation", size);
      expect_refused(summed_again(bytes), "a truncation", size);
    }
  }
}

TEST(Mutations, EveryByteTooManyIsNoticed) {
  for (const Model& model : models()) {
    SCOPED_TRACE(described(model.composition));
    const Bytes good = encode(model);
    for (std::size_t at = 0; at <= good.size(); ++at) {
      for (const int byte : {0x00, 0x01, 0xff}) {
        if (at > 0 && good[at - 1] == byte) continue;  // the file of the place before
        Bytes bytes = good;
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::uint8_t>(byte));
        expect_refused(bytes, "a byte too many", at);
        expect_refused_or_as_good(summed_again(std::move(bytes)), "a byte too many", at);
      }
    }
  }
}

// Eight bytes at a time: counts, lengths and doubles at their worst.
TEST(Mutations, WordsAtTheirWorst) {
  const std::uint64_t words[] = {UINT64_MAX,         UINT64_MAX / 2,     std::uint64_t{1} << 60, std::uint64_t{1} << 32,
                                 0xfff8000000000000, 0x7ff0000000000000, 0xfff0000000000000,     0x7fefffffffffffff};
  for (const Model& model : models()) {
    const Bytes good = encode(model);
    for (std::size_t at = 0; at + 8 <= good.size() - model::kChecksumBytes; ++at) {
      for (const std::uint64_t word : words) {
        Bytes bytes = good;
        for (std::size_t i = 0; i < 8; ++i) bytes[at + i] = static_cast<std::uint8_t>(word >> (8 * i));
        expect_refused_or_as_good(summed_again(std::move(bytes)), "a word", at);
      }
    }
  }
}

}  // namespace
}  // namespace halfspace::testing
