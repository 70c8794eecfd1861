// The data that the page carries: base64, some of it deflated. Nothing is fetched.

import { hexOf, sha256 } from "./hashing.js";

export function fromBase64(text) {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export function logText(ident) {
  const island = document.getElementById(ident);
  return island ? new TextDecoder().decode(fromBase64(island.textContent)) : "";
}

// Returns the page's data; throws where they are damaged, so that pictures are never drawn from them.
export async function readData() {
  const island = document.getElementById("data");
  const packed = fromBase64(island.textContent);
  if (hexOf(await sha256(packed)) !== island.dataset.sha256) throw new Error("page damaged: its pictures were altered");
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}
