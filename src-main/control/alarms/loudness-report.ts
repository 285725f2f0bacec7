import type { LoudnessRow } from '../../../src-preload/contract/api/loudness-object.ts';
import type { LoudnessDay } from './loudness-service.ts';

/** Size of the drawing, and its lowest and highest level in LUFS. */
const WIDTH = 960;
const HEIGHT = 220;
const LOWEST = -60;
const HIGHEST = 0;
const LINES = [-50, -40, -30, -23, -10];

/** Loudness of a stream's day as a printable page. */
export function loudnessReport({ name, dayMs, createdMs, day, hours, curve }: LoudnessDay): string {
  const date = new Date(dayMs).toISOString().slice(0, 10);
  const title = `Loudness of ${escape(name)}, ${date}`;
  const rows = hours.map((hour) => row(new Date(hour.from_at).toISOString().slice(11, 16), hour)).join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<style>
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; font: 14px/1.4 system-ui, sans-serif; color: #111; background: #fff; }
h1 { margin: 0; font-size: 1.4rem; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.6rem; border-bottom: 1px solid #ccc; text-align: right; }
th:first-child, td:first-child { text-align: left; }
thead th { border-bottom: 2px solid #111; }
tfoot td { border-top: 2px solid #111; font-weight: 700; }
svg { display: block; width: 100%; height: auto; margin: 1rem 0; }
svg text { font-size: 11px; fill: #444; }
.line { stroke: #ddd; } .target { stroke: #777; stroke-dasharray: 4 3; } .level { stroke: #1a5fb4; stroke-width: 1.4; }
@media print { body { margin: 0; } tr { break-inside: avoid; } }
</style>
</head>
<body>
<h1>${title}</h1>
<p>EBU R128: integrated loudness by ITU-R BS.1770, loudness range by EBU Tech 3342. Hours in UTC. Created ${new Date(createdMs).toISOString().slice(0, 16).replace('T', ' ')} UTC.</p>
${drawing(curve)}
<table>
<thead><tr><th scope="col">Hour</th><th scope="col">Measured</th><th scope="col">Integrated, LUFS</th><th scope="col">Range, LU</th><th scope="col">Maximum momentary, LUFS</th><th scope="col">Maximum short-term, LUFS</th><th scope="col">True peak, dBTP</th></tr></thead>
<tbody>${rows === '' ? '<tr><td colspan="7">Nothing was measured on this day.</td></tr>' : rows}</tbody>
<tfoot>${row('Day', day)}</tfoot>
</table>
</body>
</html>
`;
}

function row(label: string, figures: LoudnessRow): string {
  const { measured_ms: ms, integrated, range, max_momentary: m, max_short_term: s, true_peak: peak } = figures;
  const cells = [duration(ms), ...[integrated, range, m, s, peak].map((level) => level?.toFixed(1) ?? '–')];
  return `<tr><td>${label}</td>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

function duration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const seconds = Math.floor(ms / 1000) % 60;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds)}`;
}

/** Draws a line from the lowest to the highest level of each step. */
function drawing(curve: LoudnessDay['curve']): string {
  if (curve.every((point) => point === null)) return '';
  const y = (level: number): string =>
    (((HIGHEST - Math.max(LOWEST, Math.min(HIGHEST, level))) / (HIGHEST - LOWEST)) * HEIGHT).toFixed(1);
  const marks = LINES.map(
    (level) =>
      `<line class="${level === -23 ? 'target' : 'line'}" x1="0" x2="${WIDTH}" y1="${y(level)}" y2="${y(level)}"/><text x="2" y="${Number(y(level)) - 3}">${level} LUFS</text>`,
  );
  const hours = [0, 6, 12, 18].map(
    (hour) => `<text x="${(hour / 24) * WIDTH + 2}" y="${HEIGHT + 14}">${String(hour).padStart(2, '0')}:00</text>`,
  );
  const path = curve.flatMap((point, index) => {
    if (!point) return [];
    const x = ((index / curve.length) * WIDTH).toFixed(1);
    const [low, high] = point;
    return [`M${x} ${(Number(y(low)) + 1).toFixed(1)}V${y(high)}`];
  });
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT + 20}" role="img" aria-label="Short-term loudness of the day">${marks.join('')}${hours.join('')}<path class="level" d="${path.join('')}"/></svg>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
