// The line to the server: comes back by itself, and says so. Knows no message's meaning.
// What was said last while it was away, or as it broke before the server said anything more, is kept until `flush`: only
// the page knows when the server is ready to hear it. What is `lasting` is unheard until something comes that `answers`:
// a thought that was under way says nothing of a move.
export class Connection {
  constructor({ onMessage, onState, lasting, answers }) {
    Object.assign(this, { onMessage, onState, lasting, answers });
    this.wait = 500;
    this.closedFor = "";
    this.kept = null;
    this.unheard = null; // said last, if nothing that tells of it has come since
    this.open();
  }

  open() {
    this.onState("connecting");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket.onopen = () => {
      this.wait = 500;
      this.closedFor = "";
      this.onState("on");
    };
    this.socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (!this.isWaiting() || this.answers(message)) this.unheard = null;
      this.onMessage(message);
    };
    this.socket.onclose = (event) => {
      this.kept ??= this.unheard;
      this.unheard = null;
      if (event.code === 4000) {
        this.closedFor = "idle"; // back when something is asked
        this.onState("idle");
        return;
      }
      this.onState("off");
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(8000, this.wait * 2);
    };
  }

  isWaiting() {
    return this.unheard !== null && this.lasting(this.unheard);
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify(message));
      if (!this.isWaiting() || this.lasting(message)) this.unheard = message;
      return;
    }
    this.kept = message;
    if (this.closedFor === "idle") {
      this.closedFor = "";
      this.open();
    }
  }

  flush() {
    const message = this.kept;
    this.kept = null;
    if (message) this.send(message);
  }
}
