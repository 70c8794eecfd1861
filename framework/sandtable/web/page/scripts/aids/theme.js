// Light or dark: as the system says, or as this browser remembers. The map of a dark page gets night colors.

import { byId } from "/s/viewer/scripts/page/make.js";

const NAME = "sandtable:theme", ORDER = ["system", "light", "dark"];
const WORDS = { system: "Colors: as the system", light: "Colors: light", dark: "Colors: dark" };
const COLOR = /^#[0-9a-f]{6}$/;
const MAPS = ".board [data-layer]:not([data-layer=counters], [data-layer=signs])";
const isDark = matchMedia("(prefers-color-scheme: dark)");

// The night version of a color, as in the module viewer/style: its brightness inverted, never black.
export function night(color) {
  const parts = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
  const bright = Math.floor((30 * parts[0] + 59 * parts[1] + 11 * parts[2]) / 100);
  const now = parts.map((each) => 26 + Math.floor(((255 - bright) * 4) / 5) + Math.floor(((each - bright) * 4) / 5));
  return `#${now.map((each) => Math.max(0, Math.min(255, each)).toString(16).padStart(2, "0")).join("")}`;
}

export class Theme {
  constructor(frame) {
    this.frame = frame;
    this.sheet = new CSSStyleSheet();
    this.known = new Set();
    document.adoptedStyleSheets.push(this.sheet);
    byId("theme").addEventListener("click", () => this.set(ORDER[(ORDER.indexOf(this.now) + 1) % ORDER.length]));
    isDark.addEventListener("change", () => this.paint());
    this.set(localStorage.getItem(NAME) || "system");
  }

  set(now) {
    this.now = ORDER.includes(now) ? now : "system";
    localStorage.setItem(NAME, this.now);
    if (this.now === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = this.now;
    byId("theme").textContent = WORDS[this.now];
    this.paint();
  }

  // Called when the board has new drawings: new colors get their night versions.
  paint() {
    const dark = this.now === "dark" || this.now === "system" && isDark.matches;
    if (!dark) {
      this.sheet.disabled = true;
      return;
    }
    this.sheet.disabled = false;
    for (const what of ["fill", "stroke"])
      for (const each of this.frame.querySelectorAll(`[${what}^="#"]`)) {
        const color = each.getAttribute(what), key = `${what}${color}`;
        if (this.known.has(key) || !COLOR.test(color)) continue;
        this.known.add(key);
        this.sheet.insertRule(`${MAPS} [${what}="${color}"]:not(.as-printed *), .board .ground > [${what}="${color}"] { ${what}: ${night(color)} }`);
      }
    if (!this.known.has("drawing")) {
      this.known.add("drawing");
      this.sheet.insertRule(`.board [data-layer=drawing] { fill: ${night("#000000")} }`);
    }
  }
}
