// What the search thinks of each move, as bars: visits, prior, value, plies left, beside the exact score.
import { html } from "./dom.js";
import { count, exactKind, exactText, proofText, signed, PLAYERS } from "./words.js";

const HEAD = [["", "move"], ["N", "visits"], ["P", "prior"], ["Q", "value for the one who plays it"], ["left", "plies left"], ["exact", "perfect play"]];
const MOST = 12; // rows

export function verdict(thought, toMove) {
  const who = `${PLAYERS[toMove]} to move`;
  if (thought.proof) return `${who}: ${proofText(thought.proof)}, proven`;
  return `${who}: ${signed(thought.value)}, about ${Math.round(thought.plies_left)} plies left`;
}

function bar(kind, share, text) {
  return html("td", { class: `bar ${kind}` }, html("span", { class: "track", "--share": share.toFixed(3) }), html("span", { class: "text" }, text));
}

function valueBar(move) {
  const value = move.proof ? move.proof.result : move.q;
  if (value === null) return html("td", { class: "bar q" }, html("span", { class: "track none" }), html("span", { class: "text" }, "·"));
  const text = move.proof ? { 1: "wins", 0: "draws", "-1": "loses" }[move.proof.result] : signed(value);
  const attributes = { class: `track ${value < 0 ? "minus" : "plus"}`, "--share": Math.abs(value).toFixed(3) };
  return html("td", { class: "bar q" }, html("span", attributes), html("span", { class: "text" }, text));
}

function row(move, { best, visits, score, top }) {
  const left = move.proof ? String(move.proof.plies) : move.plies_left === null ? "·" : move.plies_left.toFixed(0);
  const exact = score === null || score === undefined ? html("td", { class: "exact" }, "") :
    html("td", { class: "exact" }, html("span", { class: `badge ${exactKind(score)}${score === top ? " best-score" : ""}` }, exactText(score)));
  return html("tr", { class: best ? "best" : null, "data-action": move.action },
    html("th", { scope: "row" }, `${best ? "▸" : ""}${move.name}`),
    bar("n", visits ? move.visits / visits : 0, count(move.visits)),
    bar("p", move.prior, `${(move.prior * 100).toFixed(move.prior < 0.1 ? 1 : 0)}%`),
    valueBar(move), html("td", { class: "left" }, left), exact);
}

export function ranked(moves) {
  if (moves.length <= MOST) return moves;
  return [...moves].sort((a, b) => b.visits - a.visits || b.prior - a.prior).slice(0, MOST);
}

// One judge's view. `scores` are the teacher's, or null.
export function analysisCard(thought, { toMove, scores, rate }) {
  const total = thought.moves.reduce((sum, move) => sum + move.visits, 0);
  const top = scores ? Math.max(...scores.filter((score) => score !== null)) : null;
  const head = html("tr", {}, ...HEAD.map(([short, long]) => html("th", { scope: "col", title: long }, short === "exact" && !scores ? "" : short)));
  const rows = ranked(thought.moves).map((move) => row(move, { best: move.action === thought.best, visits: total, score: scores?.[move.action], top }));
  const line = thought.line.map((name, index) => html("span", { class: `step p${(toMove + index) % 2}` }, name));
  return html("article", { class: "analysis", "data-visits": thought.visits, "data-done": String(thought.done) },
    html("header", {}, html("h3", {}, thought.judge), html("span", { class: "count" }, `${count(thought.visits)} visits${rate ? ` · ${count(Math.round(rate))}/s` : ""}`)),
    html("p", { class: "verdict" }, verdict(thought, toMove)),
    html("table", { class: scores ? "with-truth" : null }, html("thead", {}, head), html("tbody", {}, ...rows)),
    thought.line.length ? html("p", { class: "line" }, html("span", { class: "label" }, "expects"), ...line) : null);
}

// The bar beside the board: from below for the first player, from above for the second.
export function showEvaluation(element, value) {
  const fill = element.querySelector(".fill"), number = element.querySelector(".number");
  element.dataset.known = String(value !== null);
  fill.style.setProperty("--share", value === null ? 0.5 : (value + 1) / 2);
  number.textContent = value === null ? "" : Math.abs(value).toFixed(2) === "0.00" ? "=" : Math.abs(value).toFixed(1);
  number.dataset.ahead = value === null ? "" : value >= 0 ? "first" : "second";
  const text = value === null ? "Nobody has judged this position yet" : `Value for the first player: ${signed(value)}`;
  element.setAttribute("aria-label", text);
}
