// The table without its map: what is said aloud, where the focus goes, and places in words on demand.

import { byId, make } from "/s/viewer/scripts/page/make.js";

const MOST_LINES = 4, MOST_FOUND = 12;
const COMPASS = ["east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east"];

export class Access {
  constructor(board, looks, openTab) {
    Object.assign(this, { board, looks, openTab, isByKeys: false });
    document.addEventListener("keydown", () => { this.isByKeys = true; }, true);
    document.addEventListener("pointerdown", () => { this.isByKeys = false; }, true);
    byId("look-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.find(byId("look-for").value);
    });
    byId("held").addEventListener("click", (event) => {
      const button = event.target.closest("[data-place]");
      if (button) this.tell(button.dataset.place);
    });
    byId("options").addEventListener("focusin", (event) => this.describeOption(event.target));
    byId("ask").addEventListener("focusin", ({ target }) => { this.last = target.dataset.pick ? `[data-pick="${CSS.escape(target.dataset.pick)}"]` : ""; });
  }

  // --- what is said ---

  // Say something to those who listen; the same text twice is said twice.
  say(text) {
    const box = byId("spoken");
    box.textContent = box.textContent === text ? `${text}\u00a0` : text;
  }

  // The last lines of the story, and the question if it is a new one.
  sayNews(lines, question) {
    const told = lines.slice(-MOST_LINES).map(([, text]) => text);
    if (lines.length > MOST_LINES) told.unshift(`${lines.length - MOST_LINES} lines of the story before.`);
    const text = [...told, question].filter(Boolean).join(" ");
    if (text) this.say(text);
  }

  // A question in words: the prompt, what is chosen now, and how many choices there are.
  wordsOf(question) {
    const { ask, step } = question;
    if (!ask || !step) return "";
    const part = byId("said").innerText.replace(/\s+/g, " ").trim(), count = byId("options").querySelectorAll("button[data-pick]").length;
    const rows = step.table ? this.wordsOfSheet(step.table.rows, question) : "";
    const choices = step.ready ? `Ready: ${step.words}.` : rows || (count ? `${count} choice${count === 1 ? "" : "s"}.` : "");
    const wrong = byId("refused").innerText.trim();
    return [`${byId("prompt").textContent}.`, part, choices, wrong].filter(Boolean).join(" ");
  }

  // A sheet in words: its lines, the written ones, and what is wrong with the first ones.
  wordsOfSheet(rows, question) {
    const written = rows.filter((row) => row.written), wrong = written.filter((row) => row.wrong);
    const told = wrong.slice(0, MOST_LINES).map(({ key, title, wrong: why }) => `${title || question.nameOf(key)}: ${why.reason}.`);
    return [`A sheet of ${rows.length} lines, ${written.length} written${wrong.length ? `, ${wrong.length} wrong` : ""}.`, ...told].join(" ");
  }

  // After a step: whoever uses keys stays in the question, at the same choice if it is still there.
  refocus(question) {
    const { activeElement } = document;
    if (!this.isByKeys || byId("ask").hidden || activeElement && activeElement !== document.body && activeElement.isConnected) return;
    const same = question.step && question.step.members && this.last && byId("options").querySelector(this.last);
    const rows = question.step && question.step.table ? question.step.table.rows : [];
    const blank = rows.find(({ written, wrong }) => written && wrong) || rows.find(({ written }) => !written);
    const line = blank && byId("sheet").querySelector(`[data-line="${CSS.escape(blank.key)}"] button`);
    (same || byId("go") || byId("options").querySelector("button") || line || byId("handin") || byId("prompt")).focus();
  }

  // The focus is on a choice: its place is described, and shown on the map.
  describeOption(target) {
    const button = target.closest("button[data-place]");
    if (!button || !this.isByKeys) return;
    byId("about").textContent = this.board.scene ? this.board.scene.describe(button.dataset.place) : "";
    this.board.show([button.dataset.place]);
  }

  // --- places and units in words ---

  // The occupied places, as a list of buttons.
  list() {
    const { scene } = this.board;
    if (!scene || byId("map-panel").hidden) return;
    const held = scene.facts.kind === "drawn" ? scene.titles().map((text) => make("li", {}, text))
      : scene.byPlace().filter(([, , words]) => words.length).map(([place, name, words]) => make("li", {}, make("button", { type: "button", class: "link", "data-place": place }, name), `: ${words.join("; ")}`));
    byId("held").replaceChildren(...held);
  }

  // Places and counters by typed words: an exact code or name, or all that contain them.
  find(text) {
    const { scene } = this.board, needle = text.trim().toLowerCase();
    if (!scene || !needle) return;
    const { places, names } = scene.facts;
    const things = [...Object.keys(places).map((place) => [place, place, names[place] || ""]), ...scene.counters().filter(({ place }) => place).map(({ ident, place, caption }) => [place, ident, caption])];
    const exact = things.find(([, ident, name]) => [ident, name].some((each) => each.toLowerCase() === needle));
    const near = things.filter(([, ident, name]) => `${ident} ${name}`.toLowerCase().includes(needle));
    if (exact || near.length === 1) {
      const [place, ident] = exact || near[0];
      this.tell(place, ident === place ? "" : ident);
      return;
    }
    const told = near.slice(0, MOST_FOUND).map(([place, , name]) => make("li", {}, make("button", { type: "button", class: "link", "data-place": place }, name ? `${name} (${place})` : place)));
    byId("held").replaceChildren(...told);
    byId("found").textContent = near.length ? `${near.length} found${near.length > MOST_FOUND ? `, the first ${MOST_FOUND} listed` : ""}.` : `Nothing on the map is called "${text}".`;
  }

  // Describe a place: its contents, its neighbors by direction, and what the rules say about it or a counter there.
  tell(place, ident = "") {
    const { scene } = this.board, box = byId("found");
    const lines = [scene.describe(place) || scene.nameOf(place), this.around(place)].filter(Boolean);
    box.replaceChildren(...lines.map((each) => make("p", {}, each)));
    this.board.show([place]);
    this.looks.about(ident || place, (found) => {
      const more = found.flatMap(({ lines: told, rules }) => told.map(([text], at) => make("p", {}, at ? text : `${text}${rules && rules.length ? ` [${rules.join(", ")}]` : ""}`)));
      box.append(...more);
    });
  }

  around(place) {
    const { places, sides } = this.board.scene.facts, at = places[place];
    if (!sides || !at) return "";
    const { outliner } = this.board.scene;
    const told = [0, 1, 2, 3, 4, 5].map((side) => [outliner.neighbor(place, side), sides[side]]).filter(([near]) => near)
      .map(([near, [across, down]]) => `${COMPASS[Math.round(Math.atan2(down, across) / (Math.PI / 4) + 8) % 8]} ${this.board.scene.nameOf(near)}${places[near][2] ? `, ${places[near][2]}` : ""}`);
    return told.length ? `Next to it: ${told.join("; ")}.` : "";
  }
}
