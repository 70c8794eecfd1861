// The live board: the scene of the replay page, which grows with the game, and a layer of marks for what may be chosen.

import { Scene, svgElement } from "/s/viewer/scripts/board/scene.js";
import { Zoom } from "/s/viewer/scripts/board/zoom.js";
import { Signs } from "/s/viewer/scripts/board/motion.js";
import { byId } from "/s/viewer/scripts/page/make.js";

const READABLE = 28; // pixels of the screen that a counter has at least when a game opens
const COUNTER = { hexes: 52, areas: 43, drawn: 48 }; // the size of a usual counter on the map, or of four lines of a drawing

export class Board {
  // `picked(counters, place, event)` is called for a click or tap on the map, `hovered(thing)` when the pointer is on one.
  constructor(frame, picked) {
    this.hovered = () => {};
    this.frame = frame;
    this.box = frame.querySelector(".box");
    this.picked = picked;
    this.scene = null;
    this.zoom = null;
    this.values = [];
    this.now = this.last = 0;
    this.tip = byId("tip");
  }

  // Begin with the whole film of a game.
  begin({ facts, film, last }) {
    this.box.textContent = "";
    this.scene = null;
    this.frame.hidden = !facts;
    this.last = this.now = last;
    if (!facts) return;
    byId("faces").innerHTML = film.defined;
    this.values = film.values;
    this.scene = new Scene(this.box, { ident: "v", frames: { keys: film.keys, frames: film.frames }, facts }, this.values);
    this.marks = svgElement("g", { class: "marks" });
    this.scene.live.append(this.marks);
    this.signs = new Signs(this.scene);
    this.scene.go(last);
    if (this.zoom) {
      this.zoom.scenes = [this.scene];
      this.zoom.sized();
      this.zoom.set(this.zoom.now);
    } else {
      this.zoom = new Zoom(this.frame, this.box, [this.scene]);
      this.listen();
    }
  }

  // Take additions; the board moves on unless the person looks at the past.
  grow({ film, last }) {
    const isLive = this.now === this.last;
    this.last = last;
    if (!this.scene) return;
    if (film.defined) byId("faces").insertAdjacentHTML("beforeend", film.defined);
    this.values.push(...film.values);
    this.scene.append(film);
    if (isLive) this.go(last, true);
  }

  go(record, animated = false) {
    this.now = record;
    if (!this.scene) return;
    const changed = this.scene.go(record);
    this.signs.show({ event: {} }, changed, animated);
    this.scene.live.append(this.marks);
  }

  // Open with counters that can be read: the whole map if they can there, else the part with what is asked or held.
  open() {
    if (!this.zoom || !this.scene || this.isOpen) return;
    this.isOpen = true;
    const { width, height } = this.frame.getBoundingClientRect(), { facts } = this.scene, whole = this.zoom.fitted();
    const least = READABLE / COUNTER[facts.kind];
    if (!width || width / whole[2] >= least) return;
    const wide = width / least, high = height / least, [x, y] = this.heart(wide, high);
    this.zoom.set([x - wide / 2, y - high / 2, wide, high]);
  }

  // The point around which most of the lit things are within a view of that size; or most counters, or the map's top.
  heart(wide, high) {
    const { facts } = this.scene, [left, top, width, height] = facts.box;
    const placed = (idents) => idents.map((each) => this.pointOf(each)).filter(Boolean);
    const own = this.scene.counters().map(({ place }) => facts.places[place]).filter(Boolean);
    const points = [placed(this.lit || []), own, placed(this.scene.areaPlaces()), Object.values(facts.places)].find((each) => each.length);
    if (facts.kind === "drawn" || !points) return [left + wide / 2, top + high / 2];
    const near = ([x, y]) => points.filter(([px, py]) => Math.abs(px - x) < wide / 2.2 && Math.abs(py - y) < high / 2.2);
    const some = points.length > 60 ? points.filter((_, at) => at % Math.ceil(points.length / 60) === 0) : points;
    const best = some.map((point) => [near(point).length, point]).sort((one, other) => other[0] - one[0])[0][1];
    const around = near(best), middle = (axis) => around.reduce((sum, point) => sum + point[axis], 0) / around.length;
    return around.length ? [middle(0), middle(1)] : [left + width / 2, top + height / 2];
  }

  // If nothing of what can be chosen is in view, bring the nearest of it into view.
  seek() {
    if (!this.zoom || this.zoom.isWhole || !this.lit) return;
    const points = this.lit.map((each) => this.pointOf(each)).filter(Boolean), [x, y, width, height] = this.zoom.now;
    if (!points.length || points.some(([px, py]) => px > x && px < x + width && py > y && py < y + height)) return;
    this.zoom.follow([this.nearest(points)]);
  }

  nearest(points) {
    const [x, y, width, height] = this.zoom.now, far = ([px, py]) => Math.hypot(px - x - width / 2, py - y - height / 2);
    return [...points].sort((one, other) => far(one) - far(other))[0];
  }

  // The next of what can be chosen, in reading order, in the middle of the view and described.
  seekNext() {
    const lit = [...new Set(this.lit || [])].filter((each) => this.pointOf(each));
    if (!lit.length || !this.zoom) return false;
    this.sought = ((this.sought === undefined ? -1 : this.sought) + 1) % lit.length;
    const point = this.pointOf(lit[this.sought]), [, , width, height] = this.zoom.now;
    if (!this.zoom.isWhole) this.zoom.set([point[0] - width / 2, point[1] - height / 2, width, height]);
    byId("about").textContent = this.scene.facts.places[lit[this.sought]] ? this.scene.describe(lit[this.sought]) : this.nameOf(lit[this.sought]);
    return true;
  }

  nameOf(ident) {
    const { scene } = this;
    if (!scene) return "";
    if (scene.facts.places[ident]) return scene.nameOf(ident);
    const key = scene.numbers.get(`c:${ident}`), value = key === undefined ? null : scene.tracks.current(key);
    return value ? value[2] : "";
  }

  // --- marks ---

  // Outline what may be chosen: `may`, what is chosen: `taken`, what is asked about: `about`; lists of ids.
  mark({ may = [], taken = [], about = [] }) {
    if (!this.scene) return;
    this.marks.textContent = "";
    const lay = (idents, name) => {
      for (const ident of new Set(idents)) {
        const made = this.shape(ident, name);
        if (made) this.marks.append(made);
      }
    };
    lay(may, "may");
    lay(about, "about-this");
    lay(taken, "taken");
    this.lit = [...new Set([...may, ...about])];
    this.sought = undefined;
    this.edges();
  }

  shape(ident, name) {
    const { scene } = this, at = scene.facts.places[ident];
    const size = Math.max(3, scene.facts.box[2] / 500);
    if (at) {
      if (scene.outliner) return this.outlined("path", { d: scene.outliner.hexPath(ident) }, `${name} place`, size);
      return this.outlined("circle", { cx: at[0], cy: at[1], r: 62 }, `${name} place`, 1.4 * size);
    }
    const where = scene.places.get(ident);
    if (!where || where[0] === "=") return null;
    const [x, y, wide] = where.split(" ").map(Number);
    return this.outlined("rect", { x: x - 2, y: y - 2, width: wide + 4, height: wide + 4, rx: 4 }, `${name} piece`, size);
  }

  // A mark with a white halo, so that it stands out on any ground; kinds of marks differ by dashes and width.
  outlined(tag, shape, name, size) {
    const made = svgElement("g", { class: "mark" });
    made.append(svgElement(tag, { ...shape, class: "halo", "stroke-width": 2.4 * size }), svgElement(tag, { ...shape, class: name, "stroke-width": size }));
    return made;
  }

  // The place of a counter, or the place itself; null for other things.
  placeOf(ident) {
    if (!this.scene || !ident) return null;
    return this.scene.facts.places[ident] ? ident : (this.scene.places.get(ident) || "").split(" ")[4] || null;
  }

  pointOf(ident) {
    const at = this.scene.facts.places[ident];
    if (at) return [at[0], at[1]];
    const where = this.scene.places.get(ident);
    if (!where || where[0] === "=") return null;
    const [x, y, wide] = where.split(" ").map(Number);
    return [x + wide / 2, y + wide / 2];
  }

  // Arrows at the edge for lit things that are out of view.
  edges() {
    const box = byId("edges");
    box.textContent = "";
    if (!this.zoom || this.zoom.isWhole || !this.lit) return;
    const [x, y, width, height] = this.zoom.now, found = {};
    for (const ident of this.lit) {
      const point = this.pointOf(ident);
      if (!point) continue;
      const across = point[0] < x ? "left" : point[0] > x + width ? "right" : "";
      const along = point[1] < y ? "top" : point[1] > y + height ? "bottom" : "";
      const side = across || along;
      if (side) (found[side] ||= []).push(point);
    }
    for (const [side, points] of Object.entries(found)) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = `edge ${side}`;
      button.textContent = `${{ left: "◀", right: "▶", top: "▲", bottom: "▼" }[side]} ${points.length}`;
      button.setAttribute("aria-label", `show ${points.length} more to the ${side}`);
      button.addEventListener("click", () => this.zoom.follow([this.nearest(points)]));
      box.append(button);
    }
  }

  show(idents) {
    const points = idents.map((each) => this.pointOf(each)).filter(Boolean);
    if (this.zoom && points.length) this.zoom.follow(points);
  }

  // --- the pointer ---

  listen() {
    const { zoom, frame } = this;
    zoom.changed(() => this.edges());
    frame.addEventListener("click", (event) => {
      if (zoom.dragged || event.target.closest("button")) return;
      const [x, y] = zoom.pointAt(event.clientX, event.clientY), place = this.scene.placeAt(x, y);
      byId("about").textContent = place ? this.scene.describe(place) : "";
      this.picked(this.scene.countersAt(x, y), place, event);
    });
    frame.addEventListener("pointermove", (event) => this.hover(event));
    frame.addEventListener("pointerleave", () => {
      this.tip.hidden = true;
      this.hovered("");
    });
    frame.addEventListener("wheel", (event) => {
      if (event.ctrlKey || document.activeElement === frame) return;
      event.preventDefault();
      zoom.by(event.deltaY < 0 ? 1.25 : 0.8, zoom.pointAt(event.clientX, event.clientY));
    }, { passive: false });
  }

  hover(event) {
    if (event.pointerType === "touch" || !this.scene || this.zoom.gesture && this.zoom.gesture.live) return;
    const point = this.zoom.pointAt(event.clientX, event.clientY), place = this.scene.placeAt(...point);
    this.hovered(this.scene.countersAt(...point)[0] || place);
    const told = place ? this.scene.describe(place) : "";
    this.tip.hidden = !told;
    if (!told) return;
    this.tip.textContent = told;
    const rect = this.frame.getBoundingClientRect(), x = event.clientX - rect.left, y = event.clientY - rect.top;
    const isRight = x > rect.width / 2, isLow = y > rect.height / 2;
    Object.assign(this.tip.style, {
      left: isRight ? "auto" : `${x + 14}px`, right: isRight ? `${rect.width - x + 14}px` : "auto",
      top: isLow ? "auto" : `${y + 14}px`, bottom: isLow ? `${rect.height - y + 14}px` : "auto",
    });
  }
}
