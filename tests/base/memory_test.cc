// Values that lose their memory half-way: what was begun is taken back, and nobody dies of it.

#include <new>

#include "base/json.h"
#include "support/test.h"

namespace {

thread_local long requests_left = -1;  // below 0: memory does not end

}  // namespace

// The sanitizers bring an operator new of their own, beside which there cannot be another.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define HALFSPACE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define HALFSPACE_SANITIZED 1
#endif
#endif

#ifndef HALFSPACE_SANITIZED
static void* given(std::size_t size) {
  if (requests_left == 0) throw std::bad_alloc();
  if (requests_left > 0) --requests_left;
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}

void* operator new(std::size_t size) { return given(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
#endif

namespace halfspace {
namespace {

// Does `work` with every number of requests that is too small, and returns how many it needs.
template <class Work>
long with_too_little_memory(const Work& work) {
  for (long enough = 0;; ++enough) {
    requests_left = enough;
    try {
      work();
      requests_left = -1;
      return enough;
    } catch (const std::bad_alloc&) {
      requests_left = -1;
    }
  }
}

TEST(JsonWithoutMemory, IsCopiedPrintedAndReadOrNot) {
#ifdef HALFSPACE_SANITIZED
  GTEST_SKIP() << "memory is the sanitizer's here";
#endif
  const std::string text = R"({"a":[1,[2.5,{"b":null,"a text that takes memory of its own":[[],{}]}]],"c":{"d":"x"}})";
  const Json json = Json::parse(text);
  EXPECT_GT(with_too_little_memory([&] { EXPECT_EQ(Json(json).size(), 2U); }), 5);
  Json to = {{"c", "what was there"}};
  with_too_little_memory([&] { to = json; });
  EXPECT_EQ(to, json);
  EXPECT_GT(with_too_little_memory([&] { EXPECT_EQ(json.dump(), text); }), 5);
  EXPECT_GT(with_too_little_memory([&] { EXPECT_EQ(Json::parse(text), json); }), 5);
}

}  // namespace
}  // namespace halfspace
