import type { ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';

/** A clip that a viewer was shown, or that was left out for them. */
export interface ShownClip {
  readonly eventId: number;
  readonly media: string;
  /** Epoch milliseconds at which the clip began. */
  readonly atMs: number;
  /** The clip, as LOCATION/FILE; empty for a whole break that was left out. */
  readonly path: string;
  /** `preroll`, `splicing` or `interval`. */
  readonly calledBy: string;
  readonly seconds: number;
  readonly sessionId: string;
  /** Why it was left out; null where it was shown. */
  readonly leftOut: { readonly reason: string; readonly detail: string } | null;
}

/** A break of a stream, as its splice points mark it. */
export interface Break {
  /** Stays as it is while the break changes. */
  readonly key: string;
  readonly media: string;
  /** Epoch milliseconds on the timeline of the stream. */
  readonly startMs: number;
  /** When it ended or is to end by itself; null where nothing is known of it. */
  readonly endMs: number | null;
  readonly isTakenBack: boolean;
  /** What marked it, oldest first. */
  readonly marks: readonly ServerEvent[];
  /** What viewers were shown in it, oldest first. */
  readonly clips: readonly ShownClip[];
}

/** How a break stands. */
export type BreakState = 'announced' | 'running' | 'ended' | 'taken_back';

/** A viewer is shown a clip up to so much before the stream comes to the splice point, because segments are made beforehand; marks of the end come up to so much late. */
const EARLY_MS = 1000;
/** A break of which no end is known holds clips for as long as breaks last at most. */
const LONGEST_MS = 600_000;

/** How a break stands at a moment, in epoch milliseconds. */
export function breakState({ isTakenBack, startMs, endMs }: Break, nowMs: number): BreakState {
  if (isTakenBack) return 'taken_back';
  if (nowMs < startMs) return 'announced';
  return nowMs < (endMs ?? startMs + LONGEST_MS) ? 'running' : 'ended';
}

/** What `ad_inject` and `ad_skipped` say; undefined for other events. */
export function shownClip(event: ServerEvent): ShownClip | undefined {
  const isLeftOut = event.event === 'ad_skipped';
  if (event.event !== 'ad_inject' && !isLeftOut) return undefined;
  const breakId = String(event['break_id'] ?? '');
  const midroll = event['midroll_insert_by'] ?? (SPLICE_ID.test(breakId) ? 'splicing' : 'interval');
  return {
    eventId: event.event_id,
    media: event.media ?? '',
    atMs: Number(event['dts'] ?? SPLICE_ID.exec(breakId)?.[1] ?? event.utc_ms),
    path: String(event['path'] ?? ''),
    calledBy: String(event['placement'] === 'preroll' ? 'preroll' : midroll),
    seconds: Number(event['duration'] ?? 0),
    sessionId: String(event['session_id']),
    leftOut: isLeftOut ? { reason: String(event['reason']), detail: String(event['detail'] ?? '') } : null,
  };
}

/** The name of a break by splice points has its time. */
const SPLICE_ID = /^splice-(\d+)$/;

/** A break while it is put together. */
type Draft = { -readonly [K in keyof Break]: Break[K] } & { marks: ServerEvent[]; clips: ShownClip[] };

/**
 * The breaks that events mark, newest first. An announcement that comes again moves its break; one that is taken back stays in the list.
 *
 * @param events splice points and clips, in the order in which they happened; others are passed over
 */
export function breaksOf(events: readonly ServerEvent[]): readonly Break[] {
  const byMedia = new Map<string, Draft[]>();
  for (const event of events) {
    if (event.event !== 'splice_point') continue;
    const drafts = byMedia.get(event.media ?? '') ?? [];
    byMedia.set(event.media ?? '', drafts);
    mark(drafts, event);
  }
  for (const event of events) {
    const clip = shownClip(event);
    if (clip?.calledBy === 'splicing') breakOf(byMedia.get(clip.media) ?? [], clip.atMs)?.clips.push(clip);
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
    const known = drafts.find((one) => !one.isTakenBack && one.marks.some((other) => isSameOut(other, event)));
    if (known) {
      known.startMs = at;
      known.endMs = endMs;
      known.marks.push(event);
    } else {
      const key = `${event.media ?? ''} ${event.event_id}`;
      drafts.push({ key, media: event.media ?? '', startMs: at, endMs, isTakenBack: false, marks: [event], clips: [] });
    }
  } else if (last && kind === 'in') {
    // One that was over says nothing of it any more.
    if (last.endMs !== null && at > last.endMs + EARLY_MS) return;
    last.endMs = Math.max(at, last.startMs);
    last.marks.push(event);
  } else if (last && kind === 'cancel') {
    if (Number(event.utc_ms) < last.startMs) last.isTakenBack = true;
    else last.endMs = Number(event.utc_ms);
    last.marks.push(event);
  }
}

/** Whether an announcement is about the same break as another one: the same splice event, not over yet. */
function isSameOut(other: ServerEvent, event: ServerEvent): boolean {
  return (
    other['kind'] === 'out' &&
    other['splice_event_id'] === event['splice_event_id'] &&
    typeof event['splice_event_id'] === 'number' &&
    Math.abs(Number(other['at']) - Number(event['at'])) < LONGEST_MS
  );
}

function breakOf(drafts: readonly Draft[], atMs: number): Draft | undefined {
  return drafts.findLast(({ startMs, endMs }) => atMs >= startMs - EARLY_MS && atMs < (endMs ?? startMs + LONGEST_MS));
}
