// Check a die: its label, faces, need and rule, and how it is verified. The page computes the faces itself.

import { dueDice, rollDice } from "/s/viewer/scripts/proof/dice.js";
import { bytesOf, fromHex, hexOf, joinBytes, sha256 } from "/s/viewer/scripts/proof/hashing.js";
import { capital, make, words } from "/s/viewer/scripts/page/make.js";

export const MODES = {
  open: { name: "open dice", how: "All dice follow from one key. The first line of the log contains it." },
  host: { name: "host's dice", how: "All dice follow from one key, which only the host knows until the game is over. The log has shown a fingerprint of the key since before the first order, so the host could not change it." },
  manual: { name: "real dice", how: "The dice are rolled by hand, and their faces are typed. No program can check them: compare with people who saw them." },
};

const LATER = "While the game has secrets, the key is closed, because it would open them. When the game is over, the log shows it: then this page computes the faces again, here and in the replay page.";

export class DiceCheck {
  constructor(wire) {
    this.wire = wire;
    this.body = make("div", {});
    this.title = make("h2", { id: "dice-title" });
    const close = make("button", { type: "button", onclick: () => this.dialog.close() }, "Close");
    this.dialog = make("dialog", { id: "dice-check", "aria-labelledby": "dice-title" }, this.title, this.body, make("p", { class: "row" }, close));
    document.body.append(this.dialog);
  }

  // Ask for the dice of a line of the story.
  ask(record, text) {
    this.text = text;
    this.wire.send({ t: "dice", record });
  }

  // Explain how the dice of this game are verified.
  explain(mode, commitment) {
    this.open("How the dice are verified", make("p", {}, (MODES[mode] || {}).how || words(mode)), fingerprint(commitment), make("p", { class: "soft" }, "Choose ⚄ beside a line of the story to check its dice."));
  }

  show({ dice }) {
    const { mode, commitment, rolls, more } = dice, key = dice.key && fromHex(dice.key);
    const isPromised = !key || !commitment || hexOf(sha256(joinBytes(bytesOf("sandtable commitment\n"), key))) === commitment;
    this.open(`Dice of record ${dice.record}`,
      make("p", { class: "line" }, this.text || ""),
      ...rolls.map((each) => this.roll(each, key, dice.faces)),
      more ? make("p", { class: "soft" }, `${more} more rolls are not shown.`) : null,
      make("h3", {}, `How this is verified: ${(MODES[mode] || {}).name || words(mode)}`),
      make("p", {}, (MODES[mode] || {}).how || ""),
      isPromised ? null : make("p", { class: "bad", role: "alert" }, "ALTERED: the key does not fit the fingerprint in the log."),
      key || mode === "manual" ? null : make("p", {}, LATER), fingerprint(commitment));
  }

  open(title, ...parts) {
    this.title.textContent = title;
    this.body.replaceChildren(...parts.filter(Boolean));
    if (!this.dialog.open) this.dialog.showModal();
  }

  roll(roll, key, faces) {
    const { label, dice, sides, needs, rule } = roll;
    const cubes = dice.map((face, at) => make("span", { class: needs.length && face <= needs[at] ? "cube hit" : "cube", title: needs.length ? `needs ${needs[at]} or less` : "" }, String(face)));
    return make("section", { class: "roll" },
      make("p", {}, ...cubes, ` ${roll.words}`),
      rule ? make("p", { class: "soft" }, make("code", {}, rule), roll.rule_text ? ` ${roll.rule_text}` : "") : null,
      make("p", { class: "soft" }, "Label ", make("code", {}, label), roll.by ? `, rolled by ${capital(words(roll.by))}` : ""),
      key ? verdict(key, { label, dice, sides }, faces) : null);
  }
}

function fingerprint(commitment) {
  return commitment ? make("p", { class: "soft" }, "Fingerprint of the key ", make("code", {}, commitment)) : null;
}

// The verdict on a roll, with the calculation.
function verdict(key, roll, faces) {
  const due = dueDice(key, roll, faces), same = String(due) === String(roll.dice), isSet = Boolean(faces[roll.label]);
  const { blocks } = rollDice(key, roll.label, roll.dice.length, roll.sides);
  const told = !same ? `ALTERED: the key gives ${due.join(" ")}` : isSet ? "These faces were set when this game branched off" : "Verified: this page computed the same faces from the key";
  return make("div", { class: same ? "verdict good" : "verdict bad", role: "status" }, make("p", {}, `${same ? "✔" : "✘"} ${told}.`),
    make("details", {}, make("summary", {}, "The calculation"), make("p", { class: "soft" }, `HMAC-SHA256 of the label with the key. Each eight hex digits are a number; its remainder by ${roll.sides}, plus one, is a face.`), ...blocks.map((each) => make("code", {}, hexOf(each)))));
}
