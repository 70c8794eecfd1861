// The story next to the board: the current sentence is marked, and sentences can be searched.

import { byId, make } from "../page/make.js";

export class Story {
  constructor(box, game) {
    this.box = box;
    this.game = game;
    this.follows = true;
    this.scroller = byId("story-scroller");
    byId("search").addEventListener("input", (event) => this.search(event.target.value));
    byId("search").addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.next();
    });
    for (const name of ["wheel", "touchmove"]) this.scroller.addEventListener(name, () => { this.follows = false; }, { passive: true });
    this.index();
  }

  index() {
    this.lines = [...this.box.querySelectorAll("[data-n]")];
    this.numbers = this.lines.map((each) => Number(each.dataset.n));
    this.present = null;
  }

  // Build the story of another view.
  rebuild() {
    const sections = [];
    let list = null;
    for (const [kind, text, number] of this.game.view.story) {
      if (kind === 0 || !list) {
        list = make("ol");
        sections.push(make("section", {}, make("h3", {}, kind === 0 ? text : "The story"), list));
      }
      if (kind === 1) list.append(make("li", { "data-n": number }, make("a", { href: `#record=${number}` }, text)));
    }
    this.box.replaceChildren(...sections);
    this.index();
    this.search(byId("search").value);
  }

  show(number) {
    let low = 0, high = this.numbers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.numbers[middle] <= number) low = middle + 1;
      else high = middle;
    }
    const line = low ? this.lines[low - 1] : null;
    if (line !== this.present) {
      if (this.present) {
        this.present.classList.remove("now");
        this.present.firstElementChild.removeAttribute("aria-current");
      }
      if (line) {
        line.classList.add("now");
        line.firstElementChild.setAttribute("aria-current", "step");
      }
      this.present = line;
    }
    // After all panels are written, because measuring a line's position would lay out the page twice.
    if (line && this.follows) requestAnimationFrame(() => { if (line === this.present) this.reveal(line); });
  }

  // Scroll only the panel; the page keeps its position.
  reveal(line) {
    const outer = this.scroller.getBoundingClientRect(), inner = line.getBoundingClientRect();
    if (inner.top < outer.top + 40 || inner.bottom > outer.bottom - 20) this.scroller.scrollTop += inner.top - outer.top - outer.height / 3;
  }

  search(text) {
    const wanted = text.trim().toLowerCase();
    let found = 0;
    this.box.classList.toggle("searched", Boolean(wanted));
    for (const line of this.lines) {
      const isHit = Boolean(wanted) && line.textContent.toLowerCase().includes(wanted);
      line.classList.toggle("hit", isHit);
      found += isHit ? 1 : 0;
    }
    for (const section of this.box.children) section.classList.toggle("empty", Boolean(wanted) && !section.querySelector(".hit"));
    byId("found").textContent = wanted ? `${found} ${found === 1 ? "sentence" : "sentences"}; Enter goes to the next` : "";
  }

  next() {
    const hits = this.lines.filter((each) => each.classList.contains("hit"));
    if (!hits.length) return;
    const now = this.present ? Number(this.present.dataset.n) : -1;
    const onward = hits.find((each) => Number(each.dataset.n) > now) || hits[0];
    this.box.dispatchEvent(new CustomEvent("goto", { detail: Number(onward.dataset.n), bubbles: true }));
  }
}
