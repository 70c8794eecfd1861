// The pending question: picks so far, the next step, and the lines of a sheet. The server keeps nothing of it.

import { byId, capital, make, words } from "/s/viewer/scripts/page/make.js";

const MANY = 40;

export class Question {
  constructor(wire, board, note) {
    Object.assign(this, { wire, board, note, ask: null, confirming: null, drawn: () => {} });
    this.reset();
  }

  reset() {
    Object.assign(this, { picks: [], step: null, lines: {}, line: "", within: [], chosen: [], expected: 0, giving: false, filter: "" });
  }

  // A new question, or none; `draft` is what was kept of it.
  put(ask, draft = "") {
    const isSame = this.ask && ask && this.ask.q === ask.q;
    this.ask = ask;
    if (ask) this.confirming.sit(ask.seat);
    if (!isSame) {
      this.reset();
      this.step = ask ? ask.step : null;
      this.refuse([]);
      if (ask) this.toTop();
      if (ask && draft) this.restore(JSON.parse(draft));
    }
    this.draw(!isSame);
  }

  restore({ picks, lines }) {
    this.lines = lines;
    if (picks.length || Object.keys(lines).length) this.expand(picks);
  }

  // --- asking the server ---

  expand(picks, giving = false) {
    this.giving = giving;
    this.expected = this.wire.send({ t: "expand", q: this.ask.q, picks, lines: this.lines });
    this.asking = { picks, line: "", within: [] };
  }

  expandLine(key, within) {
    this.expected = this.wire.send({ t: "expand", q: this.ask.q, picks: this.picks, line: key, within });
    this.asking = { picks: this.picks, line: key, within };
  }

  takeStep({ id, q, step }) {
    if (!this.ask || q !== this.ask.q || id !== this.expected) return;
    const { picks, line, within } = this.asking;
    if (line && step.ready && !(step.wrong || []).length) {
      this.writeLine(line, { picks: within });
      return;
    }
    Object.assign(this, { picks, line, within, chosen: [], filter: "" });
    this.step = step;
    this.refuse(step.wrong || []);
    if (!line && step.ready && this.mayGiveAtOnce()) {
      this.give();
      return;
    }
    this.draw();
    this.toTop();
    this.keep();
  }

  // The panel with the question scrolls on a wide page; on a narrow one, all that is below the board.
  toTop() {
    for (const each of [byId("ask"), byId("ask").parentElement]) each.scrollTop = 0;
  }

  mayGiveAtOnce() {
    return this.giving ? !this.step.warning : !this.confirming.asks(this.step);
  }

  give() {
    this.wire.send({ t: "give", q: this.ask.q, picks: this.picks });
  }

  keep() {
    this.wire.send({ t: "keep", q: this.ask.q, picks: this.picks, lines: this.lines });
  }

  // --- picks ---

  pick(option) {
    if (this.line) this.expandLine(this.line, [...this.within, option]);
    else this.expand([...this.picks, option]);
  }

  back() {
    if (this.line) {
      if (this.within.length) this.expandLine(this.line, this.within.slice(0, -1));
      else this.leaveLine();
    } else if (this.picks.length) this.expand(this.picks.slice(0, -1));
  }

  toggle(option) {
    const { most } = this.step.members;
    if (this.chosen.includes(option)) this.chosen = this.chosen.filter((each) => each !== option);
    else if (most === 1) this.chosen = [option];
    else if (this.chosen.length < most) this.chosen = [...this.chosen, option];
    this.draw();
  }

  takeMembers() {
    const order = this.step.members.options.map(([pick]) => pick).filter((each) => this.chosen.includes(each));
    this.pick(`[${order.join(",")}]`);
  }

  // --- sheets ---

  openLine(key) {
    this.expandLine(key, []);
  }

  leaveLine() {
    this.line = "";
    this.expand(this.picks);
  }

  writeLine(key, line) {
    if (line === null) delete this.lines[key];
    else this.lines[key] = line;
    this.line = "";
    this.expand(this.picks);
  }

  takeLines({ lines }) {
    for (const [key, line] of Object.entries(lines)) {
      if (line.text === "" || line.text === "-") delete this.lines[key];
      else this.lines[key] = line;
    }
    this.expand(this.picks);
  }

  handIn() {
    const sheet = `=${JSON.stringify(this.lines)}`;
    this.expand([...this.picks, sheet], true);
  }

  // --- drawing ---

  draw(isNew = false) {
    byId("ask").hidden = !this.ask;
    if (this.ask && this.step) this.drawQuestion(this);
    else this.board.mark({});
    this.drawn(isNew);
  }

  drawQuestion({ ask }) {
    byId("prompt").textContent = `${capital(words(ask.seat))}: ${ask.prompt}`;
    const rule = byId("rule");
    rule.hidden = !ask.rule;
    rule.firstElementChild.textContent = ask.rule || "";
    rule.lastElementChild.textContent = ask.rule_text || "";
    this.drawSaid();
    this.drawChoices();
    this.drawReady();
    this.drawTable();
    byId("back").disabled = !this.picks.length && !this.line;
    byId("undo").disabled = Boolean(ask.no_undo);
    byId("undo").title = ask.no_undo ? `Not possible: ${ask.no_undo}` : "Take back my last order";
    byId("typed-hint").textContent = ask.hint ? `Examples:\n${ask.hint}` : "An order as JSON, as stored in a log.";
    this.mark();
  }

  drawSaid() {
    const box = byId("said"), { step } = this;
    box.textContent = "";
    if (this.line) box.append(make("span", { class: "chip" }, `line ${this.nameOf(this.line)}`));
    for (const [part, told] of step.said || []) box.append(make("span", { class: "chip" }, `${part}: ${this.nameOf(told)}`));
    const part = step.part && step.part !== "order" && !step.table ? `${words(this.nameOf(step.part))}?` : "";
    if (part) box.append(make("span", { class: "next" }, part));
    if (step.stuck) box.append(make("span", { class: "bad" }, step.stuck));
  }

  nameOf(text) {
    return this.board.nameOf(text) || text;
  }

  drawChoices() {
    const box = byId("options"), { step } = this;
    box.textContent = "";
    if (step.members) this.drawMembers(box);
    else if (step.longest) this.drawText(box);
    else this.drawOptions(box, step.options || []);
  }

  drawOptions(box, options) {
    const seen = new Map(), shown = this.near ? this.onMap().filter(([pick]) => this.near.includes(pick)) : options;
    if (options.length > MANY && !this.near) {
      const search = make("input", { type: "search", value: this.filter, placeholder: `search ${options.length} options`, "aria-label": "search the options" });
      search.addEventListener("input", () => { this.filter = search.value; this.fill(list, options); });
      box.append(search);
    }
    if (this.near) box.append(make("button", { type: "button", class: "link", onclick: () => { this.near = null; this.draw(); } }, "all options"));
    const list = make("div", { class: "list" });
    box.append(list);
    this.fill(list, shown, seen);
    if (this.step.more > 0) box.append(make("p", { class: "soft" }, `and ${this.step.more} more: type them below`));
  }

  fill(list, options, seen = new Map()) {
    list.textContent = "";
    const needle = this.filter.toLowerCase();
    for (const [pick, told, at, effect] of options) {
      const text = this.nameOf(told), key = `${text}|${at}|${effect}`;
      if (needle && !text.toLowerCase().includes(needle)) continue;
      const same = seen.get(key);
      if (same) {
        same.count += 1;
        same.button.firstChild.textContent = `${text} ×${same.count}`;
        continue;
      }
      const number = seen.size + 1;
      const button = make("button", {
        type: "button", "data-pick": pick, onclick: () => this.pick(pick), title: number < 10 ? `key ${number}` : null,
        "data-place": this.board.placeOf(at[at.length - 1]),
        onpointerenter: () => this.board.mark({ ...this.marks(), taken: at }), onpointerleave: () => this.mark(),
      }, text, effect ? make("small", {}, effect) : "");
      seen.set(key, { count: 1, button });
      list.append(button);
    }
  }

  drawMembers(box) {
    const { least, most, options } = this.step.members, { length } = this.chosen;
    const list = make("div", { class: "list" });
    for (const [pick, told, at] of options)
      list.append(make("button", {
        type: "button", "data-pick": pick, "aria-pressed": String(this.chosen.includes(pick)), onclick: () => this.toggle(pick),
        onpointerenter: () => this.board.mark({ ...this.marks(), taken: at }), onpointerleave: () => this.mark(),
      }, this.nameOf(told)));
    const need = least === most ? `${least}` : `${least} to ${most}`;
    const isRight = length >= least && length <= most;
    box.append(list, make("p", { class: "row" },
      make("button", { type: "button", class: "go", id: "take", disabled: !isRight, onclick: () => this.takeMembers() }, length ? `Take ${length}` : "Take none"),
      most === options.length && most > 1 ? make("button", { type: "button", onclick: () => { this.chosen = options.map(([pick]) => pick); this.draw(); } }, "All") : "",
      make("span", { class: "soft" }, `choose ${need} of ${options.length}`)));
  }

  drawText(box) {
    const text = make("textarea", { rows: 3, maxlength: this.step.longest, "aria-label": words(this.step.part) });
    box.append(text, make("p", {}, make("button", { type: "button", class: "go", onclick: () => this.pick(JSON.stringify(text.value)) }, "Next")));
  }

  drawReady() {
    const box = byId("ready"), { step } = this;
    box.textContent = "";
    if (!step.ready || this.line) return;
    if (step.warning) box.append(make("p", { class: "warning" }, step.warning));
    const told = step.words.length > 160 ? `${step.words.slice(0, 160)} …` : step.words;
    const after = { rolls: "Dice will be rolled.", passes: "Then others decide." }[step.leads_to];
    box.append(
      make("button", { type: "button", class: "go", id: "go", onclick: () => this.give() }, step.warning ? `Do it anyway: ${told}` : `Do it: ${told}`),
      make("button", { type: "button", id: "odds", onclick: () => this.wire.send({ t: "odds", q: this.ask.q, picks: this.picks }) }, "Odds"),
      after ? make("span", { class: "soft" }, after) : "",
    );
  }

  drawTable() {
    const box = byId("sheet"), table = this.step.table;
    box.hidden = !table;
    box.textContent = "";
    if (!table) return;
    const { rows } = table, written = rows.filter((row) => row.written).length;
    const bad = rows.some((row) => row.wrong) || (table.others || []).length;
    const body = make("tbody", {}, ...rows.map((row) => this.row(row)));
    box.replaceChildren(
      make("p", { class: "row" }, make("button", { type: "button", class: "go", id: "handin", disabled: Boolean(bad), onclick: () => this.handIn() }, `Hand in (${written} of ${rows.length} written)`)),
      ...(table.others || []).map((each) => this.refusal(each)),
      make("table", {}, body),
    );
  }

  row(row) {
    const key = row.key, name = row.title || this.nameOf(key);
    const isBlank = !row.written && row.required; // it says so already
    const wrong = row.wrong && !isBlank ? make("span", {}, make("small", { class: "bad" }, `${row.wrong.reason} (${row.wrong.rule})`), make("small", {}, row.wrong.text || "")) : "";
    const echo = !row.wrong && row.echo ? make("small", {}, row.echo) : "";
    const clear = row.written ? make("button", { type: "button", "aria-label": `blank ${name}`, onclick: (event) => { event.stopPropagation(); this.writeLine(key, null); } }, "×") : "";
    const open = make("button", { type: "button", class: "link", onclick: () => this.openLine(key) }, name);
    return make("tr", { "data-line": key, onpointerenter: () => this.board.mark({ ...this.marks(), taken: row.at || [] }) },
      make("td", {}, open, row.required ? make("small", {}, "required") : ""), make("td", {}, row.written || "–", wrong, echo), make("td", {}, clear));
  }

  refusal({ rule, reason, text }) {
    return make("p", { class: "bad" }, `${reason}${rule ? ` (${rule})` : ""}`, text ? make("small", {}, text) : "");
  }

  refuse(why) {
    byId("refused").replaceChildren(...why.map((each) => this.refusal(each)));
  }

  // --- the board ---

  marks() {
    const { step } = this;
    if (!step) return {};
    const about = step.about || [];
    if (step.members) {
      const taken = step.members.options.filter(([pick]) => this.chosen.includes(pick)).flatMap(([, , at]) => at);
      return { may: step.members.options.flatMap(([, , at]) => at), taken, about };
    }
    if (step.table) return { may: step.table.rows.filter((row) => !row.written).flatMap((row) => row.at || []), about };
    return { may: this.onMap().flatMap(([, , at]) => at.slice(-1)), about };
  }

  // What a click on the map may choose: options, and orders together with their first part.
  onMap() {
    return [...this.step.options || [], ...this.step.jumps || []];
  }

  mark() {
    this.board.mark(this.marks());
  }

  // A click on the map: a member, an option there, or a line of the sheet.
  clicked(counters, place) {
    const { step } = this;
    if (!this.ask || !step) return;
    const things = [...counters, place].filter(Boolean);
    if (step.members) {
      const found = things.flatMap((thing) => step.members.options.filter(([, , at]) => at.includes(thing)));
      if (found.length) this.toggle(found.find(([pick]) => !this.chosen.includes(pick))?.[0] || found[0][0]);
      return;
    }
    for (const thing of things) {
      const found = this.onMap().filter(([, , at]) => at[at.length - 1] === thing || at.length === 1 && at[0] === thing);
      const kinds = new Set(found.map(([, told]) => told));
      if (found.length === 1 || found.length && kinds.size === 1) {
        this.pick(found[0][0]);
        return;
      }
      if (found.length) {
        this.near = found.map(([pick]) => pick);
        this.draw();
        this.near = null;
        return;
      }
    }
    const row = step.table && step.table.rows.find(({ key, at }) => things.includes(key) || things.some((thing) => (at || []).includes(thing)));
    if (row) this.openLine(row.key);
  }
}

