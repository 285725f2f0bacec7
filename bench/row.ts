/** Measured figure, with the same figure of a peer in the same run if there is one. */
export interface Row {
  readonly section: string;
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly peer?: number | undefined;
  /** Minimum and maximum of several rounds; `ours` and `peer` are their medians. */
  readonly spread?: Spread | undefined;
  readonly peerSpread?: Spread | undefined;
  /** Direction in which the figure is better. */
  readonly better: 'lower' | 'higher';
  /** Figure to reach; `peer` is the figure of the peer in the same run, `ofPeer` a multiple of it. */
  readonly target?: number | 'peer' | { readonly ofPeer: number } | undefined;
  readonly note?: string;
}

/** Minimum and maximum figure. */
export type Spread = readonly [min: number, max: number];

/** Medians of several rounds, with minimum and maximum. @param peer figures of the peer; default: none */
export function figuresOf(
  ours: readonly number[],
  peer: readonly number[] = [],
): Pick<Row, 'ours' | 'spread' | 'peer' | 'peerSpread'> {
  return {
    ours: median(ours),
    spread: spreadOf(ours),
    peer: peer.length > 0 ? median(peer) : undefined,
    peerSpread: spreadOf(peer),
  };
}

/** Minimum and maximum of values; undefined for fewer than two. */
function spreadOf(values: readonly number[]): Spread | undefined {
  return values.length < 2 ? undefined : [Math.min(...values), Math.max(...values)];
}

/** Factor by which our server is better than the peer; above 1 is good. */
export function ratioOf(row: Row): number | undefined {
  if (row.peer === undefined || row.peer === 0 || row.ours === 0) return undefined;
  return row.better === 'lower' ? row.peer / row.ours : row.ours / row.peer;
}

/** Figure to reach; undefined if there is none, or no peer to compare with. */
function targetOf({ target, peer }: Row): number | undefined {
  if (target === 'peer') return peer;
  if (typeof target === 'object') return peer === undefined ? undefined : peer * target.ofPeer;
  return target;
}

/** True if the target is met; undefined if there is no target. */
export function isMet(row: Row): boolean | undefined {
  const target = targetOf(row);
  if (target === undefined) return undefined;
  return row.better === 'lower' ? row.ours <= target : row.ours >= target;
}

/** Middle of an odd number of values, upper middle of an even one; NaN for none. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Value below which a fraction of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
