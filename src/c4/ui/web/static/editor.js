// A position set up by hand: stones are put anywhere, the server says at once whether a game can lead there.
import { byId, html } from "./dom.js";
import { stoneIcon } from "./stone.js";
import { capital, colour } from "./words.js";

export class Editor {
  constructor({ send, onDone }) {
    this.send = send;
    this.onDone = onDone;
    this.dialog = byId("editor-dialog");
    this.root = byId("editor-board");
    byId("editor-close").addEventListener("click", () => this.dialog.close());
    byId("editor-clear").addEventListener("click", () => this.set(this.rows.map((row) => row.map(() => "."))));
    byId("editor-done").addEventListener("click", () => {
      this.dialog.close();
      this.onDone(this.text);
    });
    this.root.addEventListener("keydown", (event) => this.onKey(event));
  }

  open(game, rows) {
    this.game = game;
    const brushes = [0, 1].map((player) => ({ value: String(player + 1), icon: stoneIcon(player), text: capital(colour(game, player)) }));
    byId("editor-brushes").replaceChildren(...[...brushes, { value: ".", icon: "", text: "Empty" }].map(({ value, icon, text }, index) =>
      html("label", {}, html("input", { type: "radio", name: "brush", value, checked: index === 0 }), html("span", {}, icon, text))));
    const { width, height } = game;
    this.cells = Array.from({ length: height * width }, (_, index) =>
      html("button", { type: "button", class: "spot", tabindex: index ? -1 : 0, onclick: () => this.put(index) }));
    this.root.style.setProperty("--columns", width);
    this.root.dataset.gravity = String(game.gravity);
    this.root.replaceChildren(...this.cells);
    this.set(rows.map((row) => [...row]));
    this.dialog.showModal();
  }

  put(index) {
    const { width } = this.game, y = Math.floor(index / width), x = index % width;
    const brush = this.dialog.querySelector("input[name=brush]:checked").value;
    this.rows[y][x] = this.rows[y][x] === brush ? "." : brush;
    this.set(this.rows);
  }

  set(rows) {
    this.rows = rows;
    rows.flat().forEach((cell, index) => {
      this.cells[index].replaceChildren(...(cell === "." ? [] : [stoneIcon(Number(cell) - 1)]));
      this.cells[index].setAttribute("aria-label", `${this.place(index)}: ${cell === "." ? "empty" : colour(this.game, Number(cell) - 1)}`);
    });
    this.text = null;
    byId("editor-done").disabled = true;
    this.send({ type: "arrange", game: this.game.name, rows: this.texts() });
  }

  texts() {
    return this.rows.map((row) => row.join(""));
  }

  place(index) {
    const { width, height, gravity, names } = this.game;
    return gravity ? `column ${names[index % width]}, row ${height - Math.floor(index / width)}` : names[index];
  }

  // What the server says of a board: only of the one that is there now.
  answer({ rows, text, sentence }) {
    if (!this.dialog.open || rows.join() !== this.texts().join()) return;
    const stones = this.rows.flat().filter((cell) => cell !== ".").length;
    this.text = text;
    byId("editor-done").disabled = text === null;
    byId("editor-says").textContent = sentence ? `${capital(sentence)}.` : `A game can lead here. ${capital(colour(this.game, stones % 2))} is to move.`;
    byId("editor-says").dataset.ok = String(!sentence);
  }

  onKey(event) {
    const { width } = this.game, at = this.cells.indexOf(document.activeElement);
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width }[event.key];
    const next = this.cells[at + step];
    if (at < 0 || !next) return;
    event.preventDefault();
    this.cells[at].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}
