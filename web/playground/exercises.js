// The tab "Exercises": claims of the lecture as tasks. The engine checks them on the points and rounds of the other
// tabs, whatever is chosen there: the perceptron with a bias, in the order of the rows, until a pass is clean.
import { byId, counted, escaped, faultOf, onButtons, shown, shownAbove, speak, whole } from "./shared.js";

const mostPasses = 1000, mostChecked = 200;

// ---- the exercises: each returns why it is not solved yet, or how it is: no("…") or yes("…") ----

const yes = (words) => ({ solved: true, words });
const no = (words) => ({ solved: false, words });
const times = (n) => n === 1 ? "once" : n === 2 ? "twice" : `${whole(n)} times`;
const ratio = (proof) => `R²/γ² is ${whole(proof.mistake_bound)}, rounded down`;
const noLine = ({ witness }) =>
  no(`no line separates these points: the convex hulls of ${whole(witness.length)} of them meet.`);

// What a learner did who is wanted to err: on so many separable points, at least so often.
function erring({ points, train, certify }, wanted, least) {
  if (points.length !== wanted) return no(`there are ${counted(points.length, "point")}, and ${wanted} are wanted.`);
  const proof = certify();
  if (proof.verdict !== "separable") return noLine(proof);
  const { mistakes } = train();
  return mistakes >= least ? yes(`the perceptron errs ${times(mistakes)} on ${wanted} points.`)
    : no(`the perceptron errs ${times(mistakes)}, and ${times(least)} are wanted. ` +
      `${ratio(proof)}: it may err as often.`);
}
// A game of experts of whom one is always right, which a player is to lose so often.
function fooled({ game, experts }, algorithm, counts, least) {
  if (game.kind !== "experts" || !counts(game.count)) return no("the game is another one: load the start.");
  if (game.rounds.length === 0) return no("no round is played yet.");
  const { mistakes, bound, note } = experts(algorithm), wanted = least(game.count);
  if (!bound) return no(`${note}.`);
  const errs = `${algorithm} errs ${times(mistakes)}`, allowed = shownAbove(bound.value);
  return mistakes >= wanted ? yes(`${errs}, as often as its bound allows: ${allowed}.`)
    : no(`${errs}, and ${times(wanted)} are wanted; its bound is ${allowed}.`);
}

const sixPoints = [[-3, -2, 0], [4, 2, 1], [0, 2, 0], [-2, 4, 0], [0, -1, 1], [3, 3, 0]];
const spelled = (points) => points.map((point) => point.join("_")).join("*");
const fourExperts = (algorithm) => ({ algorithm, experts: "4", next: "1000" });
export const exercises = [
  { id: "a", tab: "plane", title: "Nine mistakes on four points",
    start: { points: spelled([[-2, -1, 0], [-1, -2, 0], [1, 2, 1], [2, 1, 1]]) },
    task: "The mistake bound knows R and γ, not the number of points. Put four points that a line separates, on " +
      "which the perceptron errs at least nine times.",
    hint: "A small margin, far from the origin: let a point of each class stand close to one of the other.",
    check: (given) => erring(given, 4, 9) },
  { id: "b", tab: "plane", title: "More mistakes than points",
    start: { points: spelled([[-3, 0, 0], [-2, 2, 0], [-2, -2, 0], [3, 0, 1], [2, 2, 1], [2, -2, 1]]) },
    task: "One pass errs at most once a point; several passes do not stop there. Put six separable points on which " +
      "the perceptron errs more than six times.",
    hint: "Two columns of points beside each other, and the origin not between them.",
    check: (given) => erring(given, 6, 7) },
  { id: "c", tab: "plane", title: "The order matters",
    start: { points: spelled(sixPoints) },
    task: "The bound holds in any order of the rows; the mistakes depend on it. Take the six points of the start in " +
      "an order that at least doubles the mistakes.",
    hint: "Select a point and press Earlier or Later. Rows that contradict the last update cost most.",
    check: ({ points, train, trainOn }) => {
      const sorted = (list) => list.map((point) => point.join()).sort().join(" ");
      if (sorted(points) !== sorted(sixPoints)) return no("the points are not those of the start: load it again.");
      const before = trainOn(sixPoints).mistakes, { mistakes } = train();
      const words = `${counted(mistakes, "mistake")} in this order, ${before} in that of the start.`;
      return (mistakes >= 2 * before ? yes : no)(words);
    } },
  { id: "d", tab: "plane", title: "No line at all",
    start: { points: spelled([[-1, 0, 0], [-1, 1, 0], [1, 0, 1], [1, 1, 1]]) },
    task: "Put four points that no line separates, with a proof: Certify finds a point that both convex hulls have, " +
      "and the certificate is checked again.",
    hint: "Exclusive or; or a point within the triangle of the three others.",
    check: ({ points, certify, verified }) => {
      if (points.length !== 4) return no(`there are ${counted(points.length, "point")}, and 4 are wanted.`);
      const { verdict, margin, witness } = certify();
      if (verdict !== "not separable") return no(`a line separates them, with a margin of ${shown(margin.lower)}.`);
      return verified() ? yes(`proved by ${counted(witness.length, "row")}, and the certificate is valid.`)
        : no("the certificate is not valid.");
    } },
  { id: "e", tab: "plane", title: "An easy set",
    start: { points: spelled([[0, 0, 0], [1, 0, 0], [2, 1, 1], [3, 1, 1]]) },
    task: "Put at least four points, of both classes, with R²/γ² at most 4: the perceptron then errs at most four " +
      "times, in any order.",
    hint: "Two small clouds, on opposite sides of the origin and as far from it.",
    check: ({ points, certify }) => {
      if (points.length < 4) return no(`there are ${counted(points.length, "point")}, and at least 4 are wanted.`);
      const proof = certify();
      if (proof.verdict !== "separable") return noLine(proof);
      return (proof.mistake_bound <= 4 ? yes : no)(`${ratio(proof)}.`);
    } },
  { id: "f", tab: "plane", title: "A bound is no forecast",
    start: { points: spelled([[4, 1, 1], [-4, -1, 0], [1, 1, 1], [-1, 0, 0]]) },
    task: "Put points with R²/γ² above 1,000, on which the perceptron makes at most five mistakes all the same.",
    hint: "Let an early, long point turn w the right way; then put two points of both classes close to each other.",
    check: ({ train, certify }) => {
      const proof = certify();
      if (proof.verdict !== "separable") return noLine(proof);
      const { mistakes } = train();
      const words = `${ratio(proof)}, and the perceptron errs ${times(mistakes)}.`;
      return (proof.mistake_bound > 1000 && mistakes <= 5 ? yes : no)(words);
    } },
  { id: "g", tab: "plane", title: "What the bias is for",
    start: { points: spelled([[-2, -1, 0], [-1, -2, 0], [1, 2, 1], [2, 1, 1]]) },
    task: "Put points that a line separates, but no line through the origin.",
    hint: "All points on one side of the origin, the classes one behind the other.",
    check: ({ certify }) => {
      const proof = certify(), without = certify({ bias: "none" });
      if (proof.verdict !== "separable") return noLine(proof);
      if (without.verdict === "separable")
        return no(`a line through the origin separates them, too, with a margin of ${shown(without.margin.lower)}.`);
      const rows = counted(without.witness.length, "row");
      return yes(`with a bias the margin is ${shown(proof.margin.lower)}; without, ${rows} prove that there is none.`);
    } },
  { id: "h", tab: "experts", title: "Fool halving twice",
    start: fourExperts("halving"),
    task: "Halving follows the majority of the experts without a mistake. Four experts, one of them always right: " +
      "make it err log₂ 4 = 2 times.",
    hint: "Each mistake is to leave as many experts as can be: divide them in two.",
    check: (given) => fooled(given, "halving", (n) => n === 4, () => 2) },
  { id: "i", tab: "experts", title: "The price of not knowing",
    start: fourExperts("weighted-majority"),
    task: "No player who does not know the best expert does as well as that one, always. Make weighted majority err " +
      "at least once more than the best expert does.",
    hint: "What it will say is above the buttons of the outcome.",
    check: ({ game, experts }) => {
      if (game.kind !== "experts" || game.rounds.length === 0) return no("no round of experts is played yet.");
      const { mistakes, best } = experts("weighted-majority");
      const words = `weighted majority errs ${times(mistakes)}, the best expert ${times(best.loss)}.`;
      return (mistakes > best.loss ? yes : no)(words);
    } },
  { id: "j", tab: "experts", title: "One after the other",
    start: fourExperts("consistent"),
    task: "Whoever follows the first expert without a mistake can be led from one to the next. At least four " +
      "experts, the last always right: make it err n − 1 times.",
    hint: "Each mistake is to cost one expert only: that one who is followed.",
    check: (given) => fooled(given, "consistent", (n) => n >= 4, (n) => n - 1) },
];

// ---- the state: what is solved and what is worked on ----

const state = { solved: new Set(), task: "" };
const current = () => exercises.find(({ id }) => id === state.task);
export function words() {
  const solved = [...state.solved].sort().join("");
  return { ...(solved ? { solved } : {}), ...(state.task ? { task: state.task } : {}) };
}
export function read(words) {
  const known = (id) => exercises.some((exercise) => exercise.id === id);
  state.solved = new Set([...(words.get("solved") ?? "")].filter(known));
  state.task = known(words.get("task")) ? words.get("task") : "";
}

let engine, changedState, plane, experts, turnTo;
const taskOptions = { rule: "perceptron", order: "cyclic", until: "clean", passes: String(mostPasses) };
function given() {
  const text = plane.csv(), points = plane.rows(), named = { name: "points.csv" };
  return {
    points, game: experts.game(),
    train: () => engine.train(text, taskOptions, named).json,
    trainOn: (rows) => engine.train(plane.csv(rows), taskOptions, named).json,
    certify: (options = {}) => engine.certify(text, options, named).json,
    verified: () => /valid/.test(engine.verify(engine.certify(text, {}, named).certificate, text, named).text),
    experts: (algorithm) => engine.experts(experts.csv(), { outcome: "outcome", algorithm }).json,
  };
}
function checked({ tab, check }) {
  const points = plane.rows();
  if (tab === "plane" && points.length > mostChecked)
    return no(`there are ${whole(points.length)} points, and ${mostChecked} are checked at most.`);
  if (tab === "plane" && new Set(points.map(([, , c]) => c)).size < 2) return no("points of both classes are wanted.");
  try {
    return check(given());
  } catch (error) {
    return no(faultOf(error));
  }
}
// Checks the exercise that is worked on, and remembers that it is solved, or why it is not.
const reasons = new Map();
function look(exercise) {
  const found = checked(exercise);
  if (found.solved) state.solved.add(exercise.id);
  reasons.set(exercise.id, found);
  return found;
}
const stateOf = (solved) => `<b class="${solved ? "solved" : "open"}">${solved ? "Solved" : "Not yet"}</b>`;
const verdict = ({ solved, words }) => `${stateOf(solved)}: ${escaped(words)}`;
const button = (id, act, words) =>
  `<button type="button" data-do="${act}" data-id="${id}" aria-describedby="title-${id}">${words}</button>`;

// ---- what is on the page ----

const list = byId("exercises"), strip = byId("task");
export function show() {
  list.innerHTML = exercises.map((exercise) => {
    const { id, title, task, hint } = exercise, found = reasons.get(id), solved = state.solved.has(id);
    const told = found && found.solved === solved ? verdict(found) : stateOf(solved);
    return `<li><h3 id="title-${id}">${title}</h3><p>${escaped(task)}</p><p class="verdict">${told}</p>` +
      `<div class="tools">${button(id, "load", "Load a start")}${button(id, "work", "Use what is there")}</div>` +
      `<details><summary>Hint</summary><p>${escaped(hint)}</p></details></li>`;
  }).join("");
  byId("score").textContent = `${state.solved.size} of ${exercises.length} solved. The address remembers which. ` +
    "Points are checked with the perceptron, rate 1, tie mistake, a bias, and the rows in their order, whatever is chosen.";
}
// The strip over the tab that an exercise is worked on in. Text that stays is not said again.
export function watch(tab) {
  const exercise = current();
  strip.hidden = !exercise || exercise.tab !== tab;
  if (strip.hidden) return;
  const html = verdict(look(exercise));
  byId("task-title").textContent = `${exercise.title}: `;
  byId("task-words").textContent = exercise.task;
  byId("task-hint").textContent = exercise.hint;
  if (byId("task-verdict").innerHTML !== html) byId("task-verdict").innerHTML = html;
}
function work(id, load) {
  state.task = id;
  byId("task-help").open = false;
  const { tab, start } = current(), target = tab === "plane" ? plane : experts;
  if (load) {
    target.pause();
    target.read(new URLSearchParams(start));
    target.begin();
  }
  turnTo(tab);
  speak(`${current().title}. ${current().task}`);
}
const dropped = () => {
  state.task = "";
  turnTo("exercises");
};

export function start(given, changed, { plane: ofPlane, experts: ofExperts, turnTo: turn }) {
  [engine, changedState, plane, experts, turnTo] = [given, changed, ofPlane, ofExperts, turn];
  list.addEventListener("click", (event) => {
    const button = event.target.closest("[data-id]");
    if (button) work(button.dataset.id, button.dataset.do === "load");
  });
  onButtons(strip, { leave: dropped });
}
export const begin = () => changedState();
export const pause = () => {};
