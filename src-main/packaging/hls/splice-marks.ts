import { isoTime } from '../../lib/clock.ts';
import { isPartOfBreak, isSameEvent } from '../../media/scte35/splice-point.ts';
import type { SegmentWindow, TimeRange, WindowSegment, WindowSplice } from '../../segment/segment-window.ts';
import { announcedEndMs } from '../../segment/splice-list.ts';
import { decimal, quoted } from './attributes.ts';

/**
 * Styles of splice points in media playlists. `rfc8216`: EXT-X-DATERANGE with SCTE35-OUT, -IN and -CMD (RFC 8216bis
 * 4.4.5.1). `aws`: EXT-X-CUE-OUT, EXT-X-CUE-OUT-CONT and EXT-X-CUE-IN before segments. `scte35`: the same with the
 * section itself in EXT-OATCLS-SCTE35.
 */
export type SpliceMarks = 'rfc8216' | 'aws' | 'scte35';

/** Lines of a media playlist that mark splice points. */
export interface SpliceLines {
  /** Lines before all segments. */
  readonly head: readonly string[];
  /** Lines before a segment; must be called for segments in order. */
  readonly before: (entry: WindowSegment) => readonly string[];
}

const NO_LINES: SpliceLines = { head: [], before: () => [] };

/** Maximum distance between the start of a segment and its splice point, in milliseconds: the longest frame. */
const FRAME_MS = 60;

/** A break between two splice points. */
interface Break {
  readonly out: WindowSplice;
  /** Splice point that ended the break, if any. */
  readonly end: WindowSplice | undefined;
  /** Signalled or announced end; Infinity if unknown. */
  readonly endMs: number;
}

/** Marks of a playlist; none without a style. */
export function spliceLines(
  window: SegmentWindow,
  { range, marks }: { readonly range?: TimeRange; readonly marks?: SpliceMarks },
): SpliceLines {
  if (marks === undefined) return NO_LINES;
  if (marks === 'rfc8216') return { ...NO_LINES, head: dateRanges(window, range) };
  return { ...NO_LINES, before: cueMarks(window, marks) };
}

/**
 * EXT-X-DATERANGE of all listed splice points, including those of the next minutes; none for a timeline without dates.
 */
function dateRanges(window: SegmentWindow, range: TimeRange | undefined): string[] {
  const { epochMs } = window;
  if (epochMs === undefined) return [];
  const splices = window.splices(range);
  const lines = breaksOf(splices).flatMap(({ out, end }) => {
    const name = [`ID=${quoted(nameOf(out))}`, `START-DATE="${isoTime(epochMs + out.atMs)}"`];
    const planned = out.durationMs === null ? [] : [`PLANNED-DURATION=${decimal(out.durationMs / 1000)}`];
    const start = dateRange([...name, ...planned, `SCTE35-OUT=${hexOf(out)}`]);
    // Both lines describe one date range: attributes that appear in both have the same value (4.4.5.1).
    const length = end ? [`DURATION=${decimal((end.atMs - out.atMs) / 1000)}`, `SCTE35-IN=${hexOf(end)}`] : [];
    return end ? [start, dateRange([...name, ...length])] : [start];
  });
  const others = splices
    .filter(({ kind }) => kind === 'other')
    .map((splice) =>
      dateRange([
        `ID=${quoted(nameOf(splice))}`,
        `START-DATE="${isoTime(epochMs + splice.atMs)}"`,
        `SCTE35-CMD=${hexOf(splice)}`,
      ]),
    );
  return [...lines, ...others];
}

/** Creates the cue lines before each segment of a playlist. Call it for segments in order. */
function cueMarks(window: SegmentWindow, marks: 'aws' | 'scte35'): (entry: WindowSegment) => readonly string[] {
  const all = breaksOf(window.splices());
  const isPart = ({ out }: Break): boolean =>
    all.some((outer) => isPartOfBreak(out, outer.out) && outer.out.atMs <= out.atMs && outer.endMs > out.atMs);
  const breaks = all.filter((one) => !isPart(one));
  let started = -1;
  let current: Break | undefined;
  let beforeMs: number | undefined;
  return ({ startMs, msn, segment }) => {
    const lines: string[] = [];
    beforeMs ??= window.segmentByMsn(segment.trackId, msn - 1)?.startMs ?? startMs;
    // The segment of a splice point starts within a frame of it, or with the first key frame after it.
    while ((breaks[started + 1]?.out.atMs ?? Infinity) <= startMs + FRAME_MS) started++;
    const newest = breaks[started];
    const next = newest && newest.endMs > startMs + FRAME_MS ? newest : undefined;
    const isStart = next && (startMs - next.out.atMs <= FRAME_MS || next.out.atMs > beforeMs + FRAME_MS);
    if (current && current !== next) lines.push('#EXT-X-CUE-IN');
    if (next && current !== next && isStart) {
      if (marks === 'scte35') lines.push(`#EXT-OATCLS-SCTE35:${next.out.section}`);
      lines.push(cueOut(next));
    } else if (next) lines.push(continuation(next, startMs - next.out.atMs));
    current = next;
    beforeMs = startMs;
    return lines;
  };
}

function cueOut({ out: { durationMs } }: Break): string {
  return durationMs === null ? '#EXT-X-CUE-OUT' : `#EXT-X-CUE-OUT:${(durationMs / 1000).toFixed(3)}`;
}

function continuation({ out: { durationMs } }: Break, elapsedMs: number): string {
  const elapsed = (Math.max(0, elapsedMs) / 1000).toFixed(3);
  return `#EXT-X-CUE-OUT-CONT:${elapsed}${durationMs === null ? '' : `/${decimal(durationMs / 1000)}`}`;
}

/**
 * Breaks in a list of splice points. A break ends with the return of its own event, or at the start of the next break
 * that is not part of it. A break without a duration also ends at the return of any event, because another input with
 * other event ids may have replaced the input of the break.
 */
function breaksOf(splices: readonly WindowSplice[]): Break[] {
  const breaks: Break[] = [];
  for (const [index, out] of splices.entries()) {
    if (out.kind !== 'out') continue;
    const later = splices.slice(index + 1);
    const nextAt = later.findIndex((other) => other.kind === 'out' && !isPartOfBreak(other, out));
    const before = nextAt < 0 ? later : later.slice(0, nextAt);
    const end =
      returnOf(out, later) ??
      before.find(({ kind, eventId }) => kind === 'in' && eventId === null) ??
      (out.durationMs === null ? before.find((other) => isReturnOfNone(other, splices)) : undefined);
    breaks.push({ out, end, endMs: Math.min(end?.atMs ?? announcedEndMs(out), later[nextAt]?.atMs ?? Infinity) });
  }
  return breaks;
}

/** Return of the event of a break, if it comes before the event starts again. */
function returnOf(out: WindowSplice, later: readonly WindowSplice[]): WindowSplice | undefined {
  const next = later.find((other) => other.kind !== 'other' && isSameEvent(other, out));
  return next?.kind === 'in' ? next : undefined;
}

/** Reports whether a splice point is the return of a break that starts outside the list. */
function isReturnOfNone(splice: WindowSplice, splices: readonly WindowSplice[]): boolean {
  return splice.kind === 'in' && !splices.some((other) => other.kind === 'out' && isSameEvent(other, splice));
}

/**
 * Id of a date range, from event id, time and segmentation type: event ids repeat, and one event may have several types at the
 * same time.
 */
function nameOf({ eventId, atMs, segmentationTypeId }: WindowSplice): string {
  return ['splice', eventId ?? 'none', atMs, ...(segmentationTypeId === undefined ? [] : [segmentationTypeId])].join(
    '-',
  );
}

function hexOf({ section }: WindowSplice): string {
  return `0x${Buffer.from(section, 'base64').toString('hex').toUpperCase()}`;
}

function dateRange(attributes: readonly string[]): string {
  return `#EXT-X-DATERANGE:${attributes.join(',')}`;
}
