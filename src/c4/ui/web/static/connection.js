// The line to the server: comes back by itself, and says so. Knows no message's meaning.
// What was said last while it was away, or as it broke before the server said anything more, is kept until `flush`: only
// the page knows when the server is ready to hear it.
export class Connection {
  constructor({ onMessage, onState }) {
    this.onMessage = onMessage;
    this.onState = onState;
    this.wait = 500;
    this.closedFor = "";
    this.kept = null;
    this.unheard = null; // said last, if nothing has come since
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
      this.unheard = null;
      this.onMessage(JSON.parse(event.data));
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

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify(message));
      this.unheard = message;
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
