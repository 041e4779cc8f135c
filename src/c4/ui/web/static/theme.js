// Light, dark, or as the system has it; remembered. Runs before the page is drawn as far as a module can.
const ORDER = ["auto", "light", "dark"];
const SIGNS = { auto: "◐", light: "☀", dark: "☾" };
const NAMES = { auto: "automatic", light: "light", dark: "dark" };

function remembered() {
  try {
    return ORDER.includes(localStorage.getItem("c4-theme")) ? localStorage.getItem("c4-theme") : "auto";
  } catch {
    return "auto"; // storage may be forbidden
  }
}

function show(theme) {
  document.documentElement.dataset.theme = theme;
  const button = document.getElementById("theme");
  if (!button) return;
  button.textContent = SIGNS[theme];
  button.setAttribute("aria-label", `Theme: ${NAMES[theme]}`);
}

show(remembered());
document.getElementById("theme")?.addEventListener("click", () => {
  const next = ORDER[(ORDER.indexOf(document.documentElement.dataset.theme) + 1) % ORDER.length];
  try {
    localStorage.setItem("c4-theme", next);
  } catch {
    // not remembered, then
  }
  show(next);
});
