// Runs an ONNX model in onnxruntime's package for node: onnxruntime_test.py starts it.
//
// usage: node onnxruntime.cjs FOLDER PACKAGE                      prints the package's version
//        node onnxruntime.cjs FOLDER PACKAGE MODEL WIDTH ROWS     prints its answers as JSON
//
// The exit status is 77 where the package is not there. FOLDER is where node looks for it first. ROWS is a file of
// doubles, WIDTH of them a row. The answers are those to all rows at once, to the first rows one by one, and to none.
const { readFileSync } = require("node:fs");
const { dirname, join } = require("node:path");

const [folder, name, model, width, rows] = process.argv.slice(2);
const singles = 20;

function version(entry) {
  for (let at = dirname(entry); ; at = dirname(at)) {
    try {
      const { name: found, version } = JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
      if (found === name) return version;
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
    if (at === dirname(at)) throw new Error(`no package.json of ${name}`);
  }
}

function plain(outputs) {
  const answers = {};
  for (const [output, { type, dims, data }] of Object.entries(outputs))
    answers[output] = { type, dims, data: type === "int64" ? Array.from(data, String) : Array.from(data) };
  return answers;
}

function installed() {
  try {
    return require.resolve(name, { paths: [folder] });
  } catch (error) {
    console.error(error.message);
    process.exit(77);
  }
}

async function main() {
  const entry = installed();
  if (!model) return version(entry);
  const ort = require(entry);
  const session = await ort.InferenceSession.create(model);
  const bytes = readFileSync(rows);
  const x = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const answer = async (data) =>
    plain(await session.run({ x: new ort.Tensor("float64", data, [data.length / width, Number(width)]) }));
  const result = { all: await answer(x), none: await answer(new Float64Array(0)), single: [] };
  for (let i = 0; i < Math.min(singles, x.length / width); ++i)
    result.single.push(await answer(x.slice(i * width, (i + 1) * width)));
  return result;
}

main().then(
  (result) => process.stdout.write(typeof result === "string" ? result : JSON.stringify(result)),
  (error) => {
    console.error(error.message);
    process.exitCode = 1;
  },
);
