type Field = 'name' | 'phoneCountryCode' | 'phone' | 'customerNumber' | 'note' | 'packages' | 'from' | 'until';
const FIELDS: Readonly<Record<Field, string>> = {
  name: 'Name',
  phoneCountryCode: 'Landesvorwahl',
  phone: 'Telefonnummer',
  customerNumber: 'Kundennummer',
  note: 'Notiz',
  packages: 'Pakete',
  from: 'Von',
  until: 'Bis',
};
const rows = (count: number): string => `${count} ${count === 1 ? 'Zeile' : 'Zeilen'}`;

/** German names of the columns of a list in lower case. */
export const COLUMN_NAMES_DE: Readonly<Record<Field, readonly string[]>> = {
  name: ['name'],
  phoneCountryCode: ['landesvorwahl'],
  phone: ['telefonnummer', 'telefon'],
  customerNumber: ['kundennummer'],
  note: ['notiz'],
  packages: ['pakete', 'paket'],
  from: ['von', 'ab'],
  until: ['bis'],
};

/** German texts of the import of subscribers. */
export const DE = {
  title: 'Abonnenten importieren',
  help: 'Eine CSV-Datei, deren erste Zeile die Spalten nennt: Name, Landesvorwahl, Telefonnummer, Kundennummer, Notiz, Pakete, Von, Bis. Mehrere Pakete trennt |. Von und Bis (2027-01-31 oder 2027-01-31 18:00) sind der geplante Zeitraum der Pakete; ohne sie beginnen Abonnements sofort und enden nicht. Eine Zeile ändert den Abonnenten mit ihrer Kundennummer, sonst den mit ihrer Telefonnummer. Abonnenten und Pakete werden nie entfernt.',
  file: 'Datei',
  saveExample: 'Beispiel speichern',
  example:
    'Name;Landesvorwahl;Telefonnummer;Kundennummer;Notiz;Pakete;Von;Bis\r\nAna Beispiel;49;5550100;C-1001;ruft montags an;News|Sport;;2027-12-31\r\n',
  comparing: (done: number, all: number): string => `Vergleich mit dem Portal: ${done} von ${all} Zeilen`,
  writing: (done: number, all: number): string => `Schreiben: ${done} von ${all} Zeilen`,
  cancel: 'Abbrechen',
  close: 'Schließen',
  apply: (count: number): string => `${rows(count)} schreiben`,
  done: (count: number): string => `${rows(count)} geschrieben.`,
  stopped: (count: number): string =>
    `Angehalten: ${rows(count)} geschrieben. Importieren Sie die Datei noch einmal, um die übrigen zu schreiben.`,
  notWritten: (count: number): string => `${count} nicht geschrieben:`,
  line: 'Zeile',
  effect: 'Wirkung',
  name: 'Name',
  detail: 'Einzelheiten',
  kinds: { new: 'neu', changed: 'geändert', same: 'unverändert', invalid: 'ungültig' },
  moreRows: (count: number): string => `und ${count} weitere Zeilen`,
  emptyFile: 'Die Datei hat keine Zeilen.',
  tooLarge: 'Die Datei ist größer als 20 MB. Teilen Sie sie.',
  noHeader: 'Die erste Zeile muss die Spalten nennen, darunter Name oder Kundennummer.',
  duplicateColumn: (field: Field): string => `Die Spalte ${FIELDS[field]} kommt zweimal vor.`,
  tooManyCells: 'Die Zeile hat mehr Felder als die erste Zeile.',
  noName: 'Der Name fehlt.',
  tooLong: (field: Field): string => `${FIELDS[field]} ist zu lang.`,
  notDigits: (value: string): string => `„${value}“ hat Zeichen, die keine Ziffern sind.`,
  controlCharacters: (field: Field): string => `${FIELDS[field]} hat mehr als eine Zeile.`,
  repeated: (line: number): string => `Zeile ${line} hat dieselbe Nummer.`,
  unknownPackages: (names: readonly string[]): string => `Kein solches Paket: ${names.join(', ')}`,
  phoneOf: (name: string): string => `${name} hat diese Telefonnummer.`,
  change: (field: Field, before: string, after: string): string =>
    `${FIELDS[field]}: ${before || '–'} → ${after || '–'}`,
  attach: (names: readonly string[], period: string): string =>
    `fügt ${[names.join(', '), period].join(' ').trim()} hinzu`,
  period: (from: string, until: string): string =>
    [from && `ab ${from}`, until && `bis ${until}`].filter((part) => part !== '').join(' '),
  wrongTime: (value: string): string => `„${value}“ ist kein Datum wie 2027-01-31 oder 2027-01-31 18:00.`,
  wrongPeriod: 'Bis muss nach Von und in der Zukunft liegen.',
  noPackages: 'Von und Bis brauchen ein Paket.',
};

/** German labels of the filters of the preview. */
export const KIND_LABELS_DE = {
  invalid: (count: number): string => `${count} ungültig`,
  new: (count: number): string => `${count} neu`,
  changed: (count: number): string => `${count} geändert`,
  same: (count: number): string => `${count} unverändert`,
};
