import type { BreakState } from './break-list.ts';
import { translated } from '../../i18n/translated.ts';
import { DE, STATE_WORDS_DE, CALL_WORDS_DE, REASON_WORDS_DE } from './texts-de.ts';

/** The words of the page of breaks. */
export const TEXTS = translated(
  'breaks',
  {
    title: 'Breaks',
    starts: 'Starts',
    stream: 'Stream',
    state: 'State',
    length: 'Length',
    shown: 'Shown',
    marks: 'Marks',
    viewers: (viewers: number, clips: number) =>
      clips === 0
        ? 'nothing'
        : `${clips} ${clips === 1 ? 'clip' : 'clips'}, ${viewers} ${viewers === 1 ? 'viewer' : 'viewers'}`,
    loading: 'Waiting for the server',
    none: 'No stream has marked a break yet',
    noneHelp:
      'Breaks come from splice points (SCTE-35) in the inputs. The test picture has them with splice=30 in its address, one every 30 s.',
    clips: 'What viewers were shown, and what was left out',
    clipsOf: (media: string, time: string) => `Clips in the break of ${media} at ${time}`,
    noClips: 'No viewer was shown a clip',
    all: 'Show those of all breaks',
    clip: 'Clip',
    calledBy: 'Called for by',
    session: 'Session',
    seconds: 'Length, s',
    delay: 'Begins in, s',
    takeBack: 'Take back',
    result: 'Result',
    watch: 'Watch with advertisements',
    watchHelp:
      'Opens the page of the player as viewers have it: the backend of the stream is asked, and its clips play.',
    markEvent: (id: number) => `event ${id}`,
    markAt: (time: string) => `for ${time}`,
    markLasts: (seconds: number) => `lasts ${seconds} s`,
    markNeedsReturn: 'does not return by itself',
    markSaid: (time: string) => `said at ${time}`,
    section: 'Section',
    wholeBreak: 'the whole break',
    shownFor: (seconds: number) => `shown, ${seconds} s`,
    leftOut: (reason: string) => `left out: ${reason}`,
    why: 'Why?',
    whyTitle: (session: string) => `What session ${session} was shown, and why`,
    asking: 'Asking the server',
    answer: 'What the backend answered',
    faults: 'Wrong with the answer',
    notes: 'Done otherwise than the answer asks',
    ready: 'fits the stream',
    planned: 'Planned and sent',
    plannedLine: (sent: number, planned: number) => `${sent} of ${planned} segments sent`,
    left: 'Left out',
    leftNone: 'Nothing was left out',
    differs: (field: string, clip: string, stream: string) => `${field}: the clip has ${clip}, the stream ${stream}`,
    startBreak: 'Start a break',
    endBreak: 'End it',
    noneOnAir: (name: string) => `No break of ${name} is on air. The end was marked all the same.`,
    openEnd: 'until its end is marked',
  },
  DE,
);

/** States of a break as people say them. */
export const STATE_WORDS: Readonly<Record<BreakState, string>> = translated(
  'breakStates',
  {
    announced: 'Announced',
    running: 'On air',
    ended: 'Over',
    taken_back: 'Taken back',
  },
  STATE_WORDS_DE,
);

/** What called for a clip. */
export const CALL_WORDS: Readonly<Record<string, string>> = translated(
  'clipCalls',
  {
    preroll: 'begin of the session',
    splicing: 'splice point',
    interval: 'interval',
  },
  CALL_WORDS_DE,
);

/** Why a clip or a break was left out. */
export const REASON_WORDS: Readonly<Record<string, string>> = translated(
  'skipReasons',
  {
    clip_not_found: 'no such file',
    clip_unusable: 'the file cannot be used',
    clip_differs: 'it differs from the stream',
    clip_not_ready: 'it was not read in time',
    break_without_clips: 'no clip of it can be shown',
    viewer_absent: 'the viewer was away',
  },
  REASON_WORDS_DE,
);
