// The display of events: drawn paths, counters moving along them, losses crossed out, dice at their place.

import { svgElement } from "./scene.js";

const LEG = 120, LONGEST = 600, MOST_RINGS = 12;
const CALM = matchMedia("(prefers-reduced-motion: reduce)");

// Lists of two or more places in a record, and single places that it names.
export function placesIn(data, facts) {
  const paths = [], spots = new Set();
  const look = (value) => {
    if (typeof value === "string") {
      if (facts.places[value]) spots.add(value);
    } else if (Array.isArray(value)) {
      const known = value.filter((each) => typeof each === "string" && facts.places[each]);
      if (value.length > 1 && known.length === value.length) paths.push(value);
      value.forEach(look);
    } else if (value && typeof value === "object") {
      const { start, hex } = value;
      if (facts.places[start] && facts.places[hex]) paths.push([start, hex]);
      Object.entries(value).forEach(([key, each]) => {
        if (!["calculations", "type", "rule"].includes(key)) look(each);
      });
    }
  };
  look(data);
  return { paths, spots: [...spots] };
}

const PATHS = /Moved|Retreat|React|Withdr|Avoid|March|Advance|Planned|Pursu|Fled|Raid/;

// The place that a roll's label names, or "".
export function placeOfRoll(roll, facts) {
  const parts = String(roll.label || "").split(/[/.:]/);
  return parts.find((part) => facts.places[part]) || "";
}

export class Signs {
  constructor(scene) {
    this.scene = scene;
    this.layer = scene.layers.signs;
    this.running = [];
    this.size = Math.max(20, Math.min(60, scene.facts.box[2] / 45));
  }

  clear() {
    this.running.forEach((each) => each.cancel());
    this.running = [];
    this.layer.textContent = "";
  }

  // Mark the effects of a record. `changed` comes from the scene; `animated` after a single step forward.
  show(data, changed, animated) {
    this.clear();
    const event = data.event || {};
    const { paths, spots } = placesIn(event, this.scene.facts);
    const isMove = PATHS.test(event.type || "");
    if (isMove) paths.forEach((path) => this.path(path));
    const ringed = new Set(isMove ? [] : spots.slice(0, 12));
    for (const each of changed) this.change(each, ringed);
    if (ringed.size <= MOST_RINGS) ringed.forEach((place) => this.ring(place));
    if (data.kind === "roll" && data.dice) this.dice(data);
    if (animated && !CALM.matches && !document.hidden) this.move(changed, isMove ? paths : []);
  }

  change({ key, before, now }, ringed) {
    if (key[0] === "@" && before && before[0] !== "=") {
      if (!now || now[0] === "=") this.loss(before);
      else if (before.split(" ")[4] !== now.split(" ")[4]) ringed.add(now.split(" ")[4]);
    }
    if (key.startsWith("c:") && before && now) {
      const place = (this.scene.places.get(key.slice(2)) || "").split(" ")[4];
      if (place) ringed.add(place);
    }
    if (key.startsWith("p:") && before) ringed.add(key.slice(2));
  }

  point(place) {
    return this.scene.facts.places[place];
  }

  path(places) {
    const points = places.map((place) => this.point(place)).filter(Boolean);
    const line = `M${points.map(([x, y]) => `${x} ${y}`).join("L")}`;
    const width = this.size / 6;
    this.layer.append(
      svgElement("path", { d: line, class: "trail-edge", "stroke-width": 2 * width }),
      svgElement("path", { d: line, class: "trail", "stroke-width": width }),
    );
    const [x, y] = points[points.length - 1];
    this.layer.append(svgElement("circle", { cx: x, cy: y, r: 1.6 * width, class: "trail-end" }));
  }

  ring(place) {
    const at = this.point(place);
    if (!at) return;
    const { outliner } = this.scene;
    const shape = outliner
      ? svgElement("path", { d: outliner.hexPath(place), class: "ring" })
      : svgElement("circle", { cx: at[0], cy: at[1], r: 1.6 * this.size, class: "ring" });
    shape.setAttribute("stroke-width", this.size / 8);
    this.layer.append(shape);
  }

  loss(before) {
    const [x, y, size] = before.split(" ").map(Number);
    const path = `M${x} ${y}l${size} ${size}m0 ${-size}l${-size} ${size}`;
    this.layer.append(svgElement("path", { d: path, class: "loss", "stroke-width": size / 7 }));
  }

  dice(roll) {
    const place = placeOfRoll(roll, this.scene.facts), [left, top, width] = this.scene.facts.box;
    const at = this.point(place), size = 1.15 * this.size, count = Math.min(roll.dice.length, 12);
    const wide = count * (size + 6) + 6;
    let x = at ? at[0] - wide / 2 : left + width / 2 - wide / 2;
    x = Math.max(left + 6, Math.min(x, left + width - wide - 6));
    const y = at ? Math.max(top + 6, at[1] - 2.2 * size - 20) : top + size / 2;
    const tray = svgElement("g", { class: "dice" });
    tray.append(svgElement("rect", { x, y, width: wide, height: size + 12, rx: 8, class: "tray" }));
    roll.dice.slice(0, count).forEach((face, i) => {
      const isHit = roll.needs && face <= roll.needs[i];
      const cx = x + 6 + i * (size + 6);
      tray.append(svgElement("rect", { x: cx, y: y + 6, width: size, height: size, rx: 6, class: isHit ? "die hit" : "die" }));
      const text = svgElement("text", { x: cx + size / 2, y: y + 6 + 0.7 * size, "font-size": 0.6 * size, class: isHit ? "face hit" : "face" });
      text.textContent = face;
      tray.append(text);
    });
    if (roll.dice.length > count) {
      const more = svgElement("text", { x: x + wide + 8, y: y + size, "font-size": size / 2, class: "face" });
      more.textContent = `+${roll.dice.length - count}`;
      tray.append(more);
    }
    this.layer.append(tray);
  }

  // The final state is already shown: counters only appear to come from their previous positions.
  move(changed, paths) {
    for (const { key, before, now } of changed) {
      if (key[0] !== "@" || !before || !now || before[0] === "=" || now[0] === "=") continue;
      const [bx, by, , , from] = before.split(" "), [nx, ny, , , to] = now.split(" ");
      if (from === to) continue;
      const element = this.scene.elements.get(`c:${key.slice(1)}`);
      const path = paths.find((each) => each[0] === from && each[each.length - 1] === to) || [from, to];
      const last = this.point(to), scale = element.getAttribute("transform").split("scale")[1];
      const legs = path.map((place) => {
        const [x, y] = this.point(place) || last;
        return [Number(nx) + x - last[0], Number(ny) + y - last[1]];
      });
      legs[0] = [Number(bx), Number(by)];
      const steps = legs.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px) scale${scale}` }));
      const duration = Math.min(LONGEST, LEG * (path.length - 1) + LEG);
      this.running.push(element.animate(steps, { duration, easing: "ease-in-out" }));
    }
  }
}
