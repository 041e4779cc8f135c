// What the page knows of the game on the board and of what was found out about it, and what of that a reload brings back.
import { byId } from "./dom.js";
import { remember, remembered } from "./memory.js";
import { Study } from "./study.js";
import { showTab, tabShown } from "./tabs.js";
import { prefixes } from "./words.js";

const MOST_NOTES = 2000;
const SIDES = ["first", "second", "both", "watch"];

export const page = {
  games: new Map(), game: null, state: null, limits: null, thoughts: [], scores: null,
  notes: new Map(), marks: new Map(), // by the text of a position: what a search said of it, what the move there gave away
  study: new Study(), wantsHint: false, asked: 0, began: 0, first: null, reviews: false, // a review is under way
  lost: false, // the line to the server, and what was asked for on it
};

export const sideOf = (word) => (SIDES.includes(word) ? word : null);

// What was found out with more visits stays: a review looks shorter than a live search.
export function noted({ position, value_of_first: value, plies_left: plies, visits }) {
  if (page.notes.get(position)?.visits > visits) return false;
  page.notes.set(position, { value, plies, visits });
  if (page.notes.size > MOST_NOTES) page.notes.delete(page.notes.keys().next().value);
  return true;
}

export function forgetAll() {
  page.notes.clear();
  page.marks.clear();
}

// Of the game, and of no variation.
export function notesOf(line) {
  return prefixes(page.game, line).flatMap((text, ply) => {
    const note = page.notes.get(text), found = page.marks.get(text);
    if (!ply || (!note && !found?.mark)) return [];
    const by = found?.by ? ` (${found.by})` : "";
    return [{ ply, mark: found?.mark ?? "", value: note?.value ?? null, sentence: found?.mark ? `${found.sentence}${by}` : "" }];
  });
}

export const judges = () => [byId("judge-0").value, byId("judge-1").value].filter(Boolean);

// Null: until it is stopped.
export const visitsWanted = () => (byId("visits").value === "all" ? null : Number(byId("visits").value));

export function keep(level) {
  const { state, game, study } = page;
  if (!state) return;
  const texts = new Set([study.game, ...study.variations].flatMap(({ line }) => prefixes(game, line)));
  const among = (found) => [...found].filter(([text]) => texts.has(text));
  remember({
    first: page.first, level, tab: tabShown(), judges: judges(), visits: byId("visits").value,
    analysing: byId("analysing").checked, teacher: byId("teacher").checked,
    board: { game: game.name, text: state.text, line: state.line_text, ply: state.ply, side: state.side, resigned: state.resigned },
    study: study.saved(), notes: among(page.notes), marks: among(page.marks),
  });
}

// What was kept, unless the server has been started anew with another opponent.
export function kept() {
  const saved = remembered();
  return saved && JSON.stringify(saved.first) === JSON.stringify(page.first) ? saved : null;
}

// The choices; the judges come with the game.
export function restoreChoices(saved) {
  if ([...byId("visits").options].some(({ value }) => value === saved.visits)) byId("visits").value = saved.visits;
  byId("analysing").checked = saved.analysing;
  byId("teacher").checked = saved.teacher;
  showTab(saved.tab);
}

export function restoreJudges(saved) {
  [0, 1].forEach((side) => {
    const select = byId(`judge-${side}`), name = saved[side] ?? "";
    if ([...select.options].some(({ value }) => value === name)) select.value = name;
  });
}

export function restoreGame(saved) {
  page.study.restore(saved.study);
  page.notes = new Map(saved.notes);
  page.marks = new Map(saved.marks);
}
