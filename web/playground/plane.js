// The tab of the plane: the points and the choices, the run, what is drawn, and what keys and buttons do. Numbers that are
// shown come from the engine's run; the page's own arithmetic places lines and counts what they leave on the wrong side.
import { arrow, cut, hull, mark, n1, ring, ticks } from "./picture.js";
import { areClasses, isDrawable, mostPoints, parsed, plainColumns, plainNames, sets } from "./points.js";
import { atMost, byId, choices, clockOf, csvOf, escaped, fact, faultOf, flags, link, onButtons, onKeys, rounded, shown, shownAbove, shownBelow, speak,
  whole } from "./shared.js";

const panel = byId("panel-plane"), picture = byId("data"), space = byId("weights"), live = byId("live");
const form = panel.querySelector(".choices"), field = (name) => form.elements[name];
const mostSteps = 5000, mostPasses = 1000, mostNumbered = 20;
const rules = ["perceptron", "margin", "pa", "pa1", "romma", "alma", "second-order", "arow"];
const usual = { rule: "perceptron", keep: "last", order: "cyclic", tie: "mistake", bias: "last", rate: "1", passes: "50" };

// ---- the state: points in their order, choices, the step; the address holds all of it ----

const state = { set: "larks", points: [], names: [], columns: [], choices: { ...usual }, at: 0, selected: -1, brush: 1 };
function take(name) {
  const set = sets[name];
  Object.assign(state, { set: name, points: set.rows(), names: set.names ?? plainNames, columns: set.columns ?? plainColumns, selected: -1 });
}
// The state as words of the address, and from them.
export function words() {
  const words = {};
  for (const [name, value] of Object.entries(state.choices)) if (value !== usual[name]) words[name] = value;
  if (state.set !== "own") words.set = state.set;
  else {
    words.points = state.points.map(([x, y, c]) => `${x}_${y}_${c}`).join("*");
    if (state.names !== plainNames) words.names = state.names.join("\n");
  }
  if (state.at > 0) words.at = state.at;
  return words;
}
export function read(words) {
  for (const name of Object.keys(usual)) state.choices[name] = words.get(name) ?? usual[name];
  const points = words.get("points"), names = words.get("names")?.split("\n");
  if (points === null) take(Object.hasOwn(sets, words.get("set") ?? "") ? words.get("set") : "larks");
  else {
    const rows = points.split("*").map((point) => point.split("_").map(Number));
    take("own");
    state.points = rows.filter((row) => row.length === 3 && row.every(Number.isFinite) && row.every(isDrawable) && (row[2] === 0 || row[2] === 1)).slice(0, mostPoints);
    if (names && areClasses(names)) state.names = names;
  }
  state.at = Math.max(0, Math.floor(Number(words.get("at"))) || 0);
  for (const name of Object.keys(usual)) field(name).value = state.choices[name];
  field("set").value = state.set;
}
export const csv = (points = state.points) => csvOf([state.columns, ...points.map(([x, y, c]) => [x, y, state.names[c]])]);
export const rows = () => state.points;
export const names = () => state.names;

// ---- the run ----

let engine, changedState, described;
const hasRate = (name) => described.find((rule) => rule.name === name)?.parameters.some((parameter) => parameter.name === "rate");
let run = null, steps = [0], proof = null, failed = "";

const options = () => {
  const { rule, keep, order, tie, bias, rate, passes } = state.choices;
  const limited = Number(passes) > mostPasses ? String(mostPasses) : passes;
  const given = { rule, ...(order === "stream" ? { passes: "1" } : { order, until: "clean", passes: limited }) };
  // What the library does by itself is left unsaid, and a rate of a rule that has none.
  for (const [name, value] of Object.entries({ keep, tie, bias })) if (value !== usual[name]) given[name] = value;
  if (rate !== usual.rate && hasRate(rule)) given.rate = rate;
  return given;
};
function train() {
  proof = null;
  failed = "";
  run = null;
  steps = [0];
  try {
    const result = engine.train(csv(), options(), { figures: true, name: "points.csv" });
    if (result.json.plane?.kind?.startsWith("feature") !== true) throw new Error("Put points of both classes into the plane.");
    run = result;
    const { moments, points } = run.json.plane, { rounds } = run.json;
    run.turned = state.names[1] !== run.json.plane.classes[1];
    // Of many updates the run keeps some, which are exact; between them nothing is known.
    run.sampled = moments.round.length < run.json.plane.updates;
    run.known = !run.sampled && state.choices.order !== "shuffled" && rounds <= mostSteps && points.row.length === state.points.length;
    const marks = moments.round.filter((round) => round <= rounds);
    steps = run.known ? Array.from({ length: rounds + 1 }, (_, r) => r) : [...new Set([0, ...marks, rounds])];
  } catch (error) {
    failed = state.points.some(([, , c]) => c === 0) && state.points.some(([, , c]) => c === 1)
      ? faultOf(error) : "Put points of both classes into the plane.";
  }
  state.at = Math.min(state.at, steps.length - 1);
}
// How many updates there were until a step, and the weights then: three numbers, the last of them the bias.
const updatesAt = (at) => {
  const { round } = run.json.plane.moments;
  let k = 0;
  while (k < round.length && round[k] <= steps[at]) ++k;
  return k;
};
const weightsAfter = (k) => {
  const { plane } = run.json, { moments } = plane;
  const w = k > 0 ? moments.weights[k - 1] : moments.before[0] ?? [0, 0, 0];
  return [w[0], w[1], (w[2] ?? 0)];
};
const weightsBefore = (k) => run.json.plane.moments.before[k - 1] ?? weightsAfter(k - 1);
const isEnd = (at) => at === steps.length - 1;
// Where updates are left out, those at the end are the model's.
const weightsAt = (at) => isEnd(at) && run.sampled && state.choices.keep === "last" ? run.json.plane.weights : weightsAfter(updatesAt(at));
const constant = () => run.json.plane.constant;
const value = ([a, b, c], x, y) => a * x + b * y + c * constant();
// The sign of a class, as the run has it: its positive class may be the page's class 0.
const sign = (c) => (c === 1) !== run.turned ? 1 : -1;
const isRight = (w, [x, y, c]) => {
  const score = value(w, x, y);
  return score === 0 ? state.choices.tie === (sign(c) > 0 ? "positive" : "negative") : Math.sign(score) === sign(c);
};
// The update of this very step, if it is one.
const updateAt = (at) => {
  const k = updatesAt(at);
  return at > 0 && k > 0 && run.json.plane.moments.round[k - 1] === steps[at] ? k : 0;
};
// ---- drawing ----

let view = { x0: -1, x1: 1, y0: -1, y1: 1 };
// Of the picture: a phone shows fewer units, so that marks and texts stay large.
const [width, height] = innerWidth < 640 ? [400, 400] : [640, 520];
function fit() {
  const xs = state.points.map(([x]) => x), ys = state.points.map(([, y]) => y);
  const [x0, x1, y0, y1] = xs.length ? [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)] : [-5, 5, -4, 4];
  const scale = Math.max((x1 - x0) / (width * 0.8), (y1 - y0) / (height * 0.8), 1e-9) || 1 / 60;
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2], unit = xs.length > 1 && scale > 1e-8 ? scale : 1 / 60;
  view = { x0: x - unit * width / 2, x1: x + unit * width / 2, y0: y - unit * height / 2, y1: y + unit * height / 2 };
}
const px = (x) => (x - view.x0) / (view.x1 - view.x0) * width, py = (y) => (view.y1 - y) / (view.y1 - view.y0) * height;
const corners = () => [[view.x0, view.y0], [view.x1, view.y0], [view.x1, view.y1], [view.x0, view.y1]];
const path = (polygon) => polygon.length ? `M${polygon.map(([x, y]) => `${n1(px(x))} ${n1(py(y))}`).join("L")}Z` : "";
// The line a x + b y + c = 0 within the plane, as a path.
const zero = ([a, b, c]) => {
  if (a === 0 && b === 0) return "";
  const edge = cut(corners(), [a, b, c]).filter(([x, y]) => Math.abs(a * x + b * y + c) <= 1e-9 * (Math.abs(a * x) + Math.abs(b * y) + Math.abs(c)));
  return edge.length >= 2 ? `M${n1(px(edge[0][0]))} ${n1(py(edge[0][1]))}L${n1(px(edge[1][0]))} ${n1(py(edge[1][1]))}` : "";
};const grid = () => ticks(view.x0, view.x1).map((x) => `<path class="grid${x === 0 ? " origin" : ""}" d="M${n1(px(x))} 0V${height}"/>` +
  (px(x) < width - 30 ? `<text x="${n1(px(x) + 3)}" y="${height - 5}">${shown(x)}</text>` : "")).join("") +
  ticks(view.y0, view.y1).map((y) => `<path class="grid${y === 0 ? " origin" : ""}" d="M0 ${n1(py(y))}H${width}"/>` +
  `<text x="4" y="${n1(py(y) - 3)}">${shown(y)}</text>`).join("");

const lineOf = (w) => [w[0], w[1], w[2] * constant()];
const boundary = (w, kind) => `<path class="boundary ${kind}" d="${zero(lineOf(w))}"/>`;
// The normal vector, from the point of the line that is nearest to the middle of the plane.
const normal = (w) => {
  const [a, b] = w, norm = Math.hypot(a, b), x = (view.x0 + view.x1) / 2, y = (view.y0 + view.y1) / 2;
  if (!(norm > 0)) return "";
  const off = value(w, x, y) / (norm * norm), [fx, fy] = [px(x - off * a), py(y - off * b)];
  if (fx < 20 || fx > width - 20 || fy < 20 || fy > height - 20) return "";
  const [tx, ty] = [fx + 62 * a / norm, fy - 62 * b / norm];
  return arrow(fx, fy, tx, ty, "normal") + `<text class="name" x="${n1(tx + 10 * a / norm)}" y="${n1(ty - 10 * b / norm + 5)}" text-anchor="middle">w</text>`;
};
// Between the nearest rows of both sides, where all are right.
const band = (w) => {
  const least = Math.min(...state.points.map(([x, y, c]) => sign(c) * value(w, x, y))), [a, b, c] = lineOf(w);
  if (!(least > 0) || !Number.isFinite(least) || (a === 0 && b === 0)) return "";
  return `<path class="band" d="${path(cut(cut(corners(), [a, b, c + least]), [-a, -b, least - c]))}"/>`;
};
const regions = (w) => {
  const [a, b, c] = lineOf(w), over = [1, -1].map((s) => [s, cut(corners(), [s * a, s * b, s * c])]);
  if (a === 0 && b === 0) return "";
  return over.map(([s, polygon]) => `<path class="region fill${(s > 0) !== run.turned ? 0 : 1}" d="${path(polygon)}"/>`).join("");
};
// Three layers: while time passes, thousands of points are not painted again with the line.
picture.innerHTML = ["under", "points", "over"].map((name) => `<svg class="${name}" viewBox="0 0 ${width} ${height}" aria-hidden="true"></svg>`).join("");
const [underneath, marks, above] = picture.children;
let drawn = {};
function drawData() {
  let under = grid(), over = "";
  if (run) {
    const k = updateAt(state.at), w = weightsAt(state.at), ended = isEnd(state.at);
    under += regions(w) + band(w);
    if (k > 0) under += boundary(weightsBefore(k), "before");
    const kept = ended ? run.json.plane.weights : run.json.plane.moments.kept?.[updatesAt(state.at) - 1];
    if (kept && state.choices.keep !== "last") under += boundary(kept, "kept");
    under += boundary(w, "");
    const row = rowAt(state.at), last = lastUpdateRow();
    const wrong = state.points.filter((point) => !isRight(w, point)).map(([x, y]) => `M${n1(px(x) - 10)} ${n1(py(y))}a10 10 0 1 0 20 0a10 10 0 1 0 -20 0`);
    over += `<path class="ring wrong" d="${wrong.join("")}"/>`;
    if (last) over += ring(px(last[0]), py(last[1]), 14, "ring focus");
    else if (row) over += ring(px(row[0]), py(row[1]), 14, "ring");
    over += normal(w);
  }
  if (proof) under += proof.picture();
  // Points stay as they are while time passes.
  if (drawn.points !== state.points || drawn.view !== view) {
    const few = state.points.length <= mostNumbered;
    marks.innerHTML = state.points.map(([x, y, c], i) => {
      const number = few ? `<text x="${n1(px(x) + 9)}" y="${n1(py(y) - 8)}">${i + 1}</text>` : "";
      return `<g class="point" data-i="${i}"><circle class="hit" cx="${n1(px(x))}" cy="${n1(py(y))}" r="12"/>${mark(px(x), py(y), c)}${number}</g>`;
    }).join("");
  }
  const chosen = state.points[state.selected];
  if (chosen) over += `<rect class="selected" x="${n1(px(chosen[0]) - 11)}" y="${n1(py(chosen[1]) - 11)}" width="22" height="22"/>`;
  drawn = { points: state.points, view };
  underneath.innerHTML = under;
  above.innerHTML = over;
}
const lastUpdateRow = () => {
  const k = updateAt(state.at), { moments } = run.json.plane;
  return k > 0 ? [moments.x[k - 1], moments.y[k - 1]] : null;
};
const rowAt = (at) => run.known && at > 0 ? state.points[(steps[at] - 1) % state.points.length] : null;

// The weights as arrows: w before, the step, w after; the cone of weights that leave no row wrong, with this bias.
function drawWeights() {
  const words = byId("weights-words");
  space.innerHTML = "";
  words.textContent = "";
  if (!run) return;
  const { moments } = run.json.plane, k = updatesAt(state.at), current = updateAt(state.at), w = weightsAt(state.at), before = current ? weightsBefore(k) : w;
  const all = [[0, 0], w, before, ...moments.weights.slice(0, 400)];
  const reach = Math.max(...all.map(([a, b]) => Math.max(Math.abs(a) / 150, Math.abs(b) / 120)), 1e-12);
  const at = ([a, b]) => [160 + a / reach, 130 - b / reach];
  const box = [[-150, -120], [150, -120], [150, 120], [-150, 120]].map(([a, b]) => [a * reach, b * reach]);
  let cone = box;
  for (const [x, y, c] of state.points) cone = cone.length ? cut(cone, [x, y, w[2] * constant()].map((v) => v * sign(c))) : cone;
  const area = cone.reduce((sum, [a, b], i) => sum + a * cone[(i + 1) % cone.length][1] - b * cone[(i + 1) % cone.length][0], 0);
  if (!(area > reach * reach)) cone = [];
  const line = (list) => list.map((p) => at(p).map(n1).join(" ")).join("L");
  const walk = moments.weights.slice(0, k);
  space.innerHTML = `<path class="grid origin" d="M0 130H320M160 0V260"/>` + (cone.length ? `<path class="cone" d="M${line(cone)}Z"/>` : "") +
    (walk.length ? `<path class="walk walked stroke0" d="M${line([weightsAfter(0), ...walk])}"/>` : "") +
    (current ? arrow(160, 130, ...at(before), "before") : "") + arrow(160, 130, ...at(w), "normal") + (current ? arrow(...at(before), ...at(w), "step") : "");
  words.textContent = (current ? "w before the update (dashed), what was added (purple), and w. " : "The weights w. ") +
    (cone.length ? "Green: where w could lie, with this bias, and leave no row wrong." : "With this bias, no w in this picture leaves every row right.");
  space.setAttribute("aria-label", `The weights: (${shown(w[0])}, ${shown(w[1])}), bias ${shown(w[2])}`);
}

// ---- words ----

const className = (k) => k < 0 ? "neither" : run.json.plane.classes[k];
const vector = (w) => `(${shown(w[0])}, ${shown(w[1])})`;
function told() {
  if (!run) return failed;
  const { moments } = run.json.plane, at = state.at, round = steps[at];
  if (at === 0) return "Before the first round.";
  const k = updateAt(at);
  let words = `Round ${whole(round)}`;
  if (k > 0) {
    const i = k - 1, a = weightsBefore(k), b = weightsAfter(k), added = [b[0] - a[0], b[1] - a[1]];
    words += `, row ${whole(moments.row[i])} (${className(moments.label[i])}), score ${shown(moments.score[i])}: ` +
      (moments.mistake[i] ? moments.predicted[i] === moments.label[i] || moments.score[i] === 0 ? "a tie, which counts as a mistake." : `a mistake, ${className(moments.predicted[i])} was predicted.`
        : "right, but within the margin.") +
      ` w = ${vector(a)} + (${shown(added[0])}, ${shown(added[1])}) = ${vector(b)}` +
      (state.choices.bias === "none" ? "." : `, bias ${shown(a[2])} → ${shown(b[2])}.`);
  } else if (run.known) {
    const row = rowAt(at), score = value(weightsAfter(updatesAt(at)), row[0], row[1]);
    words += `, row ${whole((round - 1) % state.points.length + 1)} (${state.names[row[2]]}), score ${shown(score)}: right, nothing changes.`;
  } else words += ".";
  if (at === steps.length - 1) words += ` The run ends here: ${stopWords()}`;
  return words;
}
const stopWords = () => ({ clean: "nothing is left to learn from.", passes: "the passes asked for are done.", end: "all rows were seen." })[run.json.stopped] ?? `${run.json.stopped}.`;
function facts() {
  if (!run) return "";
  const { json } = run, { moments, updates } = json.plane, k = updatesAt(state.at), w = weightsAt(state.at), ended = isEnd(state.at);
  const mistakes = ended ? json.mistakes : run.sampled ? null : moments.mistake.slice(0, k).filter(Boolean).length;
  const made = ended ? updates : run.sampled && k > 0 ? moments.update[k - 1] : k;
  const wrong = state.points.filter((point) => !isRight(w, point)).length;
  const least = Math.min(...state.points.map(([x, y, c]) => sign(c) * value(w, x, y))) / Math.hypot(...w);
  const { bound } = json;
  return fact("Mistakes", mistakes === null ? "–" : whole(mistakes), bound ? `of at most ${atMost(bound.value)} in this run<br>bound: ${escaped(bound.theorem)}` : escaped(`no bound: ${json.no_bound ?? "none for this rule"}`)) +
    fact("Updates", whole(made), `round ${whole(steps[state.at])} of ${whole(json.rounds)}`) +
    fact("w", escaped(vector(w)), state.choices.bias === "none" ? "no bias" : `bias ${shown(w[2])}`) +
    fact(wrong ? "Wrong now" : "Margin now", wrong ? `${whole(wrong)} of ${whole(state.points.length)}` : Number.isFinite(least) ? shownBelow(least) : "–",
      wrong ? "rows that are wrong, or tie" : state.choices.bias === "none" ? "y (w · x) / |w|, the least of a row" : "y (w · x + bias) / |(w, bias)|, the least of a row") +
    (ended && state.choices.keep !== "last" && json.training_errors != null ? fact(`Wrong by the ${state.choices.keep}`, `${whole(json.training_errors)} of ${whole(state.points.length)}`, "the weights that are kept, dotted") : "") +
    (json.margin_ceiling != null ? fact("Margin, at most", shownAbove(json.margin_ceiling), "of any separator, by this run") : "");
}
const command = (verb) => {
  const given = verb === "train" ? options() : proofOptions();
  return `halfspace ${verb} points.csv${flags(given)}`;
};

// ---- proofs ----

const proofOptions = () => state.choices.bias === "none" ? { bias: "none" } : {};
function certify() {
  const verdict = byId("verdict");
  verdict.classList.remove("failed");
  try {
    const found = engine.certify(csv(), proofOptions(), { name: "points.csv" });
    proof = { ...found, picture: () => pictureOf(JSON.parse(found.certificate ?? "{}"), found.json) };
    verdict.textContent = found.text.trim().replace(/^ +/gm, "");
  } catch (error) {
    verdict.classList.add("failed");
    verdict.textContent = faultOf(error);
  }
  drawData();
  links();
}
// A separator with its margin and the rows that support it, or hulls and a point that both have.
function pictureOf({ separators = [], combinations = [] }, { verdict }) {
  const terms = (combinations[0]?.terms ?? []).map((term) => ({ point: state.points[term.row - 1], weight: Number(term.weight) })).filter(({ point }) => point);
  const rings = terms.map(({ point }) => ring(px(point[0]), py(point[1]), 12, "ring support")).join("");
  if (verdict === "separable" && separators[0]) {
    const vector = separators[0].vectors[0], [a, b] = vector.weights.map(Number), c = Number(vector.bias), least = Number(separators[0].minimum);
    return [["widest", 0], ["margin-line", least], ["margin-line", -least]].map(([kind, by]) => `<path class="${kind}" d="${zero([a, b, c - by])}"/>`).join("") + rings;
  }
  const hulls = [0, 1].map((k) => hull(terms.filter(({ point }) => point[2] === k).map(({ point }) => point)));
  const own = terms.filter(({ point }) => point[2] === 0), total = own.reduce((sum, { weight }) => sum + weight, 0);
  const common = [0, 1].map((i) => own.reduce((sum, { point, weight }) => sum + point[i] * weight, 0) / total);
  return hulls.map((polygon, k) => `<path class="hull${k}" d="${path(polygon)}"/>`).join("") + rings +
    (state.choices.bias !== "none" && total > 0 ? ring(px(common[0]), py(common[1]), 5, "common") : "");
}// ---- what is on the page now ----

function links() {
  byId("links").innerHTML = link("points.csv", csv(), "Save points.csv");
  byId("proof-links").innerHTML = proof?.certificate
    ? `<code>${escaped(`${command("certify")} -o points.proof`)}</code><br>${link("points.proof", proof.certificate, "Save the certificate")}` : "";
  if (!proof) byId("verdict").textContent = "";
}
function show() {
  drawData();
  drawWeights();
  live.textContent = told();
  live.classList.toggle("failed", !run);
  byId("facts").innerHTML = facts();
  byId("time").max = String(steps.length - 1);
  byId("time").value = String(state.at);
  byId("time").setAttribute("aria-valuetext", `round ${steps[state.at]}`);
}
function renew({ fitted = true } = {}) {
  train();
  if (fitted) fit();
  byId("ledger").textContent = run?.text ?? "";
  field("rate").disabled = !hasRate(state.choices.rule);
  byId("command").textContent = command("train");
  show();
  links();
  changedState();
}

// ---- points ----

const changed = (how) => {
  if (state.set !== "own") {
    state.set = "own";
    field("set").value = "own";
  }
  state.at = 0;
  renew(how);
};
const place = (event) => {
  const box = picture.getBoundingClientRect(), digits = Math.max(0, 2 - Math.floor(Math.log10((view.x1 - view.x0) / 10)));
  const at = (share, low, high) => Number((low + share * (high - low)).toFixed(Math.min(12, digits)));
  return [at((event.clientX - box.x) / box.width, view.x0, view.x1), at(1 - (event.clientY - box.y) / box.height, view.y0, view.y1)];
};
const describe = (i) => {
  const [x, y, c] = state.points[i];
  return `Point ${i + 1} of ${state.points.length}: ${state.columns[0]} ${shown(x)}, ${state.columns[1]} ${shown(y)}, class ${state.names[c]}`;
};
const select = (i) => {
  state.selected = i;
  if (i >= 0) speak(describe(i));
};
const add = (x, y) => {
  if (state.points.length >= mostPoints) return;
  state.points = [...state.points, [x, y, state.brush]];
  select(state.points.length - 1);
  changed({ fitted: false });
};
const edited = (i, point) => {
  state.points = state.points.map((old, j) => j === i ? point : old);
  changed({ fitted: false });
  speak(describe(i));
};
const remove = () => {
  if (!state.points[state.selected]) return;
  state.points = state.points.filter((_, i) => i !== state.selected);
  speak(`Removed. ${state.points.length} points.`);
  state.selected = Math.min(state.selected, state.points.length - 1);
  changed({ fitted: false });
};
const switchClass = () => {
  const point = state.points[state.selected];
  if (point) edited(state.selected, [point[0], point[1], 1 - point[2]]);
};
// Moves the selected point in the order of the rows.
const shiftRow = (by) => {
  const from = state.selected, to = from + by;
  if (!state.points[from] || !state.points[to]) return;
  const points = [...state.points];
  points.splice(to, 0, ...points.splice(from, 1));
  Object.assign(state, { points, selected: to });
  changed({ fitted: false });
  speak(describe(to));
};

// A brush that sprays points around the pointer, or the middle, as long as it is held.
const spread = 20, sprayed = 2, sprayEvery = 60;
const brushing = { on: false, timer: 0, at: null };
function spray(count) {
  const { x, y, width: across, height: down } = picture.getBoundingClientRect();
  const around = brushing.at ?? { clientX: x + across / 2, clientY: y + down / 2 };
  const bell = () => (Math.random() + Math.random() + Math.random() - 1.5) * 2 * spread, points = [];
  while (points.length < Math.min(count, mostPoints - state.points.length)) {
    const [clientX, clientY] = [around.clientX + bell(), around.clientY + bell()];
    const inside = clientX > x && clientX < x + across && clientY > y && clientY < y + down;
    points.push([...place(inside ? { clientX, clientY } : around), state.brush]);
  }
  state.points = [...state.points, ...points];
  state.selected = -1;
  // Large sets are trained again where the brush is lifted.
  if (state.points.length <= 200 || !brushing.timer) changed({ fitted: false });
  else drawData();
}
function lift() {
  if (!brushing.timer) return;
  clearInterval(brushing.timer);
  Object.assign(brushing, { timer: 0, at: null });
  changed({ fitted: false });
  speak(`${state.points.length} points.`);
}
function press(event) {
  picture.setPointerCapture(event.pointerId);
  brushing.at = { clientX: event.clientX, clientY: event.clientY };
  brushing.timer = setInterval(() => spray(sprayed), sprayEvery);
  spray(sprayed);
}
const paint = () => {
  brushing.on = !brushing.on;
  panel.querySelector('[data-do="paint"]').setAttribute("aria-pressed", String(brushing.on));
};

let drag = null;
picture.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  picture.focus({ preventScroll: true });
  const hit = event.target.closest(".point");
  pause();
  if (brushing.on) return press(event);
  if (!hit) return add(...place(event));
  select(Number(hit.dataset.i));
  drag = { moved: false, frame: 0 };
  picture.setPointerCapture(event.pointerId);
  drawData();
});
picture.addEventListener("pointermove", (event) => {
  if (brushing.timer) brushing.at = { clientX: event.clientX, clientY: event.clientY };
  if (!drag) return;
  drag.moved = true;
  drag.to = place(event);
  if (drag.frame) return;
  drag.frame = requestAnimationFrame(() => {
    if (!drag) return;
    drag.frame = 0;
    const [, , c] = state.points[state.selected];
    state.points = state.points.map((old, j) => j === state.selected ? [...drag.to, c] : old);
    // Large sets are trained again where the point is dropped.
    if (state.points.length <= 200) changed({ fitted: false });
    else drawData();
  });
});
const drop = () => {
  lift();
  if (!drag) return;
  const { moved } = drag;
  drag = null;
  if (moved) edited(state.selected, state.points[state.selected]);
};
picture.addEventListener("pointerup", drop);
picture.addEventListener("pointercancel", drop);

// ---- time ----

const go = (at) => {
  state.at = Math.max(0, Math.min(steps.length - 1, at));
  show();
  if (!clock.running()) changedState();
};
const clock = clockOf(panel, {
  live,
  begin: () => { if (state.at >= steps.length - 1) state.at = 0; },
  step: () => state.at < steps.length - 1 && (go(state.at + 1), true),
  end: () => changedState(),
});
export const { pause } = clock;
const nextUpdate = () => {
  for (let at = state.at + 1; run && at < steps.length; ++at) if (updateAt(at)) return at;
  return steps.length - 1;
};
const actions = {
  rewind: () => (pause(), go(0)), back: () => (pause(), go(state.at - 1)), step: () => (pause(), go(state.at + 1)),
  mistake: () => (pause(), go(nextUpdate())), end: () => (pause(), go(steps.length - 1)),
  play: clock.toggle,
  remove, switch: switchClass, certify, paint, earlier: () => shiftRow(-1), later: () => shiftRow(1),
  clear: () => {
    pause();
    Object.assign(state, { points: [], selected: -1 });
    changed();
  },
};
onButtons(panel, actions);
byId("time").addEventListener("input", () => {
  pause();
  go(Number(byId("time").value));
});

const cycle = (by) => {
  const n = state.points.length;
  if (n === 0) return;
  select((Math.max(state.selected, by > 0 ? -1 : 0) + by + n) % n);
  drawData();
};
const nudge = (dx, dy, far) => {
  const point = state.points[state.selected], unit = 10 ** Math.floor(Math.log10((view.x1 - view.x0) / 40)) * (far ? 10 : 1);
  if (point) edited(state.selected, [Number((point[0] + dx * unit).toPrecision(12)), Number((point[1] + dy * unit).toPrecision(12)), point[2]]);
};
const keys = {
  " ": actions.step, ".": actions.step, ",": actions.back, Home: actions.rewind, End: actions.end, Delete: remove, Backspace: remove,
  n: () => cycle(1), p: () => cycle(-1), x: switchClass, "[": actions.earlier, "]": actions.later,
  a: () => brushing.on ? spray(5) : add(rounded((view.x0 + view.x1) / 2), rounded((view.y0 + view.y1) / 2)), b: paint,
  Escape: () => (select(-1), drawData()),
  ArrowLeft: (far) => nudge(-1, 0, far), ArrowRight: (far) => nudge(1, 0, far), ArrowUp: (far) => nudge(0, 1, far), ArrowDown: (far) => nudge(0, -1, far),
};
onKeys(picture, keys, () => !drag);

// ---- choices ----

const brush = byId("brush");
function brushes() {
  brush.innerHTML = [1, 0].map((c) => `<button type="button" role="radio" aria-checked="${state.brush === c}" tabindex="${state.brush === c ? 0 : -1}" data-class="${c}">` +
    `<svg viewBox="0 0 16 16" aria-hidden="true">${mark(8, 8, c, 5)}</svg>${escaped(state.names[c])}</button>`).join("");
}
brush.addEventListener("keydown", (event) => {
  if (!["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].includes(event.key)) return;
  event.preventDefault();
  brush.querySelector('[aria-checked="false"]').click();
});
brush.addEventListener("click", (event) => {
  const button = event.target.closest("[data-class]");
  if (!button) return;
  state.brush = Number(button.dataset.class);
  brushes();
  brush.querySelector('[aria-checked="true"]').focus();
});
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", async (event) => {
  const { name } = event.target;
  pause();
  state.at = 0;
  if (name === "set") take(field("set").value);
  else if (name === "file") {
    const file = field("file").files[0];
    if (!file) return;
    try {
      const found = parsed(await file.text());
      take("own");
      Object.assign(state, { points: found.rows, names: found.names, columns: found.columns });
      field("set").value = "own";
    } catch (error) {
      show();
      live.textContent = error.message;
      live.classList.add("failed");
      return;
    }
  } else {
    if (name === "passes" && Number(field(name).value) > mostPasses) field(name).value = String(mostPasses);
    state.choices[name] = field(name).value;
  }
  brushes();
  renew();
});
// Shows the state that words of the address are of.
export function begin() {
  brushes();
  renew();
}
export function start(given, changed) {
  [engine, changedState] = [given, changed];
  described = engine.describe("rules");
  const help = new Map(described.map((rule) => [rule.name, rule.help]));
  field("set").innerHTML = choices(Object.entries(sets).map(([name, { label }]) => [name, label]));
  field("rule").innerHTML = choices(rules.map((name) => [name, name, help.get(name)]));
}
