// Short notices, a question that is answered by yes or no, and a picture to look at and to save.
import { byId, html } from "./dom.js";
import { capital } from "./words.js";

const STAYS = 4500; // ms

export function toast(sentence, kind = "bad") {
  const note = html("p", { class: `toast ${kind}` }, capital(sentence));
  byId("toasts").replaceChildren(note);
  byId("toasts").dataset.said = note.textContent; // which stays when the notice has gone
  setTimeout(() => note.remove(), STAYS);
}

// Whether it was answered by yes; closing it is a no.
export function sure({ title, text, yes, no }) {
  const dialog = byId("sure-dialog");
  byId("sure-title").textContent = title;
  byId("sure-text").textContent = text;
  byId("sure-yes").textContent = yes;
  byId("sure-no").textContent = no;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((answer) => dialog.addEventListener("close", () => answer(dialog.returnValue === "yes"), { once: true }));
}

export function setUpSure() {
  for (const word of ["yes", "no"]) byId(`sure-${word}`).addEventListener("click", () => byId("sure-dialog").close(word));
}

export function setUpPicture({ onDraw }) {
  byId("tree-draw").addEventListener("click", () => {
    byId("tree-draw").disabled = true; // until it is there: drawing takes a second
    onDraw();
  });
  byId("picture-close").addEventListener("click", () => byId("picture-dialog").close());
}

export function showPicture({ svg, text }) {
  const address = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  byId("picture").src = byId("picture-save").href = address;
  byId("picture").alt = `The search tree of ${text || "the empty board"}: its moves with visits, prior and value`;
  byId("tree-draw").disabled = false;
  byId("picture-dialog").showModal();
}
