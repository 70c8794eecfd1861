// SHA-256 and HMAC, by the browser's WebCrypto if available, in plain JavaScript if not. Bytes in, bytes out.

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

export function plainSha256(bytes) {
  const padded = new Uint8Array((bytes.length + 72) & ~63);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
  const state = Int32Array.from(START);
  for (let offset = 0; offset < padded.length; offset += 64) mixBlock(state, view, offset);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setInt32(4 * i, word));
  return new Uint8Array(digest.buffer);
}

export function plainHmac(key, bytes) {
  const short = key.length > 64 ? plainSha256(key) : key;
  const pad = (with_) => Uint8Array.from({ length: 64 }, (_, i) => (short[i] || 0) ^ with_);
  return plainSha256(joinBytes(pad(0x5c), plainSha256(joinBytes(pad(0x36), bytes))));
}

const SUBTLE = globalThis.crypto && globalThis.crypto.subtle;

export async function sha256(bytes) {
  return SUBTLE ? new Uint8Array(await SUBTLE.digest("SHA-256", bytes)) : plainSha256(bytes);
}

export async function hmac(key, bytes) {
  if (!SUBTLE) return plainHmac(key, bytes);
  const ready = await SUBTLE.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await SUBTLE.sign("HMAC", ready, bytes));
}

// Whether an Ed25519 signature is valid: true, false, or null if this browser cannot check it.
export async function isSigned(key, message, signature) {
  try {
    const ready = await SUBTLE.importKey("raw", fromHex(key), { name: "Ed25519" }, false, ["verify"]);
    return await SUBTLE.verify({ name: "Ed25519" }, ready, fromHex(signature), message);
  } catch {
    return null;
  }
}
