// Replays self-play games on a board: which moves were random, which were sampled against the search's advice.
import { Board } from "./board.js";
import { byId, html } from "./dom.js";
import { moveName, plies } from "./words.js";

const PAUSE = 650, REST = 2600; // milliseconds a ply, and after the end of a game
const RESULTS = { 1: "first player won", 0: "draw", "-1": "second player won" };

export class Replay {
  constructor() {
    this.games = [];
    this.shown = null;
    this.board = new Board(byId("board"), { onPlay: () => {} });
    byId("first").onclick = () => this.go(0);
    byId("back").onclick = () => this.go(this.ply - 1);
    byId("on").onclick = () => this.go(this.ply + 1);
    byId("last").onclick = () => this.go(Infinity);
    byId("play").onclick = () => (this.timer ? this.stop() : this.start());
    byId("ply").oninput = (event) => this.go(Number(event.target.value));
    byId("follow").onchange = () => byId("follow").checked && this.games.length && this.open(this.games[0], { play: true });
  }

  setGame(shape) {
    this.stop();
    this.shape = shape;
    this.shown = null;
    this.games = [];
    this.board.setGame(shape);
    this.board.buttons.inert = true; // it is watched, not played on
    byId("board").setAttribute("role", "img");
    document.body.dataset.gravity = String(shape.gravity);
  }

  // Newest first. While the newest is followed, a new generation's game is opened.
  show(games) {
    this.games = games;
    byId("replay-about").textContent = games.length
      ? `${games.length} games, from generation ${games.at(-1).generation} to ${games[0].generation}. The network plays itself, and learns from nothing else.`
      : "This run has kept no games; callbacks.keeping.games says how many are kept.";
    const same = this.shown && games.find((game) => id(game) === id(this.shown));
    if (!games.length) return byId("games").replaceChildren();
    if (!same || (byId("follow").checked && games[0].generation > this.shown.generation)) {
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      this.open(games[0], { play: !still });
      if (still) this.go(Infinity); // a board that stands still shows how it ended
    }
    this.list();
  }

  open(game, { play = false } = {}) {
    this.shown = game;
    byId("ply").max = game.actions.length;
    this.go(0, { keep: true });
    if (play) this.start();
    this.list();
  }

  list() {
    byId("games").replaceChildren(...this.games.map((game) => {
      const odd = game.sampled.filter(Boolean).length;
      return html("li", {}, html("button", { type: "button", "aria-current": game === this.shown ? "true" : null, onclick: () => { byId("follow").checked = false; this.open(game); } },
        html("span", { class: `result r${game.result}` }, game.result > 0 ? "1–0" : game.result < 0 ? "0–1" : "½–½"),
        html("span", { class: "plies" }, plies(game.actions.length)),
        html("span", { class: "from" }, `generation ${game.generation}`),
        html("span", { class: "hidden" }, `, ${RESULTS[game.result]}, ${odd} sampled moves`)));
    }));
  }

  start() {
    if (!this.shown) return;
    if (this.ply >= this.shown.actions.length) this.go(0, { keep: true });
    byId("play").textContent = "Pause";
    byId("play").setAttribute("aria-pressed", "true");
    const step = () => {
      if (this.ply < this.shown.actions.length) this.go(this.ply + 1, { keep: true });
      else if (byId("follow").checked) this.open(this.games[(this.games.indexOf(this.shown) + 1) % this.games.length] ?? this.games[0]);
      else return this.stop();
      this.timer = setTimeout(step, this.ply === this.shown.actions.length ? REST : PAUSE);
    };
    clearTimeout(this.timer);
    this.timer = setTimeout(step, PAUSE);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    byId("play").textContent = "Play";
    byId("play").setAttribute("aria-pressed", "false");
  }

  go(ply, { keep = false } = {}) {
    if (!this.shown) return;
    if (!keep) this.stop();
    const game = this.shown, { width, height, gravity } = this.shape;
    this.ply = Math.max(0, Math.min(ply, game.actions.length));
    const cells = Array.from({ length: height }, () => Array(width).fill("."));
    let last = null;
    game.actions.slice(0, this.ply).forEach((action, index) => {
      last = gravity ? [cells.findLastIndex((row) => row[action] === "."), action] : [Math.floor(action / width), action % width];
      cells[last[0]][last[1]] = String(1 + (index % 2));
    });
    const over = this.ply === game.actions.length;
    this.board.show({ rows: cells.map((row) => row.join("")), legal: [], yours: false, to_move: this.ply % 2, over, last_cell: last, winning: over ? game.winning : [], text: "" });
    byId("ply").value = this.ply;
    byId("ply-text").textContent = this.sentence();
    byId("board").setAttribute("aria-label", `Board after ${plies(this.ply)} of ${game.actions.length}`);
  }

  sentence() {
    const game = this.shown, index = this.ply - 1;
    if (index < 0) return "The board is empty.";
    const why = game.opening[index] ? ": a random opening" : game.sampled[index] ? `: sampled, the search preferred ${moveName(this.shape, game.best[index])}` : "";
    const end = this.ply === game.actions.length ? ` — ${RESULTS[game.result]}.` : "";
    return `Ply ${this.ply} of ${game.actions.length}: ${moveName(this.shape, game.actions[index])}${why}${end}`;
  }
}

const id = (game) => `${game.generation}/${game.game_id}`;
