// Weights as images: every pixel where its feature is, with the shade of its weight.
#include "report/figures/weight_image.h"

#include "halfspace/base/error.h"
#include "report/pages/page.h"
#include "report/runs.h"
#include "support/test.h"

namespace halfspace::report {
namespace {

TEST(WeightImage, PixelsHaveThePlaceAndTheShadeOfTheirWeights) {
  const std::string svg = image_svg("w", {{2, 2, -1}, {0, 0.04, 2}}, 2);
  EXPECT_TRUE(has(svg, "viewBox=\"0 0 3 2\""));
  // Two neighbours of one shade are one line; 0.04 of 2 is less than half a shade.
  EXPECT_TRUE(has(svg, "<path class=\"more\" stroke-opacity=\"1.0\" d=\"M0 0.5h2M2 1.5h1\"/>",
                  "<path class=\"less\" stroke-opacity=\"0.5\" d=\"M2 0.5h1\"/>"));
  EXPECT_EQ(count(svg, "<path"), 2U) << svg;
}

TEST(WeightImage, TheScaleNamesItsEnds) {
  const std::string scale = image_scale_svg(0.25);
  EXPECT_TRUE(has(scale, ">−0.25</text>", ">0.25</text>"));
  EXPECT_EQ(count(scale, "<path class=\"more\""), 10U);
  EXPECT_EQ(count(scale, "<path class=\"less\""), 10U);
}

TEST(WeightImage, SizesAreReadOrRefused) {
  EXPECT_EQ(image_size("28x14").width, 28U);
  EXPECT_EQ(image_size("28x14").height, 14U);
  for (const char* text :
       {"", "28", "x28", "28x", "0x4", "-2x4", "2.5x4", "28x28x3", "28 x 28", "99999x1", "257x1", "65x64"})
    EXPECT_THROW(image_size(text), Error) << text;
  EXPECT_EQ(image_size("64x64").width, 64U);
}

// A model of two classes, as weights alone.
Model model_of(std::vector<double> weights, std::uint32_t classes = 1) {
  Model model;
  model.weights.classes = classes;
  model.weights.w = std::move(weights);
  model.schema.labels.names = {"no", "yes", "perhaps"};
  model.schema.features = static_cast<std::uint32_t>(model.weights.w.size() / classes);
  return model;
}

TEST(WeightImage, FeaturesAreItsPixels) {
  const Json two = weight_image(model_of({1, 2, 3, -4, 5, 6}), {3, 2});
  EXPECT_EQ(two, Json::parse(R"({"width": 3, "height": 2, "features": 6, "largest": 6,
    "classes": {"yes": [[1, 2, 3], [-4, 5, 6]]}})"));
  const Json three = weight_image(model_of({1, 2, 3, 4, 5, 6}, 3), {1, 2});
  EXPECT_EQ(three["classes"], Json::parse(R"({"no": [[1], [4]], "yes": [[2], [5]], "perhaps": [[3], [6]]})"));
  // LIBSVM text ends with the last pixel that ever occurs.
  EXPECT_EQ(weight_image(model_of({1, 2, 3, -4, 5}), {3, 2})["classes"]["yes"][1], Json::parse("[-4, 5, 0]"));
}

void expect_refused(const Model& model, ImageSize size, const std::string& why) {
  try {
    weight_image(model, size);
    FAIL() << why;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_TRUE(has(error.message(), why));
  }
}

TEST(WeightImage, OtherNumbersOfFeaturesAreRefused) {
  expect_refused(model_of({1, 2, 3, 4}), {3, 1}, "needs 3 features, one a pixel; the data have 4");
  expect_refused(model_of({1, 2, 3}), {3, 2}, "needs 6 features, one a pixel; the data have 3");
  expect_refused(model_of({}), {3, 2}, "which this model does not have");
  Model table = model_of({1, 2, 3, 4, 5});
  table.schema.columns.resize(5);
  for (std::uint32_t f = 0; f < 5; ++f) table.schema.columns[f].feature = f;
  expect_refused(table, {3, 2}, "needs 6 features, one a pixel; the data have 5");
}

TEST(WeightImage, APageHasItInsteadOfBars) {
  Json run = train_run();
  EXPECT_EQ(count(page(run), "<svg class=\"image\""), 0U);
  run["figures"]["weights"]["image"] = weight_image(model_of({2, -1}), {2, 1});
  const std::string html = page(run);
  EXPECT_EQ(count(html, "<svg class=\"image\""), 1U);
  EXPECT_TRUE(has(html, "<h4>yes</h4>", "<path class=\"more\" stroke-opacity=\"1.0\" d=\"M0 0.5h1\"/>"));
  EXPECT_TRUE(lacks(html, "Weights by feature"));
}

}  // namespace
}  // namespace halfspace::report
