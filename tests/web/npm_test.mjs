// The npm package as a stranger has it: packed, installed in a folder without a network, and every block of its README run,
// which prints what the comments at the ends of its lines say. Skipped, saying so, where `make web` has not run.
// usage: node npm_test.mjs SOURCE_TREE
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const tree = resolve(process.argv[2]), built = join(tree, "build", "web", "npm");
const run = (cwd, program, ...words) => execFileSync(program, words, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
const hasNpm = () => {
  try {
    return run(tmpdir(), "npm", "--version") !== "";
  } catch {
    return false;
  }
};
if (!existsSync(join(built, "index.js")) || !hasNpm()) {
  console.log("SKIPPED: no build/web/npm (make web), or no npm; the package was not tried");
  process.exit(77);
}
const folder = mkdtempSync(join(tmpdir(), "halfspace-npm-"));
const [{ filename, files, size }] = JSON.parse(run(built, "npm", "pack", "--json", "--pack-destination", folder));
assert.deepEqual(files.map(({ path }) => path).sort(), ["LICENSE", "README.md", "engine.js", "halfspace.mjs", "halfspace.wasm", "index.d.ts",
  "index.js", "package.json"]);
writeFileSync(join(folder, "package.json"), '{"name": "guest", "version": "1.0.0", "private": true}\n');
run(folder, "npm", "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", `./${filename}`);

const version = /project\(halfspace VERSION ([0-9.]+)/.exec(readFileSync(join(tree, "CMakeLists.txt"), "utf8"))[1];
const described = JSON.parse(readFileSync(join(folder, "node_modules", "halfspace", "package.json"), "utf8"));
assert.equal(described.version, version);
assert.equal(described.license, "Apache-2.0");

const blocks = [...readFileSync(join(built, "README.md"), "utf8").matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code);
assert.ok(blocks.length >= 5);
for (const [k, code] of blocks.entries()) {
  const expected = [...code.matchAll(/ {2}\/\/ (.*)$/gm)].map(([, words]) => words);
  writeFileSync(join(folder, `block${k}.mjs`), code);
  const printed = run(folder, process.execPath, `block${k}.mjs`).trimEnd().split("\n");
  assert.deepEqual(printed, expected, `block ${k + 1} of README.md`);
}

// The types name every option that the engine takes, and no other.
writeFileSync(join(folder, "names.mjs"), 'import { load } from "halfspace"; const engine = await load();\n' +
  'console.log(JSON.stringify(["train", "certify", "experts", "replay"].map((what) => engine.describe(what).map(({ name }) => name))));\n');
const names = JSON.parse(run(folder, process.execPath, "names.mjs"));
const types = readFileSync(join(built, "index.d.ts"), "utf8");
for (const [k, type] of ["TrainOptions", "CertifyOptions", "ExpertsOptions", "BanditOptions"].entries()) {
  const [, body] = new RegExp(`interface ${type} \\{\n(.*?)^\\}`, "ms").exec(types);
  assert.deepEqual([...body.matchAll(/^ {2}"?([\w-]+)"?\?: /gm)].map(([, name]) => name), names[k], type);
}
rmSync(folder, { recursive: true });
console.log(`${filename}: ${size.toLocaleString("en")} bytes; ${blocks.length} blocks of its README ran; ${names.flat().length} options have types`);
