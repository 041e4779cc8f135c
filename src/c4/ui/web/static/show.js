// Shows what `page` holds: the board's surroundings, the status, what judges think, the course of the game.
import { AnalysisCard, showEvaluation } from "./analysis.js";
import { moved } from "./board.js";
import { byId, html } from "./dom.js";
import { foundList, movesList, moveValues, variationsList } from "./moves.js";
import { judges, page } from "./page.js";
import { stoneIcon } from "./stone.js";
import { capital, colour, prefixes } from "./words.js";

const SEATS = { first: 0, second: 1 };

let parts = null, cards = [], due = new Set(), listed = "";

export const show = { setUp, game, thoughts, thought: () => soon(thoughts), course: () => soon(course), judges: twoJudges, highlight, say };

function setUp(given) {
  parts = given;
}

// At the next frame, and once, however much has arrived by then.
function soon(part) {
  if (!due.size) requestAnimationFrame(() => {
    const now = due;
    due = new Set();
    for (const each of now) each();
  });
  due.add(part);
}

function game({ elsewhere }) {
  const { state, game: shown } = page;
  document.body.dataset.gravity = String(shown.gravity);
  document.body.dataset.ready = "true";
  if (elsewhere && !parts.retry.active) parts.board.hint = betterHere(state);
  parts.board.show(state);
  parts.form.show(state);
  for (const sign of document.querySelectorAll(".sign")) sign.replaceChildren(stoneIcon(Number(sign.dataset.player)));
  status(elsewhere);
  if (elsewhere) thoughts();
  soon(course);
  controls();
}

// Looking back at a position from which something was given away: the move that a review found better.
function betterHere(state) {
  if (state.ply === state.line.length) return null;
  return page.marks.get(prefixes(page.game, state.line)[state.ply + 1])?.better ?? null;
}

function status(changed) {
  const { state, game: shown, study } = page;
  const { ply, line } = state;
  const mover = colour(shown, state.to_move);
  let text;
  if (state.over && state.outcome.winner === null) text = "A draw: the board is full";
  else if (state.over) {
    const { winner, how } = state.outcome, by = how === "resigned" ? " by resignation" : "";
    const person = SEATS[state.side];
    text = person === undefined ? `${colour(shown, winner)} won${by}` : person === winner ? `You won${by}!` : `${state.opponent.name} won${by}`;
  } else if (state.thinks) text = `Waiting for ${state.opponent.name}…`;
  else if (ply < line.length) text = `Ply ${ply} of ${line.length}: ${mover}`;
  else if (state.side === "both" || state.holds || study.inVariation) text = `${mover} to move`;
  else text = `Your move: ${mover}`;
  byId("status").textContent = study.inVariation ? `Variation: ${text}` : capital(text);
  document.body.dataset.over = String(state.over);
  const stone = state.over ? state.outcome.winner : state.to_move;
  byId("turn-stone").replaceChildren(...(stone === null ? [] : [stoneIcon(stone)]));
  if (changed) say(`${moved(shown, state)} ${text}.`);
}

function controls() {
  const { state, study } = page, { over, ply, line } = state;
  byId("go").hidden = over || (!state.holds && state.side !== "both");
  byId("go").textContent = state.holds ? "Go on from here" : "Let it move";
  byId("leave").hidden = !study.inVariation;
  byId("rematch").hidden = byId("review-now").hidden = !over || study.inVariation;
  byId("hint").hidden = over;
  byId("resign").hidden = over || study.inVariation;
  byId("resign").disabled = ply < line.length;
  byId("swap").hidden = over || study.inVariation;
  byId("new").className = over || study.inVariation ? "" : "primary";
  byId("undo").disabled = byId("to-first").disabled = byId("to-back").disabled = !ply;
  byId("redo").disabled = byId("to-on").disabled = byId("to-last").disabled = ply === line.length;
}

function thoughts() {
  const { state, scores, game: shown } = page, found = page.thoughts;
  const first = found.find(Boolean);
  const analysing = byId("analysing").checked || page.wantsHint, asked = judges();
  const rate = (thought) => (!thought.done && page.began ? thought.visits / ((performance.now() - page.began) / 1000) : 0);
  if (!first && (!analysing || state.over || parts.retry.active)) {
    cards = [];
    const text = parts.retry.active ? "What it thinks is hidden while you retry." : state.over ? "The game is over: look back with the arrow keys, the chart or the moves, or review it." : "Switch on the live search to see what it thinks of this position.";
    byId("analyses").replaceChildren(html("p", { class: "note" }, text));
  } else {
    if (cards.length !== asked.length || cards[0].game !== shown) {
      cards = asked.map(() => new AnalysisCard({ game: shown, onFollow: parts.onFollow, onPreview: (line) => parts.board.preview(line) }));
      byId("analyses").replaceChildren(...cards.map((card) => card.element));
    }
    const about = (thought) => ({ toMove: state.to_move, scores, rate: rate(thought), megabytes: page.limits.tree_megabytes });
    cards.forEach((card, side) => (found[side] ? card.show(found[side], about(found[side])) : card.wait(asked[side], scores)));
  }
  evaluation();
  if (shown.gravity) return;
  const total = first?.moves.reduce((sum, move) => sum + move.visits, 0);
  const heat = total && byId("analysing").checked ? first.moves.filter((move) => move.visits).map((move) => ({ action: move.action, share: move.visits / total })) : null;
  parts.board.marks({ heat });
}

// Of the line on the board.
function course() {
  const { game: shown, state, study, notes, marks } = page, { line, ply } = state;
  const along = prefixes(shown, line);
  const told = { game: shown, line, ply, notes: along.map((text) => notes.get(text)), marks: along.map((text) => marks.get(text)), onGo: parts.onGo };
  parts.chart.show(told);
  const lists = JSON.stringify([shown.name, line, ply, told.marks, study.at, state.side, study.game.line, study.variations.map((one) => one.line)]);
  if (lists !== listed) {
    listed = lists;
    movesList(byId("moves"), { ...told, fork: study.inVariation ? study.fork(study.at) : line.length });
    foundList(byId("found"), told);
    byId("variations-part").hidden = !study.variations.length;
    variationsList(byId("variations"), { game: shown, study, onGo: (number) => parts.onLine(study.to(number)), onRemove: parts.onRemove });
    byId("retry-start").disabled = !mistakes().length;
  }
  moveValues(byId("moves"), told);
  byId("chart").dataset.notes = along.filter((text) => notes.has(text)).length;
  evaluation();
}

// The end of a game is known; else what the first judge thinks, or what was thought before.
function evaluation() {
  const { state, game: shown, notes } = page;
  const ended = state.over ? { 0: 1, 1: -1 }[state.outcome.winner] ?? 0 : null;
  const known = page.thoughts.find(Boolean)?.value_of_first ?? notes.get(state.text)?.value ?? null;
  showEvaluation(byId("evaluation"), ended ?? known, shown);
}

// The person's own; of both players where they are one person, or none.
export function mistakes() {
  const { state, game: shown, marks } = page;
  const seat = SEATS[state.side];
  return prefixes(shown, state.line).flatMap((text, ply) => {
    const found = marks.get(text), player = (ply + 1) % 2;
    if (!found?.mark || found.better === null || (seat !== undefined && seat !== player)) return [];
    return [{ ply, player, action: state.line[ply - 1], better: found.better }];
  });
}

function twoJudges(names) {
  document.body.dataset.two = String(names.length > 1);
}

function highlight(action) {
  document.querySelectorAll(".analysis tr.pointed").forEach((row) => row.classList.remove("pointed"));
  if (action !== null) document.querySelectorAll(`.analysis tr[data-action="${action}"]`).forEach((row) => row.classList.add("pointed"));
}

function say(sentence) {
  byId("say").textContent = sentence;
}
