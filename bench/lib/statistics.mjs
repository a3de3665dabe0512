// Summarises samples and formats them.

/** The value below which the share `q` of the sorted samples lies, interpolated between samples. */
export function quantile(sorted, q) {
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  return sorted[low] + (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]) * (at - low);
}

/** {n, median, q1, q3, min, max, p99, unit} of samples. */
export function summarise(samples, unit = 'ms') {
  if (!samples.length) throw new Error('no samples');
  const sorted = [...samples].sort((a, b) => a - b);
  const [min, q1, median, q3, p99, max] = [0, 0.25, 0.5, 0.75, 0.99, 1].map(q => quantile(sorted, q));
  return { n: samples.length, median, q1, q3, min, max, p99, unit };
}

const digits = value => (Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : Math.abs(value) >= 0.1 ? value.toFixed(2) : value.toFixed(3));
const grouped = text => text.replace(/^\d{4,}/, whole => whole.replace(/\B(?=(\d{3})+$)/g, ','));

export function formatNumber(value, unit) {
  if (unit === 'ms' && Math.abs(value) >= 1000) return `${digits(value / 1000)} s`;
  if (unit === 'bytes' || unit === '') return `${grouped(value.toFixed(0))}${unit ? ` ${unit}` : ''}`;
  return `${digits(value)} ${unit}`;
}

/** `peer && …` is false where there is no peer. */
const isAbsent = value => value === undefined || value === null || value === false;

/** "12.3 ms (11.9–14.0)": the median and the quartiles; a text or a number unchanged. */
export function format(value) {
  if (isAbsent(value)) return '—';
  if (typeof value !== 'object') return String(value);
  const middle = formatNumber(value.median, value.unit);
  if (value.n === 1) return middle;
  const scale = value.unit === 'ms' && Math.abs(value.median) >= 1000 ? 1000 : 1;
  return `${middle} (${digits(value.q1 / scale)}–${digits(value.q3 / scale)})`;
}

/** How many times slower `slow` is than `fast`, by medians. */
export const times = (slow, fast) => (slow && fast ? slow.median / fast.median : undefined);
export const formatTimes = factor => (isAbsent(factor) ? '—' : `${factor >= 10 ? factor.toFixed(0) : factor.toFixed(1)}×`);

/** Random numbers in [0, 1), repeatable by seed (mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
