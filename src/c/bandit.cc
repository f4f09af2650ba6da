// Bandits in live use.
#include <algorithm>
#include <span>

#include "base/json.h"
#include "c/handles.h"
#include "halfspace/bandits/bandit_game.h"
#include "report/results/json.h"
#include "service/live_bandit.h"

using namespace halfspace;
using namespace halfspace::c;

namespace {

Json described(const LiveBandit& bandit) {
  const BanditOptions& options = bandit.options();
  Json j = {{"algorithm", name_of(options.name)},
            {"arms", options.arms},
            {"rounds", options.rounds},
            {"delta", options.delta},
            {"seed", bandit.seed()},
            {"asks", bandit.asks()},
            {"tells", bandit.tells()},
            {"open", bandit.open()},
            {"loss", bandit.loss()},
            {"bound", nullptr}};
  if (const auto bound = bandit_bound_so_far(options, bandit.asks()))
    j["bound"] = {{"value", report::number(bound->value)}, {"theorem", bound->theorem}, {"bounds", bound->bounds}};
  return j;
}

}  // namespace

extern "C" {

halfspace_bandit* halfspace_bandit_new(const halfspace_settings* settings, uint64_t arms, halfspace_error* error) {
  return made(error, [&] {
    const BanditSettings& own = settings_of<BanditSettings>(settings, "bandit");
    return new halfspace_bandit{LiveBandit(bandit_options(own, arms), own.seed)};
  });
}

halfspace_bandit* halfspace_bandit_decode(const void* bytes, size_t size, halfspace_error* error) {
  return made(error, [&] {
    const std::string_view given(static_cast<const char*>(bytes), bytes == nullptr ? 0 : size);
    return new halfspace_bandit{service::decode_bandit(given, "the bytes of a bandit")};
  });
}

void halfspace_bandit_free(halfspace_bandit* bandit) { delete bandit; }

int halfspace_bandit_ask(halfspace_bandit* bandit, uint64_t* ticket, uint32_t* arm, double* probability,
                         halfspace_error* error) {
  return guarded(error, [&] {
    LiveBandit& own = checked(bandit, "bandit").bandit;
    checked(ticket, "ticket");
    const LiveBandit::Answer answer = own.ask();
    *ticket = answer.ticket;
    if (arm != nullptr) *arm = answer.arm;
    if (probability != nullptr) *probability = answer.probability;
  });
}

int halfspace_bandit_tell(halfspace_bandit* bandit, uint64_t ticket, double loss, halfspace_error* error) {
  return guarded(error, [&] { checked(bandit, "bandit").bandit.tell(ticket, loss); });
}

int halfspace_bandit_distribution(halfspace_bandit* bandit, double* probabilities, halfspace_error* error) {
  return guarded(error, [&] {
    const std::span<const double> found = checked(bandit, "bandit").bandit.distribution();
    std::copy(found.begin(), found.end(), &checked(probabilities, "probabilities"));
  });
}

char* halfspace_bandit_describe(const halfspace_bandit* bandit, halfspace_error* error) {
  return made(error, [&] { return copied(described(checked(bandit, "bandit").bandit).dump()); });
}

void* halfspace_bandit_encode(const halfspace_bandit* bandit, size_t* size, halfspace_error* error) {
  return made(error, [&] {
    const std::string bytes = service::encode_bandit(checked(bandit, "bandit").bandit);
    checked(size, "size") = bytes.size();
    return copied(bytes.data(), bytes.size());
  });
}

}  // extern "C"
