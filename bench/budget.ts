import { ratioOf, type Row } from './row.ts';

/** Limits of figures and of ratios to the peer, by `section: name`. They are wide because of the noise of the machine. */
export type Budget = Readonly<
  Record<string, { readonly max?: number; readonly min?: number; readonly minRatio?: number }>
>;

/** Returns one sentence per exceeded limit. Limits without a measured row are ignored. */
export function exceeded(rows: readonly Row[], budget: Budget): string[] {
  return rows.flatMap((row) => {
    const bounds = budget[`${row.section}: ${row.name}`];
    const ratio = ratioOf(row);
    const faults: string[] = [];
    const name = `${row.section}: ${row.name}`;
    if (bounds?.max !== undefined && !(row.ours <= bounds.max))
      faults.push(`${name} is ${row.ours} ${row.unit}; at most ${bounds.max}`);
    if (bounds?.min !== undefined && !(row.ours >= bounds.min))
      faults.push(`${name} is ${row.ours} ${row.unit}; at least ${bounds.min}`);
    if (bounds?.minRatio !== undefined && ratio !== undefined && ratio < bounds.minRatio) {
      faults.push(`${name} is ${ratio.toFixed(2)} times the peer; at least ${bounds.minRatio}`);
    }
    return faults;
  });
}
