// A stone, told apart by its sign as well as by its colour: a ring is the first player's, a diamond the second's; in lists
// of moves the whole chip has that shape. `plain`: without the sign, where a number takes its place.
import { svg } from "./dom.js";

export function stone(player, { radius = 42, plain = false } = {}) {
  if (plain) return svg("g", { class: `stone p${player}` }, svg("circle", { r: radius, class: "body" }));
  const mark =
    player === 0
      ? svg("circle", { r: radius * 0.52, class: "mark" })
      : svg("path", { d: `M0 ${-radius * 0.56} L${radius * 0.56} 0 L0 ${radius * 0.56} L${-radius * 0.56} 0 Z`, class: "mark" });
  return svg("g", { class: `stone p${player}` }, svg("circle", { r: radius, class: "body" }), mark);
}

export function stoneIcon(player) {
  return svg("svg", { viewBox: "-50 -50 100 100", class: "stone-icon" }, stone(player));
}

// A whole position, small: for nodes of the tree.
export function miniBoard(rows, { gravity, winning = [], label }) {
  const height = rows.length, width = rows[0].length;
  const won = new Set(winning.map(([row, column]) => `${row},${column}`));
  const picture = svg("svg", { viewBox: `0 0 ${width * 100} ${height * 100}`, class: `mini ${gravity ? "falls" : "lies"}`, role: "img", "aria-label": label });
  picture.append(svg("rect", { width: width * 100, height: height * 100, rx: 30, class: "mini-plate" }));
  rows.forEach((row, y) =>
    [...row].forEach((cell, x) => {
      const at = `translate(${x * 100 + 50} ${y * 100 + 50})`;
      if (cell === ".") picture.append(svg("circle", { transform: at, r: gravity ? 38 : 8, class: "mini-hole" }));
      else picture.append(svg("g", { transform: at, class: won.has(`${y},${x}`) ? "won" : null }, stone(Number(cell) - 1, { radius: 40 })));
    }),
  );
  return picture;
}
