// Decides questions as views of one set of points, on several threads.
#include "halfspace/proof/pairwise.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>

#include "base/clock.h"
#include "base/parallel.h"
#include "base/version.h"
#include "halfspace/proof/verify/verify.h"
#include "proof/certify/temporary_text.h"
#include "proof/decide/assemble.h"
#include "proof/decide/decide.h"
#include "proof/decide/load.h"

namespace halfspace {
namespace {

class Run {
 public:
  Run(const PairwiseOptions& options, const proof::Loaded& loaded) : options_(options), loaded_(loaded) {}

  PairwiseAnswer answer(const PairwiseQuestion& question) const {
    const Clock::time_point begin = Clock::now();
    PairwiseAnswer answer;
    answer.question = question;
    proof::Problem problem;
    problem.points = loaded_.points.get();
    const std::int32_t positive = number_of(question.positive);
    const std::int32_t negative = question.negative.empty() ? -1 : number_of(question.negative);
    proof::Data& data = describe(answer.certificate, positive, negative);
    for (std::uint32_t i = 0; i < loaded_.points->size(); ++i) {
      const std::int32_t klass = loaded_.points->klass(i);
      if (klass == positive) {
        problem.members.push_back({i, 1});
        ++data.classes[1].rows;
      } else if (negative < 0 || klass == negative) {
        problem.members.push_back({i, -1});
        ++data.classes[0].rows;
      } else {
        ++data.excluded.rows;
      }
    }
    answer.rows = problem.size();
    proof::Budget budget;
    budget.interrupt = options_.interrupt;
    budget.memory = options_.memory.memory - std::min(options_.memory.memory, loaded_.points->bytes());
    if (options_.seconds > 0)
      budget.end = begin + std::chrono::microseconds(static_cast<std::int64_t>(std::min(options_.seconds, 1e9) * 1e6));
    const proof::Decision decision = proof::decide(problem, budget, [](const char*, proof::Bracket) {});
    proof::Certificate& certificate = answer.certificate;
    if (decision.separator) {
      certificate.verdict = proof::Verdict::separable;
      certificate.separators.push_back(proof::certificate_separator(problem, *decision.separator));
      const proof::Separator& separator = certificate.separators.front();
      certificate.claims.push_back({});
      if (separator.minimum != "none") {
        const mpq_class minimum(separator.minimum);
        answer.margin_lower = proof::root_down(minimum * minimum / mpq_class(separator.squared_norm));
        answer.margin_upper = proof::root_up(proof::squared_radius(problem));
      }
    } else if (!decision.witness.empty() || !decision.near.empty()) {
      const bool witness = !decision.witness.empty();
      certificate.verdict = witness ? proof::Verdict::not_separable : proof::Verdict::undecided;
      certificate.combinations.push_back(
          proof::certificate_combination(problem, witness ? decision.witness : decision.near.front()));
      answer.margin_upper = proof::root_up(mpq_class(certificate.combinations.front().squared_distance));
      certificate.claims.push_back({});
      certificate.claims.back().kind = witness ? proof::ClaimKind::not_separable : proof::ClaimKind::margin_at_most;
    }
    answer.verdict = certificate.verdict;
    answer.search_seconds = seconds_since(begin);
    if (options_.verify) check(answer);
    return answer;
  }

 private:
  // Returns the number of a class. Throws Error(usage) for an unknown name.
  std::int32_t number_of(const std::string& name) const {
    const std::vector<std::string>& names = loaded_.schema.labels.names;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      std::string known;
      for (const std::string& other : names) known += (known.empty() ? "" : ", ") + other;
      throw Error(ErrorKind::usage, "unknown class '" + name + "'").fix("the classes are " + known);
    }
    return static_cast<std::int32_t>(found - names.begin());
  }

  proof::Data& describe(proof::Certificate& certificate, std::int32_t positive, std::int32_t negative) const {
    certificate.tool = std::string("halfspace ") + kVersion;
    certificate.data = loaded_.data;
    proof::Data& data = certificate.data;
    data.classes.assign(2, {});
    for (std::size_t k = 0; k < loaded_.data.classes.size(); ++k) {
      const std::int32_t klass = static_cast<std::int32_t>(k);
      proof::LabelGroup& group = klass == positive                   ? data.classes[1]
                                 : negative < 0 || klass == negative ? data.classes[0]
                                                                     : data.excluded;
      const std::vector<std::string>& labels = loaded_.data.classes[k].labels;
      group.labels.insert(group.labels.end(), labels.begin(), labels.end());
    }
    return data;
  }

  void check(PairwiseAnswer& answer) const {
    const Clock::time_point begin = Clock::now();
    const proof::Verification verification = proof::verify(answer.certificate, {options_.read.path});
    if (!verification.valid) {
      throw Error(ErrorKind::internal, "a bug in Halfspace: its own certificate was rejected: " + verification.reason);
    }
    answer.verify_seconds = seconds_since(begin);
  }

  const PairwiseOptions& options_;
  const proof::Loaded& loaded_;
};

}  // namespace

std::vector<PairwiseQuestion> pairwise_questions(const std::vector<std::string>& classes) {
  std::vector<PairwiseQuestion> questions;
  for (std::size_t a = 0; a < classes.size(); ++a) {
    for (std::size_t b = a + 1; b < classes.size(); ++b) questions.push_back({classes[a], classes[b]});
  }
  for (const std::string& name : classes) questions.push_back({name, ""});
  return questions;
}

namespace {

// The time limit applies to each question; reading is not included.
proof::Loaded load_all(const PairwiseOptions& options) {
  proof::Loaded loaded;
  proof::Budget budget;
  budget.interrupt = options.interrupt;
  if (!options.read.more.empty()) {
    throw Error(ErrorKind::usage, "questions about pairs of classes need one file, not several")
        .at(options.read.path)
        .fix("join them into one file, keeping only the first header");
  }
  try {
    proof::load(options.read, {options.read.path}, options.memory, budget, loaded);
  } catch (const proof::GaveUp&) {
    throw Error(ErrorKind::usage, "the rows take more memory than " + option("memory") + " allows")
        .at(options.read.path)
        .fix("raise " + option("memory"));
  }
  return loaded;
}

}  // namespace

void pairwise(const PairwiseOptions& options,
              const std::function<std::vector<PairwiseQuestion>(const std::vector<std::string>& classes)>& ask) {
  if (proof::TemporaryText::needed(options.read)) {
    const proof::TemporaryText text(options.read, options.memory.folder);
    PairwiseOptions of_file = options;
    of_file.read = text.read();
    return pairwise(of_file, ask);
  }
  const proof::Loaded loaded = load_all(options);
  const std::vector<PairwiseQuestion> questions = ask(loaded.schema.labels.names);
  const Run run(options, loaded);
  std::mutex mutex;
  std::size_t next = 0;
  std::exception_ptr failure;
  const auto work = [&] {
    for (;;) {
      std::size_t mine;
      {
        const std::lock_guard<std::mutex> lock(mutex);
        if (failure || next >= questions.size() || (options.interrupt != nullptr && *options.interrupt)) return;
        mine = next++;
      }
      try {
        const PairwiseAnswer answer = run.answer(questions[mine]);
        const std::lock_guard<std::mutex> lock(mutex);
        if (options.on_answer && !failure) options.on_answer(answer);
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    }
  };
  on_threads(options.threads != 0 ? options.threads : processors(), work);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace halfspace
