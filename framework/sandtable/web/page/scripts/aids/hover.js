// Reach, zone, sight and supply of a counter or place, from the rules and as this viewer knows them.

import { byId, capital, make } from "/s/viewer/scripts/page/make.js";
import { svgElement } from "/s/viewer/scripts/board/scene.js";

const REST = 250; // milliseconds that the pointer must rest
const DRAWN = ["reach", "zone", "sight"];
const NAMES = { reach: "Reach", zone: "Zone", sight: "In sight", supply: "Supply", stack: "Stack", companies: "Companies", sees: "Line of sight" };
const LEVEL = /^(\d+(?: 1\/2|½)?): /;
const MOST_NUMBERS = 400;

export class Looks {
  constructor(wire, board) {
    Object.assign(this, { wire, board, asked: 0, what: "", pinned: "", known: new Map() });
    this.isOn = localStorage.getItem("sandtable:looks") !== "off";
    const box = byId("looks-on");
    box.checked = this.isOn;
    box.addEventListener("change", () => this.turn(box.checked));
    this.layer = svgElement("g", { class: "looks" });
  }

  turn(isOn) {
    this.isOn = isOn;
    byId("looks-on").checked = isOn;
    localStorage.setItem("sandtable:looks", isOn ? "on" : "off");
    if (!isOn) this.clear();
  }

  // The game has moved on: nothing that was asked is true any more.
  forget() {
    this.known.clear();
    this.pinned = "";
    this.clear();
  }

  clear() {
    clearTimeout(this.timer);
    this.what = "";
    this.layer.textContent = "";
    byId("looked").textContent = "";
  }

  // The pointer is on a counter or place, or on none.
  hover(what) {
    if (!this.isOn || what === this.what) return;
    clearTimeout(this.timer);
    if (!what) {
      if (this.pinned) this.ask(this.pinned);
      else this.clear();
      return;
    }
    this.timer = setTimeout(() => this.ask(what), REST);
  }

  // A tap or key: the thing stays until another one is chosen, or the same again.
  pin(what) {
    this.pinned = this.pinned === what ? "" : what;
    if (this.pinned) this.ask(what);
    else this.clear();
  }

  ask(what) {
    this.what = what;
    if (this.known.has(what)) this.show(what, this.known.get(what));
    else this.asked = this.wire.send({ t: "look", what });
  }

  take({ id, what, found }) {
    if (id === this.asked || what === this.what) this.known.set(what, found);
    if (what === this.what) this.show(what, found);
    if (this.waiting && this.waiting.what === what) this.waiting.tell(found);
  }

  // Ask about a thing and call `tell` with the answers, for the description in words.
  about(what, tell) {
    this.waiting = { what, tell };
    if (this.known.has(what)) tell(this.known.get(what));
    else this.wire.send({ t: "look", what });
  }

  // --- drawing ---

  show(what, found) {
    const { scene } = this.board;
    this.layer.textContent = "";
    scene.live.insertBefore(this.layer, this.board.marks);
    const told = [];
    for (const each of found) {
      const [head] = each.lines[0];
      told.push(make("span", { class: `look ${each.name}` }, `${NAMES[each.name] || capital(each.name)}: ${head}`));
      if (DRAWN.includes(each.name)) this.area(each, what);
    }
    byId("looked").replaceChildren(...told);
  }

  area({ name, lines }, what) {
    const { scene } = this.board, { places } = scene.facts, levels = new Map();
    for (const [words, at] of lines.slice(1)) {
      const level = (LEVEL.exec(words) || ["", ""])[1];
      for (const place of at) if (places[place] && place !== what && !levels.has(place)) levels.set(place, level);
    }
    const hexes = [...levels.keys()];
    if (!hexes.length) return;
    const width = Math.max(3, scene.facts.box[2] / 500);
    if (scene.outliner) {
      const path = scene.outliner.path(hexes);
      this.layer.append(svgElement("path", { d: path, class: `halo ${name}`, "stroke-width": 1.9 * width }), svgElement("path", { d: path, class: name, "stroke-width": 0.8 * width }));
    } else
      for (const place of hexes) {
        const [cx, cy] = places[place];
        this.layer.append(svgElement("circle", { cx, cy, r: 54, class: `halo ${name}`, "stroke-width": 1.9 * width }), svgElement("circle", { cx, cy, r: 54, class: name, "stroke-width": 0.8 * width }));
      }
    if (name !== "reach" || hexes.length > MOST_NUMBERS) return;
    for (const [place, level] of levels) {
      const [x, y] = places[place], text = svgElement("text", { x, y: y + (scene.outliner ? 44 : -58), class: "cost", "font-size": 18 });
      text.textContent = level;
      if (level) this.layer.append(text);
    }
  }
}
