// The engine in WebAssembly gives the bytes of the command: model files, JSON, ledgers, certificates. Skipped, saying so,
// where `make web` has not run. usage: node engine_test.mjs HALFSPACE SOURCE_TREE
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [command, tree] = process.argv.slice(2).map((path) => resolve(path)), built = join(tree, "build", "web");
if (!existsSync(join(built, "halfspace.wasm"))) {
  console.log("SKIPPED: no build/web (make web); the engine was not tried");
  process.exit(77);
}
const at = (name) => pathToFileURL(join(built, name)).href;
const { load, HalfspaceError } = await import(at("engine.js"));
const { default: create } = await import(at("halfspace.mjs"));
const began = performance.now();
const engine = await load(create, readFileSync(join(built, "halfspace.wasm")));
console.log(`loaded in ${(performance.now() - began).toFixed(0)} ms`);

const folder = mkdtempSync(join(tmpdir(), "halfspace-web-"));
const native = (...words) => execFileSync(command, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
let same = 0;
const equal = (what, given, expected) => {
  assert.deepEqual(given, expected, what);
  ++same;
};
// What a run's JSON says, without the times it took and how it was called. The C interface makes notes for figures only.
const told = (json) => {
  const { invocation, seconds, notes, ...kept } = json;
  const timeless = (value) => Array.isArray(value) ? value.map(timeless)
    : value && typeof value === "object" ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== "seconds").sort().map(([key, of]) => [key, timeless(of)]))
    : value;
  return JSON.stringify(timeless(kept), null, 1);
};
// The rates of the ledger's table are of the clock; the C interface names options without dashes.
const undashed = (text) => text.replace(/(?<=^|\s)--(?=[a-z])/gm, "");
const lines = (text) => text.split("\n").filter((line) => !/^ +[\d,]+ +\d+ +[\d,.]+ /.test(line) && !/rounds\/s/.test(line)).map(undashed)
  .join("\n").trim();

const xor = "x,y,class\n0,0,a\n1,1,a\n0,1,b\n1,0,b\n";
const touching = "x,y,class\n-2,0,a\n0,1,a\n0,-1,b\n2,0,b\n0,0,a\n0,0.5,b\n";
const read = (name) => readFileSync(join(tree, "examples", name), "utf8");
const files = { "larks.csv": read("larks.csv"), "credit.csv": read("credit.csv"), "xor.csv": xor, "touching.csv": touching };
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);

const several = { order: "cyclic", until: "clean", passes: "50" };
const runs = [
  ["larks.csv", { rule: "perceptron" }],
  ["larks.csv", { rule: "perceptron", ...several }],
  ["larks.csv", { rule: "perceptron", ...several, tie: "positive", bias: "none" }],
  ["larks.csv", { rule: "perceptron", ...several, order: "shuffled", rate: "0.3" }],
  ["larks.csv", { rule: "perceptron", keep: "average", ...several }],
  ["larks.csv", { rule: "perceptron", keep: "vote" }],
  ["larks.csv", { rule: "margin", ...several }],
  ["larks.csv", { rule: "pa" }],
  ["larks.csv", { rule: "alma", ...several }],
  ["larks.csv", { rule: "second-order", ...several }],
  ["xor.csv", { rule: "perceptron", keep: "pocket", ...several }],
  ["touching.csv", { rule: "perceptron", ...several }],
  ["larks.csv", { rule: "kernel", ...several }],
];
const has = new Set(engine.describe("rules").map(({ name }) => name));
const flags = (options) => Object.entries(options).map(([name, value]) => `--${name}=${value}`);
const failures = [];
const tried = (what, act) => {
  try {
    act();
  } catch (error) {
    failures.push(`${what}: ${error.message}`);
  }
};
function sameRun(name, options) {
  const words = ["train", name, ...flags(options)], what = words.join(" ");
  tried(what, () => {
    let expected;
    try {
      expected = JSON.parse(native(...words, "--json", "-o", "native.model"));
    } catch (error) {
      const [said] = undashed(error.stderr.replace(/^halfspace: /, "")).split("\n");
      assert.throws(() => engine.train(files[name], options, { name }), ({ message }) => said.startsWith(message), said);
      return ++same;
    }
    const run = engine.train(files[name], options, { name });
    tried(what, () => equal(`${what}: model`, Buffer.from(run.model).toString("hex"), readFileSync(join(folder, "native.model")).toString("hex")));
    tried(what, () => equal(`${what}: JSON`, told(run.json), told(expected)));
    tried(what, () => equal(`${what}: ledger`, lines(run.text), lines(native(...words))));
  });
}
for (const [name, options] of runs) sameRun(name, options);
for (const rule of has) {
  sameRun("credit.csv", { rule, id: "applicant" });
  sameRun("larks.csv", { rule, ...several, normalize: "standard" });
}
tried("figures", () => {
  const options = { rule: "perceptron", ...several };
  const run = engine.train(files["larks.csv"], options, { name: "larks.csv", figures: true });
  const expected = JSON.parse(native("train", "larks.csv", ...flags(options), "--json", "--figures"));
  equal("figures", told(run.json), told(expected));
});
// Without extra seconds, in which a search goes as far as the clock lets it.
function sameProof(name, given) {
  const options = { ...given, "extra-seconds": "0" };
  const words = ["certify", name, ...flags(options)], what = words.join(" ");
  tried(what, () => {
    const found = engine.certify(files[name], options, { name });
    let expected;
    try {
      expected = native(...words, "--json", "-o", "native.proof");
    } catch (error) {
      expected = error.stdout;  // a verdict of its own exit status
    }
    equal(`${what}: certificate`, found.certificate, readFileSync(join(folder, "native.proof"), "utf8"));
    equal(`${what}: JSON`, told(found.json), told(JSON.parse(expected)));
    const checked = engine.verify(found.certificate, files[name], { name });
    assert.match(checked.text, /valid/);
    writeFileSync(join(folder, "web.proof"), found.certificate);
    native("verify", "web.proof", name);
  });
}
for (const [name, given] of [["larks.csv", {}], ["larks.csv", { bias: "none" }], ["xor.csv", {}], ["touching.csv", {}],
  ["credit.csv", { id: "applicant" }]]) sameProof(name, given);
// The rows of every golden case, by its rule, its order and its tie, and their proof.
const hexadecimal = (text) => {
  const [, sign, whole, part = "", exponent] = /^(-?)0x([0-9a-f]+)(?:[.]([0-9a-f]+))?p([-+]?\d+)$/.exec(text);
  return (sign ? -1 : 1) * parseInt(whole + part, 16) * 2 ** (Number(exponent) - 4 * part.length);
};
const value = (x) => typeof x === "string" && x.includes("0x") ? hexadecimal(x) : Number(x);
const ofCase = {
  "perceptron.averaged": { keep: "average" }, "perceptron.voted": { keep: "vote" }, "perceptron.margin": { rule: "margin" },
  pa: { rule: "pa2" }, alma2: { rule: "alma" }, arow: { rule: "arow" }, kernel_perceptron: { rule: "kernel" },
  adagrad: { rule: "adagrad" }, minnow: { rule: "minnow" }, winnow1: { rule: "winnow1" },
  "pocket.ratchet": { keep: "pocket", order: "random-mistake", updates: "40" }, "pla.first": { order: "first-mistake", updates: "200" },
};
const ties = { A: "mistake", B: "negative", N: "positive" };
let golden = 0;
for (const file of readdirSync(join(tree, "tests", "golden", "cases")).filter((each) => each.endsWith(".json")).sort()) {
  const { id, algo, input } = JSON.parse(readFileSync(join(tree, "tests", "golden", "cases", file), "utf8"));
  const { X = [], y = [], bias = "none", rule = "A" } = input;
  if (X.length === 0 || new Set(y).size !== 2) continue;
  const name = `${id}.csv`, rows = X.map((row, i) => [...row.map(value), y[i]].join(","));
  files[name] = [[...X[0].map((_, j) => `x${j}`), "class"].join(","), ...rows].join("\n") + "\n";
  writeFileSync(join(folder, name), files[name]);
  const options = { rule: "perceptron", ...several, tie: ties[rule], bias, ...ofCase[algo] };
  if (options.updates) options.passes = options.until = undefined;
  ++golden;
  if (has.has(options.rule)) sameRun(name, Object.fromEntries(Object.entries(options).filter(([, given]) => given !== undefined)));
  sameProof(name, { bias });
}
// Games of experts and bandits: advice that is wrong for everyone now and then, and losses of arms.
const rounds = Array.from({ length: 60 }, (_, t) => [t % 2, 1, t % 3 === 0 ? 1 : 0, t % 5 < 2 ? 1 : 0, t % 4 < 2 ? 1 : 0]);
const game = ["a,b,c,d,outcome", ...rounds.map((round) => round.join(","))].join("\n") + "\n";
const losses = ["a,b,c,d,e", ...rounds.map((round) => round.join(","))].join("\n") + "\n";
Object.assign(files, { "game.csv": game, "losses.csv": losses });
for (const name of ["game.csv", "losses.csv"]) writeFileSync(join(folder, name), files[name]);
for (const [verb, name, options] of [["experts", "game.csv", { outcome: "outcome" }],
  ["experts", "game.csv", { outcome: "outcome", algorithm: "hedge", rate: "0.4", seed: "3" }],
  ["experts", "game.csv", { outcome: "outcome", loss: "squared", algorithm: "mixture" }],
  ["bandit", "losses.csv", {}], ["bandit", "losses.csv", { algorithm: "exp3p", rounds: "100", delta: "0.1", repeat: "3" }]]) {
  const words = [verb, name, ...flags(options)], what = words.join(" ");
  tried(what, () => {
    const played = engine[verb](files[name], options, { name });
    equal(`${what}: JSON`, told(played.json), told(JSON.parse(native(...words, "--json"))));
    equal(`${what}: text`, lines(played.text), lines(native(...words)));
    equal(`${what}: figures`, told(engine[verb](files[name], options, { name, figures: true }).json),
      told(JSON.parse(native(...words, "--json", "--figures"))));
  });
}
// Row by row: the weights of one pass over the file.
tried("row by row", () => {
  const rows = files["larks.csv"].trim().split("\n").slice(1).map((line) => line.split(","));
  const trainer = engine.trainer(["wing", "tail"], ["skylark", "woodlark"], { rule: "perceptron" });
  for (const [wing, tail, lark] of rows) trainer.learn([Number(wing), Number(tail)], lark === "woodlark" ? 1 : 0);
  const { weights, bias, described } = trainer.model();
  trainer.free();
  assert.deepEqual([...weights, bias], [0.7000000000000002, -7.200000000000001, 6]);
  assert.equal(described.ledger.mistakes, 8);
  const { model } = engine.train(files["larks.csv"], { rule: "perceptron" });
  assert.deepEqual(engine.weights(model), { weights, bias });
  assert.deepEqual(engine.predict(model, [[0.3, 3.7]]), [{ class: "skylark", score: 0.7000000000000002 * 0.3 - 7.200000000000001 * 3.7 + 6 }]);
});
tried("errors", () => {
  assert.throws(() => engine.train(xor, { rule: "percepton" }), (error) => error instanceof HalfspaceError && error.kind === 2 && /percepton/.test(error.message));
  assert.throws(() => engine.train("x,y,class\n1,2,a\n1,b\n", { rule: "perceptron" }), (error) => error.kind === 65 && error.line === 3);
  const { model, json } = engine.train(xor);
  assert.equal(json.composition.rule, "perceptron");
  for (const row of [[], [1], [1, 2, 3], null])
    assert.throws(() => engine.predict(model, [row]), (error) => error instanceof HalfspaceError && /2 are expected/.test(error.message));
  assert.throws(() => engine.experts(game, {}), (error) => error.kind === 2 && /outcome/.test(error.message));
  const log = "action,reward,propensity\n0,1,0.5\n1,0,0.5\n";
  assert.throws(() => engine.bandit(log, { logged: "true" }), (error) => /none of that/.test(error.message));
  const trainer = engine.trainer(["x", "y"], ["a", "b"]);
  assert.throws(() => trainer.learn([1], 0), HalfspaceError);
  const ours = (act, said) => assert.throws(act, (error) => error instanceof HalfspaceError && said.test(error.message), act);
  for (const number of ["1", undefined, 0.5, true, -1, 2]) ours(() => trainer.learn([1, 2], number), /no class's number/);
  ours(() => trainer.learn([1, 2], 0, null), /weight/);
  trainer.free();
  ours(() => trainer.learn([1, 2], 0), /freed/);
  ours(() => trainer.model(), /freed/);
  for (const act of [() => engine.train(null), () => engine.certify(5), () => engine.verify("{}", null)]) ours(act, /no text/);
  for (const given of [5, "rule", []]) ours(() => engine.train(xor, given), /no object/);
  ours(() => engine.predict(model, null), /no list/);
  ours(() => engine.predict(model, [[1, null]]), /column 2 .* no number/);
  ours(() => engine.predict({}, [[1, 2]]), /no model/);
  ours(() => engine.trainer([], ["a", "b"]), /columns/);
  ours(() => engine.trainer(["x"], ["a"]), /classes/);
  assert.equal(engine.train(xor, { rule: undefined }, null).json.composition.rule, "perceptron");
  assert.equal(engine.certify(xor, null).json.verdict, "not separable");
});
rmSync(folder, { recursive: true });
console.log(failures.join("\n"));
console.log(`${has.size} rules; rows of ${golden} golden cases; ${same} outputs are those of the command, byte for byte; ${failures.length} failures`);
process.exit(failures.length === 0 ? 0 : 1);
