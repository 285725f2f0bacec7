import { z } from 'zod';
import type { Stretch } from '../time/time-scale.ts';
import type { Mark } from './marks.ts';
import { TEXTS } from '../texts.ts';

/** What is read of a manifest: splice points at their segments. */
const manifestSchema = z.object({
  periods: z.array(
    z.object({
      segments: z.array(
        z.object({
          ad: z
            .array(z.object({ kind: z.string(), at: z.number(), duration: z.number().nullish(), cue_id: z.unknown() }))
            .optional(),
        }),
      ),
    }),
  ),
});

const HOUR_MS = 3_600_000;
/** So long after it began a recording is on the disk, in milliseconds: blocks are a minute long. */
const ON_DISK_MS = 75_000;
/** So long after it ended, too: its last block ends with it. */
const ENDED_MS = 20_000;

/** An hour of a stream, and the manifest that has its splice points. */
export interface HourManifest {
  /** Begin of the hour, in epoch milliseconds. */
  readonly hourMs: number;
  /** File below the name of the stream. */
  readonly file: string;
}

/**
 * Manifests of the hours that are shown and of which something is recorded. Of a stream that is on air what is not on the disk yet stands in the live window;
 * of others the server knows no manifest before a block is closed.
 */
export function hourManifests(
  stretches: readonly Stretch[],
  shown: Stretch,
  { nowMs, isOnAir }: { readonly nowMs: number; readonly isOnAir: boolean },
): HourManifest[] {
  const hours: HourManifest[] = [];
  const firstMs = Math.floor(Math.max(0, shown.from) / HOUR_MS) * HOUR_MS;
  for (let hourMs = firstMs; hourMs < Math.min(shown.to, nowMs); hourMs += HOUR_MS) {
    const isLive = isOnAir && hourMs + HOUR_MS > nowMs;
    const isThere = stretches.some(
      ({ from, to }) =>
        to > hourMs &&
        from < hourMs + HOUR_MS &&
        (isLive || Math.max(from, hourMs) + ON_DISK_MS <= nowMs || to + ENDED_MS <= nowMs),
    );
    const seconds = HOUR_MS / 1000;
    if (isThere)
      hours.push({ hourMs, file: isLive ? `rewind-${seconds}.json` : `archive-${hourMs / 1000}-${seconds}.json` });
  }
  return hours;
}

/** The splice points of a manifest of a stream, as marks; none where it is another text. */
export function breakMarks(name: string, manifest: unknown): Mark[] {
  const parsed = manifestSchema.safeParse(manifest);
  if (!parsed.success) return [];
  const found = new Map<string, Mark>();
  const ended = new Set<number>();
  for (const { segments } of parsed.data.periods)
    for (const { ad = [] } of segments)
      for (const { kind, at, duration } of ad) {
        if (kind === 'in' || kind === 'cancel') ended.add(at);
        const id = `break ${name} ${kind} ${at}`;
        const to = typeof duration === 'number' && duration > 0 ? at + duration : null;
        found.set(id, {
          kind: 'break',
          id,
          name,
          from: at,
          to,
          text: kind === 'out' ? TEXTS.breakStart : kind === 'in' ? TEXTS.breakEnd : TEXTS.splicePoint(kind),
        });
      }
  const marks = [...found.values()];
  return marks.map((mark) => {
    if (mark.to === null) return mark;
    // What ended earlier than was announced.
    const ends = [...ended].filter((at) => at > mark.from && at < (mark.to ?? 0));
    return ends.length === 0 ? mark : { ...mark, to: Math.min(...ends) };
  });
}
