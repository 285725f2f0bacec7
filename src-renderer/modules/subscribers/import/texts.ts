import { translated } from '../../../i18n/translated.ts';
import { DE, KIND_LABELS_DE } from './texts-de.ts';

type Field = 'name' | 'phoneCountryCode' | 'phone' | 'customerNumber' | 'note' | 'packages' | 'from' | 'until';
const FIELDS: Readonly<Record<Field, string>> = {
  name: 'Name',
  phoneCountryCode: 'Country code',
  phone: 'Phone number',
  customerNumber: 'Customer number',
  note: 'Note',
  packages: 'Packages',
  from: 'From',
  until: 'Until',
};

/** Names of the columns of a list in lower case. Lists in all languages are accepted, whatever the language of the desk. */
export const COLUMN_NAMES: Readonly<Record<Field, readonly string[]>> = {
  name: ['name'],
  phoneCountryCode: ['country code', 'phonecountrycode'],
  phone: ['phone number', 'phone'],
  customerNumber: ['customer number', 'customernumber'],
  note: ['note'],
  packages: ['packages', 'package'],
  from: ['from', 'startsat'],
  until: ['until', 'endsat'],
};

/** Texts of the import of subscribers. */
export const TEXTS = translated(
  'subscriberImport',
  {
    title: 'Import subscribers',
    help: 'A CSV file with a header line: Name, Country code, Phone number, Customer number, Note, Packages, From, Until. Several packages are separated by |. From and Until (2027-01-31, or 2027-01-31 18:00) are the planned period of the packages; without them, subscriptions start at once and have no end. A row changes the subscriber with its customer number, otherwise the one with its phone number. Subscribers and packages are never removed.',
    file: 'File',
    saveExample: 'Save an example',
    example:
      'Name,Country code,Phone number,Customer number,Note,Packages,From,Until\r\nAna Example,44,5550100,C-1001,calls on Mondays,News|Sport,,2027-12-31\r\n',
    comparing: (done: number, all: number): string => `Comparing with the portal: ${done} of ${all} rows`,
    writing: (done: number, all: number): string => `Writing: ${done} of ${all} rows`,
    cancel: 'Cancel',
    close: 'Close',
    apply: (count: number): string => `Write ${count} ${count === 1 ? 'row' : 'rows'}`,
    done: (count: number): string => `${count} ${count === 1 ? 'row' : 'rows'} written.`,
    stopped: (count: number): string =>
      `Stopped: ${count} ${count === 1 ? 'row' : 'rows'} written. Import the file again to write the others.`,
    notWritten: (count: number): string => `${count} not written:`,
    line: 'Line',
    effect: 'Effect',
    name: 'Name',
    detail: 'Details',
    kinds: { new: 'new', changed: 'changed', same: 'unchanged', invalid: 'invalid' },
    moreRows: (count: number): string => `and ${count} more rows`,
    emptyFile: 'The file has no rows.',
    tooLarge: 'The file is larger than 20 MB. Split it.',
    noHeader: 'The first line must name the columns, with Name or Customer number among them.',
    duplicateColumn: (field: Field): string => `The column ${FIELDS[field]} occurs twice.`,
    tooManyCells: 'The row has more cells than the header.',
    noName: 'The name is missing.',
    tooLong: (field: Field): string => `${FIELDS[field]} is too long.`,
    notDigits: (value: string): string => `“${value}” has characters that are not digits.`,
    controlCharacters: (field: Field): string => `${FIELDS[field]} has more than one line.`,
    repeated: (line: number): string => `Line ${line} has the same number.`,
    unknownPackages: (names: readonly string[]): string => `No such package: ${names.join(', ')}`,
    phoneOf: (name: string): string => `${name} has this phone number.`,
    change: (field: Field, before: string, after: string): string =>
      `${FIELDS[field]}: ${before || '–'} → ${after || '–'}`,
    attach: (names: readonly string[], period: string): string => `adds ${[names.join(', '), period].join(' ').trim()}`,
    period: (from: string, until: string): string =>
      [from && `from ${from}`, until && `until ${until}`].filter((part) => part !== '').join(' '),
    wrongTime: (value: string): string => `“${value}” is no date such as 2027-01-31 or 2027-01-31 18:00.`,
    wrongPeriod: 'Until must be after From, and in the future.',
    noPackages: 'From and Until need a package.',
  },
  DE,
);

/** Filters of the preview. */
export const KIND_LABELS = translated(
  'subscriberImportKinds',
  {
    invalid: (count: number): string => `${count} invalid`,
    new: (count: number): string => `${count} new`,
    changed: (count: number): string => `${count} changed`,
    same: (count: number): string => `${count} unchanged`,
  },
  KIND_LABELS_DE,
);
