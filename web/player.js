// Steps through the moments of a run, by buttons, a slider, keys, the address or by itself.
//
//   section           has an element .plane-controls, and .plane-live for the words
//   first, last, end  the first moment, the last that playing reaches, and the result: `last`, or one more
//   show(at)          draws a moment
//   between(at)       returns a function that draws the way there from the moment before, t from 0 to 1; or null
//   tell(at), name(at), round(at)   the moment in words, its short name, its round (null: the end of the run)
//   mistake(at)       whether it is one; absent where there are none to look for
//   result, hint      the name of the end, more about keys (HTML)
"use strict";
const halfspacePlayer = ({ section, first, last, end, show, between, tell, name, round, mistake, result, hint = "" }) => {
  const still = matchMedia("(prefers-reduced-motion: reduce)"), live = section.querySelector(".plane-live");
  let at = end, playing = false, speed = 2, frame = 0, timer = 0, written = 0;

  const settle = () => {
    show(at);
    live.textContent = tell(at);
    buttons();
    document.dispatchEvent(new CustomEvent("halfspace:moment", { detail: { round: round(at) } }));
  };
  const glide = (milliseconds) => {
    cancelAnimationFrame(frame);
    const draw = still.matches || milliseconds < 50 ? null : between(at), begin = performance.now();
    settle();
    if (!draw) return;
    const turn = (now) => {
      const t = Math.min(1, Math.max(0, (now - begin) / milliseconds));
      draw(t);
      if (t < 1) frame = requestAnimationFrame(turn);
    };
    draw(0);
    frame = requestAnimationFrame(turn);
  };
  const address = () => `#moment=${at === end ? "end" : at}`;
  const write = (anew) => {
    if (location.hash === address()) return;
    if (anew) location.hash = address();
    else location.replace(address());
  };
  // One more moment, or any; `anew`: an entry of its own in the history.
  const go = (to, { smooth = false, anew = true, silent = false } = {}) => {
    const next = Math.max(first, Math.min(end, to)), forward = next === at + 1;
    at = next;
    if (smooth && forward) glide(350);
    else {
      cancelAnimationFrame(frame);
      settle();
    }
    if (!silent) write(anew);
  };
  const pause = () => {
    if (!playing) return;
    playing = false;
    clearTimeout(timer);
    live.setAttribute("aria-live", "polite");
    write(true);
    settle();
  };
  const tick = () => {
    if (at >= last) return pause();
    ++at;
    glide(speed > 5 ? 0 : 700 / speed);
    // Browsers refuse addresses that change too often.
    if (performance.now() - written > 500) {
      written = performance.now();
      write(false);
    }
    timer = setTimeout(tick, 1000 / speed);
  };
  const play = () => {
    if (playing) return pause();
    if (at >= last) at = first;
    playing = true;
    live.setAttribute("aria-live", "off");
    settle();
    timer = setTimeout(tick, 300 / speed);
  };
  const next_mistake = () => {
    for (let i = at + 1; mistake && i <= last; ++i) {
      if (mistake(i)) return i;
    }
    return -1;
  };
  const actions = {
    rewind: () => (pause(), go(first)),
    back: () => (pause(), go(at - 1)),
    play,
    forward: () => (pause(), go(at + 1, { smooth: true })),
    mistake: () => {
      pause();
      const next = next_mistake();
      if (next > 0) go(next, { smooth: true });
    },
    end: () => (pause(), go(end)),
    slower: () => set_speed(-1),
    faster: () => set_speed(1),
  };

  const speeds = [0.5, 1, 2, 5, 20, 60];
  const controls = section.querySelector(".plane-controls");
  controls.innerHTML = `<div class="plane-buttons" role="group" aria-label="The moments of the run">
<button type="button" data-do="rewind">Rewind</button><button type="button" data-do="back">Back</button>
<button type="button" data-do="play">Play</button><button type="button" data-do="forward">Forward</button>
${mistake ? '<button type="button" data-do="mistake">Next mistake</button>' : ""}<button type="button" data-do="end">Result</button>
<label>Speed <select>${speeds.map((s) => `<option value="${s}">${s} a second</option>`).join("")}</select></label></div>
<input type="range" min="${first}" max="${end}" step="1" aria-label="Moment">
<p class="plane-keys"><kbd>Space</kbd> play or pause · <kbd>←</kbd> <kbd>→</kbd> or <kbd>,</kbd> <kbd>.</kbd> step · ${mistake ? "<kbd>M</kbd> next mistake ·" : ""}
<kbd>Home</kbd> rewind · <kbd>End</kbd> ${result} · <kbd>−</kbd> <kbd>+</kbd> speed. ${hint}</p>`;
  const slider = controls.querySelector("input"), choice = controls.querySelector("select");
  const button = (what) => controls.querySelector(`[data-do="${what}"]`);
  choice.value = String(speed);
  choice.addEventListener("change", () => { speed = Number(choice.value); });
  const set_speed = (by) => {
    speed = speeds[Math.max(0, Math.min(speeds.length - 1, speeds.indexOf(speed) + by))];
    choice.value = String(speed);
  };
  slider.addEventListener("input", () => {
    pause();
    go(Number(slider.value), { silent: true });
  });
  slider.addEventListener("change", () => write(true));
  controls.addEventListener("click", (event) => {
    const what = event.target.closest("[data-do]")?.dataset.do;
    if (what) actions[what]();
  });
  function buttons() {
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", name(at));
    button("play").textContent = playing ? "Pause" : "Play";
    // A button that has the focus keeps it: it says that it does nothing, and is not taken away.
    const off = { rewind: at === first, back: at === first, forward: at === end, mistake: next_mistake() < 0, end: at === end, play: last === first };
    for (const [what, is] of Object.entries(off)) button(what)?.setAttribute("aria-disabled", String(is));
  }

  const keys = { " ": "play", ",": "back", ".": "forward", ArrowLeft: "back", ArrowRight: "forward", Home: "rewind", End: "end",
    m: "mistake", M: "mistake", "-": "slower", "+": "faster", "=": "faster" };
  section.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const target = event.target;
    if (event.key === " " && target.closest("button, select, a")) return;
    if (target.closest("select")) return;
    if (target === slider && ["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return;
    const what = keys[event.key];
    if (!what) return;
    event.preventDefault();
    actions[what]();
  });

  const read = () => {
    const found = /^#moment=(\d{1,9}|end)$/.exec(location.hash);
    if (!found) return null;
    return found[1] === "end" ? end : Math.max(first, Math.min(last, Number(found[1])));
  };
  addEventListener("hashchange", () => {
    const to = read();
    if (to == null || to === at) return;
    if (playing) {
      playing = false;
      clearTimeout(timer);
    }
    go(to, { silent: true });
  });
  // Begins with the moment that the address names.
  const begin = () => {
    controls.hidden = false;
    const asked = read();
    go(asked ?? end, { silent: true });
    if (asked != null) section.scrollIntoView();
  };
  return { at: () => at, begin, controls, again: () => go(at, { silent: true }) };
};
