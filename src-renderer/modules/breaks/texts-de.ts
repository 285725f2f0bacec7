import { formatFixed } from '../../i18n/i18n.ts';

/** German texts of the breaks page. */
export const DE = {
  starts: 'Beginn',
  stream: 'Stream',
  state: 'Zustand',
  length: 'Länge',
  sentClips: 'Gesendet',
  marks: 'Marken',
  sentIn: (clips: number, inPart: number, viewers: number) =>
    clips === 0
      ? 'nichts'
      : `${clips} ${clips === 1 ? 'Clip' : 'Clips'}${inPart === 0 ? '' : `, ${inPart} teilweise`}, ${viewers} Zuschauer`,
  loading: 'Werbeblöcke werden geladen',
  none: 'Noch keine Werbeblöcke',
  noneHelp:
    'Werbeblöcke entstehen aus Splice-Punkten (SCTE-35) der Eingänge. Zum Ausprobieren fügen Sie splice=30 in die Adresse eines Testbilds ein: alle 30 s ein Werbeblock.',
  clips: 'Gesendete und ausgelassene Clips',
  clipsOf: (media: string, time: string) => `Clips im Werbeblock von ${media} um ${time}`,
  noClips: 'Kein Clip wurde gesendet',
  all: 'Alle Werbeblöcke zeigen',
  clip: 'Clip',
  triggeredBy: 'Ausgelöst durch',
  session: 'Sitzung',
  seconds: 'Länge, s',
  delay: 'Beginnt in, s',
  cancelBreak: 'Absagen',
  result: 'Ergebnis',
  watch: 'Mit Werbung ansehen',
  watchHelp:
    'Öffnet die Player-Seite, wie Zuschauer sie sehen: Der Server fragt das Backend des Streams nach Clips und fügt sie ein.',
  markEvent: (id: number) => `Ereignis ${id}`,
  markAt: (time: string) => `für ${time}`,
  markLasts: (seconds: number) => `dauert ${seconds} s`,
  markNeedsReturn: 'endet erst mit einer Marke',
  announcedAt: (time: string) => `angekündigt um ${time}`,
  section: 'Section',
  wholeBreak: 'der ganze Werbeblock',
  sent: (percent: number | null, seconds: number, sentS: number | null) => {
    if (sentS !== null && sentS < seconds) return `${formatFixed(sentS, 1)} s von ${seconds} s gesendet`;
    if (sentS !== null) return `ganz gesendet, ${seconds} s`;
    if (percent === null) return `gesendet, ${seconds} s; Anteil unbekannt`;
    if (percent === 100) return `ganz gesendet, ${seconds} s`;
    return percent === 0
      ? `weniger als 25 % von ${seconds} s gesendet`
      : `mindestens ${percent} % von ${seconds} s gesendet`;
  },
  skipped: (reason: string) => `ausgelassen: ${reason}`,
  why: 'Warum?',
  whyTitle: (session: string) => `Clips der Sitzung ${session} und die Gründe`,
  loadingExplanation: 'Lädt',
  answer: 'Antwort des Backends',
  faults: 'Fehler in der Antwort',
  notes: 'Abweichungen von der Antwort',
  ready: 'passt zum Stream',
  planned: 'Geplant und gesendet',
  plannedLine: (sent: number, planned: number) => `${sent} von ${planned} Segmenten gesendet`,
  skippedClips: 'Ausgelassen',
  noneSkipped: 'Nichts wurde ausgelassen',
  differs: (field: string, clip: string, stream: string) => `${field}: der Clip hat ${clip}, der Stream ${stream}`,
  startBreak: 'Werbeblock starten',
  endBreak: 'Werbeblock beenden',
  noneOnAir: (name: string) => `${name} hat keinen laufenden Werbeblock. Das Ende wurde trotzdem markiert.`,
  openEnd: 'bis sein Ende markiert wird',
  breaks: 'Werbeblöcke',
  anyStream: 'Alle',
  asRun: 'Sendeprotokoll',
  user: 'Benutzer',
  from: 'Von',
  to: 'Bis',
  refresh: 'Neu laden',
  signedExport: 'Signierter Export',
  exportHelp: 'Alle Zeilen, die zum Filter passen. Die letzte Zeile ist die Signatur; der Schlüssel prüft sie.',
  key: 'Schlüssel',
  noRows: 'Kein Clip passt',
  shownOf: (shown: number, all: number): string =>
    `${shown} von ${all >= 100_000 ? 'mehr als 100 000' : all} gesendeten Clips.`,
  sums: (complete: number, sentS: number, clipS: number): string =>
    `In dieser Liste: ${complete} ganz gesendet; ${formatFixed(sentS, 0)} s von ${formatFixed(clipS, 0)} s gesendet (${clipS > 0 ? Math.round((100 * sentS) / clipS) : 0} %).`,
  sentAt: 'Gesendet um',
  sentOf: 'Gesendet',
  secondsOf: (sent: number, length: number): string => `${formatFixed(sent, 1)} von ${formatFixed(length, 1)} s`,
  viewer: 'Zuschauer',
  older: 'Ältere zeigen',
  fill: 'Gefüllt',
  fillHelp:
    'Teil des Werbeblocks, den Clips gefüllt haben, im Durchschnitt seiner Zuschauer. Ohne Zugriff auf das Sendeprotokoll zählt die gesendete Zeit in Vierteln eines Clips.',
  percent: (share: number | null): string => (share === null ? '–' : `${Math.round(100 * share)} %`),
};

/** States of a break in German. */
export const STATE_LABELS_DE = {
  announced: 'Angekündigt',
  running: 'Auf Sendung',
  ended: 'Beendet',
  cancelled: 'Abgesagt',
};

/** Causes of a clip, in German. */
export const TRIGGER_LABELS_DE = {
  preroll: 'Beginn der Sitzung',
  splicing: 'Splice-Punkt',
  interval: 'Intervall',
};

/** Reasons for skipped clips and breaks, in German. */
export const REASON_LABELS_DE = {
  clip_not_found: 'Datei nicht gefunden',
  clip_unusable: 'Datei nicht verwendbar',
  clip_differs: 'passt nicht zum Stream',
  clip_not_ready: 'nicht rechtzeitig bereit',
  break_without_clips: 'keiner seiner Clips lässt sich zeigen',
  viewer_absent: 'Zuschauer war weg',
};
