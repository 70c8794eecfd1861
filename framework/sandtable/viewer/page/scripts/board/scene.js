// The board at a record: two SVG roots, the ground below and movable parts above. Their parts are changed in place.

import { Outliner } from "./outline.js";
import { Tracks } from "./tracks.js";

const SVG = "http://www.w3.org/2000/svg";

export function svgElement(tag, attributes = {}) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

export class Scene {
  // `box` holds the two roots; `view` has frames and facts of the board, `values` the values of its parts.
  constructor(box, view, values) {
    this.box = box;
    this.view = view;
    this.facts = view.facts;
    this.tracks = new Tracks(view.frames, values);
    this.numbers = new Map(this.tracks.keys.map((key, number) => [key, number]));
    this.elements = new Map();
    this.places = new Map();
    this.held = new Map();
    this.read = new Map();
    this.heldDirty = new Set();
    this.layers = {};
    this.words = {};
    this.outliner = this.facts.sides ? new Outliner(this.facts) : null;
    this.build();
  }

  build() {
    const [x, y, width, height] = this.facts.box;
    const frame = { viewBox: `${x} ${y} ${width} ${height}`, preserveAspectRatio: "xMidYMid meet" };
    let ground = this.box.querySelector("svg.ground"), live = this.box.querySelector("svg.live");
    if (!ground || ground.dataset.view !== this.view.ident) {
      this.box.querySelectorAll("svg").forEach((each) => each.remove());
      ground = svgElement("svg", { class: "ground", ...frame });
      live = svgElement("svg", { class: "live", ...frame });
      this.box.append(ground, live);
      ground.append(svgElement("rect", { x, y, width, height, fill: this.facts.paper }));
    }
    for (const each of [ground, live]) {
      each.setAttribute("role", "img");
      each.setAttribute("aria-label", each === live ? "the board; its contents are described below, by place" : "the map");
    }
    this.ground = ground;
    this.live = live;
    if (this.facts.family) live.setAttribute("font-family", this.facts.family);
    this.clip(ground);
    for (const [root, names] of [[ground, this.facts.ground], [live, [...this.facts.live, "signs"]]])
      for (const name of names) this.layers[name] = this.layer(root, name);
  }

  // The frame is often of another shape than the map: what a drawing has outside the map's box is not shown.
  clip(ground) {
    const [x, y, width, height] = this.facts.box, ident = `${this.view.ident}-box`;
    if (!ground.querySelector(`#${ident}`)) {
      const path = svgElement("clipPath", { id: ident });
      path.append(svgElement("rect", { x, y, width, height }));
      ground.prepend(path);
    }
    this.clipped = `url(#${ident})`;
  }

  layer(root, name) {
    const known = root.querySelector(`[data-layer="${name}"]`);
    if (known) {
      if (root === this.ground && !known.getAttribute("clip-path")) known.setAttribute("clip-path", this.clipped);
      if (root === this.live) known.textContent = "";
      return known;
    }
    const made = svgElement("g", { "data-layer": name });
    if ((this.facts.serif || []).includes(name)) made.setAttribute("font-family", "Georgia, 'DejaVu Serif', serif");
    const clip = (this.facts.clip || {})[name];
    if (clip || root === this.ground) made.setAttribute("clip-path", clip ? `url(#${clip})` : this.clipped);
    root.append(made);
    return made;
  }

  // Show the board after a record; return the changes, for motion.
  go(record) {
    const changed = this.tracks.go(record).map(([key, before, now]) => ({
      key: this.tracks.keys[key],
      before: this.tracks.value(before),
      now: this.tracks.value(now),
      number: now,
    }));
    const moved = [];
    for (const each of changed) this.change(each, moved);
    moved.sort((a, b) => a.order - b.order).forEach(({ element, parent }) => parent.append(element));
    this.drawHeld();
    return changed;
  }

  change({ key, now, number }, moved) {
    const prefix = key[0], rest = key.slice(2);
    if (prefix === "@") this.place(key.slice(1), now, moved);
    else if (prefix === "t") this.words[rest] = now;
    else if (prefix === "g") this.fill(this.layers[rest], number, now);
    else if (prefix === "h") this.hold(rest, now);
    else this.draw(key, prefix, now, number);
  }

  // Put the drawing of a value into an element; parsed drawings are cached.
  fill(element, number, markup) {
    if (!markup) {
      element.replaceChildren();
      return;
    }
    let nodes = this.read.get(number);
    if (!nodes || nodes.some((each) => each.parentNode && each.parentNode !== element)) {
      element.innerHTML = markup;
      nodes = [...element.childNodes];
      this.read.set(number, nodes);
    } else element.replaceChildren(...nodes);
  }

  element(key, prefix) {
    let found = this.elements.get(key);
    if (!found) {
      const layer = this.layers[this.facts.prefixes[prefix]];
      found = layer.querySelector(`:scope > [data-part="${CSS.escape(key)}"]`) || svgElement("g", { "data-part": key });
      if (!found.parentNode) this.insert(layer, found, prefix);
      this.elements.set(key, found);
    }
    return found;
  }

  // Pieces of a drawing keep their order; others are appended.
  insert(layer, element, prefix) {
    const later = prefix === "d" && [...layer.children].find((each) => each.dataset.part > element.dataset.part);
    layer.insertBefore(element, later || null);
  }

  draw(key, prefix, now, number) {
    const element = this.element(key, prefix);
    this.fill(element, number, Array.isArray(now) ? now[0] : now);
    element.toggleAttribute("hidden", now === null);
    if (prefix === "a" && now) {
      const path = this.outliner.path(now[2].split(" "));
      element.querySelectorAll("path").forEach((each) => each.setAttribute("d", path));
    }
    if (prefix === "c" && now) element.dataset.owner = now[1];
  }

  place(ident, now, moved) {
    const element = this.element(`c:${ident}`, "c");
    this.places.set(ident, now);
    const isOnMap = Boolean(now) && now[0] !== "=";
    element.classList.toggle("away", !isOnMap);
    if (!isOnMap) return;
    const [x, y, size, order] = now.split(" ").map(Number);
    element.setAttribute("transform", `translate(${x} ${y}) scale(${size / this.facts.size})`);
    moved.push({ element, order, parent: element.parentNode });
  }

  hold(hex, owner) {
    const before = this.held.get(hex);
    if (before) this.heldDirty.add(before);
    if (owner) {
      this.held.set(hex, owner);
      this.heldDirty.add(owner);
    } else this.held.delete(hex);
  }

  drawHeld() {
    for (const owner of this.heldDirty) {
      const hexes = [...this.held].filter(([, who]) => who === owner).map(([hex]) => hex);
      const element = this.element(`h:${owner}`, "h");
      if (!element.firstChild) element.innerHTML = this.facts.held[owner] || "";
      const path = this.outliner.path(hexes);
      element.querySelectorAll("path").forEach((each) => each.setAttribute("d", path));
    }
    this.heldDirty.clear();
  }

  // --- descriptions in words ---

  // The counters on the map and next to it: {ident, owner, words, caption, place, tray}.
  counters() {
    const found = [];
    for (const [key, name] of this.tracks.keys.entries()) {
      if (!name.startsWith("c:")) continue;
      const value = this.tracks.current(key), ident = name.slice(2);
      if (!value) continue;
      const place = this.places.get(ident) || "";
      const tray = place[0] === "=" ? place.slice(1) : "";
      const parts = place.split(" ");
      found.push({ ident, owner: value[1], words: value[2], caption: value[3], place: tray ? "" : parts[4] || "", tray });
    }
    return found;
  }

  // Occupied places with their contents in words: [[place, name, [words]]].
  byPlace() {
    if (this.facts.kind === "areas") {
      const found = [];
      for (const [key, name] of this.tracks.keys.entries())
        if (name.startsWith("p:")) {
          const value = this.tracks.current(key), [title, ...rest] = (value ? value[1] : "").split(": ");
          found.push([name.slice(2), title, rest.join(": ").split("; ").filter(Boolean)]);
        }
      return found;
    }
    const places = new Map();
    for (const each of this.counters())
      if (each.place) places.set(each.place, [...(places.get(each.place) || []), each.words]);
    return [...places].sort().map(([place, words]) => [place, this.nameOf(place), words]);
  }

  nameOf(place) {
    return this.facts.names[place] ? `${this.facts.names[place]} (${place})` : place;
  }

  // The description of a place in one line: name, ground, holder, contents.
  describe(place) {
    if (this.facts.kind === "areas") {
      const key = this.numbers.get(`p:${place}`), value = key === undefined ? null : this.tracks.current(key);
      return value ? value[1] : "";
    }
    const at = this.facts.places[place];
    if (!at) return "";
    const holder = this.held.get(place), power = this.facts.powers.find(([id]) => id === holder);
    const words = this.counters().filter((each) => each.place === place).map((each) => each.words);
    const rule = this.facts.holding ? ` [${this.facts.holding}]` : "";
    const held = power ? `held by ${power[1]}${rule}` : "";
    const facts = [at[2], held, ...this.areasAt(place), ...this.marksAt(place), ...words].filter(Boolean);
    return `${this.nameOf(place)}: ${facts.join("; ")}`;
  }

  // The descriptions of the parts of a drawing, in its order; the first is the drawing's title.
  titles() {
    if (this.facts.kind !== "drawn") return [];
    const told = [...this.layers.drawing.querySelectorAll("title, [data-words]")];
    return told.slice(1).map((each) => each.dataset.words || each.textContent);
  }

  // The areas as [drawing, words, places]: goals, zones, set-up areas, exits.
  areas() {
    const found = [];
    for (let count = 0, key; (key = this.numbers.get(`a:${count}`)) !== undefined; count++) {
      const value = this.tracks.current(key);
      if (value) found.push(value);
    }
    return found;
  }

  // The areas of a hex in words.
  areasAt(place) {
    return this.areas().filter(([, words, places]) => words && ` ${places} `.includes(` ${place} `)).map(([, words]) => words);
  }

  areaPlaces() {
    return this.areas().flatMap(([, , places]) => places.split(" "));
  }

  // The markers of a hex in words.
  marksAt(place) {
    const found = [];
    for (const prefix of ["m", "i"])
      for (let count = 0, key; (key = this.numbers.get(`${prefix}:${place}.${count}`)) !== undefined; count++) {
        const value = this.tracks.current(key);
        if (value) found.push(value[1]);
      }
    return found;
  }

  // Take the additions of a running game, before the next `go`.
  append(film) {
    for (const key of film.keys) this.numbers.set(key, this.numbers.size);
    this.tracks.append(film);
  }

  // The counters at a point of the map, the topmost first.
  countersAt(x, y) {
    const found = [];
    for (const [ident, where] of this.places) {
      if (!where || where[0] === "=") continue;
      const [left, top, size, order] = where.split(" ").map(Number);
      if (x >= left && x <= left + size && y >= top && y <= top + size) found.push([order, ident]);
    }
    return found.sort((one, other) => other[0] - one[0]).map(([, ident]) => ident);
  }

  // The place nearest to a point of the map, or "" if none is near.
  placeAt(x, y) {
    let best = "", least = this.facts.kind === "areas" ? 130 ** 2 : 62 ** 2;
    for (const [place, [px, py]] of Object.entries(this.facts.places)) {
      const distance = (px - x) ** 2 + (py - y) ** 2;
      if (distance < least) [best, least] = [place, distance];
    }
    return best;
  }
}
