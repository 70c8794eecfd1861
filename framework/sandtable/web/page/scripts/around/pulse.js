// The state of the connection, always in sight. A silent connection is asked for a sign of life, and given up without one.

const QUIET = 15000, PATIENCE = 3000;

export class Pulse {
  // `wire` as in wire.js; `sign` is the element that shows the state.
  constructor(wire, sign) {
    Object.assign(this, { wire, sign, asked: 0, heard: Date.now() });
    wire.heard = () => this.hear();
    setInterval(() => this.beat(), 1000);
    for (const name of ["online", "pageshow"]) window.addEventListener(name, () => this.ask());
    window.addEventListener("offline", () => this.lost());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.ask(); });
  }

  // Anything was heard.
  hear() {
    Object.assign(this, { asked: 0, heard: Date.now() });
  }

  beat() {
    if (this.asked && Date.now() - this.asked > PATIENCE) this.lost();
    else if (!this.asked && Date.now() - this.heard > QUIET) this.ask();
  }

  // Ask now, as after sleep: whether the connection still exists is not known.
  ask() {
    if (!this.asked && this.wire.send({ t: "ping" })) this.asked = Date.now();
    else if (!this.asked) this.wire.again();
  }

  lost() {
    this.asked = 0;
    this.heard = Date.now();
    this.wire.drop();
  }

  show(online, text) {
    this.sign.textContent = online ? "connected" : "offline";
    this.sign.title = online ? "Orders reach the server at once." : text;
    this.sign.classList.toggle("off", !online);
  }
}
