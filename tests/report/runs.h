// What the commands print, short; and a look at the pages made of it.
#pragma once

#include "report/results/json.h"

namespace halfspace::report {

// How often a piece of text stands in another.
inline std::size_t count(const std::string& text, const std::string& what) {
  std::size_t times = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++times;
  return times;
}

inline Json train_run() {
  Json j =
      Json::parse(R"({"command": "train", "version": "0.1.0", "invocation": "halfspace train d.svm --report r.html",
    "rounds": 8, "mistakes": 3, "updates": 3, "passes": 1, "stopped": "end", "rows": 8, "rejected": 0, "features": 2,
    "nonzeros": 12, "classes": {"-1": 3, "+1": 5}, "radius": 7, "weight_norm": 2, "training_errors": 1,
    "bound": {"value": 40, "theorem": "novikoff", "comparator": "last", "margin": 1, "radius": 7, "hinge": 0},
    "progressive": {"rounds": 8, "mistakes": 3, "errors": 3, "weight": 8, "constant_mistakes": 2,
      "previous_mistakes": 4},
    "pass": [{"rounds": 8, "mistakes": 3, "updates": 3, "criterion": 2.5, "errors": 3, "weight": 8},
      {"rounds": 8, "mistakes": 0, "updates": 0, "criterion": 0, "errors": 0, "weight": 8}],
    "composition": {"rule": "perceptron", "order": "stream", "keep": "last"}, "seconds": {"total": 0.1},
    "figures": {
      "progress": {"rounds": [1, 2, 4, 8], "mistakes": [1, 2, 2, 3], "errors": [1, 2, 2, 3], "weight": [1, 2, 4, 8],
        "updates": [1, 2, 2, 3],
        "constant_mistakes": [0, 1, 1, 2], "previous_mistakes": [0, 1, 2, 4]},
      "norms": {"rounds": [1, 8], "squared_norm": [9, 16.5], "squares": [9, 60]},
      "projection": {"comparator": "last", "margin": 0.5, "rounds": [1, 8], "projection": [1, 3], "floor": [0.5, 1.5]},
      "training": {"of": "training", "rows": 8, "margins": {"edges": [-1, 0, 1], "right": [0, 7], "wrong": [1, 0]},
        "worst": [{"row": 4, "label": "+1", "margin": -0.5}],
        "confusion": {"-1": {"-1": 3, "+1": 0}, "+1": {"-1": 1, "+1": 4}},
        "roc": {"rows": 8, "area": 0.9, "false_positive": [0, 0, 1], "true_positive": [0, 0.8, 1]}},
      "weights": {"nonzero": 2, "shown": [{"feature": "age", "weight": 2}, {"feature": "debt", "weight": -1}]}}})");
  return j;
}

inline Json explain_run() {
  return Json::parse(R"({"command": "explain", "version": "0.1.0", "row": 2, "id": "A0002", "label": "declined",
    "positive": "declined", "score": 3.5, "threshold": 0, "nearest": {"rows": 100, "otherwise": 7, "within": 0.25,
      "learned_from": true},
    "reference": {"of": "the means of the training rows", "score": -1.5},
    "probabilities": {"approved": 0.125, "declined": 0.875},
    "contributions": [
      {"column": "credit", "contribution": 6, "value": "422", "holds": {"least": null, "most": 551.5}},
      {"column": "years", "contribution": 0.5, "value": "5.5", "holds": {"least": -3, "most": 26.25}},
      {"column": "purpose", "contribution": -0.5, "value": "car"},
      {"column": "region", "contribution": -1, "missing": true}],
    "reasons": [{"code": "R05", "text": "Credit score too low"}],
    "radius": {"l1": 20.5, "l2": 20.25, "infinity": 17.25},
    "change": {"found": true, "cheapest": true, "cost": 1.25, "label": "approved", "unmoved": ["notes"],
      "changes": [{"column": "credit", "from": 422, "to": 551.75},
        {"column": "purpose", "from": "car", "to": "home"}]}})");
}

inline Json evaluate_run() {
  return Json::parse(R"({"command": "evaluate", "version": "0.1.0", "rows": 10, "errors": 2, "accuracy": 0.8,
    "constant_accuracy": 0.6, "auc": 0.875,
    "metrics": {"values": {
        "accuracy": {"value": 0.8, "lower": 0.44, "upper": 0.975, "interval": "exact"},
        "f1": {"value": 0.75, "lower": 0.3, "upper": 0.95, "interval": "bootstrap"},
        "average-precision": {"value": 0.83, "lower": null, "upper": null, "interval": null}},
      "average": "macro", "beta": 1, "lift_share": 0.1, "confidence": 0.95, "resamples": 1000, "weighted": false},
    "classes": [{"class": "no", "precision": 0.83, "recall": 0.83, "f1": 0.83, "rows": 6},
      {"class": "yes", "precision": 0.75, "recall": 0.75, "f1": 0.75, "rows": 4}],
    "curve": {"score": [2, 1, -1, -3], "recall": [0.5, 0.75, 1, 1], "false_positive_rate": [0, 0.5, 0.5, 1],
      "precision": [1, 0.5, 0.5714, 0.4], "error": [0.2, 0.4, 0.3, 0.6], "cost": [1, 0.8, 0.3, 0.6]},
    "confusion": {"no": {"no": 5, "yes": 1}, "yes": {"no": 1, "yes": 3}},
    "expected_error": {"lower": 0.0252, "upper": 0.5561, "confidence": 0.95, "of": "held_out", "assumption": "a",
      "rows": 10, "errors": 2},
    "probability": {"log_loss": 0.4, "no_log_loss": null, "impossible": 0, "brier": 0.15, "constant_brier": 0.24,
      "calibration_error": 0.05, "reliability": [{"from": 0.1, "to": 0.2, "rows": 6, "mean": 0.15, "came_true": 0.5},
        {"from": 0.8, "to": 0.9, "rows": 4, "mean": 0.85, "came_true": 0.75}]},
    "sets": {"wanted": 0.9, "rows": 10, "coverage": 0.9, "mean_size": 1.2}, "unknown_features": 0, "rejected": 1})");
}

// What the page of a service is drawn from.
inline Json service_run() {
  return Json::parse(R"({"command": "serve", "version": "0.1.0", "classes": {"no": null, "yes": null},
    "normalize": "none", "composition": {"rule": "arow", "order": "stream", "keep": "last"},
    "ledger": {"version": 12, "learned": 10, "forgotten": 1, "rounds": 30, "mistakes": 6, "features": 2, "writable": true,
      "drift": {"detector": "error", "above": 0.2, "false_alarms": 10000, "alarms": 1,
        "latest": [{"round": 24, "row": 24, "before": 0.2, "after": 0.5}]},
      "served": {"asked": 4, "labels": 2, "mistakes": 1, "waiting": 1, "missing": 1,
        "error_bounds": {"lower": 0.01, "upper": 0.99, "confidence": 0.95, "of": "all"}}},
    "progress": {"rounds": [20, 24, 30], "mistakes": [3, 5, 6], "errors": [3, 5, 6], "weight": [20, 24, 30]},
    "figures": {"weights": {"nonzero": 2, "shown": [{"feature": "age", "weight": 2}, {"feature": "debt", "weight": -1}]}}})");
}

// What the page of a chooser is drawn from.
inline Json choose_run() {
  return Json::parse(R"({"command": "choose", "version": "0.1.0",
    "policies": {"run": "exp4", "choices": 12, "rewards": 10, "confidence": 0.95, "holds": "at any time",
      "policies": [
        {"name": "squarecb", "share": 0.75, "value": {"value": 0.5, "lower": 0.25, "upper": 0.75},
          "gain": {"value": 0.125, "lower": 0.0625, "upper": 0.25}, "rounds_to_prove_a_gain": 0, "changed": null},
        {"name": "exp4", "share": null, "value": {"value": 0.375, "lower": 0.125, "upper": 0.625},
          "gain": {"value": 0, "lower": -0.5, "upper": 0.5}, "rounds_to_prove_a_gain": 80, "changed": null}],
      "what_runs": {"value": 0.375, "lower": 0.125, "upper": 0.625}, "regret_bound": 4},
    "ledger": {"version": 30, "run": "exp4", "choices": 12, "waiting": 1, "held": 0, "rewards": 9, "defaults": 1,
      "never_activated": 1, "repeated_rewards": 0, "reward": 4, "writable": true}})");
}

inline Json events_run() {
  return Json::parse(R"({"command": "bandit", "version": "0.1.0", "rounds": 40, "proved_confidence": 0.95,
    "left_out": {"no_cost": 2, "no_probability": 0, "no_action": 0, "skipped": 0, "not_events": 0},
    "logger": {"name": "the logger", "value": {"value": 0.5, "lower": 0.25, "upper": 0.75},
      "gain": {"value": 0, "lower": -0.25, "upper": 0.25}, "snips": 0.5, "doubly_robust": 0.5, "effective_rows": 40,
      "rounds_to_prove_a_gain": 0},
    "policies": [{"name": "first", "value": {"value": 1, "lower": 0.5, "upper": 1},
      "gain": {"value": 0.5, "lower": 0.25, "upper": 0.75}, "snips": 1, "doubly_robust": null, "effective_rows": 20,
      "rounds_to_prove_a_gain": 0}]})");
}

inline Json experts_run() {
  return Json::parse(
      R"({"command": "experts", "algorithm": "hedge", "rounds": 4, "loss": 2, "best": {"name": "a", "loss": 1},
    "regret": 1, "bound": {"value": 2.5, "theorem": "T", "bounds": "expected regret", "observed": 1, "holds": true},
    "weights": {"a": 0.7, "b": 0.3}, "experts": [{"name": "a", "loss": 1, "rounds": 4}, {"name": "b", "loss": 3, "rounds": 4}],
    "path": {"rounds": [1, 2, 4], "observed": [0, 0.5, 1], "weights": {"a": [0.5, 0.6, 0.7], "b": [0.5, 0.4, 0.3]}}})");
}

inline Json lab_run() {
  return Json::parse(R"({"command": "lab", "lab": "regret", "claim": "C", "source": "S", "seed": 1, "holds": true,
    "rows": [{"player": "hedge", "rounds": 100, "regret": 4, "bound": 9}, {"player": "hedge", "rounds": 800, "regret": 9, "bound": 30}],
    "figure": {"x": "rounds", "lines": ["regret"], "bounds": ["bound"], "by": "player", "logarithmic": true}})");
}

inline Json compare_run() {
  return Json::parse(R"({"command": "compare", "version": "0.1.0", "invocation": "halfspace compare a b c",
    "competitors": ["p", "q", "r"], "folds": 2, "confidence": 0.95, "test": "nemenyi", "interrupted": false,
    "sets": [
      {"data": "a", "rows": 90, "classes": 2, "results": [
        {"competitor": "p", "accuracy": 0.9, "lower": 0.8, "upper": 0.95, "rank": 1, "seconds": 0.01,
         "fold": [{"rows": 45, "errors": 4, "accuracy": 0.91}], "curve": {"rows": [1, 2, 4], "accuracy": [0.5, 0.6, 0.8]}},
        {"competitor": "q", "accuracy": 0.8, "lower": 0.7, "upper": 0.85, "rank": 2, "seconds": 0.02},
        {"competitor": "r", "accuracy": 0.7, "lower": 0.6, "upper": 0.75, "rank": 3, "seconds": 0.04}], "pairs": []},
      {"data": "b", "rows": 80, "classes": 3, "results": [
        {"competitor": "p", "accuracy": 0.8, "lower": 0.7, "upper": 0.9, "rank": 1, "seconds": 0.01},
        {"competitor": "q", "accuracy": 0.7, "lower": 0.6, "upper": 0.8, "rank": 2, "seconds": 0.02},
        {"competitor": "r", "accuracy": 0.6, "lower": 0.5, "upper": 0.7, "rank": 3, "seconds": 0.04}], "pairs": []},
      {"data": "c", "rows": 9, "classes": 2, "results": [{"competitor": "p", "not_run": "two rows"},
        {"competitor": "q", "accuracy": 0.7, "lower": 0.6, "upper": 0.8, "rank": 1, "seconds": 0.02},
        {"competitor": "r", "accuracy": 0.6, "lower": 0.5, "upper": 0.7, "rank": 2, "seconds": 0.04}], "pairs": []}],
    "over_sets": {"sets": ["a", "b"], "competitors": [{"name": "p", "mean_rank": 1, "mean_accuracy": 0.85},
        {"name": "q", "mean_rank": 2, "mean_accuracy": 0.75}, {"name": "r", "mean_rank": 3, "mean_accuracy": 0.65}],
      "friedman": {"chi_squared": 4, "chi_squared_p": 0.14, "f": null, "p": 0.17}, "critical_difference": 1.7,
      "pairs": [
        {"better": "p", "worse": "r", "lead": 0.2, "statistic": 0, "p": 0.5, "holm_p": 1, "nemenyi_p": 0.04, "wins": 2, "losses": 0, "ties": 0, "significant": true},
        {"better": "p", "worse": "q", "lead": 0.1, "statistic": 0, "p": 0.5, "holm_p": 1, "nemenyi_p": 0.5, "wins": 2, "losses": 0, "ties": 0, "significant": false},
        {"better": "q", "worse": "r", "lead": 0.1, "statistic": 0, "p": 0.5, "holm_p": 1, "nemenyi_p": 0.5, "wins": 2, "losses": 0, "ties": 0, "significant": false}]},
    "best": "p", "significantly_better_than": ["r"], "not_significantly_better_than": ["q"],
    "words": {"rows": "2 folds", "test": "Nemenyi", "best": "p"}, "seconds": {"total": 1, "trainings": 2}})");
}

inline Json certify_run() {
  return Json::parse(R"({"command": "certify", "verdict": "not separable", "rows": 4, "features": 2,
    "margin": {"lower": 0, "upper": 0}, "radius": 2, "mistake_bound": null, "witness": [1, 2, 3, 4],
    "fewest_errors": {"lower": 1, "upper": 1}, "verified": true, "seconds": {"total": 0.1},
    "figures": {"bracket": [{"stage": "s", "seconds": [0, 1], "lower": [0, 0], "upper": [2, 0.001]}],
      "witness": [{"row": 1, "label": "a", "weight": 0.25, "sign": 1, "values": {"x": 1, "y": 0}},
        {"row": 2, "label": "b", "weight": 0.5, "sign": -1, "values": {"x": 2, "y": 1}}],
      "balance": {"columns": 3, "shown": [{"feature": "x", "positive": 1, "parts": [0.25, -1]},
        {"feature": "bias", "positive": 0.5, "parts": [0.5, -0.5]}]},
      "points": {"features": ["x", "y"], "rows": 4, "shown": 4, "classes": {"a": {"x": [0, 1], "y": [0, 1]}, "b": {"x": [0, 1], "y": [1, 0]}}},
      "hulls": {"a": {"x": [0, 1, 0], "y": [0, 1, 0]}, "b": {"x": [0, 1, 0], "y": [1, 0, 1]}}, "meet": {"x": 0.5, "y": 0.5}}})");
}

inline Json separable_run() {
  return Json::parse(R"({"command": "certify", "verdict": "separable", "rows": 4, "features": 2,
    "margin": {"lower": 0.5, "upper": 0.5000001}, "radius": 2, "mistake_bound": 16, "witness": [],
    "fewest_errors": {"lower": 0, "upper": 0}, "verified": true, "seconds": {"total": 0.1},
    "figures": {"bracket": [{"stage": "s", "seconds": [0, 1], "lower": [0, 0.5], "upper": [2, 0.5]}],
      "witness": [{"row": 3, "label": "a", "weight": 0.5, "margin": 0.5, "sign": 1, "values": {"x": 0.5}},
        {"row": 4, "label": "b", "weight": 0.5, "margin": 0.5, "sign": -1, "values": {"x": -0.5, "y": 1}}],
      "strip": {"rows": 4, "shown": 4, "classes": {"b": [0.5, 9], "a": [0.5, 0.75]}},
      "weights": {"nonzero": 1, "shown": [{"feature": "x", "weight": 2}]},
      "points": {"features": ["x", "y"], "rows": 4, "shown": 4, "classes": {"b": {"x": [-0.5, -9], "y": [1, 0]},
        "a": {"x": [0.5, 0.75], "y": [0, 1]}}},
      "line": {"x": [0, 0], "y": [0, 1]}, "borders": [{"x": [-0.5, -0.5], "y": [0, 1]}, {"x": [0.5, 0.5], "y": [0, 1]}]}})");
}

inline Json pairs_run() {
  return Json::parse(R"({"command": "certify", "questions": 4, "decided": 4, "answers": [
    {"positive": "a", "negative": "b", "verdict": "separable", "rows": 7, "witness_rows": 0, "margin": {"lower": 2, "upper": 3}},
    {"positive": "a", "negative": "c", "verdict": "separable", "rows": 8, "witness_rows": 0, "margin": {"lower": 0.5, "upper": 3}},
    {"positive": "b", "negative": "c", "verdict": "not separable", "rows": 9, "witness_rows": 5, "margin": {"lower": 0, "upper": 0}},
    {"positive": "a", "negative": null, "verdict": "not separable", "rows": 12, "witness_rows": 6,
      "margin": {"lower": 0, "upper": 0}}]})");
}

}  // namespace halfspace::report
