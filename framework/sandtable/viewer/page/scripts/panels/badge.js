// The badge: what this page proves about its log, checked in the browser.

import { checkLog } from "../proof/chain.js";
import { logText } from "../proof/islands.js";
import { byId, capital, make } from "../page/make.js";

const counted = (records) => `${records} ${records === 1 ? "record" : "records"}`;

const placeOf = ({ record, last = record }) => (last > record ? `records ${record} to ${last}` : record ? `record ${record}` : "the header");

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
      const found = await checkLog(game.log, game.data.side, async (done, all) => {
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
    const [first] = found.faults, { side } = game.data;
    if (first) return { state: "altered", text: `False: altered in ${placeOf(first)}` };
    if (game.data.fault) return { state: "altered", text: "False: the rules do not make this game" };
    const { records, header } = game.log, isOver = records[records.length - 1].data.kind === "close";
    const missing = found.missing ? [found.missing > 1 ? `${found.missing} openings` : "an opening"] : [];
    const isDue = !found.key && (isOver || header.dice === "open"), keyName = header.dice === "shared" ? "the key of the salts" : "the dice key";
    if (isDue && !(side && found.keyClosed)) missing.push(keyName);
    if (missing.length) return { state: "part", text: `Not proven: without ${missing.join(" and ")}` };
    const closed = [found.closed && counted(found.closed), isDue && keyName].filter(Boolean).join(" and ") || "nothing";
    const seen = `as ${side === "public" ? "a spectator" : side} saw it`;
    if (found.pending || isDue) return { state: "part", text: `Verified so far, ${seen}: ${closed} closed` };
    if (isOver) return { state: "verified", text: "Verified, unanchored" };
    return { state: "verified", text: `Verified so far: ${counted(found.records)}${found.key ? "" : `, ${keyName} is pending`}` };
  }

  say(state, text) {
    this.button.dataset.state = state;
    this.button.querySelector("span").textContent = text;
  }

  report(found, verdict, game, place) {
    const head = found.heads[found.records];
    const rows = [
      ["chain", head ? `${counted(found.records)}, each running hash fits` : "broken"],
      ["openings", `${game.log.openings.length} in this file, ${found.missing} missing, ${counted(found.closed)} closed`],
      ["dice", this.dice(found, game.log.header)],
      ["orders", found.hands ? `${found.hands} ${found.hands === 1 ? "hand" : "hands"} signed${found.unsigned ? `, ${found.unsigned} not yet` : ""}` : "not signed by their seats"],
      ["rulings", found.rulings.length ? found.rulings.join("; ") : "none"],
      ["rules", game.data.rules],
      ["last hash", make("code", {}, head || "—")],
      ["game", make("code", {}, game.log.header.game || "")],
    ];
    const list = make("dl", { class: "facts" }, ...rows.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
    const faults = found.faults.slice(0, 20).map((each) => make("li", {}, make("a", { href: `#record=${each.record}` }, capital(placeOf(each))), `: ${each.text}`));
    if (!place) this.heads = found.heads;
    return make("section", {}, make("h3", {}, this.games.length > 1 ? `Game ${place + 1}: ${verdict.text}` : verdict.text), faults.length ? make("ul", { class: "faults" }, ...faults) : null, list);
  }

  dice(found, { dice }) {
    if (dice === "manual") return "entered by the umpire: no key proves them";
    const matching = `${found.rolls} ${found.rolls === 1 ? "roll matches" : "rolls match"}`;
    if (dice === "shared") return `${matching} the shares of all sides`;
    return found.key ? `${matching} the key` : "the key is not shown, so they cannot be checked";
  }

  // Compare a kept hash with the hashes of the chain.
  compare(text) {
    const wanted = (text.match(/[0-9a-f]{16,64}/i) || [""])[0].toLowerCase(), answer = byId("hash-answer");
    if (!wanted || !this.heads) {
      answer.textContent = "";
      return;
    }
    const place = this.heads.findLastIndex((each) => each.startsWith(wanted));
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
