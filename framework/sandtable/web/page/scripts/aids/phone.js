// On a narrow screen the question is a sheet over the lower part of the page: peek, half, or full.

import { byId } from "/s/viewer/scripts/page/make.js";

const NARROW = matchMedia("(max-width: 62rem)"), STATES = ["peek", "half", "full"];
const WORDS = { peek: "Show the question", half: "Show more", full: "Show the map" };
const SHARES = { peek: 0, half: 0.46, full: 0.86 };

export class BottomSheet {
  constructor() {
    this.handle = byId("sheet-handle");
    this.handle.addEventListener("click", () => {
      if (!this.dragged) this.set(STATES[(STATES.indexOf(this.state) + 1) % STATES.length]);
      this.dragged = false;
    });
    this.handle.addEventListener("pointerdown", (event) => {
      this.from = event.clientY;
      this.handle.setPointerCapture(event.pointerId);
    });
    this.handle.addEventListener("pointerup", (event) => this.drop(event.clientY));
    this.set("half");
  }

  set(state) {
    this.state = state;
    document.documentElement.dataset.sheet = state;
    this.handle.setAttribute("aria-label", WORDS[state]);
    this.handle.setAttribute("aria-expanded", String(state !== "peek"));
  }

  // After a drag, the state whose height is nearest to the end of the drag.
  drop(y) {
    this.dragged = Math.abs(y - this.from) > 12;
    if (!this.dragged) return;
    const share = 1 - y / innerHeight, far = (state) => Math.abs(SHARES[state] - share);
    this.set([...STATES].sort((one, other) => far(one) - far(other))[0]);
  }

  // A new question must be seen.
  raise() {
    if (NARROW.matches && this.state === "peek") this.set("half");
  }
}
