// The board without a pointer: keys move a cursor from place to place, and each place is described in words.

import { byId } from "../page/make.js";
import { svgElement } from "./scene.js";

const [SIDE, UP] = [Math.sqrt(3) / 2, 0.5];
const WAYS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
  q: [-SIDE, -UP], w: [0, -1], e: [SIDE, -UP], a: [-SIDE, UP], s: [0, 1], d: [SIDE, UP],
};

export class Explorer {
  constructor(player, zoom) {
    Object.assign(this, { player, zoom, place: "", isOn: false });
    this.button = byId("explore");
    this.button.addEventListener("click", () => this.toggle());
    zoom.frame.addEventListener("blur", () => this.leave());
  }

  get scene() {
    return this.player.scenes[0];
  }

  toggle() {
    if (this.isOn) this.leave();
    else this.enter();
  }

  enter() {
    this.isOn = true;
    this.button.setAttribute("aria-pressed", "true");
    this.zoom.frame.focus();
    this.look(this.place || this.first());
  }

  leave() {
    if (!this.isOn) return;
    this.isOn = false;
    this.button.setAttribute("aria-pressed", "false");
    this.mark("");
  }

  // The start: a place with action, or the place with a counter that is nearest to the middle of the view.
  first() {
    const { facts } = this.scene, [x, y, width, height] = this.zoom.now, held = this.held();
    const near = ([px, py]) => Math.hypot(px - x - width / 2, py - y - height / 2);
    const names = held.length ? held : Object.keys(facts.places);
    return names.sort((one, other) => near(facts.places[one]) - near(facts.places[other]))[0] || "";
  }

  // The occupied places in reading order: from the top, from the left.
  held() {
    const { facts } = this.scene, found = this.scene.byPlace().filter(([, , held]) => held.length).map(([place]) => place);
    const order = (place) => facts.places[place][1] * 10 + facts.places[place][0] / 10;
    return found.filter((place) => facts.places[place]).sort((one, other) => order(one) - order(other));
  }

  // Whether the explorer handled a key.
  takes(event) {
    if (!this.isOn || document.activeElement !== this.zoom.frame || event.shiftKey && WAYS[event.key]) return false;
    if (WAYS[event.key]) this.look(this.neighbor(...WAYS[event.key]));
    else if (event.key === "Escape") this.leave();
    else if (event.key === "c" || event.key === "C") this.look(this.nextHeld(event.key === "c" ? 1 : -1));
    else if (event.key === "u" || event.key === "U") this.player.goTo(this.change(event.key === "u" ? 1 : -1));
    else return false;
    return true;
  }

  // The nearest place in that direction; a place off to the side counts as farther.
  neighbor(across, down) {
    const { places } = this.scene.facts, [x, y] = places[this.place];
    let best = this.place, least = Infinity;
    for (const [place, [px, py]] of Object.entries(places)) {
      const ahead = (px - x) * across + (py - y) * down, aside = Math.abs((px - x) * down - (py - y) * across);
      const far = ahead + (2 * aside * aside) / ahead;
      if (ahead > 1 && aside <= 2 * ahead && far < least) [best, least] = [place, far];
    }
    return best;
  }

  nextHeld(way) {
    const held = this.held(), at = held.indexOf(this.place);
    return held[(at + way + held.length) % held.length] || this.place;
  }

  // The next or previous record that changed this place or one of its counters.
  change(way) {
    const { tracks } = this.scene, { now } = this.player, idents = new Set(this.scene.counters().filter((each) => each.place === this.place).map((each) => each.ident));
    const mine = tracks.keys.flatMap((key, number) => ((key[0] === "@" && idents.has(key.slice(1))) || idents.has(key.slice(2)) || key === `p:${this.place}` || key === `h:${this.place}` ? tracks.records[number] : []));
    const found = mine.filter((record) => (way > 0 ? record > now : record < now));
    return found.length ? (way > 0 ? Math.min(...found) : Math.max(...found)) : now;
  }

  look(place) {
    if (!place) return;
    this.place = place;
    this.mark(place);
    byId("about").textContent = this.scene.describe(place);
    this.zoom.follow([this.scene.facts.places[place]]);
  }

  // Called after each step: the cursor stays, but the contents of its place may have changed.
  show() {
    if (this.isOn) this.look(this.place);
  }

  mark(place) {
    const { scene } = this;
    if (this.cursor) this.cursor.remove();
    if (!place) return;
    const [cx, cy] = scene.facts.places[place], size = Math.max(20, Math.min(60, scene.facts.box[2] / 45));
    const shape = scene.outliner ? { d: scene.outliner.hexPath(place) } : { cx, cy, r: 1.8 * size };
    this.cursor = svgElement(scene.outliner ? "path" : "circle", { ...shape, class: "cursor", "stroke-width": size / 5 });
    scene.live.append(this.cursor);
  }
}
