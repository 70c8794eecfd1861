// The data that the page carries: base64, some of it deflated. Nothing is fetched.

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

// The text of a log. A line of the second that is as in the first but for its hash is stored as "=" and the hash.
export function logText(place) {
  const text = islandText(`log-${place}`);
  if (!place) return text;
  const first = islandText("log-0").split("\n");
  return text.split("\n").map((line, i) => (line[0] === "=" ? withHash(first[i] || "", line.slice(1)) : line)).join("\n");
}

const withHash = (line, hash) => (hash ? `${line.slice(0, line.lastIndexOf(HASH) + HASH.length)}${hash}"}` : line);

// What of a second game is as in the first, is not stored again: lists begin with as many of the first, of lists of
// tables each is told by itself, of tables what is gone or another.
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

// Returns the page's data; throws where they are damaged, so that pictures are never drawn from them.
export async function readData() {
  const island = document.getElementById("data");
  const packed = fromBase64(island.textContent);
  if (hexOf(await sha256(packed)) !== island.dataset.sha256) throw new Error("page damaged: its pictures were altered");
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const data = JSON.parse(await new Response(stream).text());
  data.games = data.games.map((each) => whole(each, data.games[0]));
  return data;
}
