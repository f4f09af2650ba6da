// What the library names and the page does not use: kinds of settings whose rooms are not compiled, caches, other
// programs' files, and questions about coefficients. Who asks for one is told so.
#include "c/handles.h"
#include "halfspace/bandits/policy_value.h"
#include "lab/event_replay.h"
#include "proof/coefficients/certify_coefficients.h"
#include "stream/cache/cache.h"
#include "stream/foreign/foreign.h"
#include "stream/foreign/foreign_slips.h"

namespace halfspace {
namespace {

[[noreturn]] void left_out() {
  throw Error(ErrorKind::usage, "this build of the library has none of that").fix("use the command");
}
std::vector<Option> no_options() { left_out(); }

}  // namespace

std::vector<Option> options_of(ChooserSettings&) { return no_options(); }
std::vector<Option> options_of(CompareSettings&) { return no_options(); }
std::vector<Option> options_of(ExplainSettings&) { return no_options(); }
bool is_cache(const std::string&) { return false; }

LoggedRounds read_log(const LogOptions&) { left_out(); }
void PolicyValue::add(const PolicyRound&) { left_out(); }
Interval PolicyValue::value() const { left_out(); }
Interval PolicyValue::gain() const { left_out(); }
std::uint64_t PolicyValue::rounds_to_prove_a_gain() const { left_out(); }

namespace lab {
std::vector<Option> options_of(LabSettings&) { return no_options(); }
bool is_log_of_events(const ReplaySettings&) { return false; }
std::unique_ptr<Experiment> replay_events(const ReplaySettings&) { left_out(); }
std::unique_ptr<Experiment> run(const LabSettings&) { left_out(); }
}  // namespace lab

namespace proof {
std::vector<std::uint32_t> order_of_columns(const Problem&, const Data&) { left_out(); }
CoefficientFindings find_coefficients(const CoefficientQuestion&, const Budget&,
                                      const std::function<void(const char*)>&) {
  left_out();
}
void add_coefficients(const Problem&, const CoefficientFindings&, Certificate&) { left_out(); }
Separation describe_separation(const Problem&, const CoefficientFindings&, const Certificate&,
                               const std::vector<std::string>&) {
  left_out();
}
void describe_near_aliases(const Problem&, const CoefficientFindings&, const std::vector<std::uint32_t>&,
                           const std::vector<std::string>&, const RowsOptions&, const Budget&, Separation&) {
  left_out();
}
}  // namespace proof

namespace stream {
bool recognise_cache(std::string_view) { return false; }
Cache::Cache(const std::string&) { left_out(); }
Cache::~Cache() = default;
Block Cache::block(std::size_t, SourceBuffer&) const { left_out(); }
Error Cache::unfit(std::string) const { left_out(); }
CacheParts::CacheParts(std::shared_ptr<const Cache>, const std::vector<FilePart>&) { left_out(); }
Block CacheParts::block(std::size_t, SourceBuffer&) const { left_out(); }

std::optional<Foreign> recognise_foreign(std::string_view) { return std::nullopt; }
void refuse_foreign(std::string_view, const std::string&, bool) {}
std::optional<std::string> find_labelled_words(std::string_view) { return std::nullopt; }
}  // namespace stream

}  // namespace halfspace
