/** The words of the page of breaks, in German. */
export const DE = {
  title: 'Werbeblöcke',
  starts: 'Beginn',
  stream: 'Stream',
  state: 'Zustand',
  length: 'Länge',
  shown: 'Gezeigt',
  marks: 'Marken',
  viewers: (viewers: number, clips: number) =>
    clips === 0 ? 'nichts' : `${clips} ${clips === 1 ? 'Clip' : 'Clips'}, ${viewers} Zuschauer`,
  loading: 'Warten auf den Server',
  none: 'Noch kein Stream hat einen Werbeblock markiert',
  noneHelp:
    'Werbeblöcke entstehen aus Splice-Punkten (SCTE-35) der Eingänge. Das Testbild hat sie mit splice=30 in der Adresse, alle 30 s einen.',
  clips: 'Was Zuschauer sahen, und was ausgelassen wurde',
  clipsOf: (media: string, time: string) => `Clips im Werbeblock von ${media} um ${time}`,
  noClips: 'Kein Zuschauer sah einen Clip',
  all: 'Die aller Werbeblöcke zeigen',
  clip: 'Clip',
  calledBy: 'Ausgelöst durch',
  session: 'Sitzung',
  seconds: 'Länge, s',
  delay: 'Beginnt in, s',
  takeBack: 'Zurücknehmen',
  result: 'Ergebnis',
  watch: 'Mit Werbung ansehen',
  watchHelp:
    'Öffnet die Seite des Players, wie Zuschauer sie haben: Das Backend des Streams wird gefragt, und seine Clips laufen.',
  markEvent: (id: number) => `Ereignis ${id}`,
  markAt: (time: string) => `für ${time}`,
  markLasts: (seconds: number) => `dauert ${seconds} s`,
  markNeedsReturn: 'kehrt nicht von selbst zurück',
  markSaid: (time: string) => `angesagt um ${time}`,
  section: 'Section',
  wholeBreak: 'der ganze Werbeblock',
  shownFor: (seconds: number) => `gezeigt, ${seconds} s`,
  leftOut: (reason: string) => `ausgelassen: ${reason}`,
  why: 'Warum?',
  whyTitle: (session: string) => `Was die Sitzung ${session} sah, und warum`,
  asking: 'Der Server wird gefragt',
  answer: 'Antwort des Backends',
  faults: 'Fehler in der Antwort',
  notes: 'Anders gemacht, als die Antwort verlangt',
  ready: 'passt zum Stream',
  planned: 'Geplant und gesendet',
  plannedLine: (sent: number, planned: number) => `${sent} von ${planned} Segmenten gesendet`,
  left: 'Ausgelassen',
  leftNone: 'Nichts wurde ausgelassen',
  differs: (field: string, clip: string, stream: string) => `${field}: der Clip hat ${clip}, der Stream ${stream}`,
  startBreak: 'Werbeblock beginnen',
  endBreak: 'Beenden',
  noneOnAir: (name: string) => `Kein Werbeblock von ${name} läuft. Das Ende wurde trotzdem markiert.`,
  openEnd: 'bis sein Ende markiert wird',
};

/** States of a break in German. */
export const STATE_WORDS_DE = {
  announced: 'Angekündigt',
  running: 'Auf Sendung',
  ended: 'Vorbei',
  taken_back: 'Zurückgenommen',
};

/** What called for a clip, in German. */
export const CALL_WORDS_DE = {
  preroll: 'Beginn der Sitzung',
  splicing: 'Splice-Punkt',
  interval: 'Intervall',
};

/** Why a clip or a break was left out, in German. */
export const REASON_WORDS_DE = {
  clip_not_found: 'Datei fehlt',
  clip_unusable: 'Datei nicht verwendbar',
  clip_differs: 'weicht vom Stream ab',
  clip_not_ready: 'nicht rechtzeitig gelesen',
  break_without_clips: 'kein Clip davon kann gezeigt werden',
  viewer_absent: 'Zuschauer war weg',
};
