// Evaluation and prediction: a look at the files, then slices of the rows.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/settings.h"
#include "jobs/course.h"
#include "report/results/json.h"

namespace halfspace::jobs {
namespace {

enum UseStep : std::uint64_t { looking, using_model, used };

// Of prediction, so that the lines of a step fit into memory: bytes, or rows of a cache.
constexpr std::uint64_t most_bytes_a_slice = std::uint64_t{16} << 20, most_rows_a_slice = std::uint64_t{1} << 18;

// Returns how to read the data for the model. `weighted`: with the weights of rows.
ReadOptions read_with(const Order& order, const Model& model, bool& weighted) {
  EvaluateSettings settings;
  const std::vector<Option> options = options_of(settings);
  for (const auto& [name, value] : order.options.options) set_option(options, name, value);
  settings.data.paths = order.options.paths;
  if (settings.data.paths.empty()) settings.data.paths = {"<memory>"};  // which is not opened: rows are given
  weighted = order.kind == Kind::evaluate && settings.weighted;
  ReadOptions read = read_for(model, evaluate_options(settings).read, weighted);
  read.labels.ignore = order.kind == Kind::predict;
  return read;
}

class UseCourse : public Course {
 public:
  explicit UseCourse(const Order& order) : order_(order), model_(decode(order.model, "<job>")) {
    PredictSettings settings;
    std::vector<Option> used = options_of(settings);
    EvaluateSettings weights;
    if (order.kind == Kind::evaluate) {
      for (Option& one : evaluation_options(weights)) {
        if (one.name == "weight" || one.name == "unweighted") used.push_back(std::move(one));
      }
    }
    refuse_idle(order, used);
    bool weighted = false;
    read_with(order, model_, weighted);  // wrong options are refused before any task
    if (!order.options.paths.empty() && !order.by_file) return;
    step_ = using_model;
    slices_ = order.by_file ? order.options.paths.size() : order.tasks;
  }

  std::vector<Errand> errands() const override {
    if (step_ == used) return {};
    if (step_ == looking) return {{looking, 0, 1, 0}};
    std::vector<Errand> errands;
    for (std::uint64_t slice = done_; slice < std::min<std::uint64_t>(slices_, done_ + order_.tasks); ++slice)
      errands.push_back({using_model, static_cast<std::uint32_t>(slice), 1, order_.by_file ? slice : 0});
    return errands;
  }
  std::string step() const override {
    if (step_ != using_model) return step_ == looking ? "the first look at the files" : "the end";
    return order_.kind == Kind::evaluate ? "the evaluation of its rows" : "the predictions of its rows";
  }
  std::vector<Part> shared() const override { return {files_, part_of(slices_)}; }
  void go_on(const std::vector<Part>& results) override {
    if (step_ == looking) {
      files_ = without_notes(results.at(0));
      slices_ = slices_of(decode_plan(files_).files);
      step_ = using_model;
    } else {
      for (const Part& result : results) add(result);
      done_ += results.size();
      if (done_ >= slices_) step_ = used;
    }
  }
  std::vector<Part> saved() const override { return {part_of(step_), files_, part_of(slices_), part_of(done_), sum()}; }
  bool restore(const std::vector<Part>& saved) override {
    if (saved.size() != 5 || number_of(saved[0]) > used) throw damaged("job");
    step_ = static_cast<UseStep>(number_of(saved[0]));
    files_ = saved[1];
    slices_ = number_of(saved[2]);
    done_ = number_of(saved[3]);
    add(saved[4]);
    return true;
  }

 protected:
  // Adds the result of a slice; returns the sum of all in the same form.
  virtual void add(const Part& result) = 0;
  virtual Part sum() const = 0;
  const Model& its_model() const { return model_; }

 private:
  std::uint64_t slices_of(const std::vector<FileRows>& files) const {
    std::uint64_t slices = 1;
    for (const FileRows& file : files) {
      if (!file.compressed) slices += (file.end - file.begin) / (file.cached ? most_rows_a_slice : most_bytes_a_slice);
    }
    return order_.kind == Kind::evaluate ? order_.tasks : std::max<std::uint64_t>(slices, order_.tasks);
  }

  Order order_;
  Model model_;
  UseStep step_ = looking;
  Part files_;
  std::uint64_t slices_ = 0, done_ = 0;
};

class EvaluateCourse final : public UseCourse {
 public:
  explicit EvaluateCourse(const Order& order)
      : UseCourse(order), counts_(std::max<std::size_t>(2, its_model().classes())) {}

  std::string json() const override {
    report::Json j;
    j["rows"] = report::sum_of_weights(counts_.rows());
    j["errors"] = report::sum_of_weights(counts_.errors());
    j["rejected"] = rejected_;
    j["confusion"] = report::Json::array();
    for (const double sum : counts_.counts()) j["confusion"].push_back(report::sum_of_weights(sum));
    return j.dump();
  }

 private:
  void add(const Part& result) override {
    const std::vector<Part> parts = unpacked(result, 'e', "result");
    const std::size_t classes = counts_.classes();
    if (parts.size() != 1 + classes * classes)
      throw Error(ErrorKind::data, "the result is of another model").fix("do the task again");
    rejected_ += number_of(parts[0]);
    for (std::size_t k = 0; k < classes * classes; ++k)
      counts_.add(static_cast<std::int32_t>(k / classes), static_cast<std::int32_t>(k % classes),
                  std::bit_cast<double>(number_of(parts[1 + k])));
  }
  Part sum() const override;

  ConfusionTable counts_;
  std::uint64_t rejected_ = 0;
};

Part part_of_counts(const ConfusionTable& counts, std::uint64_t rejected) {
  std::vector<Part> parts{part_of(rejected)};
  for (const double sum : counts.counts()) parts.push_back(part_of(std::bit_cast<std::uint64_t>(sum)));
  return packed('e', parts);
}

Part EvaluateCourse::sum() const { return part_of_counts(counts_, rejected_); }

class PredictCourse final : public UseCourse {
 public:
  using UseCourse::UseCourse;
  std::string* lines() override { return &lines_; }

 private:
  void add(const Part& result) override { lines_.append(result.begin(), result.end()); }
  Part sum() const override { return part_of(lines_); }

  std::string lines_;
};

// Evaluates on a slice, or predicts for it.
class UseErrand {
 public:
  UseErrand(const Order& order, const Errand& errand, const std::vector<Part>& shared, const Sources& sources)
      : order_(order),
        errand_(errand),
        shared_(shared),
        sources_(sources),
        model_(decode(order.model, "<task>")),
        read_(read_with(order, model_, weighted_)) {}

  Part operator()() {
    if (sources_.attend) sources_.attend(read_);
    if (errand_.step == looking) return look();
    if (errand_.step != using_model || shared_.size() != 2) throw damaged("task");
    const bool any = take_slice();
    return order_.kind == Kind::evaluate ? evaluated(any) : predicted(any);
  }

 private:
  Part look() const {
    return with_notes(read_, [&](const ReadOptions& read) {
      ShardPlan plan{.shards = 1, .files = {}, .before = {}, .schema = model_.schema};
      const Reader reader(read);
      plan.files = reader.files();
      plan.before = reader.before_rows();
      return encode(plan);
    });
  }

  // Returns whether the slice has rows.
  bool take_slice() {
    if (sources_.rows) {
      read_ = sources_.rows(errand_.first, read_);
      return true;
    }
    if (order_.by_file) {
      if (errand_.file >= order_.options.paths.size()) throw damaged("task");
      const std::string& name = order_.options.paths[errand_.file];
      read_.path = sources_.path ? sources_.path(name) : name;
      read_.more.clear();
      return true;
    }
    const ShardPlan plan = decode_plan(shared_[0]);
    const std::uint64_t slices = number_of(shared_[1]);
    if (errand_.first >= slices || slices > UINT32_MAX) throw damaged("task");
    read_.parts = slice_of(plan.files, errand_.first, static_cast<std::uint32_t>(slices));
    read_.before_parts = plan.before;
    read_.more.clear();
    return !read_.parts.empty();
  }

  Part evaluated(bool any) {
    ConfusionTable counts(std::max<std::size_t>(2, model_.classes()));
    if (!any) return part_of_counts(counts, 0);
    Predictor predictor(model_);
    std::vector<std::int32_t> labels;
    std::vector<double> scores;
    Reader reader(read_);
    reader.read([&](const Block& block) {
      predictor.predict(block, labels, scores);
      for (std::size_t i = 0; i < block.rows; ++i) {
        const double weight = weighted_ && block.weight != nullptr ? block.weight[i] : 1;
        if (weight > 0) counts.add(block.label[i], labels[i], weight);
      }
      return true;
    });
    return part_of_counts(counts, reader.report().rejected);
  }

  Part predicted(bool any) {
    std::string text;
    std::vector<std::string> names = model_.schema.labels.names;
    names.resize(std::max<std::size_t>(2, names.size()), "?");
    Predictor predictor(model_);
    std::vector<std::int32_t> labels;
    std::vector<double> scores;
    if (any) {
      Reader(read_).read([&](const Block& block) {
        predictor.predict(block, labels, scores);
        for (std::size_t i = 0; i < block.rows; ++i) {
          if (order_.scores) {
            fmt::format_to(std::back_inserter(text), "{}\n", scores[i]);
          } else {
            text += names[static_cast<std::size_t>(labels[i])] + '\n';
          }
        }
        return true;
      });
    }
    return part_of(text);
  }

  const Order& order_;
  const Errand& errand_;
  const std::vector<Part>& shared_;
  const Sources& sources_;
  bool weighted_ = false;
  Model model_;
  ReadOptions read_;
};

}  // namespace

std::unique_ptr<Course> course_of_evaluation(const Order& order) { return std::make_unique<EvaluateCourse>(order); }
std::unique_ptr<Course> course_of_prediction(const Order& order) { return std::make_unique<PredictCourse>(order); }

Part use_errand(const Order& order, const Errand& errand, const std::vector<Part>& shared, const Sources& sources) {
  return UseErrand(order, errand, shared, sources)();
}

}  // namespace halfspace::jobs
