/** The words of the log, in German. */
export const DE = {
  title: 'Protokoll',
  level: 'Mindestens',
  group: 'Art',
  allGroups: 'Alle Arten',
  media: 'Stream',
  text: 'Text',
  pause: 'Anhalten',
  resume: 'Weiter',
  resumeNew: (count: number) => (count === 0 ? 'Weiter' : `Weiter (${count} neue)`),
  skipped: (count: number) => `${count} ausgelassen, weil zu viele auf einmal kamen`,
  loading: 'Warten auf das Protokoll',
  nothing: 'Noch ist nichts geschehen',
  nothingFits: (count: number) => `Keines von ${count} Ereignissen passt zum Filter`,
  showAll: 'Alle zeigen',
  levelOf: 'Stufe',
  time: 'Zeit',
  kind: 'Ereignis',
  says: 'Was es sagt',
  close: 'Einzelheiten schließen',
  inArchive: 'Im Archiv zeigen',
  onWall: 'Auf der Wand zeigen',
  onlyStream: 'Nur dieser Stream',
  copy: 'Als JSON kopieren',
  copied: 'Das Ereignis ist in der Zwischenablage',
  notCopied: 'Dieser Browser lässt die Zwischenablage nicht zu',
  onlyWords: 'Nur Ereignisse dieser Art',
};

/** Levels in German. */
export const LEVEL_WORDS_DE = {
  debug: 'Fehlersuche',
  info: 'Information',
  notice: 'Hinweis',
  warn: 'Warnung',
  error: 'Fehler',
  alert: 'Alarm',
};

/** Groups of events in German. */
export const GROUP_WORDS_DE = {
  Server: 'Server',
  Streams: 'Streams',
  Inputs: 'Eingänge',
  Publishers: 'Encoder',
  Sessions: 'Sitzungen',
  Advertisements: 'Werbung',
  Pushes: 'Weitergaben',
  Configuration: 'Konfiguration',
  Archive: 'Archiv',
  Alarms: 'Alarme',
  'API calls': 'Aufrufe der API',
  'Delivery of events': 'Zustellung von Ereignissen',
};
