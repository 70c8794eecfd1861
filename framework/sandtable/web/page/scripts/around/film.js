// What happened since your last order, as a film: sentence by sentence, with speed, skip and stop.

import { make } from "/s/viewer/scripts/page/make.js";

const SPEEDS = [["slow", 3200], ["normal", 1600], ["fast", 600]];

export class Film {
  constructor(box, { board, story, look, live }) {
    Object.assign(this, { box, board, story, look, live, timer: null, scenes: [], at: 0 });
    const button = (text, act) => make("button", { type: "button", onclick: act }, text);
    this.play = button("", () => this.toggle());
    this.speed = make("select", { "aria-label": "speed of the film", onchange: () => localStorage.setItem("sandtable:film", this.speed.value) },
      ...SPEEDS.map(([name]) => make("option", { value: name, selected: name === (localStorage.getItem("sandtable:film") || "normal") }, name)));
    this.skip = button("Skip to now", () => { this.finish(); live(); });
    this.caption = make("p", { class: "caption", role: "status" });
    this.count = make("span", { class: "soft" });
    box.append(make("p", { class: "row" }, this.play, button("◀ Step", () => this.step(-1)), button("Step ▶", () => this.step(1)), this.speed, this.skip, this.count), this.caption);
  }

  // Offer the film of what followed record `mine`, the last order of this page's seats.
  offer({ mine, ask, outcome }) {
    if (this.timer) return;
    const scenes = this.story.after(mine).filter(([number], at, all) => !at || number !== all[at - 1][0]);
    if (this.isOpen && mine === this.mine) {
      this.scenes = this.scenes.concat(scenes.slice(this.scenes.length));
      return;
    }
    Object.assign(this, { scenes, mine, at: 0, isOpen: false });
    this.box.hidden = !mine || scenes.length < 2 || !(ask || outcome);
    this.caption.textContent = "";
    this.draw();
  }

  draw() {
    const { scenes, at, isOpen, timer } = this;
    this.play.textContent = timer ? "Stop" : isOpen && at < scenes.length ? "Continue" : "▶ Since your last order";
    this.count.textContent = isOpen ? `${at} of ${scenes.length}` : `${scenes.length} sentences`;
    this.box.classList.toggle("open", isOpen);
  }

  toggle() {
    if (this.timer) {
      this.stop();
      return;
    }
    if (!this.isOpen || this.at >= this.scenes.length) this.begin();
    this.tick();
  }

  begin() {
    Object.assign(this, { isOpen: true, at: 0 });
    this.look(this.mine);
  }

  tick() {
    this.step(1, true);
    if (this.at < this.scenes.length) this.timer = setTimeout(() => this.tick(), SPEEDS.find(([name]) => name === this.speed.value)[1]);
    else this.timer = null;
    this.draw();
  }

  // Go `way` sentences on; a step by hand stops the film.
  step(way, isPlayed = false) {
    if (!isPlayed) this.stop();
    if (!this.isOpen) this.begin();
    this.at = Math.max(0, Math.min(this.scenes.length, this.at + way));
    const [number, text] = this.scenes[this.at - 1] || [this.mine, "Your last order"];
    const isOnward = way > 0 && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.look(Math.min(number, this.board.last), isOnward);
    this.caption.textContent = text;
    this.draw();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.draw();
  }

  finish() {
    this.stop();
    Object.assign(this, { isOpen: false, at: 0 });
    this.caption.textContent = "";
    this.draw();
  }
}
