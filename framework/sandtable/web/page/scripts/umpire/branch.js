// A what-if: a second board in a frame of its own, so that it cannot be taken for the game.

import { byId, capital, make, words } from "/s/viewer/scripts/page/make.js";

// Show the reply `branch` of the server; the picture is an image, which shares nothing with the page.
export function showBranch({ board, start, turn, phase, outcome, story, more, summary }, { nameOf }) {
  const dialog = byId("branch");
  const result = outcome ? `It ends: ${outcome === "draw" ? "a draw" : `victory for ${nameOf(outcome)}`}.` : `It stops in ${turn ? `turn ${turn}` : "the set-up"}, ${words(phase || "between phases").replace(/\./g, ": ")}.`;
  const picture = board ? make("img", { alt: "the board of the what-if; click to enlarge", onclick: ({ target }) => target.classList.toggle("near"), src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(board)}` }) : make("p", { class: "soft" }, "These rules draw no board.");
  const lines = story.length ? story.map((each) => make("li", {}, each)) : [make("li", { class: "soft" }, "Nothing differs in the story.")];
  dialog.replaceChildren(
    make("header", {}, make("strong", {}, "WHAT IF — this is not the game"), make("button", { type: "button", onclick: () => dialog.close() }, "Back to the game")),
    make("div", { class: "branch-body" }, make("div", { class: "branch-board" }, picture),
      make("div", { class: "branch-side" }, ...summary.map((each) => make("p", {}, capital(each))), make("p", {}, make("b", {}, result)), make("h2", {}, `From record ${start} on`), make("ol", {}, ...lines, more ? make("li", {}, `and ${more} more lines`) : ""))),
  );
  if (!dialog.open) dialog.showModal();
}
