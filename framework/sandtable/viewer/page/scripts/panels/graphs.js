// Graphs of the game: strength, territory, evaluation, luck. A click goes to the record; a table has the numbers too.

import { svgElement } from "../board/scene.js";
import { capital, make, words } from "../page/make.js";

const WIDE = 400, HIGH = 130, LEFT = 38, LOW = 12;
const TITLES = { strength: "Strength on the board (counters or units)", territory: "Territory held", evaluation: "Evaluation (of 1,000)", luck: "Luck of the dice (hits above what was expected)" };

// Cumulative luck: from [[record, side, hits]] to samples like the others.
function luckSamples(luck) {
  const now = {}, sides = new Set(luck.map(([, side]) => side));
  for (const side of sides) now[side] = 0;
  return luck.map(([record, side, hits]) => {
    now[side] += hits;
    return [record, 0, { luck: { ...now } }];
  });
}

export class Graphs {
  constructor(box, game, goTo) {
    this.box = box;
    this.game = game;
    this.goTo = goTo;
    this.lines = [];
    this.build();
  }

  build() {
    const { view, data } = this.game, samples = view.samples;
    const luck = view.isWhole ? luckSamples(data.luck || []) : [];
    this.lines = [];
    const parts = ["evaluation", "strength", "territory"].map((name) => this.graph(name, samples.filter((each) => each[2][name])));
    parts.push(this.graph("luck", luck));
    const shown = parts.filter(Boolean);
    this.box.replaceChildren(...(shown.length ? shown : [make("p", {}, "There is nothing to count on this board.")]));
  }

  graph(name, samples) {
    if (samples.length < 2) return null;
    const sides = [...new Set(samples.flatMap((each) => Object.keys(each[2][name])))].sort((a, b) => this.order(a) - this.order(b));
    const values = samples.flatMap((each) => Object.values(each[2][name]));
    const most = Math.max(...values, name === "evaluation" ? 1000 : 1), least = Math.min(...values, 0);
    const x = (record) => LEFT + ((WIDE - LEFT - 8) * record) / Math.max(1, this.game.last);
    const y = (value) => 8 + ((HIGH - LOW - 8) * (most - value)) / (most - least || 1);
    const svg = svgElement("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "graph", role: "img", "aria-label": `${TITLES[name]}: a graph; the numbers are in the table below` });
    for (const value of [least, (least + most) / 2, most]) {
      svg.append(svgElement("line", { x1: LEFT, x2: WIDE - 8, y1: y(value), y2: y(value), class: "tick" }));
      const label = svgElement("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" });
      label.textContent = Math.round(value * 10) / 10;
      svg.append(label);
    }
    sides.forEach((side, i) => {
      const points = samples.filter((each) => side in each[2][name]).map((each) => `${x(each[0]).toFixed(1)},${y(each[2][name][side]).toFixed(1)}`);
      svg.append(svgElement("polyline", { points: points.join(" "), class: `line s${i % 8}` }));
    });
    const now = svgElement("line", { y1: 4, y2: HIGH - LOW, class: "present" });
    svg.append(now);
    this.lines.push([now, x]);
    svg.addEventListener("click", (event) => {
      const rect = svg.getBoundingClientRect(), at = ((event.clientX - rect.left) / rect.width) * WIDE;
      this.goTo(Math.round(((at - LEFT) / (WIDE - LEFT - 8)) * this.game.last));
    });
    const key = make("p", { class: "key" }, ...sides.flatMap((side, i) => [make("span", { class: `swatch s${i % 8}` }), ` ${capital(words(side))} `]));
    return make("section", { class: "plot" }, make("h3", {}, TITLES[name]), key, svg, this.table(name, samples, sides));
  }

  // A side has the same color in all graphs.
  order(side) {
    const { samples, facts } = this.game.view, first = samples.length ? Object.keys(samples[0][2].evaluation || {}) : [];
    const all = [...first, ...(facts.powers || []).map(([id]) => id)];
    return all.includes(side) ? all.indexOf(side) : all.length;
  }

  // One row per turn, or per group of rolls.
  table(name, samples, sides) {
    const lastOfTurn = new Map();
    samples.forEach((each, i) => lastOfTurn.set(name === "luck" ? Math.floor((12 * i) / samples.length) : each[1], each));
    const rows = [...lastOfTurn.entries()].map(([turn, each]) => make("tr", {},
      make("th", { scope: "row" }, make("a", { href: `#record=${each[0]}` }, name === "luck" ? `record ${each[0]}` : turn ? `turn ${turn}` : "set-up")),
      ...sides.map((side) => make("td", { class: "n" }, side in each[2][name] ? String(Math.round(each[2][name][side] * 100) / 100) : ""))));
    const head = make("tr", {}, make("th", { scope: "col" }, "when"), ...sides.map((side) => make("th", { scope: "col", class: "n" }, words(side))));
    return make("details", {}, make("summary", {}, "Show as a table"), make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)));
  }

  show(number) {
    for (const [line, x] of this.lines) {
      line.setAttribute("x1", x(number));
      line.setAttribute("x2", x(number));
    }
  }
}
