// The data in the page: base64, some of it deflated. Nothing is fetched.

import { HASH } from "./chain.js";
import { hexOf, sha256 } from "./hashing.js";

export function fromBase64(text) {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

const islandText = (ident) => {
  const island = document.getElementById(ident);
  return island ? new TextDecoder().decode(fromBase64(island.textContent)) : "";
};

// The text of a log. In a second log, a line that equals the first's except for its hash is "=" and the hash, if any.
export function logText(place) {
  const text = islandText(`log-${place}`);
  if (!place) return text;
  const first = islandText("log-0").split("\n");
  return text.split("\n").map((line, i) => (line[0] === "=" ? withHash(first[i] || "", line.slice(1)) : line)).join("\n");
}

function withHash(line, hash) {
  const at = line.lastIndexOf(HASH), isHashed = at >= 0 && at + HASH.length + 66 === line.length;
  return `${line.slice(0, isHashed ? at : -1)}${hash && `${HASH}${hash}"`}}`;
}

// Restore data of a second game, stored as differences: a list begins with items of the first, a list of tables has the
// difference of each, a table has removed and changed keys.
export function whole(lean, first) {
  if (!lean || typeof lean !== "object" || !("~" in lean)) return lean;
  if (lean["~"] === "same") return first;
  if (lean["~"] === "list") return [...first.slice(0, lean.same), ...lean.more];
  if (lean["~"] === "each") return lean.of.map((each, i) => whole(each, first[i]));
  const found = { ...first };
  lean.gone.forEach((key) => { delete found[key]; });
  Object.entries(lean.set).forEach(([key, each]) => { found[key] = whole(each, first[key]); });
  return found;
}

// Return the page's data; throw if they are damaged, so that no pictures are drawn from them.
export async function readData() {
  const island = document.getElementById("data");
  const packed = fromBase64(island.textContent);
  if (hexOf(sha256(packed)) !== island.dataset.sha256) throw new Error("page damaged: its pictures were altered");
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const data = JSON.parse(await new Response(stream).text());
  data.games = data.games.map((each) => whole(each, data.games[0]));
  return data;
}
