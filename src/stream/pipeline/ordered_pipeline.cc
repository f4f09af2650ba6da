// The threads of a pass, and the choice of the next stage.
#include "stream/pipeline/ordered_pipeline.h"

#include <hwy/cache_control.h>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace halfspace::stream {
namespace {

class OrderedPipeline {
 public:
  OrderedPipeline(Stages& stages, std::size_t threads, std::size_t places)
      : stages_(stages), most_helpers_(threads - 1), parsed_(places) {
    helpers_.reserve(most_helpers_);
  }

  ~OrderedPipeline() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    helpers_wake_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
  }
  OrderedPipeline(const OrderedPipeline&) = delete;
  OrderedPipeline& operator=(const OrderedPipeline&) = delete;

  bool run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (delivered_ != cut_ && parsed_[place(delivered_)] != 0) {
        lock.unlock();
        if (!stages_.deliver(place(delivered_))) return false;
        lock.lock();
        parsed_[place(delivered_)] = 0;
        ++delivered_;
        if (may_cut()) helpers_wake_.notify_one();
      } else if (may_cut()) {
        cut_and_parse(lock);
      } else if (ended_ && delivered_ == cut_) {
        return true;
      } else {
        wait(lock, deliverer_wakes_, [&] {
          return (delivered_ != cut_ && parsed_[place(delivered_)] != 0) || may_cut() || (ended_ && delivered_ == cut_);
        });
      }
    }
  }

 private:
  std::size_t place(std::uint64_t chunk) const { return static_cast<std::size_t>(chunk % parsed_.size()); }
  bool may_cut() const { return !ended_ && !cutting_ && cut_ - delivered_ < parsed_.size(); }

  // A wait is mostly shorter than putting a thread to sleep and waking it: with two threads, parsing alone took an
  // eighth less time by polling for about a tenth of a millisecond before sleeping.
  template <class Ready>
  static void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& wakes, const Ready& ready) {
    constexpr int looks = 100;
    for (int i = 0; i < looks && !ready(); ++i) {
      lock.unlock();
      for (int k = 0; k < 64; ++k) hwy::Pause();
      lock.lock();
    }
    wakes.wait(lock, ready);
  }

  void help() {
    std::unique_lock lock(mutex_);
    for (;;) {
      ++idle_helpers_;
      wait(lock, helpers_wake_, [&] { return ended_ || may_cut(); });
      --idle_helpers_;
      if (ended_) return;
      cut_and_parse(lock);
    }
  }

  // Cuts a chunk if possible. The lock is held before and after.
  void cut_and_parse(std::unique_lock<std::mutex>& lock) {
    cutting_ = true;
    const std::uint64_t chunk = cut_;
    lock.unlock();
    const Stages::Cut cut = stages_.cut(place(chunk));
    lock.lock();
    cutting_ = false;
    if (cut != Stages::Cut::nothing) ++cut_;
    if (cut != Stages::Cut::more) {
      ended_ = true;
      helpers_wake_.notify_all();
    } else if (may_cut()) {
      find_helper();
    }
    deliverer_wakes_.notify_one();
    if (cut == Stages::Cut::nothing) return;
    lock.unlock();
    stages_.parse(place(chunk));
    lock.lock();
    parsed_[place(chunk)] = 1;
    if (chunk == delivered_) deliverer_wakes_.notify_one();
  }

  void find_helper() {
    if (idle_helpers_ != 0) {
      helpers_wake_.notify_one();
    } else if (helpers_.size() < most_helpers_) {
      try {
        helpers_.emplace_back([this] { help(); });
      } catch (const std::exception&) {
        most_helpers_ = helpers_.size();  // the system allows no more
      }
    }
  }

  Stages& stages_;
  std::mutex mutex_;  // guards everything below
  std::condition_variable helpers_wake_, deliverer_wakes_;
  std::size_t most_helpers_, idle_helpers_ = 0;
  std::vector<std::uint8_t> parsed_;       // by slot: its chunk is ready to deliver
  std::uint64_t cut_ = 0, delivered_ = 0;  // chunks; delivered_ changes on the caller's thread
  bool cutting_ = false, ended_ = false;   // a chunk is being cut; there are no more
  std::vector<std::thread> helpers_;
};

}  // namespace

bool run_stages(Stages& stages, std::size_t threads, std::size_t places) {
  return OrderedPipeline(stages, threads, places).run();
}

}  // namespace halfspace::stream
