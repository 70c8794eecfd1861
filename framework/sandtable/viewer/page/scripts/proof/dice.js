// The dice of a label, from the key: the log format, section 5.

import { bytesOf, hmac } from "./hashing.js";

// Returns the faces, and the blocks of digests that they were read from.
export function rollDice(key, label, count, sides) {
  const dice = [], blocks = [], limit = 2 ** 32 - (2 ** 32 % sides);
  for (let block = 0; dice.length < count; block++) {
    const digest = hmac(key, bytesOf(block ? `${label}#${block}` : label));
    blocks.push(digest);
    const view = new DataView(digest.buffer, digest.byteOffset);
    for (let at = 0; at < 32; at += 4) {
      const word = view.getUint32(at);
      if (word < limit) dice.push((word % sides) + 1);
    }
  }
  return { dice: dice.slice(0, count), blocks };
}

// The correct faces of a roll: those set in a branch, or those of the key.
export function dueDice(key, roll, setDice) {
  const { dice } = rollDice(key, roll.label, roll.dice.length, roll.sides);
  const given = (setDice[roll.label] || []).slice(0, roll.dice.length);
  const fits = given.every((face) => face >= 1 && face <= roll.sides);
  return fits ? [...given, ...dice.slice(given.length)] : dice;
}
