// The lobby: make a game, hand out its links, and open games and logs of the folder.

import { byId, make, words } from "/s/viewer/scripts/page/make.js";

const given = location.hash.slice(1);
if (given) {
  sessionStorage.setItem("sandtable:host", given);
  history.replaceState(null, "", "/");
}
const token = sessionStorage.getItem("sandtable:host") || "";
let rulesets = [], scenario = null;

function note(text) {
  byId("note").textContent = text;
  byId("note").hidden = !text;
}

async function call(path, body) {
  const answer = await fetch(path, { method: body === undefined ? "GET" : "POST", headers: { authorization: `Bearer ${token}` }, body: body === undefined ? undefined : JSON.stringify(body) });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error);
  return found;
}

const guarded = (act) => async (...args) => {
  try {
    note("");
    await act(...args);
  } catch (error) {
    note(error.message);
  }
};

function options(select, pairs) {
  select.replaceChildren(...pairs.map(([value, text]) => make("option", { value }, text)));
}

const chooseRuleset = guarded(async () => {
  const found = rulesets.find(({ id }) => id === byId("ruleset").value);
  byId("ruleset-about").textContent = found.problem || found.about || "";
  options(byId("scenario"), Object.entries(found.scenarios));
  await chooseScenario();
});

const chooseScenario = guarded(async () => {
  const ruleset = byId("ruleset").value, name = byId("scenario").value;
  scenario = await call(`/api/rulesets/${ruleset}/${name}`);
  const newcomer = rulesets.find(({ id }) => id === ruleset).newcomer, first = newcomer || scenario.sides[0];
  byId("seats").replaceChildren(...Object.entries(scenario.seats).filter(([seat, { usual }]) => seat !== "umpire" || usual !== "random").map(([seat, { side, players, usual }]) => {
    const chosen = side === first ? "human" : usual;
    const select = make("select", { "data-seat": seat }, ...players.map((each) => make("option", { value: each, selected: each === chosen }, each === "human" ? "a person" : each)));
    return make("label", { class: "seat" }, make("span", {}, seat === "umpire" ? "decisions for the umpire" : side === seat ? words(seat) : `${words(seat)} (${words(side)})`), select);
  }));
  byId("rule-options").replaceChildren(...scenario.options.map(({ name: option, values, text }) =>
    make("label", {}, make("span", {}, text), make("select", { "data-option": option }, ...values.map((each, place) => make("option", { value: each }, place ? words(each) : `${words(each)} (usual)`))))));
});

const makeGame = guarded(async () => {
  const players = {}, chosen = {};
  for (const each of document.querySelectorAll("[data-seat]")) players[each.dataset.seat] = each.value;
  for (const each of document.querySelectorAll("[data-option]")) if (each.selectedIndex) chosen[each.dataset.option] = each.value;
  const made = await call("/api/games", { ruleset: byId("ruleset").value, scenario: byId("scenario").value, players, options: chosen, dice: byId("dice").value, umpire: byId("umpire").value, hot_seat: byId("hot-seat").checked, pace: byId("pace").value });
  showLinks(made.links);
  await list();
});

function showLinks(links) {
  byId("made").hidden = false;
  byId("links").replaceChildren(...Object.entries(links).map(([name, link]) => {
    const copy = make("button", { type: "button", onclick: () => navigator.clipboard && navigator.clipboard.writeText(location.origin + link) }, "Copy");
    return make("li", {}, make("a", { href: link, target: "_blank", rel: "noreferrer" }, words(name)), " ", copy);
  }));
  byId("links").querySelector("a").focus();
}

const list = guarded(async () => {
  const { games, logs } = await call("/api/games");
  byId("games").replaceChildren(...games.map(({ game, title, open, turn, outcome }) => make("tr", {},
    make("td", {}, title), make("td", {}, outcome ? `over: ${words(outcome)}` : open ? `turn ${turn}` : "asleep"),
    make("td", {}, make("button", { type: "button", onclick: guarded(async () => showLinks((await call(`/api/games/${game}/links`, {})).links)) }, "New links")))));
  byId("logs-title").hidden = !logs.length;
  byId("logs").replaceChildren(...logs.map((log) => make("li", {}, `${log} `,
    make("button", { type: "button", onclick: guarded(async () => { showLinks((await call(`/api/logs/${encodeURIComponent(log)}`, {})).links); await list(); }) }, "Open"))));
});

byId("ruleset").addEventListener("change", chooseRuleset);
byId("scenario").addEventListener("change", chooseScenario);
byId("new").addEventListener("submit", (event) => {
  event.preventDefault();
  makeGame();
});

guarded(async () => {
  if (!token) throw new Error("Open the link that `sandtable serve` printed: it has the host's secret.");
  rulesets = await call("/api/rulesets");
  options(byId("ruleset"), rulesets.map(({ id, title }) => [id, title]));
  await chooseRuleset();
  await list();
})();
