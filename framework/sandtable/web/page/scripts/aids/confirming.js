// When an order is asked for once more before it is given: remembered for each seat in this browser.

import { byId } from "/s/viewer/scripts/page/make.js";

const LEVELS = ["never", "final", "always"], USUAL = "final";

export class Confirming {
  constructor(game) {
    this.game = game;
    this.seat = "";
    byId("confirm").addEventListener("change", (event) => this.set(event.target.value));
  }

  get name() {
    return `sandtable:confirm:${this.game}:${this.seat}`;
  }

  // The seat that is asked now; a seat without its own level has the one that was chosen last.
  sit(seat) {
    this.seat = seat;
    const found = localStorage.getItem(this.name) || localStorage.getItem("sandtable:confirm");
    this.level = LEVELS.includes(found) ? found : USUAL;
    byId("confirm").value = this.level;
  }

  set(level) {
    this.level = level;
    localStorage.setItem(this.name, level);
    localStorage.setItem("sandtable:confirm", level);
  }

  // Whether an order that `step` has ready needs a last click.
  asks(step) {
    if (step.warning || this.level === "always") return true;
    return this.level === "final" && Boolean(step.leads_to);
  }
}
