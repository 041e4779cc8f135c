// The worst errors of the newest graded player: positions whose truth is known, each on a board with the exact score of
// every move and the move that was played.
import { Board } from "./board.js";
import { byId, html } from "./dom.js";
import { moveName, signed } from "./words.js";
import { stoneIcon } from "./stone.js";

const RESULT = { 1: "win", 0: "draw", "-1": "loss" };

export function showFailures(mistakes, shape) {
  byId("book-about").textContent = mistakes.length
    ? `Generation ${mistakes[0].generation}, ${thinking(mistakes[0].simulations)}. Numbers are exact scores: + wins, − loses, the further from 0 the sooner; = draws. The dashed circle is the move that was played.`
    : "Nothing has been graded yet, or no error is left: positions of known truth in which the newest player errs are shown here.";
  byId("mistakes").replaceChildren(...mistakes.map((mistake) => card(mistake, shape)));
}

function card(mistake, shape) {
  const root = html("div", { class: "board", role: "img" });
  const board = new Board(root, { onPlay: () => {} });
  board.setGame(shape);
  board.buttons.inert = true;
  const rows = mistake.board.map((row) => row.map((cell) => (cell ? String(cell) : ".")).join(""));
  const ply = mistake.board.flat().filter(Boolean).length;
  board.show({ rows, legal: [], yours: false, to_move: ply % 2, over: false, last_cell: null, winning: [], text: mistake.moves });
  board.marks({ scores: mistake.scores, hint: mistake.played });
  const kept = mistake.scores.flatMap((score, action) => (score !== null && Math.sign(score) === mistake.truth ? [action] : []));
  const right = kept.length > 3 ? `${kept.length} moves keep it` : `${kept.map((action) => moveName(shape, action)).join(" or ")} ${kept.length > 1 ? "keep" : "keeps"} it`;
  const value = mistake.value === null ? "" : ` The player's own value was ${signed(mistake.value)}.`;
  const gone = mistake.became === null ? `is not known to keep a ${RESULT[mistake.truth]}` : `turns a ${RESULT[mistake.truth]} into a ${RESULT[mistake.became]}`;
  const sentence = `${cap(moveName(shape, mistake.played))} ${gone}; ${right}.${value}`;
  root.setAttribute("aria-label", `Position ${mistake.moves || "empty"}. ${sentence}`);
  const link = `/?game=${encodeURIComponent(shape.name)}&position=${encodeURIComponent(mistake.moves)}`;
  return html("article", { class: "card failure" }, root,
    html("p", { class: "mover" }, stoneIcon(ply % 2), html("span", {}, `${ply % 2 ? "Second" : "First"} player to move`)),
    html("p", {}, sentence),
    html("p", { class: "note" }, html("a", { href: link }, "Open on the board"), html("code", { class: "text" }, mistake.moves || "empty board")));
}

const thinking = (simulations) => (simulations ? `with ${simulations} simulations` : "the bare network");
const cap = (text) => text[0].toUpperCase() + text.slice(1);
