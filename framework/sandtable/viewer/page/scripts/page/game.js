// A game: its log, its views, and where records, orders, phases and turns begin and end.

import { readLog } from "../proof/chain.js";

export class PlayedGame {
  // `data` is from the page's island, `text` is the log, `values` are the values of picture parts.
  constructor(data, text, values) {
    this.data = data;
    this.values = values;
    this.log = readLog(text);
    this.last = this.log.records.length - 1;
    this.views = data.views;
    this.choose(0);
  }

  choose(number) {
    this.view = this.views[number];
    this.moments = this.view.moments;
    this.sentences = this.view.story.filter(([kind]) => kind === 1);
    this.stops = this.findStops();
  }

  record(number) {
    const record = this.log.records[number];
    return record ? record.data : {};
  }

  // The stops by records, by orders with their consequences ("beat"), by phases, and by turns.
  findStops() {
    const beats = new Set(), phases = new Set(), turns = new Set([0, this.last]);
    for (let number = 1; number <= this.last; number++) {
      const { kind, missing, event } = this.record(number);
      const before = this.record(number - 1);
      const inGroup = kind === "order" && before.kind === "order" && before.missing > 1 && before.missing === missing + 1;
      if ((kind === "order" && !inGroup) || kind === "ruling" || kind === "undo") beats.add(number - 1);
      if (event && event.type === "GameEnded") beats.add(number);
    }
    for (const [number, , heading] of this.moments) {
      phases.add(number - 1);
      beats.add(number - 1);
      if (/^Turn \d+$/.test(heading)) turns.add(number - 1);
    }
    for (const each of [beats, phases]) each.add(0).add(this.last);
    const sorted = (set) => [...set].filter((number) => number >= 0).sort((a, b) => a - b);
    return { beat: sorted(beats), phase: sorted(phases), turn: sorted(turns) };
  }

  // The next stop from a record, forward (1) or back (-1).
  stop(kind, from, way) {
    if (kind === "record") return Math.max(0, Math.min(this.last, from + way));
    const stops = this.stops[kind];
    if (way > 0) return stops.find((each) => each > from) ?? this.last;
    return [...stops].reverse().find((each) => each < from) ?? 0;
  }

  // The moment (record, turn, heading) that contains a record.
  momentAt(number) {
    let low = 0, high = this.moments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.moments[middle][0] <= number) low = middle + 1;
      else high = middle;
    }
    return low ? this.moments[low - 1] : [0, 0, "Before the first record"];
  }

  // The sentence of a record, or the last one before it.
  sentenceAt(number) {
    let found = null;
    for (const each of this.sentences) {
      if (each[2] > number) break;
      found = each;
    }
    return found;
  }

  // The orders behind a record: the last one before it, or all of its sealed group.
  ordersBehind(number) {
    let at = number;
    while (at > 0 && this.record(at).kind !== "order") {
      if (this.record(at).kind === "seal") return [];
      at -= 1;
    }
    if (!at) return [];
    const found = [at];
    if (this.record(at).missing === 1) {
      for (let more = 2; this.record(found[0] - 1).missing === more; more++) found.unshift(found[0] - 1);
    }
    return found;
  }

  // The rolls that a record results from: the last run of rolls before it and after an order.
  rollsBehind(number) {
    if (this.record(number).kind === "roll") return [number];
    if (["order", "seal"].includes(this.record(number).kind)) return [];
    const found = [];
    for (let at = number - 1; at > 0; at--) {
      const { kind } = this.record(at);
      if (kind === "roll") found.unshift(at);
      else if (found.length || kind === "order" || kind === "seal") break;
    }
    return found;
  }
}
