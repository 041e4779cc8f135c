// The moves of the game as a list to click in, with what a review found.
import { html } from "./dom.js";
import { PLAYERS, signed } from "./words.js";

export function movesList(root, { game, line, ply, notes, marks, onGo }) {
  const items = [html("li", {}, html("button", { type: "button", class: "ply start", "aria-current": ply === 0 ? "step" : null, onclick: () => onGo(0) }, "the beginning"))];
  line.forEach((action, index) => {
    const at = index + 1, found = marks[at], note = notes[at];
    const name = game.names[action];
    const button = html("button", {
      type: "button", class: "ply", "data-ply": at, "aria-current": at === ply ? "step" : null, onclick: () => onGo(at),
      "aria-label": `ply ${at}, ${PLAYERS[index % 2]} ${name}${found?.mark ? `, ${found.sentence}` : ""}`,
    },
    html("span", { class: "at" }, `${at}`), html("span", { class: `name p${index % 2}` }, name),
    html("span", { class: "mark" }, found?.mark ?? ""), html("span", { class: "value" }, note ? signed(note.value) : ""));
    items.push(html("li", { class: found?.mark ? "found" : null }, button, found?.mark ? html("button", { type: "button", class: "why", title: "Look at the position before", onclick: () => onGo(at - 1) }, `${found.sentence} (${found.by})`) : null));
  });
  root.replaceChildren(...items);
}
