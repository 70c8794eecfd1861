// Changes of parts by record as one track per part, so that any record is found by a search instead of a walk.

export const ABSENT = -1;

export class Tracks {
  // {keys, frames} as written by the module film/frames, and the table of values.
  constructor({ keys, frames }, values) {
    this.keys = keys;
    this.values = values;
    this.records = keys.map(() => []);
    this.numbers = keys.map(() => []);
    this.at = new Map();
    for (const frame of frames) {
      const record = frame[0], changed = [];
      for (let i = 1; i < frame.length; i += 2) {
        this.records[frame[i]].push(record);
        this.numbers[frame[i]].push(frame[i + 1]);
        changed.push(frame[i]);
      }
      this.at.set(record, changed);
    }
    this.now = new Int32Array(keys.length).fill(ABSENT);
    this.record = -1;
  }

  // Append the additions of a running game: new keys, and frames after the last one. Values are appended by the caller.
  append({ keys, frames }) {
    for (const key of keys) {
      this.keys.push(key);
      this.records.push([]);
      this.numbers.push([]);
    }
    const now = new Int32Array(this.keys.length).fill(ABSENT);
    now.set(this.now);
    this.now = now;
    for (const frame of frames) {
      const changed = this.at.get(frame[0]) || [];
      for (let i = 1; i < frame.length; i += 2) {
        this.records[frame[i]].push(frame[0]);
        this.numbers[frame[i]].push(frame[i + 1]);
        changed.push(frame[i]);
      }
      this.at.set(frame[0], changed);
    }
  }

  // The index of a part's value after a record.
  valueAt(key, record) {
    const records = this.records[key];
    let low = 0, high = records.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (records[middle] <= record) low = middle + 1;
      else high = middle;
    }
    return low ? this.numbers[key][low - 1] : ABSENT;
  }

  // Go to a record; return [key, value before, value now] of each changed part.
  go(record) {
    const changed = [];
    const near = Math.abs(record - this.record) === 1 && this.record >= 0;
    const keys = near ? this.at.get(Math.max(record, this.record)) || [] : this.keys.keys();
    for (const key of keys) {
      const value = this.valueAt(key, record);
      if (value !== this.now[key]) {
        changed.push([key, this.now[key], value]);
        this.now[key] = value;
      }
    }
    this.record = record;
    return changed;
  }

  value(number) {
    return number === ABSENT ? null : this.values[number];
  }

  // The current value of a part.
  current(key) {
    return this.value(this.now[key]);
  }
}
