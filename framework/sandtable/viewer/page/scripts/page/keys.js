// Keyboard control of the page. Keys are ignored in input fields, and can be turned off.

import { byId } from "./make.js";

const IN_FIELDS = "input:not([type=range]), select, textarea";

export function listenToKeys(player, timeline, zoom, explorer) {
  const keys = {
    ArrowRight: () => player.step(1),
    ArrowLeft: () => player.step(-1),
    l: () => player.step(1),
    h: () => player.step(-1),
    ".": () => player.goTo(player.game.stop("record", player.now, 1)),
    ",": () => player.goTo(player.game.stop("record", player.now, -1)),
    PageDown: () => player.goTo(player.game.stop("phase", player.now, 1)),
    PageUp: () => player.goTo(player.game.stop("phase", player.now, -1)),
    "]": () => player.goTo(player.game.stop("turn", player.now, 1)),
    "[": () => player.goTo(player.game.stop("turn", player.now, -1)),
    Home: () => player.goTo(0),
    End: () => player.goTo(player.game.last),
    " ": () => timeline.toggle(),
    "+": () => zoom && zoom.by(1.4),
    "=": () => zoom && zoom.by(1.4),
    "-": () => zoom && zoom.by(1 / 1.4),
    0: () => zoom && zoom.fit(),
    "/": () => { byId("tab-story").click(); byId("search").focus(); },
    x: () => explorer && explorer.toggle(),
    d: () => player.nextDifference(),
    n: () => player.nextMoment(1),
    N: () => player.nextMoment(-1),
    "?": () => { const help = byId("help"); if (help.open) help.close(); else help.showModal(); },
  };
  document.addEventListener("keydown", (event) => {
    if (!byId("keys-on").checked && event.key !== "?") return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest(IN_FIELDS)) return;
    if (event.target.closest("[role=tab]") && event.key.startsWith("Arrow")) return;
    if (event.key === " " && event.target.closest("button, summary, a")) return;
    if (explorer && explorer.takes(event)) {
      event.preventDefault();
      return;
    }
    if (zoom && event.target === zoom.frame && panned(event, zoom)) return;
    const act = keys[event.key] || panel(event.key);
    if (act && !(byId("help").open && event.key !== "?")) {
      event.preventDefault();
      act();
    }
  });
}

// The panels by number.
function panel(key) {
  const tab = /^[1-9]$/.test(key) && document.querySelectorAll("[role=tab]")[Number(key) - 1];
  return tab ? () => { tab.click(); tab.focus(); } : null;
}

// With Shift, arrow keys move the map if the board has the focus.
function panned(event, zoom) {
  const way = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, -0.15], ArrowDown: [0, 0.15] }[event.key];
  if (!way || (event.key !== "ArrowUp" && event.key !== "ArrowDown" && !event.shiftKey)) return false;
  event.preventDefault();
  zoom.pan(...way);
  return true;
}
