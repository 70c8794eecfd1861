// Check that every order of a seat with a key is signed, and every new key. See the log format, section 9.

import { bytesOf, hexOf, isSigned, sha256 } from "./hashing.js";

const INPUTS = ["order", "undo"], OTHERS = ["ruling", "end", "close"], MOST_CHANGES = 1000;

// The keys that apply to a record, by seat.
export function keysBefore(log, place) {
  log.changes = log.changes || log.lines.filter(({ data }) => data.kind === "key").slice(0, MOST_CHANGES);
  const keys = { ...log.header.keys };
  for (const { data, first } of log.changes) if (first < place) keys[data.by] = data.key;
  return keys;
}

// Check the hands of `log`, whose chain fits. Faults go to `found.faults`; `found.hands` and `found.unsigned` count.
export async function checkHands(log, found, signedText) {
  found.hands = found.unsigned = 0;
  if (found.heads.length < log.records.length) return;
  const signing = new SignedSeats(log, found, signedText);
  for (const line of log.lines) {
    const { data: { kind } } = line;
    if (kind === "hand") await signing.closeHand(line);
    else if (kind === "key") await signing.changeKey(line);
    else if (INPUTS.includes(kind) || OTHERS.includes(kind)) signing.take(line);
  }
  for (const hand of signing.open.values()) found.unsigned += hand.lines.length;
}

class SignedSeats {
  constructor(log, found, signedText) {
    Object.assign(this, { log, found, signedText, keys: { ...log.header.keys }, open: new Map(), due: new Set() });
    Object.assign(this, { group: -1, orders: [], again: [], replaced: {}, isAmending: false });
  }

  fail(record, text) { this.found.faults.push({ record, text }); }

  take(line) {
    const { data: { kind, by, missing = 0, to = 0, amends = 0, withdraws = 0 }, first: n } = line;
    const isOrder = kind === "order", isInput = INPUTS.includes(kind);
    if (isOrder && missing && this.group < 0) this.group = n - 1;
    else if (!(isOrder && missing) && !(kind === "undo" && to > this.group)) this.group = -1;
    const owner = isOrder && this.isAmending ? "umpire" : isInput ? by : "";
    for (const [seat, hand] of [...this.open]) {
      if (!(this.due.has(seat) || seat !== owner) || (this.group >= 0 && hand.start === this.group)) continue;
      this.fail(hand.lines[0].first, `the ${hand.lines[0].data.kind} of ${seat} is not signed`);
      this.open.delete(seat);
    }
    if (kind === "undo" || kind === "ruling") this.takeBack(n, kind, to || amends || withdraws, amends, withdraws);
    if (isInput && !(isOrder && this.isGivenAgain(line)) && this.keys[owner] && this.keys[by]) this.add(line, owner);
    this.isAmending = kind === "ruling" && Boolean(amends);
    if (missing !== 1) return;
    for (const [seat, hand] of this.open) if (hand.start === this.group) this.due.add(seat);
    this.group = -1;
  }

  add(line, owner) {
    const { data, first } = line;
    if (data.kind === "order" && (data.missing || data.secret) && !data.own) this.fail(first, `has no commitment of ${data.by}`);
    if (!this.open.has(owner)) this.open.set(owner, { start: this.group >= 0 ? this.group : first - 1, lines: [] });
    this.open.get(owner).lines.push(line);
  }

  // Note the orders that an undo or ruling takes back, and those that the ruling may give again.
  takeBack(n, kind, from, amends, withdraws) {
    const back = [];
    while (from && this.orders.length && this.orders[this.orders.length - 1].first >= from) back.unshift(this.orders.pop());
    const later = back.filter((each) => each.first > amends);
    if (amends) this.replaced[n] = later;
    this.again = kind === "ruling" && from ? [...(this.replaced[withdraws] || later)].reverse() : [];
  }

  isGivenAgain(line) {
    this.orders.push(line);
    if (this.isAmending || !this.again.length) return false;
    const isSame = givenAs(line) === givenAs(this.again.pop());
    if (!isSame) this.again = [];
    return isSame;
  }

  async closeHand({ data: { by, from, items, signature }, first }) {
    const hand = this.open.get(by), { game } = this.log.header;
    this.open.delete(by);
    this.due.delete(by);
    this.found.hands += 1;
    if (!hand) return this.fail(first, `a hand of ${by} that signs no order`);
    if (from !== hand.start || items !== hexOf(sha256(bytesOf(hand.lines.map(itemOf).join("\n")))))
      return this.fail(first, `the hand of ${by} signs other orders`);
    const message = `sandtable hand\n${game}\n${by}\n${from}\n${this.found.heads[from]}\n${items}\n`;
    if (await isSigned(this.keys[by], bytesOf(message), signature || "") === false) this.fail(first, `the hand is not signed by the key of ${by}`);
  }

  async changeKey(line) {
    const { data: { by, key, proof, reason, signatures = {} }, first } = line, names = Object.keys(signatures).sort().join();
    const others = Object.keys(this.keys).filter((name) => name !== by && name !== "umpire").sort().join();
    const isLost = names && names !== by && (names === "umpire" || names === others);
    const text = this.signedText(line, this.found), due = [[key, proof], ...Object.entries(signatures).map(([name, each]) => [this.keys[name], each])];
    const checks = await Promise.all(due.map(([known, each]) => Boolean(known) && isSigned(known, text, each || "")));
    if (!this.keys[by] || !(names === by || isLost) || Boolean(reason) === (names === by) || checks.includes(false))
      return this.fail(first, `the new key of ${by} is not signed as it must be`);
    if (isLost) this.found.rulings.push(`record ${first} by ${names}, signed: ${by} has a new key`);
    this.keys[by] = key;
  }
}

// The line of an order or undo among the items that a hand signs.
function itemOf({ data: { kind, by, to, own, asked, missing, secret }, text }) {
  const seat = JSON.stringify(by);
  if (kind === "undo") return `{"by":${seat},"to":${to}}`;
  if (missing || secret) return `{"by":${seat},"own":${JSON.stringify(own)}}`;
  return `{"asked":${JSON.stringify(asked)},"by":${seat},"order":${orderText(text)}}`;
}

const orderText = (text) => text.slice(text.indexOf(',"order":') + 9, text.lastIndexOf(',"asked":"'));

// What must be the same in an order that a ruling gives again; no two orders without a commitment are the same.
function givenAs({ data: { by, own, asked = "", missing, secret }, text }) {
  if (missing || secret) return own ? `${by} own ${own}` : Symbol(by);
  return `${by} ${asked.split("#")[0]} ${orderText(text)}`;
}
