// A chart of metrics of one run, or of several over each other: over generations, minutes or games, told apart by dashes
// as well as by colour, and read at any place by pointer or by arrow keys. Knows no server.
import { html, svg } from "./dom.js";
import { exports } from "./exports.js";
import { scaleOf, short, smoothed } from "./scale.js";

const HEIGHT = 210, LEFT = 46, RIGHT = 12, TOP = 12, BOTTOM = 38;
const OVER = { generation: null, minutes: "budget/minutes", games: "total/games" }; // the metric that says where
export const RUN_COLOURS = ["blue", "orange", "green", "magenta", "violet", "gold", "slate", "ink"]; // one for each run
const ORDER = ["orange", "blue", "green", "magenta"]; // of lines that have no colour of their own

export class Curves {
  // series: [{ metric, label, colour, of }]; `of` makes the number that is shown from the metric's.
  constructor({ title, note = "", unit = "", series = [], zero = false }) {
    Object.assign(this, { title, unit, series, zero });
    this.at = null; // the place that is read; null: the newest
    this.lines = [];
    this.view = { over: "generation", logX: false, logY: false, smooth: 0 };
    this.readings = html("ul", { class: "readings" });
    this.stage = html("div", { class: "stage", tabindex: 0, role: "img" });
    this.caption = html("figcaption", {}, html("h3", {}, title), html("span", { class: "note" }, note), exports(this));
    this.root = html("figure", { class: "card curve" }, this.caption, this.stage, this.readings);
    this.stage.addEventListener("pointermove", (event) => this.read(this.nearest(event)));
    this.stage.addEventListener("pointerleave", () => this.read(null));
    this.stage.addEventListener("blur", () => this.read(null));
    this.stage.addEventListener("keydown", (event) => this.onKey(event));
    new ResizeObserver(() => this.draw()).observe(this.stage);
  }

  // runs: [{ label, colour, generations, metrics }], the first is the one that the page is about.
  show(runs, view) {
    this.view = view;
    const several = runs.length > 1;
    this.lines = runs.flatMap((run) => this.series.map((series, index) => this.line(run, series, index, several))).filter((line) => line.points.length);
    this.root.hidden = !this.lines.length;
    this.draw();
  }

  line(run, { metric, label, colour, of = (x) => x }, index, several) {
    const where = OVER[this.view.over] === null ? run.generations : (run.metrics[OVER[this.view.over]] ?? []);
    const points = [];
    (run.metrics[metric] ?? []).forEach((value, row) => {
      if (known(value) && known(where[row])) points.push({ x: where[row], raw: of(value), row });
    });
    smoothed(points.map((point) => point.raw), this.view.smooth).forEach((value, row) => (points[row].y = value));
    const drawn = several ? run.colour : (colour ?? ORDER[index % ORDER.length]);
    const name = several ? (this.series.length > 1 ? `${run.label} · ${label}` : run.label) : label;
    return { run, series: label, name, points, places: where.filter(known), look: `k-${drawn} d${several ? index % 4 : Math.max(0, ORDER.indexOf(drawn))}` };
  }

  draw() {
    const width = this.stage.clientWidth;
    if (!width || !this.lines.length) return;
    const { logX, logY, over, smooth } = this.view, points = this.lines.flatMap((line) => line.points);
    const up = scaleOf(points.flatMap((point) => [point.y, point.raw]), { log: logY, zero: this.zero });
    const across = scaleOf(this.places, { log: logX, exact: true, count: Math.max(2, Math.floor(width / 75)), whole: over !== "minutes" });
    this.x = (value) => LEFT + across.place(value) * (width - LEFT - RIGHT);
    this.y = (value) => TOP + (1 - up.place(value)) * (HEIGHT - TOP - BOTTOM);
    const picture = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, "aria-hidden": "true" });
    for (const tick of up.ticks) {
      picture.append(svg("line", { x1: LEFT, x2: width - RIGHT, y1: this.y(tick), y2: this.y(tick), class: "rule" }));
      picture.append(svg("text", { x: LEFT - 8, y: this.y(tick), class: "axis end" }, short(tick)));
    }
    for (const tick of across.ticks) picture.append(svg("text", { x: this.x(tick), y: HEIGHT - 23, class: "axis middle" }, short(tick)));
    picture.append(svg("text", { x: (LEFT + width - RIGHT) / 2, y: HEIGHT - 7, class: "axis middle" }, over));
    for (const { points: own, look } of this.lines) {
      const path = (key) => `M${own.map((point) => `${this.x(point.x).toFixed(1)} ${this.y(point[key]).toFixed(1)}`).join("L")}`;
      if (smooth) picture.append(svg("path", { d: path("raw"), class: `curve-line raw ${look}` }));
      picture.append(svg("path", { d: path("y"), class: `curve-line ${look}` }));
      picture.append(svg("circle", { cx: this.x(own.at(-1).x), cy: this.y(own.at(-1).y), r: 3.5, class: `curve-dot ${look}` }));
    }
    this.cross = svg("g", { class: "cross" });
    picture.append(this.cross);
    this.stage.replaceChildren(picture);
    this.read(this.at);
  }

  // The values at a place, or the newest ones of each line.
  read(at) {
    this.at = at;
    if (!this.x) return;
    this.cross.replaceChildren();
    if (at !== null) this.cross.append(svg("line", { x1: this.x(at), x2: this.x(at), y1: TOP, y2: HEIGHT - BOTTOM, class: "needle" }));
    const said = [], newest = Math.max(...this.lines.flatMap((line) => line.run.generations.at(-1)));
    const when = at === null ? (this.view.over === "generation" ? `generation ${newest}` : "newest") : this.view.over === "generation" ? `generation ${at}` : `${short(at)} ${this.view.over}`;
    this.readings.replaceChildren(...this.lines.map(({ name, points, look }) => {
      const point = at === null ? points.at(-1) : points.findLast((one) => one.x <= at);
      if (!point) return null;
      if (at !== null) this.cross.append(svg("circle", { cx: this.x(point.x), cy: this.y(point.y), r: 4.5, class: `curve-dot ${look}` }));
      said.push(`${name} ${short(point.y)}${this.unit}`);
      return html("li", {}, swatch(look), html("span", { class: "label" }, name), html("b", {}, `${short(point.y)}${this.unit}`));
    }).filter(Boolean), html("li", { class: "when" }, when));
    this.stage.setAttribute("aria-label", `${this.title}: ${said.join(", ")}; ${when}. Arrow keys read others.`);
  }

  get places() {
    return [...new Set(this.lines.flatMap((line) => line.places))].sort((a, b) => a - b);
  }

  nearest(event) {
    if (!this.x || !this.lines.length) return null;
    const x = event.clientX - this.stage.getBoundingClientRect().left;
    return this.places.reduce((best, one) => (Math.abs(this.x(one) - x) < Math.abs(this.x(best) - x) ? one : best));
  }

  onKey(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || !this.lines.length) return;
    event.preventDefault();
    const places = this.places, row = this.at === null ? places.length - (step > 0 ? 0 : 1) : places.indexOf(this.at);
    this.read(places[Math.min(places.length - 1, Math.max(0, row + step))]);
  }
}

const known = (value) => value !== null && value !== undefined;
export const swatch = (look) => svg("svg", { viewBox: "0 0 26 10", class: "swatch", "aria-hidden": "true" }, svg("path", { d: "M1 5H25", class: `curve-line ${look}` }));
