// Why a record happened: its rule, calculation, dice with their needs, the orders behind it, and the rules cited.

import { capital, make, told, typeWords, words } from "/s/viewer/scripts/page/make.js";

const MOST = 12;

// Return the parts of an explanation, as the server sends it; `nameOf` names seats, `look` shows a record.
export function drawWhy(why, { nameOf, look }) {
  const cited = (id) => (id ? make("p", { class: "rule" }, make("code", {}, id), why.rules[id] ? ` ${why.rules[id]}` : "") : "");
  const link = (record) => make("button", { type: "button", class: "link", onclick: () => look(record) }, `record ${record}`);
  const when = [why.turn ? `turn ${why.turn}` : "", words(why.phase || why.between.filter(Boolean).join(" to ")).replace(/\./g, ": ")].filter(Boolean).join(", ");
  const parts = [make("h2", {}, `Why record ${why.record}`), make("p", { class: "soft" }, `${capital(why.kind)}${when ? `, ${when}` : ""}`)];
  if (why.told) parts.push(make("p", {}, why.told));
  if (why.kind === "ruling") parts.push(make("p", {}, `A ruling of the umpire: ${why.what.reason}`));
  parts.push(cited(why.rule), ...sums(why));
  for (const roll of why.rolls) parts.push(...dice(roll, why, link));
  for (const each of why.decided) parts.push(...order(each, why, nameOf, link));
  if (!why.decided.length) parts.push(make("p", { class: "soft" }, "No single order led to it: it follows from the sequence of play."));
  const others = Object.entries(why.rules).filter(([id]) => id !== why.rule);
  if (others.length) parts.push(make("details", {}, make("summary", {}, `Other rules cited (${others.length})`), ...others.map(([id]) => cited(id))));
  return parts;
}

function sums(why) {
  const found = [...((why.what.event || {}).calculations || []), ...why.sums];
  return found.map(({ name, steps = [], table = [] }) => {
    const total = steps.reduce((sum, [, amount]) => sum + amount, 0);
    const rows = steps.map(([what, amount, rule]) => make("tr", {}, make("td", {}, what), make("td", { class: "n" }, amount > 0 ? `+${amount}` : String(amount)), make("td", {}, make("code", { title: why.rules[rule] || "" }, rule))));
    if (steps.length > 1) rows.push(make("tr", { class: "sum" }, make("th", { scope: "row" }, "total"), make("td", { class: "n" }, String(total)), make("td")));
    const cell = why.cells.find((each) => each.name === name), at = table.filter(Boolean).join(", ");
    const title = `${words(name)}${at ? `: table ${at}${cell && cell.value ? ` gives ${cell.value}` : ""}` : ""}`;
    return make("table", { class: "sums" }, make("caption", {}, title), make("tbody", {}, ...rows));
  });
}

function dice(roll, why, link) {
  const cubes = roll.dice.map((face, place) => make("span", { class: roll.needs.length && face <= roll.needs[place] ? "cube hit" : "cube" }, String(face)));
  const needs = roll.needs.length ? `, needs ${roll.needs.every((each) => each === roll.needs[0]) ? roll.needs[0] : roll.needs.join(" ")} or less` : "";
  const rows = roll.otherwise.slice(0, MOST).map(({ faces, fell, told: result, die }) => make("li", { class: fell ? "fell" : "" }, `${die ? `die ${die}: ` : ""}${ranges(faces)}${fell ? " (rolled)" : ""}: ${result}`));
  return [make("h3", {}, "Dice, in ", link(roll.record)), make("p", {}, ...cubes, needs, roll.rule ? make("code", { title: why.rules[roll.rule] || "" }, ` ${roll.rule}`) : ""),
    rows.length ? make("ul", {}, ...rows, roll.otherwise.length > MOST ? make("li", {}, `and ${roll.otherwise.length - MOST} more`) : "") : ""];
}

// Faces in short: "1-3" for single dice in a row, otherwise a list.
function ranges(faces) {
  const single = faces.every((each) => each.length === 1) ? faces.map(([each]) => each).sort((one, other) => one - other) : null;
  if (!single) return faces.slice(0, MOST).map((each) => each.join(" ")).join(", ") + (faces.length > MOST ? ", …" : "");
  const last = single.length - 1;
  return last > 0 && single[last] - single[0] === last ? `${single[0]}-${single[last]}` : single.join(", ");
}

function order({ record, by, asked, rule, order: given, others }, why, nameOf, link) {
  const fields = Object.entries(given).filter(([key]) => key !== "type").map(([key, value]) => `${words(key)} ${told(value)}`).join("; ");
  const shown = fields.length > 300 ? `${fields.slice(0, 299)}…` : fields;
  return [make("h3", {}, `${nameOf(by)} ordered, in `, link(record)), make("p", {}, `${capital(typeWords(given.type) || "lines")}${shown ? `: ${shown}` : ""}`),
    asked ? make("p", { class: "soft" }, `The question: ${asked} `, rule ? make("code", { title: why.rules[rule] || "" }, rule) : "") : "",
    others.length ? make("details", {}, make("summary", {}, `It could also (${others.length})`), make("ul", {}, ...others.map((each) => make("li", {}, told(each))))) : ""];
}
