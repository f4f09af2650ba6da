// What the tabs of the playground share: elements, numbers in words, pieces of HTML, draws, and the clock of a game.

export const byId = (id) => document.getElementById(id);
export const speak = (words) => { byId("spoken").textContent = words; };

export const shown = (x) => x == null ? "–" : String(Number(x.toPrecision(6))).replace("-", "−");
// As shown, but never below x, or never above it: of what holds at most, or at least.
const shownBeside = (x, side) => {
  const near = Number(x.toPrecision(6)), unit = 10 ** (Math.floor(Math.log10(Math.abs(x))) - 5);
  return shown(side * (near - x) >= 0 ? near : Number((near + side * unit).toPrecision(6)));
};
export const shownAbove = (x) => shownBeside(x, 1);
export const shownBelow = (x) => shownBeside(x, -1);
// A whole bound; of many digits three.
export const atMost = (n) => n < 1e15 ? whole(Math.floor(n)) : shownAbove(n);
export const whole = (n) => n.toLocaleString("en");
export const counted = (n, what) => `${whole(n)} ${what}${n === 1 ? "" : "s"}`;
export const rounded = (x) => Number(x.toFixed(2));
export const draws = (seed) => () => (seed = (seed * 16807) % 2147483647) / 2147483647;
export const faultOf = (error) => `${error.message}${error.fix ? ` (${error.fix})` : ""}`;

export const escaped = (words) => words.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
export const fact = (name, text, note = "") =>
  `<div><dt>${name}</dt><dd>${text}${note ? `<small>${note}</small>` : ""}</dd></div>`;
export const link = (name, text, words) =>
  `<a download="${name}" href="data:text/plain;charset=utf-8,${encodeURIComponent(text)}">${words}</a>`;
export const choices = (list) => list.map(([name, label = name, title = ""]) =>
  `<option value="${escaped(name)}"${title ? ` title="${escaped(title)}"` : ""}>${escaped(label)}</option>`).join("");
export const flags = (options) =>
  Object.entries(options).map(([name, text]) => text === "true" ? ` --${name}` : ` --${name} ${text}`).join("");
export const quoted = (cell) => /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
export const csvOf = (rows) => rows.map((row) => row.map((cell) => quoted(String(cell))).join(",")).join("\n") + "\n";

// Runs what the buttons with data-do in an element name.
export function onButtons(root, actions) {
  root.addEventListener("click", (event) => {
    const what = event.target.closest?.("[data-do]")?.dataset.do;
    if (what && Object.hasOwn(actions, what)) actions[what]();
  });
}
// Runs what keys name, while the focus is in an element and no other key is held.
export function onKeys(root, keys, ready = () => true) {
  root.addEventListener("keydown", (event) => {
    if (!ready() || event.ctrlKey || event.altKey || event.metaKey) return;
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || (event.key === " " && event.target.closest("button"))) return;
    event.preventDefault();
    act(event.shiftKey);
  });
}

// The Play button of a tab: steps at its speed until there is no next one. Steps that play are not said aloud.
export function clockOf(panel, { live, begin, step, end }) {
  const button = panel.querySelector('[data-do="play"]'), speed = panel.querySelector('[name="speed"]');
  let timer = 0;
  const clock = {
    running: () => timer !== 0,
    pause: () => {
      clearTimeout(timer);
      timer = 0;
      live.setAttribute("aria-live", "polite");
      button.textContent = "Play";
    },
    toggle: () => {
      if (timer) return (clock.pause(), end());
      begin();
      live.setAttribute("aria-live", "off");
      button.textContent = "Pause";
      tick();
    },
  };
  function tick() {
    if (!step()) return (clock.pause(), end());
    timer = setTimeout(tick, 1000 / Number(speed.value));
  }
  return clock;
}
