// The planning board: a frame that nobody takes for the game, and how dice fall and the others answer in the plan.

import { make, words } from "/s/viewer/scripts/page/make.js";

const DICE = [["expected", "as expected"], ["random", "at random"], ["typed", "as I type"]];
const OTHERS = [["bot", "a bot answers for the others"], ["me", "I answer for the others"]];

export class Plan {
  constructor(wire) {
    this.wire = wire;
    document.documentElement.classList.add("planning");
    const select = (label, options) => make("select", { "aria-label": label, onchange: () => this.send() }, ...options.map(([value, text]) => make("option", { value }, text)));
    this.dice = select("dice of the plan", DICE);
    this.others = select("who answers for the others", OTHERS);
    this.text = make("p", {});
    this.faces = make("input", { "aria-label": "faces", autocomplete: "off", inputmode: "numeric" });
    this.roll = make("form", { class: "row", hidden: true, onsubmit: (event) => this.type(event) });
    this.state = make("span", { role: "status" });
    document.querySelector("header").after(make("section", { class: "plan-band", "aria-label": "planning board" },
      make("p", { class: "plan-title" }, make("strong", {}, "✎ PLANNING BOARD — not the game"), " Nothing here is sent or kept."), this.text,
      make("p", { class: "row" }, make("label", {}, "Dice fall ", this.dice), this.others, make("button", { type: "button", onclick: () => this.send(true) }, "Deal another position"), this.state), this.roll));
  }

  send(deal = false) {
    this.wire.send({ t: "plan", dice: this.dice.value, others: this.others.value, deal });
  }

  type(event) {
    event.preventDefault();
    this.wire.send({ t: "faces", faces: (this.faces.value.match(/\d+/g) || []).map(Number) });
    this.faces.value = "";
  }

  show({ dice, others, side, steps, roll, over }, nameOf) {
    Object.assign(this.dice, { value: dice });
    Object.assign(this.others, { value: others });
    this.text.textContent = `A position that fits what ${nameOf(side)} knows: what is hidden is a guess, and so is what the others do.`;
    this.state.textContent = over ? `The plan ends: ${words(over)}.` : steps ? `${steps} step${steps > 1 ? "s" : ""}` : "";
    this.roll.hidden = !roll;
    if (!roll) return;
    const needs = roll.needs.length ? `, needs ${[...new Set(roll.needs)].join(", ")} or less` : "";
    this.roll.replaceChildren(make("label", {}, `Type ${roll.dice} face${roll.dice > 1 ? "s" : ""} (1 to ${roll.sides}) for ${words(roll.words).replace(/[.:]/g, " ")}${needs}: `, this.faces), make("button", {}, "Roll"));
  }
}
