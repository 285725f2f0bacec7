import type { TableColumn } from '../../ui/use-table-columns.ts';
import type { Column } from './stream-rows.ts';

const column = (name: Column | 'picture', ...sizes: readonly (string | null)[]): TableColumn => ({
  column: name,
  sizes,
});

/** Column widths of the stream table, from the widest layout to the narrowest; `stream-table.css` defines the layouts. */
export const STREAM_COLUMNS: readonly TableColumn[] = [
  column('picture', '5.1rem', '5.1rem', '5.1rem', '4.4rem'),
  {
    ...column('name', 'minmax(9rem, 1.4fr)', 'minmax(7rem, 1fr)', 'minmax(7rem, 1fr)', 'minmax(5rem, 1fr)'),
    isFixed: true,
  },
  column('condition', 'minmax(11.5rem, 15.5rem)', 'minmax(10rem, 15rem)', 'minmax(9rem, 15rem)', '8.6rem'),
  column('input', 'minmax(6rem, 1.6fr)', null, null, null),
  column('format', 'minmax(7rem, 13.5rem)', 'minmax(8rem, 11rem)', null, null),
  column('bitrate', '7rem', '7rem', '7rem', null),
  column('fps', '5.2rem', null, null, null),
  column('viewers', '6.4rem', '6.4rem', '6.4rem', null),
  column('errors', '4.2rem', '4.2rem', '4.2rem', null),
  column('uptime', '6.5rem', '6.5rem', null, null),
];
