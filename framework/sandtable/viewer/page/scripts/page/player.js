// The current position: every panel is updated after each step and jump.

import { Signs, placeOfRoll, placesIn } from "../board/motion.js";
import { byId } from "./make.js";
import { writeLink } from "./links.js";

export class Player {
  // `scenes`: of the game, and of the one it is compared with; `panels` have show(record).
  constructor(games) {
    this.games = games;
    this.game = games[0];
    this.now = 0;
    this.scenes = [];
    this.signs = [];
    this.panels = [];
    this.zoom = null;
    this.comparison = null;
  }

  useScenes(scenes, zoom) {
    this.scenes = scenes;
    this.signs = scenes.map((scene) => new Signs(scene));
    this.zoom = zoom;
  }

  goTo(number, { isStep = false, isPlay = false, isJump = !isStep } = {}) {
    const before = this.now, to = Math.max(0, Math.min(this.game.last, Math.floor(number) || 0));
    this.now = to;
    const onward = isStep && to > before;
    this.scenes.forEach((scene, place) => {
      const other = place ? this.comparison.recordFor(to) : to;
      const changed = scene.go(other), record = this.games[place].record(other);
      this.signs[place].show(record, changed, onward);
      if (!place && this.zoom && byId("follow").checked) this.zoom.follow(this.action(record, changed, scene));
    });
    for (const panel of this.panels) panel.show(to);
    writeLink(to, this.game.view, isJump);
    this.speak(before, isPlay);
  }

  // The points of the map where something happened.
  action(record, changed, scene) {
    const { facts } = scene, { spots } = placesIn(record.event || {}, facts);
    const named = [...spots.slice(0, 8), placeOfRoll(record, facts)].filter(Boolean);
    const moved = changed.filter(({ key, now }) => key[0] === "@" && now && now[0] !== "=").map(({ now }) => now.split(" ")[4]);
    return [...new Set(moved.length && moved.length < 9 ? moved : named)].map((place) => facts.places[place]).filter(Boolean);
  }

  step(way, isPlay = false) {
    this.goTo(this.game.stop(byId("unit").value, this.now, way), { isStep: true, isPlay });
  }

  // Announce a step; during play, only the beginning of a phase.
  speak(before, isPlay) {
    const heading = this.game.momentAt(this.now), sentence = this.game.sentenceAt(this.now);
    const said = sentence && sentence[2] > Math.min(before, this.now) ? sentence[1] : heading[2];
    byId("sentence").textContent = sentence && sentence[2] <= this.now ? sentence[1] : "";
    if (isPlay && this.spoken === heading[2]) return;
    this.spoken = heading[2];
    byId("live").textContent = isPlay ? heading[2] : `${this.now < before ? "Back: " : ""}${said}`;
  }

  nextDifference() {
    if (this.comparison) this.goTo(this.comparison.next(this.now));
  }

  nextMoment(way) {
    const list = this.game.data.moments || [], numbers = list.map(([record]) => record);
    const found = way > 0 ? numbers.find((each) => each > this.now) : [...numbers].reverse().find((each) => each < this.now);
    if (found !== undefined) this.goTo(found);
  }
}
