/** One measured figure, with the same figure of a peer in the same run where there is one. */
export interface Row {
  readonly section: string;
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly peer?: number;
  /** Which way is better. */
  readonly better: 'lower' | 'higher';
  /** The figure to reach; `peer` means the figure of the peer in the same run. */
  readonly target?: number | 'peer';
  readonly note?: string;
}

/** How many times better ours is than the peer; above 1 is good. */
export function ratioOf(row: Row): number | undefined {
  if (row.peer === undefined || row.peer === 0 || row.ours === 0) return undefined;
  return row.better === 'lower' ? row.peer / row.ours : row.ours / row.peer;
}

/** Whether the target is met; undefined where there is none to compare with. */
export function isMet(row: Row): boolean | undefined {
  const target = row.target === 'peer' ? row.peer : row.target;
  if (target === undefined) return undefined;
  return row.better === 'lower' ? row.ours <= target : row.ours >= target;
}

/** The middle of an odd number of values, the upper middle of an even one; NaN of none. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value below which a share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
