// The story beside the board. Each sentence leads to its record, has a link that can be shared, and its dice.

import { make } from "/s/viewer/scripts/page/make.js";
import { linkTo } from "./links.js";

export class LiveStory {
  // `look(number)` shows a record, `checkDice(number, text)` the dice of a line.
  constructor(box, { look, checkDice }) {
    Object.assign(this, { box, look, checkDice, lines: [] });
  }

  // Keep the first `kept` lines, and add lines: kind, text, record, and number of rolls.
  take({ kept, lines }) {
    this.lines.length = Math.min(this.lines.length, kept);
    this.lines.push(...lines);
    while (this.box.children.length > kept) this.box.lastElementChild.remove();
    this.box.append(...lines.map((each) => this.line(...each)));
    this.box.scrollTop = this.box.scrollHeight;
  }

  line(kind, text, number, rolls) {
    if (kind === "heading") return make("h3", {}, text);
    const dice = rolls ? make("button", { type: "button", class: "dice", "aria-label": `check the dice of: ${text}`, title: "Check the dice", onclick: () => this.checkDice(number, text) }, "⚄") : null;
    return make("p", { "data-n": number }, make("button", { type: "button", class: "link", onclick: () => this.look(number) }, text), " ", dice, " ", linkTo(number));
  }

  // The sentences after record `from`, as pairs of record and text.
  after(from) {
    return this.lines.filter(([kind, , number]) => kind === "sentence" && number > from).map(([, text, number]) => [number, text]);
  }

  // Mark the sentence of the record on the board, or of the last before it.
  mark(number) {
    let now = null;
    for (const each of this.box.querySelectorAll("[data-n]")) {
      each.classList.remove("now");
      if (Number(each.dataset.n) <= number) now = each;
    }
    if (now) now.classList.add("now");
    return now;
  }
}
