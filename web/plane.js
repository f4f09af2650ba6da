// Sets the picture in the plane in motion (player.js): the moments that the run recorded, one update each. The numbers
// shown are those of the run's JSON in this page. Without this script the page still has the picture and the first updates.
"use strict";
(() => {
  const section = document.getElementById("plane"), source = document.getElementById("run");
  const plane = section && source ? JSON.parse(source.textContent).plane : null;
  if (!plane) return;
  const { points, moments, classes, constant } = plane;
  const last = moments.update.length;  // moment 0 is before the first update, `last` after the last recorded one,
  const end = last + 1;                // and `end` is the returned weights
  const binary = plane.weights.length === 3, exact = /^(feature|lifted)/.test(plane.kind);

  // ---- numbers ----

  const shown = (value) => value == null ? "beyond the range of doubles" : String(Number(value.toPrecision(6))).replace("-", "−");
  const whole = (value) => value.toLocaleString("en");
  const name = (k) => k < 0 ? "neither" : classes[k] ?? "no name";
  const mark = (k) => classes.length <= 2 ? 1 - Math.min(k, 1) : k;
  const look = (k) => (mark(k) + Math.floor(mark(k) / 8)) % 8;
  // Weights three by three: w1, w2, w3 of every class.
  const after = (i) => moments.weights[i - 1];
  const before = (i) => moments.before[i - 1] ?? moments.weights[i - 2];
  const weights = (at) => at === end ? plane.weights : at === 0 ? (last ? before(1) : plane.weights) : after(at);
  const line = (w, k = 0) => [w[3 * k] ?? 0, w[3 * k + 1] ?? 0, (w[3 * k + 2] ?? 0) * constant];
  const value = ([a, b, c], x, y) => a * x + b * y + c;
  const sign = (label) => label === 0 ? -1 : 1;

  // What these weights say about a place, by the rule for ties; −1: a tie that counts as a mistake.
  const says = (w, x, y) => {
    if (binary) {
      const score = value(line(w), x, y);
      if (score !== 0) return score > 0 ? 1 : 0;
      return plane.tie === "mistake" ? -1 : plane.tie === "positive" ? 1 : 0;
    }
    const scores = classes.map((_, k) => value(line(w, k), x, y)), best = Math.max(...scores);
    const first = scores.indexOf(best), final = scores.lastIndexOf(best);
    return plane.tie === "mistake" && first !== final ? -1 : plane.tie === "negative" ? final : first;
  };

  // ---- drawing: a panel is an SVG of the program, whose groups `regions` and `over` are drawn anew ----

  const panel = (svg) => {
    const [x0, x1, y0, y1] = svg.dataset.view.split(" ").map(Number);
    const [left, top, width, height] = svg.dataset.frame.split(" ").map(Number);
    const regions = svg.querySelector(".regions"), over = svg.querySelector(".over");
    return {
      svg, regions, over, x0, x1, y0, y1, left, top, width, height,
      first: [regions.innerHTML, over.innerHTML],
      px: (x) => left + (x - x0) / (x1 - x0) * width,
      py: (y) => top + (y1 - y) / (y1 - y0) * height,
      corners: [[x0, y0], [x1, y0], [x1, y1], [x0, y1]],
    };
  };
  const path = (p, polygon, closed) => polygon.map(([x, y], i) => `${i ? "L" : "M"}${p.px(x).toFixed(1)} ${p.py(y).toFixed(1)}`).join("") +
    (closed && polygon.length ? "Z" : "");
  // The part of a polygon where the line's value is at least 0.
  const cut = (polygon, w) => {
    const kept = [];
    polygon.forEach((a, i) => {
      const b = polygon[(i + 1) % polygon.length], at_a = value(w, ...a), at_b = value(w, ...b);
      if (at_a >= 0) kept.push(a);
      if ((at_a >= 0) !== (at_b >= 0)) {
        const t = at_a / (at_a - at_b);
        kept.push([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]);
      }
    });
    return kept;
  };
  // The line where the value is 0, inside the panel.
  const zero = (p, [a, b, c]) => {
    const squares = a * a + b * b;
    if (!(squares > 0)) return "";
    const norm = Math.sqrt(squares), foot = [-c * a / squares, -c * b / squares], along = [-b / norm, a / norm];
    let from = -Infinity, to = Infinity;
    for (const [at, step, low, high] of [[foot[0], along[0], p.x0, p.x1], [foot[1], along[1], p.y0, p.y1]]) {
      if (step === 0) {
        if (at < low || at > high) return "";
        continue;
      }
      from = Math.max(from, Math.min((low - at) / step, (high - at) / step));
      to = Math.min(to, Math.max((low - at) / step, (high - at) / step));
    }
    return from < to ? path(p, [from, to].map((t) => [foot[0] + t * along[0], foot[1] + t * along[1]])) : "";
  };
  const arrow = (x, y, to_x, to_y, cls) => {
    const length = Math.hypot(to_x - x, to_y - y);
    if (!(length > 0.5)) return "";
    const head = Math.min(10, length), ux = (to_x - x) / length * head, uy = (to_y - y) / length * head;
    const d = [x, y, to_x, to_y, to_x - ux + 0.45 * uy, to_y - uy - 0.45 * ux, to_x, to_y, to_x - ux - 0.45 * uy, to_y - uy + 0.45 * ux]
      .map((n) => n.toFixed(1));
    return `<path class="arrow ${cls}" d="M${d[0]} ${d[1]}L${d[2]} ${d[3]}M${d[4]} ${d[5]}L${d[6]} ${d[7]}L${d[8]} ${d[9]}"/>`;
  };
  const circle = (x, y, r) => `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 -${2 * r} 0`;
  const escaped = (words) => words.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  const clipped = (words, most) => words.length > most ? words.slice(0, most) + "…" : words;
  const text = (x, y, words) => `<text class="name" x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="middle">${escaped(words)}</text>`;

  const data = panel(section.querySelector(".plane-data svg"));
  const space = panel(section.querySelector(".plane-weights svg"));
  const triangle = section.querySelector(".plane-update");
  const count = section.querySelector(".plane-wrong");
  const counted = count.textContent, x = points.x, y = points.y;

  const region = (p, w) => {
    const regions = binary ? [1] : classes.map((_, k) => k);
    return regions.map((k) => {
      let polygon = p.corners;
      if (binary) polygon = line(w).every((n) => n === 0) ? [] : cut(polygon, line(w));
      else classes.forEach((_, j) => {
        if (j !== k) polygon = cut(polygon, line(w, k).map((n, i) => n - line(w, j)[i]));
      });
      return [`<path class="region fill${look(k)}" d="${path(p, polygon, true)}"/>`, binary ? "" : region_name(p, polygon, k)];
    }).reduce((all, one) => [all[0] + one[0], all[1] + one[1]], ["", ""]);
  };
  // A class's name in the middle of its region, where there is room for it.
  const region_name = (p, polygon, k) => {
    let area = 0, x = 0, y = 0;
    polygon.forEach((a, i) => {
      const b = polygon[(i + 1) % polygon.length], [ax, ay, bx, by] = [p.px(a[0]), p.py(a[1]), p.px(b[0]), p.py(b[1])];
      const twice = ax * by - bx * ay;
      area += twice;
      x += (ax + bx) * twice;
      y += (ay + by) * twice;
    });
    return Math.abs(area) > 6000 ? text(x / (3 * area), y / (3 * area) + 5, clipped(name(k), 16)) : "";
  };
  // And beyond the tip of its weights.
  const tip_name = (p, u, v, k) => {
    const dx = p.px(u) - p.px(0), dy = p.py(v) - p.py(0), length = Math.hypot(dx, dy), half = 3.5 * Math.min(name(k).length, 8);
    if (!(length > 12)) return "";
    const x = Math.min(p.left + p.width - half, Math.max(p.left + half, p.px(u) + (9 + half) * dx / length));
    return text(x, p.py(v) + 12 * dy / length + 5, clipped(name(k), 8));
  };
  const normal = (p, w) => {
    const [a, b] = line(w), norm = Math.hypot(a, b), middle = [(p.x0 + p.x1) / 2, (p.y0 + p.y1) / 2];
    if (!(norm > 0)) return "";
    const off = value(line(w), ...middle) / (norm * norm), foot = [middle[0] - off * a, middle[1] - off * b];
    if (foot[0] < p.x0 || foot[0] > p.x1 || foot[1] < p.y0 || foot[1] > p.y1) return "";
    let dx = a / (p.x1 - p.x0) * p.width, dy = -b / (p.y1 - p.y0) * p.height;
    const scale = 62 / Math.hypot(dx, dy);
    dx *= scale;
    dy *= scale;
    const px = p.px(foot[0]), py = p.py(foot[1]), tip = [px + 1.4 * dx - p.left, py + 1.4 * dy - p.top];
    if (tip[0] < 0 || tip[0] > p.width || tip[1] < 0 || tip[1] > p.height) return "";
    return arrow(px, py, px + dx, py + dy, "normal") + text(px + 1.24 * dx, py + 1.24 * dy + 5, "w");
  };
  const band = (p, w) => {
    const [a, b, c] = line(w);
    if (!(Math.hypot(a, b) > 0)) return "";
    let half = plane.margin ?? Infinity;
    if (plane.margin == null) x.forEach((_, i) => { half = Math.min(half, sign(points.label[i]) * value([a, b, c], x[i], y[i])); });
    if (!(half > 0) || !Number.isFinite(half)) return "";
    return `<path class="band" d="${path(p, cut(cut(p.corners, [a, b, c + half]), [-a, -b, -c + half]), true)}"/>`;
  };

  // ---- what the keeper would return: the average or the pocket as a line, a vote by its votes ----

  const line_of = (at) => binary && at > 0 && at !== end ? moments.kept?.[at - 1] : null;
  // How far the updates were recorded one by one: a vote needs them all.
  const whole_until = plane.keep === "vote" && binary && exact
    ? moments.update.findIndex((update, i) => update !== i + 1 || (i > 0 && moments.before[i])) : 0;
  const voters_known = (at) => plane.keep === "vote" && binary && exact && at > 0 && at !== end && (whole_until < 0 || at <= whole_until);
  // The vectors until a moment, each with the rounds that it lived through: the last one has the round that made it.
  const voters = (at) => [{ w: before(1), age: moments.round[0] - 1 },
    ...moments.weights.slice(0, at).map((w, i) => ({ w, age: i === at - 1 ? 1 : moments.round[i + 1] - moments.round[i] }))];
  const vote = (at) => {
    const sums = x.map(() => 0);
    for (const { w, age } of voters(at)) {
      const v = line(w);
      x.forEach((_, i) => {
        const score = value(v, x[i], y[i]);
        sums[i] += score > 0 || (score === 0 && plane.tie !== "negative") ? age : -age;
      });
    }
    return sums.map((sum) => sum > 0 || (sum === 0 && plane.tie !== "negative") ? 1 : 0);
  };
  let voted = { at: -1, said: [] };
  const vote_of = (at) => {
    if (voted.at !== at) voted = { at, said: vote(at) };
    return voted.said;
  };
  const most_voters = 60;
  const voter_lines = (at) => {
    const old = voters(at).filter(({ age }) => age > 0).sort((a, b) => b.age - a.age).slice(0, most_voters);
    return old.map(({ w, age }) => `<path class="boundary voter" style="opacity:${(0.15 + 0.6 * age / old[0].age).toFixed(2)}" d="${zero(data, line(w))}"/>`).join("");
  };
  const wrong_of = (says_of) => x.reduce((sum, _, i) => sum + (says_of(i) !== points.label[i]), 0);
  const keeper_words = (at) => {
    const kept = line_of(at);
    if (kept) {
      const where = exact ? ` = ${vector(kept, 0)}${plane.bias === "none" ? "" : `, bias ${shown(kept[2])}`}` : "";
      const wrong = exact ? `, wrong on ${whole(wrong_of((i) => says(kept, x[i], y[i])))} of ${whole(x.length)} rows` : "";
      const what = plane.keep === "pocket" ? "The pocket, before these weights are compared with it" : `The ${plane.keep} so far`;
      return where || wrong ? ` ${what}${where}${wrong}.` : "";
    }
    if (!voters_known(at)) return "";
    const said = vote_of(at);
    return ` The vote of all ${whole(at + 1)} vectors so far: wrong on ${whole(wrong_of((i) => said[i]))} of ${whole(x.length)} rows.`;
  };

  const draw_data = (at, w) => {
    if (at === end) {
      [data.regions.innerHTML, data.over.innerHTML] = data.first;
      count.textContent = counted;
      return;
    }
    let [regions, names] = region(data, w), over = "";
    if (binary) {
      regions += band(data, w);
      if (voters_known(at)) regions += voter_lines(at);
      if (at > 0) regions += `<path class="boundary before" d="${zero(data, line(before(at)))}"/>`;
      if (line_of(at)) regions += `<path class="boundary kept" d="${zero(data, line(line_of(at)))}"/>`;
      regions += `<path class="boundary" d="${zero(data, line(w))}"/>`;
      names += normal(data, w);
    }
    if (exact) {
      let rings = "", wrong = 0;
      const said = voters_known(at) ? vote_of(at) : null;
      x.forEach((_, i) => {
        if ((said ? said[i] : says(w, x[i], y[i])) === points.label[i]) return;
        ++wrong;
        rings += circle(data.px(x[i]), data.py(y[i]), x.length > 500 ? 6 : 9);
      });
      over += `<path class="ring${x.length > 500 ? " many" : ""}" d="${rings}"/>`;
      count.textContent = `(${whole(wrong)} of ${whole(x.length)})`;
    } else {
      count.textContent = "(at a moment: the row of the update)";
    }
    if (at > 0) {
      const px = data.px(moments.x[at - 1]), py = data.py(moments.y[at - 1]);
      over += `<path class="ring" d="${circle(px, py, 9)}"/><path class="ring focus moved" d="${circle(px, py, 14)}"/>`;
    }
    data.regions.innerHTML = regions;
    data.over.innerHTML = over + names;
  };

  const steps = classes.map((_, k) => moments.weights.map((w, i) => {
    const start = moments.before[i];
    const to = (v) => `${space.px(v[3 * k]).toFixed(1)} ${space.py(v[3 * k + 1]).toFixed(1)}`;
    return 3 * k + 2 < w.length ? (start ? `M${to(start)}` : "") + `L${to(w)}` : "";
  }));
  const draw_space = (at, w) => {
    if (at === end) {
      [space.regions.innerHTML, space.over.innerHTML] = space.first;
      return;
    }
    let regions = "", over = "";
    if (binary) {
      const third = line(w)[2];
      let cone = space.corners;
      for (let i = 0; i < x.length && cone.length; ++i) cone = cut(cone, [x[i], y[i], third].map((n) => sign(points.label[i]) * n));
      regions = `<path class="cone" d="${path(space, cone, true)}"/>`;
      if (at > 0) regions += `<path class="row" d="${zero(space, [moments.x[at - 1], moments.y[at - 1], third])}"/>`;
    }
    for (let k = 0; 3 * k < w.length; ++k) {
      const colour = `stroke${look(binary ? 1 : k)}`;
      over += `<path class="walk walked ${colour}" d="${steps[k].slice(0, at).join("")}"/>`;
      over += arrow(space.px(0), space.py(0), space.px(w[3 * k]), space.py(w[3 * k + 1]), binary ? "normal" : colour);
      if (!binary) over += tip_name(space, w[3 * k], w[3 * k + 1], k);
    }
    if (at > 0) {
      for (const k of moved(at)) {
        const a = before(at);
        over += arrow(space.px(a[3 * k]), space.py(a[3 * k + 1]), space.px(w[3 * k]), space.py(w[3 * k + 1]), "step");
      }
    }
    space.regions.innerHTML = regions;
    space.over.innerHTML = over;
  };

  // ---- the picture of one update: w, how far along y x it went, and what it came to ----

  // The classes that an update moved.
  const moved = (at) => {
    const a = before(at), b = after(at), list = [];
    for (let k = 0; 3 * k < a.length; ++k) {
      if ([0, 1, 2].some((i) => a[3 * k + i] !== b[3 * k + i])) list.push(k);
    }
    return list;
  };
  // The factor by which x (the bias coordinate with it) was added to the weights; null when the step was along something else.
  const factor = (at, k) => {
    const row = [moments.x[at - 1], moments.y[at - 1], exact ? constant : 0];
    const by = [0, 1, 2].map((i) => after(at)[3 * k + i] - before(at)[3 * k + i]);
    if (!exact) by[2] = 0;
    const squares = row.reduce((sum, n) => sum + n * n, 0), amount = row.reduce((sum, n, i) => sum + n * by[i], 0) / squares;
    const off = Math.hypot(...by.map((n, i) => n - amount * row[i]));
    return squares > 0 && off <= 1e-6 * Math.hypot(...by) ? Number(amount.toPrecision(6)) : null;
  };
  // Two classes: how far along y x; several: how far along x.
  const along = (at, by) => {
    const far = binary ? by * sign(moments.label[at - 1]) : by, what = binary ? "y·x" : "x";
    return far === 1 ? what : far === -1 ? `−${what}` : `${shown(far)} ${what}`;
  };
  const plus = (words) => words.startsWith("−") ? ` − ${words.slice(1)}` : ` + ${words}`;

  const draw_triangle = (at) => {
    triangle.hidden = at === end || at === 0;
    if (triangle.hidden) return;
    const classes_moved = moved(at);
    const a = before(at), b = after(at), tips = [];
    for (const k of classes_moved) tips.push([a[3 * k], a[3 * k + 1]], [b[3 * k], b[3 * k + 1]]);
    const spread = Math.max(...tips.map(([u, v]) => Math.hypot(u, v)));
    const step = Math.max(...classes_moved.map((k) => Math.hypot(b[3 * k] - a[3 * k], b[3 * k + 1] - a[3 * k + 1])), 0);
    const far = classes_moved.length === 1 && step < 0.1 * spread;
    const all = far ? tips : [...tips, [0, 0]];
    const box = [0, 1].map((i) => [Math.min(...all.map((p) => p[i])), Math.max(...all.map((p) => p[i]))]);
    const size = Math.max((box[0][1] - box[0][0]) / 330, (box[1][1] - box[1][0]) / 190, far ? step / 110 : 0) || 1;
    const height = Math.max(90, Math.min(240, (box[1][1] - box[1][0]) / size + 60));
    const px = (u) => 220 + (u - (box[0][0] + box[0][1]) / 2) / size, py = (v) => height / 2 - (v - (box[1][0] + box[1][1]) / 2) / size;
    let svg = "", words = "";
    // An arrow that comes from far away begins at the rim.
    const from_origin = (u, v, cls) => {
      let t = 0;
      for (const [o, p, high] of [[px(0), px(u), 438], [py(0), py(v), height - 2]]) {
        if (o < 2) t = Math.max(t, (2 - o) / (p - o));
        if (o > high) t = Math.max(t, (high - o) / (p - o));
      }
      return arrow(px(0) + t * (px(u) - px(0)), py(0) + t * (py(v) - py(0)), px(u), py(v), cls);
    };
    // A name beside an arrow, on the side away from `other`.
    const beside = (from, to, other, words) => {
      const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
      let nx = -(to[1] - from[1]) / length, ny = (to[0] - from[0]) / length;
      const middle = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
      if (nx * (other[0] - middle[0]) + ny * (other[1] - middle[1]) > 0) [nx, ny] = [-nx, -ny];
      const reach = 12 + 4 * words.length * Math.abs(nx);
      return text(Math.min(428 - 3.5 * words.length, Math.max(12 + 3.5 * words.length, middle[0] + reach * nx)),
        Math.min(height - 6, Math.max(16, middle[1] + 16 * ny + 5)), words);
    };
    const along_x = classes_moved.every((k) => factor(at, k) != null);
    for (const k of classes_moved) {
      const [u, v] = [a[3 * k], a[3 * k + 1]], [p, q] = [b[3 * k], b[3 * k + 1]], by = factor(at, k);
      const w = binary ? "w" : `w[${clipped(name(k), 6)}]`, start = far ? [(px(u) + px(0)) / 2, (py(v) + py(0)) / 2] : [px(0), py(0)];
      const near = (from, to) => far ? [to[0] + Math.sign(from[0] - to[0]) * Math.min(90, Math.abs(from[0] - to[0])),
        to[1] + Math.sign(from[1] - to[1]) * Math.min(90, Math.abs(from[1] - to[1]))] : from;
      const colour = binary ? "" : ` stroke${look(k)}`;
      svg += from_origin(u, v, "before" + colour) + from_origin(p, q, "after" + colour) + arrow(px(u), py(v), px(p), py(q), "step");
      if (Math.hypot(px(u) - px(0), py(v) - py(0)) > 24) words += beside(near(start, [px(u), py(v)]), [px(u), py(v)], [px(p), py(q)], w);
      if (Math.hypot(px(p) - px(0), py(q) - py(0)) > 24) {
        const sum = by == null ? `new ${w}` : w + plus(along(at, by));
        words += beside(near(start, [px(p), py(q)]), [px(p), py(q)], [px(u), py(v)], sum);
      }
      const outside = Math.hypot(px(u) - px(0), py(v) - py(0)) > 24 ? [px(0), py(0)] : [px(p) - 1, py(q) + 1];
      words += beside([px(u), py(v)], [px(p), py(q)], outside, by == null ? "step" : along(at, by));
    }
    triangle.firstChild.setAttribute("viewBox", `0 0 440 ${height.toFixed(0)}`);
    triangle.firstChild.innerHTML = svg + words +
      (px(0) >= 0 && px(0) <= 440 && py(0) >= 0 && py(0) <= height ? `<path class="ring" d="${circle(px(0), py(0), 3)}"/>` : "");
    triangle.querySelector("figcaption").textContent = classes_moved.length === 0
      ? "In this plane the weights did not move."
      : `One update: ${binary ? along_x ? "w (dashed), what was added, and their sum" : "w before (dashed), the step, and w after" : "the weights of two classes before (dashed) and after"}` +
        `${exact && plane.bias !== "none" ? ", without the bias" : exact ? "" : ", as they lie in this plane"}.` +
        (far ? " The arrows begin at the origin, outside of this picture." : "");
  };

  // ---- words ----

  const vector = (w, k) => `(${shown(w[3 * k])}, ${shown(w[3 * k + 1])})`;
  const tell = (at) => {
    if (at === end) return `The returned weights (${plane.keep})${last ? `, after ${whole(plane.updates)} updates` : ""}.`;
    if (at === 0) return "Before the first update.";
    const i = at - 1, a = before(at), b = after(at);
    let words = `Update ${whole(moments.update[i])} of ${whole(plane.updates)}, round ${whole(moments.round[i])}: ` +
      `row ${whole(moments.row[i])}, ${name(moments.label[i])}, scored ${shown(moments.score[i])}: ` +
      (moments.mistake[i] ? `a mistake${moments.predicted[i] >= 0 && moments.predicted[i] !== moments.label[i] ? `, ${name(moments.predicted[i])} was said` : ", a tie"}.` : "right, but within the margin.");
    for (const k of moved(at)) {
      const by = factor(at, k), w = binary ? "w" : `w of ${name(k)}`;
      const step = by == null ? " became" : ` + (${shown(by * moments.x[i])}, ${shown(by * moments.y[i])}) =`;
      words += ` ${w} = ${vector(a, k)}${step} ${vector(b, k)}` +
        (plane.bias === "none" || !exact ? "" : `, bias ${shown(a[3 * k + 2])} → ${shown(b[3 * k + 2])}`) + ";";
    }
    return words.replace(/;$/, ".") + keeper_words(at);
  };

  // ---- the player ----

  let focus = -1;

  const draw = (at, w) => {
    draw_data(at, w);
    draw_space(at, w);
    draw_focus();
  };
  const player = halfspacePlayer({
    section, first: 0, last, end, tell,
    show: (at) => {
      draw(at, weights(at));
      draw_triangle(at);
    },
    // From the weights before an update to those after it, as one motion.
    between: (at) => {
      if (at === 0 || at === end) return null;
      const a = before(at), b = after(at);
      return (t) => draw(at, t < 1 ? a.map((n, i) => n + t * (b[i] - n)) : b);
    },
    round: (at) => at === end ? null : at === 0 ? 0 : moments.round[at - 1],
    name: (at) => at === end ? "returned weights" : at === 0 ? "before the first update" : `update ${moments.update[at - 1]}`,
    mistake: (at) => moments.mistake[at - 1],
    result: "returned weights",
    hint: `In the picture: arrows go from row to row,
<kbd>Page Up</kbd> <kbd>Page Down</kbd> in the data's order, <kbd>Esc</kbd> leaves.`,
  });

  // ---- rows: read by keyboard or pointer ----

  const said = document.createElement("p");
  said.className = "plane-point";
  said.setAttribute("role", "status");
  data.svg.closest("figure").append(said);
  data.svg.setAttribute("tabindex", "0");
  data.svg.setAttribute("role", "application");
  data.svg.setAttribute("aria-roledescription", "picture of rows, arrow keys go from row to row");
  const axis = (i) => plane.axes[i].name ?? (i === 0 ? "across" : "up");
  function draw_focus() {
    data.svg.querySelector(".here")?.remove();
    if (focus < 0) return;
    const ring = document.createElementNS(data.svg.namespaceURI, "path");
    ring.setAttribute("class", "ring focus here");
    ring.setAttribute("d", circle(data.px(x[focus]), data.py(y[focus]), 11));
    data.svg.append(ring);
  }
  const point = (i) => {
    focus = i;
    draw_focus();
    if (i < 0) {
      said.textContent = "";
      return;
    }
    const at = player.at(), w = weights(at), is = at === end ? points.predicted[i] : voters_known(at) ? vote_of(at)[i] : exact ? says(w, x[i], y[i]) : null;
    let words = `Row ${whole(points.row[i])}, ${name(points.label[i])}: ${axis(0)} ${shown(x[i])}, ${axis(1)} ${shown(y[i])}`;
    if (is != null) words += is === points.label[i] ? "; right" : `; wrong, ${is < 0 ? "a tie" : `${name(is)} is said`}`;
    if (binary && exact) words += `, score ${shown(value(line(w), x[i], y[i]))}`;
    said.textContent = words + ".";
  };
  const toward = (dx, dy) => {
    if (focus < 0) return point(0);
    let best = -1, least = Infinity;
    x.forEach((_, i) => {
      const u = data.px(x[i]) - data.px(x[focus]), v = data.py(y[i]) - data.py(y[focus]);
      const along = u * dx + v * dy, across = Math.abs(u * dy - v * dx);
      if (along > 0.01 && across <= along && along + 2 * across < least) {
        least = along + 2 * across;
        best = i;
      }
    });
    if (best >= 0) point(best);
  };
  data.svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const moves = {
      ArrowLeft: () => toward(-1, 0), ArrowRight: () => toward(1, 0), ArrowUp: () => toward(0, -1), ArrowDown: () => toward(0, 1),
      PageDown: () => point(Math.min(x.length - 1, focus + 1)), PageUp: () => point(Math.max(0, focus - 1)),
      Escape: () => point(-1),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    moves[event.key]();
  });
  data.svg.addEventListener("pointermove", (event) => {
    const box = data.svg.getBoundingClientRect(), scale = data.svg.viewBox.baseVal.width / box.width;
    const u = (event.clientX - box.left) * scale, v = (event.clientY - box.top) * scale;
    let best = -1, least = 14;
    x.forEach((_, i) => {
      const distance = Math.hypot(data.px(x[i]) - u, data.py(y[i]) - v);
      if (distance < least) {
        least = distance;
        best = i;
      }
    });
    if (best >= 0 && best !== focus) point(best);
  });

  // ---- begin: the moment that the address names ----

  triangle.innerHTML = '<svg viewBox="0 0 440 240" role="img" aria-label="The update as vectors"></svg><figcaption></figcaption>';
  for (const link of section.querySelectorAll(".plane-first a")) {
    link.addEventListener("click", () => player.controls.scrollIntoView({ block: "nearest" }));
  }
  const legend = (cls, words) => data.svg.closest("figure").querySelector("figcaption").insertAdjacentHTML("beforeend",
    `<span class="key"><svg viewBox="0 0 26 18" aria-hidden="true"><path class="boundary ${cls}" d="M1 9h24"/></svg> ${words}</span> `);
  if (binary && moments.kept) legend("kept", `the ${plane.keep} so far, at a moment`);
  if (voters_known(1)) legend("voter", "the vectors that vote, at a moment");
  player.begin();
})();
