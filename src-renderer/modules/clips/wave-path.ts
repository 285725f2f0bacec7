/** Drawn height of silence, to distinguish it from missing measurements. */
const MIN_HEIGHT = 0.6;

/**
 * Outline of the peaks as an SVG path, 1000 wide and 100 high: 0 dB fills the height, -60 dB is the middle line. Missing
 * measurements leave a gap.
 */
export function wavePath(peaks: readonly number[]): string {
  const width = 1000 / Math.max(1, peaks.length);
  const bars = peaks.map((peak, at) => {
    if (peak < 0) return '';
    const level = Math.max(0, 1 + (20 * Math.log10(Math.max(peak, 1e-3))) / 60);
    const half = Math.max(MIN_HEIGHT, 50 * level);
    const [x, y] = [(at * width).toFixed(1), (50 - half).toFixed(1)];
    return `M${x} ${y}h${width.toFixed(2)}v${(2 * half).toFixed(1)}h-${width.toFixed(2)}z`;
  });
  return bars.join('');
}
