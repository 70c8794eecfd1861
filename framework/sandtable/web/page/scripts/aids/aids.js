// All aids of the table in one place: access, looks, keys, theme, the phone's sheet, fans of stacks, confirm levels.

import { byId } from "/s/viewer/scripts/page/make.js";
import { Explorer } from "/s/viewer/scripts/board/explore.js";
import { Access } from "./access.js";
import { Confirming } from "./confirming.js";
import { Fan } from "./fan.js";
import { Looks } from "./hover.js";
import { Keys } from "./keys.js";
import { BottomSheet } from "./phone.js";
import { listenToTabs, openTab } from "./tabs.js";
import { Theme } from "./theme.js";

export class Aids {
  // `acts` are what main does for buttons and keys, by the id of the button; `look(record)` shows the past.
  constructor(game, { wire, board, question, acts, look }) {
    Object.assign(this, { board, question, acts, look });
    listenToTabs();
    this.keys = new Keys();
    this.theme = new Theme(board.frame);
    this.sheet = new BottomSheet();
    this.looks = new Looks(wire, board);
    this.access = new Access(board, this.looks, openTab);
    this.fan = new Fan(board, (ident) => this.choose([ident], ""));
    question.confirming = new Confirming(game);
    question.drawn = (isNew) => this.drawn(isNew);
    board.hovered = (thing) => this.looks.hover(thing);
    document.querySelector("[data-tab=map-panel]").addEventListener("click", () => this.access.list());
    this.addKeys();
  }

  // The board has begun: `isFirst` is false after a reconnection.
  begun() {
    this.looks.forget();
    this.theme.paint();
    this.board.open();
    this.access.list();
    const player = { scenes: [this.board.scene], now: this.board.now, goTo: () => {} };
    if (this.board.scene && this.board.zoom && !this.explorer) this.explorer = new Explorer(player, this.board.zoom);
    else if (this.explorer) this.explorer.player = player;
    byId("explore").hidden = !this.explorer || !Object.keys(this.board.scene.facts.places).length;
  }

  // The game has moved on by some lines of the story.
  grown(lines) {
    this.looks.forget();
    this.fan.close();
    this.theme.paint();
    this.access.list();
    this.lines = lines;
  }

  // The question is drawn again: a new one, or its next step.
  drawn(isNew) {
    if (isNew) this.sheet.raise();
    if (isNew || this.question.step !== this.step) this.access.sayNews(this.lines || [], this.access.wordsOf(this.question));
    this.step = this.question.step;
    this.lines = [];
    this.board.seek();
    this.access.refocus(this.question);
  }

  // A click or tap on the map. A finger gets the stack as a fan if it may mean several counters.
  picked(counters, place, event) {
    this.looks.pin(counters[0] || place);
    this.fan.close();
    const stack = this.stackAt(place), lit = new Set(this.board.lit || []), mine = stack.filter((each) => lit.has(each));
    const isTouch = event && event.pointerType === "touch";
    if (isTouch && (mine.length > 1 || stack.length > 1 && !mine.length && !lit.has(place))) this.unfold(stack, lit, event);
    else this.choose(isTouch && mine.length === 1 ? mine : counters, place);
  }

  stackAt(place) {
    return place ? this.board.scene.counters().filter((each) => each.place === place).map(({ ident }) => ident) : [];
  }

  unfold(stack, lit, { clientX, clientY }) {
    const { left, top } = this.board.frame.getBoundingClientRect();
    this.fan.open(stack, lit, clientX - left, clientY - top);
  }

  choose(counters, place) {
    if (counters.length && !place && this.looks.pinned !== counters[0]) this.looks.pin(counters[0]);
    if (this.board.now === this.board.last) this.question.clicked(counters, place);
  }

  // --- keys ---

  addKeys() {
    const { keys, board, acts, question } = this, asked = (act) => () => (question.ask ? act() : false);
    const options = () => byId("options").querySelectorAll("button[data-pick]");
    keys.add("Question", "1 2 3 4 5 6 7 8 9", "choose", asked(() => {}));
    for (let number = 1; number <= 9; number++) keys.acts.set(String(number), () => (options()[number - 1] ? options()[number - 1].click() : false));
    keys.add("Question", "Enter", "give the order, take the chosen ones, or hand in the sheet; with Shift also when a button has the focus", () => this.enter());
    keys.add("Question", "Backspace", "back one choice", asked(acts.back));
    keys.add("Question", "u", "take back the last order", asked(acts.undo));
    keys.add("Question", "s", "ask the staff", asked(acts.staff));
    keys.add("Question", "o", "odds of the order", () => (byId("odds") ? byId("odds").click() : false));
    keys.add("Question", "/", "type an order", asked(() => byId("typed").focus()));
    keys.add("Question", "n p", "next, previous choice", (key) => this.stepTo(key === "n" ? 1 : -1));
    keys.add("Map", "+ = -", "closer, closer, farther", (key) => (key === "-" ? acts.farther() : acts.closer()));
    keys.add("Map", "0", "the whole map", acts.fit);
    keys.add("Map", "ArrowLeft ArrowRight ArrowUp ArrowDown", "move the map", (key, event) => this.pan(key, event));
    keys.add("Map", "g", "the next place that can be chosen", () => board.seekNext());
    keys.add("Map", "x", "walk from place to place, by arrows or q w e a s d; Enter chooses", () => this.explore());
    keys.add("Map", "f", "find and describe a place or unit", () => this.find());
    keys.add("Map", "r", "show or hide reach, zone and sight under the pointer", () => this.looks.turn(!this.looks.isOn));
    keys.add("Past", ", .", "one record back, forward", (key) => this.look(board.now + (key === "." ? 1 : -1)));
    keys.add("Past", "l", "return to now", acts.live);
    keys.add("Page", "t", "the next tab", () => this.nextTab());
    keys.add("Page", "d", "light or dark", () => byId("theme").click());
    document.addEventListener("keydown", (event) => {
      if (!this.explorer || !this.explorer.isOn || !byId("curtain").hidden) return;
      if (event.key === "Enter" && document.activeElement === board.frame) this.enterPlace();
      else if (!this.explorer.takes(event)) return;
      this.looks.hover(this.explorer.place);
      event.preventDefault();
      event.stopImmediatePropagation();
    }, true);
  }

  enter() {
    const button = byId("go") || byId("take") || byId("handin");
    if (!this.question.ask || !button || button.disabled) return false;
    button.click();
    return true;
  }

  enterPlace() {
    const { place } = this.explorer, stack = this.stackAt(place), lit = new Set(this.board.lit || []);
    if (stack.filter((each) => lit.has(each)).length > 1) {
      const [x, y] = this.board.scene.facts.places[place], { scale, left, top } = this.board.zoom.scale();
      this.fan.open(stack, lit, (x - left) * scale, (y - top) * scale);
      this.fan.box.querySelector("button").focus();
    } else this.choose(stack.filter((each) => lit.has(each)), place);
  }

  explore() {
    if (!this.explorer || byId("explore").hidden) return false;
    this.explorer.toggle();
    return true;
  }

  pan(key, event) {
    if (!this.board.zoom || event.target.closest(".list, [role=tab]")) return false;
    const [across, along] = { ArrowLeft: [-0.2, 0], ArrowRight: [0.2, 0], ArrowUp: [0, -0.2], ArrowDown: [0, 0.2] }[key];
    this.board.zoom.pan(across, along);
    return true;
  }

  stepTo(way) {
    const all = [...document.querySelectorAll("#ready button, #options button, #sheet button")], at = all.indexOf(document.activeElement);
    if (!all.length) return false;
    all[at < 0 ? (way > 0 ? 0 : all.length - 1) : (at + way + all.length) % all.length].focus();
    return true;
  }

  find() {
    openTab("map-panel");
    this.access.list();
    this.sheet.raise();
    byId("look-for").focus();
  }

  nextTab() {
    const tabs = [...document.querySelectorAll("[data-tab]:not([hidden])")], at = tabs.findIndex((each) => each.getAttribute("aria-selected") === "true");
    const next = tabs[(at + 1) % tabs.length];
    next.click();
    next.focus();
  }
}
