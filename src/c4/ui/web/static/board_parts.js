// What does not change on a board: the plate with its holes, or the lines with their stars, and the names of both sides.
import { svg } from "./dom.js";

export const CELL = 100;

// Around the cells, in the units of the drawing. Names are larger on larger boards, which are shown smaller.
export function frame({ width, height, gravity }) {
  const letter = Math.max(26, Math.round(width * 3.2));
  const side = gravity ? 14 : Math.round(letter * 1.35), below = gravity ? 52 : side;
  const above = gravity ? CELL : side; // room for the stone in hand
  return { letter, side, above, below, wide: width * CELL + 2 * side, high: height * CELL + above + below };
}

export function plateParts(game, stones) {
  const { width, height, names } = game;
  const wide = width * CELL, high = height * CELL;
  let holes = `M-14 20 Q-14 -14 20 -14 H${wide - 20} Q${wide + 14} -14 ${wide + 14} 20 V${high - 20} Q${wide + 14} ${high + 14} ${wide - 20} ${high + 14} H20 Q-14 ${high + 14} -14 ${high - 20} Z`;
  const rims = [];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const cx = x * CELL + 50, cy = y * CELL + 50;
      holes += ` M${cx - 40} ${cy} a40 40 0 1 0 80 0 a40 40 0 1 0 -80 0 Z`;
      rims.push(svg("circle", { cx, cy, r: 40.5, class: "rim" }));
    }
  const shade = svg("linearGradient", { id: "plate", x2: 0, y2: 1 }, svg("stop", { offset: 0, class: "s1" }), svg("stop", { offset: 1, class: "s2" }));
  return [
    svg("defs", {}, shade),
    svg("rect", { x: -6, y: -6, width: wide + 12, height: high + 12, rx: 30, class: "back" }),
    stones,
    svg("path", { d: holes, "fill-rule": "evenodd", class: "plate" }),
    svg("g", {}, ...rims),
    ...names.map((name, x) => letterAt(x * CELL + 50, high + 35, name, 26)),
  ];
}

export function gridParts(game, stones) {
  const { width, height, names } = game;
  const { letter, side } = frame(game);
  const parts = [svg("rect", { x: -side, y: -side, width: width * CELL + 2 * side, height: height * CELL + 2 * side, rx: 26, class: "wood" })];
  for (let x = 0; x < width; x++) {
    parts.push(svg("line", { x1: x * CELL + 50, x2: x * CELL + 50, y1: 50, y2: height * CELL - 50, class: "wire" }));
    parts.push(letterAt(x * CELL + 50, height * CELL + side / 2 - 8, names[x].replace(/\d+/, ""), letter));
  }
  for (let y = 0; y < height; y++) {
    parts.push(svg("line", { y1: y * CELL + 50, y2: y * CELL + 50, x1: 50, x2: width * CELL - 50, class: "wire" }));
    parts.push(letterAt(8 - side / 2, y * CELL + 50, names[y * width].replace(/\D+/, ""), letter));
  }
  for (const [y, x] of stars(width, height)) parts.push(svg("circle", { cx: x * CELL + 50, cy: y * CELL + 50, r: 13, class: "star" }));
  return [...parts, stones];
}

// As on boards of wood: the centre, and on large boards a point towards each corner.
function stars(width, height) {
  const points = width % 2 && height % 2 ? [[(height - 1) / 2, (width - 1) / 2]] : [];
  const smaller = Math.min(width, height);
  if (smaller < 9) return points;
  const off = smaller < 13 ? 2 : 3;
  for (const y of [off, height - 1 - off]) for (const x of [off, width - 1 - off]) points.push([y, x]);
  return points;
}

const letterAt = (x, y, name, size) => svg("text", { x, y, "font-size": size, class: "coordinate" }, name);
