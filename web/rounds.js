// Sets the rounds of experts or arms in motion (player.js): weights as bars, pulls, the loss and its bound. The numbers
// shown are those of the run's JSON in this page. Without this script the page still has its charts over the rounds.
"use strict";
(() => {
  const section = document.getElementById("rounds"), source = document.getElementById("run");
  const run = section && source ? JSON.parse(source.textContent) : null;
  const last = run?.path?.rounds?.length ?? 0;
  if (last === 0) return;
  const players = (run.algorithms ?? [run]).filter((p) => p.path?.weights && p.path.loss && p.path.rounds?.length === last);
  const bandit = run.command === "bandit", figure = section.querySelector(".rounds-bars");
  let chosen = players.find((p) => p.algorithm === run.algorithm) ?? run;

  const shown = (value) => value == null ? "–" : String(Number(value.toPrecision(6))).replace("-", "−");
  // Six digits, rounded up: what is shown of a bound is one.
  const above = (value) => {
    const near = Number(value.toPrecision(6));
    return near < value ? Number((near + 10 ** (Math.floor(Math.log10(value)) - 5)).toPrecision(6)) : near;
  };
  const whole = (value) => value.toLocaleString("en");
  const escaped = (words) => words.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  const clipped = (words, most) => words.length > most ? words.slice(0, most) + "…" : words;
  const names = () => Object.keys(chosen.path.weights);
  // How much a sum over the rounds grew at a moment.
  const grown = (sums, at) => sums == null ? null : sums[at - 1] - (sums[at - 2] ?? 0);
  const begun = (at) => (chosen.path.rounds[at - 2] ?? 0) + 1;
  const pulled = (at) => !chosen.path.pulls ? []
    : names().map((name) => [name, grown(chosen.path.pulls[name], at)]).filter(([, times]) => times > 0);

  const left = 140, bar = 200, row = 22, column = 62;
  const draw = (at, weight) => {
    const list = names(), all = list.flatMap((name) => chosen.path.weights[name]);
    const low = Math.min(0, ...all), high = Math.max(0, ...all), reach = high - low || 1;
    const px = (value) => left + (value - low) / reach * bar, now = pulled(at).map(([name]) => name);
    const bars = list.map((name, k) => {
      const value = weight(name), y = k * row, from = Math.min(px(0), px(value ?? 0)), times = chosen.path.pulls?.[name]?.[at - 1];
      return `<g${now.includes(name) ? ' class="pulled"' : ""}><title>${escaped(name)}</title>` +
        `<text class="of" x="${left - 8}" y="${y + 15}">${now.includes(name) ? "● " : ""}${escaped(clipped(name, 18))}</text>` +
        `<rect class="${value < 0 ? "c1" : "c0"}" x="${from.toFixed(1)}" y="${y + 3}" width="${Math.abs(px(value ?? 0) - px(0)).toFixed(1)}" height="15"/>` +
        `<text class="of" x="${left + bar + column}" y="${y + 15}">${value == null ? "–" : value.toFixed(4).replace("-", "−")}</text>` +
        (times == null ? "" : `<text class="of" x="${left + bar + 2 * column}" y="${y + 15}">${whole(times)}</text>`) + "</g>";
    });
    const height = list.length * row;
    figure.firstChild.setAttribute("viewBox", `0 0 ${left + bar + 2 * column + 4} ${height + 4}`);
    figure.firstChild.innerHTML = bars.join("") + `<path class="grid origin" d="M${px(0).toFixed(1)} 0V${height}"/>`;
  };
  const after = (at) => (name) => chosen.path.weights[name][at - 1];

  const tell = (at) => {
    const { rounds, loss, observed, bound } = chosen.path, from = begun(at), to = rounds[at - 1], one = from === to;
    const paid = grown(loss, at), counts = run.mistakes != null && !bandit;
    let words = one ? `Round ${whole(to)} of ${whole(run.rounds)}` : `Rounds ${whole(from)} to ${whole(to)} of ${whole(run.rounds)}`;
    if (bandit) {
      const arms = pulled(at);
      words += one ? `: ${arms.length ? arms[0][0] : "an arm that is not shown"} was pulled`
        : `: pulls of those shown: ${arms.map(([name, times]) => `${name} ${whole(times)}`).join(", ") || "none"}`;
    }
    if (paid != null) {
      words += bandit ? `${one ? ", at a" : ";"} loss ${one ? "of " : ""}${shown(paid)}` : !counts ? `: a loss of ${shown(paid)}`
        : one ? paid > 0 ? ": a mistake" : ": right" : `: ${whole(paid)} mistake${paid === 1 ? "" : "s"}`;
    }
    const [what, how] = (chosen.bound?.bounds ?? chosen.path.quantity ?? "regret").split(/(?=,)/);
    const limit = bound?.[at - 1] ?? chosen.bound?.value;
    if (loss != null && what !== "mistakes") words += `. ${counts ? "Mistakes" : "Loss"} so far: ${shown(loss[at - 1])}`;
    words += `. ${what[0].toUpperCase()}${what.slice(1)} so far: ${shown(observed[at - 1])}`;
    if (limit != null) words += `, by the theorem at most ${shown(what === "mistakes" ? Math.floor(limit) : above(limit))}${bound ? "" : " over all rounds"}${how ?? ""}`;
    return words + ".";
  };

  figure.innerHTML = `<svg role="img" aria-label="${bandit ? "Probabilities of the arms" : "Weights of the experts"} at this moment"></svg><figcaption></figcaption>`;
  figure.lastChild.textContent = bandit
    ? "The probability of each arm in this round, and its pulls so far; ●: pulled since the moment before."
    : "The weights after this round.";
  const player = halfspacePlayer({
    section, first: 1, last, end: last, tell,
    show: (at) => draw(at, after(at)),
    between: (at) => at === 1 ? null : (t) => draw(at, (name) => {
      const a = chosen.path.weights[name][at - 2], b = chosen.path.weights[name][at - 1];
      return a == null || b == null ? b : a + t * (b - a);
    }),
    round: (at) => chosen.path.rounds[at - 1],
    name: (at) => `round ${chosen.path.rounds[at - 1]}`,
    mistake: run.mistakes == null || bandit ? undefined : (at) => grown(chosen.path.loss, at) > 0,
    result: "last round",
  });
  if (players.length > 1) {
    const label = document.createElement("label"), choice = document.createElement("select");
    choice.className = "rounds-player";
    for (const one of players) choice.add(new Option(one.algorithm, one.algorithm, false, one === chosen));
    choice.addEventListener("change", () => {
      chosen = players[choice.selectedIndex];
      player.again();
    });
    label.append("Player ", choice);
    player.controls.querySelector(".plane-buttons").append(label);
  }
  section.hidden = false;
  player.begin();
})();
