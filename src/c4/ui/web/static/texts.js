// The game as text, to take away and to bring.
import { toast } from "./dialogs.js";
import { byId } from "./dom.js";
import { capital } from "./words.js";

const MOST = 60000; // characters that the server reads

export function setUpText({ send, onExport }) {
  const dialog = byId("text-dialog"), area = byId("text"), wrong = byId("text-wrong");
  let address = null;
  const tell = (sentence) => {
    wrong.textContent = sentence;
    wrong.hidden = !sentence;
    area.setAttribute("aria-invalid", String(Boolean(sentence)));
  };
  area.maxLength = MOST;
  area.addEventListener("input", () => tell(""));
  byId("share").addEventListener("click", onExport);
  byId("text-close").addEventListener("click", () => dialog.close());
  byId("text-load").addEventListener("click", () => send({ type: "import", text: area.value }));
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
    tell(file && file.size > MOST ? "This file is too large to be a game." : "");
    if (file && file.size <= MOST) area.value = await file.text();
    event.target.value = "";
  });
  return {
    show(text) {
      area.value = text;
      tell("");
      dialog.showModal();
    },
    // The dialog stays, with what was typed.
    refuse: (sentence) => (dialog.open ? tell(`${capital(sentence)}.`) : toast(sentence)),
    taken: () => dialog.close(),
  };
}
