// Proofs: the search of certify, or the check of verify, asks for passes over the rows, and each pass is a step with a
// task a file.
//
// Search and check are long computations that need passes in their midst, so they run in a thread of their own, in turn
// with the job's (search.h). They go the same way with the same answers. So a saved job has the answers so far, and its
// search begins anew with them; where a time limit lets it ask for something else, from there.
#include <algorithm>
#include <bit>
#include <chrono>
#include <functional>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "halfspace/base/error.h"
#include "halfspace/mixing/shards.h"
#include "halfspace/proof/certify_settings.h"
#include "jobs/course.h"
#include "jobs/proof_codec.h"
#include "jobs/search.h"
#include "proof/certify/proof_json.h"

namespace halfspace::jobs {
namespace {

enum ProofStep : std::uint64_t { beginning, describing, surveying, pricing, units, checking, proved };
enum class Found : std::uint64_t { all, gave_up, not_valid };

constexpr double without_limit = -1;

// What is asked of all files, or of the first alone: `known` is how to read them, or the certificate.
struct Pass {
  ProofStep step = beginning;
  double seconds = without_limit;  // left
  Part known, body;

  std::uint64_t fingerprint() const { return fingerprint_of(packed('q', {part_of(step), known, body})); }
};

using ProofSearch = Search<Pass, std::vector<Part>>;

CertifyOptions options_of(const Order& order) {
  CertifySettings settings;
  const std::vector<Option> options = halfspace::options_of(settings);
  for (const auto& [name, value] : order.options.options) set_option(options, name, value);
  settings.data.paths = order.options.paths;
  return certify_options(settings);
}

proof::Certificate certificate_of(const Part& text) {
  return proof::decode_certificate(text_of(text), "the certificate");
}

proof::DescribedText described(const Part& schema, std::size_t sources) {
  proof::Loaded loaded;
  loaded.schema = decode_schema(schema);
  proof::describe(loaded, sources);
  return {loaded.data, loaded.schema.labels};
}

// The data as the computation sees them: every question goes to the job.
class AskedData final : public proof::RemoteData, public proof::Measurer {
 public:
  AskedData(ProofSearch& search, const CertifyOptions& options, std::size_t sources)
      : search_(search), options_(options), sources_(sources) {}

  void describe(proof::Loaded& loaded, const proof::Budget& budget) override {
    Pass first{beginning, left(budget), {}, {}};
    const Part columns = search_.ask(std::move(first)).at(0);
    MergedNames names(decode_schema(columns));
    std::vector<std::string> labels;
    pass<proof::SourceSchema>({describing, left(budget), columns, {}}, [&](const proof::SourceSchema& found) {
      names.add(found.schema);
      labels.insert(labels.end(), found.labels.begin(), found.labels.end());
      loaded.rows_read += found.rows;
    });
    loaded.schema = names.schema();
    loaded.schema.labels = proof::classes_of(options_.read, labels, loaded.schema.labels.are);
    proof::describe(loaded, sources_);
    schema_ = encode_schema(loaded.schema);
  }
  void sign_of_life() override { search_.sign_of_life(); }
  void survey(const proof::SurveyOrder& order, const proof::Budget& budget, std::uint64_t& rows_read,
              const std::function<void(proof::SourceSurvey)>& take) override {
    pass<proof::SourceSurvey>({surveying, left(budget), schema_, encode(order)}, [&](proof::SourceSurvey found) {
      rows_read += found.scanned.source.rows;
      take(std::move(found));
    });
  }
  void price(const proof::PriceOrder& order, const proof::Budget& budget,
             const std::function<void(proof::SourcePrices)>& take) override {
    pass<proof::SourcePrices>({pricing, left(budget), schema_, encode(order)}, take);
  }
  proof::Verification verify(const proof::Certificate& certificate) override {
    certificate_ = part_of(proof::encode_certificate(certificate));
    return proof::verify(certificate, *this);
  }
  void units(const std::function<void(const proof::SourceUnits&)>& take) override {
    pass<proof::SourceUnits>({jobs::units, without_limit, certificate_, {}}, take);
  }
  void measures(const proof::Scale& scale, proof::CoefficientsCheck*,
                const std::function<void(const proof::SourceMeasures&)>& take) override {
    pass<proof::SourceMeasures>({checking, without_limit, certificate_, encode(scale)}, take);
  }

 private:
  static double left(const proof::Budget& budget) {
    if (budget.end == Clock::time_point::max()) return without_limit;
    return std::max(0.0, std::chrono::duration<double>(budget.end - Clock::now()).count());
  }

  // Takes what was found, in the order of sources; then throws the first that is not all.
  template <class T, class Take>
  void pass(Pass asked, const Take& take) {
    for (const Part& answer : search_.ask(std::move(asked))) {
      const std::vector<Part> parts = unpacked(answer, 'a', "result");
      if (parts.size() != 2) throw damaged("result");
      const auto found = static_cast<Found>(number_of(parts[0]));
      if (found == Found::gave_up) throw proof::GaveUp{};
      if (found == Found::not_valid) throw proof::NotValid{text_of(parts[1])};
      take(decode_as<T>(parts[1]));
    }
  }

  ProofSearch& search_;
  const CertifyOptions& options_;
  std::size_t sources_;
  Part schema_, certificate_;
};

class ProofCourse : public Course {
 public:
  explicit ProofCourse(const Order& order) : sources_(order.options.paths.size()), options_(options_of(order)) {
    if (order.by_file) throw Error(ErrorKind::usage, "a proof is about files that every worker can read");
  }

  std::vector<Errand> errands() const override {
    std::vector<Errand> errands;
    if (!search_.asks()) return errands;
    const std::size_t files = search_.question().step == beginning ? 1 : sources_;
    for (std::uint32_t i = 0; i < files; ++i) errands.push_back({search_.question().step, i, 1, i});
    return errands;
  }
  std::string step() const override {
    if (!search_.asks()) return search_.stage();
    switch (search_.question().step) {
      case beginning:
        return "the first rows";
      case describing:
        return "the first reading of its files";
      case surveying:
        return "the survey of its files";
      case pricing:
        return "evaluating a separator on its files";
      case jobs::units:
      case checking:
      case proved:
        break;
    }
    return "the check of the proof on its files";
  }
  std::vector<Part> shared() const override {
    if (!search_.asks()) return {};
    const Pass& pass = search_.question();
    return {part_of(std::bit_cast<std::uint64_t>(pass.seconds)), pass.known, pass.body};
  }
  void go_on(const std::vector<Part>& results) override {
    search_.demand();
    std::vector<Part> answers = results;
    if (search_.question().step == describing) {
      for (Part& answer : answers) answer = without_notes(answer);
    }
    answer(std::move(answers));
  }
  std::vector<Part> saved() const override {
    std::vector<Part> parts = answered_;
    parts.push_back(search_.asks() ? part_of(search_.question().fingerprint()) : Part());
    return parts;
  }
  bool restore(const std::vector<Part>& saved) override {
    if (saved.empty()) throw damaged("job");
    for (std::size_t i = 0; i + 1 < saved.size() && search_.asks(); ++i) {
      std::vector<Part> answers = unpacked(saved[i], 'q', "job");
      if (answers.empty()) throw damaged("job");
      const bool same = number_of(answers.back()) == search_.question().fingerprint();
      answers.pop_back();
      if (!same) return false;
      answer(std::move(answers));
    }
    return search_.asks() && saved.back() == part_of(search_.question().fingerprint());
  }
  void set_on_wait(std::function<void()> on_wait) override { search_.set_on_wait(std::move(on_wait)); }

 protected:
  ProofSearch& search() { return search_; }
  CertifyOptions& options() { return options_; }
  std::size_t sources() const noexcept { return sources_; }

 private:
  void answer(std::vector<Part> answers) {
    std::vector<Part> kept = answers;
    kept.push_back(part_of(search_.question().fingerprint()));
    answered_.push_back(packed('q', kept));
    search_.go_on(std::move(answers));
  }

  std::size_t sources_;
  CertifyOptions options_;
  std::vector<Part> answered_;  // by pass
  ProofSearch search_;
};

class CertifyCourse final : public ProofCourse {
 public:
  explicit CertifyCourse(const Order& order) : ProofCourse(order), data_(search(), options(), sources()) {
    CertifySettings settings;
    std::vector<Option> used = data_options(settings.data, true);
    for (Option& one : question_options(settings)) {
      if (one.name != "pairs" && one.name != "one-against-rest" && one.name != "coefficients" && one.name != "resume")
        used.push_back(std::move(one));
    }
    refuse_idle(order, used);
    options().on_progress = [this](const CertifyProgress& now) { search().set_stage(now.stage); };
    search().begin([this] { result_ = proof::certify_remote(options(), data_); });
  }
  ~CertifyCourse() override { search().stop(); }

  const CertifyResult* certified() const override { return &result_; }
  std::string json() const override { return proof::certify_result(result_).dump(); }

 private:
  AskedData data_;
  CertifyResult result_;
};

class VerifyCourse final : public ProofCourse {
 public:
  explicit VerifyCourse(const Order& order)
      : ProofCourse(order),
        certificate_(proof::decode_certificate(order.certificate, "the certificate")),
        data_(search(), options(), sources()) {
    refuse_idle(order, {});
    if (certificate_.coefficients) {
      throw Error(ErrorKind::usage, "a certificate about coefficients is checked on one machine")
          .fix("use halfspace verify");
    }
    result_.reason = proof::other_count(certificate_, sources());
    if (result_.reason.empty()) search().begin([this] { result_ = data_.verify(certificate_); });
  }
  ~VerifyCourse() override { search().stop(); }

  const proof::Verification* verified() const override { return &result_; }
  std::string json() const override { return proof::verification(certificate_, result_).dump(); }

 private:
  proof::Certificate certificate_;
  AskedData data_;
  proof::Verification result_;
};

// A pass over a file.
class ProofErrand {
 public:
  ProofErrand(const Order& order, const Errand& errand, const std::vector<Part>& shared, const Sources& sources)
      : order_(order), errand_(errand), shared_(shared), options_(options_of(order)) {
    if (shared_.size() != 3 || errand.step >= proved || errand.first >= order.options.paths.size())
      throw damaged("task");
    if (sources.attend) sources.attend(options_.read);
    if (!sources.folder.empty()) options_.memory.folder = sources.folder;
    budget_.on_check = &on_check_;
    const auto seconds = std::bit_cast<double>(number_of(shared_[0]));
    if (seconds >= 0) {
      budget_.end = Clock::now() +
                    std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(seconds, 1e9)));
    }
  }

  Part operator()() {
    if (errand_.step == beginning) return encode_schema(proof::columns_at_beginning(options_.read, path()));
    if (errand_.step != describing) return answer();
    return with_notes(options_.read, [&](const ReadOptions& read) {
      options_.read = read;
      return answer();
    });
  }

 private:
  const std::string& path() const { return order_.options.paths[errand_.first]; }

  Part answer() const {
    const auto not_valid = [](const std::string& reason) {
      return packed('a', {part_of(static_cast<std::uint64_t>(Found::not_valid)), part_of(reason)});
    };
    const bool checks = errand_.step == jobs::units || errand_.step == checking;
    try {
      return packed('a', {part_of(static_cast<std::uint64_t>(Found::all)), checks ? checked() : found()});
    } catch (const proof::GaveUp&) {
      return packed('a', {part_of(static_cast<std::uint64_t>(Found::gave_up)), Part()});
    } catch (const proof::NotValid& wrong) {
      return not_valid(wrong.reason);
    } catch (const Error& error) {
      if (!checks || error.kind() != ErrorKind::data) throw;
      return not_valid(
          proof::other_file(certificate_of(shared_[1]), path(), errand_.first).value_or(proof::unreadable(error)));
    }
  }

  Part found() const {
    std::uint64_t rows = 0;
    if (errand_.step == describing) {
      const Schema columns = decode_schema(shared_[1]);
      return encode(
          proof::read_as_training(options_.read, path(), &columns, errand_.first == 0, options_.memory, budget_, rows));
    }
    const auto sources = static_cast<std::uint32_t>(order_.options.paths.size());
    const proof::DescribedText text = described(shared_[1], sources);
    if (errand_.step == pricing)
      return encode(
          proof::price_source(text, path(), errand_.first, decode_as<proof::PriceOrder>(shared_[2]), budget_));
    return encode(proof::survey_source(text, path(), errand_.first, sources, decode_as<proof::SurveyOrder>(shared_[2]),
                                       budget_, rows));
  }

  Part checked() const {
    const proof::Certificate certificate = certificate_of(shared_[1]);
    if (errand_.step == jobs::units) return encode(proof::units_of(certificate, path(), errand_.first, on_check_));
    return encode(proof::measures_of(certificate, path(), errand_.first, decode_as<proof::Scale>(shared_[2]), nullptr,
                                     on_check_));
  }

  const Order& order_;
  const Errand& errand_;
  const std::vector<Part>& shared_;
  CertifyOptions options_;
  proof::Budget budget_;
  mutable Clock::time_point ticked_;
  const std::function<void()> on_check_ = [this] {
    if (options_.read.progress && seconds_since(ticked_) >= 0.1) {
      options_.read.progress(0, 0);
      ticked_ = Clock::now();
    }
    if (options_.read.interrupt != nullptr && *options_.read.interrupt)
      throw Error(ErrorKind::input_output, "interrupted");
  };
};

}  // namespace

std::unique_ptr<Course> course_of_certification(const Order& order) { return std::make_unique<CertifyCourse>(order); }
std::unique_ptr<Course> course_of_verification(const Order& order) { return std::make_unique<VerifyCourse>(order); }

Part proof_errand(const Order& order, const Errand& errand, const std::vector<Part>& shared, const Sources& sources) {
  return ProofErrand(order, errand, shared, sources)();
}

}  // namespace halfspace::jobs
