// Geometry and marks of the pictures: what depends on no state.

export const n1 = (x) => x.toFixed(1);
// The part of a polygon where a x + b y + c is at least 0.
export const cut = (polygon, [a, b, c]) => polygon.flatMap((p, i) => {
  const q = polygon[(i + 1) % polygon.length], atP = a * p[0] + b * p[1] + c, atQ = a * q[0] + b * q[1] + c;
  const t = atP / (atP - atQ), kept = atP >= 0 ? [p] : [];
  if ((atP >= 0) !== (atQ >= 0)) kept.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]);
  return kept;
});
// The convex hull, counterclockwise.
export function hull(points) {
  const sorted = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const half = (list) => list.reduce((kept, p) => {
    while (kept.length > 1) {
      const [a, b] = kept.slice(-2);
      if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
      kept.pop();
    }
    return [...kept, p];
  }, []);
  return sorted.length < 3 ? sorted : [...half(sorted).slice(0, -1), ...half(sorted.reverse()).slice(0, -1)];
}

export const arrow = (x, y, toX, toY, kind) => {
  const length = Math.hypot(toX - x, toY - y);
  if (!(length > 0.5)) return "";
  const head = Math.min(10, length), ux = (toX - x) / length * head, uy = (toY - y) / length * head;
  return `<path class="arrow ${kind}" d="M${n1(x)} ${n1(y)}L${n1(toX)} ${n1(toY)}M${n1(toX - ux + 0.45 * uy)} ${n1(toY - uy - 0.45 * ux)}` +
    `L${n1(toX)} ${n1(toY)}L${n1(toX - ux - 0.45 * uy)} ${n1(toY - uy + 0.45 * ux)}"/>`;
};
export const ring = (x, y, r, kind) => `<circle class="${kind}" cx="${n1(x)}" cy="${n1(y)}" r="${r}"/>`;
export const mark = (x, y, c, r = 6) => c === 1 ? `<circle class="o" cx="${n1(x)}" cy="${n1(y)}" r="${r}"/>`
  : `<path class="x" d="M${n1(x - r)} ${n1(y - r)}L${n1(x + r)} ${n1(y + r)}M${n1(x - r)} ${n1(y + r)}L${n1(x + r)} ${n1(y - r)}"/>`;

// Round numbers for the grid: about six a side.
export const ticks = (low, high) => {
  const rough = (high - low) / 7, unit = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].map((k) => k * unit).find((s) => s >= rough);
  const first = Math.ceil(low / step), count = Math.floor(high / step) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
};

// A chart over rounds 0, 1, 2 …: lines of a name, a style and values, some of them null. Returns SVG and its key.
export function chart(lines, shown) {
  const values = lines.flatMap((line) => line.values).filter((value) => value !== null);
  const last = Math.max(1, ...lines.map((line) => line.values.length - 1));
  const [low, high] = [Math.min(0, ...values), Math.max(4, ...values)];
  const x = (t) => 34 + t / last * 316, y = (value) => 186 - (value - low) / (high - low) * 176;
  const marks = ticks(low, high).map((value) => `<path class="grid" d="M34 ${n1(y(value))}H350"/>` +
    `<text class="tick" x="29" y="${n1(y(value) + 4)}">${shown(value)}</text>`).join("");
  const rounds = ticks(0, last).filter((t) => Number.isInteger(t))
    .map((t) => `<text class="middle" x="${n1(x(t))}" y="202">${t}</text>`).join("");
  const paths = lines.map(({ kind, values: list }) => {
    let pen = "M";
    const steps = list.map((value, t) => {
      if (value === null) return (pen = "M", "");
      const step = `${pen}${n1(x(t))} ${n1(y(value))}`;
      const alone = pen === "M" && (list[t + 1] ?? null) === null;
      pen = "L";
      return alone ? `${step}h-9` : step;
    });
    return `<path class="${kind}" d="${steps.join("")}"/>`;
  });
  const key = lines.map(({ kind, name }) => '<span class="key"><svg viewBox="0 0 26 18" aria-hidden="true">' +
    `<path class="${kind}" d="M0 9H26"/></svg>${name}</span>`);
  const axis = `<path class="axis" d="M34 ${n1(y(0))}H350"/>`;
  return { picture: `${marks}${axis}${rounds}${paths.join("")}`, key: key.join("") };
}
