import type { ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import { explanationSchema, type Explained } from '../../../src-preload/contract/index.ts';

/** Clip that was sent to a viewer, or skipped. */
export interface ShownClip {
  readonly eventId: number;
  readonly media: string;
  /** Start of the clip in epoch milliseconds. */
  readonly atMs: number;
  /** Path of the clip as LOCATION/FILE; empty if a whole break was skipped. */
  readonly path: string;
  /** `preroll`, `splicing` or `interval`. */
  readonly trigger: string;
  readonly seconds: number;
  /** Last quarter of the clip that was sent, in percent: 0, 25, 50, 75 or 100; null if unknown. */
  readonly progress: number | null;
  /** Sent part of the clip in seconds, as the as-run log states it; null if unknown. */
  readonly sentS: number | null;
  readonly sessionId: string;
  /** Reason for the skip; null for a clip that was sent. */
  readonly skipped: ({ readonly reason: string } & Explained) | null;
}

/** Break of a stream, as its splice points mark it. */
export interface Break {
  /** Key that stays the same while the break changes. */
  readonly key: string;
  readonly media: string;
  /** Epoch milliseconds on the timeline of the stream. */
  readonly startMs: number;
  /** Actual or scheduled end; null if unknown. */
  readonly endMs: number | null;
  readonly isCancelled: boolean;
  /** Splice points of the break, oldest first. */
  readonly marks: readonly ServerEvent[];
  /** Clips of the break, oldest first. */
  readonly clips: readonly ShownClip[];
}

/** State of a break. */
export type BreakState = 'announced' | 'running' | 'ended' | 'cancelled';

/**
 * Tolerance at both ends of a break. A clip may start this long before the splice point, because segments are made ahead
 * of time. The mark of the end may be this late.
 */
const TOLERANCE_MS = 1000;
/** A break without a known end collects clips for the maximum duration of a break. */
const MAX_BREAK_MS = 600_000;

/** State of a break at a moment, in epoch milliseconds. */
export function breakState({ isCancelled, startMs, endMs }: Break, nowMs: number): BreakState {
  if (isCancelled) return 'cancelled';
  if (nowMs < startMs) return 'announced';
  return nowMs < (endMs ?? startMs + MAX_BREAK_MS) ? 'running' : 'ended';
}

/**
 * Part of a break that its clips filled, 0 to 1: the sent time divided by the length of the break, as an average of its
 * viewers. Without an exact sent time, it is counted in quarters of a clip. Null without a viewer or a known end.
 */
export function fillRate({ startMs, endMs, clips }: Pick<Break, 'startMs' | 'endMs' | 'clips'>): number | null {
  const viewers = new Set(clips.map(({ sessionId }) => sessionId)).size;
  if (endMs === null || endMs <= startMs || viewers === 0) return null;
  const sentS = clips.reduce(
    (sum, { skipped, seconds, progress, sentS: exactS }) =>
      sum + (skipped ? 0 : (exactS ?? (seconds * (progress ?? 100)) / 100)),
    0,
  );
  return Math.min(1, (sentS * 1000) / ((endMs - startMs) * viewers));
}

/** Sent part of the clip of an `ad_inject`. */
export type ProgressOf = (event: ServerEvent) => Pick<ShownClip, 'progress' | 'sentS'>;

/** Whether only a part of a clip was sent, as far as known. */
export function isInPart({ skipped, progress, sentS, seconds }: ShownClip): boolean {
  return skipped === null && (sentS === null ? progress !== null && progress < 100 : sentS < seconds);
}

/** Reads a clip from `ad_inject` and `ad_skipped`; undefined for other events. */
export function shownClip(event: ServerEvent, progressOf: ProgressOf): ShownClip | undefined {
  const isSkipped = event.event === 'ad_skipped';
  if (event.event !== 'ad_inject' && !isSkipped) return undefined;
  const breakId = String(event['break_id'] ?? '');
  const midroll = event['midroll_insert_by'] ?? (SPLICE_ID.test(breakId) ? 'splicing' : 'interval');
  return {
    eventId: event.event_id,
    media: event.media ?? '',
    atMs: Number(event['dts'] ?? SPLICE_ID.exec(breakId)?.[1] ?? event.utc_ms),
    path: String(event['path'] ?? ''),
    trigger: String(event['placement'] === 'preroll' ? 'preroll' : midroll),
    seconds: Number(event['duration'] ?? 0),
    ...(isSkipped ? { progress: null, sentS: null } : progressOf(event)),
    sessionId: String(event['session_id']),
    skipped: isSkipped
      ? {
          reason: String(event['reason']),
          detail: String(event['detail'] ?? ''),
          explanation: explanationSchema.safeParse(event['explanation']).data,
        }
      : null,
  };
}

/** Id of a break from a splice point; it contains the time. */
const SPLICE_ID = /^splice-(\d+)$/;

/** Break under construction. */
type Draft = { -readonly [K in keyof Break]: Break[K] } & { marks: ServerEvent[]; clips: ShownClip[] };

/**
 * Builds breaks from events, newest first. A repeated announcement moves its break; a cancelled break stays in the list.
 *
 * @param events splice points and clips in the order of occurrence; other events are ignored
 */
export function breaksOf(events: readonly ServerEvent[], progressOf: ProgressOf): readonly Break[] {
  const byMedia = new Map<string, Draft[]>();
  for (const event of events) {
    if (event.event !== 'splice_point') continue;
    const drafts = byMedia.get(event.media ?? '') ?? [];
    byMedia.set(event.media ?? '', drafts);
    mark(drafts, event);
  }
  for (const event of events) {
    const clip = shownClip(event, progressOf);
    if (clip?.trigger === 'splicing') breakOf(byMedia.get(clip.media) ?? [], clip.atMs)?.clips.push(clip);
  }
  return [...byMedia.values()].flat().sort((a, b) => b.startMs - a.startMs);
}

function mark(drafts: Draft[], event: ServerEvent): void {
  const at = Number(event['at']);
  const id = event['splice_event_id'];
  const last = drafts.findLast((one) => one.marks.some((other) => other['splice_event_id'] === id)) ?? drafts.at(-1);
  const kind = event['kind'];
  if (kind === 'out') {
    const duration = event['duration'];
    const endMs = typeof duration === 'number' && event['auto_return'] !== false ? at + duration : null;
    const known = drafts.find((one) => !one.isCancelled && one.marks.some((other) => isSameOut(other, event)));
    if (known) {
      known.startMs = at;
      known.endMs = endMs;
      known.marks.push(event);
    } else {
      const key = `${event.media ?? ''} ${event.event_id}`;
      drafts.push({ key, media: event.media ?? '', startMs: at, endMs, isCancelled: false, marks: [event], clips: [] });
    }
  } else if (last && kind === 'in') {
    // An end mark long after the end of the last break does not belong to it.
    if (last.endMs !== null && at > last.endMs + TOLERANCE_MS) return;
    last.endMs = Math.max(at, last.startMs);
    last.marks.push(event);
  } else if (last && kind === 'cancel') {
    if (Number(event.utc_ms) < last.startMs) last.isCancelled = true;
    else last.endMs = Number(event.utc_ms);
    last.marks.push(event);
  }
}

/** True if both announcements have the same splice event and the break is not over yet. */
function isSameOut(other: ServerEvent, event: ServerEvent): boolean {
  return (
    other['kind'] === 'out' &&
    other['splice_event_id'] === event['splice_event_id'] &&
    typeof event['splice_event_id'] === 'number' &&
    Math.abs(Number(other['at']) - Number(event['at'])) < MAX_BREAK_MS
  );
}

function breakOf(drafts: readonly Draft[], atMs: number): Draft | undefined {
  return drafts.findLast(
    ({ startMs, endMs }) => atMs >= startMs - TOLERANCE_MS && atMs < (endMs ?? startMs + MAX_BREAK_MS),
  );
}
