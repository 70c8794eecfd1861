// The page of a table: what the server sends is shown, what the person does is sent.

import { byId, capital, make, words } from "/s/viewer/scripts/page/make.js";
import { Aids } from "./aids/aids.js";
import { Board } from "./board.js";
import { ClockFace } from "./around/clock.js";
import { DiceCheck, MODES } from "./around/dice.js";
import { Film } from "./around/film.js";
import { recordIn, recordLink, withLinks } from "./around/links.js";
import { offerDownloads } from "./around/downloads.js";
import { PrivateNote } from "./around/note.js";
import { Notices } from "./around/notices.js";
import { Plan } from "./around/plan.js";
import { Pulse } from "./around/pulse.js";
import { Review } from "./around/review.js";
import { LiveStory } from "./around/story.js";
import { Question } from "./question.js";
import { Umpire } from "./umpire/panel.js";
import { Wire } from "./wire.js";

const [, , game, kind] = location.pathname.split("/"), isPlan = kind === "plan";

// The secret leaves the address bar, so that it is in no history and on no screen shot. A tab keeps its own, because two
// tabs may hold two seats; a new tab takes the last one.
function secret() {
  const name = `sandtable:${game}`, given = recordIn(location.hash) === null ? location.hash.slice(1) : "", stores = [sessionStorage, localStorage];
  if (given) {
    for (const store of stores) store.setItem(name, given);
    history.replaceState(null, "", location.pathname);
  }
  return stores.map((store) => store.getItem(name)).find(Boolean) || "";
}

const page = { facts: {}, seats: [], players: {}, present: [], title: "" };

function note(text) {
  byId("note").textContent = text;
  byId("note").hidden = !text;
}

const on = {
  hello(message) {
    Object.assign(page, { facts: message, seats: message.seats, players: message.players, title: message.title });
    byId("title").textContent = message.title;
    byId("sub").textContent = subtitle(message);
    byId("dice-mode").textContent = (MODES[message.dice] || { name: `${words(message.dice)} dice` }).name;
    byId("chat").textContent = "";
    for (const [name, text] of message.chat) said(name, text);
    if (message.viewer !== page.viewer) drawCurtain(message.curtain);
    page.viewer = message.viewer;
    board.begin(message);
    byId("legend").innerHTML = message.legend;
    slider();
    story.take(message.story);
    status(message);
    question.put(message.ask, message.draft);
    aids.begun();
    umpire.hello(message);
    film.offer(message);
    clock.show(message.clock);
    privateNote.show(message.note, message.seats);
    if (message.offers.length) on.draw({ offered: message.offers });
    follow();
    if (message.problem) note(message.problem);
    document.documentElement.dataset.ready = "yes";
  },
  update(message) {
    board.grow(message);
    note("");
    slider();
    story.take(message.story);
    status(message);
    aids.grown(message.story.lines);
    question.put(message.ask);
    film.offer(message);
    clock.show(message.clock);
    umpire.update(message);
  },
  seats({ players }) {
    page.players = page.facts.players = players;
    byId("sub").textContent = subtitle(page.facts);
  },
  looked: (message) => aids.looks.take(message),
  state: (message) => status(message),
  dice: (message) => dice.show(message),
  review: (message) => review.show(message.review, page.facts.facts),
  led: (message) => review.follow(message),
  clock: (message) => clock.show(message.clock, message.offers),
  note: (message) => privateNote.show(message.text, page.seats),
  webhook: (message) => notices.webhook(message, note),
  rematch: (message) => review.offered(message),
  link: (message) => review.linked(message),
  step: (message) => question.takeStep(message),
  lines: (message) => question.takeLines(message),
  taken: () => note(""),
  stale(message) {
    note("The question has changed meanwhile.");
    question.put(message.ask);
  },
  refused: ({ why }) => question.refuse(why),
  problem: ({ words: text }) => note(text),
  stopped: ({ words: text }) => note(`The game has stopped: ${text}`),
  said({ words: text }) {
    byId("answer").textContent = text;
    byId("answer").hidden = !text;
  },
  advice({ words: told, text }) {
    byId("typed").value = text;
    byId("answer").textContent = `The staff proposes: ${told}. Press Give to order it.`;
    byId("answer").hidden = false;
  },
  chat: ({ name, words: text }) => said(name, text),
  presence({ present }) {
    page.present = present;
    byId("present").textContent = `Here: ${present.map(nameOf).join(", ")}`;
  },
  draw({ offered }) {
    note(`${offered.map(nameOf).join(" and ")} offered a draw. Choose Draw to agree.`);
  },
};

// Hide the screen until the player of side `name` looks at it; "": show it.
function drawCurtain(name) {
  byId("curtain").hidden = !name;
  byId("curtain-words").textContent = `The next screen is only for ${nameOf(name)}.`;
  for (const each of document.querySelectorAll("header, main")) each.inert = Boolean(name);
  if (name) byId("curtain-open").focus();
}

const nameOf = (seat) => capital(words(seat));

function subtitle({ ruleset, seats, viewer, players }) {
  const mine = viewer === "umpire" ? "You are the umpire" : seats.length ? `You play ${seats.filter((seat) => seat !== "umpire").map(nameOf).join(" and ")}` : "You look on";
  const others = Object.entries(players).filter(([seat]) => !seats.includes(seat) && seat !== "umpire").map(([seat, name]) => `${nameOf(seat)}: ${name === "human" ? "a person" : name}`);
  return [ruleset, mine, ...others].join(" · ");
}

function status(facts) {
  Object.assign(page.facts, facts);
  const { turn, phase, waiting, thinking, outcome, ending } = page.facts, mine = waiting.some((seat) => page.seats.includes(seat));
  const now = turn ? phase : phase.replace(/^set_?up(\.|$)/, "");
  const parts = now.split(".").map((part) => (part in page.players ? nameOf(part) : words(part)));
  const when = `${turn ? `Turn ${turn}` : "Set-up"}${now ? `, ${parts.join(": ")}` : ""}`;
  let what = waiting.length ? `waiting for ${waiting.map(nameOf).join(" and ")}` : "";
  if (thinking) what = `${nameOf(thinking)} is thinking`;
  if (mine) what = "your decision";
  if (outcome) what = `over: ${outcome === "draw" ? "a draw" : `victory for ${nameOf(outcome)}`} (${words(ending)})`;
  byId("state").textContent = outcome ? capital(what) : `${when} — ${what}`;
  document.title = isPlan ? `✎ PLAN: ${page.title}` : `${mine && !outcome ? "● " : ""}${page.title}`;
  if (plan && facts.plan) plan.show(facts.plan, nameOf);
  document.documentElement.classList.toggle("mine", mine && !outcome);
  if (!isPlan) notices.look({ mine: mine && !outcome, outcome, title: page.title, when, last: page.facts.last });
  byId("over").hidden = !outcome;
  byId("plan-open").hidden = Boolean(outcome) || !page.seats.length;
  byId("rematch").hidden = byId("rematch-swap").hidden = !page.seats.length;
  offerDownloads(byId("downloads"), page, { game, token: wire.token, note });
  byId("resign").disabled = byId("draw").disabled = Boolean(outcome) || !page.seats.length || page.viewer === "umpire";
  if (outcome) question.put(null);
}

function slider() {
  const range = byId("slider");
  range.max = board.last;
  if (board.now === board.last) range.value = board.last;
  byId("past").hidden = board.now === board.last;
}

function look(record, animated = false) {
  board.go(Math.max(0, Math.min(record, board.last)), animated);
  byId("slider").value = board.now;
  byId("past").hidden = board.now === board.last;
  byId("past-words").textContent = `You look at record ${board.now} of ${board.last}.`;
  byId("past-link").textContent = byId("past-link").href = recordLink(board.now);
  story.mark(board.now === board.last ? -1 : board.now);
  review.moved(board.now);
  question.mark();
  umpire.chose(board.now);
}

// Show the record that the address names.
function follow() {
  const number = recordIn(location.hash);
  if (number === null) return;
  if (number > board.last) note(`There is no record ${number} yet: the last one is ${board.last}.`);
  else look(number);
}

function live() {
  film.stop();
  if (location.hash) history.replaceState(null, "", location.pathname);
  look(board.last);
}

function said(name, text) {
  const box = byId("chat");
  box.append(make("p", {}, make("b", {}, `${nameOf(name)}: `), ...withLinks(text)));
  box.scrollTop = box.scrollHeight;
}

// --- actions ---

const board = new Board(document.querySelector(".board"), (counters, place, event) => umpire.clicked(counters, place) || aids.picked(counters, place, event));
const wire = new Wire(game, secret(), on, (online, text) => {
  document.documentElement.classList.toggle("offline", !online);
  pulse.show(online, text);
  note(text);
}, isPlan);
const plan = isPlan ? new Plan(wire) : null;
const pulse = new Pulse(wire, byId("link-state")), dice = new DiceCheck(wire);
const story = new LiveStory(byId("story"), { look, checkDice: (number, text) => dice.ask(number, text) });
const clock = new ClockFace({ wire, page, nameOf }), privateNote = new PrivateNote(wire, byId("note-text"));
const notices = new Notices(wire, game);
const review = new Review({ wire, look, checkDice: (number, text) => dice.ask(number, text), nameOf });
const film = new Film(byId("film"), { board, story, look, live });
const question = new Question(wire, board, note);
const sentence = (record) => story.lines.filter(([kind, , number]) => kind !== "heading" && number === record).map(([, text]) => text).join(" ");
const umpire = new Umpire({ wire, on, note, nameOf, look, sentence });

const clicks = {
  back: () => question.back(),
  undo: () => wire.send({ t: "undo" }),
  staff: () => wire.send({ t: "staff", q: question.ask.q, picks: question.picks, lines: question.lines }),
  live,
  "plan-open": () => window.open(`/g/${game}/plan`),
  "dice-mode": () => dice.explain(page.facts.dice, page.facts.commitment),
  point: () => { document.querySelector("[data-tab=talk-panel]").click(); byId("chat-text").value += `${recordLink(board.now)} `; byId("chat-text").focus(); },
  fit: () => board.zoom && board.zoom.fit(),
  closer: () => board.zoom && board.zoom.by(1.4),
  farther: () => board.zoom && board.zoom.by(1 / 1.4),
  resign: () => confirm("Resign this game?") && wire.send({ t: "resign" }),
  draw: () => wire.send({ t: "draw" }),
  "curtain-open": () => drawCurtain(""),
  review: () => review.ask(),
  rematch: () => wire.send({ t: "rematch" }),
  "rematch-swap": () => wire.send({ t: "rematch", swap: true }),
};
for (const [ident, act] of Object.entries(clicks)) byId(ident).addEventListener("click", act);

window.addEventListener("hashchange", follow);
byId("slider").addEventListener("input", (event) => { film.stop(); look(Number(event.target.value)); });
byId("typed-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = byId("typed").value.trim();
  if (!text || !question.ask) return;
  const queries = question.ask.queries || [], first = text.split(" ")[0].toLowerCase();
  byId("typed").value = "";
  byId("answer").hidden = true;
  question.refuse([]);
  if (queries.some((each) => each.split(" ")[0] === first)) wire.send({ t: "query", q: question.ask.q, text });
  else if (question.line) wire.send({ t: "write", q: question.ask.q, picks: question.picks, text: `${question.line}: ${text}` });
  else if (question.step && question.step.table && text[0] !== "{") wire.send({ t: "write", q: question.ask.q, picks: question.picks, text });
  else wire.send({ t: "typed", q: question.ask.q, text });
});

byId("chat-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = byId("chat-text").value.trim();
  if (text) wire.send({ t: "say", words: text });
  byId("chat-text").value = "";
});

const aids = new Aids(game, { wire, board, question, acts: clicks, look });
window.sandtable = { page, board, question, wire, film, aids, umpire };
