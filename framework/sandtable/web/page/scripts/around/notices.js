// Notices: of the browser, after the person asked for them by a click, and posts to an address.

import { byId } from "/s/viewer/scripts/page/make.js";

const NAME = "sandtable:notify";

export class Notices {
  constructor(wire, game) {
    Object.assign(this, { wire, game, was: null, url: "" });
    this.button = byId("notify");
    this.button.hidden = !("Notification" in window);
    this.button.addEventListener("click", () => this.toggle());
    byId("webhook-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.asked = true;
      wire.send({ t: "webhook", url: byId("webhook").value.trim() });
    });
    this.draw();
  }

  get isOn() {
    return "Notification" in window && Notification.permission === "granted" && localStorage.getItem(NAME) === "on";
  }

  async toggle() {
    if (this.isOn) localStorage.removeItem(NAME);
    else if ((await Notification.requestPermission()) === "granted") localStorage.setItem(NAME, "on");
    this.draw();
  }

  draw() {
    const isDenied = "Notification" in window && Notification.permission === "denied";
    this.button.setAttribute("aria-pressed", String(this.isOn));
    this.button.title = isDenied ? "Your browser refuses notifications of this page: allow them in its settings." : "Only while this page is open in a tab that you do not see.";
    this.button.disabled = isDenied;
  }

  // Notify once when the turn comes, or the game ends, in a tab that is not seen.
  look({ mine, outcome, title, when }) {
    const now = outcome ? "over" : mine ? "mine" : "";
    if (now && this.was !== null && now !== this.was && document.hidden && this.isOn)
      new Notification(title, { body: outcome ? "The game is over." : `It is your turn: ${when}.`, tag: this.game });
    this.was = now;
  }

  webhook({ url, hosts }, note) {
    byId("webhook-form").hidden = !hosts.length;
    byId("webhook").title = `Allowed: ${hosts.join(", ")}`;
    byId("webhook").placeholder = `https://${hosts[0]}/…`;
    byId("webhook").value = url;
    if (this.asked) note(url ? "Notices of your turn are posted there while no page of your seat is open." : "No notices are posted.");
    this.asked = false;
  }
}
