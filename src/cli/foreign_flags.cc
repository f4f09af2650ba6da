// The flags of other programs, by subject: of Vowpal Wabbit 9.11, LIBLINEAR 2.50 and LIBSVM 3.37 as their help lists them,
// and the parameters of scikit-learn and river.
#include "cli/foreign_flags.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/commands.h"

namespace halfspace::cli {
namespace {

constexpr ForeignFlags answers[] = {
    // Files, models and output.
    {"train", "data train-file training-set", "leave it out: the data need no flag"},
    {"train", "-d", "leave it out: the data need no flag; LIBSVM's -d: --rule kernel:kernel=polynomial:degree=D"},
    {"train", "final-regressor model-out output-model save -f", "=output"},
    {"train", "initial-regressor -i", "=resume"},
    {"train", "warm-start", "write --resume MODEL"},
    {"train", "testonly", "halfspace predict MODEL DATA, or halfspace evaluate MODEL DATA"},
    {"train", "-t", "halfspace predict MODEL DATA; LIBSVM's -t: --rule kernel:kernel=NAME"},
    {"train", "test test-file valid-file", "halfspace compare DATA --test FILE, or halfspace evaluate MODEL FILE"},
    {"train", "predictions -p", "halfspace predict MODEL DATA -o FILE"},
    {"train", "raw-predictions scores", "halfspace predict MODEL DATA --scores"},
    {"train", "-r", "halfspace predict MODEL DATA --scores; LIBSVM's -r: --rule kernel:kernel=polynomial:offset=O"},
    {"train", "predict-only-model save-resume preserve-performance-counters per-model-save-load",
     "leave it out: --resume MODEL goes on with any model"},
    {"train", "save-per-pass", "write --checkpoint EVERY"},
    {"train", "cache cache-file kill-cache compressed",
     "leave it out: --passes N keeps the rows itself, and compressed files are recognised"},
    {"train", "-k", "leave it out: --passes N keeps the rows itself"},
    {"train", "audit invert-hash readable-model audit-regressor hexfloat-weights dump-json-weights-* extra-metrics -a",
     "halfspace inspect MODEL --all prints the weights by name"},
    {"train", "dry-run strict-parse", "halfspace check DATA"},
    {"train", "print-every progress driver-output log-output limit-output -P",
     "leave it out: a terminal shows the progress, and --log FILE records it"},
    {"train", "driver-output-off log-level", "write -q"},
    {"train", "verbose show-time show-memory measure-time measure-memory verbose-metrics yield-predictions step",
     "write --details, or --trace FILE for every round"},
    {"train", "version", "halfspace --version"},
    {"train", "dsjson", "convert it to CSV: halfspace bandit DATA --logged reads actions, rewards and propensities"},
    {"train", "csv flatbuffer", "leave it out: --format FORMAT names what is not recognised"},
    {"train", "csv-separator sep", "=delimiter"},
    {"train", "csv-no-file-header csv-header", "write --no-header, or put the names into the first line"},
    {"train", "csv-ns-value", "there is none: values are scaled by --normalize column"},
    {"train", "target-column label-column label-col y", "=label"},
    {"train", "features x", "leave it out: all columns are features but those of --label, --id and --drop"},
    {"train", "named-labels indexing", "leave it out: the labels name the classes"},
    {"train", "sample-weight", "=weight"},
    {"train", "no-stdin ring-size example-queue-limit sparse-weights math-mode pre-dispatch -m",
     "leave it out: rows are read in constant memory, and kept in --memory SIZE"},
    {"train", "n-jobs num-threads nthreads thread-pool-size", "=threads"},
    {"train", "onethread", "write --threads 1"},
    {"train", "daemon foreground port num-children pid-file port-file no-daemon",
     "halfspace serve MODEL --log FOLDER --port N"},
    {"train", "span-server span-server-port unique-id total node sendto", "mpirun -n N halfspace-mpi train DATA"},

    // Passes, seeds, and rows held out.
    {"train", "max-iter n-iter iterations n-epochs num-epochs", "=passes"},
    {"train", "tol termination -e", "write --until clean, or --objective logistic:gap=G"},
    {"train", "early-stopping n-iter-no-change early-terminate",
     "leave it out: without flags the passes are chosen by folds, with --search passes=1,3,9 --folds 5 from these"},
    {"train", "initial-pass-length examples", "head -n N DATA | halfspace train -"},
    {"train", "shuffle", "write --order shuffled, or --order cyclic for the order of the rows"},
    {"train", "batch-size minibatch", "leave it out: each row is learned by itself"},
    {"train", "random-seed random-state", "=seed"},
    {"train", "initial-weight random-weights normal-weights truncated-normal-weights initializer mu sigma value",
     "write --start small, or --start zero"},
    {"train", "split validation-split validation-fraction", "=holdout"},
    {"train", "holdout-off", "leave it out: only --holdout SHARE holds rows out"},
    {"train", "train-size valid holdout-period holdout-after", "write --holdout SHARE, such as 0.2"},
    {"train", "stratify groups", "leave it out: --folds K is stratified by class; there are no groups of rows"},
    {"train", "cv n-folds kfold cross-validation -v", "=folds"},
    {"train", "param-grid param-distributions", "write --search NAME=A,B,C --folds 5"},
    {"train", "-C", "write --objective svm --search C=0.01..100 --folds 5; Vowpal Wabbit's -C: leave it out"},
    {"train", "scoring", "=metric"},
    {"train", "refit error-score return-train-score params fit-params dataset",
     "leave it out: with --search and --folds the best candidate trains on all rows"},
    {"train", "estimator base-estimator model optimizer", "write --rule NAME, --preset NAME or --objective NAME"},
    {"train", "moment delay", "halfspace serve MODEL --log FOLDER learns from labels that come late"},

    // Losses, penalties and steps.
    {"train", "loss-function loss-option opt-func", "write --rule ftrl:loss=logistic, or --rule ftrl:loss=hinge"},
    {"train", "penalty l1-ratio", "write --rule ftrl:l1=L1:l2=L2, or --objective logistic for an l2 penalty"},
    {"train", "l1-state l2-state sparse-l2 no-reg lambda reg", "write --rule ftrl:l1=L1:l2=L2"},
    {"train", "no-bias-regularization -R", "write --objective logistic:penalize-bias=no"},
    {"train", "ftrl ftrl-*", "write --rule ftrl:alpha=A:beta=B"},
    {"train", "coin pistol freegrad restart project fepsilon flipschitz-const", "write --rule coin: it needs no rate"},
    {"train", "lr eta eta0", "=rate"},
    {"train", "-l", "write --rule perceptron:rate=R; for Vowpal Wabbit's own steps --rule nag:rate=R"},
    {"train", "sgd adaptive adax invariant normalized",
     "write --rule nag: its steps are adaptive, normalized and safe for any weight"},
    {"train",
     "power power-t initial-t decay-learning-rate beta-1 beta-2 eps rho final-lr correct-bias intercept-lr "
     "learning-rate-cnt",
     "leave it out: steps have no schedule; --rule nag, adagrad, ftrl and coin set their own"},
    {"train", "clip-gradient", "write --rule pa1:aggressiveness=C: it caps what a row may do"},
    {"train", "mode", "write --rule pa, pa1 or pa2"},
    {"train", "bfgs conjugate-gradient hessian-on mem svrg stage-size solver dual",
     "write --objective logistic:C=C, or squared-hinge or svm: the minimum, and a proof"},
    {"train", "-s", "write --objective logistic (0, 7), squared-hinge (1, 2) or svm (3); LIBSVM's -s: --rule kernel"},
    {"train", "-c", "write --objective svm:C=C; Vowpal Wabbit's -c: leave it out, --passes N keeps the rows itself"},
    {"train", "ojanewton sketch-size epoch-size alpha-inverse random-init",
     "write --rule second-order, or arow-diagonal"},
    {"train", "constant intercept-init -B", "write --bias-scale C, or --bias none for no bias"},
    {"train", "fit-intercept learn-intercept", "write --bias none for no bias"},
    {"train", "intercept-scaling", "=bias-scale"},
    {"train", "classweight weight-pos weight-neg -w", "write --class-weight NAME=W"},
    {"train", "standardize scale scaler", "write --normalize column, or with an objective standard"},
    {"train", "quantile-tau expectile-q logistic-min logistic-max min-prediction max-prediction smoothing -n",
     "there is none: Halfspace classifies, it has no regression and no nu"},
    {"train", "epsilon", "there is none: it is of regression, or of exploration, as halfspace bandit has it"},
    {"train", "nn inpass multitask dropout meanfield",
     "there is none: models are linear; --interactions A:B adds products of columns, --rule kernel curves"},
    {"train", "ksvm reprocess bandwidth coef0 -g",
     "write --rule kernel:gamma=G, or --rule kernel:kernel=polynomial:offset=O"},
    {"train", "p b b1", "there is none: alma is for p = 2; --rule alma:alpha=A"},
    {"train", "boosting alg bootstrap bs-type n-estimators ensemble",
     "there is none: --rule tournament mixes four learners"},

    // Multiclass, costs and probabilities.
    {"train", "oaa ect error binary oaa-subsample multi-class",
     "leave it out: the labels name the classes; --multiclass one-against-rest, or one-against-one"},
    {"train",
     "log-multi no-progress swap-resistance recall-tree max-candidates bern-hyper max-depth node-only "
     "randomized-routing memory-tree max-number-of-labels leaf-example-multiplier dream-* top-k learn-at-leaf oas "
     "online plt plt-* kary-tree",
     "leave it out: there is a vector of weights a class, no tree"},
    {"train", "multilabel-oaa", "there is none: a row has one label; train a model for each"},
    {"train", "csoaa csoaa-* ldf-override wap-ldf cs-absolute-loss", "write --cost TRUTH:PREDICTED=C"},
    {"train", "link probabilities method",
     "write --calibrate platt --folds 5, then halfspace predict MODEL DATA --probability"},
    {"train", "-b", "leave it out: names are not hashed; LIBSVM's -b: --calibrate platt --folds 5"},

    // Features.
    {"train", "bit-precision hash-seed chain-hash", "leave it out: names are kept, or hashed by --hash BITS"},
    {"train", "experimental-full-name-interactions", "write --interactions A:B"},
    {"train",
     "stage-poly sched-exponent batch-sz batch-sz-no-doubling interact autolink lrq lrqfa lrqdropout new-mf rank",
     "write --interactions A:B, products of columns or namespaces"},
    {"train", "sort-features permutations leave-duplicate-interactions",
     "leave it out: a product is one feature, whatever the order"},
    {"train", "ignore-linear ignore-features-dsjson-experimental redefine",
     "there is none: --ignore NAME leaves a namespace out, --only NAME keeps it"},
    {"train", "ngram skips", "write --text COL --ngrams N, for columns of text"},
    {"train",
     "affix spelling dictionary dictionary-path feature-limit marginal initial-denominator initial-numerator "
     "compete update-before-learn unweighted-marginals feature-mask input-feature-regularizer "
     "output-feature-regularizer-*",
     "there is none: make such features before"},

    // Streams that drift.
    {"train", "drift-detector", "write --drift adwin"},
    {"train", "delta", "write --drift-delta P"},
    {"train",
     "clock max-buckets min-window-length grace-period min-instances window-size stat-size slack k m "
     "drift-confidence drift-threshold warning-* two-sided-test lambda-val alpha-drift alpha-warning "
     "sliding-window-size "
     "short-window-size confidence-level recent-window-size older-window-size buffer-size max-concept-size difference "
     "ratio jaccard-threshold auc-threshold discriminative-classifier trigger-method t-0 w dynamic-cloning "
     "train-in-background",
     "leave it out: --drift adwin has --drift-delta"},

    // What Halfspace does not do.
    {"train",
     "active simulation direct mellowness active-cover beta-scale oracular cs-active domination range-c "
     "max-labels min-labels cost-max cost-min csa-debug pool-greedy para-active pool-size subsample",
     "there is none: no active learning; halfspace serve MODEL --log FOLDER learns from labels that come late"},
    {"train",
     "cb cb-* cbify cbify-* cbzo cats cats-* warm-cb warm-cb-* ccb-* slates bag cover nounif psi first "
     "first-only regcb regcbopt squarecb gamma-scale gamma-exponent elim greedify rnd rnd-* softmax synthcover* "
     "policy eval rank-all clip-p no-predict all-slots-loss get-pmf sample-pdf pmf-to-pdf min-value max-value "
     "tree-bandwidth loss-report loss-01-ratio loss0 loss1 flip-loss-sign large-action-space max-actions spanner-c "
     "block-size las-* two-pass-svd action-cache-slack graph-feedback explore-eval multiplier target-rate automl "
     "automl-* default-lease priority-* csv-trace interaction-type oracle-type debug-reversed-learn "
     "fixed-significance-level reward-as-cost tol-x epsilon-* model-count min-scope constant-epsilon "
     "bonferroni-denominator min-champ-examples initial-epsilon shift-model-bounds challenger-epsilon baseline "
     "baseline-* lr-multiplier global-only check-enabled experimental-igl ot multiworld-test learn exclude-eval "
     "corrupt-* choices-lambda lambda-scheme overwrite-label sim-bandit warm-start-update interaction "
     "interaction-update replay-* emt emt-* confidence-after-training dont-output-best-constant",
     "halfspace choose --log FOLDER chooses among actions; halfspace bandit DATA --logged values policies on a log"},
    {"train", "search-*", "there is none: no structured prediction, a row has one label; --search tries parameters"},
    {"train", "lda lda-* metrics top noop print", "there is none: no topics, no ranking, no learner that does nothing"},

    // Other commands.
    {"predict", "data testonly initial-regressor -d -t -i", "leave it out: write halfspace predict MODEL DATA"},
    {"predict", "predictions -p", "=output"},
    {"predict", "raw-predictions -r", "write --scores"},
    {"predict", "link probabilities proba predict-proba -b", "write --probability"},
    {"predict", "quadratic cubic interactions ignore only hash bit-precision noconstant normalize threshold",
     "leave it out: the model keeps it"},
    {"evaluate", "data testonly initial-regressor test -d -t -i", "leave it out: write halfspace evaluate MODEL DATA"},
    {"evaluate", "predictions -p", "halfspace predict MODEL DATA -o FILE"},
    {"evaluate", "link probabilities metric scoring -b", "leave it out: all metrics are printed that the model has"},
    {"evaluate", "quadratic cubic interactions ignore only hash bit-precision noconstant normalize threshold",
     "leave it out: the model keeps it"},
    {"certify", "weight sample-weight class-weight",
     "write --drop COL: a proof counts each row once, whatever its weight"},
    {"bandit", "epsilon first bag cover softmax policy n-arms", "write --algorithm NAME; a live one has --arms N"},
    {"bandit", "data -d dsjson", "leave it out: the data are a CSV table; a log is read by --logged"},
};

// Flags with the same meaning, which are accepted.
constexpr std::pair<std::string_view, std::string_view> synonyms[] = {
    {"epochs", "passes"}, {"learning-rate", "rate"}, {"target", "label"}, {"test-size", "holdout"}};

// Values of other programs' flags, and the name of ours.
constexpr struct {
  std::string_view theirs, flag, own;
} foreign_values[] = {{"rbf", "--kernel", "gaussian"},
                      {"poly", "--kernel", "polynomial"},
                      {"sigmoid", "--calibrate", "platt"},
                      {"log", "--loss", "logistic"},
                      {"log-loss", "--loss", "logistic"},
                      {"roc-auc", "--metric", "auc"},
                      {"neg-log-loss", "--metric", "log-loss"},
                      {"neg-brier-score", "--metric", "brier"},
                      {"matthews-corrcoef", "--metric", "matthews"},
                      {"ovr", "--multiclass", "one-against-rest"},
                      {"ovo", "--multiclass", "one-against-one"},
                      {"crammer-singer", "--multiclass", "own"},
                      {"l2", "--normalize", "row"},
                      {"hinge", "--objective", "svm"},
                      {"log", "--objective", "logistic"},
                      {"log-loss", "--objective", "logistic"}};

// Returns the name as the table has it: of a long flag without dashes, of short ones the first.
std::string table_name(const std::string& flag) {
  if (!flag.starts_with("--")) return flag.substr(0, 2);
  std::string name = flag.substr(2);
  for (char& c : name) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

bool lists(std::string_view names, std::string_view wanted) {
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = std::min(names.find(' ', at), names.size());
    const std::string_view name = names.substr(at, end - at);
    if (name == wanted || (name.ends_with('*') && wanted.starts_with(name.substr(0, name.size() - 1)))) return true;
    at = end + 1;
  }
  return false;
}

std::string written(const Row& row) {
  return "write " + flag_name(row) + (row.placeholder.empty() ? "" : " " + row.placeholder);
}

const ForeignFlags* answer_of(std::string_view command, std::string_view name) {
  const auto found = std::find_if(std::begin(answers), std::end(answers), [&](const ForeignFlags& answer) {
    return answer.command == command && lists(answer.names, name);
  });
  return found == std::end(answers) ? nullptr : found;
}

}  // namespace

std::span<const ForeignFlags> foreign_flags() { return answers; }

std::string instead_of(const Command& command, const std::string& flag) {
  if (const Row* own = renamed(command, flag)) return written(*own);
  const std::string name = table_name(flag);
  const ForeignFlags* const asked = answer_of(command.name, name);
  if (asked != nullptr && command.program == "halfspace") return std::string(asked->instead);
  for (const CommandEntry& entry : command_entries()) {
    if (flag.starts_with("--") && entry.describe().flag(std::string_view(name)) != nullptr)
      return "a flag of halfspace " + std::string(entry.name);
  }
  const ForeignFlags* const of_train = answer_of("train", name);
  if (of_train == nullptr) return "";
  std::string instead(of_train->instead);
  if (instead.starts_with('=')) instead = written(*train_command().flag(of_train->instead.substr(1)));
  return instead.starts_with("write") ? "with halfspace train, " + instead : instead;
}

const Row* renamed(const Command& command, const std::string& flag) {
  const std::string name = table_name(flag);
  if (const Row* own = command.flag(std::string_view(name)); own != nullptr && flag.starts_with("--")) return own;
  for (const std::string_view asked : {std::string_view(command.name), std::string_view("train")}) {
    const ForeignFlags* const answer = answer_of(asked, name);
    if (answer != nullptr && answer->instead.starts_with('=')) return command.flag(answer->instead.substr(1));
    if (answer != nullptr) return nullptr;
  }
  return nullptr;
}

const Row* synonym(const Command& command, const std::string& name) {
  const std::string wanted = table_name("--" + name);
  for (const auto& [other, own] : synonyms) {
    if (wanted == other || wanted == own) return command.flag(wanted == other ? own : other);
  }
  return nullptr;
}

std::string_view value_meant(const Row& row, std::string_view value) {
  const std::string name = table_name("--" + std::string(value));
  for (const auto& [theirs, flag, own] : foreign_values) {
    if (flag_name(row) == flag && name == theirs) return own;
  }
  return "";
}

bool names_vw_pair(const std::string& word) {
  const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':'; };
  std::error_code problem;
  return word.size() == 2 && std::all_of(word.begin(), word.end(), letter) && !std::filesystem::exists(word, problem);
}

}  // namespace halfspace::cli
