// Where values lie on an axis, and how they are written. Nothing that is placed lies outside of its scale.

// place(value) is from 0 to 1. `exact` ends where the values end, else at round numbers. A logarithm has no place for
// what is not above 0: it stands at the low end.
export function scaleOf(values, { log = false, zero = false, exact = false, count = 4, whole = false }) {
  const above = values.filter((value) => value > 0);
  if (log && above.length) return logarithmic(Math.min(...above), Math.max(...above), { below: above.length < values.length, exact });
  let [low, high] = [Math.min(...values, ...(zero ? [0] : [])), Math.max(...values)];
  if (exact) {
    if (high === low) high = low + 1;
  } else if (high - low < 1e-12 * Math.abs(high)) [low, high] = [low - Math.abs(low) / 10 || -1, high + Math.abs(high) / 10 || 1];
  let ticks = nice(low, high, count);
  if (!exact) [low, high] = [ticks[0], ticks.at(-1)];
  ticks = ticks.filter((one) => one >= low && one <= high && (!whole || Number.isInteger(one)));
  return { low, high, ticks, place: (value) => (value - low) / (high - low) };
}

function logarithmic(least, most, { below, exact }) {
  let low = exact && !below ? least : step(below ? least / 2 : least, Math.floor), high = exact ? most : step(most, Math.ceil);
  if (high <= low) [low, high] = [low / 2, high * 2];
  let ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    for (const digit of [1, 2, 5]) ticks.push(Number((digit * 10 ** power).toPrecision(6)));
  ticks = ticks.filter((one) => one >= low * (1 - 1e-9) && one <= high * (1 + 1e-9));
  if (ticks.length > 7) ticks = ticks.filter((one) => /^1/.test(one.toExponential()));
  const [from, to] = [Math.log(low), Math.log(high)];
  return { low, high, ticks, place: (value) => (Math.log(Math.max(value, low)) - from) / (to - from) };
}

// The next of 1, 2, 5, 10, 20 ... downwards (Math.floor) or upwards (Math.ceil).
function step(value, towards) {
  const power = 10 ** Math.floor(Math.log10(value) + 1e-12);
  const digits = towards === Math.floor ? [5, 2, 1] : [1, 2, 5, 10];
  const fits = (one) => (towards === Math.floor ? one * power <= value * (1 + 1e-9) : one * power >= value * (1 - 1e-9));
  return power * (digits.find(fits) ?? 1);
}

// Round numbers that span a range.
export function nice(low, high, count) {
  const span = high - low || Math.abs(high) || 1;
  const raw = span / count, power = 10 ** Math.floor(Math.log10(raw));
  const size = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= raw * 0.999);
  const ticks = [];
  for (let n = Math.floor(low / size + 1e-9); n * size < high + size * (1 - 1e-9); n++) ticks.push(Number((n * size).toPrecision(12)));
  return ticks;
}

// A running mean that forgets: `weight` of the old, from 0 (nothing is smoothed) to below 1; unbiased at the beginning.
export function smoothed(values, weight) {
  let mean = 0, seen = 0;
  return values.map((value) => {
    mean = weight * mean + (1 - weight) * value;
    seen = weight * seen + (1 - weight);
    return mean / seen;
  });
}

export function short(value) {
  const size = Math.abs(value);
  if (size >= 1e6) return `${trimmed((value / 1e6).toFixed(2))}M`;
  if (size >= 1e4) return `${trimmed((value / 1e3).toFixed(1))}k`;
  if (size >= 100 || Number.isInteger(value)) return String(Math.round(value)).replace("-", "−");
  if (size >= 10) return trimmed(value.toFixed(1));
  return size >= 0.1 || size === 0 ? trimmed(value.toFixed(2)) : trimmed(value.toPrecision(2));
}

const trimmed = (text) => (text.includes("e") || !text.includes(".") ? text : text.replace(/\.?0+$/, "")).replace("-", "−");
