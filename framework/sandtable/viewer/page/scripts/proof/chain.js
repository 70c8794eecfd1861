// Read a log and check it: chain, openings, key, dice, signatures. See the log format, sections 1 to 9.

import { dueDice } from "./dice.js";
import { bytesOf, fromHex, hexOf, isSigned, joinBytes, sha256 } from "./hashing.js";

export const HASH = ',"hash":"';
const SLICE_OF_ALL = 200;

// Split a log into lines: records with their text, openings by place, annexes. A line that is not JSON has no data.
export function readLog(text) {
  const records = [], openings = new Map(), annexes = [];
  const whole = text.slice(0, text.lastIndexOf("\n"));
  for (const line of whole.split("\n")) {
    let data = null;
    try { data = JSON.parse(line); } catch { /* told as altered */ }
    const kind = data && data.kind;
    if (kind === "opening") openings.set(`${data.n}/${data.to}`, { data, text: line });
    else if (kind === "annex") annexes.push({ data, text: line });
    else records.push({ data: data || {}, text: line, known: Boolean(data) });
  }
  for (const [place, record] of records.entries()) record.data = shown(record.data, place, openings);
  return { records, openings, annexes, header: records[0].data };
}

// A record with its opened parts, as far as this file has them.
function shown(data, place, openings) {
  const holders = Object.keys(data.sealed || {});
  const order = holders.includes("umpire") ? ["umpire", ...holders] : holders;
  const found = order.map((to) => openings.get(`${place}/${to}`)).find(Boolean);
  return found ? { ...data, ...found.data, kind: data.kind, to: data.to } : data;
}

const bodyOf = (text) => text.slice(0, text.lastIndexOf(HASH));

// Check the whole log; `told` is called with the progress. Returns faults, and what was proven.
export async function checkLog(log, told = () => {}) {
  const faults = [], found = { faults, records: log.records.length - 1, closed: 0, missing: [], keySealed: false, rolls: 0, head: "", key: "", rulings: [] };
  await checkChain(log, found, told);
  await checkOpenings(log, found);
  await checkDice(log, found);
  await checkRulings(log, found);
  return found;
}

async function checkChain(log, found, told) {
  let head = new Uint8Array(32);
  for (const [place, record] of log.records.entries()) {
    head = await sha256(joinBytes(head, await sha256(bytesOf(bodyOf(record.text)))));
    const stored = record.known ? JSON.parse(record.text).hash : "";
    if (hexOf(head) !== stored) {
      found.faults.push({ record: place, text: "its hash does not match its text" });
      return;
    }
    if (place % SLICE_OF_ALL === 0) await told(place, log.records.length);
  }
  found.head = hexOf(head);
  for (const annex of log.annexes) {
    const due = await sha256(bytesOf(`sandtable annex\n${bodyOf(annex.text)}`));
    if (hexOf(due) !== annex.data.hash) found.faults.push({ record: 0, text: "an annex was altered" });
  }
}

async function checkOpenings(log, found) {
  for (const [place, record] of log.records.entries()) {
    const raw = record.known ? JSON.parse(record.text) : {};
    const sealed = raw.sealed || {};
    for (const [to, digest] of Object.entries(sealed)) {
      const opening = log.openings.get(`${place}/${to}`);
      const showsKey = to === "umpire" && (place === 0 || raw.kind === "close");
      if (showsKey) found.keySealed = true;
      else if (!opening) found.missing.push(to);
      if (opening && hexOf(await sha256(bytesOf(opening.text))) !== digest)
        found.faults.push({ record: place, text: `the opening for ${to} does not match the commitment in the chain` });
    }
    const holders = "umpire" in sealed ? ["umpire"] : Object.keys(sealed);
    const isOpen = holders.some((to) => log.openings.has(`${place}/${to}`));
    if (holders.length && !isOpen) found.closed += 1;
  }
  for (const [key, { data }] of log.openings) {
    const record = log.records[data.n];
    const sealed = record && record.known ? JSON.parse(record.text).sealed || {} : {};
    if (!sealed[data.to]) found.faults.push({ record: data.n, text: `the opening ${key} does not belong to a record` });
  }
}

// The dice key if the log shows it, or "".
export function keyOf(log) {
  const last = log.records[log.records.length - 1].data;
  return log.header.key || (last.kind === "close" && last.key) || "";
}

async function checkDice(log, found) {
  found.key = keyOf(log);
  if (!found.key) return;
  const key = fromHex(found.key), committed = log.header.commitment;
  if (committed && hexOf(await sha256(joinBytes(bytesOf("sandtable commitment\n"), key))) !== committed)
    found.faults.push({ record: 0, text: "the key does not match the commitment" });
  const setDice = log.header.parent ? log.header.dice_set || {} : {};
  for (const [place, { data }] of log.records.entries()) {
    if (data.kind !== "roll" || !data.label || data.by) continue;
    const due = await dueDice(key, data, setDice);
    if (String(due) === String(data.dice)) found.rolls += 1;
    else found.faults.push({ record: place, text: `${data.label}: ${data.dice} should be ${due}` });
  }
}

// List every ruling: its record, its author, and whether it is signed. Only the umpire rules.
async function checkRulings(log, found) {
  const umpire = (log.header.keys || {}).umpire;
  for (const [place, { data, text }] of log.records.entries()) {
    if (data.kind !== "ruling") continue;
    if (data.by !== "umpire") found.faults.push({ record: place, text: `the ruling is by ${data.by}: only the umpire rules` });
    const named = `record ${place} by ${data.by}, `;
    if (!umpire) {
      found.rulings.push(named + (data.signature ? "with a signature that no key in the header proves" : "unsigned"));
      continue;
    }
    const said = `${bodyOf(text).replace(`,"signature":"${data.signature}"`, "")}}`;
    const before = JSON.parse(log.records[place - 1].text).hash;
    const message = bytesOf(`sandtable ruling\n${before}\n${said}`);
    const fits = data.signature ? await isSigned(umpire, message, data.signature) : false;
    if (fits === false) found.faults.push({ record: place, text: "the ruling is not signed by the umpire" });
    found.rulings.push(named + (fits ? "signed" : fits === false ? "not signed" : "signed, which this browser cannot check"));
  }
}
