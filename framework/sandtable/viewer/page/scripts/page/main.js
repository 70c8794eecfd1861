// The entry point: read the islands, build the boards and panels, add listeners.

import { Explorer } from "../board/explore.js";
import { Scene } from "../board/scene.js";
import { Zoom } from "../board/zoom.js";
import { Badge } from "../panels/badge.js";
import { Comparison } from "../panels/compare.js";
import { Forces } from "../panels/forces.js";
import { Graphs } from "../panels/graphs.js";
import { Story } from "../panels/story.js";
import { Why } from "../panels/why.js";
import { logText, readData } from "../proof/islands.js";
import { PlayedGame } from "./game.js";
import { listenToKeys } from "./keys.js";
import { forgetLink, linkTo, readLink } from "./links.js";
import { byId, make } from "./make.js";
import { listenToPointer } from "./pointer.js";
import { Player } from "./player.js";
import { listenToTabs } from "./tabs.js";
import { Timeline } from "./timeline.js";

function note(text) {
  byId("note").textContent = text;
  byId("note").hidden = !text;
}

function buildScenes(player) {
  const boxes = [...document.querySelectorAll(".board .box")];
  const scenes = player.games.map((game, place) => (game.view.facts.kind ? new Scene(boxes[place], game.view, game.values) : null)).filter(Boolean);
  return scenes;
}

// Show the game as another viewer saw it.
function chooseView(number, page) {
  const { player, panels } = page;
  player.games.forEach((game) => game.choose(Math.min(number, game.views.length - 1)));
  const scenes = buildScenes(player);
  if (player.comparison) player.comparison.scenes = scenes;
  if (page.zoom) page.zoom.scenes = scenes;
  player.useScenes(scenes, page.zoom);
  if (page.zoom) page.zoom.set(page.zoom.now);
  panels.forces.scene = scenes[0];
  panels.story.rebuild();
  panels.graphs.build();
  byId("view").value = String(number);
}

function follow(page, { isFirst = false } = {}) {
  forgetLink();
  const { player } = page, link = readLink(player.game.views, player.game.last);
  if (link.view !== null && player.game.view !== player.game.views[link.view]) chooseView(link.view, page);
  else if (link.view === null && !isFirst && player.game.view !== player.game.views[0]) chooseView(0, page);
  note(link.problem);
  player.goTo(link.record ?? (isFirst ? 0 : player.now), { isJump: false });
}

function listen(page) {
  const { player } = page;
  window.addEventListener("hashchange", () => follow(page));
  window.addEventListener("popstate", () => follow(page));
  window.addEventListener("resize", () => page.timeline.thin());
  document.addEventListener("goto", (event) => player.goTo(event.detail));
  byId("view").addEventListener("change", (event) => {
    chooseView(Number(event.target.value), page);
    player.goTo(player.now);
  });
  byId("help-open").addEventListener("click", () => byId("help").showModal());
  byId("share").addEventListener("click", async () => {
    const link = location.href.split("#")[0] + linkTo(player.now, player.game.view);
    try {
      await navigator.clipboard.writeText(link);
      note("The link to this moment is copied.");
    } catch {
      note(`The link to this moment: ${link}`);
    }
  });
  window.addEventListener("beforeprint", () => {
    byId("print-place").textContent = `${player.game.momentAt(player.now)[2]}, record ${player.now} of ${player.game.last}`;
    document.querySelectorAll("#panel-proof details, .moments").forEach((each) => { each.open = true; });
    if (page.zoom) page.zoom.print(true);
  });
  window.addEventListener("afterprint", () => page.zoom && page.zoom.print(false));
}

function zoomButtons(zoom) {
  byId("in").addEventListener("click", () => zoom.by(1.4));
  byId("out").addEventListener("click", () => zoom.by(1 / 1.4));
  byId("fit").addEventListener("click", () => zoom.fit());
  zoom.changed(() => zoom.frame.classList.toggle("zoomed", !zoom.isWhole));
}

// On a narrow screen a large map starts at a readable size with the action in view, a tall drawing at its upper part.
function firstZoom(zoom, player) {
  const [scene] = player.scenes, { facts } = scene, shown = zoom.scale().scale * (facts.size || 40);
  if (facts.kind === "drawn" && shown < 24) zoom.top();
  if (facts.kind === "drawn" || shown >= 11) return;
  const spots = scene.counters().filter((each) => each.place).map((each) => facts.places[each.place]);
  const median = (axis) => spots.map((each) => each[axis]).sort((a, b) => a - b)[Math.floor(spots.length / 2)];
  const middle = spots.length ? [median(0), median(1)] : [zoom.now[0] + zoom.now[2] / 2, zoom.now[1] + zoom.now[3] / 2];
  const [width, height] = [zoom.now[2], zoom.now[3]].map((each) => (each * shown) / 18);
  zoom.set([middle[0] - width / 2, middle[1] - height / 2, width, height]);
  zoom.follow(player.action(player.game.record(player.now), [], scene));
}

async function start() {
  const data = await readData();
  byId("faces").innerHTML = data.stocks.map((each) => each.defined).join("");
  const games = data.games.map((each, place) => new PlayedGame(each, logText(place), data.stocks[each.stock].values));
  const player = new Player(games), scenes = buildScenes(player);
  const frame = document.querySelector(".board");
  const zoom = scenes.length ? new Zoom(frame, frame.querySelector(".box"), scenes) : null;
  if (data.compare) player.comparison = new Comparison(byId("comparison"), games, data.compare);
  player.useScenes(scenes, zoom);
  const panels = {
    story: new Story(byId("story"), games[0]),
    why: new Why(byId("why"), games[0]),
    graphs: new Graphs(byId("graphs"), games[0], (number) => player.goTo(number)),
    forces: new Forces(byId("forces"), scenes[0], games[0]),
  };
  const timeline = new Timeline(games[0], player), page = { player, panels, zoom, timeline };
  player.panels = [timeline, panels.story, panels.why, panels.graphs, panels.forces];
  if (player.comparison) {
    player.comparison.scenes = scenes;
    player.panels.push(player.comparison);
  }
  listenToTabs(panels);
  const explorer = zoom && Object.keys(scenes[0].facts.places).length ? new Explorer(player, zoom) : null;
  byId("explore").hidden = !explorer;
  if (explorer) player.panels.push(explorer);
  listenToKeys(player, timeline, zoom, explorer);
  if (zoom) {
    zoomButtons(zoom);
    listenToPointer(zoom, player);
  }
  listen(page);
  byId("view").replaceChildren(...games[0].views.map((each, i) => make("option", { value: i }, each.title)));
  document.documentElement.classList.add("live");
  follow(page, { isFirst: true });
  if (zoom && scenes.length === 1) firstZoom(zoom, player);
  document.documentElement.dataset.ready = "yes";
  performance.mark("ready");
  const badge = new Badge(byId("badge"), byId("proof"), games);
  setTimeout(() => badge.check(), 60);
}

start().catch((error) => {
  document.documentElement.dataset.ready = "failed";
  const text = error.message.startsWith("page damaged") ? error.message : `page damaged: ${error.message}`;
  byId("badge").dataset.state = "altered";
  byId("badge").querySelector("span").textContent = "Page damaged";
  note(`${text}. The log may still be intact: check it with sandtable log page --check.`);
});
