import type { BreakState } from './break-list.ts';
import { formatFixed } from '../../i18n/i18n.ts';
import { translated } from '../../i18n/translated.ts';
import { DE, STATE_LABELS_DE, TRIGGER_LABELS_DE, REASON_LABELS_DE } from './texts-de.ts';

/** Texts of the breaks page. */
export const TEXTS = translated(
  'breaks',
  {
    starts: 'Starts',
    stream: 'Stream',
    state: 'State',
    length: 'Length',
    sentClips: 'Sent',
    marks: 'Marks',
    sentIn: (clips: number, inPart: number, viewers: number) =>
      clips === 0
        ? 'nothing'
        : `${clips} ${clips === 1 ? 'clip' : 'clips'}${inPart === 0 ? '' : `, ${inPart} in part`}, ${viewers} ${viewers === 1 ? 'viewer' : 'viewers'}`,
    loading: 'Loading breaks',
    none: 'No breaks yet',
    noneHelp:
      'Breaks come from splice points (SCTE-35) in the inputs. To try it, add splice=30 to the address of a test picture: one break every 30 s.',
    clips: 'Clips sent and skipped',
    clipsOf: (media: string, time: string) => `Clips in the break of ${media} at ${time}`,
    noClips: 'No clip was sent',
    all: 'Show all breaks',
    clip: 'Clip',
    triggeredBy: 'Triggered by',
    session: 'Session',
    seconds: 'Length, s',
    delay: 'Starts in, s',
    cancelBreak: 'Cancel break',
    result: 'Result',
    watch: 'Watch with advertisements',
    watchHelp:
      'Opens the player page as viewers see it: the server asks the backend of the stream for clips and inserts them.',
    markEvent: (id: number) => `event ${id}`,
    markAt: (time: string) => `for ${time}`,
    markLasts: (seconds: number) => `duration ${seconds} s`,
    markNeedsReturn: 'needs a mark to end',
    announcedAt: (time: string) => `announced at ${time}`,
    section: 'Section',
    wholeBreak: 'the whole break',
    sent: (percent: number | null, seconds: number, sentS: number | null) => {
      if (sentS !== null && sentS < seconds) return `${formatFixed(sentS, 1)} s of ${seconds} s sent`;
      if (sentS !== null) return `sent in full, ${seconds} s`;
      if (percent === null) return `sent, ${seconds} s; how much is unknown`;
      if (percent === 100) return `sent in full, ${seconds} s`;
      return percent === 0 ? `less than 25 % of ${seconds} s sent` : `at least ${percent} % of ${seconds} s sent`;
    },
    skipped: (reason: string) => `skipped: ${reason}`,
    why: 'Why?',
    whyTitle: (session: string) => `Clips of session ${session} and the reasons`,
    loadingExplanation: 'Loading',
    answer: 'Backend response',
    faults: 'Errors in the response',
    notes: 'Differences from the response',
    ready: 'fits the stream',
    planned: 'Planned and sent',
    plannedLine: (sent: number, planned: number) => `${sent} of ${planned} segments sent`,
    skippedClips: 'Skipped',
    noneSkipped: 'Nothing was skipped',
    differs: (field: string, clip: string, stream: string) => `${field}: the clip has ${clip}, the stream ${stream}`,
    startBreak: 'Start a break',
    endBreak: 'End break',
    noneOnAir: (name: string) => `${name} has no break on air. The end was marked anyway.`,
    openEnd: 'until its end is marked',
    breaks: 'Breaks',
    anyStream: 'Any',
    asRun: 'As-run log',
    user: 'User',
    from: 'From',
    to: 'To',
    refresh: 'Refresh',
    signedExport: 'Signed export',
    exportHelp: 'All rows that match the filter. The last line is the signature; the key verifies it.',
    key: 'Key',
    noRows: 'No clip matches',
    shownOf: (shown: number, all: number): string =>
      `${shown} of ${all >= 100_000 ? 'more than 100 000' : all} sent clips.`,
    sums: (complete: number, sentS: number, clipS: number): string =>
      `In this list: ${complete} sent in full; ${formatFixed(sentS, 0)} s of ${formatFixed(clipS, 0)} s sent (${clipS > 0 ? Math.round((100 * sentS) / clipS) : 0} %).`,
    sentAt: 'Sent at',
    sentOf: 'Sent',
    secondsOf: (sent: number, length: number): string => `${formatFixed(sent, 1)} of ${formatFixed(length, 1)} s`,
    viewer: 'Viewer',
    older: 'Show older',
    fill: 'Filled',
    fillHelp:
      'Part of the break that clips filled, as an average of its viewers. Logins without the as-run log see the sent time in quarters of a clip.',
    percent: (share: number | null): string => (share === null ? '–' : `${Math.round(100 * share)} %`),
  },
  DE,
);

/** Labels of break states. */
export const STATE_LABELS: Readonly<Record<BreakState, string>> = translated(
  'breakStates',
  {
    announced: 'Announced',
    running: 'On air',
    ended: 'Ended',
    cancelled: 'Cancelled',
  },
  STATE_LABELS_DE,
);

/** Labels of clip causes. */
export const TRIGGER_LABELS: Readonly<Record<string, string>> = translated(
  'clipTriggers',
  {
    preroll: 'start of the session',
    splicing: 'splice point',
    interval: 'interval',
  },
  TRIGGER_LABELS_DE,
);

/** Reasons for skipped clips and breaks. */
export const REASON_LABELS: Readonly<Record<string, string>> = translated(
  'skipReasons',
  {
    clip_not_found: 'file not found',
    clip_unusable: 'the file is not usable',
    clip_differs: 'it does not match the stream',
    clip_not_ready: 'it was not ready in time',
    break_without_clips: 'none of its clips can be shown',
    viewer_absent: 'the viewer was away',
  },
  REASON_LABELS_DE,
);
