// The clock: the time of each seat, a mark at zero, a pause by consent, and the claim of the others.

import { byId, make } from "/s/viewer/scripts/page/make.js";

const LOW = 60000;

export class ClockFace {
  constructor({ wire, page, nameOf }) {
    Object.assign(this, { wire, page, nameOf, clock: null, at: 0 });
    this.box = byId("clock");
    byId("pause").addEventListener("click", () => wire.send({ t: "pause", on: !this.clock.paused }));
    setInterval(() => this.draw(), 500);
  }

  show(clock, offers = []) {
    Object.assign(this, { clock, offers, at: Date.now() });
    const { seats, facts } = this.page;
    this.box.hidden = !clock;
    byId("pause").hidden = !clock || !seats.length || Boolean(facts.outcome);
    if (clock) {
      byId("pause").textContent = clock.paused ? "Let the clock run" : offers.length ? "Agree to a pause" : "Pause the clock";
      this.draw();
    }
  }

  left(seat) {
    const { clock, at } = this;
    return clock.left[seat] - (clock.running.includes(seat) ? Date.now() - at : 0);
  }

  draw() {
    const { clock, page } = this;
    if (!clock) return;
    const isOver = Boolean(page.facts.outcome);
    const rows = Object.keys(clock.left).map((seat) => {
      const left = this.left(seat), isOut = left <= 0 && clock.running.includes(seat), isMine = page.seats.includes(seat);
      const claim = isOut && !isMine && page.seats.length && !isOver ? make("button", { type: "button", onclick: () => this.wire.send({ t: "claim", seat }) }, "Claim the game") : null;
      const running = clock.running.includes(seat) && !isOver;
      const name = `${this.nameOf(seat)} ${running ? "▶ " : ""}${isOut ? "⚑ out of time" : timeOf(left)}`;
      return make("span", { class: `seat-clock${running ? " runs" : ""}${left < LOW ? " low" : ""}` }, name, claim);
    });
    const state = !clock.begun ? "the clock begins when all are here" : clock.paused ? "⏸ paused" : this.offers.length ? `${this.offers.map(this.nameOf).join(" and ")} would like a pause` : "";
    const key = JSON.stringify([rows.map((each) => each.outerHTML), state]);
    if (key !== this.key) this.box.replaceChildren(...rows, state ? make("span", { class: "soft" }, state) : "");
    this.key = key;
  }
}

function timeOf(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000)), two = (value) => String(value).padStart(2, "0");
  const days = Math.floor(seconds / 86400), hours = Math.floor(seconds / 3600) % 24, minutes = Math.floor(seconds / 60) % 60;
  if (days) return `${days} d ${hours} h`;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
