// The search tree, to walk: a node is asked for when it is opened, and shows the children that matter first.
import { html } from "./dom.js";
import { capital, colour, count, proofText, signed } from "./words.js";
import { miniBoard } from "./stone.js";

const SHARE = 0.02; // of the parent's visits, below which a child is pruned
const FEW = 3, MANY = 12, MORE = 25; // shown at least, at most, and with each "more"

export class Tree {
  constructor({ root, detail, note, ask }) {
    Object.assign(this, { root, detail, note, ask });
    this.waiting = new Map();
    this.number = 0;
    this.side = 0; // of the analyses, where there are two
    this.opened = new Set();
    root.addEventListener("keydown", (event) => this.onKey(event));
  }

  // The root anew, with everything open that was; `fresh`: another position, all closed.
  async load(game, { fresh }) {
    this.game = game;
    if (fresh) this.opened.clear();
    const node = await this.fetch([]);
    if (!node) return;
    if (node.missing) {
      this.root.replaceChildren();
      this.detail.replaceChildren();
      this.note.textContent = `${capital(node.missing)}: switch on the live search, then open its moves here.`;
      return;
    }
    this.note.textContent = `${count(node.visits)} visits. Open a move to see what is expected after it; moves that were hardly visited are left out.`;
    const list = html("ul", { role: "tree", "aria-label": "Search tree" });
    this.root.replaceChildren(list);
    await this.fill(list, node, []);
    this.show(node, [], null);
  }

  fetch(path) {
    const id = ++this.number;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.ask({ type: "node", id, side: this.side, path });
      setTimeout(() => this.waiting.delete(id) && resolve(null), 10000);
    });
  }

  answer(message) {
    this.waiting.get(message.id)?.(message);
    this.waiting.delete(message.id);
  }

  async fill(list, node, path) {
    const visited = node.children.filter((child) => child.visits > 0 || child.proof);
    const matter = visited.filter((child, index) => index < FEW || child.visits >= SHARE * node.visits).slice(0, MANY);
    let shown = 0;
    const add = (children) => {
      for (const child of children) list.append(this.item(child, node, [...path, child.action]));
      shown += children.length;
    };
    add(matter);
    const rest = () => {
      const left = node.children.length - shown;
      if (left <= 0) return;
      const item = html("li", { role: "treeitem", class: "more" }, html("button", { type: "button", onclick: () => {
        item.remove();
        add(node.children.slice(shown, shown + MORE));
        rest();
      } }, `${left} more, hardly visited`));
      list.append(item);
    };
    rest();
    for (const item of [...list.children]) if (this.opened.has(item.dataset.path)) await this.toggle(item, true);
    const first = this.root.querySelector(".leaf");
    if (first && !this.root.querySelector(".leaf[tabindex='0']")) first.tabIndex = 0;
  }

  item(child, parent, path) {
    const value = child.proof ? child.proof.result : child.q;
    const text = child.proof ? proofText(child.proof).replace(/ (ply|plies)$/, "") : child.q === null ? "not visited" : signed(child.q);
    const row = html("div", { class: "leaf", tabindex: -1, onclick: () => this.select(item) },
      html("span", { class: "twist", "aria-hidden": "true", onclick: (event) => { event.stopPropagation(); this.toggle(item); } }, child.visits > 1 ? "▸" : "·"),
      html("span", { class: `name p${parent.to_move}` }, child.name),
      html("span", { class: "share", "--share": (parent.visits ? child.visits / parent.visits : 0).toFixed(3) }),
      html("span", { class: "n" }, count(child.visits)),
      html("span", { class: `q ${value === null ? "" : value > 0.05 ? "plus" : value < -0.05 ? "minus" : ""}` }, text));
    const label = `${capital(colour(this.game, parent.to_move))} plays ${child.name}, ${child.visits} visits, value ${text}`;
    const item = html("li", { role: "treeitem", "aria-expanded": child.visits > 1 ? "false" : null, "aria-label": label, "data-path": path.join(",") }, row);
    return item;
  }

  async toggle(item, open = item.getAttribute("aria-expanded") !== "true") {
    if (!item.hasAttribute("aria-expanded")) return;
    item.querySelector(":scope > ul")?.remove();
    item.setAttribute("aria-expanded", String(open));
    item.querySelector(".twist").textContent = open ? "▾" : "▸";
    if (!open) {
      this.opened.delete(item.dataset.path);
      return;
    }
    this.opened.add(item.dataset.path);
    const path = item.dataset.path.split(",").map(Number);
    const node = await this.fetch(path);
    if (!node || node.missing || item.getAttribute("aria-expanded") !== "true") return;
    item.querySelector(":scope > ul")?.remove();
    const list = html("ul", { role: "group" });
    item.append(list);
    await this.fill(list, node, path);
  }

  async select(item) {
    this.root.querySelectorAll(".leaf.selected").forEach((row) => row.classList.remove("selected"));
    this.root.querySelectorAll(".leaf[tabindex='0']").forEach((row) => { row.tabIndex = -1; });
    const row = item.querySelector(".leaf");
    row.classList.add("selected");
    row.tabIndex = 0;
    row.focus({ preventScroll: true });
    if (item.getAttribute("aria-expanded") === "false") this.toggle(item, true);
    const path = item.dataset.path.split(",").map(Number);
    const node = await this.fetch(path);
    if (node && !node.missing) this.show(node, path);
  }

  // The small board of a node, and its numbers.
  show(node, path) {
    const names = path.map((action) => this.game.names[action]).join(" ");
    const verdict = node.terminal ? "the game is over" : node.proof ? `${colour(this.game, node.to_move)} ${proofText(node.proof)}, proven` : `value ${signed(node.value)} for ${colour(this.game, node.to_move)}, to move`;
    this.detail.replaceChildren(
      miniBoard(node.rows, { gravity: this.game.gravity, winning: node.winning, label: `Board after ${node.text || "nothing"}` }),
      html("p", { class: "path" }, names ? `after ${names}` : "the position on the board"),
      html("p", { class: "note" }, `${count(node.visits)} visits, ${verdict}${node.terminal ? "" : `, ${Math.round(node.plies_left)} plies left`}`));
    this.detail.dataset.text = node.text;
  }

  onKey(event) {
    const rows = [...this.root.querySelectorAll(".leaf")];
    const at = rows.indexOf(document.activeElement);
    if (at < 0) return;
    const item = rows[at].parentElement, open = item.getAttribute("aria-expanded");
    const focus = (row) => row && this.select(row.parentElement);
    const keys = {
      ArrowDown: () => focus(rows[at + 1]), ArrowUp: () => focus(rows[at - 1]),
      ArrowRight: () => (open === "false" ? this.toggle(item, true) : focus(rows[at + 1])),
      ArrowLeft: () => (open === "true" ? this.toggle(item, false) : focus(item.parentElement.closest("li")?.querySelector(".leaf"))),
      Enter: () => focus(rows[at]), " ": () => focus(rows[at]),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  }
}
