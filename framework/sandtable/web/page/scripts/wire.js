// The connection to the server: it comes back by itself, without a limit of tries.

const REPLIED = new Set(["expand", "give", "typed", "write", "staff", "odds", "query", "desk", "rule", "adjudicate", "reseat", "explain", "chances", "what_if", "estimate", "dispute", "answer", "dispute_file"]);
const SHORTEST = 300, LONGEST = 10000;
const FINAL = { 4401: "This link opens no seat of this game. Ask for a new one.", 4429: "Too many pages are open with this link, or it asked too fast." };

export class Wire {
  // `on` has a function for each kind of message; `state(online, words)` is called when the connection changes.
  // With `plan` it is that of a planning board.
  constructor(game, token, on, state, plan = false) {
    Object.assign(this, { game, token, on, state, plan, number: 0, wait: SHORTEST, socket: null, timer: null, open: new Set(), heard: () => {} });
    this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    this.timer = null;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/g/${this.game}/ws`);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => socket.send(JSON.stringify({ t: "join", token: this.token, plan: this.plan }));
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(typeof data === "string" ? data : new TextDecoder().decode(data));
      this.wait = SHORTEST;
      this.heard();
      if (message.t === "hello") this.state(true, "");
      const handler = this.on[message.t];
      if (handler) handler(message);
      this.open.delete(message.id);
      this.busy();
    };
    socket.onclose = ({ code }) => this.closed(code);
  }

  closed(code) {
    this.open.clear();
    this.busy();
    if (FINAL[code]) this.state(false, FINAL[code]);
    else {
      this.state(false, "The connection is lost: trying again.");
      this.timer = setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2));
      this.wait = Math.min(this.wait * 2, LONGEST);
    }
  }

  // Give up a connection that gives no sign of life. It may take minutes to close by itself.
  drop() {
    const { socket } = this;
    if (!socket || this.timer) return;
    socket.onclose = socket.onmessage = null;
    socket.close();
    this.closed(0);
  }

  // Try again at once, if a try is due.
  again() {
    if (this.timer) this.connect();
  }

  busy() {
    document.documentElement.classList.toggle("busy", this.open.size > 0);
  }

  // Send a message; return its number, which the reply has too. Nothing is sent while the connection is lost.
  send(message) {
    if (!this.socket || this.socket.readyState !== WebSocket.OPEN) return 0;
    this.number += 1;
    this.socket.send(JSON.stringify({ ...message, id: this.number }));
    if (REPLIED.has(message.t)) this.open.add(this.number);
    this.busy();
    return this.number;
  }
}
