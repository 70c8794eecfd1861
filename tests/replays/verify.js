// Verifies chain, openings, dice and signatures of a log, and anchors of it: node verify.js LOG [ANCHORS].
// Written from replays/README.md alone.
const { createHash, createHmac, createPublicKey, verify } = require("crypto");
const sha = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256"));
const before = (text, field) => text.slice(0, text.lastIndexOf(`,"${field}":"`));
const faults = [];

// The lines. What follows the last running hash is a torn tail, except annexes and openings of the header.
const raw = require("fs").readFileSync(process.argv[2]);
const texts = raw.subarray(0, raw.lastIndexOf(10)).toString("utf8").split("\n");
const all = texts.map((text) => ({ text, line: JSON.parse(text) }));
const annexes = all.filter(({ line }) => line.kind === "annex");
const end = all.findLastIndex(({ line }) => line.hash && line.kind !== "annex");
const chain = all.slice(0, end + 1).filter(({ line }) => line.kind !== "annex" && line.kind !== "opening");
const openings = all.filter(({ line }, at) => line.kind === "opening" && (at < end || !line.n));
for (const { text, line } of annexes)
  if (sha("sandtable annex\n", before(text, "hash")).digest("hex") !== line.hash) faults.push("an annex was altered");

// The running hash, which is stored at the end of each stretch and known after each record.
const lines = [], bodies = [], heads = [];
let stretch = sha(Buffer.alloc(32));
chain.forEach(({ text, line }, at) => {
  const n = lines.length, next = (chain[at + 1] || { line: { kind: "end" } }).line.kind;
  const isEnd = at === 0 || ["order", "undo", "ruling", "end", "shares", "burnt", "chain", "hand", "key", "standing"].includes(next);
  const body = line.hash ? before(text, "hash") : text.slice(0, -1);
  const head = stretch.update(body).copy().digest();
  if ((line.hash || "") !== (isEnd ? head.toString("hex") : "")) faults.push(`record ${n}: the running hash does not fit`);
  if (n && line.n !== n) faults.push(`record ${n}: has the number ${line.n}`);
  stretch = isEnd ? sha(head) : stretch.update("}\n");
  for (let last = line.kind === "closed" && line.last || n; lines.length <= last; heads.push(head.toString("hex")))
    bodies[lines.push(line) - 1] = body;
});

// What the chain commits to, and what is open of it. The umpire's openings are read last: they show everything.
const node = (left, right) => sha(Buffer.from([1]), left, right).digest();
const rootOf = (text, { to, at, path }) => {
  const leaf = sha(Buffer.from([0]), before(text, "path")).digest();
  const hashes = path.match(/.{64}/g).map((each) => Buffer.from(each, "hex")), last = hashes.pop();
  if (to === "umpire") return node(leaf, last);
  return node(last, hashes.reduce((hash, other, level) => ((at >> level) % 2 ? node(other, hash) : node(hash, other)), leaf));
};
const whole = lines.map((line, n) => (n && line.root ? undefined : line));
for (const { text, line } of openings.sort((a, b) => (a.line.to === "umpire") - (b.line.to === "umpire"))) {
  const first = lines[line.n];
  if (!first || (first.n || 0) !== line.n || rootOf(text, line).toString("hex") !== first.root)
    faults.push(`record ${line.n}: the opening for ${line.to} is not what the chain commits to`);
  if (line.part) whole[line.n] = { ...first, ...line.part };
  for (const record of line.records || []) if (record.kind !== "seen") whole[record.n] = record;
}
const closed = whole.filter((record) => !record).length;

// The dice of a key, and those set in a branch.
const header = whole[0], last = whole[whole.length - 1];
const roll = (key, label, count, sides) => {
  const dice = [], limit = 2 ** 32 - (2 ** 32 % sides);
  for (let block = 0; dice.length < count; block++) {
    const digest = createHmac("sha256", key).update(block ? `${label}#${block}` : label).digest();
    for (let at = 0; at < 32; at += 4)
      if (digest.readUInt32BE(at) < limit) dice.push((digest.readUInt32BE(at) % sides) + 1);
  }
  return dice.slice(0, count);
};
const set = header.parent ? header.dice_set || {} : {};
const fallen = (key, r) => {
  const given = (set[r.label] || []).slice(0, r.dice.length), fell = roll(key, r.label, r.dice.length, r.sides);
  return given.every((face) => face >= 1 && face <= r.sides) ? [...given, ...fell.slice(given.length)] : fell;
};

// Shared dice: every link leads back to the tip of its chain, and every label has the key of its epoch.
const keyOfLabel = new Map(), chains = {};
const take = (name, epoch, text, n) => {
  const own = chains[name], place = own ? epoch - own.base : 0;
  let link = Buffer.from(String(text), "hex");
  for (let each = place; own && each > own.place; each--) {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(each);
    link = sha("sandtable link\n", number, link).digest();
  }
  if (!own || place <= own.place || place > own.links || link.toString("hex") !== own.link || !/^[0-9a-f]{64}$/.test(text))
    faults.push(`record ${n}: the share of ${name} is no link of its chain`);
  else Object.assign(own, { link: text, place });
};
for (const [name, { tip, links }] of Object.entries(header.chains || {})) chains[name] = { link: tip, place: 0, base: 0, links };
if ((header.dice === "shared") !== Boolean(header.chains)) faults.push("the header: shared dice and chains belong together");
let epoch = 0, bound = -1, answer = 0, burns = false, key;
for (const [n, line] of lines.entries()) {
  if (header.dice !== "shared") break;
  if (line.kind === "order" || line.kind === "ruling") [answer, burns] = [n, line.kind === "order" && line.missing === 1];
  if (line.kind === "shares" || line.kind === "burnt") {
    if (line.epoch !== epoch + 1) faults.push(`record ${n}: epoch ${line.epoch} does not follow epoch ${epoch}`);
    if (line.kind === "burnt" ? !burns : line.at !== answer || bound === answer) faults.push(`record ${n}: not an epoch after record ${answer}`);
    [epoch, burns] = [line.epoch, false];
  }
  if (line.kind === "shares") {
    if (String(Object.keys(line.links)) !== String(Object.keys(chains))) faults.push(`record ${n}: not the shares of all sides`);
    const names = Object.keys(line.links).sort();
    for (const name of names) take(name, epoch, line.links[name], n);
    const shares = names.flatMap((name) => [`${name}=`, Buffer.from(line.links[name], "hex")]);
    [bound, key] = [answer, sha(`sandtable epoch\n${header.game}\n${epoch}\n${heads[answer]}\n`, ...shares).digest()];
  }
  if (line.kind === "chain") {
    take(line.by, epoch + 1, line.link, n);
    chains[line.by] = { link: line.tip, place: 0, base: epoch, links: line.links };
  }
  if (line.kind !== "roll" || keyOfLabel.has(line.label) || !line.dice.length) continue;
  if (bound === answer) keyOfLabel.set(line.label, key);
  else faults.push(`record ${n}: ${line.label} is rolled without shares`);
}

// The key, if it is shown, and all dice.
const shown = header.key || (last && last.kind === "close" && last.key);
if (shown && header.commitment && sha("sandtable commitment\n", Buffer.from(shown, "hex")).digest("hex") !== header.commitment)
  faults.push("the key is not the committed one");
let result = "dice: the key is not shown";
if (shown || header.dice === "shared") {
  const keyOf = (r) => (header.dice === "shared" ? keyOfLabel.get(r.label) || Buffer.alloc(32) : Buffer.from(shown, "hex"));
  const rolls = whole.filter((record) => record && record.kind === "roll" && !record.by);
  const bad = rolls.filter((r) => String(fallen(keyOf(r), r)) !== String(r.dice));
  bad.forEach((r) => faults.push(`record ${r.n}: ${r.label}: ${r.dice} should be ${fallen(keyOf(r), r)}`));
  result = `dice: ${rolls.length - bad.length} of ${rolls.length} rolls verified`;
}

// Signatures: of orders, rulings, endings and new keys by the keys of their seats, of anchors by the key that they name.
const isSigned = (key, message, signature) => {
  const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), Buffer.from(key, "hex")]);
  const known = createPublicKey({ key: der, format: "der", type: "spki" });
  return verify(null, Buffer.from(message), known, Buffer.from(signature || "", "hex"));
};
const keys = { ...header.keys }, open = {}, replaced = {};
let due = [], group = -1, orders = [], again = [], isAmending = false;
const signedText = (n, line, ...fields) => // the record without signatures, after the running hash before it
  `sandtable ${line.kind}\n${heads[n - 1]}\n` + fields.reduce((text, name) =>
    text.replace(`,"${name}":${JSON.stringify(line[name])}`, ""), bodies[n]) + "}";
const labelOf = (asked) => asked.split("#")[0];
const isAnswer = ({ kind, standing, refused, missing, secret }) => kind === "order" && standing && !refused && !missing && !secret;
const orderText = (n) => bodies[n].slice(bodies[n].indexOf(',"order":') + 9, bodies[n].lastIndexOf(',"asked":"'));
const itemOf = ([n, { kind, by, to, own, asked, missing, secret }]) => kind === "undo" ? `{"by":${JSON.stringify(by)},"to":${to}}`
  : kind === "standing" ? bodies[n].replace(`"kind":"standing","n":${n},`, "") + "}"
  : missing || secret ? `{"by":${JSON.stringify(by)},"own":${JSON.stringify(own)}}`
  : `{"asked":${JSON.stringify(asked)},"by":${JSON.stringify(by)},"order":${orderText(n)}}`;
const repeats = (one, [n, other]) => one.line.by === other.by && !one.line.missing === !other.missing && !one.line.secret === !other.secret &&
  (one.line.root ? one.line.own && one.line.own === other.own : labelOf(one.line.asked) === labelOf(other.asked) && orderText(one.n) === orderText(n));
function cover(n, line) {
  const { kind, by, missing, amends, withdraws } = line, isOrder = kind === "order", isStanding = kind === "standing";
  const isInput = isOrder || kind === "undo" || isStanding;
  if (isAnswer(line)) {
    [group, isAmending] = [-1, false];
    return;
  }
  if (isOrder && missing && group < 0) group = n - 1;
  else if (!isStanding && !(isOrder && missing) && !(kind === "undo" && line.to > group)) group = -1;
  const owner = isOrder && isAmending ? "umpire" : isInput ? by : "";
  for (const [seat, hand] of Object.entries(open))
    if ((due.includes(seat) || seat !== owner) && !(group >= 0 && hand.start === group)) {
      faults.push(`record ${hand.inputs[0][0]}: ${hand.inputs[0][1].kind} ${hand.inputs[0][0]} of ${seat} is not signed`);
      delete open[seat];
    }
  if (kind === "undo" || kind === "ruling") {
    const first = line.to || amends || withdraws || Infinity, later = orders.filter((each) => each.n >= first && each.n > (amends || 0));
    orders = orders.filter((each) => each.n < first);
    if (amends) replaced[n] = later;
    again = kind === "ruling" && first < Infinity ? [...(replaced[withdraws] || later)] : [];
  }
  let isAgain = false;
  if (isOrder) {
    orders.push({ n, line });
    if (!isAmending && again.length && !(isAgain = repeats(again.shift(), [n, line]))) again = [];
  }
  if (isInput && !isAgain && keys[by] && keys[owner]) {
    if (isOrder && (missing || line.secret) && !line.own) faults.push(`record ${n}: has no commitment of its seat`);
    open[owner] = open[owner] || { start: group >= 0 && !isStanding ? group : n - 1, inputs: [] };
    open[owner].inputs.push([n, line]);
  }
  if (isStanding) return;
  isAmending = kind === "ruling" && Boolean(amends);
  if (missing !== 1) return;
  due.push(...Object.keys(open).filter((seat) => open[seat].start === group));
  group = -1;
}
function checkHand(n, { by, from, items, signature }) {
  const hand = open[by], signed = hand ? sha(hand.inputs.map(itemOf).join("\n")).digest("hex") : "";
  if (!hand || !keys[by]) faults.push(`record ${n}: a hand of ${by} that signs no order`);
  else if (from !== hand.start || items !== signed) faults.push(`record ${n}: the hand of ${by} signs other orders`);
  else if (!isSigned(keys[by], `sandtable hand\n${header.game}\n${by}\n${from}\n${heads[from]}\n${items}\n`, signature))
    faults.push(`record ${n}: the hand is not signed by the key of ${by}`);
  delete open[by];
  due = due.filter((seat) => seat !== by);
}
function checkKey(n, line) {
  const { by, key, proof, reason, signatures = {} } = line, names = Object.keys(signatures).sort().join();
  const text = signedText(n, line, "proof", "signatures"), others = Object.keys(keys).filter((name) => name !== by && name !== "umpire");
  const isLost = (names === "umpire" && by !== "umpire") || (others.length && names === others.sort().join());
  const isDue = Boolean(reason) === (names !== by) && (names === by || isLost);
  if (!keys[by] || !isDue || !isSigned(key, text, proof) || Object.keys(signatures).some((name) => !keys[name] || !isSigned(keys[name], text, signatures[name])))
    faults.push(`record ${n}: the new key of ${by} is not signed as it must be`);
  else keys[by] = key;
}

// Standing orders: the one that names an open question is marked in its answer, which is the fixed one if it has one.
const answered = {}, reasons = ["failed", "illegal", "repeats", "secret"];
let given = [], ended = [], byName = {}, row = 0, isReplacing = false;
function index() {
  byName = {};
  for (const each of given.filter(({ n }) => !ended.some(({ of }) => of === n)))
    for (const name of each.purposes) byName[`${each.by} ${name}`] = each;
}
function naming({ by, asked }) {
  const [turn, ...rest] = labelOf(asked).split("/"), parts = rest[rest.length - 2].split(".");
  for (; parts.length; parts.pop()) {
    const found = byName[`${by} ${parts.join(".")}`];
    if (found && !(found.until < Number(turn))) return found;
  }
}
function checkStanding(n, record) {
  const { kind, by, withdraws, purposes = [], policy, answer, standing = 0, refused } = record;
  const fault = (text) => faults.push(`record ${n}: ${text}`);
  if (kind === "standing") {
    const isRight = withdraws ? !purposes.length && !policy && !answer && Object.values(byName).some((each) => each.n === withdraws && each.by === by)
      : !policy !== !answer && purposes.length && purposes.length <= 16 && purposes.every((name) => name.length <= 100 && !(name in header.players));
    if (!isRight || by === "umpire") fault("cannot be a standing order");
    else if (withdraws) ended.push({ n, of: withdraws });
    else given.push(record);
    index();
  } else if (kind === "order") {
    const named = record.missing || record.secret || isReplacing ? undefined : naming(record), isFull = row >= 1000;
    if (standing !== (named ? named.n : 0) || (refused && !named)) fault("is not marked with the standing order that names its question");
    else if (named && (isFull ? !["repeats", "secret"].includes(refused) : refused === "repeats") || refused && !reasons.includes(refused))
      fault(`${refused} is not why the standing order does not answer`);
    else if (named && !refused && named.answer && JSON.stringify(named.answer) !== JSON.stringify(record.order))
      fault("is not the answer of its standing order");
    answered[n] = refused ? 0 : standing;
    row = answered[n] ? row + 1 : 0;
    isReplacing = false;
  } else if (kind === "undo" || kind === "ruling") {
    const first = record.to || record.amends || withdraws || Infinity;
    [given, ended] = [given, ended].map((list) => list.filter((each) => each.n < first));
    if (kind === "undo" && answered[first]) ended.push({ n, of: answered[first] });
    index();
    [row, isReplacing] = [0, kind === "ruling" && Boolean(record.amends)];
  }
}

lines.forEach((line, n) => {
  const { kind, by, how, signature, sides = [], signatures = {} } = line, shown = whole[n];
  if (kind === "hand") checkHand(n, line);
  if (kind === "key") checkKey(n, line);
  if (["order", "undo", "ruling", "end", "close", "standing"].includes(kind)) cover(n, line);
  checkStanding(n, whole[n] || line);
  if (line.own && shown && shown.own_salt) {
    const opened = openings.find(({ line: each }) => each.n === n && each.part).text, from = opened.indexOf('"order":') + 8;
    const order = opened.slice(from, opened.lastIndexOf(',"asked":"'));
    if (sha(`sandtable own\n${by}\n${labelOf(shown.asked)}\n${shown.own_salt}\n${order}`).digest("hex") !== line.own)
      faults.push(`record ${n}: the opened order is not the one to which ${by} committed`);
  }
  if (kind === "ruling" && keys.umpire && !isSigned(keys.umpire, signedText(n, line, "signature"), signature))
    faults.push(`record ${n}: the ruling is not signed by the umpire`);
  if (kind !== "end") return;
  const signers = Object.keys(keys).filter((name) =>
    how === "resignation" ? name === by || sides.includes(name) : (name === "umpire") !== (how === "agreed_draw"));
  for (const name of signers)
    if (!isSigned(keys[name], signedText(n, line, "signatures"), signatures[name])) faults.push(`record ${n}: the ending is not signed by ${name}`);
  if (Object.keys(signatures).some((name) => !signers.includes(name))) faults.push(`record ${n}: has a signature of a seat that does not sign it`);
});
const unsigned = Object.values(open).flatMap(({ inputs }) => inputs.map(([n]) => n));
if (unsigned.length) result += `; not signed yet: ${unsigned.sort((a, b) => a - b).join(", ")}`;
const anchors = process.argv[3] ? require("fs").readFileSync(process.argv[3], "utf8").trim().split("\n").map(JSON.parse) : [];
anchors.forEach((anchor) => {
  if (anchor.game !== header.game || anchor.head !== heads[anchor.record]) faults.push(`the anchor of record ${anchor.record} does not fit`);
  const message = `sandtable anchor\n${anchor.game}\n${anchor.record}\n${anchor.head}`;
  if (anchor.signature && !isSigned(anchor.by, message, anchor.signature)) faults.push(`the anchor of record ${anchor.record} does not fit its key`);
});
faults.forEach((fault) => console.log(fault));
console.log(`chain: ${lines.length - 1} records, ${openings.length} openings, ${closed} closed; ${result}`);
process.exit(faults.length ? 1 : 0);
