// A cursor on the charts: what a line says at the nearest round, by pointer or with the arrow keys. The numbers are
// those of the run's JSON in this page. Without this script the page lacks nothing else.
"use strict";
(() => {
  const source = document.getElementById("run");
  if (!source) return;
  const run = JSON.parse(source.textContent);
  const at = (pointer) => pointer.split("/").slice(1).reduce(
    (value, key) => value == null ? value : value[key.replaceAll("~1", "/").replaceAll("~0", "~")], run);
  const axis = (text) => {
    const [low, high, logarithmic, from, to] = text.split(" ").map(Number);
    return (value) => {
      const share = logarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
      return from + share * (to - from);
    };
  };
  const shown = (value) => value == null ? "–"
    : (Number.isInteger(value) ? value.toLocaleString("en") : String(Number(value.toPrecision(6)))).replace("-", "−");

  const tip = document.createElement("div");
  tip.className = "tooltip";
  tip.setAttribute("aria-hidden", "true");
  tip.hidden = true;
  // What the keys find is said aloud too. A status that comes and goes would not be, so this one stays.
  const spoken = document.createElement("div");
  spoken.className = "spoken";
  spoken.setAttribute("role", "status");
  document.body.append(tip, spoken);

  // The moment that the player shows, as a line in the charts over the rounds; null: the end of the run.
  document.addEventListener("halfspace:moment", ({ detail: { round } }) => {
    for (const chart of document.querySelectorAll('svg.chart[data-x-name="rounds"]')) {
      for (const mark of chart.querySelectorAll(".now, .now-dot")) mark.remove();
      const x = round == null ? NaN : axis(chart.dataset.xAxis)(round), limits = chart.dataset.yAxis.split(" ");
      const [, , , from, to] = chart.dataset.xAxis.split(" ").map(Number);
      if (!(x >= from && x <= to)) continue;
      const line = document.createElementNS(chart.namespaceURI, "path");
      line.setAttribute("class", "now");
      line.setAttribute("d", `M${x} ${limits[3]}V${limits[4]}`);
      chart.append(line);
      // Lines that have a value at this very round carry a dot.
      for (const { dataset } of chart.querySelectorAll(".series[data-y]")) {
        const value = at(dataset.y)?.[at(dataset.x)?.indexOf(round)], y = value == null ? NaN : axis(chart.dataset.yAxis)(value);
        if (!Number.isFinite(y)) continue;
        const dot = document.createElementNS(chart.namespaceURI, "circle");
        dot.setAttribute("class", "cursor-dot now-dot");
        dot.setAttribute("cx", x);
        dot.setAttribute("cy", y);
        dot.setAttribute("r", "3");
        chart.append(dot);
      }
    }
  });

  for (const chart of document.querySelectorAll("svg.chart")) {
    const series = [...chart.querySelectorAll(".series[data-y]")].map((g) => ({
      name: g.dataset.name, x: at(g.dataset.x), y: at(g.dataset.y),
    })).filter((s) => Array.isArray(s.x) && Array.isArray(s.y) && s.x.length > 0);
    if (series.length === 0) continue;
    const px = axis(chart.dataset.xAxis), py = axis(chart.dataset.yAxis);
    const xs = series[0].x;
    let place = -1;
    const marks = document.createElementNS(chart.namespaceURI, "g");
    chart.append(marks);
    chart.setAttribute("tabindex", "0");

    const hide = () => { place = -1; marks.replaceChildren(); tip.hidden = true; spoken.textContent = ""; };
    const show = (index, aloud) => {
      place = Math.max(0, Math.min(xs.length - 1, index));
      const x = px(xs[place]);
      marks.replaceChildren();
      const line = document.createElementNS(chart.namespaceURI, "path");
      const limits = chart.dataset.yAxis.split(" ");
      line.setAttribute("class", "cursor");
      line.setAttribute("d", `M${x} ${limits[3]}V${limits[4]}`);
      marks.append(line);
      const words = [`${chart.dataset.xName} ${shown(xs[place])}`];
      for (const s of series) {
        const y = py(s.y[place]);
        words.push(`${s.name}  ${shown(s.y[place])}`);
        if (s.y[place] == null || !Number.isFinite(y)) continue;
        const dot = document.createElementNS(chart.namespaceURI, "circle");
        dot.setAttribute("class", "cursor-dot");
        dot.setAttribute("cx", px(s.x[place]));
        dot.setAttribute("cy", y);
        dot.setAttribute("r", "3.5");
        marks.append(dot);
      }
      tip.textContent = words.join("\n");
      tip.hidden = false;
      if (aloud) spoken.textContent = words.join("; ");
      const box = chart.getBoundingClientRect(), scale = box.width / chart.viewBox.baseVal.width;
      const left = window.scrollX + box.left + x * scale + 12;
      const room = document.documentElement.clientWidth + window.scrollX - tip.offsetWidth - 4;
      tip.style.left = Math.max(0, left > room ? left - tip.offsetWidth - 24 : left) + "px";
      tip.style.top = window.scrollY + box.top + Number(limits[4]) * scale + "px";
    };
    chart.addEventListener("pointermove", (event) => {
      const box = chart.getBoundingClientRect();
      const x = (event.clientX - box.left) * chart.viewBox.baseVal.width / box.width;
      let best = 0, least = Infinity;
      for (let i = 0; i < xs.length; ++i) {
        const away = Math.abs(px(xs[i]) - x);
        if (away < least) { least = away; best = i; }
      }
      show(best);
    });
    chart.addEventListener("pointerleave", hide);
    chart.addEventListener("blur", hide);
    chart.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key];
      if (step) show(place < 0 ? (step > 0 ? 0 : xs.length - 1) : place + step, true);
      else if (event.key === "Home") show(0, true);
      else if (event.key === "End") show(xs.length - 1, true);
      else if (event.key === "Escape") hide();
      else return;
      event.preventDefault();
    });
  }
})();
