import { readTypedTime } from '../../../ui/time/typed-time.ts';
import { readCsv } from './csv-table.ts';
import { COLUMN_NAMES_DE } from './texts-de.ts';
import { COLUMN_NAMES, TEXTS } from './texts.ts';

type Column = keyof typeof COLUMN_NAMES;
const MAX_LENGTHS: Readonly<Record<Column, number>> = {
  name: 200,
  phoneCountryCode: 4,
  phone: 20,
  customerNumber: 100,
  note: 2000,
  packages: 100_000,
  from: 40,
  until: 40,
};

/** Fields that a list may set. */
export type ImportField = Exclude<Column, 'packages' | 'from' | 'until'>;

/** A row of a list. */
export interface ImportRow {
  readonly line: number;
  /** Fields of the columns that the list has. */
  readonly fields: Readonly<Partial<Record<ImportField, string>>>;
  /** Names of packages. */
  readonly packages: readonly string[];
  /** Planned period of the packages, in local time as typed; empty for none. */
  readonly period: Readonly<Record<'from' | 'until', string>>;
  /** Reason why the row cannot be used; empty if it can be used. */
  readonly fault: string;
}

/**
 * Reads a list of subscribers with a header line. Packages of a row are separated by `|`. A leading apostrophe of a cell, which
 * exports write before signs, is dropped.
 *
 * @returns rows, or a message about the whole list
 */
export function readImport(text: string): readonly ImportRow[] | string {
  const [header, ...rows] = readCsv(text);
  if (!header) return TEXTS.emptyFile;
  const columns = header.cells.map((cell) => columnOf(cell));
  if (!columns.includes('name') && !columns.includes('customerNumber')) return TEXTS.noHeader;
  const duplicate = columns.find((column, at) => column && columns.indexOf(column) !== at);
  if (duplicate) return TEXTS.duplicateColumn(duplicate);
  const seen = new Map<string, number>();
  return rows.map(({ line, cells }): ImportRow => {
    const fields: Partial<Record<ImportField, string>> = {};
    let packages: readonly string[] = [];
    const period = { from: '', until: '' };
    for (const [at, column] of columns.entries()) {
      const value = (cells[at] ?? '').replace(/^'(?=[=+\-@])/, '');
      if (column === 'packages') packages = value.split('|').flatMap((name) => name.trim() || []);
      else if (column === 'from' || column === 'until') period[column] = value.trim();
      else if (column) fields[column] = column.startsWith('phone') ? digitsOf(value, column) : value;
    }
    const fault = faultOf(fields, cells.length > columns.length) || periodFault(period, packages);
    return { line, fields, packages, period, fault: fault === '' ? repeatedIn(seen, fields, line) : fault };
  });
}

function columnOf(cell: string): Column | undefined {
  const name = cell.trim().toLowerCase();
  return (Object.keys(COLUMN_NAMES) as Column[]).find((column) =>
    [...COLUMN_NAMES[column], ...COLUMN_NAMES_DE[column]].includes(name),
  );
}

/** Returns the digits of a number without the signs between them; `+` and `00` before a country code are removed, too. */
function digitsOf(value: string, column: Column): string {
  const bare = value.replaceAll(/[\s()/.-]/g, '');
  return column === 'phoneCountryCode' ? bare.replace(/^(\+|00)/, '') : bare;
}

function faultOf(fields: ImportRow['fields'], hasExtraCells: boolean): string {
  if (hasExtraCells) return TEXTS.tooManyCells;
  if ((fields.name ?? '') === '' && (fields.customerNumber ?? '') === '') return TEXTS.noName;
  for (const [column, value] of Object.entries(fields)) {
    if (value.length > MAX_LENGTHS[column as Column]) return TEXTS.tooLong(column as Column);
    if (column.startsWith('phone') && !/^[0-9]*$/.test(value)) return TEXTS.notDigits(value);
    if (column !== 'note' && /[\u0000-\u001f\u007f]/.test(value)) return TEXTS.controlCharacters(column as Column);
  }
  return '';
}

function periodFault({ from, until }: ImportRow['period'], packages: readonly string[]): string {
  if (from === '' && until === '') return '';
  const wrong = [from, until].find((text) => text !== '' && readTypedTime(text, true) === undefined);
  if (wrong !== undefined) return TEXTS.wrongTime(wrong);
  const start = Math.max(Date.now(), from === '' ? 0 : Date.parse(localIso(from)));
  if (until !== '' && Date.parse(localIso(until)) <= start) return TEXTS.wrongPeriod;
  return packages.length === 0 ? TEXTS.noPackages : '';
}

/** Converts a typed local time, which must be valid, to a time of the API. */
export function localIso(text: string): string {
  return new Date(readTypedTime(text, true) ?? '').toISOString();
}

/** Message about a number that is already in an earlier line; empty if there is none. @param seen lines by number */
function repeatedIn(seen: Map<string, number>, fields: ImportRow['fields'], line: number): string {
  const { customerNumber = '', phone = '', phoneCountryCode = '' } = fields;
  const keys = [...(customerNumber === '' ? [] : [`c ${customerNumber}`])];
  if (phone !== '') keys.push(`p ${phoneCountryCode} ${phone}`);
  for (const key of keys) {
    const earlier = seen.get(key);
    if (earlier !== undefined) return TEXTS.repeated(earlier);
  }
  for (const key of keys) seen.set(key, line);
  return '';
}
