// What a search thinks of each move, as bars: visits, prior, value, plies left, beside the exact score; and the line that
// it expects, to be pointed at and played. A card keeps its elements: nothing moves under a finger while numbers grow.
import { html, mark, tell } from "./dom.js";
import { capital, colour, count, exactKind, exactText, proofText, signed } from "./words.js";

const HEAD = [["", "move"], ["N", "visits: how often the search looked at it"], ["P", "prior: the network's first impression"], ["Q", "value for the one who plays it, from −1, lost, to +1, won"], ["left", "plies to the end that it expects"], ["exact", "perfect play's score"]];
const MOST = 12; // rows
const STEPS = 12; // of the expected line

export function verdict(thought, game, toMove) {
  const who = `${capital(colour(game, toMove))} to move`;
  if (thought.proof) return `${who}: ${proofText(thought.proof)}, proven`;
  return `${who}: ${signed(thought.value)}, about ${Math.round(thought.plies_left)} plies left`;
}

// As many as the card has rows: all columns, or the moves that were looked at most.
function ranked(moves, game) {
  if (game.gravity) return game.names.map((name, action) => moves.find((move) => move.action === action) ?? null);
  const sorted = moves.length > MOST ? [...moves].sort((a, b) => b.visits - a.visits || b.prior - a.prior) : moves;
  return Array.from({ length: Math.min(MOST, game.names.length) }, (_, index) => sorted[index] ?? null);
}

class Row {
  constructor() {
    this.name = html("th", { scope: "row" });
    this.bars = ["n", "p", "q"].map((kind) => ({ track: html("span", { class: "track" }), text: html("span", { class: "text" }), kind }));
    this.left = html("td", { class: "left" });
    this.badge = html("span", {});
    this.element = html("tr", {}, this.name, ...this.bars.map(({ kind, track, text }) => html("td", { class: `bar ${kind}` }, track, text)), this.left, html("td", { class: "exact" }, this.badge));
  }

  show(move, { best, visits, score, top, name }) {
    const shown = move ?? { name: name ?? "", visits: 0, prior: 0, q: null, plies_left: null, proof: null };
    mark(this.element, "class", `${best ? "best" : ""}${move ? "" : " none"}`);
    mark(this.element, "data-action", move ? String(move.action) : "");
    tell(this.name, `${best ? "▸" : ""}${shown.name}`);
    const value = shown.proof ? shown.proof.result : shown.q;
    const prior = shown.prior * 100;
    const texts = [count(shown.visits), `${prior.toFixed(prior < 10 ? 1 : 0)}%`, value === null ? "·" : shown.proof ? { 1: "wins", 0: "draws", "-1": "loses" }[value] : signed(value)];
    const shares = [visits ? shown.visits / visits : 0, shown.prior, Math.abs(value ?? 0)];
    this.bars.forEach((bar, index) => {
      const share = shares[index].toFixed(2);
      if (bar.share !== share) bar.track.style.setProperty("--share", share);
      bar.share = share;
      tell(bar.text, move ? texts[index] : "");
    });
    mark(this.bars[2].track, "class", `track ${value === null ? "none" : value < 0 ? "minus" : "plus"}`);
    tell(this.left, !move ? "" : shown.proof ? String(shown.proof.plies) : shown.plies_left === null ? "·" : shown.plies_left.toFixed(0));
    const known = score !== null && score !== undefined;
    mark(this.badge, "class", known ? `badge ${exactKind(score)}${score === top ? " best-score" : ""}` : "");
    tell(this.badge, known ? exactText(score) : "");
  }
}

// One judge's view.
export class AnalysisCard {
  constructor({ game, onFollow, onPreview }) {
    this.game = game;
    this.rows = ranked([], game).map(() => new Row());
    this.title = html("h3", {});
    this.count = html("span", { class: "count" });
    this.verdict = html("p", { class: "verdict" });
    const head = html("tr", {}, ...HEAD.map(([short, long]) => (short ? html("th", { scope: "col", title: long }, short) : html("td", {}))));
    this.table = html("table", {}, html("thead", {}, head), html("tbody", {}, ...this.rows.map((row) => row.element)));
    this.line = [];
    this.steps = Array.from({ length: STEPS }, (_, index) => {
      const upto = () => this.line.slice(0, index + 1);
      const point = () => onPreview(upto());
      return html("button", { type: "button", class: "step", hidden: true, title: "Play this line up to here, as a variation", onclick: () => onFollow(upto()), onpointerenter: point, onfocus: point, onblur: () => onPreview(null) });
    });
    this.expects = html("p", { class: "line", onpointerleave: () => onPreview(null) }, html("span", { class: "label" }, "expects"), ...this.steps);
    this.element = html("article", { class: "analysis" }, html("header", {}, this.title, this.count), this.verdict, this.table, this.expects);
  }

  // Nothing is known yet: the room that it will take.
  wait(judge) {
    this.show({ judge, visits: 0, moves: [], line: [], best: null, done: false }, { toMove: 0, scores: null, rate: 0 });
    tell(this.count, "");
    tell(this.verdict, "thinking…");
  }

  // `scores` are the teacher's, or null.
  show(thought, { toMove, scores, rate, megabytes }) {
    const { game } = this;
    const visits = thought.moves.reduce((sum, move) => sum + move.visits, 0);
    const top = scores ? Math.max(...scores.filter((score) => score !== null)) : null;
    this.element.dataset.visits = thought.visits;
    this.element.dataset.done = String(thought.done);
    const end = thought.full ? `The tree has reached its ${megabytes} MB, so the search stops here` : thought.crowded ? "The trees of all visitors have used up their memory, so the search stops here" : "";
    tell(this.title, thought.judge);
    tell(this.count, `${count(thought.visits)} visits${thought.full ? "" : rate ? ` · ${count(Math.round(rate))}/s` : ""}`);
    tell(this.verdict, end ? `${verdict(thought, game, toMove)}. ${end}` : thought.moves.length || thought.proof ? verdict(thought, game, toMove) : "");
    mark(this.table, "class", scores ? "with-truth" : "");
    ranked(thought.moves, game).forEach((move, index) =>
      this.rows[index].show(move, { best: move !== null && move.action === thought.best, visits, score: move && scores?.[move.action], top, name: game.gravity ? game.names[index] : "" }));
    if (this.expects.matches(":hover, :focus-within") && this.element.dataset.position === thought.position) return; // somebody points at it
    this.element.dataset.position = thought.position;
    this.line = thought.line.map((name) => game.names.indexOf(name));
    this.steps.forEach((step, index) => {
      const name = thought.line[index], player = (toMove + index) % 2;
      step.hidden = name === undefined;
      mark(step, "class", `step p${player}`);
      tell(step, name ?? "");
      mark(step, "aria-label", `${colour(game, player)} ${name ?? ""}: play the line up to here`);
    });
  }
}

// The bar beside the board: from below for the first player, from above for the second.
export function showEvaluation(element, value, game) {
  const [fill, ...numbers] = element.children;
  mark(element, "data-known", String(value !== null));
  fill.style.setProperty("--share", (value === null ? 0.5 : (value + 1) / 2).toFixed(3));
  const ahead = value === null ? -1 : value >= 0 ? 0 : 1; // whose end of the bar the number stands at
  numbers.forEach((number, player) => tell(number, player === ahead ? Math.abs(value).toFixed(1) : ""));
  const text = value === null ? "This position has not been judged yet" : `Value for ${colour(game, 0)}: ${signed(value)}`;
  mark(element, "aria-label", text);
  mark(element, "title", text);
}
