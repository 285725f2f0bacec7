/** Height that silence has in the picture, so that it can be distinguished from what was not measured. */
const LEAST = 0.6;

/** Loudest samples as the outline of a shape that is 1000 wide and 100 high: 0 dB fills it, and -60 dB is its middle line. What was not measured has no shape. */
export function wavePath(peaks: readonly number[]): string {
  const width = 1000 / Math.max(1, peaks.length);
  const bars = peaks.map((peak, at) => {
    if (peak < 0) return '';
    const level = Math.max(0, 1 + (20 * Math.log10(Math.max(peak, 1e-3))) / 60);
    const half = Math.max(LEAST, 50 * level);
    const [x, y] = [(at * width).toFixed(1), (50 - half).toFixed(1)];
    return `M${x} ${y}h${width.toFixed(2)}v${(2 * half).toFixed(1)}h-${width.toFixed(2)}z`;
  });
  return bars.join('');
}
