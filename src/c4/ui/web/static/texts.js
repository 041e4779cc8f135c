// The game as text, to take away and to bring; and short notices.
import { byId, html } from "./dom.js";

const STAYS = 4500; // ms

export function toast(sentence, kind = "bad") {
  const text = `${sentence[0].toUpperCase()}${sentence.slice(1)}`;
  const note = html("p", { class: `toast ${kind}` }, text);
  byId("toasts").replaceChildren(note);
  setTimeout(() => note.remove(), STAYS);
}

export function setUpText({ send }) {
  const dialog = byId("text-dialog"), area = byId("text");
  let address = null;
  byId("share").addEventListener("click", () => send({ type: "export" }));
  byId("text-close").addEventListener("click", () => dialog.close());
  byId("text-load").addEventListener("click", () => {
    send({ type: "import", text: area.value });
    dialog.close();
  });
  byId("text-copy").addEventListener("click", () => {
    area.select();
    navigator.clipboard?.writeText(area.value).then(() => toast("Copied.", "good"), () => undefined);
  });
  byId("text-save").addEventListener("click", () => {
    if (address) URL.revokeObjectURL(address);
    address = URL.createObjectURL(new Blob([area.value], { type: "text/plain" }));
    byId("text-save").href = address;
  });
  byId("text-file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (file && file.size < 20000) area.value = await file.text();
    else if (file) toast("This file is too large to be a game.");
    event.target.value = "";
  });
  return {
    show(text) {
      area.value = text;
      dialog.showModal();
    },
  };
}
