import { ratioOf, type Row } from './row.ts';

/** Limits of figures, by `section: name`. They are wide, so that noise of the machine does not exceed them. */
export type Budget = Readonly<
  Record<string, { readonly most?: number; readonly least?: number; readonly leastRatio?: number }>
>;

/** One sentence per row outside its limits. Limits without a measured row are ignored. */
export function exceeded(rows: readonly Row[], budget: Budget): string[] {
  return rows.flatMap((row) => {
    const bounds = budget[`${row.section}: ${row.name}`];
    const ratio = ratioOf(row);
    const faults: string[] = [];
    const name = `${row.section}: ${row.name}`;
    if (bounds?.most !== undefined && !(row.ours <= bounds.most))
      faults.push(`${name} is ${row.ours} ${row.unit}; at most ${bounds.most}`);
    if (bounds?.least !== undefined && !(row.ours >= bounds.least))
      faults.push(`${name} is ${row.ours} ${row.unit}; at least ${bounds.least}`);
    if (bounds?.leastRatio !== undefined && ratio !== undefined && ratio < bounds.leastRatio) {
      faults.push(`${name} is ${ratio.toFixed(2)} times the peer; at least ${bounds.leastRatio}`);
    }
    return faults;
  });
}
