import { xOf, type Range, type TimeScale } from './time-scale.ts';

/** Bar to draw, in pixels. */
export interface Bar {
  readonly x: number;
  readonly width: number;
}

/** Index of the first range that ends after a moment. Ranges are sorted and do not overlap. */
export function firstAfter(ranges: readonly Range[], ms: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.to ?? Infinity) > ms) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Range that contains a moment. */
export function rangeAt(ranges: readonly Range[], ms: number): Range | undefined {
  const found = ranges[firstAfter(ranges, ms)];
  return found && found.from <= ms ? found : undefined;
}

/** Time without a recording; null for no limit. */
export interface Gap {
  /** End of the range before. */
  readonly from: number | null;
  /** Start of the range after. */
  readonly to: number | null;
}

/** Gap at a moment; undefined if the moment is recorded. */
export function gapAt(ranges: readonly Range[], ms: number): Gap | undefined {
  const at = firstAfter(ranges, ms);
  const next = ranges[at];
  if (next && next.from <= ms) return undefined;
  return { from: ranges[at - 1]?.to ?? null, to: next?.from ?? null };
}

/** Nearest recorded moment: the moment itself, or the start of the next range; undefined after all ranges. */
export function nextRecorded(ranges: readonly Range[], ms: number): number | undefined {
  const found = ranges[firstAfter(ranges, ms)];
  return found && Math.max(found.from, ms);
}

/**
 * Bars of the visible ranges. Bars that touch in pixels are merged, and a gap of less than a pixel keeps one pixel, so that no
 * gap is hidden.
 */
export function barsOf(ranges: readonly Range[], scale: TimeScale, widthPx: number): Bar[] {
  const bars: { x: number; width: number }[] = [];
  const endMs = scale.startMs + widthPx * scale.msPerPx;
  for (let at = firstAfter(ranges, scale.startMs); at < ranges.length;) {
    const { from, to } = ranges[at] ?? { from: Infinity, to: Infinity };
    if (from >= endMs) break;
    const x = Math.max(-1, xOf(scale, from));
    const end = Math.min(widthPx + 1, xOf(scale, to));
    const last = bars.at(-1);
    // One pixel stays without a bar, to show the gap.
    const start = last ? Math.max(x, Math.floor(last.x + last.width) + 1) : x;
    if (end - start >= 0.5 || !last) bars.push({ x: start, width: Math.max(0.5, end - start) });
    // Ranges narrower than a pixel are skipped, so that a month of short ranges costs no more than its pixels.
    at =
      end - start < 1
        ? Math.max(at + 1, firstAfter(ranges, scale.startMs + (Math.floor(end) + 1) * scale.msPerPx))
        : at + 1;
  }
  return bars;
}

/** Merges ranges of several answers: sorted, without overlaps. */
export function joined(ranges: readonly Range[]): Range[] {
  const all: { from: number; to: number }[] = [];
  for (const { from, to } of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}
