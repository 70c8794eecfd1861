// The badge: what this page proves about its log, checked in the browser.

import { checkLog } from "../proof/chain.js";
import { logText } from "../proof/islands.js";
import { byId, make } from "../page/make.js";

export class Badge {
  constructor(button, box, games, goTo) {
    Object.assign(this, { button, box, games, goTo });
    button.addEventListener("click", () => {
      byId("tab-proof").click();
      this.check();
    });
    byId("check").addEventListener("click", () => this.check());
    byId("save").addEventListener("click", () => this.save());
    byId("hash").addEventListener("input", (event) => this.compare(event.target.value));
  }

  async check() {
    this.say("checking", "Checking…");
    const parts = [];
    let worst = null;
    for (const [place, game] of this.games.entries()) {
      const found = await checkLog(game.log, async (done, all) => {
        this.say("checking", `Checking… record ${done} of ${all}`);
        await new Promise((resolve) => { setTimeout(resolve, 0); });
      });
      const verdict = this.verdict(found, game);
      parts.push(this.report(found, verdict, game, place));
      if (!worst || found.faults.length) worst = worst && !found.faults.length ? worst : verdict;
    }
    this.worst = worst;
    this.say(worst.state, worst.text);
    this.box.replaceChildren(...parts);
    document.documentElement.dataset.verdict = worst.state;
  }

  verdict(found, game) {
    const [first] = found.faults;
    if (first) return { state: "altered", text: `False: altered in record ${first.record}` };
    if (game.data.fault) return { state: "altered", text: "False: the rules do not make this game" };
    const { ended, side } = game.data;
    const lost = found.missing.filter((to) => !side || to === side).length, hidden = found.missing.length - lost;
    const missing = [];
    if (lost) missing.push(lost > 1 ? `${lost} openings` : "an opening");
    const isDue = ended || game.log.header.dice === "open";
    if (!found.key && isDue && !(side && found.keySealed)) missing.push("the dice key");
    if (missing.length) return { state: "part", text: `Not proven: without ${missing.join(" and ")}` };
    if (hidden || (isDue && !found.key)) return { state: "part", text: `Verified so far, as ${side} saw it: ${found.closed} ${found.closed === 1 ? "record" : "records"} closed` };
    if (ended && found.key) return { state: "verified", text: "Verified, unanchored" };
    return { state: "verified", text: `Verified so far: ${found.records} ${found.records === 1 ? "record" : "records"}${found.key ? "" : ", the dice key is pending"}` };
  }

  say(state, text) {
    this.button.dataset.state = state;
    this.button.querySelector("span").textContent = text;
  }

  report(found, verdict, game, place) {
    const rows = [
      ["chain", found.head ? `${found.records} ${found.records === 1 ? "record" : "records"}, each hash fits` : "broken"],
      ["openings", `${game.log.openings.size} open, ${found.missing.length} not in this file, ${found.closed} ${found.closed === 1 ? "record" : "records"} closed`],
      ["dice", found.key ? `${found.rolls} ${found.rolls === 1 ? "roll matches" : "rolls match"} the key` : "the key is not shown, so they cannot be checked"],
      ["rulings", found.rulings.length ? found.rulings.join("; ") : "none"],
      ["rules", game.data.rules],
      ["last hash", make("code", {}, found.head || "—")],
      ["game", make("code", {}, game.log.header.game || "")],
    ];
    const list = make("dl", { class: "facts" }, ...rows.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
    const faults = found.faults.slice(0, 20).map((each) => make("li", {}, make("a", { href: `#record=${each.record}` }, `Record ${each.record}`), `: ${each.text}`));
    this.head = this.head || found.head;
    return make("section", {}, make("h3", {}, this.games.length > 1 ? `Game ${place + 1}: ${verdict.text}` : verdict.text), faults.length ? make("ul", { class: "faults" }, ...faults) : null, list);
  }

  // Compare a kept hash with the hashes of the chain.
  compare(text) {
    const wanted = (text.match(/[0-9a-f]{16,64}/i) || [""])[0].toLowerCase(), answer = byId("hash-answer");
    if (!wanted) {
      answer.textContent = "";
      return;
    }
    const place = this.games[0].log.records.findIndex((each) => (each.data.hash || "").startsWith(wanted));
    const upto = place > 0 ? `up to and including record ${place}` : "by its header alone";
    if (place >= 0 && this.worst.state === "verified") this.say("verified", `${this.worst.text.replace(", unanchored", "")}, anchored ${upto}`);
    answer.textContent = place < 0 ? "No record of this log has that hash: it is another game." : `It is the hash of record ${place}: up to there this is the game that was vouched for.`;
  }

  save() {
    const link = make("a", { href: URL.createObjectURL(new Blob([logText(0)], { type: "application/jsonl" })), download: `${this.games[0].data.file}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}
