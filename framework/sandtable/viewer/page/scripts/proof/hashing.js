// SHA-256 and HMAC in plain JavaScript, because WebCrypto cannot read a digest after each part. Bytes in, bytes out.
// Signatures are checked by WebCrypto, if the browser has it.

const TEXT = new TextEncoder();

export const bytesOf = (text) => TEXT.encode(text);

export const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export function fromHex(text) {
  return Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));
}

export function joinBytes(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

// The first 32 bits of the fractional parts of roots of the first primes: the constants of the standard.
function rootsOfPrimes(count, power) {
  const found = [];
  for (let candidate = 2; found.length < count; candidate++) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) if (candidate % divisor === 0) isPrime = false;
    if (isPrime) {
      const root = candidate ** power;
      found.push(Math.floor((root - Math.floor(root)) * 2 ** 32) >>> 0);
    }
  }
  return found;
}

const START = rootsOfPrimes(8, 1 / 2);
const ROUNDS = Uint32Array.from(rootsOfPrimes(64, 1 / 3));
const WORDS = new Uint32Array(64);

const turned = (word, by) => (word >>> by) | (word << (32 - by));

function mixBlock(state, view, offset) {
  for (let i = 0; i < 16; i++) WORDS[i] = view.getUint32(offset + 4 * i);
  for (let i = 16; i < 64; i++) {
    const a = WORDS[i - 15], b = WORDS[i - 2];
    const low = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3);
    const high = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10);
    WORDS[i] = WORDS[i - 16] + low + WORDS[i - 7] + high;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + WORDS[i]) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] = (state[i] + word) | 0; });
}

// A digest that can be read after each part.
export class RunningSha256 {
  constructor(start) {
    [this.state, this.rest, this.length] = [Int32Array.from(START), new Uint8Array(0), 0];
    this.add(start);
  }

  add(bytes) {
    const all = joinBytes(this.rest, bytes), used = all.length & ~63, view = new DataView(all.buffer);
    for (let offset = 0; offset < used; offset += 64) mixBlock(this.state, view, offset);
    this.rest = all.slice(used);
    this.length += bytes.length;
    return this;
  }

  digest() {
    const padded = new Uint8Array((this.rest.length + 72) & ~63), view = new DataView(padded.buffer);
    padded.set(this.rest);
    padded[this.rest.length] = 0x80;
    view.setUint32(padded.length - 8, Math.floor(this.length / 2 ** 29));
    view.setUint32(padded.length - 4, (this.length << 3) >>> 0);
    const state = this.state.slice(), digest = new DataView(new ArrayBuffer(32));
    for (let offset = 0; offset < padded.length; offset += 64) mixBlock(state, view, offset);
    state.forEach((word, i) => digest.setInt32(4 * i, word));
    return new Uint8Array(digest.buffer);
  }
}

export const sha256 = (bytes) => new RunningSha256(bytes).digest();

export function hmac(key, bytes) {
  const short = key.length > 64 ? sha256(key) : key;
  const pad = (with_) => Uint8Array.from({ length: 64 }, (_, i) => (short[i] || 0) ^ with_);
  return sha256(joinBytes(pad(0x5c), sha256(joinBytes(pad(0x36), bytes))));
}

// Whether an Ed25519 signature is valid: true, false, or null if this browser cannot check it.
export async function isSigned(key, message, signature) {
  try {
    const { subtle } = globalThis.crypto;
    const ready = await subtle.importKey("raw", fromHex(key), { name: "Ed25519" }, false, ["verify"]);
    return await subtle.verify({ name: "Ed25519" }, ready, fromHex(signature), message);
  } catch {
    return null;
  }
}
