// The page of runs: asks for what is new every other second while somebody looks, and shows it. One run is told of as a
// whole; the curves of others can be laid over its own.
import { Curves, RUN_COLOURS, swatch } from "./curves.js";
import { byId, html } from "./dom.js";
import { showFailures } from "./failures.js";
import { Replay } from "./replay.js";
import { short } from "./scale.js";

const EVERY = 2000, LIST_EVERY = 10000, QUIET = 600; // milliseconds; seconds of silence after which a run seems dead
const LONG = 24; // characters
const OVERS = ["generation", "minutes", "games"];
const errors = (share) => 100 * (1 - share), percent = (share) => 100 * share;

const asked = new URLSearchParams(location.search);
let name = asked.get("run"), others = asked.getAll("with").slice(0, RUN_COLOURS.length - 1);
const view = {
  over: OVERS.includes(asked.get("over")) ? asked.get("over") : "generation",
  logX: (asked.get("log") ?? "").includes("x"), logY: (asked.get("log") ?? "").includes("y"),
  smooth: Math.min(0.95, Math.max(0, Number(asked.get("smooth")) || 0)),
};
let runs = new Map(); // by name, what is known of each that is shown
const replay = new Replay();

function fresh() {
  return { news: null, generations: [], metrics: {}, games: null, mistakes: null, shape: null };
}

async function ask(path) {
  const answer = await fetch(`/api/watch/${path}`);
  if (!answer.ok) throw new Error((await answer.json()).error ?? answer.statusText);
  return answer.json();
}

function online(state, text) {
  byId("online").dataset.state = state;
  byId("online-text").textContent = text;
}

// ---- which runs

let listed = [];

async function list() {
  listed = await ask("runs");
  byId("empty").hidden = listed.length > 0;
  byId("run").disabled = listed.length === 0;
  if (!listed.length) return;
  if (!listed.some((one) => one.name === name)) choose(listed[0].name);
  byId("run").replaceChildren(...listed.map((one) => html("option", { value: one.name, selected: one.name === name }, `${one.name} · ${about(one)}`)));
  byId("run").value = name;
  showOthers();
}

function about(one) {
  const figure = one.value_preserving === null ? "" : ` · ${errors(one.value_preserving).toFixed(1)} % errors`;
  return `${state(one)}${figure}`;
}

// A box for each run that can be laid over this one; at most as many as there are colours.
function showOthers() {
  const rest = listed.filter((one) => one.name !== name), full = others.length >= RUN_COLOURS.length - 1;
  byId("compare").hidden = !rest.length;
  if (byId("others").contains(document.activeElement) && byId("others").children.length === rest.length) return;
  byId("others").replaceChildren(...rest.map((one) => {
    const at = others.indexOf(one.name);
    const box = html("input", { type: "checkbox", checked: at >= 0, disabled: full && at < 0, onchange: () => compare(one.name) });
    return html("label", {}, box, at < 0 ? null : swatch(`k-${RUN_COLOURS[at + 1]} d0`), html("span", {}, one.name), html("span", { class: "note" }, about(one)));
  }));
}

function compare(other) {
  others = others.includes(other) ? others.filter((one) => one !== other) : [...others, other];
  runs.delete(other);
  remember();
  showOthers();
  drawAll();
  round();
}

function choose(chosen) {
  name = chosen;
  others = others.filter((one) => one !== chosen);
  runs.delete(chosen);
  remember();
  document.title = `${chosen} · c4`;
}

// What is shown, as an address that can be sent on.
function remember() {
  const address = new URLSearchParams({ run: name });
  for (const other of others) address.append("with", other);
  if (view.over !== "generation") address.set("over", view.over);
  const log = `${view.logX ? "x" : ""}${view.logY ? "y" : ""}`;
  if (log) address.set("log", log);
  if (view.smooth) address.set("smooth", view.smooth);
  history.replaceState(null, "", `?${address}`);
}

function state(summary) {
  if (summary.trouble) return "unreadable";
  return summary.ending !== "training" ? summary.ending : summary.silent_seconds > QUIET ? "silent" : "training";
}

// ---- what is new

async function renew(which) {
  const mine = runs.get(which) ?? fresh();
  runs.set(which, mine);
  const since = mine.generations.at(-1) ?? 0; // the newest row may have grown
  const news = await ask(`run?name=${encodeURIComponent(which)}&since=${since}`);
  if (mine !== runs.get(which)) return; // another run was chosen meanwhile
  merge(mine, news);
  mine.news = news;
  if (which === name) await showMain(mine, news);
}

async function showMain(mine, news) {
  byId("whole").hidden = false;
  if (news.shape && (mine.shape?.name !== news.shape.name || replay.shape?.name !== news.shape.name)) {
    mine.shape = news.shape;
    replay.setGame(news.shape);
    mine.games = null;
  }
  showHead(mine, news);
  drawAll();
  if (news.shape && mine.games !== news.games_stamp) {
    const games = await ask(`games?name=${encodeURIComponent(name)}`);
    if (mine !== runs.get(name)) return;
    mine.games = news.games_stamp;
    replay.show(games);
  }
  if (news.shape && mine.mistakes !== news.mistakes_stamp) {
    const mistakes = await ask(`mistakes?name=${encodeURIComponent(name)}`);
    if (mine !== runs.get(name)) return;
    mine.mistakes = news.mistakes_stamp;
    showFailures(mistakes, mine.shape);
  }
}

function merge(run, news) {
  const first = news.generations[0];
  if (first === undefined) return;
  const kept = run.generations.filter((one) => one < first).length;
  run.generations = [...run.generations.slice(0, kept), ...news.generations];
  for (const metric of new Set([...Object.keys(run.metrics), ...Object.keys(news.metrics)])) {
    const old = run.metrics[metric] ?? Array(kept).fill(null);
    run.metrics[metric] = [...old.slice(0, kept), ...(news.metrics[metric] ?? Array(news.generations.length).fill(null))];
  }
}

function showHead(run, news) {
  const { summary } = news, now = state(summary), silence = ago(summary.silent_seconds);
  const newest = (metric) => run.metrics[metric]?.findLast((value) => value !== null) ?? null;
  const when = now === "unreadable" ? `: ${summary.trouble}` : now === "training" ? `, last wrote ${silence} ago` : now === "silent" ? `: nothing written for ${silence}` : ` ${silence} ago`;
  byId("about").replaceChildren(html("b", { class: `ending ${now}` }, now), `${when} · ${summary.game ?? "a game unknown here"} · ${news.network} · ${news.simulations ?? "?"} simulations · seed ${news.seed ?? "?"}`);
  const told = { date: `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`, run: summary.name, ...news.origin };
  byId("origin").replaceChildren(...Object.entries(told).filter(([, fact]) => fact).flatMap(([fact, text]) => [html("dt", {}, fact), html("dd", {}, text)]));
  const tiles = [
    ["generation", String(summary.generation)],
    ["games", number(newest("total/games"))],
    ["samples", number(newest("total/samples"))],
    ["minutes", number(summary.minutes)],
    ["games a second", number(newest("selfplay/games_per_second"))],
  ];
  const searched = Object.keys(run.metrics).filter((one) => /^truth\/value_preserving_\d+$/.test(one)).sort((a, b) => depth(b) - depth(a))[0];
  if (summary.value_preserving !== null) tiles.unshift(["errors, bare network", `${errors(summary.value_preserving).toFixed(1)} %`]);
  if (searched) tiles.splice(1, 0, [`errors, ${depth(searched)} simulations`, `${errors(newest(searched)).toFixed(1)} %`]);
  if (newest("baseline/strength") !== null) tiles.unshift(["strength against rollouts", number(newest("baseline/strength"))]);
  const share = Math.min(1, summary.progress ?? 0);
  byId("tiles").replaceChildren(
    ...tiles.map(([label, value]) => html("div", { class: "tile card" }, html("b", {}, value), html("span", {}, label))),
    html("div", { class: "tile card budget" }, html("b", {}, `${Math.round(100 * share)} %`), html("span", {}, "of the budget"),
      html("div", { class: "progress", role: "progressbar", "aria-label": "Budget", "aria-valuenow": Math.round(100 * share), "--share": share })),
  );
}

const depth = (metric) => Number(metric.split("_").at(-1));
const number = (value) => (value === null ? "–" : short(value));
const ago = (seconds) => (seconds < 90 ? `${Math.round(seconds)} s` : seconds < 5400 ? `${Math.round(seconds / 60)} min` : seconds < 172800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86400)} days`);

// ---- curves

const any = new Curves({ title: "Any metric" });
const pick = html("select", { "aria-label": "Metric", onchange: () => drawAny() });
any.caption.insertBefore(pick, any.caption.lastChild);
let charts = [], known = "";

// As report/style.py has it: the bare network, a glance, and more and more thought.
function budgetColour(simulations) {
  if (!simulations) return "orange";
  return ["gold", "magenta", "blue", "green", "violet", "slate"][Math.min(5, Math.floor(Math.log2(simulations) / 2))];
}

function chartsFor(names) {
  const budgets = names.filter((one) => /^truth\/value_preserving(_\d+)?$/.test(one)).sort((a, b) => (depth(a) || 0) - (depth(b) || 0));
  const budget = (metric) => ({ metric, label: depth(metric) ? `${depth(metric)} simulations` : "bare network", colour: budgetColour(depth(metric)), of: errors });
  return [
    new Curves({ title: "Errors", note: "moves that turn a win into a draw or a loss, or a draw into a loss, by perfect play", unit: " %", zero: true, series: budgets.map(budget) }),
    new Curves({ title: "Strength", note: "levels of random rollouts that it beats", series: [{ metric: "baseline/strength", label: "levels" }] }),
    new Curves({ title: "Losses", note: "nats; the policy's cannot fall below the entropy of the search", zero: true, series: [
      { metric: "loss/policy", label: "policy", colour: "blue" }, { metric: "policy/target_entropy", label: "entropy of the search", colour: "magenta" },
      { metric: "loss/value", label: "value", colour: "orange" }, { metric: "loss/moves_left", label: "moves left", colour: "green" } ] }),
    new Curves({ title: "How games end", note: "share of a generation's games", unit: " %", zero: true, series: [
      { metric: "selfplay/first_win_share", label: "first player wins", of: percent, colour: "orange" }, { metric: "selfplay/draw_share", label: "draws", of: percent, colour: "slate" } ] }),
    new Curves({ title: "Length of games", note: "plies", series: [{ metric: "selfplay/game_length", label: "plies", colour: "blue" }, { metric: "moves_left/mae", label: "error of moves left", colour: "green" }] }),
    new Curves({ title: "Errors in self-play", note: "per game, by cause", zero: true, series: [
      { metric: "truth/selfplay/blame_search", label: "search", colour: "blue" }, { metric: "truth/selfplay/blame_temperature", label: "temperature", colour: "gold" },
      { metric: "truth/selfplay/blame_noise", label: "noise", colour: "magenta" }, { metric: "truth/selfplay/blame_opening", label: "opening", colour: "slate" } ] }),
    new Curves({ title: "Entropy of policies", note: "nats; near 0 nothing new is tried", zero: true, series: [{ metric: "selfplay/target_entropy", label: "search", colour: "blue" }, { metric: "policy/entropy", label: "network", colour: "orange" }] }),
    new Curves({ title: "Speed", note: "simulations a second", zero: true, series: [{ metric: "selfplay/simulations_per_second", label: "simulations", colour: "blue" }] }),
  ];
}

// The chosen run first; each as soon as it is known, under a long name's last part where that tells it from the others.
function shownRuns() {
  const names = [name, ...others].filter((one) => runs.get(one)?.news);
  const parts = names.map((one) => one.split("/").at(-1)), apart = new Set(parts).size === names.length;
  return names.map((one, index) => ({ ...runs.get(one), name: one, colour: RUN_COLOURS[[name, ...others].indexOf(one)], label: apart && one.length > LONG ? parts[index] : one }));
}

function drawAll() {
  const shown = shownRuns(), names = [...new Set(shown.flatMap((run) => Object.keys(run.metrics)))].sort();
  if (names.join() !== known) {
    known = names.join();
    charts = chartsFor(names);
    byId("curves").replaceChildren(...charts.map((chart) => chart.root), any.root);
    const chosen = names.includes(pick.value) ? pick.value : "optim/lr";
    pick.replaceChildren(...names.map((one) => html("option", { value: one }, one)));
    pick.value = chosen;
  }
  byId("curves").toggleAttribute("data-several", shown.length > 1);
  for (const chart of charts) chart.show(shown, view);
  drawAny();
}

function drawAny() {
  any.series = [{ metric: pick.value, label: pick.value, colour: "blue" }];
  any.show(shownRuns(), view);
}

for (const [id, key, of] of [["over", "over", (field) => field.value], ["log-x", "logX", (field) => field.checked], ["log-y", "logY", (field) => field.checked], ["smooth", "smooth", (field) => Number(field.value)]]) {
  const field = byId(id);
  if (field.type === "checkbox") field.checked = view[key];
  else field.value = view[key];
  field.addEventListener("input", () => {
    view[key] = of(field);
    remember();
    drawAll();
  });
}

// ---- round and round

let listedAt = 0, waiting = null;

async function round() {
  clearTimeout(waiting);
  if (!document.hidden) {
    try {
      if (Date.now() - listedAt > LIST_EVERY || !name) {
        await list();
        listedAt = Date.now();
      }
      if (name) {
        const laid = Promise.allSettled(others.map(renew)); // one that fails hides no other
        await renew(name);
        await laid;
        if (others.length) drawAll();
      }
      online("on", "live");
    } catch (failure) {
      online("off", failure instanceof TypeError ? "the server does not answer" : failure.message);
    }
  }
  clearTimeout(waiting);
  waiting = setTimeout(round, EVERY);
}

byId("run").onchange = (event) => {
  choose(event.target.value);
  showOthers();
  byId("say").textContent = `Run ${name}`;
  round();
};
document.addEventListener("visibilitychange", () => !document.hidden && round());
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea, .stage, button") || event.altKey || event.ctrlKey || event.metaKey) return;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step && replay.shown) replay.go(replay.ply + step);
});
round();
