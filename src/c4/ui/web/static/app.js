// Puts the page together: what the server says goes to the parts, what a person does goes to the server.
import { analysisCard, showEvaluation } from "./analysis.js";
import { Board, moved } from "./board.js";
import { Chart } from "./chart.js";
import { Connection } from "./connection.js";
import { byId, html } from "./dom.js";
import { movesList } from "./moves.js";
import { OpponentForm } from "./opponent.js";
import { stoneIcon } from "./stone.js";
import { setUpTabs, tabShown } from "./tabs.js";
import { setUpText, toast } from "./texts.js";
import { Tree } from "./tree.js";
import { PLAYERS, prefixes, SHAPES } from "./words.js";

const VISITS = [1000, 5000, 20000, 100000];

const page = {
  games: new Map(), game: null, state: null, thoughts: [], scores: null, truthNote: null,
  notes: new Map(), marks: new Map(), wantsHint: false, began: 0,
};

const connection = new Connection({ onMessage: (message) => handlers[message.type]?.(message), onState: showState });
const send = (message) => connection.send(message);
const board = new Board(byId("board"), { onPlay: play, onPoint: highlight });
const chart = new Chart(byId("chart"), { onGo: goTo });
const form = new OpponentForm({ send });
const tree = new Tree({ root: byId("tree"), detail: byId("node"), note: byId("tree-note"), ask: send });
const texts = setUpText({ send });

// ---- from the server

const handlers = {
  hello(message) {
    const again = page.state;
    page.games = new Map(message.games.map((game) => [game.name, game]));
    page.limits = message.limits;
    byId("game-name").replaceChildren(...message.games.map((game) => html("option", { value: game.name }, game.title)));
    const most = message.limits.simulations;
    const visits = most < VISITS[0] ? [most] : VISITS.filter((each) => each <= most);
    byId("visits").replaceChildren(...visits.map((each) => html("option", { value: each }, each.toLocaleString("en"))));
    byId("visits").value = String(page.visits ?? Math.max(...visits.filter((each) => each <= 5000)));
    form.setMost(most);
    const wanted = new URLSearchParams(location.search);
    page.skip = true; // the server's own game comes first
    if (again) {
      const level = form.level();
      send({ type: "load", game: again.game, position: again.line_text, ply: again.ply, side: again.side });
      send(level);
    } else if (wanted.has("position") || wanted.has("game")) {
      const sides = ["first", "second", "both", "watch"];
      const side = sides.includes(wanted.get("side")) ? wanted.get("side") : wanted.has("position") ? "both" : "first";
      if (wanted.has("position") && side === "both") byId("analysing").checked = true;
      send({ type: "load", game: wanted.get("game") || message.games[0].name, position: wanted.get("position") ?? "", side });
    } else page.skip = false;
    connection.flush();
  },

  game(state) {
    if (page.skip) {
      page.skip = false;
      page.own = state;
      return;
    }
    page.own = null;
    showGame(state);
  },

  thought(thought) {
    if (!page.state || thought.position !== page.state.text) return;
    page.thoughts[thought.side] = thought;
    if (thought.side === 0) note(thought);
    if (page.wantsHint && thought.done && thought.best !== null) {
      page.wantsHint = false;
      board.marks({ hint: thought.best });
      say(`Hint: ${page.game.names[thought.best]}.`);
    }
    showThoughts();
    if (thought.done && thought.side === tree.side && tabShown() === "tree") tree.load(page.game, { fresh: false });
  },

  truth(message) {
    if (!page.state || message.text !== page.state.text || message.game !== page.state.game) return;
    page.scores = byId("teacher").checked ? message.scores : null;
    byId("truth-note").hidden = !message.sentence || page.state.over;
    byId("truth-note").textContent = message.sentence ? `Teacher: ${message.sentence}.` : "";
    board.marks({ scores: page.scores });
    board.label();
    showThoughts();
  },

  node: (message) => tree.answer(message),

  reviewed(found) {
    note({ ...found, position: found.text });
    if (found.verdict) page.marks.set(found.text, found.verdict);
    const along = prefixes(page.game, page.state.line);
    if (along.includes(found.text)) byId("review-note").textContent = `Reviewed ply ${found.ply} of ${along.length - 1}…`;
    showCourse();
  },

  review_done({ text }) {
    if (text !== page.state.line_text) { // the game went on meanwhile
      byId("review-note").textContent = "";
      return;
    }
    const found = prefixes(page.game, page.state.line).filter((text) => page.marks.get(text)?.mark).length;
    byId("review-note").textContent = found ? `${found} ${found === 1 ? "move gives" : "moves give"} something away: click to look.` : "No move gives anything away.";
    showCourse();
  },

  export: (message) => texts.show(message.text),
  error(message) {
    toast(message.sentence);
    if (page.own && !page.state) showGame(page.own); // the address names no position: the server's own game, then
    page.own = null;
  },

  idle: () => undefined,
};

function showState(state) {
  const words = { connecting: "connecting", on: "connected", off: "connection lost, trying again", idle: "resting: any move wakes it" };
  byId("online").dataset.state = state;
  byId("online-text").textContent = words[state];
}

// ---- what is shown

function showGame(state) {
  const other = !page.state || page.state.game !== state.game;
  const elsewhere = other || page.state.text !== state.text;
  if (other) {
    page.game = page.games.get(state.game);
    page.notes.clear();
    page.marks.clear();
    board.setGame(page.game);
    form.setGame(page.game);
    byId("game-name").value = state.game;
    fillJudges();
  }
  page.state = state;
  document.body.dataset.gravity = String(page.game.gravity);
  if (elsewhere) {
    page.thoughts = [];
    page.scores = null;
    page.wantsHint = false;
    Object.assign(board, { hint: null, scores: null, heat: null });
    byId("truth-note").hidden = true;
  }
  if (elsewhere) board.hint = betterHere(state);
  board.show(state);
  form.show(state);
  showStatus(elsewhere);
  if (elsewhere) showThoughts();
  showCourse();
  byId("go").hidden = !state.holds && state.side !== "both";
  byId("go").textContent = state.holds ? "Go on from here" : "Let it move";
  byId("resign").disabled = state.over;
  byId("undo").disabled = !state.ply;
  byId("redo").disabled = state.ply === state.line.length;
  remember();
  if (elsewhere || other) ask();
}

// Looking back at a position from which something was given away: the move that a review found better.
function betterHere(state) {
  if (state.ply === state.line.length) return null;
  return page.marks.get(prefixes(page.game, state.line)[state.ply + 1])?.better ?? null;
}

function showStatus(changed) {
  const { state, game } = page;
  let text;
  const sides = { first: 0, second: 1 };
  if (state.over && state.outcome.winner === null) text = "A draw: the board is full";
  else if (state.over) {
    const winner = state.outcome.winner, how = state.outcome.how === "resigned" ? " by resignation" : "";
    const person = sides[state.side];
    text = person === undefined ? `${PLAYERS[winner]} player wins${how}` : person === winner ? `You win${how}!` : `${state.opponent.name} wins${how}`;
  } else if (state.thinks) text = `${state.opponent.name} thinks…`;
  else if (state.side === "both") text = `${PLAYERS[state.to_move]} player to move`;
  else if (state.holds) text = `Ply ${state.ply}: looking back`;
  else text = `Your move, ${SHAPES[state.to_move]}`;
  byId("status").textContent = text;
  document.body.dataset.over = String(state.over);
  const shown = state.over ? state.outcome.winner : state.to_move;
  byId("turn-stone").replaceChildren(...(shown === null ? [] : [stoneIcon(shown)]));
  if (changed) say(`${moved(game, state)} ${text}.`);
}

function showThoughts() {
  const { state, thoughts } = page;
  const first = thoughts.find(Boolean);
  const toMove = state.to_move;
  const rate = (thought) => (!thought.done && page.began ? thought.visits / ((performance.now() - page.began) / 1000) : 0);
  if (first) {
    const cards = thoughts.filter(Boolean).map((thought) => analysisCard(thought, { toMove, scores: page.scores, rate: rate(thought) }));
    byId("analyses").replaceChildren(...cards);
  } else if (page.scores) byId("analyses").replaceChildren();
  else {
    const text = state.over ? "The game is over: look back with the chart or the moves, or review it." : byId("analysing").checked ? "Thinking…" : "Switch on the live search to see what it thinks of this position.";
    byId("analyses").replaceChildren(html("p", { class: "note" }, text));
  }
  byId("analyses").dataset.two = String(thoughts.filter(Boolean).length > 1);
  const known = page.notes.get(state.text);
  showEvaluation(byId("evaluation"), first ? first.value_of_first : known ? known.value : null);
  const total = first?.moves.reduce((sum, move) => sum + move.visits, 0);
  const heat = first && total && byId("analysing").checked ? first.moves.filter((move) => move.visits).map((move) => ({ action: move.action, share: move.visits / total })) : null;
  if (!page.game.gravity) board.marks({ heat });
}

let courseDue = false;
function showCourse() {
  if (courseDue) return;
  courseDue = true;
  requestAnimationFrame(() => {
    courseDue = false;
    const { game, state } = page;
    const along = prefixes(game, state.line);
    const notes = along.map((text) => page.notes.get(text)), marks = along.map((text) => page.marks.get(text));
    chart.show({ game, line: state.line, ply: state.ply, notes, marks });
    movesList(byId("moves"), { game, line: state.line, ply: state.ply, notes, marks, onGo: goTo });
  });
}

// What was found out with more visits stays: a review looks shorter than a live search.
function note({ position: text, value_of_first: value, plies_left: plies, visits }) {
  if (page.notes.get(text)?.visits > visits) return;
  page.notes.set(text, { value, plies, visits });
  if (page.notes.size > 2000) page.notes.delete(page.notes.keys().next().value);
  if (page.state?.text === text && !page.thoughts.some(Boolean)) showEvaluation(byId("evaluation"), value);
  showCourse();
}

function highlight(action) {
  document.querySelectorAll(".analysis tr.pointed").forEach((row) => row.classList.remove("pointed"));
  if (action !== null) document.querySelectorAll(`.analysis tr[data-action="${action}"]`).forEach((row) => row.classList.add("pointed"));
}

function say(sentence) {
  byId("say").textContent = sentence;
}

function remember() {
  const { state } = page;
  const address = new URL(location.href);
  address.search = new URLSearchParams({ game: state.game, position: state.text, side: state.side });
  history.replaceState(null, "", address);
}

// ---- to the server

function play(action) {
  if (!page.state) return;
  if (!page.state.yours) {
    toast(page.state.over ? "The game is over: start a new one, or take a move back." : "It is not your turn.");
    return;
  }
  send({ type: "play", action });
}

function goTo(ply) {
  send({ type: "goto", ply });
}

function judges() {
  const [one, two] = [byId("judge-0").value, byId("judge-1").value];
  return two ? [one, two] : [one];
}

// What the switches want to know of the position on the board.
function ask() {
  const { state } = page;
  if (state.over) return;
  if (byId("teacher").checked) send({ type: "truth" });
  if (state.thinks) return; // its answer comes with another position
  if (byId("analysing").checked || page.wantsHint) {
    page.began = performance.now();
    page.visits = Number(byId("visits").value);
    send({ type: "analyse", judges: judges(), visits: page.visits });
  }
}

function fillJudges() {
  const names = page.game.judges.map((name) => html("option", { value: name }, name));
  byId("judge-0").replaceChildren(...names);
  byId("judge-1").replaceChildren(html("option", { value: "" }, "nobody"), ...page.game.judges.map((name) => html("option", { value: name }, name)));
  fillTrees();
}

// Whose tree is walked, where two judge.
function fillTrees() {
  const names = judges();
  tree.side = 0;
  byId("tree-side").hidden = names.length < 2;
  byId("tree-side").replaceChildren(...names.map((name, side) => html("option", { value: side }, name)));
}

function setUpControls() {
  const simple = (id) => byId(id).addEventListener("click", () => send({ type: id }));
  ["undo", "redo", "resign", "go"].forEach(simple);
  byId("new").addEventListener("click", () => {
    page.marks.clear();
    page.notes.clear();
    byId("review-note").textContent = "";
    send({ type: "new" });
  });
  byId("swap").addEventListener("click", () => {
    const { side, to_move: toMove } = page.state;
    send({ type: "side", side: { first: "second", second: "first" }[side] ?? ["first", "second"][toMove] });
  });
  byId("hint").addEventListener("click", hint);
  byId("copy").addEventListener("click", copyLink);
  byId("game-name").addEventListener("change", () => send({ type: "load", game: byId("game-name").value, position: "", side: page.state.side }));
  byId("analysing").addEventListener("change", () => {
    if (byId("analysing").checked) ask();
    else send({ type: "stop" });
    showThoughts();
  });
  byId("teacher").addEventListener("change", () => {
    if (byId("teacher").checked) {
      if (page.game.no_truth) handlers.truth({ text: page.state.text, game: page.state.game, scores: null, sentence: page.game.no_truth });
      else send({ type: "truth" });
    } else handlers.truth({ text: page.state.text, game: page.state.game, scores: null, sentence: null });
  });
  for (const id of ["judge-0", "judge-1", "visits"]) byId(id).addEventListener("change", () => {
    page.thoughts = [];
    fillTrees();
    if (byId("analysing").checked) ask();
  });
  byId("tree-side").addEventListener("change", () => {
    tree.side = Number(byId("tree-side").value);
    tree.load(page.game, { fresh: true });
  });
  byId("tree-refresh").addEventListener("click", () => tree.load(page.game, { fresh: false }));
  byId("review").addEventListener("click", () => {
    byId("review-note").textContent = "Reviewing…";
    send({ type: "review" });
  });
  byId("help").addEventListener("click", () => byId("help-dialog").showModal());
  byId("help-close").addEventListener("click", () => byId("help-dialog").close());
  setUpTabs({ onShow: (name) => name === "tree" && page.game && tree.load(page.game, { fresh: true }) });
}

function hint() {
  if (page.state.over) return;
  const known = page.thoughts[0];
  if (known?.done && known.best !== null) {
    board.marks({ hint: known.best });
    say(`Hint: ${page.game.names[known.best]}.`);
    return;
  }
  page.wantsHint = true;
  ask();
}

async function copyLink() {
  remember();
  try {
    await navigator.clipboard.writeText(location.href);
    toast("The link to this position is copied.", "good");
  } catch {
    texts.show(location.href); // no clipboard here: to be copied by hand
  }
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, select, textarea, dialog")) return;
  const press = (id) => () => byId(id).click();
  const keys = {
    u: press("undo"), r: press("redo"), n: press("new"), s: press("swap"), h: press("hint"), a: press("analysing"), t: press("teacher"), "?": press("help"),
    "[": () => goTo(Math.max(0, page.state.ply - 1)), "]": () => goTo(Math.min(page.state.line.length, page.state.ply + 1)),
  };
  if (/^[1-9]$/.test(event.key) && page.game?.gravity && Number(event.key) <= page.game.width) play(Number(event.key) - 1);
  else if (event.key.startsWith("Arrow") && document.activeElement === document.body && page.game) board.move(0, 0);
  else if (keys[event.key] && page.state) keys[event.key]();
  else return;
  event.preventDefault();
}

setUpControls();
addEventListener("resize", () => page.state && showCourse());
document.addEventListener("keydown", onKey);
