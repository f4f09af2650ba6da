// Makes the npm package of the engine: OUT/npm. usage: node npm_package.mjs OUT    OUT: build/web, as assemble.py leaves it
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const out = resolve(process.argv[2]), root = fileURLToPath(new URL("../../", import.meta.url)), npm = join(out, "npm");
rmSync(npm, { recursive: true, force: true });
mkdirSync(npm);
for (const name of ["engine.js", "halfspace.mjs", "halfspace.wasm"]) copyFileSync(join(out, name), join(npm, name));
for (const name of ["index.js", "README.md"]) copyFileSync(join(root, "web", "npm", name), join(npm, name));
copyFileSync(join(root, "LICENSE"), join(npm, "LICENSE"));
const { load } = await import(pathToFileURL(join(npm, "index.js")).href);
const engine = await load();

// A choice that has parameters, as NAME:PARAMETER=VALUE, is text, too.
function typeOf({ takes_value: takesValue, number, choices, takes }) {
  if (!takesValue) return "boolean";
  if (choices.length > 0) return choices.map((choice) => JSON.stringify(choice)).join(" | ") + (/:/.test(takes) ? " | (string & {})" : "");
  return number ? "number | string" : "string | number";
}
// What it is, and what it takes where the type does not say it.
function documented({ help, takes, placeholder, choices }) {
  const taken = choices.length > 0 ? "" : takes || (/[,:=|]/.test(placeholder) ? placeholder : "");
  return `${help}${taken ? ` (${taken})` : ""}`.replaceAll("--", "").replaceAll("*/", "* /");
}
function optionsOf(name, what, verb) {
  const fields = engine.describe(what).map((option) =>
    `  /** ${documented(option)} */\n  ${/^[\w$]+$/.test(option.name) ? option.name : JSON.stringify(option.name)}?: ${typeOf(option)};`);
  return `/** The options of \`halfspace ${verb}\`, without dashes. */\nexport interface ${name} {\n${fields.join("\n")}\n}\n`;
}
const options = [["TrainOptions", "train", "train"], ["CertifyOptions", "certify", "certify"], ["ExpertsOptions", "experts", "experts"],
  ["BanditOptions", "replay", "bandit"]].map((words) => optionsOf(...words)).join("\n");
writeFileSync(join(npm, "index.d.ts"), readFileSync(join(root, "web", "npm", "index.d.ts"), "utf8").replace("@OPTIONS@\n", () => options));
const license = readFileSync(join(root, "LICENSE"), "utf8");
if (!/Apache License\s+Version 2\.0/.test(license)) throw new Error("npm_package.mjs: LICENSE is another one");
writeFileSync(join(npm, "package.json"), JSON.stringify({
  name: "halfspace",
  version: engine.version(),
  description: "Online linear classification with mistake bounds and proofs of separability, in WebAssembly",
  keywords: ["perceptron", "linear classifier", "online learning", "separability", "experts", "bandits", "webassembly"],
  license: "Apache-2.0",
  type: "module",
  exports: { ".": { types: "./index.d.ts", default: "./index.js" }, "./halfspace.wasm": "./halfspace.wasm" },
  types: "./index.d.ts",
  files: ["index.js", "index.d.ts", "engine.js", "halfspace.mjs", "halfspace.wasm"],
  engines: { node: ">=18" },
  sideEffects: false,
}, null, 2) + "\n");
console.log(`${npm}: halfspace ${engine.version()}`);
