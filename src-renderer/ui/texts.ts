import { translated } from '../i18n/translated.ts';
import { DE } from './texts-de.ts';

/** Texts of the shared components. */
export const TEXTS = translated(
  'ui',
  {
    optional: 'optional',
    show: 'Show',
    cancel: 'Cancel',
    undo: 'Undo',
    close: 'Close',
    closeTitle: 'Close (Escape)',
    dismiss: 'Dismiss',
    copy: 'Copy',
    copyOf: (what: string): string => `Copy ${what}`,
    copied: 'Copied',
    copyByHand: 'Copy it by hand',
    codeOf: (what: string): string => `QR code of ${what}`,
    columns: 'Columns',
    columnsTitle: 'Choose the columns to show',
    allColumns: 'Show all',
    widthOf: (column: string): string => `Width of ${column}`,
    widthHint: 'Drag to resize, double-click to reset',
    calendar: 'Choose in a calendar',
    dayForm: 'yyyy-mm-dd',
    timeForm: 'yyyy-mm-dd hh:mm',
    wrongTime: (form: string): string => `Write it as ${form}`,
    tooLongForCode: 'The address is too long for a QR code. Copy it.',
  },
  DE,
);
