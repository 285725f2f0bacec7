import { isMet, ratioOf, type Row, type Spread } from './row.ts';

const HEAD = ['figure', 'unit', 'ours', 'peer', 'ratio', 'target', ''] as const;

/** The rows as a text table, section by section. */
export function printTable(rows: readonly Row[]): string {
  const lines = rows.map((row) => [
    `${row.section}: ${row.name}`,
    row.unit,
    shownFigure(row.ours, row.spread),
    row.peer === undefined ? '-' : shownFigure(row.peer, row.peerSpread),
    shownRatio(row),
    shownTarget(row),
    [{ true: 'met', false: 'MISSED', undefined: '' }[`${isMet(row)}`], row.note ?? ''].filter(Boolean).join(', '),
  ]);
  const all = [[...HEAD], ...lines];
  const widths = HEAD.map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0)));
  return all
    .map((line) =>
      line
        .map((cell, column) => pad(cell, widths[column] ?? 0, column >= 2 && column <= 4))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function shownRatio(row: Row): string {
  const ratio = ratioOf(row);
  return ratio === undefined ? '-' : `${ratio.toFixed(2)}x`;
}

function shownTarget(row: Row): string {
  if (row.target === undefined) return '';
  const sign = row.better === 'lower' ? '<=' : '>=';
  if (typeof row.target === 'object') return `${sign} ${row.target.ofPeer} x peer`;
  return `${sign} ${row.target === 'peer' ? 'peer' : shown(row.target)}`;
}

/** Figure with the minimum and the maximum of its rounds. */
function shownFigure(value: number, spread: Spread | undefined): string {
  return spread ? `${shown(value)} (${shown(spread[0])} … ${shown(spread[1])})` : shown(value);
}

/** Three significant digits. */
function shown(value: number): string {
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toString();
  return size >= 100
    ? value.toFixed(0)
    : size >= 10
      ? value.toFixed(1)
      : size >= 1
        ? value.toFixed(2)
        : value.toFixed(3);
}

function pad(text: string, width: number, isRight: boolean): string {
  return isRight ? text.padStart(width) : text.padEnd(width);
}
