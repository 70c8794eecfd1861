// The umpire's panel: disputes, rulings, inquiries, seats and the end. Players file their disputes in it.

import { byId, capital, make, words } from "/s/viewer/scripts/page/make.js";
import { eventFields, field, select } from "./fields.js";
import { drawWhy } from "./why.js";
import { showBranch } from "./branch.js";

const KINDS = [["event", "an event happens"], ["amend", "an order is replaced"], ["option", "an option changes"], ["withdraw", "a ruling is withdrawn"]];
const CHANGES = [["faces", "the dice fall differently"], ["order", "the order is another"], ["event", "an event happens before the order"], ["option", "an option has another value"]];

export class Umpire {
  // `look(record)` shows a record on the board; `sentence(record)` is its line in the story.
  constructor({ wire, on, note, nameOf, look, sentence }) {
    Object.assign(this, { wire, note, nameOf, look, sentence, record: 0, disputes: [], desk: null, asked: new Map(), form: null });
    this.box = byId("umpire-panel");
    this.tab = document.querySelector("[data-tab=umpire-panel]");
    this.parts = Object.fromEntries(["record", "answer", "disputes", "rule", "seats", "end"].map((name) => [name, make("section", { class: `umpire-${name}` })]));
    const own = { desk: (m) => this.takeDesk(m), disputes: (m) => this.takeDisputes(m), explained: (m) => this.show(drawWhy(m.why, this)), chances: (m) => this.showOdds(m), branch: (m) => showBranch(m, this), estimate: (m) => this.showEstimate(m), ruled: (m) => this.ruled(m), adjudicated: () => this.done("The game is over."), reseated: (m) => this.reseated(m), filed: () => this.done("The umpire has your dispute."), answered: () => this.done("Answered."), dispute_file: (m) => this.save(m), notice: (m) => note(m.words) };
    Object.assign(on, own);
    for (const kind of ["problem", "refused"]) {
      const usual = on[kind];
      on[kind] = (message) => (this.asked.has(message.id) ? this.refuse(message) : usual(message));
    }
    this.tab.addEventListener("click", () => this.opened());
  }

  hello(message) {
    this.isUmpire = message.viewer === "umpire";
    this.isPlayer = message.seats.length > 0 && !this.isUmpire;
    this.over = Boolean(message.outcome);
    document.documentElement.classList.toggle("umpire", this.isUmpire);
    this.tab.hidden = !(this.isUmpire || this.isPlayer && message.umpire);
    this.disputes = [];
    this.sides = Object.keys(message.players);
    const badge = byId("umpire-badge");
    badge.hidden = !message.umpire;
    badge.textContent = this.isUmpire ? "You are the umpire: you see everything" : message.umpire === "umpire" ? "An umpire sees everything" : "The host is the umpire, and sees everything";
    this.draw();
  }

  send(message) {
    const { waits: _, ...sent } = message, number = this.wire.send(sent);
    this.asked.set(number, message);
    return number;
  }

  // Ask what takes a while; a what-if keeps its form.
  inquire(message) {
    if (message.t !== "what_if") this.show(make("p", { role: "status" }, "The rules are run again …"));
    this.send(message);
  }

  // --- replies ---

  refuse({ id, words: text, why = [] }) {
    const request = this.asked.get(id);
    this.asked.delete(id);
    if (request.waits) return;
    const lines = text ? [text] : why.map(({ reason, rule }) => (rule ? `${reason} (${rule})` : reason));
    const isSealed = request.t === "rule" && /sealed orders/.test(text || "");
    this.show([...lines.map((each) => make("p", { class: "bad" }, capital(each))), isSealed ? make("button", { type: "button", onclick: () => this.waitWith(request) }, "Make it as soon as all are in") : ""]);
  }

  // Try a ruling again after each update, until the sealed orders of the group are open; this page must stay open.
  waitWith(request) {
    const cancel = () => {
      this.later = null;
      this.show(make("p", {}, "The ruling was not made."));
    };
    this.later = { ...request, waits: true };
    this.show([make("p", { role: "status" }, `The ruling waits for the sealed orders. Keep this page open. (${request.reason})`), make("button", { type: "button", onclick: cancel }, "Do not make it")]);
  }

  update(message) {
    this.over = Boolean(message.outcome);
    if (this.later && !this.over) this.send(this.later);
  }

  ruled({ record }) {
    this.later = null;
    this.done(`Ruled in record ${record}.`);
  }

  showEstimate({ games, won, bots }) {
    const rows = Object.entries(won).map(([side, number]) => make("p", {}, `${side === "draw" ? "Draw" : this.nameOf(side)}: ${number} of ${games}`));
    const names = Object.entries(bots).filter(([seat]) => seat !== "umpire").map(([seat, name]) => `${this.nameOf(seat)}: ${name}`).join(", ");
    this.show([make("h2", {}, "Played to the end by bots"), ...rows, make("p", { class: "soft" }, `Bots: ${names}. ${games < 20 ? "Few games ended in time: do not rely on them. " : ""}The dice are not those of the game.`)]);
  }

  done(text) {
    this.form = null;
    this.show(make("p", { role: "status" }, text));
    this.refresh();
  }

  show(content) {
    const close = make("button", { type: "button", class: "close", "aria-label": "close the answer", onclick: () => this.parts.answer.replaceChildren() }, "×");
    this.parts.answer.replaceChildren(close, ...[content].flat());
    this.parts.answer.scrollIntoView({ block: "nearest" });
  }

  showOdds({ record, label, dice, needs, lines }) {
    const fell = `${dice.join(" ")}${needs.length ? `, needing ${needs.join(" ")} or less` : ""}`;
    this.show([make("h2", {}, `Odds of the roll in record ${record}`), make("p", { class: "soft" }, `${label}: rolled ${fell}`), ...lines.map((each) => make("p", {}, each))]);
  }

  reseated({ seat, link }) {
    if (!link) return this.done(`${this.nameOf(seat)} is played by another player now.`);
    this.refresh();
    const url = location.origin + link;
    this.show([make("p", {}, `The new link of ${this.nameOf(seat)}. Send it in private: whoever has it plays that seat.`), make("p", {}, make("code", {}, url)), make("button", { type: "button", onclick: () => navigator.clipboard && navigator.clipboard.writeText(url) }, "Copy")]);
    return undefined;
  }

  save({ name, text }) {
    const url = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  takeDisputes({ list }) {
    const before = new Map(this.disputes.map((each) => [each.n, each]));
    for (const each of list) {
      const known = before.get(each.n);
      if (this.isUmpire && !known && !each.answer) this.note(`A dispute by ${this.nameOf(each.by)} over record ${each.record}: ${each.claim}`);
      if (this.isPlayer && known && !known.answer && each.answer) this.note(`Your dispute over record ${each.record} was ${each.answer.upheld ? "upheld" : "rejected"}: ${each.answer.text}`);
    }
    this.disputes = list;
    this.drawDisputes();
  }

  // --- the material of the forms ---

  opened() {
    if (this.isUmpire) this.refresh();
  }

  refresh() {
    if (this.isUmpire) this.send({ t: "desk" });
  }

  takeDesk(message) {
    this.desk = message;
    this.drawRule();
    this.drawSeats();
    this.drawEnd();
    this.drawRecord();
  }

  // The record that was clicked last.
  chose(record) {
    this.record = record;
    this.drawRecord();
  }

  // --- drawing ---

  draw() {
    const { record, answer, disputes, rule, seats, end } = this.parts;
    answer.replaceChildren();
    this.box.replaceChildren(...(this.isUmpire ? [record, answer, disputes, rule, seats, end] : [record, answer, disputes]));
    this.drawRecord();
    this.drawDisputes();
    for (const each of [rule, seats, end]) each.replaceChildren();
  }

  drawRecord() {
    const box = this.parts.record, { record } = this, told = record ? this.sentence(record) : "";
    const order = this.desk && this.desk.orders.find(({ n }) => n === record);
    const what = told || (order ? `${this.nameOf(order.by)}: ${order.words}` : "");
    const head = record ? make("p", {}, make("b", {}, `Record ${record}`), what ? ` ${what}` : "") : make("p", { class: "soft" }, "Click a line under What happened, or move the slider, to choose a record.");
    if (!this.isUmpire) return box.replaceChildren(head, this.disputeForm());
    const actions = record ? [
      make("button", { type: "button", onclick: () => this.inquire({ t: "explain", record }) }, "Why?"),
      make("button", { type: "button", onclick: () => this.inquire({ t: "chances", record }) }, "Odds"),
      make("button", { type: "button", onclick: () => this.whatIfForm() }, "What if …"),
      order ? make("button", { type: "button", onclick: () => this.open("amend", { amends: record }) }, "Replace this order …") : "",
    ] : [];
    return box.replaceChildren(head, make("p", { class: "row" }, ...actions));
  }

  // --- disputes ---

  disputeForm() {
    const claim = make("textarea", { rows: 2, maxlength: 1000, required: true }), rule = make("input", { maxlength: 200, size: 8 });
    return make("form", { class: "fields", onsubmit: (event) => {
      event.preventDefault();
      this.send({ t: "dispute", record: this.record, claim: claim.value, rule: rule.value.trim() });
      claim.value = "";
    } }, make("h2", {}, "Dispute this record"), field("What is wrong, in a sentence? The umpire reads it.", claim), field("Rule, if you know it", rule),
    make("p", {}, make("button", { class: "go", disabled: !this.record }, "File the dispute")));
  }

  drawDisputes() {
    const open = this.disputes.filter(({ answer }) => !answer).length;
    this.tab.textContent = `${this.isUmpire ? "Umpire" : "Disputes"}${open ? ` (${open})` : ""}`;
    const rows = this.disputes.map((each) => this.dispute(each)).reverse();
    const none = this.isUmpire ? make("p", { class: "soft" }, "No dispute was filed.") : "";
    this.parts.disputes.replaceChildren(make("h2", {}, this.isUmpire ? "Disputes" : "Your disputes"), ...(rows.length ? rows : [none]));
  }

  dispute(found) {
    const { n, record, by, claim, rule, answer } = found;
    const state = answer ? make("p", { class: answer.upheld ? "upheld" : "rejected" }, make("b", {}, answer.upheld ? "Upheld: " : "Rejected: "), answer.text, answer.rule ? ` (${answer.rule})` : "") : this.isUmpire ? "" : make("p", { class: "soft" }, "The umpire has not answered yet.");
    const judge = this.isUmpire && !answer ? [
      make("button", { type: "button", onclick: () => this.open("event", { dispute: n, about: record, rule, claim }) }, "Uphold and rule …"),
      make("button", { type: "button", onclick: () => this.answerForm(found, true) }, "Uphold without a ruling …"),
      make("button", { type: "button", onclick: () => this.answerForm(found, false) }, "Reject …"),
    ] : [];
    return make("article", { class: answer ? "dispute" : "dispute open", "data-dispute": n },
      make("p", {}, make("b", {}, `${this.nameOf(by)} `), make("button", { type: "button", class: "link", onclick: () => this.look(record) }, `record ${record}`), `${rule ? ` (${rule})` : ""}: ${claim}`),
      state, make("p", { class: "row" }, ...judge, make("button", { type: "button", onclick: () => this.send({ t: "dispute_file", dispute: n }) }, "Download the file")));
  }

  answerForm({ n, record, rule }, upheld) {
    const text = make("textarea", { rows: 2, maxlength: 1000, required: true }), cited = make("input", { maxlength: 200, size: 8, value: rule });
    this.show(make("form", { class: "fields", onsubmit: (event) => {
      event.preventDefault();
      this.send({ t: "answer", dispute: n, upheld, text: text.value, rule: cited.value.trim() });
    } }, make("h2", {}, `${upheld ? "Uphold" : "Reject"} the dispute over record ${record}`), field("Reason, for the player", text), field("Rule", cited), make("p", {}, make("button", { class: "go" }, upheld ? "Uphold" : "Reject"))));
    text.focus();
  }

  // --- rulings ---

  open(kind, given = {}) {
    this.form = { kind, given };
    this.drawRule();
    const reason = this.parts.rule.querySelector("[name=reason]");
    if (reason) reason.focus();
    this.parts.rule.scrollIntoView({ block: "start" });
  }

  drawRule() {
    if (!this.desk || this.over) return this.parts.rule.replaceChildren();
    const { kind, given } = this.form || { kind: "event", given: {} };
    const chooser = select(KINDS, kind, (value) => this.open(value, { ...given, amends: 0 }));
    const [fields, value] = this[`${kind}Fields`](given);
    const reason = make("input", { name: "reason", maxlength: 1000, required: true }), rule = make("input", { maxlength: 200, size: 8, value: given.rule || "" });
    const waiting = this.desk.waiting.map(({ seat, prompt }) => make("p", { class: "soft" }, `Pending: ${this.nameOf(seat)}: ${prompt}`));
    const about = given.dispute ? make("p", {}, `This upholds the dispute over record ${given.about}.`) : "";
    return this.parts.rule.replaceChildren(make("form", { class: "fields", onsubmit: (event) => {
      event.preventDefault();
      this.send({ t: "rule", ...value(), reason: reason.value, rule: rule.value.trim(), about: given.about || 0, dispute: given.dispute || 0 });
    } }, make("h2", {}, "Make a ruling"), ...waiting, about, field("Kind", chooser), ...fields, field("Reason, for all players", reason), field("Rule", rule),
    make("p", { class: "soft" }, "The log stores a ruling and its reason, and every side sees both."),
    make("p", {}, make("button", { class: "go" }, "Rule"))));
  }

  eventFields() {
    const [box, value] = eventFields(this.desk.events);
    return [[box], () => ({ event: value() })];
  }

  amendFields({ amends }) {
    const orders = [...this.desk.orders].reverse(), chosen = orders.find(({ n }) => n === amends) || orders[0];
    if (!chosen) return [[make("p", { class: "soft" }, "No order was given yet.")], () => ({})];
    const text = make("textarea", { rows: 3, maxlength: 20000, spellcheck: false, required: true });
    text.value = chosen.text;
    const keep = make("input", { type: "checkbox", checked: true });
    const chooser = select(orders.map(({ n, by, words: told }) => [n, `${n} ${this.nameOf(by)}: ${told}`]), chosen.n, (value) => this.open("amend", { ...this.form.given, amends: Number(value) }));
    return [[field("The order", chooser), field("The new order, as it is typed in the game, or as JSON", text), field("Give the later orders again, if they still fit", keep)],
      () => ({ amends: chosen.n, order: text.value, keeps_later: keep.checked })];
  }

  optionFields() {
    const { options } = this.desk;
    if (!options.length) return [[make("p", { class: "soft" }, "The rules have no option that can change in play.")], () => ({})];
    const about = make("p", { class: "soft" }), values = select([], ""), now = () => options.find(({ name }) => name === chooser.value);
    const draw = () => {
      const { value, text, values: all } = now();
      values.replaceChildren(...all.map((each) => make("option", { value: each, disabled: each === value, selected: each === all.find((other) => other !== value) }, each === value ? `${words(each)} (now)` : words(each))));
      about.textContent = text;
    };
    const chooser = select(options.map(({ name }) => [name, words(name)]), options[0].name, draw);
    draw();
    return [[field("Option", chooser), about, field("Value from now on", values)], () => ({ option: chooser.value, value: values.value })];
  }

  withdrawFields() {
    const { rulings } = this.desk;
    if (!rulings.length) return [[make("p", { class: "soft" }, "There is no ruling to withdraw.")], () => ({})];
    const chooser = select([...rulings].reverse().map(({ n, reason }) => [n, `${n}: ${reason}`]), rulings.at(-1).n);
    return [[field("Ruling", chooser)], () => ({ withdraws: Number(chooser.value) })];
  }

  // --- what if ---

  whatIfForm(kind = "") {
    if (!this.desk) return this.refresh();
    const { record } = this, order = this.desk.orders.find(({ n }) => n === record);
    const chosen = kind || (order ? "order" : "faces");
    const [fields, value] = this.changeFields(chosen, order);
    const bots = make("input", { type: "checkbox" });
    return this.show(make("form", { class: "fields", onsubmit: (event) => {
      event.preventDefault();
      this.inquire({ t: "what_if", record, ...value(), bots: bots.checked });
    } }, make("h2", {}, `What if … in record ${record}`), field("Change", select(CHANGES, chosen, (each) => this.whatIfForm(each))), ...fields, field("Bots answer where the recorded orders end", bots),
    make("p", {}, make("button", { class: "go" }, "Show a second board"))));
  }

  changeFields(kind, order) {
    if (kind === "event") return this.eventFields();
    if (kind === "option") return this.optionFields();
    const text = make(kind === "faces" ? "input" : "textarea", { spellcheck: false, required: true, maxlength: 20000, placeholder: kind === "faces" ? "4 2" : "" });
    if (kind === "order") {
      text.value = order ? order.text : "";
      return [[field("The order instead", text)], () => ({ order: text.value })];
    }
    return [[field("Faces of the roll, in order", text)], () => ({ faces: text.value.split(/[\s,]+/).filter(Boolean).map(Number).filter(Number.isInteger) })];
  }

  // --- seats, and the end ---

  drawSeats() {
    const rows = this.desk.seats.map(({ seat, player, players }) => {
      const chooser = select(players.map((each) => [each, each === "human" ? "a new person" : each]), player, () => {});
      chooser.setAttribute("aria-label", `new player of ${this.nameOf(seat)}`);
      const give = () => confirm(`Give ${this.nameOf(seat)} to another player?`) && this.send({ t: "reseat", seat, player: chooser.value });
      return make("p", { class: "row", "data-seat": seat }, make("span", {}, `${this.nameOf(seat)} (${player === "human" ? "a person" : player})`), chooser, make("button", { type: "button", onclick: give }, "Replace"));
    });
    this.parts.seats.replaceChildren(make("details", {}, make("summary", {}, "Players"), make("p", { class: "soft" }, "A new person gets a new link; the old link of the seat no longer opens it. The log notes the change."), ...rows));
  }

  drawEnd() {
    const { sides, standing } = this.desk;
    if (this.over) return this.parts.end.replaceChildren();
    const outcome = select([...sides.map((each) => [each, `victory for ${this.nameOf(each)}`]), ["draw", "a draw"]], "draw"), reason = make("input", { maxlength: 1000, required: true });
    const rated = Object.entries(standing).map(([side, value]) => `${this.nameOf(side)} ${(value / 10).toFixed(1)} %`).join(", ");
    return this.parts.end.replaceChildren(make("details", {}, make("summary", {}, "End the game"), rated ? make("p", { class: "soft" }, `The rules' evaluation, without playing on: ${rated}.`) : "", make("p", {}, make("button", { type: "button", onclick: () => this.inquire({ t: "estimate" }) }, "Let bots play it to the end, 20 times")), make("form", { class: "fields", onsubmit: (event) => {
      event.preventDefault();
      if (confirm("End this game? It cannot be continued.")) this.send({ t: "adjudicate", outcome: outcome.value, reason: reason.value });
    } }, field("Result", outcome), field("Reason, for all players", reason), make("p", {}, make("button", { class: "go" }, "End the game")))));
  }

  // A click on the map fills the field that was used last.
  clicked(counters, place) {
    const used = this.box.querySelector("[data-event-field].used");
    if (!this.isUmpire || this.box.hidden || !used || !(place || counters.length)) return false;
    const isPlace = /hex|space|place|area|path|from|to|at|target/.test(used.name);
    const found = (isPlace ? place : counters[0]) || place || counters[0];
    if (used.tagName !== "TEXTAREA") used.value = found;
    else {
      let list = [];
      try { list = JSON.parse(used.value); } catch { /* it is written anew */ }
      used.value = JSON.stringify(Array.isArray(list) ? [...list, found] : found);
    }
    return true;
  }
}
