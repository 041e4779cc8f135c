// Numbers and results as people read them, and what players are called. value: native/value.h.
export const PLAYERS = ["First", "Second"];
const COLOURS = { falls: ["red", "yellow"], lies: ["black", "white"] };

// The colour of a player's stones, which is what a person calls him.
export const colour = (game, player) => COLOURS[game.gravity ? "falls" : "lies"][player];

export const capital = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

export function signed(value) {
  const text = Math.abs(value).toFixed(2);
  if (text === "0.00") return text;
  return `${value < 0 ? "−" : "+"}${text}`;
}

export function count(number) {
  if (number < 10000) return String(number);
  return number < 1e6 ? `${(number / 1000).toFixed(number < 1e5 ? 1 : 0)}k` : `${(number / 1e6).toFixed(1)}M`;
}

export const plies = (number) => `${number} ${number === 1 ? "ply" : "plies"}`;

export function proofText(proof) {
  if (proof.result === 0) return `draw in ${plies(proof.plies)}`;
  return `${proof.result > 0 ? "wins" : "loses"} in ${plies(proof.plies)}`;
}

export const forcedText = (forced) => `wins in ${plies(forced.plies)} by ${forced.by}`;

export function exactText(score) {
  if (score === 0) return "=";
  return score > 0 ? `+${score}` : `−${-score}`;
}

export const exactKind = (score) => (score > 0 ? "win" : score < 0 ? "loss" : "draw");

export function exactSentence(score) {
  return score === 0 ? "draws" : score > 0 ? `wins, score ${score}` : `loses, score ${score}`;
}

export function moveName(game, action) {
  return game.gravity ? `column ${game.names[action]}` : game.names[action];
}

// A line as the server reads it: 4453, or h8 i9.
export const lineText = (game, line) => line.map((action) => game.names[action]).join(game.gravity ? "" : " ");

// The texts of all positions of a line, the empty board first.
export function prefixes(game, line) {
  const names = line.map((action) => game.names[action]);
  const glue = game.gravity ? "" : " ";
  return Array.from({ length: line.length + 1 }, (_, ply) => names.slice(0, ply).join(glue));
}
