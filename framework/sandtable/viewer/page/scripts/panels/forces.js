// The board in words, by place and by side. It is built when the panel is opened.

import { capital, make, words } from "../page/make.js";

export class Forces {
  constructor(box, scene, game) {
    this.box = box;
    this.scene = scene;
    this.game = game;
    this.isStale = true;
  }

  // Mark the board as changed; a hidden panel is not rebuilt.
  show() {
    this.isStale = true;
    if (this.box.parentNode.classList.contains("chosen")) this.refresh();
  }

  refresh() {
    if (!this.isStale || !this.scene) return;
    this.isStale = false;
    const { scene } = this;
    const parts = [make("p", { class: "moment" }, scene.words.moment || this.game.momentAt(scene.tracks.record)[2])];
    const notes = scene.words.notes || [];
    if (notes.length) parts.push(make("ul", { class: "notes" }, ...notes.map((each) => make("li", {}, each))));
    const places = scene.byPlace().filter(([, , held]) => held.length);
    if (places.length) parts.push(make("h3", {}, "By place"), this.byPlace(places));
    parts.push(...this.bySide(scene.counters()), ...scene.titles().map((each) => make("p", { class: "tight" }, each)));
    this.box.replaceChildren(...parts);
  }

  byPlace(places) {
    const rows = places.map(([place, name, held]) => make("tr", {},
      make("th", { scope: "row" }, make("button", { type: "button", class: "link", "data-place": place }, name)),
      make("td", {}, make("ul", { class: "tight" }, ...held.map((each) => make("li", {}, each))))));
    return make("table", { class: "places" }, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "place"), make("th", { scope: "col" }, "contents"))), make("tbody", {}, ...rows));
  }

  bySide(counters) {
    if (!counters.length) return [];
    const parts = [make("h3", {}, "By side")];
    const sides = new Map(this.scene.facts.powers.map(([id, name]) => [id, name]));
    for (const owner of new Set(counters.map((each) => each.owner))) {
      const own = counters.filter((each) => each.owner === owner), onMap = own.filter((each) => each.place);
      const trays = [...new Set(own.filter((each) => each.tray).map((each) => each.tray))];
      const lists = [[`on the map, ${onMap.length}`, onMap], ...trays.map((tray) => [tray, own.filter((each) => each.tray === tray)])];
      parts.push(make("h4", {}, capital(sides.get(owner) || words(owner))));
      for (const [title, list] of lists)
        if (list.length) parts.push(make("details", {}, make("summary", {}, `${title}${/, \d+$/.test(title) ? "" : `, ${list.length}`}`),
          make("ul", { class: "tight" }, ...list.map((each) => make("li", {}, each.place ? `${each.words || each.caption}, in ${this.scene.nameOf(each.place)}` : each.words)))));
    }
    return parts;
  }
}
