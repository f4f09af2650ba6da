// The page of the playground: its tabs, and the address, which holds the state of all of them. Without a framework: a
// plane, a few buttons and texts are less than one weighs.
import { load } from "./engine.js";
import * as exercises from "./exercises.js";
import * as experts from "./experts.js";
import * as plane from "./plane.js";
import { byId, onKeys } from "./shared.js";

// A figure of another page is the plane, its buttons and its figures.
document.documentElement.classList.toggle("framed", self !== top);

const tabs = { plane, experts, exercises };
let current = "plane";

// ---- tabs ----

const list = document.querySelector('[role="tablist"]');
function select(name) {
  current = Object.hasOwn(tabs, name ?? "") ? name : "plane";
  for (const each of Object.keys(tabs)) {
    const chosen = each === current, button = byId(`tab-${each}`);
    button.setAttribute("aria-selected", String(chosen));
    button.tabIndex = chosen ? 0 : -1;
    byId(`panel-${each}`).hidden = !chosen;
    if (!chosen) tabs[each].pause();
  }
}
const turnTo = (name) => {
  select(name);
  changed();
};
list.addEventListener("click", (event) => {
  const button = event.target.closest('[role="tab"]');
  if (button) turnTo(button.id.slice(4));
});
const shiftTab = (by) => {
  const names = Object.keys(tabs), n = names.length;
  turnTo(names[(names.indexOf(current) + by + n) % n]);
  byId(`tab-${current}`).focus();
};
onKeys(list, {
  ArrowRight: () => shiftTab(1), ArrowLeft: () => shiftTab(-1),
  Home: () => shiftTab(-Object.keys(tabs).indexOf(current)),
  End: () => shiftTab(-Object.keys(tabs).indexOf(current) - 1),
});

// ---- the address ----

const address = () => {
  const words = Object.values(tabs).map((tab) => tab.words());
  return `#${new URLSearchParams(Object.assign(current === "plane" ? {} : { tab: current }, ...words))}`;
};
let written = "", writing = 0, writes = [];
// A long address takes longer to write than a step may.
const write = () => {
  clearTimeout(writing);
  const now = () => {
    writes = [...writes.filter((time) => performance.now() - time < 30000), performance.now()];
    written = address();
    history.replaceState(null, "", written);
  };
  // Browsers drop what is written more often than some hundred times in half a minute.
  if (plane.rows().length <= 200 && writes.length < 100) now();
  else writing = setTimeout(now, 300);
};
// What shows after a change: the exercise that is worked on, and the address.
function changed() {
  if (current === "exercises") exercises.show();
  exercises.watch(current);
  write();
}
function read() {
  const words = new URLSearchParams(location.hash.slice(1));
  for (const tab of Object.values(tabs)) tab.read(words);
  select(words.get("tab"));
  for (const tab of Object.values(tabs)) tab.begin();
}

async function bytesOf(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}
const engine = await load(createHalfspace, await bytesOf(halfspaceWasm));
for (const tab of Object.values(tabs)) tab.start(engine, changed, { ...tabs, turnTo });
byId("about").textContent = `Halfspace ${engine.version()}`;
addEventListener("hashchange", () => {
  if (location.hash === written) return;
  for (const tab of Object.values(tabs)) tab.pause();
  read();
});
read();
document.documentElement.dataset.ready = "yes";
