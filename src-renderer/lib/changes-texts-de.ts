/** Texts of summaries of versions, in German. */
export const CHANGE_TEXTS_DE = {
  kinds: {
    first: 'die erste Version',
    saved: 'in die Datei geschrieben',
    formatting: 'nur Abstände und Kommentare',
  },
  collections: { streams: 'Streams', lives: 'Live-Präfixe', templates: 'Vorlagen' },
  added: (names: string): string => `${names} neu`,
  removed: (names: string): string => `${names} entfernt`,
  changed: (names: string): string => `${names} geändert`,
  reordered: 'Reihenfolge der Streams',
};
