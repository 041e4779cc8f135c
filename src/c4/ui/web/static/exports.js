// A chart to take away: as a picture that needs no style sheet (SVG, PNG), and as the numbers that are drawn (CSV).
import { html, svg } from "./dom.js";
import { short } from "./scale.js";

const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity", "font-size", "font-family", "font-weight", "text-anchor", "dominant-baseline"];
const HEAD = 34, ROW = 19, SHARPNESS = 2;

export function exports(chart) {
  const button = (kind, make) => html("button", { type: "button", title: `Save ${chart.title} as ${kind}`, onclick: () => make(chart) }, kind);
  return html("span", { class: "exports" }, button("SVG", saveSvg), button("PNG", savePng), button("CSV", saveCsv));
}

function saveSvg(chart) {
  save(chart, "svg", new Blob([picture(chart).text], { type: "image/svg+xml" }));
}

function savePng(chart) {
  const { text, width, height } = picture(chart), image = new Image();
  image.onload = () => {
    const canvas = html("canvas", { width: width * SHARPNESS, height: height * SHARPNESS });
    const context = canvas.getContext("2d");
    context.scale(SHARPNESS, SHARPNESS);
    context.drawImage(image, 0, 0, width, height);
    canvas.toBlob((blob) => save(chart, "png", blob), "image/png");
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}

// A row a point: values as they are drawn, and smoothed where they are.
function saveCsv(chart) {
  const rows = [["run", "series", "generation", "minutes", "games", `value${chart.unit}`, "smoothed"]];
  for (const { run, series, points } of chart.lines)
    for (const { row, raw, y } of points) rows.push([run.name, series, run.generations[row], run.metrics["budget/minutes"]?.[row] ?? "", run.metrics["total/games"]?.[row] ?? "", number(raw), number(y)]);
  save(chart, "csv", new Blob([`${rows.map((cells) => cells.map(cell).join(",")).join("\n")}\n`], { type: "text/csv" }));
}

const number = (value) => Number(value.toPrecision(10));

// A word that a spreadsheet would take for a formula is none.
function cell(value) {
  const text = typeof value === "string" && /^[=+\-@\t]/.test(value) ? `'${value}` : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// With its title above it, its lines by name below, and where it comes from.
function picture(chart) {
  const drawn = chart.stage.querySelector("svg"), [, , width, inside] = drawn.getAttribute("viewBox").split(" ").map(Number);
  const height = HEAD + inside + ROW * (chart.lines.length + 1) + 8, style = getComputedStyle(chart.root);
  const copy = drawn.cloneNode(true);
  inline(drawn, copy);
  copy.querySelector(".cross")?.remove();
  const text = (x, y, words, more = {}) => svg("text", { x, y, fill: style.color, "font-family": style.fontFamily, "font-size": "13px", ...more }, words);
  const whole = svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height },
    svg("rect", { width, height, fill: style.backgroundColor }),
    text(10, 22, chart.title, { "font-weight": "650", "font-size": "15px" }),
    svg("g", { transform: `translate(0 ${HEAD})` }, ...copy.childNodes));
  chart.lines.forEach(({ name, points }, index) => {
    const y = HEAD + inside + ROW * index + 10, key = chart.readings.children[index]?.querySelector("path");
    const mark = svg("path", { d: `M10 ${y}H36` });
    if (key) inlineOne(key, mark);
    whole.append(mark, text(44, y + 4, `${name}: ${short(points.at(-1).y)}${chart.unit}`));
  });
  const names = [...new Set(chart.lines.map((line) => line.run.name))].join(", ");
  whole.append(text(10, height - 8, `c4 · ${names} · ${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`, { "font-size": "11px", opacity: "0.65" }));
  return { text: new XMLSerializer().serializeToString(whole), width, height };
}

function inline(from, to) {
  inlineOne(from, to);
  [...from.children].forEach((child, index) => inline(child, to.children[index]));
}

function inlineOne(from, to) {
  const style = getComputedStyle(from);
  for (const name of STYLES) to.setAttribute(name, style.getPropertyValue(name));
  to.removeAttribute("class");
}

function save(chart, kind, blob) {
  const address = URL.createObjectURL(blob);
  const link = html("a", { href: address, download: `${chart.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.${kind}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
