// The moves of the line on the board, the variations beside the game, and what a review found.
import { html, mark, tell } from "./dom.js";
import { capital, colour, signed } from "./words.js";

export function movesList(root, { game, line, ply, marks, fork, onGo }) {
  const current = (at) => (at === ply ? "step" : null);
  const items = [html("li", {}, html("button", { type: "button", class: "ply start", "aria-current": current(0), onclick: () => onGo(0) }, "the beginning"))];
  line.forEach((action, index) => {
    const at = index + 1;
    const button = html("button", { type: "button", class: "ply", "data-ply": at, "aria-current": current(at), onclick: () => onGo(at) },
      html("span", { class: "at" }, `${at}`), html("span", { class: `name p${index % 2}` }, game.names[action]),
      html("span", { class: "mark" }, marks[at]?.mark ?? ""), html("span", { class: "value" }));
    items.push(html("li", { class: at > fork ? "aside" : null }, button));
  });
  root.replaceChildren(...items);
}

// What a search says of the positions of the list.
export function moveValues(root, { game, line, notes, marks }) {
  root.querySelectorAll(".ply[data-ply]").forEach((button, index) => {
    const at = index + 1, found = marks[at], note = notes[at];
    const value = note ? `, value for ${colour(game, 0)} ${signed(note.value)}` : "";
    mark(button, "aria-label", `ply ${at}, ${colour(game, index % 2)} ${game.names[line[index]]}${found?.mark ? `, ${found.sentence}` : ""}${value}`);
    tell(button.lastChild, note ? signed(note.value) : "");
  });
}

// The moves that gave something away, each leading to the position before it.
export function foundList(root, { game, line, marks, onGo }) {
  const found = marks.flatMap((mark, at) => (mark?.mark ? [{ ...mark, at }] : []));
  root.replaceChildren(...found.map(({ at, mark, sentence, by }) =>
    html("li", {}, html("button", { type: "button", class: "why", title: "Look at the position before", onclick: () => onGo(at - 1) },
      html("span", { class: "at" }, `${at}`), html("span", { class: `name p${(at - 1) % 2}` }, game.names[line[at - 1]]), html("span", { class: "mark" }, mark), html("span", {}, `${capital(sentence)}${by ? ` (${by})` : ""}`)))));
}

export function variationsList(root, { game, study, onGo, onRemove }) {
  const MOST = 8; // moves that are shown
  root.replaceChildren(...study.variations.map((variation, number) => {
    const fork = study.fork(number), rest = variation.line.slice(fork);
    const names = rest.slice(0, MOST).map((action, index) => html("span", { class: `name p${(fork + index) % 2}` }, game.names[action]));
    const here = study.at === number;
    return html("li", { class: here ? "here" : null },
      html("button", { type: "button", class: "variation", "aria-current": here ? "true" : null, onclick: () => onGo(number) }, html("span", { class: "at" }, `from ply ${fork}`), ...names, rest.length > MOST ? "…" : ""),
      html("button", { type: "button", class: "icon remove", "aria-label": `Delete variation ${number + 1}`, title: "Delete this variation", onclick: () => onRemove(number) }, "×"));
  }));
}
