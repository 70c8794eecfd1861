// Why a record happened: order, decision, alternatives, dice, calculation, table cell, rules, and its fields.

import { rollDice } from "../proof/dice.js";
import { keyOf, keyOfRoll } from "../proof/chain.js";
import { hexOf } from "../proof/hashing.js";
import { capital, make, told, typeWords, words } from "../page/make.js";

export class Why {
  constructor(box, game) {
    this.box = box;
    this.game = game;
  }

  // A hidden panel is not built.
  show(number) {
    this.wanted = number;
    if (this.box.parentNode.classList.contains("chosen")) this.refresh();
  }

  refresh() {
    const number = this.wanted, { game } = this, record = game.record(number), why = game.view.why;
    const parts = [make("h3", {}, this.title(number, record))];
    if (!number || record.kind === "closed") parts.push(make("p", {}, number ? "This record is closed: its content is not on this page." : "The board before the first record."));
    parts.push(this.fields(record), ...this.ruling(record), ...this.rule(record, why));
    for (const each of (record.event && record.event.calculations) || []) parts.push(this.reckoning(each, why));
    const rolls = game.rollsBehind(number);
    if (rolls.length) parts.push(make("h4", {}, rolls.length > 1 ? "The dice" : "The roll"), ...rolls.map((each) => this.roll(each, why)));
    const orders = game.ordersBehind(number);
    if (orders.length) parts.push(make("h4", {}, orders[0] === number ? "The order" : "It follows from"), ...orders.map((each) => this.order(each, why, each === number)));
    const live = why.live[number];
    if (live !== undefined) parts.push(this.procedures(why, why.stacks[live]));
    this.box.replaceChildren(...parts.filter(Boolean));
  }

  title(number, record) {
    const what = record.event ? typeWords(record.event.type) : record.order ? typeWords(record.order.type) : record.kind === "order" ? "closed" : record.kind;
    return number ? `Record ${number}: ${record.kind === "order" ? `order of ${words(record.by)}, ` : ""}${what}` : "Before the first record";
  }

  fields(record) {
    const shown = record.event || record.order;
    if (!shown) return record.digest ? make("p", { class: "soft" }, `State digest ${record.digest}`) : null;
    const rows = Object.entries(shown)
      .filter(([key, value]) => !["type", "rule", "calculations"].includes(key) && value !== "" && value !== false && told(value) !== "")
      .map(([key, value]) => [make("dt", {}, words(key)), make("dd", {}, told(value))]);
    return rows.length ? make("dl", { class: "facts" }, ...rows.flat()) : null;
  }

  ruling(record) {
    if (record.kind !== "ruling" && record.kind !== "undo") return [];
    if (record.kind === "undo") return [make("p", {}, `${capital(words(record.by))} takes back the order in record ${record.to}.`)];
    return [make("p", {}, `${capital(words(record.by))} rules: ${record.reason}`)];
  }

  rule(record, why) {
    const ident = record.rule || (record.event && record.event.rule);
    return ident ? [this.cited(ident, why)] : [];
  }

  cited(ident, why) {
    return make("p", { class: "rule" }, make("code", {}, ident), why.rules[ident] ? ` ${why.rules[ident]}` : "");
  }

  reckoning({ name, steps = [], table }, why) {
    const rows = steps.map(([what, amount, rule]) => make("tr", {}, make("td", {}, what), make("td", { class: "n" }, String(amount)), make("td", {}, make("code", { title: why.rules[rule] || "" }, rule))));
    const sum = steps.reduce((total, [, amount]) => total + amount, 0);
    if (steps.length > 1) rows.push(make("tr", { class: "sum" }, make("th", { scope: "row" }, words(name)), make("td", { class: "n" }, String(sum)), make("td")));
    const title = table ? `${words(name)}: table ${table[0]}, row ${table[1]}, column ${table[2]}` : words(name);
    return make("table", { class: "reckoning" }, make("caption", {}, title), make("tbody", {}, ...rows));
  }

  roll(number, why) {
    const roll = this.game.record(number);
    const faces = roll.dice.map((face, i) => {
      const isHit = roll.needs && face <= roll.needs[i];
      return make("span", { class: isHit ? "cube hit" : "cube", title: roll.needs ? `needs ${roll.needs[i]} or less` : "" }, String(face));
    });
    const hits = roll.needs ? roll.dice.filter((face, i) => face <= roll.needs[i]).length : null;
    const answer = make("p", { class: "proof", role: "status" });
    const isShared = this.game.log.header.dice === "shared";
    const ready = (isShared || keyOf(this.game.log)) && !roll.by && roll.dice.length;  // a roll without dice has nothing to check
    const button = make("button", { type: "button", onclick: () => this.prove(roll, answer) }, "Check this roll");
    return make("div", { class: "roll" },
      make("p", {}, `${roll.dice.length}d${roll.sides} `, ...faces, hits === null ? "" : ` ${hits} of ${roll.dice.length} hit`, roll.by ? `, rolled by ${words(roll.by)}` : ""),
      make("p", { class: "soft" }, "Label ", make("code", {}, roll.label), " ", roll.rule ? make("code", { title: why.rules[roll.rule] || "" }, roll.rule) : ""),
      ready ? button : null, answer);
  }

  async prove(roll, answer) {
    const key = await keyOfRoll(this.game.log, roll.n), set = this.game.log.header.dice_set || {};
    if (!key) {
      answer.replaceChildren("ALTERED: no shares give this roll");
      return;
    }
    const { dice, blocks } = rollDice(key, roll.label, roll.dice.length, roll.sides);
    const isSet = Boolean(set[roll.label]), same = String(dice) === String(roll.dice);
    const verdict = same ? "The key gives the same" : isSet ? "These faces were set for this branch; the key gives" : "ALTERED: the key gives";
    answer.replaceChildren(`${verdict}: ${dice.join(" ")}. HMAC-SHA256(key, label) = `, make("code", {}, hexOf(blocks[0])),
      `; each eight hex digits are a number, modulo ${roll.sides}, plus one.`);
  }

  order(number, why, isOpen) {
    const record = this.game.record(number), [prompt, rule, others, more] = why.questions[number] || [];
    const order = record.order || {};
    const shown = isOpen ? "" : Object.entries(order).filter(([key]) => key !== "type")
      .map(([key, value]) => `${words(key)} ${told(value)}`).join("; ");
    const title = record.order ? `${capital(words(record.by))}: ${typeWords(order.type)}` : `${capital(words(record.by))}: a closed order`;
    return make("div", { class: "order" },
      make("p", {}, make("a", { href: `#record=${number}` }, `Record ${number}`), " ", make("strong", {}, title), shown.length > 200 ? `: ${shown.slice(0, 199)}…` : shown ? `: ${shown}` : ""),
      prompt ? make("p", { class: "soft" }, `Asked: ${prompt} `, rule ? make("code", { title: why.rules[rule] || "" }, rule) : "") : null,
      others && others.length ? make("details", {}, make("summary", {}, `Alternatives (${others.length}${more ? " and more" : ""})`), make("ul", {}, ...others.map((each) => make("li", {}, each)))) : null);
  }

  procedures(why, names) {
    const rows = names.map((name) => make("li", {}, make("strong", {}, words(name)), why.summaries[name] ? ` ${why.summaries[name]}` : ""));
    return make("details", {}, make("summary", {}, "Active procedures"), make("ol", {}, ...rows));
  }
}
