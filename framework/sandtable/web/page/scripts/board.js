// The live board: the scene of the replay page, which grows with the game, and a layer of marks for what may be chosen.

import { Scene, svgElement } from "/s/viewer/scripts/board/scene.js";
import { Zoom } from "/s/viewer/scripts/board/zoom.js";
import { Signs } from "/s/viewer/scripts/board/motion.js";
import { byId } from "/s/viewer/scripts/page/make.js";

export class Board {
  // `picked(counters, place)` is called for a click or tap on the map.
  constructor(frame, picked) {
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
    this.edges();
  }

  shape(ident, name) {
    const { scene } = this, at = scene.facts.places[ident];
    const size = Math.max(3, scene.facts.box[2] / 500);
    if (at) {
      if (scene.outliner) return svgElement("path", { d: scene.outliner.hexPath(ident), class: `${name} place`, "stroke-width": size });
      return svgElement("circle", { cx: at[0], cy: at[1], r: 62, class: `${name} place`, "stroke-width": 1.4 * size });
    }
    const where = scene.places.get(ident);
    if (!where || where[0] === "=") return null;
    const [x, y, wide] = where.split(" ").map(Number);
    return svgElement("rect", { x: x - 2, y: y - 2, width: wide + 4, height: wide + 4, rx: 4, class: `${name} piece`, "stroke-width": size });
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
      button.addEventListener("click", () => this.zoom.follow([points[0]]));
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
      this.picked(this.scene.countersAt(x, y), place);
    });
    frame.addEventListener("pointermove", (event) => this.hover(event));
    frame.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    frame.addEventListener("wheel", (event) => {
      if (event.ctrlKey || document.activeElement === frame) return;
      event.preventDefault();
      zoom.by(event.deltaY < 0 ? 1.25 : 0.8, zoom.pointAt(event.clientX, event.clientY));
    }, { passive: false });
  }

  hover(event) {
    if (event.pointerType === "touch" || !this.scene || this.zoom.gesture && this.zoom.gesture.live) return;
    const place = this.scene.placeAt(...this.zoom.pointAt(event.clientX, event.clientY));
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
