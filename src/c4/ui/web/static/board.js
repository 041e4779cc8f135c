// The board: stones that fall (or are set on lines), the last move, the winning line, hints and exact scores over it.
// Buttons lie over the drawing, one for each action, so that mouse, finger, keyboard and screen reader play alike.
import { CELL, frame, gridParts, plateParts } from "./board_parts.js";
import { html, svg } from "./dom.js";
import { capital, colour, exactKind, exactSentence, exactText, moveName } from "./words.js";
import { stone } from "./stone.js";

export class Board {
  constructor(root, { onPlay, onPoint }) {
    this.root = root;
    this.onPlay = onPlay;
    this.onPoint = onPoint;
    this.pointed = null;
    root.addEventListener("keydown", (event) => this.onKey(event));
    root.addEventListener("pointerleave", () => this.point(null));
  }

  // Another game: draws what does not change.
  setGame(game) {
    this.game = game;
    this.rows = null;
    const { width, height } = game;
    const { side, above, below, wide, high } = frame(game);
    this.picture = svg("svg", { viewBox: `${-side} ${-above} ${wide} ${high}`, class: game.gravity ? "falls" : "lies", "aria-hidden": "true" });
    this.stones = svg("g");
    this.over = svg("g", { class: "over" });
    this.hand = svg("g", { class: "hand" });
    this.picture.append(...(game.gravity ? plateParts : gridParts)(game, this.stones));
    this.picture.append(this.over, this.hand);
    this.buttons = html("div", { class: "cells", role: "group", "aria-label": `Board, ${width} by ${height}`, "--columns": width, "--rows": game.gravity ? 1 : height });
    this.buttons.style.inset = [
      game.gravity ? 0 : (above / high) * 100, (side / wide) * 100, (below / high) * 100, (side / wide) * 100,
    ].map((share) => `${share}%`).join(" ");
    this.cells = game.names.map((_, action) =>
      html("button", {
        type: "button", class: "cell", tabindex: -1, "data-action": action,
        onclick: () => this.onPlay(action), onmousedown: leaveFocus, onpointerenter: (event) => event.pointerType === "mouse" && this.point(action),
        onfocus: () => this.point(action), onblur: () => this.point(null),
      }),
    );
    this.buttons.append(...this.cells);
    this.root.replaceChildren(this.picture, this.buttons);
    this.root.style.setProperty("--ratio", wide / high);
    this.cursor = Math.floor(this.cells.length / 2);
    this.cells[this.cursor].tabIndex = 0;
  }

  // A position: new stones fall, others stay.
  show(state) {
    const before = this.rows;
    this.state = state;
    this.rows = state.rows;
    const added = [];
    state.rows.forEach((row, y) => [...row].forEach((cell, x) => cell !== "." && before?.[y][x] !== cell && added.push([y, x])));
    const falls = before !== null && added.length === 1;
    this.stones.replaceChildren();
    state.rows.forEach((row, y) =>
      [...row].forEach((cell, x) => {
        if (cell === ".") return;
        const place = svg("g", { transform: `translate(${x * CELL + 50} ${y * CELL + 50})` });
        const one = stone(Number(cell) - 1, { radius: this.game.gravity ? 43 : 42 });
        if (falls && added[0][0] === y && added[0][1] === x) {
          one.classList.add(this.game.gravity ? "drops" : "set");
          one.style.setProperty("--from", `${-(y + 1) * CELL}px`);
          one.style.setProperty("--fall", `${Math.round(190 + 150 * Math.sqrt(y + 1))}ms`);
        }
        place.append(one);
        this.stones.append(place);
      }),
    );
    this.marks();
    this.label();
    this.point(this.pointed);
  }

  // Over the stones: last move, winning line, hint, exact scores, what the search looks at.
  marks({ hint = this.hint, scores = this.scores, heat = this.heat } = {}) {
    Object.assign(this, { hint, scores, heat });
    const { game, state } = this;
    const parts = [];
    const centre = (y, x) => ({ cx: x * CELL + 50, cy: y * CELL + 50 });
    if (!game.gravity && heat && !state.over)
      for (const { action, share } of heat) {
        const [y, x] = this.landing(action) ?? [];
        if (y !== undefined) parts.push(svg("circle", { ...centre(y, x), r: 10 + 26 * Math.sqrt(share), class: "heat" }));
      }
    if (state.last_cell && !state.winning.length) parts.push(svg("circle", { ...centre(...state.last_cell), r: 34, class: "last" }));
    for (const [y, x] of state.winning) parts.push(svg("circle", { ...centre(y, x), r: 36, class: "win" }));
    if (state.winning.length) {
      const sorted = [...state.winning].sort(([ay, ax], [by, bx]) => ax - bx || ay - by);
      const [first, last] = [centre(...sorted[0]), centre(...sorted.at(-1))];
      if (state.winning.length <= game.in_a_row)
        parts.push(svg("line", { x1: first.cx, y1: first.cy, x2: last.cx, y2: last.cy, class: "win-line" }));
    }
    if (scores && !state.over)
      scores.forEach((score, action) => {
        const cell = this.landing(action);
        if (score === null || !cell) return;
        const x = cell[1] * CELL + 50, y = game.gravity ? -62 : cell[0] * CELL + 50;
        const top = Math.max(...scores.filter((each) => each !== null));
        parts.push(svg("g", { transform: `translate(${x} ${y})`, class: `chip ${exactKind(score)}${score === top ? " best-score" : ""}` },
          svg("rect", { x: -38, y: -25, width: 76, height: 50, rx: 25 }), svg("text", {}, exactText(score))));
      });
    const cell = hint === null || hint === undefined || state.over ? null : this.landing(hint);
    if (cell) parts.push(svg("circle", { ...centre(...cell), r: 30, class: "hint" }));
    this.over.replaceChildren(...parts);
    this.point(this.pointed);
  }

  // A line that may come, as pale stones with the number of their ply; null: none.
  preview(actions) {
    this.ahead = actions;
    this.point(this.pointed);
  }

  previewParts() {
    const { state, game } = this, rows = state.rows.map((row) => [...row]);
    return this.ahead.flatMap((action, index) => {
      const [y, x] = this.landing(action, rows) ?? [];
      if (y === undefined) return [];
      const player = (state.to_move + index) % 2;
      rows[y][x] = String(player + 1);
      const place = `translate(${x * CELL + 50} ${y * CELL + 50})`;
      return [svg("g", { transform: place, class: "ahead" }, stone(player, { radius: game.gravity ? 40 : 42, plain: true }), svg("text", { class: `p${player}` }, String(index + 1)))];
    });
  }

  // Where a stone of this action comes to lie; null when there is no room.
  landing(action, rows = this.rows) {
    const { width, height, gravity } = this.game;
    if (!gravity) {
      const y = Math.floor(action / width), x = action % width;
      return rows[y][x] === "." ? [y, x] : null;
    }
    for (let y = height - 1; y >= 0; y--) if (rows[y][action] === ".") return [y, action];
    return null;
  }

  point(action) {
    this.pointed = action;
    this.hand.replaceChildren();
    this.onPoint?.(action);
    if (this.ahead?.length && this.state) {
      this.hand.append(...this.previewParts());
      return;
    }
    if (action === null || !this.state?.yours || !this.state.legal.includes(action)) return;
    const scored = this.scores && this.scores[action] !== null; // which must stay readable
    if (scored && !this.game.gravity) return;
    const [y, x] = this.landing(action);
    const ghost = svg("g", { transform: `translate(${x * CELL + 50} ${y * CELL + 50})`, class: "ghost" }, stone(this.state.to_move, { radius: 38 }));
    this.hand.append(ghost);
    if (this.game.gravity && !scored)
      this.hand.append(svg("g", { transform: `translate(${x * CELL + 50} -54)`, class: "held" }, stone(this.state.to_move, { radius: 40 })));
  }

  label() {
    const { state } = this;
    this.cells.forEach((cell, action) => {
      const legal = state.yours && state.legal.includes(action);
      cell.setAttribute("aria-disabled", String(!legal));
      const score = this.scores?.[action];
      const truth = score === null || score === undefined ? "" : `, ${exactSentence(score)}`;
      cell.setAttribute("aria-label", `${this.contents(action)}${truth}`);
    });
    this.root.dataset.yours = String(state.yours);
    this.root.dataset.text = state.text;
    this.root.dataset.ply = state.ply;
  }

  contents(action) {
    const { game, rows } = this;
    if (!game.gravity) {
      const cell = rows[Math.floor(action / game.width)][action % game.width];
      return `${game.names[action]}: ${cell === "." ? "empty" : colour(game, Number(cell) - 1)}`;
    }
    const stack = rows.map((row) => row[action]).filter((cell) => cell !== ".").reverse();
    const names = stack.map((cell) => colour(game, Number(cell) - 1)).join(", ");
    const free = game.height - stack.length;
    return `${capital(moveName(game, action))}: ${names ? `from below ${names}; ` : ""}${free ? `${free} free` : "full"}`;
  }

  // The cursor, to the next cell; by no cell it only takes the focus.
  move(columns, rows) {
    const { width, height, gravity } = this.game;
    this.cells[this.cursor].tabIndex = -1;
    const x = Math.min(width - 1, Math.max(0, (this.cursor % width) + columns));
    const y = gravity ? 0 : Math.min(height - 1, Math.max(0, Math.floor(this.cursor / width) + rows));
    this.cursor = y * width + x;
    this.cells[this.cursor].tabIndex = 0;
    this.cells[this.cursor].focus();
  }

  onKey(event) {
    if (event.key === "Escape") document.activeElement.blur();
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (!steps[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.move(...steps[event.key]);
  }
}

export function moved(game, state) {
  if (!state.ply) return "The board is empty.";
  const action = state.line[state.ply - 1];
  const player = state.ply % 2 === 1 ? 0 : 1;
  return `${capital(colour(game, player))} ${game.gravity ? "dropped in" : "played"} ${moveName(game, action)}.`;
}

// Only the keyboard puts the focus on a cell: after a click the arrow keys go on stepping through the game.
function leaveFocus(event) {
  event.preventDefault();
  document.activeElement?.blur();
}
