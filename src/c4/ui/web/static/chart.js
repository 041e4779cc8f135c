// Value and plies left over the game. A click (or the arrow keys) goes to that ply. While a search runs only what it says
// changes: the axes, the dots and what can be clicked stay.
import { html, mark, svg, tell } from "./dom.js";
import { colour, moveName, signed } from "./words.js";

const HIGH = 150, LEFT = 28, RIGHT = 28, TOP = 22, BOTTOM = 20;

export class Chart {
  constructor(root, { onGo }) {
    this.root = root;
    this.onGo = onGo;
    this.last = null;
    this.wide = 0; // drawn in pixels: letters keep their size
    root.tabIndex = 0;
    root.setAttribute("role", "slider");
    root.setAttribute("aria-label", "Ply of the game");
    root.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
      if (step === undefined || !this.last) return;
      event.preventDefault();
      this.onGo(Math.max(0, Math.min(this.last.line.length, this.last.ply + step)));
    });
    new ResizeObserver(() => requestAnimationFrame(() => {
      this.wide = 0;
      if (this.last) this.show(this.last);
    })).observe(root);
  }

  // notes[ply]: {value, plies} or undefined; marks[ply]: {mark, sentence} or undefined.
  show(told) {
    const { game, line, ply, notes, marks } = told;
    this.last = told;
    this.wide ||= Math.max(280, this.root.clientWidth);
    this.most = Math.max(line.length, 8);
    this.longest = Math.max(10, 5 * Math.ceil(Math.max(...notes.map((note) => note?.plies ?? 0)) / 5));
    const frame = JSON.stringify([game.name, this.wide, this.longest, line, ply, notes.map(Boolean), marks.map((found) => found?.mark)]);
    if (frame !== this.frame) this.draw(told);
    this.frame = frame;
    this.fill(told);
  }

  x(at) {
    return LEFT + (at / this.most) * (this.wide - LEFT - RIGHT);
  }

  y(value) {
    return TOP + ((1 - value) / 2) * (HIGH - TOP - BOTTOM);
  }

  down(left) {
    return HIGH - BOTTOM - (left / this.longest) * (HIGH - TOP - BOTTOM);
  }

  draw({ game, line, ply, notes, marks }) {
    const { wide, most, longest } = this, plies = line.length;
    const x = (at) => this.x(at), y = (value) => this.y(value);
    const picture = svg("svg", { viewBox: `0 0 ${wide} ${HIGH}`, "aria-hidden": "true" });
    picture.append(
      svg("rect", { x: LEFT, y: TOP, width: wide - LEFT - RIGHT, height: (HIGH - TOP - BOTTOM) / 2, class: "half p0" }),
      svg("rect", { x: LEFT, y: y(0), width: wide - LEFT - RIGHT, height: (HIGH - TOP - BOTTOM) / 2, class: "half p1" }),
      svg("line", { x1: LEFT, x2: wide - RIGHT, y1: y(0), y2: y(0), class: "zero" }),
      svg("text", { x: LEFT - 22, y: 8, class: "axis start unit" }, `value for ${colour(game, 0)}`),
      svg("text", { x: wide - 4, y: 8, class: "axis end unit" }, "plies left"),
      svg("text", { x: 2, y: HIGH - 6, class: "axis start unit" }, "ply"),
    );
    for (const [value, text] of [[1, "+1"], [0, "0"], [-1, "−1"]]) picture.append(svg("text", { x: LEFT - 6, y: y(value), class: "axis end" }, text));
    for (const left of [0, longest]) picture.append(svg("text", { x: wide - RIGHT + 6, y: this.down(left), class: "axis start" }, String(left)));
    const every = most > 60 ? 20 : most > 24 ? 10 : most > 12 ? 5 : 2;
    for (let at = 0; at <= most; at += every) picture.append(svg("text", { x: x(at), y: HIGH - 6, class: "axis middle" }, String(at)));
    this.lines = { plies: svg("path", { class: "plies" }), value: svg("path", { class: "value" }) };
    picture.append(svg("line", { x1: x(ply), x2: x(ply), y1: TOP, y2: HIGH - BOTTOM, class: "now" }), this.lines.plies, this.lines.value);
    this.points = notes.map((note, at) => {
      if (!note) return null;
      const found = marks[at]?.mark;
      const kind = found ? ` blunder b${found.length}${found.at(-1) === "!" ? "i" : ""}` : "";
      const dot = svg("circle", { cx: x(at), r: at === ply ? 5 : 3, class: `dot${kind}` });
      const sign = found ? svg("text", { x: x(at), class: at === plies ? "mark end" : "mark" }, found) : null;
      picture.append(dot, ...(sign ? [sign] : []));
      return { dot, sign };
    });
    const step = x(1) - x(0);
    this.titles = notes.map((_, at) => {
      const title = svg("title");
      picture.append(svg("rect", { x: x(at) - step / 2, y: TOP, width: step, height: HIGH - TOP - BOTTOM, class: "hit", "data-ply": at, onclick: () => this.onGo(at) }, title));
      return title;
    });
    this.root.replaceChildren(picture, notes.some(Boolean) ? "" : html("p", { class: "note empty" }, "Switch on the live search, or review the game, to see how its value went."));
  }

  // What a search has said.
  fill({ game, line, ply, notes, marks }) {
    const path = (place) => {
      let text = "", gap = true;
      notes.forEach((note, at) => {
        if (note) text += `${gap ? "M" : "L"}${this.x(at).toFixed(1)} ${place(note).toFixed(1)} `;
        gap = !note;
      });
      return text;
    };
    mark(this.lines.plies, "d", path((note) => this.down(note.plies)));
    mark(this.lines.value, "d", path((note) => this.y(note.value)));
    notes.forEach((note, at) => {
      const move = at ? `ply ${at}: ${moveName(game, line[at - 1])}` : "the beginning";
      const { sentence } = marks[at] ?? {};
      tell(this.titles[at], note ? `${move}, value for ${colour(game, 0)} ${signed(note.value)}, ${Math.round(note.plies)} plies left${sentence ? `; ${sentence}` : ""}` : move);
      if (!note) return;
      const { dot, sign } = this.points[at];
      mark(dot, "cy", this.y(note.value).toFixed(1));
      if (sign) mark(sign, "y", (this.y(note.value) + (note.value > 0.5 ? 18 : -9)).toFixed(1));
    });
    const now = notes[ply], move = ply ? `, ${colour(game, (ply - 1) % 2)} played ${moveName(game, line[ply - 1])}` : "";
    mark(this.root, "aria-valuemin", "0");
    mark(this.root, "aria-valuemax", String(line.length));
    mark(this.root, "aria-valuenow", String(ply));
    mark(this.root, "aria-valuetext", `ply ${ply} of ${line.length}${move}${now ? `, value ${signed(now.value)}` : ""}`);
  }
}
