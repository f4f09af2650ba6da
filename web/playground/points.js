// The points of the plane: data sets, rows of x, y and class 0 (negative) or 1 (positive), and CSV in and out.
import { draws, rounded } from "./shared.js";

export const mostPoints = 2000;
const larks = "@LARKS@", credit = "@CREDIT@";  // texts of CSV
const spiral = (turn, c) => Array.from({ length: 40 }, (_, i) => {
  const angle = 0.35 + i * 0.16, r = 0.6 + angle * 1.15;
  return [rounded(r * Math.cos(angle + turn)), rounded(r * Math.sin(angle + turn)), c];
});
const clouds = (apart, seed) => {
  const next = draws(seed), bell = () => next() + next() + next() + next() - 2;
  return Array.from({ length: 40 }, (_, i) => {
    const side = i % 2 === 0 ? -1 : 1;
    return [rounded(side * apart + 2.2 * bell()), rounded(side * apart * 0.7 + 2.2 * bell()), i % 2];
  });
};
export const sets = {
  larks: { label: "larks", names: ["skylark", "woodlark"], columns: ["wing", "tail", "lark"],
    rows: () => parsed(larks).rows },
  credit: { label: "credit, in thousands", names: ["approved", "declined"], columns: ["income", "debt", "decision"],
    rows: () => parsed(credit).rows },
  clouds: { label: "two clouds", rows: () => clouds(2.6, 7) },
  xor: { label: "exclusive or", rows: () => [[0, 0, 0], [1, 1, 0], [0, 1, 1], [1, 0, 1]] },
  touching: { label: "touching", rows: () => [[-2, 0, 0], [0, 1, 0], [-1, -1, 0], [0, -1, 1], [2, 0, 1], [1, 2, 1], [0, 0, 0], [0, 0.5, 1]] },
  nearly: { label: "nearly separable", rows: () => [...clouds(3.4, 3), [2.9, 1.6, 0]] },
  slow: { label: "a thin margin", rows: () => [[-1, 0.02, 1], [1, 0.06, 1], [3, 0.1, 1], [-1, -0.06, 0], [1, -0.02, 0], [3, 0.02, 0]] },
  spirals: { label: "spirals", rows: () => spiral(0, 0).flatMap((row, i) => [row, spiral(Math.PI, 1)[i]]) },
  own: { label: "own points", rows: () => [] },
};

export const plainNames = ["-1", "1"];
export const plainColumns = ["x", "y", "class"];
// Squares and quotients of what is drawn stay within the doubles.
export const isDrawable = (x) => x === 0 || (Math.abs(x) <= 1e70 && Math.abs(x) >= 1e-70);
const isNumber = (cell) => /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(cell) && Number.isFinite(Number(cell));
// What the library takes for a missing label.
const isMissing = (name) => /^(|\?|-|\.|na|n\/a|nan|null|none|nil)$/i.test(name);
export const areClasses = (names) => names.length === 2 && names[0] !== names[1] && !names.some(isMissing);

// Returns the records of a CSV text with the lines that they begin in.
function recordsOf(text) {
  const first = text.slice(0, text.search(/\r?\n|$/)), delimiter = [",", ";", "\t"].find((one) => first.includes(one)) ?? ",";
  const field = new RegExp(`("(?:[^"]|"")*"|[^${delimiter}\r\n]*)(${delimiter}|\r?\n|$)`, "y"), records = [];
  for (let line = 1, cells = [], begin = 1; field.lastIndex < text.length;) {
    const found = field.exec(text);
    if (!found) throw new Error(`Line ${line}: a quoted field does not end.`);
    const [, cell, end] = found;
    cells.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell.trim());
    line += (found[0].match(/\n/g) ?? []).length;
    if (end === delimiter && field.lastIndex < text.length) continue;
    if (cells.length > 1 || cells[0] !== "") records.push({ line: begin, cells });
    [cells, begin] = [[], line];
  }
  return records;
}
// Reads CSV with a header, two columns of numbers, the first two, and two classes, those of the last column.
export function parsed(text) {
  const [head, ...data] = recordsOf(text.replace(/^\ufeff/, "")), last = (head?.cells.length ?? 0) - 1;
  const numeric = data[0]?.cells.map((_, k) => k).filter((k) => k < last && isNumber(data[0].cells[k])) ?? [];
  if (numeric.length < 2) throw new Error("The page wants a header, two columns of numbers and, last, the class.");
  if (data.length > mostPoints) throw new Error(`${data.length} rows; the page takes ${mostPoints}.`);
  for (const { line, cells } of data) {
    if (cells.length !== last + 1) throw new Error(`Line ${line}: ${cells.length} fields where ${last + 1} are expected.`);
    for (const k of numeric.slice(0, 2)) {
      if (!isNumber(cells[k])) throw new Error(`Line ${line}: '${cells[k]}' in column '${head.cells[k]}' is no number.`);
      if (!isDrawable(Number(cells[k]))) throw new Error(`Line ${line}: ${cells[k]} is too large or too small to draw.`);
    }
    if (isMissing(cells[last])) throw new Error(`Line ${line}: the class is missing.`);
  }
  const names = [...new Set(data.map(({ cells }) => cells[last]))].sort((a, b) => isNumber(a) && isNumber(b) ? a - b : a < b ? -1 : 1);
  if (names.length !== 2) throw new Error(`The last column has ${names.length} classes; the page wants two.`);
  const [a, b] = numeric;
  // Under plain names no column is taken for the label but the last.
  return { names, columns: plainColumns, rows: data.map(({ cells }) => [Number(cells[a]), Number(cells[b]), names.indexOf(cells[last])]) };
}
