// Who plays, and how well: the form, and its messages.
import { byId, html } from "./dom.js";

const LEVELS = [
  ["Beginner", { simulations: 4, temperature: 1, noise: 0.5 }],
  ["Casual", { simulations: 25, temperature: 0.6, noise: 0.25 }],
  ["Club", { simulations: 100, temperature: 0.2, noise: 0 }],
  ["Strong", { simulations: 600, temperature: 0, noise: 0 }],
  ["Strongest", { simulations: 5000, temperature: 0, noise: 0 }],
];
const SLIDERS = ["temperature", "mlh_slope", "noise"];

export class OpponentForm {
  constructor({ send }) {
    this.send = send;
    this.levels = LEVELS;
    byId("preset").append(...LEVELS.map(([name], index) => html("option", { value: index }, name)), html("option", { value: "own" }, "My own"));
    byId("preset").addEventListener("change", () => this.takePreset());
    for (const id of ["opponent", "simulations", "seconds", ...SLIDERS]) byId(id).addEventListener("change", () => this.tell());
    for (const id of SLIDERS) byId(id).addEventListener("input", () => this.showSliders());
    document.querySelectorAll("input[name=side]").forEach((input) => input.addEventListener("change", () => send({ type: "side", side: input.value })));
  }

  // A server that allows less has weaker levels.
  setMost(simulations) {
    this.levels = LEVELS.map(([name, level]) => [name, { ...level, simulations: Math.min(level.simulations, simulations) }]);
  }

  // What can be chosen in this game.
  setGame(game) {
    const networks = game.judges.filter((name) => name !== "rollouts");
    this.plain = new Set(game.opponents.filter(({ searches }) => !searches).map(({ kind }) => kind));
    byId("opponent").replaceChildren(
      ...networks.map((name) => html("option", { value: `network ${name}` }, name)),
      ...game.opponents.map(({ kind, title }) => html("option", { value: `${kind} ` }, title)));
  }

  show(state) {
    const { opponent } = state;
    document.querySelectorAll("input[name=side]").forEach((input) => { input.checked = input.value === state.side; });
    byId("opponent").value = opponent.opponent === "network" ? `network ${opponent.network}` : `${opponent.opponent} `;
    for (const id of ["simulations", "seconds", ...SLIDERS]) // but not under the fingers of who is typing
      if (document.activeElement !== byId(id)) byId(id).value = opponent[id] ?? "";
    this.showSliders();
    const same = this.levels.findIndex(([, level]) => opponent.seconds === null && Object.entries(level).every(([key, value]) => opponent[key] === value));
    byId("preset").value = same < 0 ? "own" : String(same);
    const plain = this.plain.has(opponent.opponent);
    for (const id of ["preset", "simulations", "seconds", ...SLIDERS]) byId(id).disabled = plain;
  }

  showSliders() {
    for (const id of SLIDERS) byId(`${id}-now`).textContent = Number(byId(id).value).toString();
  }

  takePreset() {
    const level = this.levels[Number(byId("preset").value)]?.[1];
    if (!level) {
      byId("knobs").open = true;
      return;
    }
    byId("seconds").value = "";
    for (const [key, value] of Object.entries(level)) byId(key).value = value;
    this.tell();
  }

  level() {
    const chosen = byId("opponent").value, cut = chosen.indexOf(" ");
    const number = (id) => Number(byId(id).value);
    const seconds = number("seconds");
    return {
      type: "level", opponent: chosen.slice(0, cut), network: chosen.slice(cut + 1) || null,
      simulations: Math.max(1, Math.round(number("simulations")) || 1), seconds: seconds > 0 ? seconds : null,
      temperature: number("temperature"), mlh_slope: number("mlh_slope"), noise: number("noise"),
    };
  }

  tell() {
    this.send(this.level());
  }
}
