// Hover over or tap a counter or a place: its description is shown under the board and next to the pointer.

import { byId } from "./make.js";

export function listenToPointer(zoom, player) {
  const tip = byId("tip"), { frame } = zoom;
  let last = "";
  const look = (event, isTap) => {
    if (!isTap && event.pointerType === "touch") return;
    const scene = player.scenes[0];
    if (!scene || zoom.gesture && zoom.gesture.live) return;
    const isDrawn = scene.facts.kind === "drawn";
    const place = isDrawn ? wordsOf(event.target, frame) : scene.placeAt(...zoom.pointAt(event.clientX, event.clientY));
    const key = `${place}/${player.now}`;
    if (key !== last) {
      tip.textContent = isDrawn || !place ? place : scene.describe(place);
      tip.hidden = !tip.textContent;
      last = key;
    }
    if (isTap && place) byId("about").textContent = tip.textContent;
    put(tip, frame, event);
  };
  frame.addEventListener("pointermove", (event) => look(event, false));
  frame.addEventListener("click", (event) => { if (!zoom.dragged) look(event, true); });
  frame.addEventListener("pointerleave", () => { tip.hidden = true; last = ""; });
  byId("forces").addEventListener("click", (event) => {
    const button = event.target.closest("[data-place]");
    if (!button) return;
    const scene = player.scenes[0], place = button.dataset.place;
    byId("about").textContent = scene.describe(place);
    player.signs[0].ring(place);
    zoom.follow([scene.facts.places[place]].filter(Boolean));
  });
}

// The title of the hit part of a drawing; it is removed, so that the browser does not show it as well.
function wordsOf(hit, frame) {
  for (let each = hit; each && each !== frame; each = each.parentNode) {
    const title = each.querySelector(":scope > title, :scope > rect > title");
    if (title) {
      each.dataset.words = title.textContent;
      title.remove();
    }
    if (each.dataset.words) return each.dataset.words;
  }
  return "";
}

function put(tip, frame, event) {
  const rect = frame.getBoundingClientRect(), x = event.clientX - rect.left, y = event.clientY - rect.top;
  const right = x > rect.width / 2, low = y > rect.height / 2;
  tip.style.left = right ? "auto" : `${x + 14}px`;
  tip.style.right = right ? `${rect.width - x + 14}px` : "auto";
  tip.style.top = low ? "auto" : `${y + 14}px`;
  tip.style.bottom = low ? `${rect.height - y + 14}px` : "auto";
}
