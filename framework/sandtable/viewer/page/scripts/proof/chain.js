// Read a log and check it: chain, openings, key, dice, signatures. See the log format, sections 1 to 9.

import { dueDice } from "./dice.js";
import { checkHands, keysBefore } from "./hands.js";
import { bytesOf, fromHex, hexOf, isSigned, joinBytes, RunningSha256, sha256 } from "./hashing.js";
import { sharedKeys } from "./shares.js";

export const HASH = ',"hash":"';
const FROM_OUTSIDE = ["order", "undo", "ruling", "end", "shares", "burnt", "chain", "hand", "key"];
const MOST_RECORDS = 1_000_000;
const SLICE_OF_ALL = 200;

// Split a log into the lines of its chain, its records by number (0: the header), its openings and its annexes. A line
// that is not JSON has no data. A record has its line, and its data as far as this file shows them.
export function readLog(text) {
  const lines = [], records = [], openings = [], annexes = [];
  for (const each of text.slice(0, text.lastIndexOf("\n")).split("\n")) {
    let data = {};
    try { data = Object(JSON.parse(each)); } catch { /* reported as altered */ }
    const line = { data, text: each, first: records.length };
    if (data.kind === "opening") openings.push(line);
    else if (data.kind === "annex") annexes.push(line);
    else {
      const isStep = data.kind === "closed", last = isStep ? Math.min(data.last, MOST_RECORDS) : 0;
      lines.push(line);
      do records.push({ line, data: isStep ? { kind: "closed" } : data, isWhole: !data.root }); while (records.length <= last);
    }
  }
  openings.sort((a, b) => (a.data.to === "umpire") - (b.data.to === "umpire"));
  for (const { data } of openings) show(records, data);
  return { lines, records, openings, annexes, header: records[0].data };
}

// Add what an opening shows to the records. The umpire's openings come last, because they show everything.
function show(records, { n, part, records: shown = [] }) {
  const line = (records[n] || {}).line;
  if (line && part) records[n] = { line, data: { ...records[n].data, ...part }, isWhole: true };
  for (const data of shown) {
    const isSeen = data.kind === "seen", record = records[data.n];
    if (record && record.line === line) records[data.n] = { line, data: isSeen ? { ...data, kind: "event" } : data, isWhole: !isSeen };
  }
}

// Check the whole log: without a `side` as that of the keeper of the game. `told` is called with the progress. Returns
// faults, and what was proven; `heads` are the running hashes after each record, up to the first altered stretch.
export async function checkLog(log, side = "", told = () => {}) {
  const found = { faults: [], records: log.records.length - 1, closed: 0, missing: 0, pending: 0, keyClosed: false, rolls: 0, heads: [], key: keyOf(log), rulings: [] };
  await checkChain(log, found, told);
  checkOpenings(log, found, side);
  checkDice(log, found);
  await checkHands(log, found, signedText);
  await checkRulings(log, found);
  await checkEndings(log, found);
  return found;
}

// The text before a field that is the last one, or is followed by the hash only.
const before = (text, field) => text.slice(0, text.lastIndexOf(field));

async function checkChain(log, found, told) {
  let hashing = new RunningSha256(new Uint8Array(32)), start = 0, fits = true;
  for (const [place, { data, text, first }] of log.lines.entries()) {
    const next = log.lines[place + 1], after = next ? next.first : log.records.length;
    const isEnd = !first || !next || FROM_OUTSIDE.includes(next.data.kind);
    const body = isEnd ? before(text, HASH) : text.slice(0, -1);
    const head = hashing.add(bytesOf(body)).digest(), hex = hexOf(head);
    fits = fits && text === `${body}${isEnd ? `${HASH}${hex}"` : ""}}` && isEnd === Boolean(data.hash) && (data.n || 0) === first;
    while (found.heads.length < after) found.heads.push(hex);
    if (isEnd && !fits) {
      found.heads.length = start;
      found.faults.push({ record: start, last: after - 1, text: "the running hash does not match the text" });
      break;
    }
    if (isEnd) [hashing, start] = [new RunningSha256(head), after];
    else hashing.add(bytesOf("}\n"));
    if (place % SLICE_OF_ALL === 0) await told(first, log.records.length);
  }
  for (const { text, data } of log.annexes) {
    const due = hexOf(sha256(bytesOf(`sandtable annex\n${before(text, HASH)}`)));
    if (text !== `${before(text, HASH)}${HASH}${due}"}` || !data.hash) found.faults.push({ record: 0, text: "an annex was altered" });
  }
}

function checkOpenings(log, found, side) {
  const held = new Set(), opened = openedOrders(log);
  for (const { data, text } of log.openings) {
    const { line } = log.records[data.n] || {};
    held.add(`${data.n}/${data.to}`);
    if (!line || line.first !== data.n || !shows(data, line) || rootOf(text, data) !== line.data.root)
      found.faults.push({ record: line ? data.n : 0, text: `the opening for ${data.to} does not match the commitment in the chain` });
  }
  for (const { first, data } of log.lines) {
    if (!data.root || held.has(`${first}/umpire`)) continue;
    if (side && side !== "public" && !held.has(`${first}/${side}`)) found.missing += 1;
    if (!first || data.kind === "close") found.keyClosed = true;
    else found[side && !opened.has(first) ? "pending" : "missing"] += 1;
  }
  found.closed = log.records.slice(1).filter(({ data, isWhole }) => !isWhole && data.kind !== "close").length;
}

// Whether an opening shows records of its step only; the umpire's shows all of them.
function shows({ to, records = [] }, line) {
  const { first, data: { kind, last = first } } = line, all = kind === "closed" ? last - first + 1 : 0;
  return records.every(({ n }, i) => n >= first && n <= last && (!i || n > records[i - 1].n)) && (to !== "umpire" || records.length === all);
}

// The root of the tree to which the path of an opening leads, or "" if it has none.
function rootOf(text, { to, at, path }) {
  const leaf = before(text, ',"path":"');
  if (text !== `${leaf},"path":"${path}"}` || !/^([0-9a-f]{64})+$/.test(path)) return "";
  const hashes = path.match(/.{64}/g).map(fromHex), last = hashes.pop();
  const node = (left, right) => sha256(joinBytes([1], left, right)), start = sha256(joinBytes([0], bytesOf(leaf)));
  if (to === "umpire") return hashes.length ? "" : hexOf(node(start, last));
  return hexOf(node(last, hashes.reduce((hash, other, level) => ((at >> level) & 1 ? node(other, hash) : node(hash, other)), start)));
}

// The sealed orders of complete groups, without those that stay secret. An order replaces those that were taken back.
function openedOrders({ lines }) {
  const opened = new Set();
  let group = [];
  for (const { first, data: { kind, missing, secret } } of lines) {
    if (kind === "undo") continue;
    group = kind === "order" && missing ? [...group.filter((each) => each.missing > missing), { first, missing, secret }] : [];
    if (group.length && missing === 1) for (const each of group.splice(0)) if (!each.secret) opened.add(each.first);
  }
  return opened;
}

// The dice key if the log shows it, or "". With shared dice it makes salts only.
export function keyOf(log) {
  const last = log.records[log.records.length - 1].data;
  return log.header.key || (last.kind === "close" && last.key) || "";
}

// The key of a roll, or nothing if the log does not show it.
export async function keyOfRoll(log, record) {
  if (log.header.dice !== "shared") return keyOf(log) && fromHex(keyOf(log));
  if (!log.heads) {
    const found = { heads: [], faults: [] };
    await checkChain(log, found, () => {});
    log.heads = found.heads;
  }
  return sharedKeys(log, log.heads).keys.get(record);
}

function checkDice(log, found) {
  const key = found.key && fromHex(found.key), committed = log.header.commitment;
  if (key && committed && hexOf(sha256(joinBytes(bytesOf("sandtable commitment\n"), key))) !== committed)
    found.faults.push({ record: 0, text: "the key does not match the commitment" });
  const isShared = log.header.dice === "shared", shared = isShared && sharedKeys(log, found.heads);
  if (isShared) found.faults.push(...shared.faults);
  else if (!key) return;
  const setDice = log.header.parent ? log.header.dice_set || {} : {};
  for (const [place, { data }] of log.records.entries()) {
    if (data.kind !== "roll" || data.by) continue;
    const own = isShared ? shared.keys.get(place) : key;
    if (!own && data.dice.length) continue;  // after the first wrong share
    const due = dueDice(own, data, setDice);
    if (String(due) === String(data.dice)) found.rolls += 1;
    else found.faults.push({ record: place, text: `${data.label}: ${data.dice} should be ${due}` });
  }
}

// List every ruling: its record, its author, and whether it is signed. Only the umpire rules.
async function checkRulings(log, found) {
  for (const [place, { data, line }] of log.records.entries()) {
    if (data.kind !== "ruling") continue;
    const { umpire } = keysBefore(log, place);
    if (data.by !== "umpire") found.faults.push({ record: place, text: `the ruling is by ${data.by}: only the umpire rules` });
    const named = `record ${place} by ${data.by}, `;
    if (!umpire) {
      found.rulings.push(named + (data.signature ? "with a signature that no key in the header proves" : "unsigned"));
      continue;
    }
    const fits = await fitsKey(umpire, data.signature, signedText(line, found));
    if (fits === false) found.faults.push({ record: place, text: "the ruling is not signed by the umpire" });
    found.rulings.push(named + (fits ? "signed" : fits === false ? "not signed" : "signed, which this browser cannot check"));
  }
}

// An ending that people made needs the signatures of all who must sign it and have a key in the header, and no others.
async function checkEndings(log, found) {
  for (const [place, { data: { kind, how, by, sides = [], signatures = {} }, line }] of log.records.entries()) {
    if (kind !== "end") continue;
    const keys = keysBefore(log, place), names = Object.keys(keys);
    const due = names.filter((name) => (how === "resignation" ? name === by || sides.includes(name) : (name === "umpire") !== (how === "agreed_draw")));
    for (const name of new Set([...due, ...Object.keys(signatures)])) {
      const fits = due.includes(name) && await fitsKey(keys[name], signatures[name], signedText(line, found));
      if (fits === false) found.faults.push({ record: place, text: `the signature of ${name} under the ending is missing, wrong or not due` });
    }
  }
}

// The text that a ruling, ending or new key signs: the running hash before it, and its line without signatures and hash.
function signedText({ data, text, first }, found) {
  const body = data.hash ? before(text, HASH) : text.slice(0, -1);
  const fields = ["proof", "signature", "signatures"].filter((name) => name in data);
  const said = fields.reduce((bare, name) => bare.replace(`,"${name}":${JSON.stringify(data[name])}`, ""), body);
  return bytesOf(`sandtable ${data.kind}\n${found.heads[first - 1]}\n${said}}`);
}

const fitsKey = (key, signature, message) => (signature ? isSigned(key, message, signature) : false);
