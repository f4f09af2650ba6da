// What the theme leaves to the mouse: Tab reaches blocks that scroll, and the buttons of the two side bars.
"use strict";

function markScrolling() {
  for (const box of document.querySelectorAll(".highlight pre, .table-wrapper")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}

document.addEventListener("DOMContentLoaded", () => {
  markScrolling();
  window.addEventListener("resize", markScrolling);
  for (const label of document.querySelectorAll(".nav-overlay-icon, .toc-overlay-icon")) {
    const button = document.createElement("button");
    button.className = label.className;
    button.append(...label.childNodes);
    button.addEventListener("click", () => document.getElementById(label.htmlFor).click());
    label.replaceWith(button);
  }
});
