// A chart of metrics over generations: lines told apart by dashes as well as by colour, and a reading at any generation
// by pointer or by arrow keys. Knows no run and no server.
import { html, svg } from "./dom.js";

const HEIGHT = 210, LEFT = 46, RIGHT = 12, TOP = 12, BOTTOM = 26;

export class Curves {
  // series: [{ metric, label, of }]; `of` makes the number that is shown from the metric's.
  constructor({ title, note = "", unit = "", series = [], zero = false }) {
    Object.assign(this, { unit, series, zero });
    this.at = null; // the generation that is read; null: the newest
    this.generations = [];
    this.values = [];
    this.readings = html("ul", { class: "readings" });
    this.stage = html("div", { class: "stage", tabindex: 0, role: "img" });
    this.caption = html("figcaption", {}, html("h3", {}, title), html("span", { class: "note" }, note));
    this.root = html("figure", { class: "card curve" }, this.caption, this.stage, this.readings);
    this.title = title;
    this.stage.addEventListener("pointermove", (event) => this.read(this.nearest(event)));
    this.stage.addEventListener("pointerleave", () => this.read(null));
    this.stage.addEventListener("blur", () => this.read(null));
    this.stage.addEventListener("keydown", (event) => this.onKey(event));
    new ResizeObserver(() => this.draw()).observe(this.stage);
  }

  show(generations, metrics) {
    this.generations = generations;
    this.values = this.series.map(({ metric, of = (x) => x }) => (metrics[metric] ?? []).map((x) => (x === null || x === undefined ? null : of(x))));
    this.root.hidden = !this.values.some((line) => line.some((x) => x !== null));
    this.draw();
  }

  draw() {
    const width = this.stage.clientWidth;
    const all = this.values.flat().filter((x) => x !== null && x !== undefined);
    if (!width || !all.length) return;
    const ticks = nice(this.zero ? Math.min(0, ...all) : Math.min(...all), Math.max(...all), 4);
    const [low, high] = [ticks[0], ticks.at(-1)];
    const [from, to] = [this.generations[0], Math.max(this.generations.at(-1), this.generations[0] + 1)];
    this.x = (generation) => LEFT + ((generation - from) / (to - from)) * (width - LEFT - RIGHT);
    this.y = (value) => TOP + (1 - (value - low) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM);
    const picture = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, "aria-hidden": "true" });
    for (const tick of ticks) {
      picture.append(svg("line", { x1: LEFT, x2: width - RIGHT, y1: this.y(tick), y2: this.y(tick), class: "rule" }));
      picture.append(svg("text", { x: LEFT - 8, y: this.y(tick), class: "axis end" }, short(tick)));
    }
    for (const tick of nice(from, to, Math.max(2, Math.floor(width / 75))).filter((one) => Number.isInteger(one) && one >= from && one <= to))
      picture.append(svg("text", { x: this.x(tick), y: HEIGHT - 9, class: "axis middle" }, String(tick)));
    this.values.forEach((line, index) => {
      const points = line.map((value, row) => [this.generations[row], value]).filter(([, value]) => value !== null && value !== undefined);
      if (!points.length) return;
      const steps = points.map(([generation, value]) => `${this.x(generation).toFixed(1)} ${this.y(value).toFixed(1)}`);
      picture.append(svg("path", { d: `M${steps.join("L")}`, class: `curve-line c${index}` }));
      const [generation, value] = points.at(-1);
      picture.append(svg("circle", { cx: this.x(generation), cy: this.y(value), r: 3.5, class: `curve-dot c${index}` }));
    });
    this.cross = svg("g", { class: "cross" });
    picture.append(this.cross);
    this.stage.replaceChildren(picture);
    this.read(this.at);
  }

  // The values at a generation, or the newest ones of each line.
  read(generation) {
    this.at = generation;
    if (!this.x) return;
    this.cross.replaceChildren();
    const row = generation === null ? -1 : this.generations.indexOf(generation);
    if (row >= 0) this.cross.append(svg("line", { x1: this.x(generation), x2: this.x(generation), y1: TOP, y2: HEIGHT - BOTTOM, class: "needle" }));
    const said = [];
    this.readings.replaceChildren(...this.series.map(({ label }, index) => {
      const line = this.values[index];
      let here = row >= 0 ? row : line.length - 1;
      while (here >= 0 && (line[here] === null || line[here] === undefined)) here--;
      const value = line[here];
      if (value === undefined || value === null) return null;
      if (row >= 0) this.cross.append(svg("circle", { cx: this.x(this.generations[here]), cy: this.y(value), r: 4.5, class: `curve-dot c${index}` }));
      said.push(`${label} ${short(value)}${this.unit}`);
      return html("li", {}, swatch(index), html("span", { class: "label" }, label), html("b", {}, `${short(value)}${this.unit}`));
    }).filter(Boolean), html("li", { class: "when" }, `generation ${row >= 0 ? generation : this.generations.at(-1)}`));
    this.stage.setAttribute("aria-label", `${this.title}: ${said.join(", ")}; generation ${row >= 0 ? generation : this.generations.at(-1)}. Arrow keys read others.`);
  }

  nearest(event) {
    if (!this.x || !this.generations.length) return null;
    const x = event.clientX - this.stage.getBoundingClientRect().left;
    return this.generations.reduce((best, one) => (Math.abs(this.x(one) - x) < Math.abs(this.x(best) - x) ? one : best));
  }

  onKey(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || !this.generations.length) return;
    event.preventDefault();
    const row = this.at === null ? this.generations.length - (step > 0 ? 0 : 1) : this.generations.indexOf(this.at);
    this.read(this.generations[Math.min(this.generations.length - 1, Math.max(0, row + step))]);
  }
}

const swatch = (index) => svg("svg", { viewBox: "0 0 26 10", class: "swatch", "aria-hidden": "true" }, svg("path", { d: "M1 5H25", class: `curve-line c${index}` }));

// Round numbers that span a range.
export function nice(low, high, count) {
  const span = high - low || Math.abs(high) || 1;
  const raw = span / count, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= raw * 0.999);
  const ticks = [];
  for (let n = Math.floor(low / step + 1e-9); n * step < high + step * (1 - 1e-9); n++) ticks.push(Number((n * step).toPrecision(12)));
  return ticks;
}

export function short(value) {
  const size = Math.abs(value);
  if (size >= 1e6) return `${trimmed((value / 1e6).toFixed(2))}M`;
  if (size >= 1e4) return `${trimmed((value / 1e3).toFixed(1))}k`;
  if (size >= 100 || Number.isInteger(value)) return String(Math.round(value)).replace("-", "−");
  if (size >= 10) return trimmed(value.toFixed(1));
  return size >= 0.1 || size === 0 ? trimmed(value.toFixed(2)) : trimmed(value.toPrecision(2));
}

const trimmed = (text) => (text.includes("e") || !text.includes(".") ? text : text.replace(/\.?0+$/, "")).replace("-", "−");
