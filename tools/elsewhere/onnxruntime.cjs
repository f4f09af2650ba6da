// Runs jobs in onnxruntime's package for node: tools/elsewhere/onnxruntime starts it.
//
// usage: node onnxruntime.cjs FOLDER PACKAGE JOBS    FOLDER is where node looks for the package first
//
// JOBS is a JSON array of {model, type, dims, data}; a number in data may be a text such as "NaN". `from` says what the
// data are in JavaScript: "array" (as they are), else a typed array. The answers are printed as a JSON array.
const { readFileSync } = require("node:fs");
const { dirname, join } = require("node:path");

const [folder, name, jobs] = process.argv.slice(2);
const TYPED = { float32: Float32Array, float64: Float64Array };

function installed() {
  try {
    return require.resolve(name, { paths: [folder] });
  } catch (error) {
    console.error(error.message);
    process.exit(77);
  }
}

function version(entry) {
  for (let at = dirname(entry); at !== dirname(at); at = dirname(at)) {
    try {
      const { name: found, version } = JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
      if (found === name) return version;
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
  }
}

async function answer(ort, { model, type, dims, data, from }) {
  try {
    const session = await ort.InferenceSession.create(model);
    const typed = TYPED[type];
    const values = from === "array" || !typed ? data : typed.from(data, Number);
    const outputs = await session.run({ x: new ort.Tensor(type, values, dims) });
    const found = {};
    for (const [output, { type, data }] of Object.entries(outputs))
      found[output] = { type, kind: typeof data[0], data: Array.from(data, String) }; // String(-0) is "0"
    return found;
  } catch (error) {
    return { error: error.message };
  }
}

async function main() {
  const entry = installed();
  const ort = require(entry);
  ort.env.logLevel = "error";
  const answers = [];
  for (const job of JSON.parse(readFileSync(jobs, "utf8"))) answers.push(await answer(ort, job));
  process.stdout.write(JSON.stringify({ version: version(entry), answers }));
}

main();
