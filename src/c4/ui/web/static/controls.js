// What a person can press: buttons, switches and keys. What they do to the game is given.
import { setUpSure, sure, toast } from "./dialogs.js";
import { byId } from "./dom.js";
import { forgetAll, page } from "./page.js";
import { mistakes, show } from "./show.js";
import { setUpTabs, showTab } from "./tabs.js";

const OTHER = { first: "second", second: "first" };

export function setUpControls(given) {
  setUpSure();
  setUpGame(given);
  setUpReview(given);
  setUpSwitches(given);
  setUpTabs({ onShow: (name) => {
    if (name === "tree" && page.game) given.tree.load(page.game, { fresh: true });
    if (page.state) given.remember();
  } });
  byId("help").addEventListener("click", () => byId("help-dialog").showModal());
  byId("help-close").addEventListener("click", () => byId("help-dialog").close());
  for (const event of ["pagehide", "visibilitychange"]) addEventListener(event, () => page.state && given.remember());
  document.addEventListener("keydown", (event) => onKey(event, given));
}

const onClick = (id, act) => byId(id).addEventListener("click", act);

function setUpGame({ ask, begin, board, editor, goTo, leave, remember, retry, send, texts }) {
  for (const id of ["undo", "redo", "go"]) onClick(id, () => send({ type: id }));
  const anew = () => {
    page.study.clear();
    forgetAll();
    page.reviews = false;
    byId("review-note").textContent = "";
    send({ type: "new" });
  };
  onClick("new", anew);
  onClick("rematch", () => { // with the sides swapped
    if (OTHER[page.state.side]) send({ type: "side", side: OTHER[page.state.side] });
    anew();
  });
  onClick("resign", async () => {
    if (await sure({ title: "Resign this game?", text: "The game ends here, and the other player wins.", yes: "Resign", no: "Play on" })) send({ type: "resign" });
  });
  onClick("swap", () => send({ type: "side", side: OTHER[page.state.side] ?? ["first", "second"][page.state.to_move] }));
  onClick("hint", () => hint({ ask, board }));
  onClick("leave", leave);
  const steps = { "to-first": () => 0, "to-back": () => page.state.ply - 1, "to-on": () => page.state.ply + 1, "to-last": () => page.state.line.length };
  for (const [id, ply] of Object.entries(steps)) onClick(id, () => page.state && goTo(ply()));
  onClick("copy", () => copyLink({ remember, texts }));
  onClick("edit", () => {
    retry.end();
    editor.open(page.game, page.state.rows);
  });
  byId("game-name").addEventListener("change", () => begin({ game: byId("game-name").value, position: "", side: page.state.side }));
}

function setUpReview({ retry, send }) {
  const review = () => {
    if (!page.study.inVariation) page.study.kept = true;
    page.reviews = true;
    byId("review-note").textContent = "Reviewing…";
    send({ type: "review" });
  };
  onClick("review", review);
  onClick("review-now", () => {
    showTab("moves");
    review();
  });
  onClick("retry-start", () => {
    show.thoughts();
    retry.start(page.game, mistakes());
  });
}

function setUpSwitches({ ask, fillTrees, onTruth, remember, send, tree }) {
  const about = () => ({ text: page.state.text, game: page.state.game, scores: null });
  byId("analysing").addEventListener("change", () => {
    if (byId("analysing").checked) ask();
    else send({ type: "stop" });
    show.thoughts();
    remember();
  });
  byId("teacher").addEventListener("change", () => {
    if (!byId("teacher").checked) onTruth({ ...about(), sentence: null });
    else if (page.game.no_truth && !page.game.forced_wins) onTruth({ ...about(), sentence: page.game.no_truth });
    else send({ type: "truth" });
    remember();
  });
  for (const id of ["judge-0", "judge-1", "visits"]) byId(id).addEventListener("change", () => {
    page.thoughts = [];
    fillTrees();
    if (byId("analysing").checked) ask();
    show.thoughts();
    remember();
  });
  byId("tree-side").addEventListener("change", () => {
    tree.side = Number(byId("tree-side").value);
    tree.load(page.game, { fresh: true });
  });
  onClick("tree-refresh", () => tree.load(page.game, { fresh: false }));
}

function hint({ ask, board }) {
  if (page.state.over) return;
  const known = page.thoughts[0];
  if (known?.done && known.best !== null) {
    board.marks({ hint: known.best });
    show.say(`Hint: ${page.game.names[known.best]}.`);
    return;
  }
  page.wantsHint = true;
  ask();
}

async function copyLink({ remember, texts }) {
  remember();
  try {
    await navigator.clipboard.writeText(location.href);
    toast("The link to this position is copied.", "good");
  } catch {
    texts.show(location.href); // no clipboard here: to be copied by hand
  }
}

// What has arrow keys of its own keeps them.
const OWN_ARROWS = ".cells, [role=tablist], [role=tree], [role=slider]";

function onKey(event, { board, goTo, play }) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input:not([type=checkbox]), select, textarea, dialog")) return;
  const { state, game } = page;
  if (!state) return;
  const press = (id) => () => byId(id).hidden || byId(id).click();
  const keys = {
    u: press("undo"), r: press("redo"), n: press("new"), s: press("swap"), h: press("hint"), a: press("analysing"), t: press("teacher"), "?": press("help"),
    "[": () => goTo(state.ply - 1), "]": () => goTo(state.ply + 1),
  };
  const steps = {
    ArrowLeft: () => goTo(state.ply - 1), ArrowRight: () => goTo(state.ply + 1), Home: () => goTo(0), End: () => goTo(state.line.length),
    ArrowUp: () => board.move(0, 0), ArrowDown: () => board.move(0, 0),
  };
  const act = keys[event.key] ?? (event.target.closest?.(OWN_ARROWS) ? null : steps[event.key]);
  if (/^[1-9]$/.test(event.key) && game.gravity && Number(event.key) <= game.width) play(Number(event.key) - 1);
  else if (act) act();
  else return;
  event.preventDefault();
}
