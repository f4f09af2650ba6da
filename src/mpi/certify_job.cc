// Worker 0 gives orders, and all answer for their files.
#include "mpi/certify_job.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "halfspace/base/error.h"
#include "halfspace/mixing/shards.h"
#include "mpi/certify_codec.h"
#include "proof/decide/load.h"
#include "proof/large/row_passes.h"
#include "proof/search/budget.h"
#include "proof/verify/source_measures.h"

namespace halfspace::mpi {
namespace {

constexpr int answer_tag = 21;
constexpr double between_ticks = 0.1;

const char* task_of(OrderKind kind) {
  switch (kind) {
    case OrderKind::describe:
      return "the first reading of its files";
    case OrderKind::survey:
      return "the survey of its files";
    case OrderKind::price:
      return "evaluating a separator on its files";
    case OrderKind::units:
    case OrderKind::measures:
      return "the check of the proof on its files";
    case OrderKind::stop:
    case OrderKind::files:
    case OrderKind::text:
    case OrderKind::certificate:
      break;
  }
  return "the search";
}

// What every worker knows, and its answers to orders.
class Reading {
 public:
  Reading(Workers& workers, const CertifyOptions& options) : workers_(workers), options_(options) {
    paths_.push_back(options.read.path);
    paths_.insert(paths_.end(), options.read.more.begin(), options.read.more.end());
  }

  Workers& workers() const noexcept { return workers_; }
  std::uint32_t sources() const noexcept { return static_cast<std::uint32_t>(paths_.size()); }
  const std::vector<std::string>& paths() const noexcept { return paths_; }
  int owner(std::uint32_t source) const { return owners_.at(source); }

  // Ticks, but not as often as it is called.
  void sign_of_life() {
    if (seconds_since(ticked_) < between_ticks) return;
    workers_.tick();
    ticked_ = Clock::now();
  }

  // Takes the parts of an order that all answers need.
  void take(const Order& order) {
    workers_.set_task(task_of(order.kind));
    budget_ = {};
    budget_.on_check = &on_check_;
    if (order.seconds >= 0) {
      budget_.end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(std::min(order.seconds, 1e9)));
    }
    if (order.kind == OrderKind::files) {
      owners_ = decode_as<Owners>(order.body).of_sources;
    } else if (order.kind == OrderKind::describe) {
      columns_ = decode_schema(order.body);
    } else if (order.kind == OrderKind::text) {
      proof::Loaded loaded;
      loaded.schema = decode_schema(order.body);
      proof::describe(loaded, sources());
      text_ = {loaded.data, loaded.schema.labels};
    } else if (order.kind == OrderKind::certificate) {
      certificate_ = proof::decode_certificate(std::string(order.body.begin(), order.body.end()), "the certificate");
    }
  }

  Answer answer(const Order& order, std::uint32_t source) {
    const std::string& path = paths_[source];
    try {
      return {Answer::Kind::found, found(order, source)};
    } catch (const proof::GaveUp&) {
      return {Answer::Kind::gave_up, {}};
    } catch (const proof::NotValid& wrong) {
      return not_valid(wrong.reason);
    } catch (const Error& error) {
      const bool checks = order.kind == OrderKind::units || order.kind == OrderKind::measures;
      if (!checks || error.kind() != ErrorKind::data) throw;
      return not_valid(proof::other_file(certificate_, path, source).value_or(proof::unreadable(error)));
    }
  }

 private:
  static Answer not_valid(const std::string& reason) {
    return {Answer::Kind::not_valid, Bytes(reason.begin(), reason.end())};
  }

  Bytes found(const Order& order, std::uint32_t source) {
    const std::string& path = paths_[source];
    std::uint64_t rows = 0;
    switch (order.kind) {
      case OrderKind::describe:
        return encode(proof::read_as_training(options_.read, path, &columns_, source == 0 && workers_.leads(),
                                              options_.memory, budget_, rows));
      case OrderKind::survey:
        return encode(proof::survey_source(text_, path, source, sources(), decode_as<proof::SurveyOrder>(order.body),
                                           budget_, rows));
      case OrderKind::price:
        return encode(proof::price_source(text_, path, source, decode_as<proof::PriceOrder>(order.body), budget_));
      case OrderKind::units:
        return encode(proof::units_of(certificate_, path, source, on_check_));
      case OrderKind::measures:
        return encode(
            proof::measures_of(certificate_, path, source, decode_as<proof::Scale>(order.body), nullptr, on_check_));
      case OrderKind::stop:
      case OrderKind::files:
      case OrderKind::text:
      case OrderKind::certificate:
        break;
    }
    return {};
  }

  Workers& workers_;
  const CertifyOptions& options_;
  std::vector<std::string> paths_;
  std::vector<std::int32_t> owners_;
  const std::function<void()> on_check_ = [this] { sign_of_life(); };
  proof::Budget budget_;
  Schema columns_;
  proof::DescribedText text_;
  proof::Certificate certificate_;
  Clock::time_point ticked_;
};

bool has_answers(OrderKind kind) {
  return kind == OrderKind::describe || kind == OrderKind::survey || kind == OrderKind::price ||
         kind == OrderKind::units || kind == OrderKind::measures;
}

// Follows orders until the last.
void follow(Reading& reading) {
  Workers& workers = reading.workers();
  for (;;) {
    const Order order = decode_as<Order>(workers.broadcast({}));
    if (order.kind == OrderKind::stop) return;
    reading.take(order);
    for (std::uint32_t source = 0; has_answers(order.kind) && source < reading.sources(); ++source) {
      if (reading.owner(source) == workers.rank()) workers.send(0, answer_tag, encode(reading.answer(order, source)));
    }
    workers.set_task("waiting for worker 0");
  }
}

class Leader final : public proof::RemoteData, public proof::Measurer {
 public:
  Leader(Reading& reading, const CertifyOptions& options) : reading_(reading), options_(options) {
    tell({OrderKind::files, -1, encode(dealt_files())});
  }

  void describe(proof::Loaded& loaded, const proof::Budget& budget) override {
    const Schema columns = proof::columns_at_beginning(options_.read, reading_.paths().front());
    MergedNames names(columns);
    std::vector<std::string> labels;
    give<proof::SourceSchema>(OrderKind::describe, encode_schema(columns), &budget,
                              [&](const proof::SourceSchema& found) {
                                names.add(found.schema);
                                labels.insert(labels.end(), found.labels.begin(), found.labels.end());
                                loaded.rows_read += found.rows;
                              });
    loaded.schema = names.schema();
    loaded.schema.labels = proof::classes_of(options_.read, labels, loaded.schema.labels.are);
    proof::describe(loaded, reading_.sources());
    tell({OrderKind::text, -1, encode_schema(loaded.schema)});
  }

  void sign_of_life() override { reading_.sign_of_life(); }

  void survey(const proof::SurveyOrder& order, const proof::Budget& budget, std::uint64_t& rows_read,
              const std::function<void(proof::SourceSurvey)>& take) override {
    give<proof::SourceSurvey>(OrderKind::survey, encode(order), &budget, [&](proof::SourceSurvey found) {
      rows_read += found.scanned.source.rows;
      take(std::move(found));
    });
  }

  void price(const proof::PriceOrder& order, const proof::Budget& budget,
             const std::function<void(proof::SourcePrices)>& take) override {
    give<proof::SourcePrices>(OrderKind::price, encode(order), &budget, take);
  }

  proof::Verification verify(const proof::Certificate& certificate) override {
    const std::string text = proof::encode_certificate(certificate);
    tell({OrderKind::certificate, -1, Bytes(text.begin(), text.end())});
    return proof::verify(certificate, *this);
  }

  void units(const std::function<void(const proof::SourceUnits&)>& take) override {
    give<proof::SourceUnits>(OrderKind::units, {}, nullptr, take);
  }

  void measures(const proof::Scale& scale, proof::CoefficientsCheck*,
                const std::function<void(const proof::SourceMeasures&)>& take) override {
    give<proof::SourceMeasures>(OrderKind::measures, encode(scale), nullptr, take);
  }

  void stop() { tell({}); }

 private:
  // Deals files, adjacent ones of about equal bytes to each worker, the first to worker 0.
  Owners dealt_files() const {
    std::vector<double> sizes;
    double total = 0, before = 0;
    for (const std::string& path : reading_.paths()) {
      std::error_code ignored;
      const std::uintmax_t bytes = std::filesystem::file_size(path, ignored);
      sizes.push_back(ignored ? 1 : 1 + static_cast<double>(bytes));
      total += sizes.back();
    }
    Owners owners;
    const int workers = reading_.workers().size();
    for (const double size : sizes) {
      owners.of_sources.push_back(std::min(workers - 1, static_cast<int>(before / total * workers)));
      before += size;
    }
    return owners;
  }

  void tell(const Order& order) {
    reading_.workers().broadcast(encode(order));
    reading_.take(order);
    reading_.workers().set_task("the search");
  }

  // Gives an order and takes all answers, in the order of sources; then throws the first that is not found.
  template <class T, class Take>
  void give(OrderKind kind, Bytes body, const proof::Budget* budget, const Take& take) {
    Order order{kind, -1, std::move(body)};
    if (budget != nullptr && budget->end != Clock::time_point::max())
      order.seconds = std::max(0.0, std::chrono::duration<double>(budget->end - Clock::now()).count());
    Workers& workers = reading_.workers();
    workers.broadcast(encode(order));
    reading_.take(order);
    std::vector<Answer> own;
    for (std::uint32_t source = 0; source < reading_.sources(); ++source) {
      if (reading_.owner(source) == 0) own.push_back(reading_.answer(order, source));
    }
    workers.set_task("waiting for the answers of others");
    std::optional<Answer> failed;
    for (std::uint32_t source = 0; source < reading_.sources(); ++source) {
      const int owner = reading_.owner(source);
      Answer answer = owner == 0 ? std::move(own[source]) : decode_as<Answer>(workers.receive(owner, answer_tag));
      if (answer.kind != Answer::Kind::found && !failed) failed = std::move(answer);
      if (!failed) take(decode_as<T>(answer.body));
    }
    workers.set_task("the search");
    if (!failed) return;
    if (failed->kind == Answer::Kind::gave_up) throw proof::GaveUp{};
    throw proof::NotValid{std::string(failed->body.begin(), failed->body.end())};
  }

  Reading& reading_;
  const CertifyOptions& options_;
};

}  // namespace

CertifyResult certify(Workers& workers, const CertifyOptions& options) {
  Reading reading(workers, options);
  if (!workers.leads()) {
    follow(reading);
    return {};
  }
  Leader leader(reading, options);
  CertifyResult result = proof::certify_remote(options, leader);
  leader.stop();
  return result;
}

proof::Verification verify(Workers& workers, const proof::Certificate& certificate,
                           const std::vector<std::string>& paths) {
  CertifyOptions options;
  options.read.path = paths.front();
  options.read.more.assign(paths.begin() + 1, paths.end());
  Reading reading(workers, options);
  if (!workers.leads()) {
    follow(reading);
    return {};
  }
  if (certificate.coefficients) {
    throw Error(ErrorKind::usage, "a certificate about coefficients is checked on one machine")
        .fix("use halfspace verify");
  }
  if (certificate.minimum) {
    throw Error(ErrorKind::usage, "a certificate about a minimum is checked on one machine")
        .fix("use halfspace verify");
  }
  Leader leader(reading, options);
  proof::Verification result;
  result.reason = proof::other_count(certificate, paths.size());
  if (result.reason.empty()) result = leader.verify(certificate);
  leader.stop();
  return result;
}

}  // namespace halfspace::mpi
