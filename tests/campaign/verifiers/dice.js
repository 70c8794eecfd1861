// The dice of labels, one "KEY LABEL COUNT SIDES" a line; written from section 5 of replays/README.md alone.
const { createHmac } = require("crypto");
const out = [];
for (const line of require("fs").readFileSync(0, "utf8").split("\n")) {
  if (!line) continue;
  const [key, label, count, sides] = line.split(" ");
  const dice = [], limit = 2 ** 32 - (2 ** 32 % sides);
  for (let block = 0; dice.length < count; block++) {
    const digest = createHmac("sha256", Buffer.from(key, "hex")).update(block ? `${label}#${block}` : label).digest();
    for (let at = 0; at < 32; at += 4)
      if (digest.readUInt32BE(at) < limit) dice.push((digest.readUInt32BE(at) % sides) + 1);
  }
  out.push(dice.slice(0, count).join(" "));
}
console.log(out.join("\n"));
