// The counters of a stack side by side, large enough for a finger, to choose one or to look at one.

import { make } from "/s/viewer/scripts/page/make.js";
import { svgElement } from "/s/viewer/scripts/board/scene.js";

const TOLD = 90; // pixels at the bottom of the map that the description covers

export class Fan {
  // `chosen(ident)` is called for a counter of the fan.
  constructor(board, chosen) {
    Object.assign(this, { board, chosen });
    this.box = make("div", { class: "fan", role: "group", "aria-label": "the counters of the stack", hidden: true });
    board.frame.append(this.box);
    this.box.addEventListener("keydown", (event) => { if (event.key === "Escape") this.close(); });
  }

  close() {
    this.box.hidden = true;
    this.box.textContent = "";
  }

  // Open a fan of `idents` near a point of the frame; `lit` can be chosen for the question.
  open(idents, lit, x, y) {
    const { scene, frame } = this.board, counters = new Map(scene.counters().map((each) => [each.ident, each]));
    this.close();
    for (const ident of idents) {
      const { words, caption } = counters.get(ident), [drawn] = scene.tracks.current(scene.numbers.get(`c:${ident}`));
      const picture = svgElement("svg", { viewBox: `-6 -6 ${scene.facts.size + 12} ${scene.facts.size + 12}`, "aria-hidden": "true" });
      picture.innerHTML = drawn;
      picture.querySelectorAll("title").forEach((each) => each.remove());
      const button = make("button", { type: "button", class: lit.has(ident) ? "lit" : "", title: words, "data-ident": ident }, picture, make("small", {}, caption));
      button.addEventListener("click", (event) => {
        event.stopPropagation();
        this.close();
        this.chosen(ident);
      });
      this.box.append(button);
    }
    this.box.hidden = false;
    const { clientWidth, clientHeight } = frame, { offsetWidth, offsetHeight } = this.box;
    this.box.style.left = `${Math.max(4, Math.min(x - offsetWidth / 2, clientWidth - offsetWidth - 4))}px`;
    const low = clientHeight - offsetHeight - TOLD;
    this.box.style.top = `${Math.max(4, y + 24 < low ? y + 24 : Math.min(low, y - offsetHeight - 24))}px`;
  }
}
