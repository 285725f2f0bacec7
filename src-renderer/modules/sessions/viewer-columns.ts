import type { SessionOrder } from '../../../src-preload/contract/operations/session-calls.ts';
import type { TableColumn } from '../../ui/use-table-columns.ts';
import { TEXTS } from './texts.ts';

/** Column widths of the viewer table: in a large window, up to 1100 px, and on a phone. */
export const VIEWER_COLUMNS = [
  { column: 'who', sizes: ['minmax(9rem, 1.3fr)', 'minmax(8rem, 1.3fr)', 'minmax(6rem, 1.3fr)'], isFixed: true },
  { column: 'stream', sizes: ['minmax(7rem, 1fr)', 'minmax(6rem, 1fr)', 'minmax(4rem, 1fr)'] },
  { column: 'protocol', sizes: ['8rem', '8rem', null] },
  { column: 'since', sizes: ['5.5rem', null, null] },
  { column: 'duration', sizes: ['7rem', '7rem', null] },
  { column: 'bytes', sizes: ['7rem', '7rem', null] },
  { column: 'player', sizes: ['minmax(6rem, 1.4fr)', null, null] },
] as const satisfies readonly TableColumn[];
/** Column of the table. */
export type ViewerColumn = (typeof VIEWER_COLUMNS)[number]['column'];

/** Sort key of each column; `isReversed` if the server sorts this key in the opposite direction. */
export const VIEWER_ORDERS: {
  readonly [C in ViewerColumn]: { readonly by: SessionOrder; readonly isReversed?: boolean };
} = {
  who: { by: 'viewer' },
  stream: { by: 'name' },
  protocol: { by: 'proto' },
  since: { by: 'opened' },
  duration: { by: 'opened', isReversed: true },
  bytes: { by: 'bytes' },
  player: { by: 'player' },
};

/** Sort order of the table. */
export interface ViewerOrder {
  readonly column: ViewerColumn;
  readonly isDescending: boolean;
}

/** Reads a sort order from a URL: the name of a column, with a minus for descending order. Default: newest first. */
export function readViewerOrder(text: string): ViewerOrder {
  const column = VIEWER_COLUMNS.map((one) => one.column).find((one) => one === text.replace(/^-/, ''));
  return column ? { column, isDescending: text.startsWith('-') } : { column: 'since', isDescending: true };
}

/** Heading of a column. */
export function viewerHeading(column: ViewerColumn): string {
  return column === 'who' ? TEXTS.viewer : TEXTS[column];
}
