// Verifies chain, openings, dice and signatures of a log, and seals of it: node verify.js LOG [SEALS].
// Written from replays/README.md alone.
const { createHash, createHmac, createPublicKey, verify } = require("crypto");
const sha = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const faults = [];

const raw = require("fs").readFileSync(process.argv[2]);
const texts = raw.subarray(0, raw.lastIndexOf(10)).toString("utf8").split("\n");
const openings = new Map(), lines = [], bodies = [];
let head = Buffer.alloc(32);
for (const text of texts) {
  const line = JSON.parse(text);
  if (line.kind === "opening") {
    openings.set(`${line.n}/${line.to}`, { line, digest: sha(text).toString("hex") });
    continue;
  }
  const body = text.slice(0, text.lastIndexOf(',"hash":"'));
  if (line.kind === "annex") {
    if (sha("sandtable annex\n", body).toString("hex") !== line.hash) faults.push("an annex was altered");
    continue;
  }
  head = sha(head, sha(body));
  if (head.toString("hex") !== line.hash) faults.push(`record ${lines.length}: its hash does not fit its text`);
  lines.push(line);
  bodies.push(body);
}

// What the chain commits to, and what is open of it.
let closed = 0;
lines.forEach((line, n) => {
  const sealed = line.sealed || {};
  for (const [to, digest] of Object.entries(sealed)) {
    const found = openings.get(`${n}/${to}`);
    if (found && found.digest !== digest) faults.push(`record ${n}: the opening for ${to} is not what the chain commits to`);
  }
  const holders = "umpire" in sealed ? ["umpire"] : Object.keys(sealed);
  const whole = holders.map((to) => openings.get(`${n}/${to}`)).find((found) => found);
  if (holders.length && !whole) closed += 1;
  if (whole) Object.assign(line, whole.line, { kind: line.kind });
});
for (const [place, { line }] of openings)
  if (!((lines[line.n] || {}).sealed || {})[line.to]) faults.push(`the opening ${place} belongs to no record`);

// The dice, where the key is shown.
const header = lines[0], last = lines[lines.length - 1];
const shown = header.key || (last.kind === "close" && last.key);
let told = "dice: the key is not shown";
if (shown) {
  const key = Buffer.from(shown, "hex");
  if (header.commitment && sha("sandtable commitment\n", key).toString("hex") !== header.commitment)
    faults.push("the key is not the committed one");
  const roll = (label, count, sides) => {
    const dice = [], limit = 2 ** 32 - (2 ** 32 % sides);
    for (let block = 0; dice.length < count; block++) {
      const digest = createHmac("sha256", key).update(block ? `${label}#${block}` : label).digest();
      for (let at = 0; at < 32; at += 4)
        if (digest.readUInt32BE(at) < limit) dice.push((digest.readUInt32BE(at) % sides) + 1);
    }
    return dice.slice(0, count);
  };
  const rolls = lines.filter((line) => line.kind === "roll" && line.label && !line.by);
  const set = header.parent ? header.dice_set || {} : {};
  const due = (r) => {
    const given = (set[r.label] || []).slice(0, r.dice.length), fell = roll(r.label, r.dice.length, r.sides);
    return given.every((face) => face >= 1 && face <= r.sides) ? [...given, ...fell.slice(given.length)] : fell;
  };
  const bad = rolls.filter((r) => String(due(r)) !== String(r.dice));
  bad.forEach((r) => faults.push(`record ${r.n}: ${r.label}: ${r.dice} should be ${due(r)}`));
  told = `dice: ${rolls.length - bad.length} of ${rolls.length} rolls verified`;
}

// Signatures: of rulings by the umpire's key, of endings by those whom they need, of seals by the key that they name.
const isSigned = (key, message, signature) => {
  const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), Buffer.from(key, "hex")]);
  const known = createPublicKey({ key: der, format: "der", type: "spki" });
  return verify(null, Buffer.from(message), known, Buffer.from(signature, "hex"));
};
const umpire = (header.keys || {}).umpire;
lines.forEach((line, n) => {
  if (line.kind !== "ruling" || !umpire) return;
  const said = bodies[n].replace(`,"signature":"${line.signature}"`, "") + "}";
  const message = `sandtable ruling\n${lines[n - 1].hash}\n${said}`;
  if (!line.signature || !isSigned(umpire, message, line.signature)) faults.push(`record ${n}: the ruling is not signed by the umpire`);
});
const signers = (line) => Object.keys(header.keys || {}).filter((name) =>
  line.how === "resignation" ? name === line.by || line.sides.includes(name) : (name === "umpire") !== (line.how === "agreed_draw"));
lines.forEach((line, n) => {
  if (line.kind !== "end") return;
  const signed = line.signatures || {};
  const said = bodies[n].replace(`,"signatures":${JSON.stringify(signed)}`, "") + "}";
  const message = `sandtable end\n${lines[n - 1].hash}\n${said}`;
  for (const name of signers(line))
    if (!signed[name] || !isSigned(header.keys[name], message, signed[name])) faults.push(`record ${n}: the ending is not signed by ${name}`);
  if (Object.keys(signed).some((name) => !signers(line).includes(name))) faults.push(`record ${n}: a signature of nobody who signs it`);
});
const seals = process.argv[3] ? require("fs").readFileSync(process.argv[3], "utf8").trim().split("\n").map(JSON.parse) : [];
seals.forEach((seal) => {
  const at = lines[seal.record] || {};
  if (seal.game !== header.game || seal.head !== at.hash) faults.push(`the seal of record ${seal.record} does not fit`);
  const message = `sandtable seal\n${seal.game}\n${seal.record}\n${seal.head}`;
  if (seal.signature && !isSigned(seal.by, message, seal.signature)) faults.push(`the seal of record ${seal.record} is not signed so`);
});
faults.forEach((fault) => console.log(fault));
console.log(`chain: ${lines.length - 1} records, ${openings.size} openings, ${closed} closed; ${told}`);
process.exit(faults.length ? 1 : 0);
