/** German texts of the shared components. */
export const DE = {
  optional: 'optional',
  cancel: 'Abbrechen',
  close: 'Schließen',
  closeTitle: 'Schließen (Escape)',
  dismiss: 'Ausblenden',
  copy: 'Kopieren',
  copyOf: (what: string): string => `${what} kopieren`,
  copied: 'Kopiert',
  copyByHand: 'Von Hand kopieren',
  codeOf: (what: string): string => `QR-Code von ${what}`,
  columns: 'Spalten',
  columnsTitle: 'Spalten auswählen',
  allColumns: 'Alle zeigen',
  widthOf: (column: string): string => `Breite von ${column}`,
  widthHint: 'Ziehen ändert die Breite, Doppelklick setzt sie zurück',
  tooLongForCode: 'Die Adresse ist zu lang für einen QR-Code. Kopieren Sie sie.',
};
