// Value and plies left over the game. A click (or the arrow keys) goes to that ply.
import { html, svg } from "./dom.js";
import { colour, moveName, signed } from "./words.js";

const HIGH = 150, LEFT = 28, RIGHT = 28, TOP = 22, BOTTOM = 20;

export class Chart {
  constructor(root, { onGo }) {
    this.root = root;
    this.onGo = onGo;
    this.last = null;
    root.tabIndex = 0;
    root.setAttribute("role", "slider");
    root.setAttribute("aria-label", "Ply of the game");
    root.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
      if (step === undefined || !this.last) return;
      event.preventDefault();
      this.onGo(Math.max(0, Math.min(this.last.plies, this.last.ply + step)));
    });
  }

  // notes[ply]: {value, plies} or undefined; marks[ply]: {mark, sentence} or undefined.
  show({ game, line, ply, notes, marks }) {
    const wide = Math.max(280, this.root.clientWidth); // drawn in pixels: letters keep their size
    const plies = line.length;
    this.last = { plies, ply };
    const most = Math.max(plies, 8);
    const x = (at) => LEFT + (at / most) * (wide - LEFT - RIGHT);
    const y = (value) => TOP + ((1 - value) / 2) * (HIGH - TOP - BOTTOM);
    const longest = Math.max(10, ...notes.map((note) => note?.plies ?? 0));
    const down = (left) => HIGH - BOTTOM - (left / longest) * (HIGH - TOP - BOTTOM);
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
    for (const left of [0, longest]) picture.append(svg("text", { x: wide - RIGHT + 6, y: down(left), class: "axis start" }, String(Math.round(left))));
    const every = most > 60 ? 20 : most > 24 ? 10 : most > 12 ? 5 : 2;
    for (let at = 0; at <= most; at += every) picture.append(svg("text", { x: x(at), y: HIGH - 6, class: "axis middle" }, String(at)));
    picture.append(svg("line", { x1: x(ply), x2: x(ply), y1: TOP, y2: HIGH - BOTTOM, class: "now" }));
    const path = (place) => {
      let text = "", gap = true;
      notes.forEach((note, at) => {
        if (note) text += `${gap ? "M" : "L"}${x(at).toFixed(1)} ${place(note).toFixed(1)} `;
        gap = !note;
      });
      return text;
    };
    picture.append(svg("path", { d: path((note) => down(note.plies)), class: "plies" }), svg("path", { d: path((note) => y(note.value)), class: "value" }));
    notes.forEach((note, at) => {
      if (!note) return;
      const mark = marks[at]?.mark;
      picture.append(svg("circle", { cx: x(at), cy: y(note.value), r: at === ply ? 5 : 3, class: `dot${mark ? ` blunder b${mark.length}${mark.at(-1) === "!" ? "i" : ""}` : ""}` }));
      if (mark) picture.append(svg("text", { x: x(at), y: y(note.value) + (note.value > 0.5 ? 18 : -9), class: at === plies ? "mark end" : "mark" }, mark));
    });
    const step = x(1) - x(0);
    for (let at = 0; at <= plies; at++) {
      const note = notes[at];
      const move = at ? `ply ${at}: ${moveName(game, line[at - 1])}` : "the beginning";
      const text = note ? `${move}, value for ${colour(game, 0)} ${signed(note.value)}, ${Math.round(note.plies)} plies left${marks[at]?.sentence ? `; ${marks[at].sentence}` : ""}` : move;
      picture.append(svg("rect", { x: x(at) - step / 2, y: TOP, width: step, height: HIGH - TOP - BOTTOM, class: "hit", "data-ply": at, onclick: () => this.onGo(at) }, svg("title", {}, text)));
    }
    const known = notes.some(Boolean);
    this.root.replaceChildren(picture, known ? "" : html("p", { class: "note empty" }, "Switch on the live search, or review the game, to see how its value went."));
    this.root.setAttribute("aria-valuemin", "0");
    this.root.setAttribute("aria-valuemax", String(plies));
    this.root.setAttribute("aria-valuenow", String(ply));
    const now = notes[ply];
    this.root.setAttribute("aria-valuetext", `ply ${ply} of ${plies}${ply ? `, ${colour(game, (ply - 1) % 2)} played ${moveName(game, line[ply - 1])}` : ""}${now ? `, value ${signed(now.value)}` : ""}`);
  }
}
