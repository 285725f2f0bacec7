import { formatFixed } from '../../../i18n/i18n.ts';

/** Heads of the columns, in German. */
export const COLUMN_WORDS_DE = {
  name: 'Stream',
  condition: 'Zustand',
  input: 'Eingang',
  format: 'Format',
  bitrate: 'Bitrate',
  fps: 'Bilder',
  viewers: 'Zuschauer',
  errors: 'Fehler',
  uptime: 'Läuft',
};

/** Conditions of a stream, in German. */
export const STATE_WORDS_DE = {
  live: 'Live',
  late: 'Verspätet',
  lost: 'Ausgefallen',
  failed: 'Gestört',
  refused: 'Abgewiesen',
  waiting: 'Wartet',
  starting: 'Startet',
  disabled: 'Abgeschaltet',
};

/** What inputs do, in German. */
export const PHASE_WORDS_DE = {
  standby: 'In Bereitschaft',
  waiting: 'Wartet auf Encoder',
  opening: 'Wird geöffnet',
  running: 'Läuft',
  silent: 'Liefert nichts',
  error: 'Gestört, wird erneut versucht',
  given_up: 'Aufgegeben',
};

/** The words of the page of streams, in German. */
export const DE = {
  title: 'Streams',
  loading: 'Warten auf die Streams',
  failed: 'Die Streams lassen sich nicht lesen',
  again: 'Erneut versuchen',
  none: 'Der Server hat keinen Stream',
  noneFits: (count: number): string => `Keiner von ${count} Streams passt`,
  showAll: 'Alle zeigen',
  search: 'Finden',
  state: 'Zustand',
  all: 'Alle',
  trouble: 'Gestört',
  count: (shown: number, all: number): string => (shown === all ? `${all}` : `${shown} von ${all}`),
  csv: 'CSV',
  csvTitle: 'Was die Tabelle zeigt, als Datei speichern',
  chooseAll: 'Alle gezeigten wählen',
  choose: (name: string): string => `${name} wählen`,
  chosen: (count: number): string => `${count} gewählt`,
  chooseNone: 'Keinen wählen',
  close: 'Schließen',
  onWall: 'Auf der Wand',
  inConfig: 'Konfiguration',
  inLog: 'Protokoll',
  sessions: 'Zuschauer',
  inputs: 'Eingänge',
  onAir: 'Auf Sendung',
  take: 'Nehmen',
  automatic: 'Wieder nach Rangfolge',
  selected: 'Ein Operator hat diesen Eingang gewählt',
  backup: 'Die Ersatzdatei ist auf Sendung',
  switches: (count: number): string => `${count} ${count === 1 ? 'Umschaltung' : 'Umschaltungen'} seit dem Start`,
  lastFrame: (ms: number): string => `letztes Bild vor ${formatFixed(ms / 1000, 1)} s`,
  tracks: 'Spuren',
  addresses: 'Adressen',
  publish: 'Für den Encoder',
  needsPassword: 'Der Encoder muss ?password=… an die Adresse hängen.',
  problems: 'Störungen',
  recorded: 'Er wird aufgezeichnet',
  recording: {
    title: 'Aufzeichnung und Marken',
    not: 'Er wird nicht aufgezeichnet',
    day: (span: string): string => `${span} der letzten 24 Stunden`,
    show: 'Im Archiv',
    marks: 'Marken des letzten Tages',
  },
  loudness: {
    title: 'Lautheit (EBU R128), Tage in UTC',
    day: 'Tag',
    shortTerm: 'Max. S',
    report: 'Bericht',
    reportOf: (day: string): string => `Bericht vom ${day}, zum Drucken`,
  },
  graphs: {
    title: 'Die letzte Stunde',
    loading: 'Warten auf die Kurven',
    none: 'In der letzten Stunde kam nichts.',
    bitrate: 'Bitrate',
    fps: 'Bilder',
    errors: 'Fehler',
    latency: 'Hinter live',
    viewers: 'Zuschauer',
  },
  times: (count: number): string => (count > 1 ? `${count}-mal` : ''),
};
