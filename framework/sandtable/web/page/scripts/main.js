// The page of a table: what the server sends is shown, what the person does is sent.

import { byId, capital, make, words } from "/s/viewer/scripts/page/make.js";
import { Aids } from "./aids/aids.js";
import { Board } from "./board.js";
import { Question } from "./question.js";
import { Umpire } from "./umpire/panel.js";
import { Wire } from "./wire.js";

const game = location.pathname.split("/")[2];

// The secret leaves the address bar, so that it is in no history and on no screen shot. A tab keeps its own, because two
// tabs may hold two seats; a new tab takes the last one.
function secret() {
  const name = `sandtable:${game}`, given = location.hash.slice(1), stores = [sessionStorage, localStorage];
  if (given) {
    for (const store of stores) store.setItem(name, given);
    history.replaceState(null, "", location.pathname);
  }
  return stores.map((store) => store.getItem(name)).find(Boolean) || "";
}

const page = { facts: {}, story: [], seats: [], players: {}, present: [], title: "" };

function note(text) {
  byId("note").textContent = text;
  byId("note").hidden = !text;
}

const on = {
  hello(message) {
    Object.assign(page, { facts: message, seats: message.seats, players: message.players, title: message.title, story: message.story.lines });
    byId("title").textContent = message.title;
    byId("sub").textContent = subtitle(message);
    byId("chat").textContent = "";
    for (const [name, text] of message.chat) said(name, text);
    if (message.viewer !== page.viewer) drawCurtain(message.curtain);
    page.viewer = message.viewer;
    board.begin(message);
    byId("legend").innerHTML = message.legend;
    slider();
    story(0);
    status(message);
    question.put(message.ask, message.draft);
    aids.begun();
    umpire.hello(message);
    if (message.problem) note(message.problem);
    document.documentElement.dataset.ready = "yes";
  },
  update(message) {
    page.story.length = Math.min(page.story.length, message.story.kept);
    page.story.push(...message.story.lines);
    board.grow(message);
    note("");
    slider();
    story(message.story.kept);
    status(message);
    aids.grown(message.story.lines);
    question.put(message.ask);
    umpire.update(message);
  },
  seats({ players }) {
    page.players = page.facts.players = players;
    byId("sub").textContent = subtitle(page.facts);
  },
  looked: (message) => aids.looks.take(message),
  state: (message) => status(message),
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

function subtitle({ ruleset, seats, viewer, players, dice }) {
  const mine = viewer === "umpire" ? "You are the umpire" : seats.length ? `You play ${seats.filter((seat) => seat !== "umpire").map(nameOf).join(" and ")}` : "You look on";
  const others = Object.entries(players).filter(([seat]) => !seats.includes(seat) && seat !== "umpire").map(([seat, name]) => `${nameOf(seat)}: ${name === "human" ? "a person" : name}`);
  const rolled = { open: "open dice", host: "dice by the host, proven at the end", manual: "real dice" }[dice] || `${dice} dice`;
  return [ruleset, mine, ...others, rolled].join(" · ");
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
  document.title = `${mine && !outcome ? "● " : ""}${page.title}`;
  document.documentElement.classList.toggle("mine", mine && !outcome);
  byId("over").hidden = !outcome;
  byId("resign").disabled = byId("draw").disabled = Boolean(outcome) || !page.seats.length || page.viewer === "umpire";
  if (outcome) question.put(null);
}

// The story from line `kept` on; each line leads to its record.
function story(kept) {
  const box = byId("story");
  while (box.children.length > kept) box.lastElementChild.remove();
  for (const [kind, text, number] of page.story.slice(kept))
    box.append(kind === "heading" ? make("h3", {}, text) : make("p", { "data-n": number }, make("button", { type: "button", class: "link", onclick: () => look(number) }, text)));
  box.scrollTop = box.scrollHeight;
}

function slider() {
  const range = byId("slider");
  range.max = board.last;
  if (board.now === board.last) range.value = board.last;
  byId("past").hidden = board.now === board.last;
}

function look(record) {
  board.go(Math.max(0, Math.min(record, board.last)));
  byId("slider").value = board.now;
  byId("past").hidden = board.now === board.last;
  byId("past-words").textContent = `You look at record ${board.now} of ${board.last}.`;
  question.mark();
  umpire.chose(board.now);
}

function said(name, text) {
  const box = byId("chat");
  box.append(make("p", {}, make("b", {}, `${nameOf(name)}: `), text));
  box.scrollTop = box.scrollHeight;
}

// --- actions ---

const board = new Board(document.querySelector(".board"), (counters, place, event) => umpire.clicked(counters, place) || aids.picked(counters, place, event));
const wire = new Wire(game, secret(), on, (online, text) => {
  document.documentElement.classList.toggle("offline", !online);
  note(text);
});
const question = new Question(wire, board, note);
const sentence = (record) => page.story.filter(([kind, , number]) => kind !== "heading" && number === record).map(([, text]) => text).join(" ");
const umpire = new Umpire({ wire, on, note, nameOf, look, sentence });

const clicks = {
  back: () => question.back(),
  undo: () => wire.send({ t: "undo" }),
  staff: () => wire.send({ t: "staff", q: question.ask.q, picks: question.picks, lines: question.lines }),
  live: () => look(board.last),
  fit: () => board.zoom && board.zoom.fit(),
  closer: () => board.zoom && board.zoom.by(1.4),
  farther: () => board.zoom && board.zoom.by(1 / 1.4),
  resign: () => confirm("Resign this game?") && wire.send({ t: "resign" }),
  draw: () => wire.send({ t: "draw" }),
  "curtain-open": () => drawCurtain(""),
  "log-download": () => download(),
};
for (const [ident, act] of Object.entries(clicks)) byId(ident).addEventListener("click", act);

byId("slider").addEventListener("input", (event) => look(Number(event.target.value)));
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

async function download() {
  const answer = await fetch(`/g/${game}/log`, { headers: { authorization: `Bearer ${wire.token}` } });
  const url = URL.createObjectURL(await answer.blob());
  const link = make("a", { href: url, download: `${game}.jsonl` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

const aids = new Aids(game, { wire, board, question, acts: clicks, look });
window.sandtable = { page, board, question, wire, aids, umpire };
