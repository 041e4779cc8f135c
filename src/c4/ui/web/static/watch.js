// The page of a run: asks for what is new every other second while somebody looks, and shows it.
import { Curves, short } from "./curves.js";
import { byId, html } from "./dom.js";
import { showFailures } from "./failures.js";
import { Replay } from "./replay.js";

const EVERY = 2000, LIST_EVERY = 10000, QUIET = 600; // milliseconds; seconds of silence after which a run seems dead
const error = (share) => 100 * (1 - share), percent = (share) => 100 * share;

let name = new URLSearchParams(location.search).get("run");
let run = fresh();
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

// ---- which run

async function list() {
  const runs = await ask("runs");
  byId("empty").hidden = runs.length > 0;
  byId("run").disabled = runs.length === 0;
  if (!runs.length) return;
  if (!runs.some((one) => one.name === name)) choose(runs[0].name);
  byId("run").replaceChildren(...runs.map((one) => {
    const figure = one.value_preserving === null ? "" : ` · ${error(one.value_preserving).toFixed(1)} % wrong`;
    return html("option", { value: one.name, selected: one.name === name }, `${one.name} · ${state(one)}${figure}`);
  }));
  byId("run").value = name;
}

function choose(chosen) {
  name = chosen;
  run = fresh();
  history.replaceState(null, "", `?run=${encodeURIComponent(chosen)}`);
  document.title = `${chosen} · c4`;
}

const state = (summary) => (summary.ending !== "training" ? summary.ending : summary.silent_seconds > QUIET ? "silent" : "training");

// ---- what is new

async function renew() {
  const mine = run;
  const since = mine.generations.at(-1) ?? 0; // the newest row may have grown
  const news = await ask(`run?name=${encodeURIComponent(name)}&since=${since}`);
  if (mine !== run) return; // another run was chosen meanwhile
  merge(news);
  run.news = news;
  byId("whole").hidden = false;
  if (news.shape && run.shape?.name !== news.shape.name) {
    run.shape = news.shape;
    replay.setGame(news.shape);
  }
  showHead(news);
  drawAll();
  if (news.shape && run.games !== news.games_stamp) {
    const games = await ask(`games?name=${encodeURIComponent(name)}`);
    if (mine !== run) return;
    run.games = news.games_stamp;
    replay.show(games);
  }
  if (news.shape && run.mistakes !== news.mistakes_stamp) {
    const mistakes = await ask(`mistakes?name=${encodeURIComponent(name)}`);
    if (mine !== run) return;
    run.mistakes = news.mistakes_stamp;
    showFailures(mistakes, run.shape);
  }
}

function merge(news) {
  const first = news.generations[0];
  if (first === undefined) return;
  const kept = run.generations.filter((one) => one < first).length;
  run.generations = [...run.generations.slice(0, kept), ...news.generations];
  for (const metric of new Set([...Object.keys(run.metrics), ...Object.keys(news.metrics)])) {
    const old = run.metrics[metric] ?? Array(kept).fill(null);
    run.metrics[metric] = [...old.slice(0, kept), ...(news.metrics[metric] ?? Array(news.generations.length).fill(null))];
  }
}

const newest = (metric) => run.metrics[metric]?.findLast((value) => value !== null) ?? null;

function showHead(news) {
  const { summary } = news, now = state(summary);
  const silent = now === "training" ? `, wrote ${ago(summary.silent_seconds)} ago` : now === "silent" ? `: it wrote nothing for ${ago(summary.silent_seconds)}` : ` ${ago(summary.silent_seconds)} ago`;
  byId("about").replaceChildren(html("b", { class: `ending ${now}` }, now), `${silent} · ${summary.game ?? "a game that is not known here"} · ${news.network} · ${news.simulations ?? "?"} simulations · seed ${news.seed ?? "?"}`);
  const tiles = [
    ["generation", String(summary.generation)],
    ["games", number(newest("total/games"))],
    ["samples", number(newest("total/samples"))],
    ["minutes", number(summary.minutes)],
    ["games a second", number(newest("selfplay/games_per_second"))],
  ];
  const searched = Object.keys(run.metrics).filter((one) => /^truth\/value_preserving_\d+$/.test(one)).sort((a, b) => depth(b) - depth(a))[0];
  if (summary.value_preserving !== null) tiles.unshift(["wrong moves, bare network", `${error(summary.value_preserving).toFixed(1)} %`]);
  if (searched) tiles.splice(1, 0, [`wrong moves, ${depth(searched)} simulations`, `${error(newest(searched)).toFixed(1)} %`]);
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
any.caption.append(pick);
let charts = [], known = "";

function chartsFor(names) {
  const budgets = names.filter((one) => /^truth\/value_preserving(_\d+)?$/.test(one)).sort((a, b) => (depth(a) || 0) - (depth(b) || 0));
  const label = (metric) => (/_\d+$/.test(metric) ? `${depth(metric)} simulations` : "bare network");
  return [
    new Curves({ title: "Wrong moves", note: "share of moves that give the value away, by perfect play", unit: " %", zero: true, series: budgets.map((metric) => ({ metric, label: label(metric), of: error })) }),
    new Curves({ title: "Strength", note: "random rollouts that it beats", series: [{ metric: "baseline/strength", label: "levels" }] }),
    new Curves({ title: "Loss", note: "nats; the policy's can sink to the search's own entropy", zero: true, series: [
      { metric: "loss/policy", label: "policy" }, { metric: "policy/target_entropy", label: "the search's entropy" }, { metric: "loss/value", label: "value" }, { metric: "loss/moves_left", label: "moves left" } ] }),
    new Curves({ title: "How games end", note: "share of a generation's games", unit: " %", zero: true, series: [
      { metric: "selfplay/first_win_share", label: "first player wins", of: percent }, { metric: "selfplay/draw_share", label: "draws", of: percent } ] }),
    new Curves({ title: "Length of games", note: "plies", series: [{ metric: "selfplay/game_length", label: "plies" }, { metric: "moves_left/mae", label: "error of moves left" }] }),
    new Curves({ title: "Thrown away in self-play", note: "moves a game that gave the value away, by who is to blame", zero: true, series: [
      { metric: "truth/selfplay/blame_search", label: "search" }, { metric: "truth/selfplay/blame_temperature", label: "temperature" }, { metric: "truth/selfplay/blame_noise", label: "noise" }, { metric: "truth/selfplay/blame_opening", label: "opening" } ] }),
    new Curves({ title: "Sharpness", note: "entropy of policies, nats: near 0 nothing new is tried", zero: true, series: [{ metric: "selfplay/target_entropy", label: "search" }, { metric: "policy/entropy", label: "network" }] }),
    new Curves({ title: "Speed", note: "simulations a second", zero: true, series: [{ metric: "selfplay/simulations_per_second", label: "simulations" }] }),
  ];
}

function drawAll() {
  const names = Object.keys(run.metrics).sort();
  if (names.join() !== known) {
    known = names.join();
    charts = chartsFor(names);
    byId("curves").replaceChildren(...charts.map((chart) => chart.root), any.root);
    const chosen = names.includes(pick.value) ? pick.value : "optim/lr";
    pick.replaceChildren(...names.map((one) => html("option", { value: one }, one)));
    pick.value = chosen;
  }
  for (const chart of charts) chart.show(run.generations, run.metrics);
  drawAny();
}

function drawAny() {
  any.series = [{ metric: pick.value, label: pick.value }];
  any.show(run.generations, run.metrics);
}

// ---- round and round

let listed = 0, waiting = null;

async function round() {
  clearTimeout(waiting);
  if (!document.hidden) {
    try {
      if (Date.now() - listed > LIST_EVERY || !name) {
        await list();
        listed = Date.now();
      }
      if (name) await renew();
      online("on", "live");
    } catch (failure) {
      online("off", failure instanceof TypeError ? "the server does not answer" : failure.message);
    }
  }
  waiting = setTimeout(round, EVERY);
}

byId("run").onchange = (event) => {
  choose(event.target.value);
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
