import type { TableColumn } from '../../ui/use-table-columns.ts';
import { TEXTS } from './texts.ts';

/** Widths of the columns of the table of viewers: of a large window, of one of up to 1100 px, and of a phone. */
export const VIEWER_COLUMNS = [
  { column: 'who', sizes: ['minmax(9rem, 1.3fr)', 'minmax(8rem, 1.3fr)', 'minmax(6rem, 1.3fr)'], isFixed: true },
  { column: 'stream', sizes: ['minmax(7rem, 1fr)', 'minmax(6rem, 1fr)', 'minmax(4rem, 1fr)'] },
  { column: 'protocol', sizes: ['8rem', '8rem', null] },
  { column: 'since', sizes: ['5.5rem', null, null] },
  { column: 'lasts', sizes: ['7rem', '7rem', '4.5rem'] },
  { column: 'bytes', sizes: ['6rem', '6rem', null] },
  { column: 'player', sizes: ['minmax(6rem, 1.4fr)', null, null] },
] as const satisfies readonly TableColumn[];
/** A column of the table. */
export type ViewerColumn = (typeof VIEWER_COLUMNS)[number]['column'];

/** The head of a column. */
export function viewerHead(column: ViewerColumn): string {
  return column === 'who' ? TEXTS.viewer : TEXTS[column];
}
