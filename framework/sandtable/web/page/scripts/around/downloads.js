// The files of a game: its log, the slice of each side, and the replay page, as far as this link may have them.

import { capital, make, words } from "/s/viewer/scripts/page/make.js";

let shown = "";

export function offerDownloads(box, { facts, title }, { game, token, note }) {
  const { outcome, viewer, hidden, sides = [] } = facts, isWhole = Boolean(outcome) || viewer === "umpire" || !hidden;
  const key = `${isWhole} ${viewer}`;
  if (shown === key) return;
  shown = key;
  const whose = isWhole ? "" : ` as ${capital(words(viewer))} knows it`;
  const rows = [["log", "", `Log${whose}`, "jsonl"]];
  if (viewer !== "public" || isWhole) rows.push(["page", "", `Replay page${whose}`, "html"]);
  if (isWhole && hidden) for (const side of sides) rows.push(["log", side, `Slice of ${capital(words(side))}`, "jsonl"]);
  box.replaceChildren("Download: ", ...rows.map(([kind, side, text, ending]) => make("button", { type: "button", onclick: async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    note(kind === "page" ? "The replay page is being made: this may take some seconds." : "");
    const answer = await fetch(`/g/${game}/${kind}${side ? `?side=${encodeURIComponent(side)}` : ""}`, { headers: { authorization: `Bearer ${token}` } });
    button.disabled = false;
    if (!answer.ok) {
      note((await answer.json()).error);
      return;
    }
    note("");
    const url = URL.createObjectURL(await answer.blob());
    make("a", { href: url, download: `${title.replace(/\W+/g, "-").toLowerCase()}${side ? `-${side}` : ""}-${game}.${ending}` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  } }, text)));
}
