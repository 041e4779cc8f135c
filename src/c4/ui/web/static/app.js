// Puts the page together: what the server says goes to the parts that show it. What a person does is in controls.js.
import { Board } from "./board.js";
import { Chart } from "./chart.js";
import { Connection } from "./connection.js";
import { setUpControls } from "./controls.js";
import { setUpPicture, showPicture, toast } from "./dialogs.js";
import { byId, html } from "./dom.js";
import { Editor } from "./editor.js";
import { OpponentForm } from "./opponent.js";
import { forgetAll, judges, keep, kept, noted, notesOf, page, restoreChoices, restoreGame, restoreJudges, sideOf, visitsWanted } from "./page.js";
import { Retry } from "./retry.js";
import { show } from "./show.js";
import { tabShown } from "./tabs.js";
import { setUpText } from "./texts.js";
import { Tree } from "./tree.js";
import { colour, forcedText, lineText, prefixes } from "./words.js";

const VISITS = [1000, 5000, 20000, 100000];

const connection = new Connection({
  onMessage: (message) => handlers[message.type]?.(message), onState: showState,
  lasting: ({ type }) => type === "play" || type === "follow", answers: ({ type }) => type === "game" || type === "error",
});
const send = (message) => connection.send(message);
const board = new Board(byId("board"), { onPlay: play, onPoint: show.highlight });
const chart = new Chart(byId("chart"), { onGo: goTo });
const form = new OpponentForm({ send });
const tree = new Tree({ root: byId("tree"), detail: byId("node"), note: byId("tree-note"), ask: send });
const texts = setUpText({ send, onExport: exportGame });
const editor = new Editor({ send, onDone: (text) => begin({ game: page.game.name, position: text, side: "both" }) });
const retry = new Retry({
  onGo: goTo, onTry: (action) => send({ type: "try", action }), onHint: (action) => board.marks({ hint: action }), onEnd: () => goTo(page.state.ply),
});
show.setUp({ board, chart, form, retry, onGo: goTo, onFollow: follow, onLine: toLine, onRemove: remove });

// ---- from the server

const handlers = {
  hello(message) {
    const again = page.state;
    page.games = new Map(message.games.map((game) => [game.name, game]));
    page.limits = message.limits;
    page.first = message.first;
    byId("game-name").replaceChildren(...message.games.map((game) => html("option", { value: game.name }, game.title)));
    fillVisits(message.limits.simulations);
    form.setMost(message.limits.simulations);
    page.skip = true; // the server's own game comes first
    if (again) {
      const level = form.level();
      send({ type: "load", game: again.game, position: again.line_text, ply: again.ply, side: again.side, resigned: again.resigned });
      send(level);
      page.lost = true; // what was asked for on the line that broke
      if (page.reviews) send({ type: "review" });
    } else start();
    connection.flush();
  },

  game(state) {
    if (page.skip) {
      page.skip = false;
      page.own = state;
      return;
    }
    page.own = null;
    showGame(state, { back: page.lost });
    page.lost = false;
  },

  thought(thought) {
    if (!page.state || thought.id !== page.asked || thought.position !== page.state.text) return;
    page.thoughts[thought.side] = thought;
    if (thought.side === 0 && noted(thought)) show.course();
    if (page.wantsHint && thought.done && thought.best !== null) {
      page.wantsHint = false;
      board.marks({ hint: thought.best });
      show.say(`Hint: ${page.game.names[thought.best]}.`);
    }
    show.thought();
    if (thought.done && thought.side === tree.side && tabShown() === "tree") tree.load(page.game, { fresh: false });
  },

  truth(message) {
    if (!page.state || message.text !== page.state.text || message.game !== page.state.game) return;
    page.scores = byId("teacher").checked ? message.scores : null;
    const { forced, sentence } = message, told = forced ? `${colour(page.game, page.state.to_move)} ${forcedText(forced)}` : sentence;
    byId("truth-note").textContent = told && !page.state.over ? `Teacher: ${told}.` : "";
    byId("truth-note").classList.toggle("good", Boolean(forced));
    board.marks({ scores: page.scores });
    board.label();
    show.thoughts();
  },

  node: (message) => tree.answer(message),
  picture: (message) => showPicture(message),
  arranged: (message) => editor.answer(message),
  export: (message) => texts.show(message.text),

  tried({ text, action, verdict }) {
    if (retry.active && text === page.state.text) retry.judged(action, verdict);
  },

  reviewed(found) {
    noted({ ...found, position: found.text });
    if (found.verdict) page.marks.set(found.text, found.verdict);
    const along = prefixes(page.game, page.state.line);
    if (along.includes(found.text)) byId("review-note").textContent = `Reviewed ply ${found.ply} of ${along.length - 1}…`;
    show.course();
  },

  review_done({ text }) {
    page.reviews = false;
    const found = prefixes(page.game, page.state.line).filter((each) => page.marks.get(each)?.mark).length;
    const done = found ? `${found} ${found === 1 ? "move gives" : "moves give"} something away: click to look.` : "No move gives anything away.";
    byId("review-note").textContent = text === page.state.line_text ? done : ""; // or the game went on meanwhile
    show.course();
  },

  // A game that was brought, after it came to the board: with what its text said of it.
  imported({ notes, variations }) {
    const { study, state } = page;
    study.clear();
    study.see(state);
    study.kept = true;
    study.variations = variations.map(({ line }) => ({ line, ply: line.length, resigned: null }));
    const along = prefixes(page.game, state.line);
    for (const { ply, mark, value, sentence } of notes) {
      if (value !== null) page.notes.set(along[ply], { value, plies: 0, visits: 0 });
      if (mark) page.marks.set(along[ply], { mark, sentence, by: "", better: null });
    }
    texts.taken();
    show.game({ elsewhere: false });
  },

  error({ sentence, about }) {
    byId("tree-draw").disabled = false;
    if (["play", "follow"].includes(about)) page.study.refused();
    if (about === "import") texts.refuse(sentence);
    else toast(sentence);
    if (page.own && !page.state) showGame(page.own); // the address names no position: the server's own game, then
    page.own = null;
  },

  idle: () => undefined,
};

function showState(state) {
  const words = { connecting: "connecting", on: "connected", off: "connection lost, trying again", idle: "paused: any move reconnects" };
  byId("online").dataset.state = state;
  byId("online-text").textContent = words[state];
}

function fillVisits(most) {
  const visits = most < VISITS[0] ? [most] : VISITS.filter((each) => each <= most);
  const before = byId("visits").value;
  byId("visits").replaceChildren(...visits.map((each) => html("option", { value: each }, each.toLocaleString("en"))), html("option", { value: "all" }, "until stopped"));
  byId("visits").value = before || String(Math.max(...visits.filter((each) => each <= 5000)));
}

// What a reload or a link asks for: the game that was there, another one, or the server's own.
function start() {
  const wanted = new URLSearchParams(location.search), saved = kept();
  if (saved) restoreChoices(saved);
  const game = wanted.get("game"), position = wanted.get("position"), side = sideOf(wanted.get("side"));
  const was = saved?.board;
  page.restores = saved;
  if (was && game === was.game && position === was.text && side === was.side && page.games.has(game)) {
    restoreGame(saved);
    send({ type: "load", game, position: was.line, ply: was.ply, side, resigned: was.resigned });
    send(saved.level);
  } else if (game !== null || position !== null) {
    if (!saved && position !== null && (side ?? "both") === "both") byId("analysing").checked = true;
    send({ type: "load", game: game || page.games.keys().next().value, position: position ?? "", side: side ?? (position === null ? "first" : "both") });
    if (saved?.board.game === game) send(saved.level);
  } else if (saved) {
    send({ type: "load", game: saved.board.game, position: "", side: saved.board.side });
    send(saved.level);
  } else page.skip = false;
}

// `back`: the line to the server had broken.
function showGame(state, { back = false } = {}) {
  const other = !page.state || page.state.game !== state.game;
  const elsewhere = other || page.state.text !== state.text;
  if (other) {
    page.game = page.games.get(state.game);
    if (page.state) {
      forgetAll();
      page.study.clear();
      retry.end();
    }
    board.setGame(page.game);
    form.setGame(page.game);
    byId("teaches").textContent = page.game.no_truth && page.game.forced_wins ? ": forced wins" : ": exact scores";
    byId("game-name").value = state.game;
    fillJudges();
    if (page.restores) restoreJudges(page.restores.judges);
    page.restores = null;
    fillTrees();
  }
  page.state = state;
  page.study.see(state);
  if (elsewhere) {
    page.thoughts = [];
    page.scores = null;
    page.wantsHint = false;
    Object.assign(board, { hint: null, scores: null, heat: null, ahead: null });
    byId("truth-note").textContent = "";
  }
  show.game({ elsewhere });
  remember();
  if (elsewhere || back) ask();
}

function fillJudges() {
  const names = () => page.game.judges.map((name) => html("option", { value: name }, name));
  byId("judge-0").replaceChildren(...names());
  byId("judge-1").replaceChildren(html("option", { value: "" }, "none"), ...names());
}

// Whose tree is walked, where two judge.
function fillTrees() {
  const names = judges();
  tree.side = 0;
  byId("tree-side").hidden = names.length < 2;
  byId("tree-side").replaceChildren(...names.map((name, side) => html("option", { value: side }, name)));
  show.judges(names);
}

// The address leads here again.
function remember() {
  const { state } = page;
  const address = new URL(location.href);
  address.search = new URLSearchParams({ game: state.game, position: state.text, side: state.side });
  history.replaceState(null, "", address);
  keep(form.level());
}

// ---- to the server

function play(action) {
  const { state, study } = page;
  if (!state) return;
  if (retry.active) {
    if (state.legal.includes(action)) retry.choose(action);
    return;
  }
  if (!state.yours) {
    toast(state.over ? "The game is over: start a new one, or take a move back." : "It is not your turn.");
    return;
  }
  if (!state.legal.includes(action)) send({ type: "play", action }); // the server says why not
  else toLine(study.playing(state, [action]), { type: "play", action });
}

// A line that a search expects, beside the game.
function follow(actions) {
  if (!retry.active) toLine(page.study.playing(page.state, actions, { aside: true }), { type: "follow", actions });
}

// Puts a line on the board that is there already; where there is none, says `otherwise`.
function toLine(line, otherwise) {
  if (!line) send(otherwise);
  else if (line.at === page.study.at) goTo(line.ply);
  else send({ type: "load", game: page.game.name, position: lineText(page.game, line.line), ply: line.ply, side: page.state.side, resigned: line.resigned });
}

function goTo(ply) {
  const { state, study } = page;
  if (!state) return;
  study.looked = ply < state.line.length;
  send({ type: "goto", ply: Math.max(0, Math.min(state.line.length, ply)) });
}

// The variation on the board is left first.
function remove(number) {
  const { study } = page;
  if (study.at === number) toLine(study.drop());
  else study.remove(number);
  show.course();
}

function leave() {
  toLine(page.study.leave());
}

// Another game or position, from its end.
function begin({ game, position, side }) {
  retry.end();
  page.study.clear();
  forgetAll();
  page.reviews = false;
  byId("review-note").textContent = "";
  send({ type: "load", game, position, side });
}

function exportGame() {
  const { study, game } = page;
  send({
    type: "export", line: lineText(game, study.game.line), resigned: study.game.resigned, notes: notesOf(study.game.line),
    variations: study.variations.map(({ line }) => lineText(game, line)),
  });
}

// What the switches want to know of the position on the board.
function ask() {
  const { state } = page;
  if (state.over || retry.active) return;
  if (byId("teacher").checked) send({ type: "truth" });
  if (state.thinks) return; // its answer comes with another position
  if (byId("analysing").checked || page.wantsHint) {
    page.began = performance.now();
    page.asked += 1; // what was thought for an earlier question is dropped
    send({ type: "analyse", id: page.asked, judges: judges(), visits: page.wantsHint && !visitsWanted() ? 5000 : visitsWanted() });
    show.thoughts();
  }
}

setUpPicture({ onDraw: () => send({ type: "picture", side: tree.side }) });
setUpControls({ board, editor, retry, send, texts, tree, onTruth: handlers.truth, ask, begin, fillTrees, goTo, leave, play, remember });
