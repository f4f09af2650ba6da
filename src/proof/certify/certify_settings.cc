// Lists the options of certifying as rows, and applies them.
#include "halfspace/proof/certify_settings.h"

#include <algorithm>
#include <utility>

#include "base/whole_file.h"
#include "halfspace/base/error.h"
#include "stream/text/number.h"

namespace halfspace {

using takes::at_least, takes::idle_with, takes::input_file_replaced_by, takes::one_of, takes::size, takes::usually;

std::vector<Option> question_options(CertifySettings& settings) {
  return {
      {"pairs", "", "more than two classes: ask about every pair of classes", &settings.pairs},
      {"one-against-rest", "", "more than two classes: ask about each against all others", &settings.one_against_rest},
      idle_with("pairs", idle_with("one-against-rest",
                                   {"coefficients", "",
                                    "two classes: which coefficients of a logistic regression are infinite, and with "
                                    "which sign",
                                    &settings.coefficients})),
      {"bias", "PLACE", "the bias coordinate, the same in every row",
       [&settings](const std::string& text) {
         settings.bias = text == "none"    ? proof::BiasPosition::none
                         : text == "first" ? proof::BiasPosition::first
                                           : proof::BiasPosition::last;
       },
       one_of({{"none", "no bias: halfspaces have 0 on their boundary"},
               {"first", "before the features"},
               {"last", "after the features (default)"}})},
      usually("1", idle_with("bias", {"none"},
                             {"bias-scale", "C", "the value of that coordinate (default 1)", &settings.bias_scale})),
      {"seconds", "S",
       "limit for everything, including reading and checking the proof; with " + option("pairs") +
           ", for each question (default: no limit)",
       &settings.seconds, at_least(0)},
      usually("0", usually("0.4",
                           idle_with("pairs", idle_with("one-against-rest",
                                                        {"extra-seconds", "S",
                                                         "for the margin and the fewest errors, after the verdict: at "
                                                         "least the time that the verdict took; 0: the verdict alone "
                                                         "(default 0.4)",
                                                         &settings.extra_seconds, at_least(0)})))),
      {"memory", "SIZE", "limit for the points and the search; further rows go to a temporary file (default 4G)",
       &settings.memory.memory, size()},
      idle_with("pairs",
                idle_with("one-against-rest",
                          {"resume", "CERT", "continue from this certificate of the same data: no bound gets worse",
                           &settings.resume_from, input_file_replaced_by("output")}))};
}

std::vector<Option> options_of(CertifySettings& settings) {
  std::vector<Option> all = question_options(settings);
  for (Option& one : data_options(settings.data, true)) all.push_back(std::move(one));
  return all;
}

CertifyOptions certify_options(const CertifySettings& settings, const std::atomic<bool>* interrupt) {
  if (settings.asks_many()) {
    throw Error(ErrorKind::usage, option("pairs") + " and " + option("one-against-rest") + " ask many questions")
        .fix("answer them with pairwise(settings)");
  }
  CertifyOptions options = settings;
  options.interrupt = interrupt;
  options.read = read_options(settings.data);
  if (!settings.resume_from.empty())
    options.resume = proof::decode_certificate(whole_file(settings.resume_from, interrupt), settings.resume_from);
  return options;
}

PairwiseOptions pairwise_options(const CertifySettings& settings) {
  if (!settings.asks_many()) {
    throw Error(ErrorKind::usage, "neither " + option("pairs") + " nor " + option("one-against-rest") + " is given")
        .fix("give one of them, or call certify(settings) for a single question");
  }
  double scale = 0;
  const bool scaled = stream::parse_number(settings.bias_scale, scale) != stream::NumberProblem::none || scale != 1;
  if (settings.bias == proof::BiasPosition::none || scaled) {
    throw Error(ErrorKind::usage, option("pairs") + " and " + option("one-against-rest") + " ask with a bias of 1")
        .fix("leave out " + option("bias") + " and " + option("bias-scale"));
  }
  PairwiseOptions options;
  options.read = read_options(settings.data);
  options.seconds = settings.seconds;
  options.threads = options.read.threads;
  options.memory = settings.memory;
  return options;
}

std::vector<PairwiseQuestion> questions_of(const CertifySettings& settings, const std::vector<std::string>& classes) {
  std::vector<PairwiseQuestion> all = pairwise_questions(classes);
  std::erase_if(all, [&](const PairwiseQuestion& question) {
    return question.negative.empty() ? !settings.one_against_rest : !settings.pairs;
  });
  return all;
}

CertifyResult certify(const CertifySettings& settings) { return certify(certify_options(settings)); }

std::vector<PairwiseAnswer> pairwise(const CertifySettings& settings) {
  std::vector<PairwiseAnswer> answers;
  PairwiseOptions options = pairwise_options(settings);
  options.on_answer = [&](const PairwiseAnswer& answer) { answers.push_back(answer); };
  std::vector<PairwiseQuestion> asked;
  pairwise(options, [&](const std::vector<std::string>& classes) { return asked = questions_of(settings, classes); });
  const auto position = [&](const PairwiseAnswer& answer) {
    return std::find_if(asked.begin(), asked.end(), [&](const PairwiseQuestion& question) {
      return question.positive == answer.question.positive && question.negative == answer.question.negative;
    });
  };
  std::sort(answers.begin(), answers.end(),
            [&](const PairwiseAnswer& a, const PairwiseAnswer& b) { return position(a) < position(b); });
  return answers;
}

}  // namespace halfspace
