// The tab "Whom to follow": a game of experts or of arms, round by round. What is shown of a round is what the engine
// says of the rounds until then, played by the same algorithm; the page only subtracts a round's figures from the next.
import { chart } from "./picture.js";
import { byId, choices, clockOf, counted, csvOf, escaped, fact, faultOf, flags, link, onButtons, onKeys, shown, shownAbove, speak }
  from "./shared.js";
import { roundOf, worlds } from "./worlds.js";

const panel = byId("panel-experts"), form = byId("game"), field = (name) => form.elements[name];
const live = byId("game-live"), board = byId("board");
const mostRounds = 300, most = 6;
const usual = { kind: "experts", experts: "4", algorithm: "weighted-majority", beta: "0.5", eta: "0.5", delta: "0.05",
  horizon: "100", draw: "1", world: "you" };
const usualBandit = "exp3-ix-anytime";
const followed = ["consistent", "halving", "weighted-majority", "hedge-anytime", "hedge-doubling", "hedge"];

// ---- the state; the address holds all of it ----

const state = { choices: { ...usual }, rounds: [], next: [], at: 0 };
const isBandit = () => state.choices.kind === "bandit";
const count = () => Number(state.choices.experts);
const width = () => count() + (isBandit() ? 0 : 1);
const usualNext = () => Array.from({ length: count() }, (_, i) => i % 2 === 0 ? 1 : 0);
const usualOf = (name) => name === "algorithm" && isBandit() ? usualBandit : usual[name];
const one = () => isBandit() ? "arm" : "expert";
const digits = (rows) => rows.map((row) => row.join("")).join("");

export function words() {
  const words = {};
  for (const [name, value] of Object.entries(state.choices)) if (value !== usualOf(name)) words[name] = value;
  if (state.rounds.length > 0) words.game = digits(state.rounds);
  if (digits([state.next]) !== digits([usualNext()])) words.next = digits([state.next]);
  if (state.at !== state.rounds.length) words.round = state.at;
  return words;
}
export function read(words) {
  state.choices = { ...usual, kind: words.get("kind") === "bandit" ? "bandit" : "experts" };
  for (const name of Object.keys(usual)) state.choices[name] = words.get(name) ?? usualOf(name);
  if (!["2", "3", "4", "5", "6"].includes(state.choices.experts)) state.choices.experts = usual.experts;
  const isPlayer = playersOf(state.choices.kind).some(([name]) => name === state.choices.algorithm);
  if (!isPlayer) state.choices.algorithm = usualOf("algorithm");
  if (!worlds.some(([name]) => name === state.choices.world)) state.choices.world = usual.world;
  const bits = [...(words.get("game") ?? "")].filter((bit) => bit === "0" || bit === "1").map(Number);
  const played = Math.min(mostRounds, Math.floor(bits.length / width()));
  state.rounds = Array.from({ length: played }, (_, t) => bits.slice(t * width(), (t + 1) * width()));
  const next = [...(words.get("next") ?? "")].filter((bit) => bit === "0" || bit === "1").map(Number);
  state.next = next.length === count() ? next : usualNext();
  const at = words.get("round");
  state.at = at === null ? played : Math.max(0, Math.min(played, Math.floor(Number(at)) || 0));
}
export const csv = () => csvOf([columns(), ...state.rounds]);
export const game = () => ({ kind: state.choices.kind, count: count(), rounds: state.rounds });

// ---- what the engine says of the first rounds ----

let engine, changedState, bandits = [];
const playersOf = (kind) => kind === "bandit" ? bandits.map(({ name, help }) => [name, name, help])
  : followed.map((name) => [name]);
const needsHorizon = () => isBandit() && bandits.find(({ name }) => name === state.choices.algorithm).needs_rounds;
const isDrawn = () => isBandit() || state.choices.algorithm.startsWith("hedge");
const uses = {
  beta: () => state.choices.algorithm === "weighted-majority",
  eta: () => state.choices.algorithm === "hedge",
  horizon: needsHorizon,
  delta: () => /^exp3(p|-ix)/.test(state.choices.algorithm),
  draw: () => isDrawn() || !["you", "adversary", "periodic"].includes(state.choices.world),
};
const players = () => Array.from({ length: count() }, (_, i) => `${one()[0]}${i + 1}`);
const columns = () => isBandit() ? players() : [...players(), "outcome"];
const naming = (column) => `${one()} ${column.slice(1)}`;
function options() {
  const { algorithm, beta, eta, delta, horizon, draw } = state.choices;
  return {
    ...(isBandit() ? {} : { outcome: "outcome" }), algorithm,
    ...(uses.beta() && beta !== usual.beta ? { beta } : {}), ...(uses.eta() ? { rate: eta } : {}),
    ...(uses.horizon() ? { rounds: horizon } : {}), ...(uses.delta() && delta !== usual.delta ? { delta } : {}),
    ...(isDrawn() && draw !== usual.draw ? { seed: draw } : {}),
  };
}
const results = new Map();
// Before the first round all experts weigh the same, whoever plays; players of labels take no table without rounds.
const atFirst = { outcome: "outcome", algorithm: "hedge-anytime" };
function played(rounds, figures = false) {
  const given = rounds.length > 0 || isBandit() ? options() : atFirst;
  const key = [isBandit(), count(), Object.values(given), figures, digits(rounds)].join();
  if (!results.has(key)) {
    if (results.size > 4000) results.clear();
    const text = csvOf([columns(), ...rounds]);
    results.set(key, engine[isBandit() ? "bandit" : "experts"](text, given, { figures, name: "rounds.csv" }));
  }
  return results.get(key);
}
const after = (t) => played(state.rounds.slice(0, t)).json;
// A bandit's draw of round t + 1, and from which probabilities: neither depends on the losses of that round.
function drawnAfter(t) {
  const before = after(t), { pulls, path } = played([...state.rounds.slice(0, t), Array(count()).fill(0)], true).json;
  const names = columns(), arm = names.findIndex((name) => pulls[name] > before.pulls[name]);
  return { arm, shares: names.map((name) => path.weights[name].at(-1)) };
}
const sharesAfter = (t) => isBandit() ? drawnAfter(t).shares : players().map((name) => after(t).weights[name]);
// The probability that the player says up, where these experts are heard after round t.
const upAfter = (t, forecasts) =>
  played([...state.rounds.slice(0, t), [...forecasts, 0]]).json.expected_loss - after(t).expected_loss;
const lossOf = (t) => after(t).loss - after(t - 1).loss;
const isMistake = (t) => lossOf(t) > 0.5;
const boundAfter = (t) => {
  const { bound } = after(t);
  return bound && t > 0 && !(needsHorizon() && t !== Number(state.choices.horizon)) ? bound : null;
};

// ---- words ----

const upDown = (bit) => bit === 1 ? "up" : "down";
const arrowOf = (bit) => bit === 1 ? "▲" : "▼";
const percent = (share) => `${(100 * share).toFixed(1)} %`;
const begun = () => isBandit() ? "say which arms lose, and play it" : "set the forecasts, and say how it ends";
function told() {
  const t = state.at, { algorithm } = state.choices;
  if (t === 0) return `Before the first round: ${begun()}.`;
  const round = state.rounds[t - 1], json = after(t);
  if (isBandit()) {
    const { arm, shares } = drawnAfter(t - 1), chance = shown(shares[arm]);
    return `Round ${t}: ${algorithm} pulls arm ${arm + 1}, with probability ${chance}, and loses ${round[arm]}. ` +
      `So far it lost ${shown(json.loss)}, the best arm ${shown(json.best.loss)}.`;
  }
  const outcome = round.at(-1), missed = isMistake(t), predicted = missed ? 1 - outcome : outcome;
  return `Round ${t}: the experts say ${round.slice(0, -1).map(upDown).join(", ")}; ` +
    `${algorithm} says ${upDown(predicted)}, and it goes ${upDown(outcome)}: ${missed ? "a mistake" : "right"}. ` +
    `So far ${counted(json.mistakes, "mistake")}, the best expert ${shown(json.best.loss)}.`;
}
const signed = (x) => `${x > 0 ? "+" : ""}${shown(x)}`;
function boundFact() {
  const t = state.at, bound = boundAfter(t);
  if (bound) {
    const note = `${escaped(bound.bounds)}, ${shown(bound.observed)} here<br>${escaped(bound.theorem)}`;
    return fact("Bound", shownAbove(bound.value), note);
  }
  const horizon = needsHorizon() ? `its theorem is about ${state.choices.horizon} rounds` : "";
  return fact("Bound", "none", t === 0 ? "" : escaped(after(t).note ?? horizon));
}
function facts() {
  const t = state.at, json = after(t), drawn = isDrawn();
  const rounds = `in ${counted(t, "round")}${drawn ? `<br>${shown(json.expected_loss)} expected` : ""}`;
  return fact(isBandit() ? "Loss" : "Mistakes", shown(json.loss), rounds) +
    fact(`Best ${one()}`, shown(json.best.loss), t === 0 ? "" : naming(json.best.name)) +
    fact("Regret", signed(json.regret), drawn ? `${signed(json.expected_regret)} expected` : "more than the best") +
    boundFact();
}

// ---- drawing ----

function drawBars() {
  const shares = sharesAfter(state.at), high = 26, picture = byId("shares");
  const bars = shares.map((share, i) => {
    const top = i * high, long = (226 * share).toFixed(1);
    return `<text x="0" y="${top + 18}">${one()} ${i + 1}</text><path class="strip" d="M74 ${top + 4}h226v18h-226z"/>` +
      `<path class="bar" d="M74 ${top + 4}h${long}v18h-${long}z"/>` +
      `<text class="of" x="360" y="${top + 18}">${percent(share)}</text>`;
  });
  picture.setAttribute("viewBox", `0 0 360 ${shares.length * high}`);
  picture.innerHTML = bars.join("");
  const spoken = shares.map((share, i) => `${one()} ${i + 1} ${percent(share)}`).join(", ");
  picture.setAttribute("aria-label", `${isBandit() ? "Probabilities" : "Weights"}: ${spoken}`);
  byId("shares-words").textContent = shares.every((share) => share === 0) ? "Every expert has made a mistake: none has any weight." : isBandit() ? "The probability with which each arm is pulled in the next round." :
    `The share of the weight that each expert has after ${counted(state.at, "round")}.`;
}
function drawCharts() {
  const series = Array.from({ length: state.at + 1 }, (_, t) => ({ ...after(t), bound: boundAfter(t) }));
  const of = (pick) => series.map((json) => pick(json) ?? null), { algorithm } = state.choices;
  const bounded = (which) => of(({ bound }) => bound && (bound.bounds === "mistakes") === which ? bound.value : null);
  const losses = chart([{ name: algorithm, kind: "s1", values: of(({ loss }) => loss) },
    { name: `best ${one()}`, kind: "s0", values: of(({ best }) => best.loss) },
    ...(isDrawn() ? [] : [{ name: "bound", kind: "s6", values: bounded(true) }])], shown);
  const regrets = chart([{ name: "regret", kind: "s1", values: of(({ regret }) => regret) },
    ...(isDrawn() ? [{ name: "expected regret", kind: "s2", values: of(({ expected_regret: regret }) => regret) },
      { name: "bound", kind: "s6", values: bounded(false) }] : [])], shown);
  const paid = isBandit() ? "Loss" : "Mistakes";
  for (const [name, { picture, key }, what] of [["losses", losses, `${paid} so far, over rounds.`],
    ["regrets", regrets, "Regret, over rounds."]]) {
    byId(name).innerHTML = picture;
    byId(`${name}-words`).innerHTML = `${what} ${key}`;
  }
}
const said = (glyph, words) => `<span aria-hidden="true">${glyph}</span><span class="spoken">${words}</span>`;
const cell = (kind, glyph, words) => `<td class="${kind}">${said(glyph, words)}</td>`;
function rowOf(t) {
  const round = state.rounds[t - 1], head = `<tr><th scope="row">${t}</th>`;
  if (isBandit()) {
    const { arm } = drawnAfter(t - 1);
    const cells = round.map((loss, i) =>
      cell(`${i === arm ? "pulled" : ""}${loss ? " wrong" : ""}`, loss, `loses ${loss}${i === arm ? ", pulled" : ""}`));
    return `${head}${cells.join("")}<td>arm ${arm + 1}</td><td>${round[arm] ? "lost" : "–"}</td></tr>`;
  }
  const outcome = round.at(-1), missed = isMistake(t), predicted = missed ? 1 - outcome : outcome;
  const cells = round.slice(0, -1).map((bit) =>
    cell(bit === outcome ? "" : "wrong", arrowOf(bit), `${upDown(bit)}${bit === outcome ? "" : ", wrong"}`));
  cells.push(cell(missed ? "wrong" : "", arrowOf(predicted), upDown(predicted)));
  cells.push(cell("", arrowOf(outcome), upDown(outcome)));
  return `${head}${cells.join("")}<td>${missed ? "mistake" : "–"}</td></tr>`;
}
function drawRounds() {
  const names = Array.from({ length: count() }, (_, i) => said(i + 1, `${one()} ${i + 1}`));
  const heads = [said("", "round"), ...names, ...(isBandit() ? ["pulled", ""] : ["predicted", "outcome", ""])];
  const rows = Array.from({ length: state.at }, (_, i) => rowOf(state.at - i));
  byId("rounds").innerHTML = '<caption class="spoken">The rounds, the latest first</caption><thead><tr>' +
    heads.map((head) => head ? `<th scope="col">${head}</th>` : "<td></td>").join("") +
    `</tr></thead><tbody>${rows.join("")}</tbody>`;
}
// The buttons of the next round; they keep the focus.
function toggleOf(bit, i) {
  const what = isBandit() ? `loses ${bit}` : `${arrowOf(bit)} ${upDown(bit)}`, name = `${one()} ${i + 1}`;
  return `<button type="button" data-i="${i}" aria-pressed="${bit === 1}" ` +
    `aria-label="${name}: ${isBandit() ? "loses" : "says up"}">${name} <b>${what}</b></button>`;
}
function foretold() {
  const { world, algorithm } = state.choices;
  if (world !== "you") return "The world plays: Step or Play.";
  if (isBandit()) return "";
  const up = upAfter(state.at, state.next);
  const what = up > 0 && up < 1 ? `up with probability ${shown(up)}` : upDown(Math.round(up));
  return `${algorithm} will say ${what}.`;
}
function drawNext() {
  const own = state.choices.world === "you", toggles = byId("toggles");
  const focused = toggles.contains(document.activeElement) ? document.activeElement.dataset.i : null;
  toggles.innerHTML = own ? state.next.map(toggleOf).join("") : "";
  if (focused !== null) toggles.querySelector(`[data-i="${focused}"]`)?.focus();
  for (const name of ["up", "down", "round"])
    panel.querySelector(`[data-do="${name}"]`).hidden = !own || isBandit() !== (name === "round");
  byId("says").textContent = foretold();
}
function show() {
  try {
    drawBars();
    drawCharts();
    drawRounds();
    drawNext();
    byId("game-facts").innerHTML = facts();
    live.textContent = told();
    live.classList.remove("failed");
  } catch (error) {
    live.textContent = faultOf(error);
    live.classList.add("failed");
    for (const name of ["game-facts", "shares", "losses", "regrets", "rounds"]) byId(name).innerHTML = "";
  }
  byId("when").max = String(state.rounds.length);
  byId("when").value = String(state.at);
  byId("when").setAttribute("aria-valuetext", `round ${state.at}`);
}
function renew() {
  field("algorithm").innerHTML = choices(playersOf(state.choices.kind));
  for (const name of Object.keys(usual)) field(name).value = state.choices[name];
  for (const [name, used] of Object.entries(uses)) field(name).parentElement.hidden = !used();
  show();
  byId("game-command").textContent = `halfspace ${isBandit() ? "bandit" : "experts"} rounds.csv${flags(options())}`;
  byId("game-links").innerHTML = link("rounds.csv", csv(), "Save rounds.csv");
  const nothing = live.classList.contains("failed") || state.rounds.length === 0;
  byId("game-ledger").textContent = nothing ? "" : played(state.rounds).text;
  changedState();
}

// ---- rounds and time ----

// A round after the present one takes the place of those that were played then.
function append(round) {
  if (state.at >= mostRounds) {
    live.textContent = `The page plays ${mostRounds} rounds at most.`;
    return false;
  }
  state.rounds = [...state.rounds.slice(0, state.at), round];
  state.at += 1;
  renew();
  return true;
}
function playWorld() {
  const t = state.at, { kind, world, draw } = state.choices;
  return append(roundOf(kind, world, draw, {
    count: count(), round: t, last: t > 0 ? state.rounds[t - 1].at(-1) : 1,
    weights: sharesAfter(t), up: (forecasts) => upAfter(t, forecasts),
  }));
}
const go = (at) => {
  state.at = Math.max(0, Math.min(state.rounds.length, at));
  show();
  if (!clock.running()) changedState();
};
function forward() {
  if (state.at < state.rounds.length) return (go(state.at + 1), true);
  if (state.choices.world !== "you") {
    try {
      return playWorld();
    } catch (error) {
      live.textContent = faultOf(error);
      live.classList.add("failed");
    }
  }
  return false;
}
const clock = clockOf(panel, {
  live,
  begin: () => { if (state.at === state.rounds.length && state.choices.world === "you") state.at = 0; },
  step: forward,
  end: () => changedState(),
});
export const { pause } = clock;
const toggle = (i) => {
  if (state.choices.world !== "you" || i >= count()) return;
  state.next = state.next.map((bit, k) => k === i ? 1 - bit : bit);
  speak(`${one()} ${i + 1} ${isBandit() ? `loses ${state.next[i]}` : `says ${upDown(state.next[i])}`}`);
  drawNext();
  changedState();
};
const own = (round) => {
  pause();
  if (state.choices.world === "you" && round.length === width()) append(round);
};
const actions = {
  rewind: () => (pause(), go(0)), back: () => (pause(), go(state.at - 1)), step: () => (pause(), forward()),
  end: () => (pause(), go(state.rounds.length)), play: clock.toggle,
  up: () => own([...state.next, 1]), down: () => own([...state.next, 0]), round: () => own([...state.next]),
  clear: () => {
    pause();
    Object.assign(state, { rounds: [], at: 0 });
    renew();
  },
};
const keys = {
  " ": actions.step, ".": actions.step, ",": actions.back, Home: actions.rewind, End: actions.end,
  u: actions.up, d: actions.down, r: actions.round,
  ...Object.fromEntries(Array.from({ length: most }, (_, i) => [String(i + 1), () => toggle(i)])),
};

export function start(given, changed) {
  [engine, changedState] = [given, changed];
  bandits = engine.describe("bandits");
  field("world").innerHTML = choices(worlds);
  onButtons(panel, actions);
  onKeys(board, keys);
  byId("toggles").addEventListener("click", (event) => {
    const button = event.target.closest("[data-i]");
    if (button) toggle(Number(button.dataset.i));
  });
  byId("when").addEventListener("input", () => (pause(), go(Number(byId("when").value))));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", (event) => {
    const { name, value } = event.target;
    pause();
    state.choices[name] = value;
    if (name === "kind") state.choices.algorithm = usualOf("algorithm");
    if (name === "kind" || name === "experts") Object.assign(state, { rounds: [], at: 0, next: usualNext() });
    renew();
  });
}
export const begin = renew;
