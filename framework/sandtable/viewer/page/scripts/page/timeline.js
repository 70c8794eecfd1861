// The timeline: a slider over all records with bands for turns, buttons to step, and play.

import { svgElement } from "../board/scene.js";
import { byId, make } from "./make.js";

const PACE = { slow: 1600, usual: 800, fast: 300 };
const LONG_PHASES = 8;

export class Timeline {
  constructor(game, player) {
    this.game = game;
    this.player = player;
    this.slider = byId("slider");
    this.slider.max = game.last;
    this.slider.addEventListener("input", () => player.goTo(Number(this.slider.value)));
    this.slider.addEventListener("keydown", (event) => this.page(event));
    byId("first").addEventListener("click", () => player.goTo(0));
    byId("back").addEventListener("click", () => player.step(-1));
    byId("forward").addEventListener("click", () => player.step(1));
    byId("last").addEventListener("click", () => player.goTo(game.last));
    byId("play").addEventListener("click", () => this.toggle());
    byId("record").addEventListener("change", (event) => player.goTo(Number(event.target.value)));
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.stop(); });
    this.timer = null;
    this.bands();
  }

  get unit() {
    return byId("unit").value;
  }

  // The slider's larger steps are phases.
  page(event) {
    const way = { PageUp: -1, PageDown: 1 }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    this.player.goTo(this.game.stop("phase", this.player.now, way));
  }

  bands() {
    const { last, moments } = this.game, band = byId("bands");
    const turns = moments.filter(([, , heading]) => /^Turn \d+$/.test(heading));
    const starts = [[0, 0], ...turns.map(([record, turn]) => [record, turn])];
    const parts = starts.map(([record, turn], i) => {
      const end = i + 1 < starts.length ? starts[i + 1][0] : last + 1;
      return svgElement("rect", { x: record, y: 0, width: end - record, height: 10, class: turn % 2 ? "odd" : "even" });
    });
    if (moments.length < last / LONG_PHASES)
      for (const [record] of moments) parts.push(svgElement("rect", { x: record, y: 7, width: Math.max(1, last / 1500), height: 3, class: "phase" }));
    const first = this.player.comparison ? this.player.comparison.data.first : 0;
    if (first) parts.push(svgElement("rect", { x: first, y: 0, width: Math.max(1, last / 300), height: 10, class: "parting" }));
    band.setAttribute("viewBox", `0 0 ${Math.max(1, last + 1)} 10`);
    band.replaceChildren(...parts);
    byId("turns").replaceChildren(...turns.map(([record, turn]) => {
      const button = make("button", { type: "button", class: "turn", "aria-label": `Turn ${turn}, record ${record}`, onclick: () => this.player.goTo(record) }, String(turn));
      button.style.left = `${(100 * record) / (last + 1)}%`;
      return button;
    }));
    this.thin();
  }

  // Leave out turn numbers that would overlap.
  thin() {
    let end = -Infinity;
    const room = byId("turns").clientWidth || 600;
    for (const button of byId("turns").children) {
      const at = (parseFloat(button.style.left) / 100) * room;
      button.hidden = at < end;
      if (!button.hidden) end = at + 26;
    }
  }

  show(number) {
    const [, turn, heading] = this.game.momentAt(number);
    this.slider.value = number;
    this.slider.setAttribute("aria-valuetext", `${heading}, record ${number} of ${this.game.last}`);
    byId("record").value = number;
    byId("turn-now").textContent = turn ? heading : heading || "Set-up";
    byId("back").disabled = byId("first").disabled = number <= 0;
    byId("forward").disabled = byId("last").disabled = number >= this.game.last;
  }

  toggle() {
    if (this.timer) this.stop();
    else this.start();
  }

  start() {
    if (this.player.now >= this.game.last) this.player.goTo(0);
    byId("play").textContent = "Pause";
    const tick = () => {
      if (this.player.now >= this.game.last) this.stop();
      else {
        this.player.step(1, true);
        this.timer = setTimeout(tick, PACE[byId("pace").value]);
      }
    };
    this.timer = setTimeout(tick, 0);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    byId("play").textContent = "Play";
  }
}
