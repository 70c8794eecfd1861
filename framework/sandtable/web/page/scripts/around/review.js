// The review of a finished game: turning points, graphs, another order, and looking at one board together.

import { Graphs } from "/s/viewer/scripts/panels/graphs.js";
import { byId, capital, make, words } from "/s/viewer/scripts/page/make.js";
import { linkTo } from "./links.js";

const SHARED_MS = 150;

export class Review {
  constructor({ wire, look, checkDice, nameOf }) {
    Object.assign(this, { wire, look, checkDice, nameOf, timer: null, graphs: null });
    this.box = byId("review-panel");
    this.tab = document.querySelector("[data-tab=review-panel]");
    this.together = make("input", { type: "checkbox", id: "together" });
    this.led = make("span", { class: "soft", role: "status" });
  }

  ask() {
    byId("review").disabled = true;
    this.wire.send({ t: "review" });
  }

  // `facts` describe the board.
  show({ standing, luck, points, last }, facts) {
    byId("review").disabled = false;
    this.tab.hidden = false;
    const graphs = make("div", {});
    this.box.replaceChildren(
      make("p", { class: "row" }, make("label", {}, this.together, " Look together: the others see the record you look at, and you see theirs"), this.led),
      make("h3", {}, points.length ? `${points.length} turning point${points.length > 1 ? "s" : ""}` : "Turning points"),
      points.length ? make("ol", { class: "points" }, ...points.map((each) => this.point(each))) : make("p", {}, "The ruleset's evaluation found none."),
      make("h3", {}, "Over time"), graphs,
      make("p", { class: "soft" }, "The standing is the ruleset's own evaluation: a rough estimate, not a proof."));
    const game = { view: { samples: standing.map(([record, turn, evaluation]) => [record, turn, { evaluation }]), isWhole: true, facts: facts || {} }, data: { luck }, last };
    this.graphs = new Graphs(graphs, game, (number) => this.look(number));
    this.tab.click();
  }

  point({ record, text, order, by, side, swing, before, after, rule, rule_text: told, rolls, dice, luck }) {
    const percent = (value) => `${Math.round(value / 10)}%`;
    const fell = rolls ? `${rolls} roll${rolls > 1 ? "s" : ""}, ${luck >= 0 ? `${luck} hits above` : `${-luck} hits below`} expectation for ${this.nameOf(side)}` : "No dice: the order itself";
    return make("li", {},
      make("p", {}, make("button", { type: "button", class: "link", onclick: () => this.look(record) }, text || `Record ${record}`), " ", linkTo(record)),
      make("p", { class: "swing" }, `${this.nameOf(side)} +${percent(swing)}: from ${percent(before[side])} to ${percent(after[side])}`),
      rule ? make("p", { class: "soft" }, make("code", {}, rule), told ? ` ${told}` : "") : null,
      make("p", { class: "row" }, make("span", { class: "soft" }, fell),
        dice ? make("button", { type: "button", onclick: () => this.checkDice(dice, text) }, "Check the dice") : null,
        make("button", { type: "button", title: `From record ${order}`, onclick: () => this.tryOrder(order) }, `Try another order of ${this.nameOf(by)}`)));
  }

  tryOrder(record) {
    this.next("The branch is being made.");
    this.wire.send({ t: "branch", record });
  }

  // --- together ---

  moved(record) {
    if (this.graphs) this.graphs.show(record);
    if (!this.together.checked || this.isLed) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wire.send({ t: "lead", record }), SHARED_MS);
  }

  follow({ name, record }) {
    this.led.replaceChildren(`${this.nameOf(name)} looks at `, linkTo(record));
    if (!this.together.checked) return;
    this.isLed = true;
    this.look(record);
    this.isLed = false;
  }

  // --- again ---

  offered({ offered, swap }) {
    this.next(`${offered.map(this.nameOf).join(" and ")} would like a rematch${swap ? " with the sides changed" : ""}. Choose the same to agree.`);
  }

  linked({ what, link }) {
    const text = { branch: "Open the branch: the order is yours to choose", rematch: "Open the new game" }[what] || capital(words(what));
    this.next(make("a", { href: link, target: "_blank", rel: "noopener" }, text));
  }

  next(...content) {
    byId("next").replaceChildren(...content);
    byId("next").hidden = false;
  }
}
