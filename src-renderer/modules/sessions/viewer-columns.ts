import type { SessionOrder } from '../../../src-preload/contract/session-calls.ts';
import type { TableColumn } from '../../ui/use-table-columns.ts';
import { TEXTS } from './texts.ts';

/** Widths of the columns of the table of viewers: of a large window, of one of up to 1100 px, and of a phone. */
export const VIEWER_COLUMNS = [
  { column: 'who', sizes: ['minmax(9rem, 1.3fr)', 'minmax(8rem, 1.3fr)', 'minmax(6rem, 1.3fr)'], isFixed: true },
  { column: 'stream', sizes: ['minmax(7rem, 1fr)', 'minmax(6rem, 1fr)', 'minmax(4rem, 1fr)'] },
  { column: 'protocol', sizes: ['8rem', '8rem', null] },
  { column: 'since', sizes: ['5.5rem', null, null] },
  { column: 'lasts', sizes: ['7rem', '7rem', null] },
  { column: 'bytes', sizes: ['7rem', '7rem', null] },
  { column: 'player', sizes: ['minmax(6rem, 1.4fr)', null, null] },
] as const satisfies readonly TableColumn[];
/** A column of the table. */
export type ViewerColumn = (typeof VIEWER_COLUMNS)[number]['column'];

/** What each column sorts by; `isUp`: what is smallest is greatest in the order of the server. */
export const VIEWER_ORDERS: { readonly [C in ViewerColumn]: { readonly by: SessionOrder; readonly isUp?: boolean } } = {
  who: { by: 'viewer' },
  stream: { by: 'name' },
  protocol: { by: 'proto' },
  since: { by: 'opened' },
  lasts: { by: 'opened', isUp: true },
  bytes: { by: 'bytes' },
  player: { by: 'player' },
};

/** How the table is ordered. */
export interface ViewerOrder {
  readonly column: ViewerColumn;
  readonly isDown: boolean;
}

/** What stands in an address: the name of a column, with a minus for the greatest first. The newest come first without one. */
export function readViewerOrder(text: string): ViewerOrder {
  const column = VIEWER_COLUMNS.map((one) => one.column).find((one) => one === text.replace(/^-/, ''));
  return column ? { column, isDown: text.startsWith('-') } : { column: 'since', isDown: true };
}

/** The head of a column. */
export function viewerHead(column: ViewerColumn): string {
  return column === 'who' ? TEXTS.viewer : TEXTS[column];
}
