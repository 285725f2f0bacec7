/** German texts of the log. */
export const DE = {
  title: 'Protokoll',
  level: 'Mindeststufe',
  group: 'Art',
  allGroups: 'Alle Arten',
  media: 'Stream',
  text: 'Text',
  from: 'Von',
  to: 'Bis',
  startsAt: (time: string) => `Das Protokoll beginnt um ${time}.`,
  csv: 'CSV',
  csvTitle: 'Die Ereignisse auf dieser Seite als CSV-Datei speichern',
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  resumeNew: (count: number) => (count === 0 ? 'Fortsetzen' : `Fortsetzen (${count} neue)`),
  skipped: (count: number) => `${count} übersprungen, weil zu viele auf einmal kamen`,
  loading: 'Protokoll wird geladen',
  nothing: 'Noch keine Ereignisse',
  nothingFits: (count: number) => `Keines von ${count} Ereignissen passt zum Filter`,
  showAll: 'Alle zeigen',
  levelOf: 'Stufe',
  time: 'Zeit',
  message: 'Meldung',
  close: 'Details schließen',
  inArchive: 'Im Archiv zeigen',
  onWall: 'Auf der Wand zeigen',
  onlyStream: 'Nur dieser Stream',
  copy: 'Als JSON kopieren',
  copied: 'Ereignis in die Zwischenablage kopiert',
  notCopied: 'Der Browser erlaubt kein Kopieren in die Zwischenablage',
  onlyWords: 'Nur Ereignisse dieser Art',
};

/** Levels in German. */
export const LEVEL_LABELS_DE = {
  debug: 'Debug',
  info: 'Info',
  notice: 'Hinweis',
  warn: 'Warnung',
  error: 'Fehler',
  alert: 'Alarm',
};

/** Groups of events in German. */
export const GROUP_LABELS_DE = {
  server: 'Server',
  streams: 'Streams',
  inputs: 'Eingänge',
  publishers: 'Encoder',
  sessions: 'Sitzungen',
  advertisements: 'Werbung',
  pushes: 'Weiterleitungen',
  configuration: 'Konfiguration',
  archive: 'Archiv',
  alarms: 'Alarme',
  api_calls: 'API-Aufrufe',
  event_delivery: 'Zustellung von Ereignissen',
};
