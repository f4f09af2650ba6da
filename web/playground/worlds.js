// Worlds that play the rounds of a game: forecasts and an outcome, or the losses of arms, each 0 or 1. They see what
// the engine says of the rounds so far: `weights`, the share of each expert or arm, and `up(forecasts)`, the
// probability that the player says up.
import { draws } from "./shared.js";

export const worlds = [["you", "you decide"], ["random"], ["periodic"], ["adversary"],
  ["perfect", "one is always right"], ["drifting", "the best one changes"]];

const coin = (next, chance = 0.5) => next() < chance ? 1 : 0;
const ordered = (weights) => weights.map((_, i) => i).sort((i, j) => weights[j] - weights[i] || i - j);
// Draws of a round: the same whenever it is played.
function drawsOf(seed, round) {
  const next = draws(1 + (Number(seed) * 48611 + round * 7919) % 2147483646);
  next();
  return next;
}

// Experts that are right as `rightness` says, a probability each.
function advised(rightness, next) {
  const outcome = coin(next);
  return { forecasts: rightness.map((chance) => coin(next, chance) ? outcome : 1 - outcome), outcome };
}
const each = (count, value) => Array.from({ length: count }, (_, i) => value(i));

const ofExperts = {
  random: ({ count }, next) => advised(each(count, () => 0.5), next),
  perfect: ({ count }, next) => advised(each(count, (i) => i === count - 1 ? 1 : 0.5), next),
  drifting: ({ count, round }, next) => {
    const best = Math.floor(round / 15) % count;
    return advised(each(count, (i) => i === best ? 0.95 : 0.4), next);
  },
  // Up, up, down again and again; experts say up, down, each in turn, the last outcome, its opposite, and the truth.
  periodic: ({ count, round, last }) => {
    const outcome = round % 3 === 2 ? 0 : 1;
    return { forecasts: [1, 0, round % 2, last, 1 - last, outcome].slice(0, count), outcome };
  },
  // Divides the weight in two, and then lets the player be wrong, or wrong with the larger probability.
  adversary: ({ weights, up }) => {
    const forecasts = [];
    ordered(weights).forEach((i, k) => { forecasts[i] = k % 4 === 0 || k % 4 === 3 ? 1 : 0; });
    return { forecasts, outcome: up(forecasts) >= 0.5 ? 0 : 1 };
  },
};
const ofArms = {
  random: ({ count }, next) => each(count, () => coin(next)),
  perfect: ({ count }, next) => each(count, (i) => i === count - 1 ? 0 : coin(next)),
  drifting: ({ count, round }, next) => {
    const best = Math.floor(round / 40) % count;
    return each(count, (i) => coin(next, i === best ? 0.05 : 0.6));
  },
  periodic: ({ count, round }) => each(count, (i) => round % (i + 2) === 0 ? 0 : 1),
  adversary: ({ weights }) => weights.map((_, i) => i === ordered(weights)[0] ? 1 : 0),
};

// Returns the next round: the forecasts and the outcome, or the losses.
export function roundOf(kind, world, seed, situation) {
  const next = drawsOf(seed, situation.round);
  if (kind === "bandit") return ofArms[world](situation, next);
  const { forecasts, outcome } = ofExperts[world](situation, next);
  return [...forecasts, outcome];
}
