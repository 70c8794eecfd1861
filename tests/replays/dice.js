// Verifies the dice of a log: node dice.js LOG. Written from replays/README.md alone.
const { createHmac, createHash } = require("crypto");
const lines = require("fs").readFileSync(process.argv[2], "utf8").split("\n").slice(0, -1).map((line) => JSON.parse(line));
const header = lines[0], key = Buffer.from(header.key || lines[lines.length - 1].key, "hex");
const committed = createHash("sha256").update("sandtable commitment\n").update(key).digest("hex");
if (header.commitment && committed !== header.commitment) throw new Error("the key is not the committed one");
function roll(label, count, sides) {
  const dice = [], limit = 2 ** 32 - (2 ** 32 % sides);
  for (let block = 0; dice.length < count; block++) {
    const digest = createHmac("sha256", key).update(block ? `${label}#${block}` : label).digest();
    for (let at = 0; at < 32; at += 4)
      if (digest.readUInt32BE(at) < limit) dice.push((digest.readUInt32BE(at) % sides) + 1);
  }
  return dice.slice(0, count);
}
const rolls = lines.filter((line) => line.kind === "roll" && !line.by);
const bad = rolls.filter((r) => String(roll(r.label, r.dice.length, r.sides)) !== String(r.dice));
bad.forEach((r) => console.log(`record ${r.n}: ${r.label}: ${r.dice} should be ${roll(r.label, r.dice.length, r.sides)}`));
console.log(`${rolls.length - bad.length} of ${rolls.length} rolls verified`);
process.exit(bad.length ? 1 : 0);
