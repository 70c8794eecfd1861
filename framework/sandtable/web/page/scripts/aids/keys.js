// Keys for everything: a table of keys by group, and its help. Keys do nothing in fields, and can be turned off.

import { byId, make } from "/s/viewer/scripts/page/make.js";

const NAME = "sandtable:keys", IN_FIELDS = "input:not([type=range], [type=checkbox]), textarea, select";

export class Keys {
  constructor() {
    this.rows = [];
    this.acts = new Map();
    this.dialog = byId("help");
    const box = byId("keys-on");
    box.checked = localStorage.getItem(NAME) !== "off";
    box.addEventListener("change", () => localStorage.setItem(NAME, box.checked ? "on" : "off"));
    byId("help-open").addEventListener("click", () => this.help());
    byId("help-close").addEventListener("click", () => this.dialog.close());
    this.add("Page", "?", "this help", () => this.help());
    document.addEventListener("keydown", (event) => this.down(event));
  }

  // Add a key, or several separated by a space; `act(key, event)` returns false if it does nothing now.
  add(group, keys, words, act) {
    this.rows.push([group, keys, words]);
    for (const key of keys.split(" ")) this.acts.set(key === "Space" ? " " : key, act);
  }

  help() {
    if (this.dialog.open) {
      this.dialog.close();
      return;
    }
    const groups = new Map();
    for (const [group, keys, words] of this.rows) groups.set(group, [...(groups.get(group) || []), [keys, words]]);
    byId("help-keys").replaceChildren(...[...groups].flatMap(([group, rows]) => [
      make("h3", {}, group),
      make("dl", {}, ...rows.flatMap(([keys, words]) => [make("dt", {}, ...keys.split(" ").flatMap((key, at) => [at ? " " : "", make("kbd", {}, key)])), make("dd", {}, words)])),
    ]));
    this.dialog.showModal();
  }

  down(event) {
    const { key, target } = event;
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || !byId("curtain").hidden) return;
    if (target.closest(IN_FIELDS)) {
      if (key === "Escape") target.blur();
      return;
    }
    const open = document.querySelector("dialog[open]");
    if (open && (open !== this.dialog || key !== "?")) return;
    if (!byId("keys-on").checked && key !== "?") return;
    if ((key === "Enter" && !event.shiftKey || key === " ") && target.closest("button, summary, a, [role=tab], input")) return;
    if (target.matches("input[type=range]") && key.startsWith("Arrow")) return;
    const act = this.acts.get(key);
    if (!act || act(key, event) === false) return;
    event.preventDefault();
  }
}
