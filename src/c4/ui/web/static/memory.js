// What a reload of this tab brings back. Knows nothing of what is kept: plain values, as the page gives them.
const KEY = "c4-page";

export function remembered() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null; // storage may be forbidden, or hold what another version wrote
  }
}

export function remember(what) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(what));
  } catch {
    // forbidden or full: not remembered, then
  }
}
