/** Words of version summaries, in German. */
export const SUMMARY_LABELS_DE = {
  streams: 'Streams',
  lives: 'Live-Präfixe',
  templates: 'Vorlagen',
  added: 'neu',
  removed: 'entfernt',
  changed: 'geändert',
  'order of streams': 'Reihenfolge der Streams',
  plugins: 'Plugins',
  'the first version': 'die erste Fassung',
  'nothing but spacing and comments': 'nur Abstände und Kommentare',
};
