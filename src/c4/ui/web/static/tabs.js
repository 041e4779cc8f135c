// Panels of which one is shown. Arrow keys go from tab to tab.
import { byId } from "./dom.js";

const NAMES = ["opponent", "analysis", "tree", "moves"];
let shown = NAMES[0];

export const tabShown = () => shown;

export function showTab(name) {
  shown = name;
  for (const each of NAMES) {
    const tab = byId(`tab-${each}`);
    tab.setAttribute("aria-selected", String(each === name));
    tab.tabIndex = each === name ? 0 : -1;
    byId(`panel-${each}`).hidden = each !== name;
  }
}

export function setUpTabs({ onShow }) {
  for (const name of NAMES) {
    const tab = byId(`tab-${name}`);
    tab.addEventListener("click", () => {
      showTab(name);
      onShow(name);
    });
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      const next = byId(`tab-${NAMES[(NAMES.indexOf(name) + step + NAMES.length) % NAMES.length]}`);
      next.focus();
      next.click();
      event.stopPropagation();
    });
  }
}
