// Shared dice: the links of the chains of all sides give the key of each epoch. See the log format, section 5.

import { bytesOf, fromHex, hexOf, joinBytes, sha256 } from "./hashing.js";

const ANSWERS = ["order", "ruling"];

// Return the key of every roll of a log with shared dice, by record, and what is wrong with shares and epochs. `heads`
// are the running hashes after each record.
export function sharedKeys(log, heads) {
  const keys = new Map(), faults = [], byLabel = new Map(), chains = new Map();
  for (const [name, { tip, links }] of Object.entries(log.header.chains || {})) chains.set(name, { link: tip, at: 0, base: 0, links });
  let epoch = 0, key = null, answer = 0, bound = -1, mayBurn = false;
  const wrong = (record, text) => faults.push({ record, text });
  for (const [place, { data }] of log.records.entries()) {
    const { kind } = data;
    if (place && ANSWERS.includes(kind)) [answer, mayBurn] = [place, kind === "order" && data.missing === 1];
    else if (kind === "shares") {
      const names = Object.keys(data.links || {});
      if (data.epoch !== epoch + 1) wrong(place, `shares of epoch ${data.epoch}: epoch ${epoch + 1} is next`);
      if (data.at !== answer || bound === answer) wrong(place, `shares for record ${data.at}: the last answer is record ${answer}`);
      if (String(names) !== String([...chains.keys()])) wrong(place, "shares are not those of all sides");
      for (const name of names) if (!takesLink(chains.get(name), data.epoch, data.links[name])) wrong(place, `the share of ${name} is no link of its chain`);
      if (faults.length) return { keys, faults };
      [epoch, bound, mayBurn] = [data.epoch, answer, false];
      key = epochKey(log.header.game, epoch, heads[answer], data.links);
    } else if (kind === "burnt") {
      if (!mayBurn || data.epoch !== epoch + 1) wrong(place, `epoch ${data.epoch} is passed over without reason`);
      [epoch, mayBurn] = [data.epoch, false];
    } else if (kind === "chain") {
      if (!takesLink(chains.get(data.by), epoch + 1, data.link)) wrong(place, `the new chain of ${data.by} is not announced by its owner`);
      chains.set(data.by, { link: data.tip, at: 0, base: epoch, links: data.links });
    } else if (kind === "roll" && data.dice.length) {
      if (!byLabel.has(data.label) && bound !== answer) wrong(place, `${data.label}: rolled without shares since record ${answer}`);
      else if (!byLabel.has(data.label)) byLabel.set(data.label, key);
      keys.set(place, byLabel.get(data.label));
    }
    if (faults.length) break;
  }
  return { keys, faults };
}

// Whether a link is that of the epoch; if so, the chain has it from now on.
function takesLink(chain, epoch, text) {
  const place = chain ? epoch - chain.base : 0;
  if (!/^[0-9a-f]{64}$/.test(text) || !chain || place <= chain.at || place > chain.links) return false;
  let link = fromHex(text);
  for (let each = place; each > chain.at; each--) link = linkBefore(each, link);
  if (hexOf(link) !== chain.link) return false;
  [chain.link, chain.at] = [text, place];
  return true;
}

function linkBefore(place, link) {
  const number = new Uint8Array(4);
  new DataView(number.buffer).setUint32(0, place);
  return sha256(joinBytes(bytesOf("sandtable link\n"), number, link));
}

function epochKey(game, epoch, head, links) {
  const shares = Object.keys(links).sort().map((name) => joinBytes(bytesOf(`${name}=`), fromHex(links[name])));
  return sha256(joinBytes(bytesOf(`sandtable epoch\n${game}\n${epoch}\n${head}\n`), ...shares));
}
