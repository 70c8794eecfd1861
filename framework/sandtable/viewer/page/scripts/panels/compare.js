// Two games side by side: aligned by turn and phase, with differences marked on both boards and listed.

import { svgElement } from "../board/scene.js";
import { make, words } from "../page/make.js";

export class Comparison {
  constructor(box, games, data) {
    this.box = box;
    this.games = games;
    this.data = data;
    this.list = make("div");
    this.scenes = [];
    this.index = games[1].moments.map(([record, turn, heading], i) => [heading, turn, record, games[1].moments[i + 1]]);
    this.box.replaceChildren(this.tree(), make("h3", {}, "Current differences"), this.list);
  }

  // The record of the other game that corresponds to a record of the first.
  recordFor(number) {
    if (number < this.data.first) return Math.min(number, this.games[1].last);
    if (number >= this.games[0].last) return this.games[1].last;
    const [start, , heading] = this.games[0].momentAt(number);
    const after = this.games[0].moments.find(([record]) => record > start);
    const nth = this.games[0].moments.filter(([record, , each]) => each === heading && record <= start).length;
    const same = this.games[1].moments.filter(([, , each]) => each === heading)[nth - 1];
    if (!same) {
      const turn = this.games[0].momentAt(number)[1], later = this.games[1].moments.find((each) => each[1] > turn);
      return later ? later[0] - 1 : this.games[1].last;
    }
    const next = this.games[1].moments.find(([record]) => record > same[0]);
    const end = next ? next[0] - 1 : this.games[1].last;
    if (after && number === after[0] - 1) return end;
    return Math.min(end, Math.max(same[0], same[0] + number - start));
  }

  next(now) {
    const firsts = this.data.turns.flatMap(({ phases }) => phases.map(({ firsts: [[record]] }) => record)).filter(Boolean);
    return firsts.sort((x, y) => x - y).find((record) => record > now) ?? this.data.first;
  }

  // The tree of differences: turns, their differing phases, and the first differing record of each game.
  tree() {
    const { first, rolls, labels, turns, ends } = this.data;
    if (!first) return make("p", {}, "They are the same game.");
    const dice = `${rolls.same} rolls are the same, ${rolls.changed} have other faces, ${rolls.gone} are only in this game, ${rolls.fresh} only in the other.`;
    const named = labels.length ? make("details", {}, make("summary", {}, "Rolls with other faces"), make("ul", { class: "tight" }, ...labels.map((each) => make("li", {}, make("code", {}, each))))) : null;
    this.turns = turns.map((each) => this.turn(each));
    return make("div", {},
      make("p", {}, make("a", { href: `#record=${first}` }, `They first differ at record ${first}`), "; key d goes to the next difference."),
      make("p", {}, `Dice: ${dice}`), named,
      make("p", {}, `This game: ${ends[0]}. The other: ${ends[1]}.`),
      make("h3", {}, "By turn and phase"), ...this.turns);
  }

  turn({ turn, same, phases }) {
    const title = turn ? `Turn ${turn}` : "Set-up", count = phases.length;
    if (!count) return make("p", { class: "soft branch", "data-turn": turn }, `${title}: the same`);
    const told = `${title}: ${count} ${count === 1 ? "phase differs" : "phases differ"}${same ? `, ${same} the same` : ""}`;
    return make("details", { class: "branch", "data-turn": turn }, make("summary", {}, told), make("ul", { class: "tree" }, ...phases.map((each) => this.phase(each))));
  }

  phase({ phase, counts, firsts }) {
    const line = (who, count, [record, text], place) => make("li", {}, `${who}, ${count} ${count === 1 ? "record" : "records"}: `,
      record && !place ? make("a", { href: `#record=${record}` }, `record ${record}`) : record ? `record ${record}` : "", record ? `: ${text}` : text);
    return make("li", {}, make("strong", {}, words(phase || "between phases").replace(".", ": ")),
      make("ul", { class: "tight" }, line("this game", counts[0], firsts[0], 0), line("the other", counts[1], firsts[1], 1)));
  }

  // Mark the differences on both boards. Parts with the same name are the same thing in both.
  show(number) {
    const [a, b] = this.scenes;
    if (!a || !b) return;
    const found = new Map();
    const look = (scene, other) => {
      for (const [key, name] of scene.tracks.keys.entries()) {
        if (!["@", "p", "h"].includes(name[0])) continue;
        const mine = this.value(scene, key, name), theirs = this.valueOf(other, name);
        if (mine !== theirs) found.set(name, [name, mine, theirs]);
      }
    };
    look(a, b);
    for (const [key, name] of b.tracks.keys.entries())
      if (["@", "p", "h"].includes(name[0]) && !found.has(name) && !a.numbers.has(name) && this.value(b, key, name)) found.set(name, [name, "", this.value(b, key, name)]);
    this.mark(a, [...found.values()].map(([name, mine]) => [name, mine]));
    this.mark(b, [...found.values()].map(([name, , theirs]) => [name, theirs]));
    this.tell([...found.values()]);
    this.open(number);
  }

  // The shown turn is open in the tree; the others stay as the reader left them.
  open(number) {
    const now = this.games[0].momentAt(number)[1];
    if (now === this.opened) return;
    this.opened = now;
    for (const each of this.turns || []) {
      const isNow = Number(each.dataset.turn) === now;
      if (isNow && each.tagName === "DETAILS") each.open = true;
      each.classList.toggle("now", isNow);
    }
  }

  value(scene, key, name) {
    const value = scene.tracks.current(key);
    if (!value) return "";
    if (name[0] === "@") return value[0] === "=" ? value.slice(1) : value.split(" ")[4] || "";
    return name[0] === "p" ? value[1] : value;
  }

  valueOf(scene, name) {
    const key = scene.numbers.get(name);
    return key === undefined ? "" : this.value(scene, key, name);
  }

  mark(scene, list) {
    let layer = scene.layers.signs.querySelector("[data-differences]");
    if (!layer) {
      layer = svgElement("g", { "data-differences": "" });
      scene.layers.signs.append(layer);
    }
    const places = new Set(list.map(([name, value]) => (name[0] === "@" ? value : name.slice(2))).filter((place) => scene.facts.places[place]));
    const size = Math.max(20, Math.min(60, scene.facts.box[2] / 45));
    layer.replaceChildren(...[...places].map((place) => {
      const [cx, cy] = scene.facts.places[place];
      return svgElement("circle", { cx, cy, r: 1.3 * size, class: "differs", "stroke-width": size / 7 });
    }));
  }

  // The name of a part: the caption of a counter, the name of a place.
  named(name) {
    if (name[0] !== "@") return this.scenes[0].nameOf(name.slice(2));
    const found = this.scenes.map((scene) => scene.tracks.current(scene.numbers.get(`c:${name.slice(1)}`))).find(Boolean);
    return found ? found[3] : words(name.slice(1));
  }

  tell(list) {
    const [a] = this.scenes, named = (value) => (a.facts.places[value] ? a.nameOf(value) : value) || "not there";
    const shown = list.filter(([name]) => name[0] !== "h").slice(0, 60).map(([name, mine, theirs]) => make("li", {}, `${this.named(name)}: ${named(mine)} here, ${named(theirs)} there`));
    const held = list.filter(([name]) => name[0] === "h").length;
    if (held) shown.push(make("li", {}, `${held} ${held === 1 ? "place has" : "places have"} different holders`));
    this.list.replaceChildren(shown.length ? make("ul", { class: "tight" }, ...shown) : make("p", {}, "Both boards are the same."));
  }
}
